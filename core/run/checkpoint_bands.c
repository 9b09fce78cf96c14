/* An array's cells on the host, a band of rows after the other, so that no field is there as a
 * whole. */
#include <omp.h>
#include <stdlib.h>

#include "core/base/ordered_workers.h"
#include "core/run/checkpoint_parts.h"
#include "core/sim/array.h"

/* Values of a band, or a row. */
enum { BAND = 1 << 20 };

struct bands {
    struct sim *sim;
    const struct array *array;
    struct window all;
    int high; /* rows of each but the last */
    band_work *take;
    void *context;
    char *rows; /* of each place */
};

/* The run waits meanwhile. */
int checkpoint_helpers(void)
{
    enum { MOST = 32 };
    const int others = omp_get_num_procs() - 1;
    return others < MOST ? others : MOST;
}

static size_t row_bytes(const struct bands *b)
{
    return (size_t)b->all.nx * b->sim->real_size;
}

static struct window band(const struct bands *b, size_t piece)
{
    const int j = (int)piece * b->high, left = b->all.ny - j;
    return (struct window){0, j, b->all.nx, left < b->high ? left : b->high};
}

static char *rows_in(const struct bands *b, size_t place)
{
    return b->rows + place * (size_t)b->high * row_bytes(b);
}

static enum err read_band(void *context, size_t piece, size_t place)
{
    const struct bands *b = context;
    const struct window w = band(b, piece);
    return sim_read(b->sim, b->array, &w, rows_in(b, place));
}

static enum err take_band(void *context, size_t piece, size_t place)
{
    const struct bands *b = context;
    const struct window w = band(b, piece);
    return b->take(b->context, rows_in(b, place), (size_t)w.j0 * row_bytes(b),
                   (size_t)w.ny * row_bytes(b));
}

enum err checkpoint_by_bands(struct sim *s, const struct array *a, band_work *take, void *context)
{
    struct bands b = {.sim = s, .array = a, .all = sim_domain(s), .take = take, .context = context};
    const int rows = BAND / b.all.nx + 1;
    b.high = rows < b.all.ny ? rows : b.all.ny;
    const int pieces = (b.all.ny + b.high - 1) / b.high;
    const int helpers = sim_read_is_shared(s) ? checkpoint_helpers() : 0;
    const struct ordered_job job = {(size_t)pieces, read_band, take_band, &b,
                                    helpers < pieces ? helpers : pieces - 1};
    b.rows = malloc(ordered_workers_places(job.helpers) * (size_t)b.high * row_bytes(&b));
    if (!b.rows)
        FAIL(MEMORY, "no memory for rows of '%s'", a->name);
    const enum err e = ordered_workers_do(&job);
    free(b.rows);
    return e;
}
