/* Full and sparse domains: their speed and storage, also with a given wet share of the domain; how long they
 * take to start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/monotonic_time.h"
#include "core/base/reals.h"
#include "core/mesh/grid.h"
#include "core/problem/initial_state.h"
#include "core/sim/active_tiles.h"
#include "core/sim/sparse.h"
#include "experiments/measure/measure_parts.h"

enum { WARM_UP = 4, MOST_SHARES = 64 }; /* WARM_UP: steps before the timing */

/* What a point lists. */
struct wet_shares {
    char wet[MOST_SHARES][EXPERIMENT_WORD + 1];
    int count;
};

static const struct option options[] = {{.name = "wet"}, {.name = NULL}};

/* The largest radius of water that the case has, m. */
static const double RADIUS = 100;

/* A rotating disc of water, 1 m deep: it moves everywhere. */
static struct flow turning(double x, double y)
{
    return hypot(x, y) < RADIUS ? (struct flow){1, -2 * y / RADIUS, 2 * x / RADIUS}
                                : (struct flow){0};
}

/* The share of a square of half side `half` that the disc covers. */
static double covered(double half)
{
    enum { STRIPS = 4000 };
    double sum = 0;
    for (int k = 0; k < STRIPS; k++) {
        const double x = (k + 0.5) / STRIPS * half;
        sum += x < RADIUS ? fmin(half, sqrt(RADIUS * RADIUS - x * x)) : 0;
    }
    return sum / STRIPS / half;
}

/* A square between walls with this share covered by the disc: tiles at other kinds of edges are
 * always stored. */
static struct flow_case disc(const struct flow_case *like, double share)
{
    double less = RADIUS / 2, more = 100 * RADIUS;
    for (int k = 0; k < 60; k++) {
        const double half = 0.5 * (less + more);
        *(covered(half) > share ? &less : &more) = half;
    }
    struct flow_case own = *like;
    own.bed = flat_bed;
    own.initial = turning;
    own.wet.west = own.wet.south = -RADIUS;
    own.wet.east = own.wet.north = RADIUS;
    own.lx = own.ly = 2 * less;
    own.x0 = own.y0 = -less;
    for (int e = 0; e < EDGES; e++)
        own.boundary[e] = WALL;
    own.kappa = 0.001;
    own.kappa_scales = 0;
    return own;
}

/* When the timing begins. */
struct warmed_up {
    struct counted_before steps;
    double starting,
        making; /* s that it took until the first step could begin; that making tiles has taken */
};

static enum err step(const struct measure *m, struct sim *s, struct warmed_up *before)
{
    struct measure_common common;
    struct sparse_report r;
    TRY(measure_options(m->experiment, m->setup.backend, measure_common, &common));
    TRY(sim_step_many(s, WARM_UP));
    TRY(sparse_tell(s, &r));
    before->steps = (struct counted_before){s->now.steps, s->now.redone, s->now.early_exits};
    before->making = r.seconds;
    s->wall = 0;
    return common.steps ? sim_step_many(s, common.steps) : sim_run(s, (double)INFINITY, NULL);
}

static double bytes_of(const struct sim *s)
{
    double bytes = 0;
    for (int k = 0; k < s->array_count; k++)
        bytes += (double)s->array[k].bytes;
    return bytes;
}

/* How many of the window's cells are wet. */
static double wet_cells(const struct sim *s, const struct window *w, const void *level)
{
    double wet = 0;
#pragma omp parallel for schedule(static) reduction(+ : wet)
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++)
            wet += reals_get(level, s->real_size, (size_t)j * (size_t)w->nx + (size_t)i) -
                       initial_floor(s->initial, w->i0 + i, w->j0 + j) >
                   s->initial->dry;
    return wet;
}

static int is_known_dry(const struct sim *s, int tile)
{
    const struct window w = tiles_window(&s->tiles, tile);
    return s->forest->slot[tile] < 0 &&
           (s->forest->state[tile] == TILE_DRY || initial_is_dry(s->initial, &w));
}

/* Leaves out a sparse domain's tiles without water at both ends of a row of them. */
static struct window narrowed(const struct sim *s, struct window w)
{
    int first = 0, last = s->tiles.columns;
    const int row = s->forest ? w.j0 / s->tiles.h * s->tiles.columns : 0;
    while (s->forest && first < last && is_known_dry(s, row + first))
        first++;
    while (s->forest && first < last && is_known_dry(s, row + last - 1))
        last--;
    if (!s->forest)
        return w;
    w.i0 = first * s->tiles.w;
    w.nx = (last * s->tiles.w < s->grid.nx ? last * s->tiles.w : s->grid.nx) - w.i0;
    return first < last ? w : (struct window){0};
}

/* Reads by rows of tiles. */
static enum err share_wet(struct sim *s, double *share)
{
    enum { USUAL_ROWS = 64 };
    const int most = s->tiles.rows ? s->tiles.h : USUAL_ROWS;
    double wet = 0;
    char *band = malloc((size_t)most * (size_t)s->grid.nx * s->real_size);
    enum err e = band ? ERR_OK : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for rows");
    for (int j = 0; j < s->grid.ny && !e; j += most) {
        const int rows = j + most < s->grid.ny ? most : s->grid.ny - j;
        const struct window w = narrowed(s, (struct window){0, j, s->grid.nx, rows});
        e = w.nx ? sim_read(s, sim_unknown(s, 0), &w, band) : ERR_OK;
        wet += e ? 0 : wet_cells(s, &w, band);
    }
    free(band);
    *share = wet / sim_cells(s);
    return e;
}

/* The computed share of the full domain's updates (with early exit in tiles: in the last step),
 * and the largest number of stored tiles; NAN: unknown. */
static enum err count_tiles(struct sim *s, const struct sparse_report *r, double *share,
                            double *tiles)
{
    const int all = tiles_count(&s->tiles);
    int active;
    *share = s->forest || s->config->early_exit == EARLY_EXIT_OFF ? r->share : (double)NAN;
    *tiles = s->forest ? r->tiles_most : all ? all : (double)NAN;
    if (s->forest || !s->mapped)
        return ERR_OK;
    TRY(active_tiles_count(s, &active));
    *share = (double)active / all;
    return ERR_OK;
}

static enum err enter(const struct measure *m, const struct point *p, struct opened *o,
                      const char *nominal, const struct warmed_up *before)
{
    struct cells c = {.used = 0};
    struct sparse_report r;
    double wet, share, tiles;
    const double host = memory_most();
    TRY(sparse_tell(o->sim, &r));
    TRY(share_wet(o->sim, &wet));
    TRY(count_tiles(o->sim, &r, &share, &tiles));
    cells_run(&c, o->sim, &before->steps);
    cells_number(&c, "%.6f", wet);
    cells_number(&c, "%.6f", share);
    cells_number(&c, "%.0f", tiles);
    cells_number(&c, "%.0f", bytes_of(o->sim));
    cells_number(&c, "%.6f", r.seconds - before->making);
    if (m->kind == &kind_tiles_start) {
        cells_number(&c, "%.3f", before->starting);
        cells_number(&c, "%.0f", host);
    }
    return measure_enter(m, p, o->ny, nominal, &c);
}

/* Also returns the number of rows of cells. */
static enum err run_one(struct measure *m, const struct point *p, const char *nominal, int *ny)
{
    struct opened o;
    struct warmed_up before;
    struct point own = *p;
    const double share = 0.01 * strtod(nominal, NULL);
    if (*nominal != '-') {
        own.own = disc(p->flow_case, share);
        own.flow_case = &own.own;
    }
    memory_most_anew();
    const double began = seconds();
    enum err e = measure_open(m, &own, &o);
    before.starting = seconds() - began;
    if (!e)
        e = step(m, o.sim, &before);
    if (!e)
        e = enter(m, p, &o, nominal, &before);
    *ny = o.ny;
    measure_close(&o);
    return e;
}

static enum err check_share(const struct measure *m, const char *value, const char *word)
{
    char *end;
    const double share = strtod(word, &end);
    if (strcmp(word, "-") == 0 || (!*end && share > 0 && share <= 100))
        return ERR_OK;
    return experiment_fault(m->experiment, value,
                            "'%s' is no share in per cent, above 0 and at most 100", word);
}

static enum err prepare(struct measure *m, const struct point *p)
{
    (void)p;
    const char *value =
        experiment_variant(m->experiment, m->wanted, "wet", backends[m->setup.backend]->name);
    struct wet_shares *r = m->state ? m->state : calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for the runs of a point");
    m->state = r;
    r->count = experiment_words(m->experiment, value ? value : "-", r->wet, MOST_SHARES);
    for (int k = 0; k < r->count; k++)
        TRY(check_share(m, value, r->wet[k]));
    return r->count < 0 ? err_last() : ERR_OK;
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    const struct wet_shares *r = m->state;
    for (int k = 0; k < r->count; k++)
        TRY(run_one(m, p, r->wet[k], &o->ny));
    return ERR_OK;
}

static void end(struct measure *m)
{
    free(m->state);
    m->state = NULL;
}

#define TILES_COLUMNS MEASURE_RUN "\twet\tshare\ttiles\tdevice_b\tmaking_s"
#define TILES_HOW                                                                                 \
    "whole runs, less four steps; mcells_per_s: cells of the full domain, whatever is computed; " \
    "wet: share of cells at the end; share: of the full domain's updates that were made, of "     \
    "early exit in tiles in the last step; tiles: stored at most; device_b: of all arrays; "      \
    "making_s: what making tiles took of the time; wet_percent: instead of the case a disc of "   \
    "turning water on so much of a square between walls"

const struct measure_kind kind_tiles = {
    .name = "tiles",
    .title = "full and sparse domains: speed, memory",
    .options = options,
    .row_columns = "wet_percent",
    .columns = TILES_COLUMNS,
    .how = TILES_HOW,
    .prepare = prepare,
    .run = run,
    .end = end,
    .bare = 1,
};

const struct measure_kind kind_tiles_start = {
    .name = "tiles-start",
    .title = "the same, with the time and the main memory that starting takes",
    .options = options,
    .row_columns = "wet_percent",
    .columns = TILES_COLUMNS "\tstart_s\thost_b",
    .how = TILES_HOW "; start_s: until the first step could begin, with kernels compiled unless "
                     "cached; host_b: the most main memory of the process since it began, on a CPU "
                     "with the arrays",
    .prepare = prepare,
    .run = run,
    .end = end,
    .bare = 1,
};
