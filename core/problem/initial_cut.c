/* A window of the initial state: its fields, sampled. */
#include <stdlib.h>
#include <string.h>

#include "core/base/plane.h"
#include "core/problem/initial_state_parts.h"

enum { WATER = 3 }; /* unknowns of the water itself */

long initial_pitch(int nx)
{
    return ((long)MARGIN + nx + GHOSTS + 1 + MARGIN - 1) / MARGIN * MARGIN;
}

long initial_rows(int ny)
{
    return (long)ny + 2L * GHOSTS + 1;
}

struct window initial_within(const struct initial *in)
{
    const struct window *w = &in->window;
    const struct grid_info *g = &in->setup.grid;
    const int i0 = w->i0 < GHOSTS ? -w->i0 : -GHOSTS, j0 = w->j0 < GHOSTS ? -w->j0 : -GHOSTS;
    const int i1 = w->nx + GHOSTS, j1 = w->ny + GHOSTS;
    const int right = g->nx - w->i0, up = g->ny - w->j0;
    return (struct window){i0, j0, (i1 < right ? i1 : right) - i0, (j1 < up ? j1 : up) - j0};
}

/* A field of NaN, so that reading unwritten values shows. */
static enum err allocate(const struct initial *in, void **field)
{
    *field = aligned_alloc(128, (in->field_bytes + 127) / 128 * 128);
    if (!*field)
        FAIL(MEMORY,
             "each field of the initial state of %d x %d cells needs %zu bytes of main memory",
             in->nx, in->ny, in->field_bytes);
    memset(*field, 0xff, in->field_bytes);
    return ERR_OK;
}

int initial_forces(const struct initial *in, int k)
{
    const struct source *src = &in->setup.source;
    return initial_over_bed(in) ? src->force && k < WATER
                                : src->added && k < in->setup.system->conserveds;
}

double initial_force(const struct initial *in, int k, int i, int j)
{
    const struct source *src = &in->setup.source;
    if (!initial_over_bed(in))
        return src->added(src->context, k, i, j);
    return src->force(src->context, i, j).of[k];
}

/* A row of centres, n of them, from the corners south and north of it: initial_centre without a field of them. */
#define LAY_CENTRES(number, quarter, to, south, north, n)                          \
    do {                                                                           \
        number *const c = (void *)(to);                                            \
        const number *const b = (const void *)(south), *t = (const void *)(north); \
        for (int i = 0; i < (n); i++)                                              \
            c[i] = quarter * ((b[i] + t[i + 1]) + (b[i + 1] + t[i]));              \
    } while (0)

static void lay_centres(struct initial *cut, int j)
{
    const size_t size = precision_size(cut->precision),
                 first = initial_offset(cut, -GHOSTS, j) * size;
    const size_t next = initial_offset(cut, -GHOSTS, j + 1) * size;
    const int n = cut->nx + 2 * GHOSTS;
    char *const to = (char *)cut->centre + first, *const bed = cut->bed;
    if (cut->precision == F64)
        LAY_CENTRES(double, 0.25, to, bed + first, bed + next, n);
    else
        LAY_CENTRES(float, 0.25f, to, bed + first, bed + next, n);
}

/* All corners; then the centres between them. */
static void lay_bed(struct initial *cut)
{
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = -GHOSTS; j <= cut->ny + GHOSTS; j++)
        for (int i = -GHOSTS; i <= cut->nx + GHOSTS; i++)
            initial_put(cut, cut->bed, i, j,
                        ground_corner(cut, cut->window.i0 + i, cut->window.j0 + j));
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = -GHOSTS; j < cut->ny + GHOSTS; j++)
        lay_centres(cut, j);
}

/* The level of a cell, m above the datum. Lakes above the lowest one are at rest to the last bit if
 * their levels are multiples of the bed's quantum; levels near the lowest keep all their bits. */
static double rounded_level(const struct initial *in, double w)
{
    const double unit = in->quantum / 4;
    return unit > 0 && fabs(w - in->still) > 4096 * unit ? initial_multiple(w, unit) : w;
}

double initial_rounding(const struct initial *in, double centre)
{
    return 4 * (in->precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON) * fabs(centre);
}

double initial_thinnest(const struct initial *in)
{
    const double highest = fmax(fabs(in->lowest), fabs(in->highest));
    return fmax(in->dry, fmax(2 * in->quantum, 4 * DBL_EPSILON * highest));
}

/* Converts the level to eta, velocities to discharges; dry cells get exactly the floor's eta. Of a
 * cell with the bed at `centre`; `thinnest` is initial_thinnest. */
static void settle(const struct initial *in, int i, int j, double centre, double thinnest,
                   double to[WATER])
{
    const struct source *src = &in->setup.source;
    const struct flow f = initial_water(in, i, j);
    const double w = rounded_level(in, f.w - in->datum), floor = initial_floor_at(in, centre);
    const int wet = w - centre >= initial_larger(thinnest, initial_rounding(in, centre));
    to[0] = wet ? initial_rounded(in, w - initial_rest_above(in, centre)) : floor;
    to[1] = initial_rounded(in, f.u);
    to[2] = initial_rounded(in, f.v);
    for (int k = 1; k < WATER && (!wet || !src->discharges); k++)
        to[k] = wet ? initial_rounded(in, to[0] - floor) * to[k] : 0;
}

/* As settle leaves dry ground. */
static void lay_dry(struct initial *cut, const struct window *w)
{
    for (int j = w->j0; j < w->j0 + w->ny; j++)
        for (int i = w->i0; i < w->i0 + w->nx; i++)
            for (int k = 0; k < WATER; k++)
                initial_put(cut, cut->field[k], i, j, k == 0 ? initial_floor(cut, i, j) : 0);
}

static void lay_water(struct initial *cut)
{
    const struct window w = initial_within(cut), *const own = &cut->window;
    const struct window all = {own->i0 + w.i0, own->j0 + w.j0, w.nx, w.ny};
    if (initial_is_dry(cut, &all) || initial_said_dry(cut, &all)) {
        lay_dry(cut, &w);
        return;
    }
    const double thinnest = initial_thinnest(cut);
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = w.j0; j < w.j0 + w.ny; j++)
        for (int i = w.i0; i < w.i0 + w.nx; i++) {
            double q[WATER];
            settle(cut, i, j, initial_get(cut, cut->centre, i, j), thinnest, q);
            for (int k = 0; k < WATER; k++)
                initial_put(cut, cut->field[k], i, j, q[k]);
        }
}

double initial_eta(const struct initial *in, int i, int j)
{
    double q[WATER];
    if (in->field[0])
        return initial_get(in, in->field[0], i, j);
    settle(in, i, j, initial_centre(in, i, j), initial_thinnest(in), q);
    return q[0];
}

/* The same, and the ghost cells beyond periodic edges; and the cell of the domain that such a one
 * continues, along an axis of n cells. */
static struct window with_periodic(const struct initial *in)
{
    const enum boundary *const edge = in->setup.boundary;
    struct window w = initial_within(in);
    if (edge[WEST] == PERIODIC)
        w.i0 = -GHOSTS, w.nx = in->nx + 2 * GHOSTS;
    if (edge[SOUTH] == PERIODIC)
        w.j0 = -GHOSTS, w.ny = in->ny + 2 * GHOSTS;
    return w;
}

static int around(int k, int n)
{
    return (k % n + n) % n;
}

/* For an unknown with a source term. */
static void lay_force(struct initial *cut)
{
    const struct window w = with_periodic(cut);
    const struct grid_info *const g = &cut->setup.grid;
    int forced = 0;
    for (int k = 0; k < UNKNOWNS; k++)
        forced |= cut->force[k] != NULL;
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = w.j0; j < (forced ? w.j0 + w.ny : w.j0); j++)
        for (int i = w.i0; i < w.i0 + w.nx; i++)
            for (int k = 0; k < UNKNOWNS; k++)
                if (cut->force[k])
                    initial_put(cut, cut->force[k], i, j,
                                initial_force(cut, k, around(cut->window.i0 + i, g->nx),
                                              around(cut->window.j0 + j, g->ny)));
}

/* Converted to what kernels need, as core/sim/physics.c does for a common n. */
static void lay_roughness(struct initial *cut)
{
    const struct source *src = &cut->setup.source;
    const struct grid_info *const g = &cut->setup.grid;
    const struct window w = with_periodic(cut);
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = w.j0; j < w.j0 + w.ny; j++)
        for (int i = w.i0; i < w.i0 + w.nx; i++) {
            const double n = src->manning(src->context, around(cut->window.i0 + i, g->nx),
                                          around(cut->window.j0 + j, g->ny));
            initial_put(cut, cut->roughness, i, j, cut->setup.gravity * n * n);
        }
}

static void lay_state(struct initial *cut)
{
    if (!initial_over_bed(cut)) {
        initial_cut_unknowns(cut);
        return;
    }
    lay_water(cut);
    initial_cut_tracer(cut);
}

static int is_rough(const struct initial *in)
{
    return in->setup.source.manning && initial_over_bed(in);
}

static enum err allocate_all(struct initial *cut, unsigned what)
{
    const struct system *system = cut->setup.system;
    const int unknowns = system ? system->unknowns : WATER, givens = system ? system->givens : 0;
    TRY(allocate(cut, &cut->bed));
    TRY(allocate(cut, &cut->centre));
    for (int k = 0; k < unknowns && (what & INITIAL_STATE); k++)
        TRY(allocate(cut, &cut->field[k]));
    for (int k = 0; k < UNKNOWNS && (what & INITIAL_FORCE); k++)
        if (initial_forces(cut, k))
            TRY(allocate(cut, &cut->force[k]));
    for (int k = 0; k < givens && (what & INITIAL_GIVEN); k++)
        TRY(allocate(cut, &cut->given[k]));
    if (is_rough(cut) && (what & INITIAL_GIVEN))
        TRY(allocate(cut, &cut->roughness));
    if (!(what & INITIAL_FED))
        return ERR_OK;
    cut->fed = calloc((size_t)(cut->pitch * initial_rows(cut->ny)), 1);
    return cut->fed ? ERR_OK
                    : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for where water is added");
}

static void lay_all(struct initial *cut)
{
    lay_bed(cut);
    if (cut->field[0])
        lay_state(cut);
    lay_force(cut);
    initial_cut_given(cut);
    if (cut->roughness)
        lay_roughness(cut);
    if (cut->fed)
        initial_mark_fed(cut);
}

/* A place in the domain, with the numbers of the whole. */
static enum err place(struct initial **out, const struct initial *in, const struct window *w)
{
    struct initial *cut = calloc(1, sizeof *cut);
    if (!cut)
        FAIL(MEMORY, "no memory for the initial state of a part");
    *cut = *in;
    cut->window = (struct window){in->window.i0 + w->i0, in->window.j0 + w->j0, w->nx, w->ny};
    cut->is_cut = 1;
    cut->nx = w->nx;
    cut->ny = w->ny;
    cut->pitch = initial_pitch(w->nx);
    cut->field_bytes = (size_t)(cut->pitch * initial_rows(w->ny)) * precision_size(in->precision);
    cut->bed = cut->centre = cut->roughness = NULL;
    cut->fed = NULL;
    memset(cut->field, 0, sizeof cut->field);
    memset(cut->force, 0, sizeof cut->force);
    memset(cut->given, 0, sizeof cut->given);
    *out = cut;
    return ERR_OK;
}

enum err initial_cut(struct initial **out, const struct initial *in, const struct window *w,
                     unsigned what)
{
    struct initial *cut = NULL;
    TRY(place(&cut, in, w));
    const enum err e = what ? allocate_all(cut, what) : ERR_OK;
    if (e) {
        initial_destroy(cut);
        return e;
    }
    if (what) {
        lay_all(cut);
        planes_touched((size_t)w->nx * (size_t)w->ny);
    }
    *out = cut;
    return ERR_OK;
}

void initial_destroy(struct initial *in)
{
    if (!in)
        return;
    for (int k = 0; k < UNKNOWNS; k++) {
        free(in->field[k]);
        free(in->force[k]);
    }
    for (int k = 0; k < GIVEN_FIELDS; k++)
        free(in->given[k]);
    free(in->roughness);
    free(in->centre);
    free(in->bed);
    free(in->fed);
    if (!in->is_cut) {
        free(in->idle);
        free(in->alike);
    }
    free(in);
}
