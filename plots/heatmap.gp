# Blocks of kernels: widths across, heights up, in colour what a block loses to the best one.
#
# Besides what plots/panels.gp lists: the data's columns are panel width height across up outcome loss
# best tied default usual reason; curve_kind[k] is what an entry of the key explains; $outline the
# sides of tied blocks, $thesis its choices, both with a set for each panel; most: the last loss that
# has a colour of its own, percent; cell: the shorter side of the smallest cell, pixels.

# Light is good, and every step is darker than the one before, so that grey paper shows the same.
set palette defined (0 "#fdf3b8", 0.1 "#f3e04f", 0.25 "#9bd04a", 0.42 "#3fae76", 0.58 "#26868d", \
    0.74 "#375d8c", 0.88 "#432f78", 1 "#2a0a45")

# Small losses matter most: half of the colours are for less than 20 percent.
shade(loss) = log10(1 + minimum(loss, most) / 4)
set cbrange [0:shade(most)]
percent(n) = n > most ? "" : sprintf('"%s%d%s" %.5f, ', n < 500 ? "" : "≥ ", n, " %%", shade(n))
percents(list) = words(list) == 0 ? "" : percent(real(word(list, 1))).percents(list[strlen(word(list, 1)) + 2:*])
eval 'set cbtics ('.percents("0 2 5 10 20 50 100 200 500").'"" -1) scale 0.4 font small_font'
bar_height = minimum(240., 1. * height - around_top - around_bottom - 40)
bar_title = sprintf('set label 98 "slower than\nthe best" at screen %.5f,%.5f left font small_font', \
    1 - 84. / width, (around_bottom + bar_height + 30.) / height)

set grid noxtics noytics
set border 0
set tics scale 0
set style fill solid noborder
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.4,0.4

# Why a block has no time, as lines that cross its cell: from x, y by dx, dy, in cells. The key has
# letters that look like them.
from_data = "data index p-1 every ::(p == 1) using "
failures = "constraint compile launch wrong-answer time-out"
array hatch[5] = ["-.46,-.1,.56,.56 -.46,-.46,.92,.92 -.1,-.46,.56,.56", \
    "-.46,-.46,.92,.92 -.46,.46,.92,-.92", "-.46,.1,.56,-.56 -.46,.46,.92,-.92 -.1,.46,.56,-.56", \
    "-.2,-.46,0,.92 .2,-.46,0,.92 -.46,-.2,.92,0 -.46,.2,.92,0", \
    "-.46,-.25,.92,0 -.46,0,.92,0 -.46,.25,.92,0"]
array hatch_letter[5] = ["/", "X", "\\", "#", "="]
grey = 'linecolor rgb "#6e6e6e" linewidth 0.8 dashtype solid'
part(s, n) = n == 1 ? s[1:strstrt(s, ",")-1] : part(s[strstrt(s, ",")+1:*], n - 1)
stroke(k, s) = from_data.sprintf("(strcol(6) eq word(failures, %d) ? $4 + (%s) : NaN):($5 + (%s)):(%s):(%s) ", \
    k, part(s, 1), part(s, 2), part(s, 3), part(s.",", 4)).'with vectors nohead '.grey.", "
strokes(k, n) = n > words(hatch[k]) ? "" : stroke(k, word(hatch[k], n)).strokes(k, n + 1)
number_of(kind) = sum [k=1:5] (word(failures, k) eq kind ? k : 0)

# Marks are black on white, to be seen on every colour, and no larger than cells.
spot_size = minimum(1., maximum(0.6, cell / 16.))
spot(type, size, wide) = sprintf("with points pointtype %d pointsize %.2f linewidth %.1f", type, size, wide)
black = ' linecolor rgb "#000000"'
white = ' linecolor rgb "#ffffff"'
key_style(kind) = number_of(kind) > 0 ? \
        sprintf('with points pointtype "%s" linecolor rgb "#444444"', hatch_letter[number_of(kind)]) : \
    kind eq "best" ? spot(13, 1.1, 1).black : \
    kind eq "tied" ? 'with boxes linetype -1 linewidth 1.8 fillstyle empty border -1' : \
    kind eq "default" ? spot(6, 1.0, 1.6).black : \
    kind eq "usual" ? spot(4, 0.6, 1.6).black : \
    sprintf('with points pointtype "%s"', kind).black

entry(k) = k > curves ? "" : sprintf("keyentry %s title curve_title[%d], ", key_style(curve_kind[k]), k).entry(k + 1)
flagged(c) = sprintf('(strcol(%d) eq "1" ? $4 : NaN):5 ', c)
blank = '(strcol(6) ne "ok" ? $4 : NaN):5:(0.49):(0.49) with boxxyerror linecolor rgb "#ededed", '
drawing = "plot ".from_data.'(strcol(6) eq "ok" ? $4 : NaN):5:(0.49):(0.49):(shade($7)) '. \
    "with boxxyerror fillcolor palette, "
drawing = drawing.from_data.blank
do for [k=1:5] { drawing = drawing.strokes(k, 1) }
drawing = drawing.'$outline index p-1 every ::1 using 1:2:3:4 with vectors nohead dashtype solid linewidth 1.8 linecolor rgb "#000000", '. \
    from_data.flagged(10).spot(7, 0.95 * spot_size, 1).white.", ".from_data.flagged(10).spot(6, 0.85 * spot_size, 1.6).black.", ". \
    from_data.flagged(11).spot(5, 0.75 * spot_size, 1).white.", ".from_data.flagged(11).spot(4, 0.6 * spot_size, 1.6).black.", ". \
    from_data.flagged(8).spot(13, 1.45 * spot_size, 1).white.", ".from_data.flagged(8).spot(13, 1.05 * spot_size, 1).black.", ". \
    '$thesis index p-1 every ::1 using 1:2:3 with labels boxed font tiny_font textcolor rgb "#000000", '

set multiplot
do for [p=1:panels] {
    eval begin(p)
    if (p == 1) {
        eval sprintf("set colorbox user vertical origin screen %.5f,%.5f size screen %.5f,%.5f noborder", \
            1 - 84. / width, (around_bottom + 0.) / height, 13. / width, bar_height / height)
        eval bar_title
    } else {
        unset colorbox
        unset label 98
    }
    eval "set xtics font tiny_font"
    eval drawing.'NaN notitle'
}
eval draw_key(entry(1))
unset multiplot
