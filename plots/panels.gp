# What the figures of experiments share: panels in a grid, axes, the key, marks, the line at the foot.
#
# Before the style a figure's script says (plots/figures/script.c):
#   data                            the file with its rows: panel series x y low high [label]
#   width, height, foot             see plots/style.gp
#   panel_title[1..panels], across  panels, and how many stand side by side
#   first[p], last[p]               the blocks of rows (gnuplot's index, from 1) of a panel
#   block_curve[b]                  which curve a block belongs to
#   curve_title[1..curves]
#   x_name[1..x_names]              what x is called where it is no number; else x_names = 0
#   x_title[1..x_names]             what stands at the axis instead
#   x_tilt                          room for names that lean, pixels; 0: they do not
#   intervals, labels               are there low and high; labels at points
#   name_room                       for names beside the panels, pixels
#   curve_style[k]                  linespoints, lines, points, band; exact (to compare with), second
#   second                          the curve that has the axis at the right, y2_label, to second_end;
#                                   0: none
#   stacked                         low and high are where a part of a bar begins and ends
#   x_label, y_label, x_log, y_log
#   x_range[p], y_range[p]          "[0:10]"; x_low[p], x_high[p], y_low[p], y_high[p]: the same
#   x_tics[p], y_tics[p]            "set xtics ...", or "" for gnuplot's own
#   enlarged[p]                     the panel shows a part of the one beside it
#   below                           so many panels stand above others, which have below_label; 0: none
#   own_key_rows                    where the template draws the key itself: rows that it needs
#   key                             top, right, none, or a place inside as gnuplot calls it
#   mark_label[1..marks], mark_panel[] (0: each), mark_x[], mark_y[] (NaN: a line), mark_slope[]

eval start
text = form eq "text"

# Pixels around the panels; key_rows rows of the key stand above all of them.
foot_letter = 5.2 * grown
foot_row = 13 * grown
foot_lines = strlen(foot) == 0 ? 0 : 1 + strlen(foot) * foot_letter / (width - 30)
foot_lines = int(foot_lines)
panel_heads = panels > 1 || strlen(panel_title[1]) > 0
key_wide = 0
key_count = 0
do for [k=1:curves] {
    if (strlen(curve_title[k]) > 0) {
        key_wide = maximum(key_wide, 60 + (form eq "pdf" ? 8.6 : 8) * strlen(curve_title[k]))
        key_count = key_count + 1
    }
}
key_fits = maximum(1, int((width - 90.) / maximum(key_wide, 1)))
key_rows = exists("own_key_rows") ? own_key_rows : \
    key eq "top" && key_count > 0 ? (key_count + key_fits - 1) / key_fits : 0
key_row = form eq "png" ? 14 : 17
names_wide = name_room * grown
around_left = 78 * grown
around_right = (key eq "right" ? key_wide + 24 : 20) + names_wide + (second ? 40 * grown : 0) + (exists("most") ? 80 * grown : 0)
around_top = 12 + key_row * key_rows + (panel_heads ? 22 : 4) + (key_rows && panel_heads ? 4 : 0)
around_bottom = (form eq "svg" ? 58 : 47 * grown) + x_tilt * grown + foot_row * foot_lines + (foot_lines ? 10 : 0)
gap_x = (second ? 84 : 58) * grown + names_wide - (name_room > 0 ? 14 : 0)
gap_y = ((below ? 34 : 56) + x_tilt) * grown
down = (panels + across - 1) / across
panel_width = (width - around_left - around_right - (across - 1) * gap_x) / (1. * across)
panel_height = (height - around_top - around_bottom - (down - 1) * gap_y) / (1. * down)

# In a terminal panels follow one another; else a panel has its place on the page.
west(p) = (around_left + ((p - 1) % across) * (panel_width + gap_x)) / (1. * width)
north(p) = 1 - (around_top + ((p - 1) / across) * (panel_height + gap_y)) / (1. * height)
place(p) = text ? "" : sprintf("set lmargin at screen %.5f; set rmargin at screen %.5f; ", \
        west(p), west(p) + panel_width / (1. * width)) . \
    sprintf("set tmargin at screen %.5f; set bmargin at screen %.5f", \
        north(p), north(p) - panel_height / (1. * height))
outermost_left(p) = (p - 1) % across == 0
outermost_below(p) = p + across > panels

# Breaks a long line where there is a blank.
broken(s, n, at) = strlen(s) <= n ? s : at < 2 ? s[1:n]."\n".broken(s[n+1:], n, n) : \
    s[at:at] eq " " ? s[1:at-1]."\n".broken(s[at+1:*], n, n) : broken(s, n, at - 1)
foot_letters = int((width - 30) / foot_letter)
foot_line = strlen(foot) > 0 && !text ? \
    sprintf('set label 99 broken(foot, foot_letters, foot_letters) at screen 0.012,%.5f left noenhanced font tiny_font ', \
        (5 + foot_row * foot_lines) / (1. * height)) . 'textcolor rgb quiet_colour; ' : ""

# The place of a name of x: numbers stand for themselves.
found(name, k) = k > x_names ? NaN : x_name[k] eq name ? k : found(name, k + 1)
x_of(c) = x_names ? found(strcol(c), 1) : valid(c) ? column(c) : NaN

# What is the same for all panels.
if (x_log) { set logscale x }
if (y_log) { set logscale y }
set bars 0.6
if (second) { set border 11; set ytics nomirror; set y2tics nomirror font small_font; set y2range [0:second_end] }
set xtics offset 0,0.2
if (x_tilt) { set xtics rotate by 30 right }
set xlabel offset 0,0.4
set tics font small_font
set key noautotitle
if (text) { unset grid; marks = 0; foot = "" }

# The key has a plot of its own, which covers the page: its entries would else be fitted to a panel. In
# a terminal it stands beside each panel. Entries are parts of a plot command, a comma after each.
key_of(p) = text && key_count > 0 && key ne "none" ? "set key outside right top vertical samplen 1" : "unset key"
key_place = key eq "top" ? sprintf("set key at screen %.5f,%.5f top left vertical maxrows %d width 2 reverse Left", \
        (around_left - 12.) / width, 1 - 4. / height, key_rows) : \
    key eq "right" ? sprintf("set key at screen %.5f,%.5f top left vertical maxrows 60 reverse Left", \
        1 - (around_right - names_wide - 4.) / width, north(1)) : \
    "set key ".key." vertical reverse Left; ".place(1)
draw_key(entries) = text || key_count == 0 || key eq "none" ? "" : \
    "unset border; unset tics; unset xlabel; unset ylabel; unset label; unset arrow; unset y2label; unset y2tics; unset grid; " . \
    "unset logscale; unset colorbox; unset xzeroaxis; set lmargin at screen 0; set rmargin at screen 1; " . \
    "set bmargin at screen 0; set tmargin at screen 1; ".key_place."; plot [0:1] [0:1] ".entries."NaN notitle"
with_key(entries) = (text && key_count > 0 ? entries : "")."NaN notitle"
# What stands beside points.
labels_of(p) = labels && !text ? 'for [b=first[p]:last[p]] data index b-1 using (x_of(3)):4:7 with labels left ' . \
    'offset 0.7,0.3 noenhanced font tiny_font textcolor rgb quiet_colour, ' : ""
entry_of(k, look) = sprintf("keyentry %s title curve_title[%d], ", look, k)
plain_entries(k, style) = k > curves ? "" : entry_of(k, style.sprintf(" linetype %d", k)).plain_entries(k + 1, style)
curve_entries(style) = plain_entries(1, style)

# Lines and points of what was published, grey, behind ours. A line across has its name at the right of
# the panel; one upwards beside it, where there is room: below or above, left or right.
part_of(value, low, high, is_log) = is_log ? log(1. * value / low) / log(1. * high / low) : 1. * (value - low) / (high - low)
x_part(x) = part_of(x, x_low[p], x_high[p], x_log)
mark_shown(k) = mark_panel[k] == 0 || mark_panel[k] == p
follows(k, j) = j != k && mark_shown(j) && mark_x[j] < mark_x[k] && \
    (x_part(mark_x[k]) - x_part(mark_x[j])) * panel_width < 26
has_left(k) = (sum [j=1:marks] (follows(k, j) ? 1 : 0)) > 0
# Does a curve cross what would be the name's room, if it stood at the lower end, or at the upper one?
name_part(k) = 0.04 + 6. * grown * strlen(mark_label[k]) / panel_height
between(x, x0, y0, x1, y1) = x1 > x0 ? y0 + (y1 - y0) * (minimum(maximum(x, x0), x1) - x0) / (x1 - x0) : y1
crosses(low, high) = x_new < room_left || x_old > room_right ? 0 : \
    minimum(between(room_left, x_old, y_old, x_new, y_new), between(room_right, x_old, y_old, x_new, y_new)) < high && \
    maximum(between(room_left, x_old, y_old, x_new, y_new), between(room_right, x_old, y_old, x_new, y_new)) > low
step_to(x, y) = (x_new = x, y_new = y, x_old = x_old == x_old ? x_old : x, y_old = y_old == y_old ? y_old : y, \
    mark_low = mark_low + crosses(-1, name_part(k)), mark_high = mark_high + crosses(1 - name_part(k), 2), \
    x_old = x, y_old = y, y)
count_crossings = "room_left = x_part(mark_x[k]) - (has_left(k) ? 3 : 17) * grown / panel_width; room_right = room_left + 20 * grown / panel_width; ". \
    "do for [b=first[p]:last[p]] { x_old = NaN; y_old = NaN; stats data index b-1 using ". \
    "(step_to(x_part(x_of(3)), part_of($4, y_low[p], y_high[p], y_log))) nooutput }"
mark_text = 'noenhanced textcolor rgb quiet_colour font small_font'
mark_upwards(k) = sprintf("set arrow %d from mark_x[%d],graph 0 to mark_x[%d],graph 1 nohead back linestyle 103; ", \
        200 + k, k, k) . (is_below(p) ? "" : \
    sprintf("set label %d mark_label[%d] at mark_x[%d],graph %s rotate by 90 offset %s,0 ", 200 + k, k, k, \
        mark_low > mark_high ? "0.98 right" : "0.02 left", has_left(k) ? "1" : "-0.9").mark_text)
# Names of lines that lie close together: the lower one's moves down, pixels.
y_part(y) = part_of(y, y_low[p], y_high[p], y_log)
higher(k, j) = j != k && mark_shown(j) && mark_x[j] != mark_x[j] && mark_y[j] > mark_y[k] ? \
    maximum(0, 12 - (y_part(mark_y[j]) - y_part(mark_y[k])) * panel_height) : 0
moved(k) = sum [j=1:marks] higher(k, j)
mark_across(k) = is_below(p) ? "" : \
    sprintf("set arrow %d from graph 0,first mark_y[%d] to graph 1.015,first mark_y[%d] nohead back linestyle 103; ", \
        200 + k, k, k) . sprintf("set label %d mark_label[%d] at graph 1.025,graph %.5f left ", \
        200 + k, k, y_part(mark_y[k]) - moved(k) / panel_height).mark_text
mark_of(k) = mark_slope[k] == mark_slope[k] ? "" : \
    mark_x[k] == mark_x[k] && mark_y[k] == mark_y[k] ? is_below(p) ? "" : \
        sprintf("set label %d mark_label[%d] at mark_x[%d],mark_y[%d] left offset 0.8,0 point pointtype 12 ", \
            200 + k, k, k, k) . 'linecolor rgb "#555555" pointsize 1 front '.mark_text : \
    mark_x[k] == mark_x[k] ? mark_upwards(k) : mark_across(k)

# Enhanced text takes _ for an index.
escaped(s) = strstrt(s, "_") ? s[1:strstrt(s, "_")-1].'\_'.escaped(s[strstrt(s, "_")+1:*]) : s

# Before a panel is drawn: eval begin(p), then its own marks.
is_below(p) = below > 0 && p > below
scaled(p) = below && y_log ? (is_below(p) ? "unset logscale y; " : "set logscale y; ") : ""
axis_labels(p) = scaled(p).(outermost_left(p) || text ? (is_below(p) ? "set ylabel below_label; " : "set ylabel y_label; ") : 'set ylabel ""; ') . \
    (second && ((p - 1) % across == across - 1 || p == panels) ? "set y2label y2_label offset -0.8,0; " : 'set y2label ""; ') . \
    (outermost_below(p) || text ? "set xlabel x_label; " : 'set xlabel ""; ')
axes(p) = "set xrange ".x_range[p]."; set yrange ".y_range[p]."; ".x_tics[p]."; ".y_tics[p]."; "
begin(p) = place(p)."; ".axis_labels(p).key_of(p)."; ".axes(p).(p == 1 ? foot_line : "unset label 99; ") . \
    (text ? sprintf("set title panel_title[%d].(strlen(panel_title[%d]) ? ': ' : '').%s", p, p, is_below(p) ? "below_label" : "y_label") : panel_heads ? sprintf('set label 100 "{/:Bold ".escaped(panel_title[%d])."}" at graph 0,1 left offset 0,0.7; ', p) : "")

# The marks of a panel, as `@set_marks` with p its number.
set_marks = "do for [k=1:marks] { unset arrow 200+k; unset label 200+k; if (mark_shown(k)) { mark_low = 0; mark_high = 0; if (mark_x[k] == mark_x[k] && !is_below(p)) { eval count_crossings }; eval mark_of(k) } }"
