# Error over time by every scheme, a panel for each of the first two norms.
panels = minimum(norm_names, 2)
height = 380
eval start
set logscale y
set xlabel "t (s)"
set xrange [0:scheme_t[1]]
set multiplot layout 1,panels margins 0.08,0.97,0.17,0.86 spacing 0.09,0.05
do for [p=1:panels] {
    if (p == 1) { eval wide_key }
    eval heading(p == 1 ? sprintf("%s, %d cells across", norm_name[p], scheme_n[1]) : norm_name[p])
    low = 1e300; high = 0
    do for [k=1:schemes] {
        stats scheme_series[k] using (column(p+1) > 0 ? column(p+1) : NaN) every ::1 nooutput
        if (STATS_records > 0) { low = minimum(low, STATS_min); high = maximum(high, STATS_max) }
    }
    if (high == 0) { continue }
    set yrange [low / 1.3 : high * 1.3]
    eval log_tics(low / 1.3, high * 1.3)
    set ylabel p == 1 ? "error" : ""
    plot for [k=1:schemes] scheme_series[k] using 1:(column(p+1) > 0 ? column(p+1) : NaN) every ::1 \
        with linespoints linetype k title scheme_scheme[k]
    unset key
    set yrange [*:*]
}
unset multiplot
