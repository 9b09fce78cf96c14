/* Where wet and dry cells meet. */
#include "core/problem/shoreline.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/sorted.h"

struct rises {
    const struct source *source;
    double *value; /* NULL without memory */
    size_t n, room;
};

static int is_wet(const struct initial *in, int i, int j)
{
    return initial_depth(in, i, j) > 0; /* settled: a dry cell has none */
}

static int is_wall(const struct source *s, int i, int j)
{
    return s->wall && s->wall(s->context, i, j);
}

/* Adds the rise between two neighbours if the shore runs between them. */
static void add_rise(const struct initial *in, int i, int j, int i2, int j2, struct rises *r)
{
    if (!r->value || i2 >= in->nx || j2 >= in->ny || is_wet(in, i, j) == is_wet(in, i2, j2) ||
        is_wall(r->source, i, j) || is_wall(r->source, i2, j2))
        return;
    if (r->n == r->room) {
        double *more = realloc(r->value, (r->room *= 2) * sizeof *more);
        if (!more)
            free(r->value);
        r->value = more;
    }
    if (r->value)
        r->value[r->n++] = fabs(initial_centre(in, i2, j2) - initial_centre(in, i, j));
}

double shoreline_rise(const struct initial *in, const struct source *source)
{
    struct rises r = {.source = source, .room = 1024};
    double median = 0;
    r.value = malloc(r.room * sizeof *r.value);
    for (int j = 0; r.value && j < in->ny; j++) {
        for (int i = 0; r.value && i < in->nx; i++) {
            add_rise(in, i, j, i + 1, j, &r);
            add_rise(in, i, j, i, j + 1, &r);
        }
    }
    if (!r.value)
        return -1;
    if (r.n) {
        median = sorted_median(r.value, r.n);
    }
    free(r.value);
    return median;
}
