# All cells at the end: the depth, and its difference to the reference by this entry and, in the same
# colours, by the default. cells[1] is this one's file, cells[2] the default's ("": the same).
panels = compared ? (cells[2] eq "" ? 2 : 3) : 1
shape = 1. * (y1 - y0) / (x1 - x0)
wide = shape < 0.5
# Pixels: of a panel, and around it for tics and the bar of colours.
width = panels == 1 || wide ? 900 : 980
across = wide || panels == 1 ? minimum(760., 620 / shape) : 980. / panels - 78
tall = across * shape
height = int(wide ? panels * (tall + 92) + 20 : tall + 150)
# Before the ranges are set, which would hide values from stats.
stats cells[1] using (column("h")) nooutput
film = 1e-3 * STATS_max
wet(h) = h > film
stats cells[1] using (wet(column("h")) ? column("h") : NaN) nooutput
least = STATS_min; greatest = maximum(STATS_max, STATS_min + 1e-300)
most = 0
if (compared) {
    do for [k=1:panels-1] {
        stats cells[k] using (abs(column("h") - column("rh"))) nooutput
        most = maximum(most, STATS_max)
    }
    most = maximum(most, 1e-300)
}
eval start
set size ratio -1
set xrange [x0:x1]
set yrange [y0:y1]
unset grid
unset key
set border 15
set xtics x0, (x1 - x0) / 4. format "%g"
set ytics y0, (y1 - y0) / (wide ? 2. : 4.) format "%g"
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb bed_colour fillstyle solid noborder
# The place of a panel, and of its bar of colours below or beside it.
place(k) = wide ? sprintf("set lmargin at screen %g; set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g; set colorbox vertical user origin %g,%g size %g,%g", \
        80. / width, (80 + across) / width, 1 - ((k + 1) * (tall + 92) - 50.) / height, 1 - (k * (tall + 92) + 42.) / height, \
        (90 + across) / width, 1 - ((k + 1) * (tall + 92) - 50.) / height, 14. / width, tall / height) \
    : sprintf("set lmargin at screen %g; set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g; set colorbox horizontal user origin %g,%g size %g,%g", \
        (68 + k * (across + 72)) / width, (68 + k * (across + 72) + across) / width, 108. / height, (108 + tall) / height, \
        (68 + k * (across + 72)) / width, 42. / height, across / width, 12. / height)
set multiplot
eval place(0)
eval above(sprintf("%s: depth (m), t = %s", name[own], time_text(t)))
set palette defined (0 "#e6f4fa", 0.35 "#8cc5e3", 0.7 "#3f87bd", 1 "#14427d")
set cbrange [least:greatest]
set cbtics least, (greatest - least) / 4 format "%.4g" font small_font
set xlabel "x (m)" offset 0,0.4
set ylabel "y (m)"
plot cells[1] using (column("x")):(column("y")):(wet(column("h")) ? column("h") : NaN) with image
if (panels > 1) {
    set palette defined (-1 "#b2182b", -0.5 "#ef8a62", 0 "#f7f7f7", 0.5 "#67a9cf", 1 "#2166ac")
    set cbrange [-most:most]
    set cbtics -most, most / 2 format "%.2g"
    if (!wide) { set ylabel ""; set format y "" }
    do for [k=1:panels-1] {
        eval place(k)
        eval above(sprintf("%s less the reference (m)", name[k == 1 ? own : standard]))
        plot cells[k] using (column("x")):(column("y")):(wet(column("h")) || wet(column("rh")) ? column("h") - column("rh") : NaN) with image
    }
}
unset multiplot
