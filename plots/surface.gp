# A surface over a plane, lit from the side, above the bed. The data's columns are table x y z bed.
#
# Besides what plots/panels.gp lists: z_label; x_low, x_high, y_low, ... z_high; view (two angles); stretch, how high it is
# drawn; flat: the bed is, and is not drawn; block[p], where a panel's data begin (gnuplot's index);
# mound[p]: they are a plane, a wall that stands on it, and what it encloses, else a grid; cut[p]: where the
# line through the middle is, which a terminal shows.
set palette defined (0 "#0f3a70", 0.3 "#2f74b0", 0.65 "#86c1e2", 1 "#eaf6fb")
light = "lighting primary 0.45 specular 0.35"
eval "set pm3d depthorder ".light
low_colour = "#3f87bd"
high_colour = "#e6f4fa"
wall_colour = "#a9d6ee"
# Over the seams between the wall's parts.
seam_colour = "#7fa9c0"
unset grid
unset colorbox
unset key
set xyplane at z_low
eval sprintf("set view %s, 1.95, %f", view, stretch)
set view equal xy
set cbrange [z_low - 0.15 * (z_high - z_low):z_high]
set zrange [z_low:z_high]
set xrange [x_low:x_high]
set yrange [y_low:y_high]

# With `bare` the place of the axes without them, for what is drawn over the rest.
axes_of(bare) = bare ? "unset label; unset border; unset xtics; unset ytics; unset ztics; unset xlabel; unset ylabel; unset zlabel" : \
    'set border 1+2+4+8+16 linecolor rgb "#999999"; set xtics offset 0,-0.2 font small_font scale 0.4; '. \
    'set ytics offset 0,-0.2 font small_font scale 0.4; set ztics font small_font scale 0.4; '. \
    "set xlabel x_label rotate parallel offset 0,1.3; set ylabel y_label rotate parallel offset -7,0.6; ". \
    "set zlabel z_label rotate parallel offset -0.5,0"
plane = 'data index block[p] using 2:3:4 with polygons fillstyle solid 1 border rgb low_colour fillcolor rgb low_colour'
wall = 'data index block[p]+1 using 2:3:4 with pm3d fillcolor rgb wall_colour'
upper = 'data index block[p]+2 using 2:3:4 with polygons fillstyle solid 1 border rgb high_colour fillcolor rgb high_colour'

if (text) {
    set border 3
    set key above
    set xlabel x_label
    set yrange [z_low - 0.06 * (z_high - z_low):z_high + 0.06 * (z_high - z_low)]
    do for [p=1:panels] {
        set title panel_title[p].(strlen(panel_title[p]) ? ": " : "").z_label
        stats data index cut[p] using (middle = $3) nooutput
        plot data index cut[p] using 2:5 with lines title "bed", \
             data index cut[p] using 2:($4 > $5 ? $4 : NaN) with lines title sprintf("along y = %g", middle)
    }
    exit
}
set multiplot
do for [p=1:panels] {
    eval sprintf("set origin %.5f,%.5f; set size %.5f,%.5f", (west(p) * width - 60) / width, \
        north(p) - (panel_height + 30.) / height, (panel_width + 70) / (1. * width), (panel_height + 60.) / height)
    if (p == 1) { eval foot_line } else { unset label 99 }
    if (panel_heads) { set label 100 "{/:Bold ".escaped(panel_title[p])."}" at screen west(p),north(p) left offset 0,0.4 }
    eval axes_of(0)
    if (mound[p]) {
        set pm3d border linecolor rgb seam_colour linewidth 0.3 nolighting
        eval "splot ".plane
        eval axes_of(1)
        eval "set pm3d ".light
        eval "splot ".wall
        set pm3d nolighting
        eval "splot ".upper
        eval "set pm3d noborder ".light
    }
    if (!mound[p]) {
        if (flat) {
            splot data index block[p] using 2:3:4 with pm3d
        } else {
            splot data index block[p] using 2:3:5 with pm3d fillcolor rgb bed_colour, \
                  data index block[p] using 2:3:($4 > $5 ? $4 : NaN) with pm3d
        }
    }
}
unset multiplot
