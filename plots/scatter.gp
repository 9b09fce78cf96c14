# Points against a diagonal: both axes show the same quantity.
if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot x linestyle 103 notitle, for [b=first[p]:last[p]] data index b-1 using (x_of(3)):4 ". \
        "with points linetype block_curve[b] pointsize 0.45, ".labels_of(p).with_key(curve_entries("with points"))
}
eval draw_key(curve_entries("with points"))
if (!text) { unset multiplot }
