# Series of points over x: joined by lines, with the range of what was measured, or with it as a band.
styled(c) = curve_style[c] eq "exact" ? "with lines linestyle 101" : \
    curve_style[c] eq "second" ? "with lines linestyle 105" : \
    curve_style[c] eq "points" ? sprintf("with points linetype %d pointsize 0.4", c) : \
    curve_style[c] ne "linespoints" ? "with lines ".dashed(c) : \
    sprintf("with %s linetype %d", curve_style[c], c)
rows(b) = sprintf("data index %d using (x_of(3)):", b - 1)
ranged(b) = intervals && !text && block_curve[b] != second && curve_style[block_curve[b]] ne "exact"
band(b) = ranged(b) && curve_style[block_curve[b]] eq "band" ? rows(b). \
    sprintf("5:6 with filledcurves linetype %d fillstyle transparent solid 0.18 noborder, ", block_curve[b]) : ""
range(b) = ranged(b) && curve_style[block_curve[b]] ne "band" ? rows(b). \
    "5:(0):($6 - $5) with vectors heads size screen 0.003,90 ". \
    sprintf("linetype %d dashtype solid linewidth 1, ", block_curve[b]) : ""
# What is enlarged shows where each cell lies.
look(c) = enlarged[p] && !text && curve_style[c] eq "cells" ? \
    sprintf("with linespoints linetype %d pointsize %.2f linewidth %.1f", c, c == 1 ? 0.7 : 0.4, c == 1 ? 2.4 : 1.2) : styled(c)
curve(b) = rows(b)."4 ".(block_curve[b] == second ? "axes x1y2 " : "").look(block_curve[b]).", "
bands(b, end) = b > end ? "" : band(b).bands(b + 1, end)
ranges(b, end) = b > end ? "" : range(b).ranges(b + 1, end)
all_curves(b, end) = b > end ? "" : curve(b).all_curves(b + 1, end)
entries(k) = k > curves ? "" : entry_of(k, styled(k)).entries(k + 1)

if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot ".bands(first[p], last[p]).ranges(first[p], last[p]).all_curves(first[p], last[p]). \
        labels_of(p).with_key(entries(1))
}
eval draw_key(entries(1))
if (!text) { unset multiplot }
