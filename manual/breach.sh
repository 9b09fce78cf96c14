#!/bin/sh
# breach.asc: a valley that falls by 1 % to the east, and across it at x = 800 m a dam of 12 m with a breach 60 m wide, down to
# the ground; 160 x 60 cells of 20 m.
awk 'BEGIN {
    print "ncols 160\nnrows 60\nxllcorner 0\nyllcorner 0\ncellsize 20"
    for (j = 59; j >= 0; j--) for (i = 0; i < 160; i++) {
        z = 60 - 0.2 * i + 0.03 * (j - 29.5) ^ 2
        print (i >= 39 && i <= 40 && (j < 28 || j > 30) && z < 64 ? 64 : z)
    } }' >breach.asc
