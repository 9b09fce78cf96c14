# Speed over operations for each byte: ceilings as lines, kernels as points with their names.
#
# Points that have names need no colours. Marks with a slope are limits of memory, marks with y only limits of arithmetic: each line ends where
# the next one is lower.
shown(k) = mark_panel[k] == 0 || mark_panel[k] == p
is_slope(k) = shown(k) && mark_slope[k] == mark_slope[k]
is_level(k) = shown(k) && mark_slope[k] != mark_slope[k] && mark_x[k] != mark_x[k]
ceiling(k, x) = is_slope(k) ? (mark_slope[k] * x <= most_level ? mark_slope[k] * x : NaN) : \
    is_level(k) && (most_slope == 0 || x >= mark_y[k] / most_slope) ? mark_y[k] : NaN
# Of the line from the place of name i, which lies on the panel's right, to point j.
steepness(j, i) = (part_of(name_y[j], y_low[p], y_high[p], 1) - name_at[i]) / (1.015 - part_of(name_x[j], x_low[p], x_high[p], 1))
set samples 1000
dot = labels && !text ? "pointtype 7 pointsize 0.7 linecolor rgb colour[1]" : "linetype block_curve[b] pointsize 0.9"

if (!text) { set multiplot }
do for [p=1:panels] {
    eval begin(p)
    most_slope = 0
    most_level = 0
    do for [k=1:marks] {
        unset label 200+k
        if (is_slope(k)) { most_slope = maximum(most_slope, 1. * mark_slope[k]) }
        if (is_level(k)) { most_level = maximum(most_level, mark_y[k]) }
    }
    if (most_level == 0) { most_level = 1e300 }

    # Names stand in a column at the right, about as high as their points, a line leads to each.
    do for [i=1:200] { unset label 300+i; unset arrow 300+i }
    names = 0
    array name[200]; array name_x[200]; array name_y[200]; array name_at[200]
    do for [b=first[p]:last[p]] {
        stats data index b-1 using (names = names + 1, name[names] = strcol(7), name_x[names] = $3, \
            name_y[names] = $4, $4) nooutput
    }
    do for [i=2:names] {
        do for [j=i:2:-1] {
            if (name_y[j] > name_y[j-1]) {
                swap = name[j]; name[j] = name[j-1]; name[j-1] = swap
                swap = name_x[j]; name_x[j] = name_x[j-1]; name_x[j-1] = swap
                swap = name_y[j]; name_y[j] = name_y[j-1]; name_y[j-1] = swap
            }
        }
    }
    span = log(1. * y_high[p] / y_low[p])
    apart = minimum(14. * grown / panel_height, 0.98 / maximum(names - 1, 1))
    do for [i=1:names] {
        name_at[i] = log(name_y[i] / y_low[p]) / span
        if (i > 1 && name_at[i] > name_at[i-1] - apart) { name_at[i] = name_at[i-1] - apart }
    }
    # The lowest may have come too low: then all above it move up.
    if (names > 0 && name_at[names] < 0.02) {
        name_at[names] = 0.02
        do for [i=names-1:1:-1] {
            if (name_at[i] < name_at[i+1] + apart) { name_at[i] = name_at[i+1] + apart }
        }
    }
    # From above each place takes, of the points that are left, the one that has all others below its
    # line: so no two lines cross.
    do for [i=1:names-1] {
        top = i
        do for [j=i+1:names] { if (steepness(j, i) > steepness(top, i)) { top = j } }
        swap = name[i]; name[i] = name[top]; name[top] = swap
        swap = name_x[i]; name_x[i] = name_x[top]; name_x[top] = swap
        swap = name_y[i]; name_y[i] = name_y[top]; name_y[top] = swap
    }
    if (labels && !text) {
        do for [i=1:names] {
            set label 300+i name[i] at graph 1.02,name_at[i] left noenhanced font small_font
            set arrow 300+i from name_x[i],name_y[i] to graph 1.015,name_at[i] nohead back \
                linecolor rgb "#b0b0b0" linewidth 0.6
        }
    }
    angle = atan2(panel_height / span, panel_width / log(x_high[p] / x_low[p])) * 180 / pi
    do for [k=1:marks] {
        if (is_slope(k)) {
            # In the middle of what is to be seen of it.
            from_x = maximum(x_low[p], 1. * y_low[p] / mark_slope[k])
            to_x = minimum(x_high[p], 1. * minimum(y_high[p], most_level) / mark_slope[k])
            at_x = sqrt(from_x * to_x)
            # 9 pixels from the line.
            aside_x = -9. * sin(angle * pi / 180) / panel_width * log(x_high[p] / x_low[p])
            aside_y = 9. * cos(angle * pi / 180) / panel_height * span
            set label 200+k mark_label[k] at at_x*exp(aside_x),mark_slope[k]*at_x*exp(aside_y) center rotate by angle noenhanced \
                font small_font textcolor rgb "#333333"
        } else {
            if (is_level(k)) {
                set label 200+k mark_label[k] at graph 0.99,first mark_y[k] right offset 0,0.6 noenhanced \
                    font small_font textcolor rgb "#333333"
            }
        }
    }
    set xrange [x_low[p]:x_high[p]]
    set yrange [y_low[p]:y_high[p]]
    eval "plot ".(marks ? "for [k=1:marks] ceiling(k, x) with lines linecolor rgb '#333333' linewidth 1.6 dashtype solid, " : ""). \
        "for [b=first[p]:last[p]] data index b-1 using (x_of(3)):4 with points ".dot.", ". \
        with_key(curve_entries("with points"))
}
eval draw_key(curve_entries("with points"))
if (!text) { unset multiplot }
