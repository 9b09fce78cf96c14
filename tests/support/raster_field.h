/* A small field in files of many formats, and the messages about invalid files; include after
 * cmocka.h. */
#ifndef SHOAL_TEST_RASTER_FIELD_H
#define SHOAL_TEST_RASTER_FIELD_H

#include <math.h>
#include <string.h>

#include "core/raster/raster.h"

/* 4 x 3 values of 10 x 20 m from (100, 200): value (i,j) is 1 + i + 10 j, and with `hole` value (1,2) is
 * missing. */
enum { NX = 4, NY = 3, HOLE = 2 * NX + 1 };

static inline void assert_field(const char *what, const struct raster *r, int hole, int corners)
{
    const struct grid_info *g = &r->grid;
    const double x0 = corners ? 105 : 100, y0 = corners ? 210 : 200;
    if (g->nx != NX - corners || g->ny != NY - corners || !(fabs(g->x0 - x0) <= 1e-9) ||
        !(fabs(g->y0 - y0) <= 1e-9) || !(fabs(g->dx - 10) <= 1e-9) || !(fabs(g->dy - 20) <= 1e-9))
        fail_msg("%s: %d x %d cells of %.17g x %.17g from (%.17g, %.17g)", what, g->nx, g->ny,
                 g->dx, g->dy, g->x0, g->y0);
    for (int k = 0; k < NX * NY; k++) {
        const int i = k % NX, j = k / NX;
        const double want = 1 + i + 10.0 * j;
        if (hole && k == HOLE ? !isnan(r->value[k]) : !(fabs(r->value[k] - want) <= 1e-9))
            fail_msg("%s: value %d is %.17g", what, k, r->value[k]);
    }
    assert_int_equal(r->corners, corners);
}

static inline void assert_says(const char *what, enum err e, const char *part)
{
    if (e != ERR_INPUT || !strstr(err_message(), part))
        fail_msg("%s: error %d, and '%s' is not in '%s'", what, e, part, e ? err_message() : "");
}

#endif
