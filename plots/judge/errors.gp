# Error over the number of cells, or (`over` is 3) over time: a panel for each flow. $errors has a set
# for each flow and entry in it: cells, error, seconds. aim[1..trials] is the error to be reached.
width = 980
columns_of_panels = minimum(trials, 3)
rows_of_panels = (trials + 2) / 3
key_rows = (entries + 2 * (over == 1) + 5) / 6
height = 70 + 290 * rows_of_panels + 18 * key_rows
eval start
set logscale xy
top = 1 - (46. + 18 * key_rows) / height
set multiplot layout rows_of_panels,columns_of_panels margins 0.085,0.985,62./height,top spacing 0.075,84./height
do for [p=1:trials] {
    set xrange [*:*]
    set yrange [*:*]
    first = (p - 1) * entries; last = p * entries - 1
    x0 = 1e300; x1 = 0; e0 = 1e300; e1 = 0
    do for [k=first:last] {
        stats $errors index k using (column(2) > 0 && column(over) > 0 ? column(over) : NaN) nooutput
        if (exists("STATS_records") && STATS_records > 0) { # it is undefined where no error is above zero
            x0 = minimum(x0, STATS_min); x1 = maximum(x1, STATS_max)
            stats $errors index k using (column(2) > 0 && column(over) > 0 ? column(2) : NaN) nooutput
            e0 = minimum(e0, STATS_min); e1 = maximum(e1, STATS_max)
        }
    }
    eval above(panel[p])
    set xlabel over == 1 ? (p > trials - columns_of_panels ? "cells from west to east" : "") : (p > trials - columns_of_panels ? "time (s)" : "")
    set ylabel p % columns_of_panels == 1 || trials == 1 ? "error" : "" offset 1.6,0
    if (p == 1) {
        set key at screen 0.985,0.99 top right vertical maxrows key_rows Left reverse samplen 2.5
    } else { unset key }
    if (x1 <= 0) {
        set xrange [1:10]; set yrange [1:10]
        set label 5 "no numbers" at graph 0.5,0.5 center
        plot NaN notitle
        unset label 5
        continue
    }
    set xrange [x0 / 1.2 : x1 * 1.2]
    set yrange [e0 / 1.7 : e1 * 1.7]
    unset arrow
    if (over == 1) {
        unset xtics
        set xtics () scale 0.5 nomirror
        x = x0
        while (x <= x1 * 1.01) { set xtics add (sprintf("%.0f", x) x); x = 2 * x }
    } else {
        set xtics auto format "10^{%L}" scale 0.5 nomirror
        if (aim[p] > 0) { set arrow 1 from graph 0, first aim[p] to graph 1, first aim[p] nohead linestyle 103 back }
    }
    eval log_tics(e0 / 1.7, e1 * 1.7)
    plot over == 1 ? 1.5 * e1 * (x0 / x) : NaN linestyle 103 title (over == 1 && p == 1 ? "slope 1" : ""), \
         over == 1 ? 1.5 * e1 * (x0 / x) ** 2 : NaN linestyle 103 dashtype (1,3) title (over == 1 && p == 1 ? "slope 2" : ""), \
         for [e=1:entries] $errors index first+e-1 using over:(column(2) > 0 ? column(2) : NaN) with linespoints linestyle 200+e title p == 1 ? name[e] : ""
}
unset multiplot
