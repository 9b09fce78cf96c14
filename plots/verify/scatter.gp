# All cells over their distance from the centre: depth, and discharge in the radial direction. The
# reference is the middle row's; of many cells some thousands are drawn, spread evenly.
height = 400
eval start
r(x, y) = sqrt(x**2 + y**2)
along(x, y, hu, hv) = r(x, y) > 0 ? (x * hu + y * hv) / r(x, y) : 0
all = cells_nx * cells_ny
# A step that has no factor in common with a row, so that cells in all directions are drawn.
step = maximum(1, all / 2000)
while (step > 1 && cells_nx % step <= 1) { step = step + 1 }
stats lead[1] @now_lead using (column("x")) nooutput
set xrange [0:STATS_max]
set xlabel "distance from the centre (m)"
set multiplot layout 1,2 margins 0.08,0.97,0.16,0.86 spacing 0.09,0.05
eval heading(sprintf("t = %s, %d cells across", time_text(lead_t[1]), cells_nx))
set ylabel "depth (m)"
eval wide_key
plot lead[1] @now_lead using (column("x")):(pick(lead_t[1], "rh", column("x") > 0)) with lines linestyle 101 title compared ? "reference" : "", \
     cells using (r(column("x"), column("y"))):(wet("h") ? column("h") : NaN) every step \
         with points pointtype 7 pointsize 0.22 linecolor rgb colour[1] title "wet cells", \
     cells using (r(column("x"), column("y"))):(wet("h") ? NaN : 0) every step \
         with points pointtype 7 pointsize 0.22 linecolor rgb colour[5] title "dry cells"
unset key
unset label 100
set ylabel "radial discharge (m^2/s)"
plot lead[1] @now_lead using (column("x")):(pick(lead_t[1], "rhu", column("x") > 0)) with lines linestyle 101, \
     cells using (r(column("x"), column("y"))):(along(column("x"), column("y"), column("hu"), column("hv"))) every step \
         with points pointtype 7 pointsize 0.22 linecolor rgb colour[1]
unset multiplot
