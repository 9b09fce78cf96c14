# Shares that add up over x: how many of all are no larger. Marks on the steps tell them apart in grey.
array every[last[panels]]
do for [b=1:last[panels]] {
    size = 0
    stats data index b-1 using (size = size + 1, $4) nooutput
    every[b] = int(maximum(1, size / 9))
}
marks_on(b) = text ? "" : sprintf("data index %d every %d::%d using (x_of(3)):4 with points linetype %d pointsize 0.7, ", \
    b - 1, every[b], int(every[b] * (0.2 + 0.11 * (block_curve[b] % 7))), block_curve[b])
step(b) = sprintf("data index %d using (x_of(3)):4 with steps linetype %d, ", b - 1, block_curve[b]).marks_on(b)
steps(b, end) = b > end ? "" : step(b).steps(b + 1, end)
look(k) = text ? sprintf("with lines linetype %d", k) : sprintf("with linespoints linetype %d pointsize 0.7", k)
entries(k) = k > curves ? "" : entry_of(k, look(k)).entries(k + 1)

if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot ".steps(first[p], last[p]).with_key(entries(1))
}
eval draw_key(entries(1))
if (!text) { unset multiplot }
