#!/bin/sh
# Draws plots/dam-break.png, the README's picture: computes the flow, cuts it along y = 0, and gives
# three tables to gnuplot. usage: plots/dam-break.sh [OPTION of shoal run...]
set -eu
cd "$(dirname "$0")/.."
command -v ncdump >/dev/null || {
    echo "$0: there is no ncdump; Debian and Ubuntu have it in the package netcdf-bin" >&2
    exit 3
}
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
build/shoal run circular-dam --t-end 1 --output "$data/dam.nc" "$@"

# `name = value, ... ;` becomes the surface behind the cut, the water in the cut, and the water in
# the side x = end: lines of x y z, first along the bed and then along the surface.
ncdump -p 6,9 -v x,y,w "$data/dam.nc" | tr -d ',;}' | awk -v data="$data" -v end=10 '
    function wall(file, px, py) {
        print px, py, 0 > (file "-bed")
        print px, py, z > (file "-top")
    }
    function cell(i, j) {
        if (x[i] < -end || x[i] > end || y[j] < 0 || y[j] > end)
            return
        if (row != j && row != "")
            print "" > (data "/surface")
        row = j
        print x[i], y[j], z > (data "/surface")
        if (y[j - 1] < 0)
            wall(data "/front", x[i], 0)
        if (x[i + 1] > end)
            wall(data "/side", end, y[j])
    }
    BEGIN     { i = j = nx = ny = 0 }
    /^data:/  { begun = 1; next }
    !begun    { next }
              { first = 1 }
    $2 == "=" { name = $1; first = 3 }
    {
        for (k = first; k <= NF; k++) {
            if (name == "x")
                x[nx++] = $k
            else if (name == "y")
                y[ny++] = $k
            else if (name == "w") {
                z = $k
                cell(i, j)
                j += i == nx - 1
                i = (i + 1) % nx
            }
        }
    }'
for part in front side; do
    { cat "$data/$part-bed"; echo; cat "$data/$part-top"; } >"$data/$part"
done
gnuplot -e "data = '$data'" -e "picture = 'plots/dam-break.png'" plots/dam-break.gp
