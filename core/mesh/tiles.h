/* A domain, or a part of one, in tiles: columns times rows of rectangles, numbered from the
 * south-west, row by row. All have the requested size, except for the last ones in the east and in
 * the north. */
#ifndef SHOAL_TILES_H
#define SHOAL_TILES_H

#include "core/mesh/map_area.h"

/* Cells of a tile: at most the requested width and height. */
enum { LEAST_TILE = 4, MOST_TILE = 4096 };

struct tiles {
    int nx, ny, columns, rows; /* columns 0: there are none */
    int w, h;                  /* of the largest */
};

/* Splits nx x ny cells. If there are several tiles, each has at least two cells in x and in y:
 * as many as there are ghosts. */
struct tiles tiles_cut(int nx, int ny, int w, int h);

int tiles_count(const struct tiles *t); /* 0: there are none */

struct window tiles_window(const struct tiles *t, int k);

/* The tile of a cell; of one outside, the tile that has it as a ghost cell. */
int tiles_of_cell(const struct tiles *t, int i, int j);

/* The columns and rows of the tiles that a window overlaps, counted in tiles. */
struct window tiles_under(const struct tiles *t, const struct window *cells);

/* The tile dx columns east and dy rows north of tile k, -1, 0 or 1 each; -1: none. `periodic`: in
 * x, in y. A single column or row is not its own neighbour. */
int tiles_beside(const struct tiles *t, const int periodic[2], int k, int dx, int dy);

/* Consecutive tiles of a row whose states are above `least`, from tile *next on; then *next is the
 * tile after them. False: there are none. */
int tiles_run(const struct tiles *t, const unsigned char *state, int least, int *next,
              struct window *cells);

#endif
