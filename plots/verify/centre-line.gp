# Depth and discharge along the centre line at several resolutions against the reference.
height = 640
eval start
t = lead_t[1]
first = maximum(1, ladders - 2)
set multiplot layout 2,1 margins 0.09,0.97,0.09,0.94 spacing 0.05,0.07
eval heading(sprintf("t = %s", time_text(t)))
set format x ""
set ylabel "depth (m)"
plot for [k=first:ladders] ladder[k] @now_ladder using (column("x")):(pick(ladder_t[k], "h", 1)) with lines \
         linetype ladders - k + 1 title sprintf("%s, %d cells", ladder_scheme[k], ladder_n[k]), \
     lead[1] @now_lead using (column("x")):(pick(t, "rh", 1)) with lines linestyle 101 title compared ? "reference" : ""
unset key
unset label 100
set format x "% h"
set xlabel "x (m)"
set ylabel "discharge (m^2/s)"
plot for [k=first:ladders] ladder[k] @now_ladder using (column("x")):(pick(ladder_t[k], "hu", 1)) with lines \
         linetype ladders - k + 1, \
     lead[1] @now_lead using (column("x")):(pick(t, "rhu", 1)) with lines linestyle 101
unset multiplot
