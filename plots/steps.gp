# Shares that add up over x: how many of all are no larger.
step(b) = sprintf("data index %d using (x_of(3)):4 with steps %s, ", b - 1, dashed(block_curve[b]))
steps(b, end) = b > end ? "" : step(b).steps(b + 1, end)
entries(k) = k > curves ? "" : entry_of(k, "with lines ".dashed(k)).entries(k + 1)

if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot ".steps(first[p], last[p]).with_key(entries(1))
}
eval draw_key(entries(1))
if (!text) { unset multiplot }
