# A surface over a plane, lit from the side, above the bed. The data's columns are table x y z bed.
#
# Besides what plots/panels.gp lists: z_label, z_low, z_high; view (two angles); stretch, how high it is
# drawn; flat: the bed is, and is not drawn.
set palette defined (0 "#0f3a70", 0.3 "#2f74b0", 0.65 "#86c1e2", 1 "#eaf6fb")
set pm3d depthorder lighting primary 0.4 specular 0.15
set border 31 linecolor rgb "#999999"
unset grid
unset colorbox
unset key
set xyplane at z_low
eval sprintf("set view %s, 1.45, %f", view, stretch)
set view equal xy
set cbrange [z_low - 0.15 * (z_high - z_low):z_high]
set zrange [z_low:z_high]
set autoscale xfix
set autoscale yfix
set tics font small_font scale 0.4
set xtics offset 0,-0.2
set xlabel x_label rotate parallel offset 0,0.6
set ylabel y_label rotate parallel offset -1.5,0.6
set zlabel z_label rotate parallel offset 0.5,0

if (!text) { set multiplot }
do for [p=1:panels] {
    if (!text) {
        eval sprintf("set origin %.5f,%.5f; set size %.5f,%.5f", (west(p) * width - 60) / width, \
            north(p) - (panel_height + 60.) / height, (panel_width + 70) / (1. * width), (panel_height + 60.) / height)
    }
    if (p == 1) { eval foot_line } else { unset label 99 }
    if (panel_heads && !text) { set label 100 "{/:Bold ".escaped(panel_title[p])."}" at screen west(p),north(p) left offset 0,0.4 }
    if (flat) {
        splot data index p-1 using 2:3:4 with pm3d
    } else {
        splot data index p-1 using 2:3:5 with pm3d fillcolor rgb bed_colour, \
              data index p-1 using 2:3:($4 > $5 ? $4 : NaN) with pm3d
    }
}
if (!text) { unset multiplot }
