# The middle row at the end: level over the bed (or depth, where the bed is flat), and discharge, or the first two
# unknowns of a system without a bed; at the coarsest, a middle and the finest resolution.
panels = unknowns > 1 ? 2 : 1
height = 320 * panels
first_name = unknown[1]
second_name = unknown[panels]
# In full, as common.gp says of names.
first_column = sprintf('column("%s")', first_name)
second_column = sprintf('column("%s")', second_name)
second_reference = sprintf('column("r%s")', second_name)
eval start
array shown[3] = [1, (ladders + 1) / 2, ladders]
first = ladders < 3 ? 4 - ladders : 1 # so that no run is drawn twice
if (ladders == 2) { shown[2] = 1 }
now_shown = "every 1::ladder_row[shown[k]]::ladder_row[shown[k]]+ladder_n[shown[k]]-1"

stats lead[1] @now_lead using (over_bed ? column("bed") : 0) nooutput
flat = STATS_max - STATS_min <= 1e-9 * maximum(abs(STATS_max), 1)
low = STATS_min
t = lead_t[1]
stats lead[1] @now_lead using (flat ? @first_column : column("w")) nooutput
if (flat) { low = over_bed ? 0 : STATS_min }
reach = maximum(STATS_max - low, 1e-12)
set yrange [low - 0.05 * reach : low + 1.2 * reach]

set multiplot layout panels,1 margins 0.10,0.97,0.09,0.94 spacing 0.05,0.07
eval heading(sprintf("t = %s", time_text(t)))
set ylabel !over_bed ? unknown_label[1] : flat ? "depth (m)" : "level (m)"
if (panels == 1) { set xlabel "x (m)" } else { set format x "" }
if (flat) {
    plot for [k=first:3] ladder[shown[k]] @now_shown using (column("x")):(pick(ladder_t[shown[k]], first_name, 1)) \
             with lines linetype 4 - k title sprintf("%s, %d cells", ladder_scheme[shown[k]], ladder_n[shown[k]]), \
         lead[1] @now_lead using (column("x")):(pick(t, "r".first_name, 1)) with lines linestyle 101 title compared ? "reference" : ""
} else {
    plot lead[1] @now_lead using (column("x")):(pick(t, "bed", 1)) with filledcurves y=(low - reach) \
             linecolor rgb bed_colour notitle, \
         '' @now_lead using (column("x")):(pick(t, "bed", 1)) with lines linestyle 102 title "bed", \
         for [k=first:3] ladder[shown[k]] @now_shown using (column("x")):(level(ladder_t[shown[k]])) \
             with lines linetype 4 - k title sprintf("%s, %d cells", ladder_scheme[shown[k]], ladder_n[shown[k]]), \
         lead[1] @now_lead using (column("x")):(exact_level(t)) with lines linestyle 101 title compared ? "reference" : ""
}

if (panels == 2) {
    # Rounding is no discharge: a lake at rest is drawn as a line, not as noise.
    least = 1e-12
    set yrange [*:*]
    stats lead[1] @now_lead using (@second_column) nooutput
    low = STATS_min; high = STATS_max
    # A reference may know the first unknown alone.
    known = 0
    if (compared) {
        stats lead[1] @now_lead using (column("t"), strcol("r".second_name) eq "nan" ? 0 : 1) nooutput
        known = STATS_max > 0
    }
    if (known) {
        stats lead[1] @now_lead using (@second_reference) nooutput
        low = minimum(low, STATS_min); high = maximum(high, STATS_max)
    }
    # The one cell of a jump may be far off; constant flows get room to show it.
    room = maximum(0.08 * (high - low), maximum(0.02 * maximum(abs(low), abs(high)), least))
    set yrange [low - room : high + room]
    unset label 100
    unset key
    set format x "% h"
    set xlabel "x (m)"
    set ylabel over_bed ? "discharge (m^2/s)" : unknown_label[2]
    plot for [k=first:3] ladder[shown[k]] @now_shown using (column("x")):(pick(ladder_t[shown[k]], second_name, 1)) \
             with lines linetype 4 - k, \
         for [m=1:known] lead[1] @now_lead using (column("x")):(pick(t, "r".second_name, 1)) with lines linestyle 101
}
unset multiplot
