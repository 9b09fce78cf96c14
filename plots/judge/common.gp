# What the figures of `shoal judge` share besides plots/style.gp, which comes before it.
#
# Before both a figure's script says (verification/judge/pictures.c):
#   home, number               the installation; of the figure on its page
#   entries, name[1..entries]  all that is compared; own and standard are its numbers among them: what
#                              is judged (the default, where that is a case), and the default
# Line style 200 + e is an entry's in all figures of a page: thick for the one that is judged, black and
# dashed for the default, thin for the others.
do for [e=1:entries] {
    other = e - (own < e ? 1 : 0) - (standard < e && standard != own ? 1 : 0)
    hue = 2 + (other - 1) % 6
    if (e == own) {
        set style line 200+e linecolor rgb colour[1] linewidth 2.6 dashtype solid pointtype 7 pointsize 0.7
    } else { if (e == standard) {
        set style line 200+e linecolor rgb "#000000" linewidth 1.6 dashtype (6,3) pointtype 5 pointsize 0.5
    } else {
        set style line 200+e linecolor rgb colour[hue] linewidth 1.1 pointtype mark[hue] pointsize 0.5
        if (other > 6) { set style line 200+e dashtype (3,2) }
    } }
}
# Names have underscores.
above(text) = heading(text)." noenhanced"
time_text(t) = sprintf("%.4g s", t)
