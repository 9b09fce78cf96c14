/* Fills, at the end of a block, the ghost cells outside the domain whose sources are cells of the block: those that
 * `boundary` would fill from them (ghosts.h), with the same bits. Each ghost cell has one source, so one block fills it,
 * wherever the domain is cut into blocks. Define before it
 *
 *     FN real more_ghost(real x, const struct source s, const struct place p)
 *
 * which turns a number of the source that is no unknown of the flow into the ghost cell's. */
#ifndef SHOAL_FILL_OWN_H
#define SHOAL_FILL_OWN_H

#include "ghosts.h"
#include "own_clock.h"

#define MORE own_ghosts
#include "kernel_with_more.h"

/* Who shares the cells, and how many each loads before it stores one, so that their latencies overlap. */
#if defined(__CUDACC__) || defined(EMULATE)
#define FILLERS      ROW_THREADS
#define FILLER       warp.thread
#define FILL_AT_ONCE 4
#else
#define FILLERS      1
#define FILLER       0
#define FILL_AT_ONCE 1
#endif

/* The compiler computes nothing from it before the march over the rows, which would take registers meanwhile. */
FN int from_here(int x)
{
#ifdef __CUDACC__
    asm volatile("" : "+r"(x));
#endif
    return x;
}

/* The state that the block has written, in the whole domain; `more`: another number of each cell, or null. */
struct filling {
    int x, y, w, h; /* the block's first cell and extent */
    int nx, ny;
    long pitch;
    struct fields q;
    real *more;
    const real *centre;
    real still;
};

/* FILL_ARGS: the type of the kernel's arguments; MORE_OF(a): what it writes besides the state, or null. */
FN struct filling filling_of(const struct march *m, const FILL_ARGS *a)
{
    struct filling f;
    f.x = from_here(m->x), f.y = from_here(m->y), f.w = from_here(m->w), f.h = from_here(m->h);
    f.nx = a->span.nx, f.ny = a->span.ny;
    f.pitch = a->pitch;
    f.q = a->to;
    f.more = MORE_OF(a);
    f.centre = a->ground.centre;
    f.still = a->p.still;
    return f;
}

FN struct place fill_place(const struct filling *f, int edge, int s)
{
    return place_on_edge(edge, s, f->nx, f->ny, f->pitch, f->pitch);
}

/* Whether the block has the sources, so far outwards, of the places on an edge that lie beside it. */
FN int has_source(const struct filling *f, const struct place p, int outwards)
{
    const int k = p.low ? -outwards : p.n - 1 + outwards;
    return p.vertical ? k >= f->x && k < f->x + f->w : k >= f->y && k < f->y + f->h;
}

/* The ghost cells that a block fills outside an edge: those next to the edge, those behind, or both. */
struct fill_side {
    struct place p;            /* the first */
    struct source first, last; /* of its ghost cells: of the one, or of both */
    int n, cells;              /* places, ghost cells */
    int along;                 /* offset from a place to the next */
};

FN struct fill_side fill_side(const struct filling *f, int edge, int kind)
{
    const int vertical = edge <= EAST;
    struct fill_side t;
    t.p = fill_place(f, edge, vertical ? f->y : f->x);
    t.first = source_of(t.p, kind, 1);
    t.last = source_of(t.p, kind, 2);
    const int one = has_source(f, t.p, t.first.outwards), two = has_source(f, t.p, t.last.outwards);
    if (!one)
        t.first = t.last;
    t.n = vertical ? f->h : f->w;
    t.cells = (one + two) * t.n;
    t.along = vertical ? (int)f->pitch : 1;
    return t;
}

/* The source of ghost cell k of them. */
FN struct source fill_source(const struct fill_side *t, int k)
{
    struct source s = k < t->n ? t->first : t->last;
    const long away = (long)(k < t->n ? k : k - t->n) * t->along;
    s.from += away;
    s.to += away;
    return s;
}

/* What a ghost cell needs of its source, and of both cells' ground. */
struct loaded {
    struct source s;
    struct ghost g;
    real from, bed, more;
};

FN struct loaded load_source(const struct filling *f, const struct source s)
{
    struct loaded q;
    q.s = s;
    q.g = state_at(f->q, s.from);
    q.from = f->centre[s.from];
    q.bed = f->centre[s.to];
    q.more = f->more ? f->more[s.from] : REAL(0);
    return q;
}

FN void store_ghost(const struct filling *f, const struct place p, const struct loaded q)
{
    put_state(f->q, q.s.to, copied_state(q.g, p, q.s.turn, q.from, q.bed, f->still));
    if (f->more)
        f->more[q.s.to] = more_ghost(q.more, q.s, p);
}

FN void fill_outside(const struct warp warp, const struct filling *f, int edge, int kind)
{
    const struct fill_side t = fill_side(f, edge, kind);
    (void)warp;
    for (int first = FILLER; first < t.cells; first += FILL_AT_ONCE * FILLERS) {
        struct loaded q[FILL_AT_ONCE];
        UNROLL(4)
        for (int m = 0; m < FILL_AT_ONCE; m++)
            if (first + m * FILLERS < t.cells)
                q[m] = load_source(f, fill_source(&t, first + m * FILLERS));
        UNROLL(4)
        for (int m = 0; m < FILL_AT_ONCE; m++)
            if (first + m * FILLERS < t.cells)
                store_ghost(f, t.p, q[m]);
    }
}

/* Bits 1 << enum edge: the block has cells at most GHOSTS from that edge. Sources lie no farther from an edge. */
FN int near_edges(const struct filling *f)
{
    return (f->x < GHOSTS) << WEST | (f->x + f->w > f->nx - GHOSTS) << EAST |
           (f->y < GHOSTS) << SOUTH | (f->y + f->h > f->ny - GHOSTS) << NORTH;
}

/* The edge beside the sources of the ghost cells outside edge e. */
#define SOURCE_EDGE(e, kind) ((kind) == PERIODIC ? (e) ^ 1 : (e))

/* Other threads of the block have stored some of the sources. */
#define FILL_OWN_GHOSTS(f, near, kinds)                   \
    do {                                                  \
        if (!(near))                                      \
            break;                                        \
        SYNC;                                             \
        UNROLL(1)                                         \
        for (int e = 0; e < EDGES; e++)                   \
            if ((near) >> SOURCE_EDGE(e, (kinds)[e]) & 1) \
                fill_outside(warp, f, e, (kinds)[e]);     \
    } while (0)

#endif
