/* Sampling what is not water: the unknowns of a system without a bed and what it is given, and a tracer in the water. */
#include <math.h>
#include <string.h>

#include "core/problem/initial_state_parts.h"
#include "core/problem/springs.h"

/* Level ground at 0 under what has no bed. */
static enum err lay_nothing(struct initial *in)
{
    TRY(initial_allocate(in, &in->bed));
    TRY(initial_allocate(in, &in->centre));
    memset(in->bed, 0, in->field_bytes);
    memset(in->centre, 0, in->field_bytes);
    in->kappa = in->dry = 1;
    in->kappa_rule = "none: there is no water";
    return ERR_OK;
}

/* Of an unknown that means something between two numbers only. */
static enum err check_bounds(const struct initial *in, const struct setup *setup, int unknown)
{
    const struct unknown *u = &setup->system->unknown[unknown];
    for (int j = 0; j < in->ny && u->low < u->high; j++)
        for (int i = 0; i < in->nx; i++) {
            const double x = initial_get(in, in->field[unknown], i, j);
            if (!(x >= u->low && x <= u->high))
                FAIL(INPUT,
                     "%s in cell (%d, %d) is %.9g: expected a number from %g to %g; correct it%s%s",
                     u->name, i, j, x, u->low, u->high, u->option ? ", or give --" : "",
                     u->option ? u->option : "");
        }
    return ERR_OK;
}

static enum err sample_unknown(struct initial *in, const struct setup *setup, int unknown)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    double most = 0;
    TRY(initial_allocate(in, &in->field[unknown]));
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double x = src->value(src->context, unknown, i, j);
            initial_put(in, in->field[unknown], i, j, x);
            most = fmax(most, fabs(x));
            if (!initial_holds(in, x)) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    in->depth_max = unknown == 0 ? most : in->depth_max;
    if (bad)
        return initial_not_finite(in, setup->system->unknown[unknown].name, bad_i, bad_j,
                                  src->value(src->context, unknown, bad_i, bad_j));
    return check_bounds(in, setup, unknown);
}

/* The cell that a ghost cell is like: beyond a periodic edge it comes round, beyond others it is mirrored. */
static int like(int i, int n, int periodic)
{
    if (i >= 0 && i < n)
        return i;
    if (periodic)
        return ((i % n) + n) % n;
    const int mirrored = i < 0 ? -1 - i : 2 * n - 1 - i;
    return mirrored < 0 ? 0 : mirrored >= n ? n - 1 : mirrored;
}

/* A coefficient, ghosts included. */
static enum err sample_given(struct initial *in, const struct setup *setup, int k)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    TRY(initial_allocate(in, &in->given[k]));
#pragma omp parallel for schedule(static)
    for (int j = -GHOSTS; j < in->ny + GHOSTS; j++) {
        for (int i = -GHOSTS; i < in->nx + GHOSTS; i++) {
            const int u = like(i, in->nx, setup->boundary[WEST] == PERIODIC);
            const int v = like(j, in->ny, setup->boundary[SOUTH] == PERIODIC);
            const double x = src->given(src->context, k, u, v);
            initial_put(in, in->given[k], i, j, x);
            if (!(x >= 0) || !initial_holds(in, x)) {
#pragma omp critical
                bad = 1, bad_i = u, bad_j = v;
            }
        }
    }
    if (bad)
        FAIL(INPUT, "%s in cell (%d, %d) is %g %s: expected a number from 0 on; correct it",
             setup->system->given[k].name, bad_i, bad_j, src->given(src->context, k, bad_i, bad_j),
             setup->system->given[k].units);
    return ERR_OK;
}

/* What is added of a conserved quantity. */
static enum err sample_added(struct initial *in, const struct setup *setup, int k)
{
    const struct source *src = &setup->source;
    TRY(initial_allocate(in, &in->force[k]));
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++)
        for (int i = 0; i < in->nx; i++)
            initial_put(in, in->force[k], i, j, src->added(src->context, k, i, j));
    in->force_sum[k] = initial_sum(in, in->force[k]);
    if (!isfinite(in->force_sum[k]))
        FAIL(INPUT, "what is added of %s is not finite", setup->system->conserved[k].name);
    return ERR_OK;
}

enum err initial_sample_unknowns(struct initial *in, const struct setup *setup)
{
    const struct system *system = setup->system;
    TRY(lay_nothing(in));
    for (int k = 0; k < system->unknowns; k++)
        TRY(sample_unknown(in, setup, k));
    for (int k = 0; k < system->givens; k++)
        TRY(sample_given(in, setup, k));
    for (int k = 0; k < system->conserveds && setup->source.added; k++)
        TRY(sample_added(in, setup, k));
    return ERR_OK;
}

/* What edges impose and sources bring counts for the scale as well: it may be all that there ever is. */
static void scale_carried(struct initial *in, const struct setup *setup, double most)
{
    for (int e = 0; e < EDGES; e++)
        most = fmax(most, fabs(setup->edge[e].c));
    for (int k = 0; k < setup->segment_count; k++)
        most = fmax(most, fabs(setup->segments[k].given.c));
    for (int k = 0; setup->springs && k < setup->springs->count; k++)
        most = fmax(most, setup->springs->place[k].choice->c);
    in->carried_scale = most > 0 ? ldexp(1, (int)fmax(-120, fmin(120, -1 - ilogb(most)))) : 1;
}

enum err initial_sample_tracer(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    const int carried = setup->system ? setup->system->carried : 0;
    double most = 0;
    int bad = 0, bad_i = 0, bad_j = 0;
    if (!carried)
        return ERR_OK;
    TRY(initial_allocate(in, &in->field[carried]));
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double c = src->tracer ? src->tracer(src->context, i, j) : 0;
            const int wet = initial_depth(in, i, j) > 0;
            initial_put(in, in->field[carried], i, j, wet ? c : 0);
            most = wet ? fmax(most, c) : most;
            if (wet && (!(c >= 0) || !initial_holds(in, c))) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    scale_carried(in, setup, most);
    if (bad)
        FAIL(INPUT,
             "the concentration of the tracer in cell (%d, %d) is %g: expected a number from 0 on; "
             "correct it",
             bad_i, bad_j, src->tracer(src->context, bad_i, bad_j));
    return ERR_OK;
}
