/* Full and sparse domains: their speed and storage, also with a given wet share of the domain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mesh/grid.h"
#include "core/base/reals.h"
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

static double level_ground(double x, double y)
{
    (void)x, (void)y;
    return 0;
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
    own.bed = level_ground;
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
    double making; /* s that making tiles has taken */
};

static enum err step(const struct measure *m, struct sim *s, struct warmed_up *before)
{
    struct measure_common common;
    struct sparse_report r;
    TRY(measure_options(m->experiment, m->setup.backend, measure_common, &common));
    TRY(sim_step_many(s, WARM_UP));
    TRY(sparse_tell(s, &r));
    *before = (struct warmed_up){{s->now.steps, s->now.redone, s->now.early_exits}, r.seconds};
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

/* How many of these cells, in rows from j0 on, are wet. */
static double wet_cells(const struct sim *s, int j0, int rows, const void *level)
{
    double wet = 0;
#pragma omp parallel for schedule(static) reduction(+ : wet)
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < s->grid.nx; i++)
            wet += reals_get(level, s->real_size, (size_t)j * (size_t)s->grid.nx + (size_t)i) -
                       initial_floor(s->initial, i, j0 + j) >
                   s->initial->dry;
    return wet;
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
        const struct window w = {0, j, s->grid.nx, rows};
        e = sim_read(s, sim_unknown(s, 0), &w, band);
        wet += e ? 0 : wet_cells(s, j, rows, band);
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
    TRY(sparse_tell(o->sim, &r));
    TRY(share_wet(o->sim, &wet));
    TRY(count_tiles(o->sim, &r, &share, &tiles));
    cells_run(&c, o->sim, &before->steps);
    cells_number(&c, "%.4f", wet);
    cells_number(&c, "%.4f", share);
    cells_number(&c, "%.0f", tiles);
    cells_number(&c, "%.0f", bytes_of(o->sim));
    cells_number(&c, "%.6f", r.seconds - before->making);
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
    enum err e = measure_open(m, &own, &o);
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

const struct measure_kind kind_tiles = {
    .name = "tiles",
    .title = "full and sparse domains: speed, memory",
    .options = options,
    .row_columns = "wet_percent",
    .columns = MEASURE_RUN "\twet\tshare\ttiles\tdevice_b\tmaking_s",
    .how =
        "whole runs, less four steps; mcells_per_s: cells of the full domain, whatever is "
        "computed; wet: share of cells at the end; share: of the full domain's updates that were "
        "made, of early exit in tiles in the last step; tiles: stored at most; device_b: of all "
        "arrays; making_s: what making tiles took of the time; wet_percent: instead of the case a "
        "disc of turning water on so much of a square between walls",
    .prepare = prepare,
    .run = run,
    .end = end,
    .bare = 1,
};
