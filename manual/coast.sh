#!/bin/sh
# coast.asc: a bay of 2400 x 1200 m behind a headland, 8 m deep in the west, with a beach in the east; 120 x 60 cells of 20 m.
# swell.txt: three waves of 1 m that follow each other by 60 s, t in s and m above still water.
awk 'BEGIN {
    print "ncols 120\nnrows 60\nxllcorner 0\nyllcorner 0\ncellsize 20"
    for (j = 59; j >= 0; j--) for (i = 0; i < 120; i++) {
        x = 20 * i + 10; y = 20 * j + 10
        z = x < 800 ? -8 : -8 + 0.008 * (x - 800)
        cape = 12 - sqrt((x - 1300) ^ 2 + (y - 1200) ^ 2) / 30
        print (cape > z ? cape : z)
    } }' >coast.asc
awk 'BEGIN { for (t = 0; t <= 600; t += 2) { e = 0
    for (n = 1; n <= 3; n++) { s = (t - 60 * n) / 14; c = (exp(s) + exp(-s)) / 2; e += 1 / (c * c) }
    print t, e } }' >swell.txt
