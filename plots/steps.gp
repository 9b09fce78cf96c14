# Shares that add up over x: how many of all are no larger.
if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot for [b=first[p]:last[p]] data index b-1 using (x_of(3)):4 with steps linetype block_curve[b], ". \
        with_key(curve_entries("with lines"))
}
eval draw_key(curve_entries("with lines"))
if (!text) { unset multiplot }
