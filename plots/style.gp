# How all figures look: those of verification (plots/verify) and of experiments (plots/*.gp).
#
# A script may say before it: width, height (pixels; 100 to an inch); number, of the drawing on its
# page; foot, the line below a drawing. It is drawn as SVG to stdout. `form` asks for "svg", "pdf",
# "png" or "text" (for a terminal of `columns` by `rows` characters, with colours if `ansi`); `picture`
# names a file, .svg, .pdf or .png, to draw to.

width = exists("width") ? width : 900
height = exists("height") ? height : 420

# Okabe and Ito's colours, told apart by every kind of colour vision; then the same, dashed. Without
# colours marks and dashes tell them apart.
array colour[7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F"]
array mark[7] = [7, 5, 9, 11, 13, 4, 6]
do for [k=1:7] {
    set linetype k linecolor rgb colour[k] linewidth 1.6 dashtype solid pointtype mark[k] pointsize 0.6
    set linetype k+7 linecolor rgb colour[k] linewidth 1.6 dashtype (6,3) pointtype mark[k] pointsize 0.6
    set linetype k+14 linecolor rgb colour[k] linewidth 1.6 dashtype (2,3) pointtype mark[k] pointsize 0.6
}
set linetype cycle 21
# For lines without marks.
array dash[7] = ["solid", "(9,3)", "(3,3)", "(9,3,3,3)", "(16,4)", "(2,2)", "(9,3,2,3,2,3)"]
dashed(k) = sprintf("linetype %d dashtype %s", k, dash[(k - 1) % 7 + 1])
set style line 101 linecolor rgb "#000000" linewidth 0.9                  # exact
set style line 102 linecolor rgb "#5b4636" linewidth 1                    # bed
set style line 103 linecolor rgb "#999999" linewidth 0.9 dashtype (5,4)   # to compare with
set style line 104 linecolor rgb "#e4e7ea" linewidth 0.7                  # grid
set style line 105 linecolor rgb "#8c7a5b" linewidth 1.2 dashtype (2,2)   # on an axis of its own
bed_colour = "#d9cfc4"
quiet_colour = "#666666"

set encoding utf8
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
heading(text) = (headed = text, 'set label 100 headed at graph 0,1 left offset 0,0.9')
set key at graph 1,1.005 bottom right horizontal
set tmargin 2.5
set autoscale xfix

minimum(a, b) = a < b ? a : b
maximum(a, b) = a > b ? a : b

# Labels for a logarithmic axis: decades, and twice and five times where there are few of them.
decade(e, last, dense) = e > last ? "" : sprintf('"10^{%d}" 1e%d, ', e, e) . \
    (dense ? sprintf('"2x10^{%d}" 2e%d, "5x10^{%d}" 5e%d, ', e, e, e, e) : "") . decade(e + 1, last, dense)
log_tics(low, high) = "set ytics (" . decade(floor(log10(low)), ceil(log10(high)), high < 60 * low) . \
    sprintf('"" 1e%d) scale 0.5 nomirror', ceil(log10(high)))

form = exists("form") ? form : exists("picture") ? picture[strlen(picture)-2:] : "svg"

# Smaller letters than the terminals' own: SVG counts them in pixels, the others in points. In a PDF
# letters are larger beside the rest, for a paper sets it at two thirds of its size; what is laid out in
# pixels by the letter grows with them.
small_font = form eq "svg" ? ",11" : form eq "pdf" ? ",11.6" : ",8.3"
tiny_font = form eq "svg" ? ",9" : form eq "pdf" ? ",9.8" : ",6.8"
grown = form eq "pdf" ? 1.27 : 1.

# Called once by every script, with its height in pixels and the width.
if (form eq "pdf") {
    start = 'set terminal pdfcairo size width/100.,height/100. font "Helvetica,13.2"'
}
if (form eq "png") {
    start = 'set terminal pngcairo size 2*width,2*height fontscale 2 linewidth 2 pointscale 3 '. \
        'font "DejaVu Sans,10" background "#ffffff"'
}
if (form eq "text") {
    start = 'set terminal dumb size columns,rows '.(ansi ? "ansi" : "mono")
}
if (form eq "svg") {
    start = 'set terminal svg size width,height dynamic enhanced font "Helvetica,13" background "#ffffff" name '. \
        (exists("number") ? sprintf('"f%d"', number) : '"shoal"')
}
if (exists("picture")) { start = start."; set output picture" }
