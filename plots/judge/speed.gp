# Time of a step beside the default's, in the same round: the median, and a bar from quartile to
# quartile. $speed has a line for each entry, the fastest first: number, ratio, low, high.
stats $speed using 1 nooutput
count = STATS_records
height = 120 + 30 * count
eval start
stats $speed using 3 nooutput
low = minimum(STATS_min, 0.95)
stats $speed using 4 nooutput
high = maximum(STATS_max, 1.05)
set xrange [low - 0.04 * (high - low) : high + 0.04 * (high - low)]
set yrange [count + 0.6 : 0.4]
set xlabel sprintf("time of a step beside %s", name[standard]) noenhanced
set tmargin 1
set bmargin at screen 70. / height
unset ytics
unset key
set ytics () scale 0
do for [k=1:count] { set ytics add (name[row[k]] k) noenhanced }
set lmargin 18
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linestyle 103 back
plot $speed using 2:($0+1):3:4 with xerrorbars linestyle 103 dashtype solid linewidth 2 pointtype 0, \
     for [k=1:count] $speed every ::k-1::k-1 using 2:($0+k) with points linestyle 200+row[k] pointsize 1
