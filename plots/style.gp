# What all figures share. Drawn as SVG to stdout, or to the file named by `picture` (.png or .pdf).
#
# Before this file a figure's script says (verification/report_data.c):
#   home, number             the installation; of the figure on its page
#   case, gravity, kappa, dry
#   snapshot[1..snapshots]   times of the lead's snapshots, s
#   norm_name[1..norm_names] columns of the series files after t
#   lead[1]                  profile of the run that stands for the case; also lead_series[1],
#                            lead_scheme[1], lead_n[1] (cells), lead_t[1] (the last time that checks
#                            look at), lead_row[1] (where in the profile that snapshot begins)
#   ladder[1..ladders]       the same scheme at all resolutions, coarse to fine; ladder_n[] and so on
#   scheme[1..schemes]       all schemes at one resolution; scheme_scheme[] and so on
#   variant[1..variants]     names of the sets of $errors: cells, then every norm at the end
#   curve[1..curves]         sets of $published: cells, ours, theirs; curve_norm[] names the norm
#   compared                 there is a reference (columns rh, rhu, rhv)
#   cells, cells_nx, cells_ny
# Profiles have the columns t x bed w h hu hv rh rhu rhv; cells files x y bed ...

width = exists("width") ? width : 900
height = exists("height") ? height : 420

# Okabe and Ito's colours, told apart by every kind of colour vision; then the same, dashed.
array colour[7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F"]
array mark[7] = [7, 5, 9, 11, 13, 4, 6]
do for [k=1:7] {
    set linetype k linecolor rgb colour[k] linewidth 1.6 dashtype solid pointtype mark[k] pointsize 0.6
    set linetype k+7 linecolor rgb colour[k] linewidth 1.6 dashtype (6,3) pointtype mark[k] pointsize 0.6
    set linetype k+14 linecolor rgb colour[k] linewidth 1.6 dashtype (2,3) pointtype mark[k] pointsize 0.6
}
set linetype cycle 21
set style line 101 linecolor rgb "#000000" linewidth 0.9                  # exact
set style line 102 linecolor rgb "#5b4636" linewidth 1                    # bed
set style line 103 linecolor rgb "#999999" linewidth 0.9 dashtype (5,4)   # slopes to compare with
set style line 104 linecolor rgb "#e4e7ea" linewidth 0.7                  # grid
bed_colour = "#d9cfc4"

set datafile separator tab
set border 3 linecolor rgb "#444444" linewidth 0.8
set tics nomirror scale 0.5
set grid linestyle 104
set key noenhanced samplen 2 spacing 1.1
set title noenhanced
set ylabel offset 0.8,0

# What a panel shows stands above it at the left, the key at the right; where panels are narrow, the
# key stands above all of them (eval wide_key).
wide_key = "set key at screen 0.97,0.985 top right vertical maxrows 1"
heading(text) = 'set label 100 "'.text.'" at graph 0,1 left offset 0,0.9'
set key at graph 1,1.005 bottom right horizontal
set tmargin 2.5
set autoscale xfix

# How a time looks on a figure.
time_text(t) = sprintf("%.4g s", t)
# Is the row of a profile one of time t? Times are written with nine digits.
at(t) = abs(column("t") - t) <= 1e-7 * (abs(t) + 1e-30)
# A column's value in rows of time t, where `shown` holds.
pick(t, name, shown) = at(t) && shown ? column(name) : NaN
wet(name) = column(name) > (exists("dry") ? dry : 0)
# Rows of the snapshot at the last time only, as `@now_lead`: profiles hold many snapshots, and what is
# not read costs little. In loops k counts. Something named must stand in `using` itself, not in a
# function only: else gnuplot does not see that the first line is a header.
now_lead = "every 1::lead_row[1]::lead_row[1]+lead_n[1]-1"
now_ladder = "every 1::ladder_row[k]::ladder_row[k]+ladder_n[k]-1"
now_scheme = "every 1::scheme_row[k]::scheme_row[k]+scheme_n[k]-1"
level(t) = pick(t, "w", wet("h"))
exact_level(t) = at(t) && wet("rh") ? column("bed") + column("rh") : NaN
minimum(a, b) = a < b ? a : b
maximum(a, b) = a > b ? a : b

# Labels for a logarithmic axis: decades, and twice and five times where there are few of them.
decade(e, last, dense) = e > last ? "" : sprintf('"10^{%d}" 1e%d, ', e, e) . \
    (dense ? sprintf('"2x10^{%d}" 2e%d, "5x10^{%d}" 5e%d, ', e, e, e, e) : "") . decade(e + 1, last, dense)
log_tics(low, high) = "set ytics (" . decade(floor(log10(low)), ceil(log10(high)), high < 60 * low) . \
    sprintf('"" 1e%d) scale 0.5 nomirror', ceil(log10(high)))

# Called once by every script, with its height in pixels and the width.
if (exists("picture")) {
    ending = picture[strlen(picture)-2:]
    if (ending eq "pdf") {
        start = 'set terminal pdfcairo size width/100.,height/100. font "Helvetica,10"'
    } else {
        start = 'set terminal pngcairo size width,height font "DejaVu Sans,10" background "#ffffff"'
    }
    start = start."; set output picture"
} else {
    start = 'set terminal svg size width,height dynamic enhanced font "Helvetica,13" name sprintf("f%d", number)'
}
