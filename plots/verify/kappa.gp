# Error and time step over kappa.
height = 620
eval start
set logscale xy
set xrange [*:*] noextend
stats kappa_file using (column("error_h")) nooutput
low = STATS_min; high = STATS_max
stats kappa_file using (column("error_q")) nooutput
low = minimum(low, STATS_min); high = maximum(high, STATS_max)
set multiplot layout 2,1 margins 0.09,0.97,0.09,0.97 spacing 0.05,0.06
stats kappa_file using (column("n")) nooutput
cells = STATS_max
stats kappa_file using (column("usual")) nooutput
if (STATS_records > 0) {
    usual = STATS_max
    set arrow 1 from usual, graph 0 to usual, graph 1 nohead linestyle 103
    set label 1 sprintf("the case's %g m with %d cells across", usual, cells) at usual, graph 0.94 right offset -0.6,0 textcolor rgb "#777777"
}
set format x ""
set ylabel "relative error"
set yrange [low / 1.3 : high * 1.3]
eval log_tics(low / 1.3, high * 1.3)
plot kappa_file using (column("kappa")):(column("error_h")) smooth unique with linespoints linetype 1 title "depth", \
     kappa_file using (column("kappa")):(column("error_q")) smooth unique with linespoints linetype 2 title "discharge"
unset key
unset label 1
set yrange [*:*]
stats kappa_file using (column("dt_min")) nooutput
set yrange [STATS_min / 1.3 : STATS_max * 1.3]
eval log_tics(STATS_min / 1.3, STATS_max * 1.3)
set format x "10^{%L}"
set xlabel "kappa (m)"
set ylabel "least time step (s)"
plot kappa_file using (column("kappa")):(column("dt_min")) smooth unique with linespoints linetype 3
unset multiplot
