# Depth from the centre outwards by all schemes, at one resolution, against the reference: all,
# and enlarged where the outermost water moves.
height = 400
eval start
t = scheme_t[1]
edge = lead_n[1] + lead_row[1] - 1
stats lead[1] @now_lead using (column("x")) nooutput
reach = STATS_max
stats lead[1] every 1::edge::edge using (compared ? column("rh") : column("h")) nooutput
outside = STATS_max
stats lead[1] @now_lead using (compared ? column("rh") : column("h")) nooutput
swing = maximum(STATS_max - outside, 1e-12)
stats lead[1] @now_lead using ((compared ? column("rh") : column("h")) - outside > 0.02 * swing ? column("x") : NaN) nooutput
front = STATS_records > 0 ? STATS_max : reach / 2
first = maximum(0, front - 0.15 * reach)
last = minimum(reach, front + 0.1 * reach)
set xlabel "x (m)"
set multiplot layout 1,2 margins 0.08,0.97,0.16,0.84 spacing 0.08,0.05
do for [p=1:2] {
    if (p == 1) { eval wide_key; set ylabel "depth (m)"; set xrange [0:reach] }
    eval heading(p == 1 ? sprintf("t = %s, %d cells across", time_text(t), scheme_n[1]) : "the front")
    if (p == 2) {
        unset key
        set ylabel ""
        set xrange [first:last]
        stats lead[1] @now_lead using (column("x") >= first && column("x") <= last ? (compared ? column("rh") : column("h")) : NaN) nooutput
        set yrange [STATS_min - 0.08 * (STATS_max - STATS_min) : STATS_max + 0.15 * (STATS_max - STATS_min)]
    }
    plot for [k=1:schemes] scheme[k] @now_scheme using (column("x")):(pick(scheme_t[k], "h", 1)) with lines \
             linetype k title scheme_scheme[k], \
         lead[1] @now_lead using (column("x")):(pick(lead_t[1], "rh", 1)) with lines linestyle 101 title compared ? "reference" : ""
}
unset multiplot
