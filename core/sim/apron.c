/* Neighbours' cells that a part computes as well, so that it need not exchange in every step. */
#include "core/sim/apron.h"

#include <stdlib.h>

#include "core/base/log.h"
#include "core/sim/parts.h"
#include "kernels/fused.h"
#include "kernels/volume.h"

struct apron {
    int pass;  /* next one of the cycle */
    int fills; /* of ghost cells, since the last exchange began */
    int wide;  /* cells of a strip that the current substep computes */
    /* On the device: what strips compute and nobody reads. */
    counter *counters, *clipped;
    bits *speeds;
    struct ahead *ahead; /* a copy, with counters of its own */
};

static const char *why_not(const struct sim *s)
{
    return s->added[RAIN_KERNEL]      ? "--rain falls behind each step"
           : s->added[SOIL_KERNEL]    ? "soil drinks behind each step"
           : s->added[SPRINGS_KERNEL] ? "sources spring up behind each step"
           : s->config->tile.w        ? "tiles have no cells of other parts"
           : s->config->early_exit == EARLY_EXIT_ON
               ? "early exit knows no blocks beyond a part's own cells"
               : NULL;
}

enum err apron_choose(const struct sim *whole, struct expansion *e)
{
    const int steps = whole->config->ghost_steps;
    const struct scheme *const scheme = whole->scheme;
    *e = (struct expansion){0, 0};
    if (steps < 1)
        return ERR_OK;
    if (scheme->fills < 1)
        FAIL(USAGE,
             "--ghost-steps %d: scheme %s does not declare how often a pass fills ghost cells "
             "(.fills, see schemes/README.md): choose --ghost-steps substep",
             steps, scheme->name);
    const char *const why = why_not(whole);
    if (why)
        FAIL(USAGE, "--ghost-steps %d: %s: leave that out, or choose --ghost-steps substep", steps,
             why);
    e->passes = (steps + scheme->steps - 1) / scheme->steps;
    e->cells = GHOSTS * (e->passes * scheme->fills - 1);
    return ERR_OK;
}

/* The strips have at most as many blocks of a kernel as all stored cells. */
static size_t most_speeds(const struct sim *s)
{
    const struct window all = sim_stored(s);
    struct sim as_large = *s;
    long n = 0, most = 0;
    as_large.grid.nx = all.nx;
    as_large.grid.ny = all.ny;
    for (int k = 0; s->scheme->kernels[k]; k++)
        for (int v = 0; v < VIEWS; v++) {
            const long blocks = sim_most_blocks(&as_large, &s->kernels[k], (enum view)v);
            n = s->speed_offset[k];
            most = n + blocks > most ? n + blocks : most;
        }
    return (size_t)most;
}

enum err apron_create(struct sim *s)
{
    const size_t counters = (COUNTERS + VOLUME_COUNTERS) * sizeof(counter);
    void *p;
    if (!s->whole || s->whole->parts->cycle == 0)
        return ERR_OK;
    struct apron *a = s->apron = calloc(1, sizeof *a);
    if (!a)
        FAIL(MEMORY, "no memory for the cells that a part computes once more");
    TRY(sim_room(s, "apron_counters", counters + 2 * sizeof(counter), &p));
    a->counters = p;
    a->clipped = (counter *)p + counters / sizeof(counter);
    TRY(sim_room(s, "apron_speeds", most_speeds(s) * s->real_size, &p));
    a->speeds = p;
    if (!s->ahead)
        return ERR_OK;
    TRY(sim_room(s, "apron_ahead", sizeof *a->ahead, &p));
    a->ahead = p;
    return ERR_OK;
}

void apron_destroy(struct sim *s)
{
    free(s->apron);
    s->apron = NULL;
}

void apron_begin(struct sim *s)
{
    if (s->apron)
        s->apron->pass = 0;
}

void apron_pass(struct sim *s)
{
    struct apron *a = s->apron;
    if (!a)
        return;
    if (a->pass == 0)
        a->fills = 0;
    a->pass = (a->pass + 1) % s->whole->parts->cycle;
}

int apron_stores(const struct sim *s)
{
    return s->whole && s->whole->parts->beyond > 0;
}

int apron_phase(const struct sim *s)
{
    return s->apron ? s->apron->pass : 0;
}

int apron_cycle(const struct sim *s)
{
    const struct parts *const p = s->parts ? s->parts : s->whole ? s->whole->parts : NULL;
    return p && p->cycle > 0 ? p->cycle : 1;
}

enum err apron_next(struct sim *s, int *exchanges)
{
    struct apron *a = s->apron;
    *exchanges = 1;
    if (!a)
        return ERR_OK;
    const struct parts *const p = s->whole->parts;
    const int wide = p->beyond - GHOSTS * a->fills;
    *exchanges = a->fills == 0;
    a->wide = wide > 0 ? wide : 0;
    if (a->fills++ == p->cycle * s->scheme->fills)
        FAIL(KERNEL,
             "scheme %s fills ghost cells more often than the %d times in a pass that its .fills "
             "tells: the cells beyond a part's own do not last that long",
             s->scheme->name, s->scheme->fills);
    return ERR_OK;
}

/* Cells beyond one side; the strips in the south and north include the corners. */
struct strip {
    enum edge side;
    struct window cells;
};

static int list_strips(const struct sim *s, int wide, struct strip list[EDGES])
{
    const int nx = s->grid.nx, ny = s->grid.ny;
    const int west = s->beyond[WEST] ? wide : 0, east = s->beyond[EAST] ? wide : 0;
    const struct window of[EDGES] = {[WEST] = {-wide, 0, wide, ny},
                                     [EAST] = {nx, 0, wide, ny},
                                     [SOUTH] = {-west, -wide, west + nx + east, wide},
                                     [NORTH] = {-west, ny, west + nx + east, wide}};
    int n = 0;
    for (int e = 0; e < EDGES && wide > 0; e++)
        if (s->beyond[e])
            list[n++] = (struct strip){(enum edge)e, of[e]};
    return n;
}

/* The members of a sim that differ for a strip. */
struct kept {
    int nx, ny, from_i, from_j;
    enum boundary boundary[EDGES];
    const unsigned short *segment[EDGES];
    struct ground ground;
    real *roughness, *rim, *tracer_rim;
    counter *counters, *clipped;
    bits *speeds;
    struct ahead *ahead;
};

static struct kept keep(const struct sim *s)
{
    struct kept k = {
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .from_i = s->from_i,
        .from_j = s->from_j,
        .ground = s->ground,
        .roughness = s->roughness,
        .rim = s->rim,
        .tracer_rim = s->tracer.rim,
        .counters = s->counters,
        .clipped = s->tracer.clipped,
        .speeds = s->block_speed,
        .ahead = s->ahead,
    };
    for (int e = 0; e < EDGES; e++) {
        k.boundary[e] = s->boundary[e];
        k.segment[e] = s->edges.segment[e];
    }
    return k;
}

static void put_back(struct sim *s, const struct kept *k)
{
    s->grid.nx = k->nx;
    s->grid.ny = k->ny;
    s->from_i = k->from_i;
    s->from_j = k->from_j;
    s->ground = k->ground;
    s->roughness = k->roughness;
    s->rim = k->rim;
    s->tracer.rim = k->tracer_rim;
    s->counters = k->counters;
    s->tracer.clipped = k->clipped;
    s->block_speed = k->speeds;
    s->ahead = k->ahead;
    for (int e = 0; e < EDGES; e++) {
        s->boundary[e] = k->boundary[e];
        s->edges.segment[e] = k->segment[e];
    }
}

/* The address of a cell in the plain view, from that of the first cell. */
static void *moved(const struct sim *s, const real *first, const struct window *to)
{
    const long cells = to->j0 * s->pitch[PLAIN] + to->i0;
    return first ? (char *)(size_t)first + cells * (long)s->real_size : NULL;
}

/* A strip's inner side borders on the sim's own cells: a neighbour, as on its outer side. */
static void take_edges(struct sim *s, const struct strip *t)
{
    static const enum edge opposite[EDGES] = {EAST, WEST, NORTH, SOUTH};
    const enum edge inner = opposite[t->side];
    s->boundary[inner] = NEIGHBOUR;
    s->edges.segment[inner] = s->edges.segment[t->side];
    for (int e = 0; e < EDGES; e++)
        if (s->edges.segment[e])
            s->edges.segment[e] += e <= EAST ? t->cells.j0 : t->cells.i0;
}

static void become(struct sim *s, const struct strip *t)
{
    const struct apron *const a = s->apron;
    const struct window *const cells = &t->cells;
    s->ground.corner = moved(s, s->ground.corner, cells);
    s->ground.centre = moved(s, s->ground.centre, cells);
    s->roughness = moved(s, s->roughness, cells);
    s->grid.nx = cells->nx;
    s->grid.ny = cells->ny;
    s->from_i = cells->i0;
    s->from_j = cells->j0;
    s->rim = s->tracer.rim = NULL;
    s->counters = a->counters;
    s->tracer.clipped = s->tracer.clipped ? a->clipped : NULL;
    s->block_speed = a->speeds;
    s->ahead = a->ahead;
    take_edges(s, t);
}

/* All strips use the same dither as the sim's own cells (kernels/num/update.h). */
static enum err on_each(struct sim *s, int wide, cells_work *work, const void *how,
                        unsigned updates)
{
    struct strip strip[EDGES];
    const int n = list_strips(s, wide, strip);
    const unsigned now = s->updates;
    enum err e = ERR_OK;
    for (int k = 0; k < n && !e; k++) {
        const struct kept own = keep(s);
        s->updates = updates;
        become(s, &strip[k]);
        e = work(s, how);
        put_back(s, &own);
    }
    s->updates = now;
    return e;
}

enum err on_read_strips(struct sim *s, cells_work *work, const void *how)
{
    return s->apron ? on_each(s, s->apron->wide + GHOSTS, work, how, s->updates) : ERR_OK;
}

/* Strips take the tentative time step, too. */
enum err on_all_cells(struct sim *s, cells_work *work, const void *how)
{
    const unsigned updates = s->updates;
    TRY(work(s, how));
    if (!s->apron || s->apron->wide == 0)
        return ERR_OK;
    if (s->ahead)
        TRY(s->backend->copy(s->device, s->apron->ahead, s->ahead, sizeof *s->ahead));
    return on_each(s, s->apron->wide, work, how, updates);
}
