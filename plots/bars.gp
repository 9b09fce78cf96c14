# Bars in groups, one for each name of x, with the interval in which the value is believed to lie.
#
# Bars of the same colour are told apart in grey by how full they are.
array filling[6] = ["solid 0.9", "solid 0.35", "pattern 2", "solid 0.6", "pattern 4", "solid 0.15"]
filled(k) = sprintf("fillstyle %s border linecolor rgb colour[%d] linecolor rgb colour[%d]", \
    filling[(k - 1) % 6 + 1], (k - 1) % 7 + 1, (k - 1) % 7 + 1)
wide = 0.8 / curves
centre(k) = (k - (curves + 1) / 2.) * wide
# Parts that have their names in them need no pattern, but a white line around them.
named = stacked && labels && !text
# Names that are alike up to a digit or _ share a colour.
root_of(s) = strlen(s) == 0 || strstrt("0123456789_", s[1:1]) ? "" : s[1:1].root_of(s[2:*])
array family[curves]
families = 0
do for [k=1:curves] {
    family[k] = 0
    do for [j=1:k-1] { if (root_of(curve_title[j]) eq root_of(curve_title[k])) { family[k] = family[j] } }
    if (family[k] == 0) { families = families + 1; family[k] = families }
}
plain(k) = sprintf('fillstyle solid 0.5 border rgb "#ffffff" dashtype solid linewidth 1.5 linecolor rgb colour[%d]', (family[k] + 4) % 7 + 1)
# A name and its share stand beside each other, or where the bar is too narrow below each other, or the name alone.
letter = 6.0 * grown
fits(s) = strlen(s) * letter <= 0.86 * panel_width / (x_high[p] - x_low[p])
lines_in(part) = int(part * panel_height / (12. * grown * (y_high[p] - y_low[p])))
both(name, share, between) = name.between.sprintf("%.0f %%", share)
text_in(name, share) = lines_in(share) < 1 ? "" : fits(both(name, share, "  ")) ? both(name, share, "  ") : \
    !fits(name) ? "" : lines_in(share) > 1 ? both(name, share, "\n") : name
names_in(b) = named ? sprintf("data index %d using (x_of(3)):(0.5 * ($5 + $6)):(text_in(strcol(7), $4)) ", b - 1). \
    "with labels center noenhanced font small_font, " : ""
part(b) = sprintf("data index %d using (x_of(3)):(0.5 * ($5 + $6)):(0.43):(0.5 * $4) with boxxyerror ", b - 1). \
    (named ? plain(block_curve[b]) : filled(block_curve[b])).", ".names_in(b)
bar(b) = stacked ? part(b) : sprintf("data index %d using (x_of(3) + centre(%d)):(0.5 * $4):(wide * 0.45):(0.5 * $4) with boxxyerror ", \
    b - 1, block_curve[b]).filled(block_curve[b]).", "
interval(b) = intervals && !stacked ? sprintf("data index %d using (x_of(3) + centre(%d)):5:(0):($6 - $5) ", b - 1, block_curve[b]). \
    'with vectors heads size screen 0.003,90 linecolor rgb "#333333" linewidth 1.1 dashtype solid, ' : ""
bars(b, end) = b > end ? "" : bar(b).interval(b).bars(b + 1, end)
entries(k) = k > curves ? "" : sprintf("keyentry with boxes %s title curve_title[%d], ", filled(k), k).entries(k + 1)

if (!text) { set multiplot }
set grid noxtics
if (stacked) { unset grid } else { set xzeroaxis linecolor rgb "#444444" linewidth 0.8 }
do for [p=1:panels] {
    eval begin(p)
    @set_marks
    eval "plot ".bars(first[p], last[p]).with_key(entries(1))
}
eval draw_key(entries(1))
if (!text) { unset multiplot }
