#!/bin/sh
# Two ESRI ASCII grids: valley.asc, the ground, and lake.asc, the level of the water behind a dam at x = 800 m.
for name in valley lake; do
    awk -v name=$name 'BEGIN {
        print "ncols 160\nnrows 60\nxllcorner 0\nyllcorner 0\ncellsize 20"
        for (j = 59; j >= 0; j--) for (i = 0; i < 160; i++)
            print name == "lake" ? (i < 40 ? 62 : 0) : 60 - 0.3 * i + 0.03 * (j - 29.5) ^ 2 }' >$name.asc
done
