# A map of depth at the end; with `slope` a line from the corner (0, 0). What is dry or under a film
# of less than a thousandth of the greatest depth has the colour of beds.
stats cells using (column("x")) nooutput
margin = (STATS_max - STATS_min) / maximum(cells_nx - 1, 1) / 2.
x0 = STATS_min - margin; x1 = STATS_max + margin
stats cells using (column("y")) nooutput
y0 = STATS_min - margin; y1 = STATS_max + margin
height = int(minimum(740, maximum(300, 90 + 760 * (y1 - y0) / (x1 - x0))))
eval start
set size ratio -1
set xrange [x0:x1]
set yrange [y0:y1]
unset grid
set border 15
set xlabel "x (m)"
set ylabel "y (m)"
set cblabel "depth (m)"
set palette defined (0 "#e6f4fa", 0.35 "#8cc5e3", 0.7 "#3f87bd", 1 "#14427d")
eval heading(sprintf("%s, %d x %d cells, t = %s", lead_scheme[1], cells_nx, cells_ny, time_text(lead_t[1])))
stats cells using (column("h")) nooutput
film = 1e-3 * STATS_max
unset key
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb bed_colour fillstyle solid noborder
if (exists("slope")) { line(x) = slope * x } else { line(x) = NaN }
plot cells using (column("x")):(column("y")):(wet("h") && column("h") > film ? column("h") : NaN) with image, \
     line(x) linestyle 101 linewidth 1.5
