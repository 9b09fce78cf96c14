# Water level along the middle row at four times: quarters of `period`, or of the whole run.
height = 640
eval start
span = exists("period") ? minimum(period, lead_t[1]) : lead_t[1]

stats lead[1] @now_lead using (column("bed")) nooutput
low = STATS_min
stats lead[1] using (wet("h") ? column("w") : NaN) nooutput
reach = maximum(STATS_max - low, 1e-12)
set yrange [low - 0.05 * reach : low + 1.25 * reach]

# Half of the figure's width has no room for more than some hundreds of points.
thin = maximum(1, lead_n[1] / 400)
then = "every thin::(near-1)*lead_n[1]::near*lead_n[1]-1"

set multiplot layout 2,2 margins 0.08,0.97,0.09,0.88 spacing 0.07,0.13
do for [q=1:4] {
    near = 1
    do for [k=1:snapshots] { if (abs(snapshot[k] - span * q / 4.) < abs(snapshot[near] - span * q / 4.)) { near = k } }
    t = snapshot[near]
    if (exists("period")) {
        eval heading(sprintf("t = %.3g T = %s", t / period, time_text(t)))
    } else {
        eval heading(sprintf("t = %s", time_text(t)))
    }
    set xlabel q > 2 ? "x (m)" : ""
    set ylabel q % 2 ? "level (m)" : ""
    if (q == 1) { eval wide_key } else { unset key }
    plot lead[1] @then using (column("x")):(pick(t, "bed", 1)) with filledcurves y=(low - reach) \
             linecolor rgb bed_colour notitle, \
         '' @then using (column("x")):(pick(t, "bed", 1)) with lines linestyle 102 title "bed", \
         '' @then using (column("x")):(level(t)) with lines linetype 1 linewidth 2.2 \
             title sprintf("%s, %d cells", lead_scheme[1], lead_n[1]), \
         '' @then using (column("x")):(exact_level(t)) with lines linestyle 101 title compared ? "exact" : ""
}
unset multiplot
