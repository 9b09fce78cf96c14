/* A domain split into parts: columns times rows of rectangles, numbered from the south-west, row by
 * row. */
#ifndef SHOAL_CUT_H
#define SHOAL_CUT_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/map_area.h"

/* Limits along an axis, and in total. */
enum { MOST_CUTS = 64, MOST_PARTS = 256 };

/* The requested parts: how many along x and along y, and their relative sizes. Counts of 0: none are
 * requested, so there is one for each device. */
struct shares {
    int count[2], share[2][MOST_CUTS];
};

/* Reads "4" (rows), "1:2:1" (rows by their shares) or "2x3" (columns and rows, each a number or shares).
 * Fails with ERR_USAGE. */
enum err shares_read(const char *text, struct shares *s);

/* This many rows of equal height; at most MOST_CUTS. */
struct shares shares_rows(int n);

/* Writes them in the syntax of shares_read. */
void shares_print(const struct shares *s, char *text, size_t n);

/* The number of parts; 0: none are requested. */
int shares_parts(const struct shares *s);

/* The same for a domain with x and y exchanged. */
struct shares shares_turned(const struct shares *s);

/* Column k has the cells x[k]..x[k + 1] - 1 along x; rows likewise. */
struct partition {
    int columns, rows;
    int x[MOST_CUTS + 1], y[MOST_CUTS + 1];
};

/* Splits nx x ny cells; each part has `least` cells or more along a split axis. If that is
 * impossible, fails with ERR_USAGE and says how many parts are possible. */
enum err cut_domain(const struct shares *s, int nx, int ny, int least, struct partition *c);

/* Part number k. */
struct window cut_part(const struct partition *c, int k);

/* The cells common to two windows; empty if there are none. */
struct window window_overlap(const struct window *a, const struct window *b);

#endif
