# The middle row: the solution beside the default's and the reference, and below how far all are from
# the reference. file[1..entries] are profiles ("": none), row where the snapshot begins, n its cells.
height = compared ? 540 : 320
now = "every 1::row::row+n-1"
lead = file[own]
alone = own == standard || file[standard] eq ""
# Before the ranges are set, which would hide values from stats.
stats lead @now using (column("bed")) nooutput
flat = STATS_max - STATS_min <= 1e-9 * maximum(abs(STATS_max), 1)
low = flat ? 0 : STATS_min
shown(h, w) = flat ? h : w
stats lead @now using (shown(column("h"), column("w"))) nooutput
least = STATS_min; greatest = STATS_max
far = 0
if (compared) {
    stats lead @now using (shown(column("rh"), column("bed") + column("rh"))) nooutput
    least = minimum(least, STATS_min); greatest = maximum(greatest, STATS_max)
    do for [e=1:entries] {
        if (e == own || (e == standard && !alone)) {
            stats file[e] @now using (abs(column("h") - column("rh"))) nooutput
            far = maximum(far, STATS_max)
        }
    }
    far = maximum(far, 1e-15)
}
# A small wave on deep water is enlarged.
if (flat && least > 0.5 * greatest) { low = least - 0.1 * (greatest - least) - 1e-12 }
reach = maximum(greatest - low, 1e-12)
eval start
set yrange [low - 0.04 * reach : low + 1.1 * reach]
set multiplot layout (compared ? 2 : 1),1 margins 0.10,0.97,(compared ? 0.125 : 0.2),(compared ? 0.93 : 0.88) spacing 0.05,0.06
eval above(sprintf("%s, n = %d, t = %s", case, n, time_text(t)))
set ylabel flat ? "depth (m)" : "level (m)"
if (compared) { set format x "" } else { set xlabel "x (m)" }
plot lead @now using (column("x")):(flat ? NaN : column("bed")) with filledcurves y=(low - reach) linecolor rgb bed_colour notitle, \
     lead @now using (column("x")):(compared ? shown(column("rh"), column("rh") > 0 ? column("bed") + column("rh") : NaN) : NaN) \
         with lines linestyle 101 linewidth 1.4 linecolor rgb colour[2] title compared ? "reference" : "", \
     lead @now using (column("x")):(shown(column("h"), column("h") > 0 ? column("w") : NaN)) with lines linestyle 200+own linewidth 2.2 title name[own], \
     (alone ? lead : file[standard]) @now using (column("x")):(alone ? NaN : shown(column("h"), column("h") > 0 ? column("w") : NaN)) \
         with lines linestyle 200+standard linewidth 1.2 title alone ? "" : name[standard]
if (compared) {
    set yrange [-1.6 * far : 1.6 * far]
    unset label 100
    unset key
    set format x "% h"
    set xlabel "x (m)"
    set ylabel "depth less reference (m)"
    set xzeroaxis linestyle 101 linewidth 0.6 linecolor rgb colour[2]
    plot for [e=1:entries] (file[e] eq "" ? lead : file[e]) @now using (column("x")):(file[e] eq "" || e == own || e == standard ? NaN : column("h") - column("rh")) \
             with lines linecolor rgb "#b9c0c7" linewidth 0.9, \
         lead @now using (column("x")):(column("h") - column("rh")) with lines linestyle 200+own linewidth 2.2, \
         (alone ? lead : file[standard]) @now using (column("x")):(alone ? NaN : column("h") - column("rh")) with lines linestyle 200+standard linewidth 1.2
}
unset multiplot
