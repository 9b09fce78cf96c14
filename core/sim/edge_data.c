/* The edges' data for kernels, on the device. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/knots.h"
#include "core/sim/sim.h"

/* A single allocation holds everything, here and on the device, in order of decreasing alignment. */
struct pieces {
    struct knot *knots;
    double *longest; /* two for every series */
    void *given;     /* numbers of the run's precision */
    void *carried;   /* the same, of the inflow: c, one for each segment */
    struct edge_series *series;
    int *kind, *others;        /* of every segment; every edge has one more than it has positions */
    unsigned short *positions; /* the segment at every position */
    size_t longest_at, given_at, carried_at, series_at, kind_at, others_at, positions_at, bytes;
    int count; /* segments; whole edges are the first ones */
};

static size_t length_of(const struct sim *s, int e)
{
    return (size_t)(e <= EAST ? s->grid.ny : s->grid.nx);
}

/* Positions before the first one: those that strips beyond the sim's own cells have (core/sim/apron.h), and
 * two more, as what an edge does at its end depends on what is beside it (kernels/hancock_edges.h); and all. */
enum { BESIDE = 2 };

static int before(const struct sim *s, int e)
{
    return s->beyond[e <= EAST ? SOUTH : WEST] + BESIDE;
}

static size_t stored_length(const struct sim *s, int e)
{
    return (size_t)(before(s, e) + s->beyond[e <= EAST ? NORTH : EAST] + BESIDE) + length_of(s, e);
}

static struct pieces lay_out(const struct sim *s, const struct setup *setup)
{
    const size_t rim = sim_rim_length(s);
    const size_t stored = 2 * (stored_length(s, WEST) + stored_length(s, SOUTH));
    struct pieces p = {.count = EDGES + setup->segment_count};
    const size_t count = (size_t)p.count;
    size_t rows = 0;
    for (int k = 0; k < setup->segment_count; k++) {
        rows += setup->segments[k].series ? (size_t)setup->segments[k].series->rows : 0;
        rows += setup->segments[k].mud ? (size_t)setup->segments[k].mud->rows : 0;
    }
    p.longest_at = rows * sizeof *p.knots;
    p.given_at = p.longest_at + 2 * (size_t)s->edges.series_count * sizeof *p.longest;
    p.carried_at = p.given_at + count * GIVENS * sizeof(double);
    p.series_at = p.carried_at + count * sizeof(double);
    p.kind_at = p.series_at + (size_t)s->edges.series_count * sizeof *p.series;
    p.others_at = p.kind_at + count * sizeof *p.kind;
    p.positions_at = p.others_at + (rim + EDGES) * sizeof *p.others;
    p.bytes = p.positions_at + stored * sizeof *p.positions;
    return p;
}

/* A level that an edge imposes, m: above the still level. */
static double above_still(const struct sim *s, double level)
{
    return (level - s->initial->datum) - s->initial->still;
}

/* Writes the rows of a series; returns their number. Only discharges need integrals. */
static int put_knots(const struct sim *s, struct knot *to, const struct edge_segment *g)
{
    const int rows = g->series->rows;
    knots_of_series(g->series, g->scale, to);
    for (int k = 0; k < rows && g->kind == LEVEL; k++)
        to[k].value = above_still(s, to[k].value);
    return rows;
}

/* The reference of a level: the lowest bed at a segment's faces. */
static double lowest_bed(const struct sim *s, const struct edge_segment *g)
{
    const struct sim *const domain = s->whole ? s->whole : s;
    const struct grid_info *const grid = &domain->grid;
    const int vertical = g->edge <= EAST;
    const int across = g->edge == EAST ? grid->nx : g->edge == NORTH ? grid->ny : 0;
    double lowest = (double)INFINITY;
    for (int k = g->first; k < g->end; k++) {
        const double a = initial_bed(domain->initial, vertical ? across : k, vertical ? k : across);
        const double b =
            initial_bed(domain->initial, vertical ? across : k + 1, vertical ? k + 1 : across);
        lowest = fmin(lowest, 0.5 * (a + b));
    }
    return lowest;
}

static struct edge_series describe(const struct sim *s, const struct edge_segment *g)
{
    struct edge_series series = {.rows = g->series->rows};
    if (g->kind == DISCHARGE)
        series.inwards = g->edge == WEST || g->edge == SOUTH ? 1 : -1;
    else if (g->kind == LEVEL)
        series.bed = above_still(s, lowest_bed(s, g));
    else if (g->kind == WAVE)
        series.bed = lowest_bed(s, g) - (g->given.calm - s->initial->datum);
    return series;
}

static void put_given(const struct sim *s, struct pieces *p, int segment, enum edge e,
                      const struct edge_state *q)
{
    const struct system *const system = s->system;
    for (int k = 0; k < GIVENS; k++) {
        const int seen = e > EAST && k < system->unknowns ? system->unknown[k].exchanged : k;
        const int is_level = k == GIVEN_H && p->kind[segment] == LEVEL;
        reals_put(p->given, s->real_size, (size_t)segment * GIVENS + (size_t)k,
                  is_level ? above_still(s, q->of[seen]) : q->of[seen]);
    }
    if (p->kind[segment] == WAVE)
        reals_put(p->given, s->real_size, (size_t)segment * GIVENS + GIVEN_CALM,
                  above_still(s, q->calm));
    reals_put(p->carried, s->real_size, (size_t)segment,
              system->carried ? q->of[system->carried] : 0);
}

static void fill_whole(const struct sim *s, const struct setup *setup, struct pieces *p,
                       unsigned short *at[EDGES])
{
    unsigned short *next = p->positions;
    for (int e = 0; e < EDGES; e++) {
        p->kind[e] = (int)s->boundary[e];
        put_given(s, p, e, (enum edge)e, &setup->edge[e]);
        at[e] = next;
        next += stored_length(s, e);
        for (unsigned short *k = at[e]; k < next; k++)
            *k = (unsigned short)e;
        at[e] += before(s, e);
    }
}

/* The positions of a part's edge within the segment. Beyond the domain's corners are those at the
 * corners. */
static void mark_positions(const struct sim *s, const struct edge_segment *g, unsigned short *at,
                           unsigned short own)
{
    const int first = -before(s, (int)g->edge), n = (int)stored_length(s, (int)g->edge);
    const int place = g->edge <= EAST ? s->window.j0 : s->window.i0;
    const int last = (int)length_of(s->whole ? s->whole : s, (int)g->edge) - 1;
    for (int m = first; m < first + n && s->boundary[g->edge] != NEIGHBOUR; m++) {
        const int k = m + place < 0 ? 0 : m + place > last ? last : m + place;
        if (k >= g->first && k < g->end)
            at[m] = own;
    }
}

/* Which number of a segment its series gives. */
static int first_given(enum boundary kind)
{
    return kind == DISCHARGE || kind == SUPPLY || kind == LOSS ? GIVEN_ACROSS : GIVEN_H;
}

static void fill_pieces(const struct sim *s, const struct setup *setup, struct pieces *p)
{
    unsigned short *at[EDGES];
    int rows = 0, series = 0, *others = p->others;
    fill_whole(s, setup, p, at);
    for (int k = 0; k < setup->segment_count; k++) {
        const struct edge_segment *const g = &setup->segments[k];
        const int own = EDGES + k, given = first_given(g->kind);
        p->kind[own] = (int)g->kind;
        put_given(s, p, own, g->edge, &g->given);
        mark_positions(s, g, at[g->edge], (unsigned short)own);
        if (g->series) {
            p->series[series] = describe(s, g);
            p->series[series].first = rows;
            p->series[series++].given = own * GIVENS + given;
            rows += put_knots(s, p->knots + rows, g);
        }
        if (g->mud) {
            const struct edge_segment of_mud = {
                .edge = g->edge, .kind = g->kind, .series = g->mud, .scale = g->scale};
            p->series[series] = (struct edge_series){
                .first = rows, .rows = g->mud->rows, .given = own * GIVENS + GIVEN_ALONG};
            series++;
            rows += put_knots(s, p->knots + rows, &of_mud);
        }
    }
    for (int e = 0; e < EDGES; e++, others++)
        for (size_t k = 0; k < length_of(s, e); k++, others++)
            others[1] = others[0] + (p->kind[at[e][k]] != WALL);
}

/* Where the pieces are, here or on the device. */
static void point(struct pieces *p, char *memory)
{
    p->knots = (void *)memory;
    p->longest = (void *)(memory + p->longest_at);
    p->given = memory + p->given_at;
    p->carried = memory + p->carried_at;
    p->series = (void *)(memory + p->series_at);
    p->kind = (void *)(memory + p->kind_at);
    p->others = (void *)(memory + p->others_at);
    p->positions = (void *)(memory + p->positions_at);
}

static void publish(struct sim *s, struct pieces *p)
{
    s->edges.knots = p->knots;
    s->edges.longest = p->longest;
    s->edges.given = p->given;
    s->tracer.given = p->carried;
    s->edges.series = p->series;
    s->edges.kind = p->kind;
    for (int e = 0; e < EDGES; e++) {
        s->edges.segment[e] = p->positions + before(s, e);
        s->edges.others[e] = p->others;
        p->positions += stored_length(s, e);
        p->others += length_of(s, e) + 1;
    }
}

enum err sim_edges_create(struct sim *s, const struct setup *setup)
{
    void *device;
    if (!s->imposing)
        return ERR_OK;
    struct pieces p = lay_out(s, setup);
    TRY(sim_memory(s, &(struct array){"edges", .bytes = p.bytes}, &device));
    char *host = calloc(1, p.bytes);
    if (!host)
        FAIL(MEMORY, "no memory for the edges");
    point(&p, host);
    fill_pieces(s, setup, &p);
    const enum err e = s->backend->upload(s->device, device, host, p.bytes);
    free(host);
    point(&p, device);
    publish(s, &p);
    return e;
}
