# Series of points over x, joined by lines, with the range of what was measured.
ranges(b) = intervals && !text ? sprintf("data index %d using (x_of(3)):5:(0):($6 - $5) with vectors heads size screen 0.003,90 ", b - 1). \
    sprintf("linetype block_curve[%d] dashtype solid linewidth 1, ", b) : ""
all_ranges(b, end) = b > end ? "" : ranges(b).all_ranges(b + 1, end)
curves_of(p) = "for [b=first[p]:last[p]] data index b-1 using (x_of(3)):4 with ".style." linetype block_curve[b], "

if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot ".all_ranges(first[p], last[p]).curves_of(p).labels_of(p).with_key(curve_entries("with ".style))
}
eval draw_key(curve_entries("with ".style))
if (!text) { unset multiplot }
