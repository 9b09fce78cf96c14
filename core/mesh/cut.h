/* A domain cut into parts: columns times rows of rectangles, numbered from the south-west, row by row. */
#ifndef SHOAL_CUT_H
#define SHOAL_CUT_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/map_area.h"

/* Along an axis, and in all. */
enum { MOST_CUTS = 64, MOST_PARTS = 256 };

/* The parts that a user asks for: how many along x and along y, and how large they are beside each other. */
struct shares {
    int count[2], share[2][MOST_CUTS];
};

/* Reads "4" (rows), "1:2:1" (rows by their shares) or "2x3" (columns and rows, each a number or shares).
 * Fails with ERR_USAGE. */
enum err shares_read(const char *text, struct shares *s);

/* So many rows of the same height; at most MOST_CUTS. */
struct shares shares_rows(int n);

/* Writes them as shares_read reads them. */
void shares_print(const struct shares *s, char *text, size_t n);

/* How many parts that are. */
int shares_parts(const struct shares *s);

/* The same of a domain whose x and y have changed places. */
struct shares shares_turned(const struct shares *s);

/* Column k has the cells x[k]..x[k + 1] - 1 along x; the same with rows. */
struct partition {
    int columns, rows;
    int x[MOST_CUTS + 1], y[MOST_CUTS + 1];
};

/* Cuts nx x ny cells; each part has `least` cells or more along an axis that is cut. Fails with ERR_USAGE,
 * and says how many parts would do, where that cannot be. */
enum err cut_domain(const struct shares *s, int nx, int ny, int least, struct partition *c);

/* Part number k. */
struct window cut_part(const struct partition *c, int k);

/* The cells that two windows have in common, none of them where there are none. */
struct window window_overlap(const struct window *a, const struct window *b);

#endif
