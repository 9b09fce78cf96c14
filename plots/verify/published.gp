# Our error and other codes' over resolution.
width = 980
height = 400 + 34 * curves
eval start
set logscale xy
set xlabel "cells from west to east"
set ylabel "error"
stats $published using 1 nooutput
set xrange [STATS_min / 1.3 : STATS_max * 1.3]
unset xtics
set xtics () scale 0.5 nomirror
do for [k=0:9] { n = STATS_min * 2**k; if (n <= STATS_max * 1.01) { set xtics add (sprintf("%.0f", n) n) } }
stats $published using 2 nooutput
low = STATS_min; high = STATS_max
stats $published using 3 nooutput
low = minimum(low, STATS_min) / 2; high = maximum(high, STATS_max) * 2
set yrange [low:high]
eval log_tics(low, high)
set key default
set key outside bottom center vertical maxcols 1 Left reverse noenhanced samplen 3
plot for [k=1:curves] $published index k-1 using 1:2 smooth unique with linespoints linetype k \
         pointtype 7 title sprintf("%s, ours", curve_norm[k]), \
     for [k=1:curves] $published index k-1 using 1:3 smooth unique with linespoints linetype k \
         dashtype (5,4) pointtype 6 pointsize 0.9 title sprintf("%s, %s", curve_norm[k], curve[k])
