# Error at the end over resolution, a panel for each of the first two norms.
panels = minimum(norm_names, 2)
width = 980
height = 420
eval start
set logscale xy
set xlabel "cells from west to east"
set multiplot layout 1,panels margins 0.08,0.80,0.13,0.92 spacing 0.08,0.05
do for [p=1:panels] {
    set xrange [*:*]
    set yrange [*:*]
    stats $errors using (column(p+1) > 0 ? $1 : NaN) nooutput
    if (STATS_records == 0) { continue }
    n0 = STATS_min; n1 = STATS_max
    stats $errors using (column(p+1) > 0 ? column(p+1) : NaN) nooutput
    e0 = STATS_min; e1 = STATS_max
    set xrange [n0 / 1.15 : n1 * 1.15]
    set yrange [e0 / 3 : e1 * 3]
    unset xtics
    set xtics () scale 0.5 nomirror
    n = n0
    while (n <= n1 * 1.01) { set xtics add (sprintf("%.0f", n) n); n = 2 * n }
    eval heading(norm_name[p])
    eval log_tics(e0 / 3, e1 * 3)
    set ylabel p == 1 ? "error" : ""
    if (p == panels) { set key at screen 0.99,0.92 top right vertical maxrows 40 font ",11" } else { unset key }
    plot 1.8 * e1 * (n0 / x) linestyle 103 title "slope 1", 1.8 * e1 * (n0 / x) ** 2 linestyle 103 dashtype (1,3) title "slope 2", \
         for [k=1:variants] $errors index k-1 using 1:(column(p+1) > 0 ? column(p+1) : NaN) \
             with linespoints linetype k title variant[k]
}
unset multiplot
