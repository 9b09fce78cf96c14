# The circular dam break, cut along y = 0; run by dam-break.sh, which sets `data` and `picture`.
set terminal pngcairo size 1600,720 font "DejaVu Sans,21" background "#ffffff"
set output picture

# One hue from dark to light, against orange: told apart by every kind of colour vision.
set palette defined (0.38 "#14427d", 0.5 "#3f87bd", 0.75 "#8cc5e3", 1 "#e6f4fa")
set cbrange [0.38:1]
set pm3d scansautomatic lighting primary 0.5 specular 0.1

set view 64, 16, 2.3, 0.62
set view equal xy
set origin -0.02,0.06
set xrange [-10:10]
set yrange [0:10]
set zrange [0:2.6]
set xyplane at 0
unset key
unset colorbox
set border 0
set xtics 5 out nomirror offset 0,-0.2
set ytics 5 out nomirror offset 0.5,-0.2
set ztics 0,0.5,2.5 out nomirror
set xlabel "x (m)" offset 0,-0.3 rotate parallel
set ylabel "y (m)" offset -4,0.5 rotate parallel
set zlabel "water level (m)" offset 0.5,0 rotate

# The case's initial state: 2.5 m of water within 2.5 m of the centre, 0.5 m outside.
$before << EOD
-10  0 0.5
-2.5 0 0.5
-2.5 0 2.5
2.5  0 2.5
2.5  0 0.5
10   0 0.5
EOD
set label 1 "water at 0 s" at 2.8,0,2.3 left front textcolor rgb "#a34a00"
set label 2 "water at 1 s" at 0,0,0.2 center front textcolor rgb "#ffffff" rotate by -6

splot data."/side" using 1:2:3:(0.40) with pm3d, \
      data."/surface" with pm3d, \
      data."/front" using 1:2:3:(0.41) with pm3d, \
      $before with lines linewidth 3 linecolor rgb "#f08a24" dashtype (5,4)
