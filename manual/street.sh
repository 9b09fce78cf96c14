#!/bin/sh
# street.asc: a street of 60 m that falls by 1 % to the east, between two rows of houses; 120 x 40 cells of 0.5 m. The
# crown is 12 cm above the gutters, the pavements 15 cm. soil.asc: mm/h that the ground takes, 0 but in the gardens.
for name in street soil; do
    awk -v name=$name 'BEGIN {
        print "ncols 120\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 0.5"
        for (j = 39; j >= 0; j--) for (i = 0; i < 120; i++) {
            x = (i + 0.5) / 2; y = (j + 0.5) / 2; off = y > 10 ? y - 10 : 10 - y
            house = off > 6 && off < 9.5 && x % 15 > 3; garden = off > 6 && !house
            z = 100 - 0.01 * x + (off < 4 ? 0.12 * (1 - off / 4) : 0.15) + (house ? 4 : 0)
            print name == "soil" ? (garden ? 20 : 0) : z
        } }' >$name.asc
done
