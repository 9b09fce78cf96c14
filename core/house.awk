# Draws which room includes which, from what core/rooms.awk has read: a room stands above all that it includes.
# Arrows that follow from others are grey; base, which all may use, has none.
#
# usage: awk -v form=text|dot|gnuplot -f core/rooms.awk -f core/house.awk core/rooms FILE...

# Rooms stand in the table below all that they use, so one pass in its order is enough.
function measure(    k, m, from, to) {
    for (k = 1; k <= count; k++) {
        from = rooms[k]
        level[from] = from == "base" ? 0 : 1
        for (m = 1; m < k; m++) {
            to = rooms[m]
            if (!((from, to) in uses))
                continue
            if (level[to] >= level[from])
                level[from] = level[to] + 1
            for (to in level)
                if ((rooms[m], to) in reaches)
                    implied[from, to] = reaches[from, to] = 1
            reaches[from, rooms[m]] = 1
        }
        top = level[from] > top ? level[from] : top
    }
}

function arrow(form, from, to,    plain) {
    plain = !((from, to) in implied)
    if (form == "dot")
        printf "  \"%s\" -> \"%s\" [color=%s]\n", from, to, plain ? "black" : "grey80"
    else
        printf "set arrow from %g,%g to %g,%g %s back\n", x[from], level[from] - 0.16, x[to], level[to] + 0.16,
               plain ? "lw 1.2 lc rgb '#333333'" : "lw 0.5 lc rgb '#cccccc'"
}

# Grey ones first: the others are drawn over them.
function arrows(form,    grey, k, m) {
    for (grey = 1; grey >= 0; grey--)
        for (k = 1; k <= count; k++)
            for (m = 2; m < k; m++)
                if (((rooms[k], rooms[m]) in uses) && ((rooms[k], rooms[m]) in implied) == grey)
                    arrow(form, rooms[k], rooms[m])
}

function as_text(    l, k, m, line) {
    for (l = top; l >= 0; l--)
        for (k = 1; k <= count; k++) {
            if (level[rooms[k]] != l)
                continue
            line = ""
            for (m = 1; m < k; m++)
                if ((rooms[k], rooms[m]) in uses)
                    line = line " " rooms[m] " " uses[rooms[k], rooms[m]]
            printf "%2d  %-13s%s\n", l, rooms[k], line
        }
}

function as_dot(    l, k) {
    print "digraph house {\n  node [shape=box fontname=\"sans-serif\"]"
    for (l = 0; l <= top; l++) {
        printf "  { rank=same"
        for (k = 1; k <= count; k++)
            if (level[rooms[k]] == l)
                printf "; \"%s\"", rooms[k]
        print " }"
    }
    arrows("dot")
    print "}"
}

# Rooms with as many levels below them stand side by side; levels are set off from each other, so that arrows
# pass between rooms.
function as_gnuplot(    l, k, n, at) {
    print "set terminal svg size 900,1000 font 'sans-serif,14'\nunset border; unset tics; unset key"
    printf "set xrange [0:1]; set yrange [-0.5:%g]\n", top + 0.5
    for (l = 0; l <= top; l++) {
        n = at = 0
        for (k = 1; k <= count; k++)
            n += level[rooms[k]] == l
        for (k = 1; k <= count; k++)
            if (level[rooms[k]] == l) {
                x[rooms[k]] = (++at - 0.5) / n + (n == 1 ? 0.12 : 0.05) * (l % 3 - 1)
                printf "set object rect center %g,%d size 0.15,0.32 front fs solid fc rgb '#eef3fa'\n", x[rooms[k]], l
                printf "set label '%s' at %g,%d center front\n", rooms[k], x[rooms[k]], l
            }
    }
    arrows("gnuplot")
    print "plot NaN notitle"
}

END {
    measure()
    if (form == "dot")
        as_dot()
    else if (form == "gnuplot")
        as_gnuplot()
    else
        as_text()
}
