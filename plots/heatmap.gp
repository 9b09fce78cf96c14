# Blocks of kernels: widths across, heights up, in colour what a block loses to the best one.
#
# Besides what plots/panels.gp lists: the data's columns are panel width height across up outcome loss
# best tied default usual reason; curve_kind[k] is what an entry of the key explains, key_x[k] and key_y[k]
# where it stands: pixels from the left, rows from the top; $outline the sides of tied blocks, $thesis its choices, both with a set for each panel; most: the last loss that
# has a colour of its own, percent; cell: the shorter side of the smallest cell, pixels.

# Light is good, and every step is darker than the one before, so that grey paper shows the same.
set palette defined (0 "#fdf3b8", 0.1 "#f3e04f", 0.25 "#9bd04a", 0.42 "#3fae76", 0.58 "#26868d", \
    0.74 "#375d8c", 0.88 "#432f78", 1 "#2a0a45")

# Small losses matter most: half of the colours are for less than 20 percent.
shade(loss) = log10(1 + minimum(loss, most) / 4)
set cbrange [0:shade(most)]
percent(n) = n > most ? "" : sprintf('"%s%d%s" %.5f, ', n < 100 ? "" : "≥ ", n, " %%", shade(n))
percents(list) = words(list) == 0 ? "" : percent(real(word(list, 1))).percents(list[strlen(word(list, 1)) + 2:*])
eval 'set cbtics ('.percents("0 2 5 10 20 50 100").'"" -1) scale 0.4 font small_font'
bar_height = minimum(240., 1. * height - around_top - around_bottom - 40)
bar_title = sprintf('set label 98 "slower than\nthe best" at screen %.5f,%.5f left font small_font', \
    1 - 84. * grown / width, (around_bottom + bar_height + 30. * grown) / height)

set grid noxtics noytics
set border 0
set tics scale 0
set ylabel offset -0.6,0
set style fill solid noborder
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.4,0.4

# Why a block has no time, as lines that cross its cell: from x, y by dx, dy, in cells.
from_data = "data index p-1 every ::(p == 1) using "
failures = "constraint compile launch wrong-answer time-out"
array hatch[5] = ["-.46,-.1,.56,.56 -.46,-.46,.92,.92 -.1,-.46,.56,.56", \
    "-.46,-.46,.92,.92 -.46,.46,.92,-.92", "-.46,.1,.56,-.56 -.46,.46,.92,-.92 -.1,.46,.56,-.56", \
    "-.2,-.46,0,.92 .2,-.46,0,.92 -.46,-.2,.92,0 -.46,.2,.92,0", \
    "-.46,-.25,.92,0 -.46,0,.92,0 -.46,.25,.92,0"]
grey = 'linecolor rgb "#6e6e6e" linewidth 0.8 dashtype solid'
part(s, n) = n == 1 ? s[1:strstrt(s, ",")-1] : part(s[strstrt(s, ",")+1:*], n - 1)
stroke(k, s) = from_data.sprintf("(strcol(6) eq word(failures, %d) ? $4 + (%s) : NaN):($5 + (%s)):(%s):(%s) ", \
    k, part(s, 1), part(s, 2), part(s, 3), part(s.",", 4)).'with vectors nohead '.grey.", "
strokes(k, n) = n > words(hatch[k]) ? "" : stroke(k, word(hatch[k], n)).strokes(k, n + 1)
number_of(kind) = sum [k=1:5] (word(failures, k) eq kind ? k : 0)

# Marks are black, on dark colours white, and no larger than cells; one fits into the other where a block is
# several of them.
spot_size = minimum(1., maximum(0.6, cell / 16.))
spot(type, size, wide) = sprintf("with points pointtype %d pointsize %.2f linewidth %.1f", type, size * spot_size, wide)
black = ' linecolor rgb "#000000"'
white = ' linecolor rgb "#ffffff"'
best_mark(inside, size) = from_data.sprintf('(strcol(8) eq "1" && (strcol(10) eq "1" || strcol(11) eq "1") == %d ? $4 : NaN):5 ', inside). \
    spot(13, size, 1).black.", "
is_dark(outcome, loss) = outcome eq "ok" && shade(loss) > 0.6 * shade(most)
flagged_if(c, dark) = sprintf('(strcol(%d) eq "1" && is_dark(strcol(6), $7) == %d ? $4 : NaN):5 ', c, dark)
open_mark(c, type, size) = from_data.flagged_if(c, 0).spot(type, size, 1.5).black.", ". \
    from_data.flagged_if(c, 1).spot(type, size, 1.5).white.", "

# Cells are as wide as ever, and so is the key.
side_font = form eq "pdf" ? ",8.2" : tiny_font
key_font = form eq "pdf" ? ",10.2" : small_font

# The key is drawn by hand: its samples are what stands in the cells.
key_at(k, x, y) = sprintf("screen %.5f,%.5f", (key_x[k] + 1. * x) / width, 1 - (10. + key_y[k] * key_row + y) / height)
sample = key_row - 3.
sample_box(k, fill) = sprintf("set object %d rectangle from ", 400 + k).key_at(k, 0, sample / 2)." to ".key_at(k, sample * 1.3, -sample / 2).fill
sample_stroke(k, n, s) = sprintf("set arrow %d from ", 500 + 10 * k + n). \
    key_at(k, sample * 1.3 * (0.5 + real(part(s, 1))), -sample * real(part(s, 2))).sprintf(" rto screen %.5f,%.5f nohead front ", \
    sample * 1.3 * real(part(s, 3)) / width, sample * real(part(s.",", 4)) / height).grey."; "
sample_strokes(k, h, n) = n > words(hatch[h]) ? "" : sample_stroke(k, n, word(hatch[h], n)).sample_strokes(k, h, n + 1)
sample_mark(k, kind) = sprintf("set label %d '' at ", 600 + k).key_at(k, sample * 0.65, 0). \
    (kind eq "best" ? " point pointtype 13 pointsize 1" : kind eq "default" ? " point pointtype 6 pointsize 1.3 linewidth 1.5" : \
    " point pointtype 4 pointsize 0.9 linewidth 1.5").black
sample_of(k, kind) = number_of(kind) > 0 ? \
        sample_box(k, ' fillcolor rgb "#ededed" fillstyle solid noborder').'; '.sample_strokes(k, number_of(kind), 1) : \
    kind eq "blank" ? sample_box(k, ' fillstyle empty border rgb "#b8b8b8" linewidth 0.8') : \
    kind eq "tied" ? sample_box(k, ' fillstyle empty border rgb "#000000" linewidth 1.8') : \
    strlen(kind) > 1 ? sample_mark(k, kind) : \
    sprintf("set label %d '%s' center font tiny_font at ", 600 + k, kind).key_at(k, sample * 0.65, 0)
key_text(k) = sprintf("set label %d curve_title[%d] left noenhanced font key_font at ", 700 + k, k).key_at(k, sample * 1.3 + 5, 0)

blank = '(strcol(6) ne "ok" ? $4 : NaN):5:(0.47):(0.47) with boxxyerror linecolor rgb "#ededed", '
drawing = "plot ".from_data.'(strcol(6) eq "ok" ? $4 : NaN):5:(0.47):(0.47):(shade(minimum($7, most))) '. \
    "with boxxyerror fillcolor palette, "
drawing = drawing.from_data.blank
do for [k=1:5] { drawing = drawing.strokes(k, 1) }
drawing = drawing.'$outline index p-1 every ::1 using 1:2:3:4 with vectors nohead dashtype solid linewidth 1.8 linecolor rgb "#000000", '. \
    open_mark(10, 6, 1.3).open_mark(11, 4, 0.9).best_mark(0, 0.85).best_mark(1, 0.5).'$thesis index p-1 every ::1 using 1:2:3 with labels boxed font tiny_font textcolor rgb "#000000", '

set multiplot
do for [p=1:panels] {
    eval begin(p)
    if (p == 1) {
        eval sprintf("set colorbox user vertical origin screen %.5f,%.5f size screen %.5f,%.5f noborder", \
            1 - 84. * grown / width, (around_bottom + 0.) / height, 13. / width, bar_height / height)
        eval bar_title
    } else {
        unset colorbox
        unset label 98
    }
    eval "set xtics font side_font"
    if (p == 1) {
        do for [k=1:curves] {
            eval sample_of(k, curve_kind[k])
            eval key_text(k)
        }
    }
    eval drawing.'NaN notitle'
    if (p == 1) {
        do for [k=1:curves] {
            unset label 600+k
            unset label 700+k
            unset object 400+k
            do for [n=1:9] { unset arrow 500+10*k+n }
        }
    }
}
unset multiplot
