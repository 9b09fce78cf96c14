/* Everything except water: the unknowns of a system without a bed and its given fields, and a
 * tracer in the water. */
#include <math.h>
#include <stdio.h>

#include "core/problem/initial_state_parts.h"
#include "core/problem/springs.h"

static double value_at(const struct initial *in, int unknown, int i, int j)
{
    const struct source *src = &in->setup.source;
    return src->value(src->context, unknown, in->window.i0 + i, in->window.j0 + j);
}

/* Some unknowns have a bounded range. */
static int is_out_of_bounds(const struct initial *in, int unknown, double x)
{
    const struct unknown *u = &in->setup.system->unknown[unknown];
    const double kept = initial_rounded(in, x);
    return u->low < u->high && !(kept >= u->low && kept <= u->high);
}

static void look_at_unknowns(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++)
            for (int k = 0; k < block->setup.system->unknowns; k++) {
                const double x = value_at(block, k, i, j);
                found->most = k == 0 ? fmax(found->most, fabs(x)) : found->most;
                if (!initial_holds(block, x) || is_out_of_bounds(block, k, x))
                    initial_note_bad(block, found, i, j);
            }
}

static enum err bad_value(const struct initial *in, int i, int j)
{
    int k = 0;
    while (initial_holds(in, value_at(in, k, i, j)) &&
           !is_out_of_bounds(in, k, value_at(in, k, i, j)))
        k++;
    const double x = value_at(in, k, i, j);
    const struct unknown *u = &in->setup.system->unknown[k];
    if (!initial_holds(in, x))
        return initial_not_finite(in, u->name, i, j, x);
    FAIL(INPUT, "%s in cell (%d, %d) is %.9g: expected a number from %g to %g; correct it%s%s",
         u->name, i, j, initial_rounded(in, x), u->low, u->high, u->option ? ", or give --" : "",
         u->option ? u->option : "");
}

static double given_at(const struct initial *in, int k, int i, int j)
{
    const struct source *src = &in->setup.source;
    return src->given(src->context, k, i, j);
}

static int is_bad_given(const struct initial *in, double x)
{
    return !(x >= 0) || !initial_holds(in, x);
}

static void look_at_given(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++)
            for (int k = 0; k < block->setup.system->givens; k++) {
                const double x = given_at(block, k, block->window.i0 + i, block->window.j0 + j);
                found->most = fmax(found->most, x);
                if (is_bad_given(block, x))
                    initial_note_bad(block, found, i, j);
            }
}

static enum err bad_given(const struct initial *in, int i, int j)
{
    int k = 0;
    while (!is_bad_given(in, given_at(in, k, i, j)))
        k++;
    FAIL(INPUT, "%s in cell (%d, %d) is %g %s: expected a number from 0 on; correct it",
         in->setup.system->given[k].name, i, j, given_at(in, k, i, j),
         in->setup.system->given[k].units);
}

/* What is added of conserved quantities. */
static enum err measure_added(struct initial *in)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        if (!initial_forces(in, k))
            continue;
        in->force_sum[k] = initial_sum_of_force(in, k);
        if (!isfinite(in->force_sum[k]))
            FAIL(INPUT, "what is added of %s is not finite", in->setup.system->conserved[k].name);
    }
    return ERR_OK;
}

enum err initial_measure_unknowns(struct initial *in)
{
    struct findings found;
    in->kappa = in->dry = 1;
    in->kappa_rule = "none: there is no water";
    TRY(initial_look(in, 0, look_at_unknowns, &found));
    if (found.bad != NO_CELL)
        return bad_value(in, (int)(found.bad % in->nx), (int)(found.bad / in->nx));
    in->depth_max = found.most;
    TRY(initial_look(in, 0, look_at_given, &found));
    if (found.bad != NO_CELL)
        return bad_given(in, (int)(found.bad % in->nx), (int)(found.bad / in->nx));
    in->given_most = found.most;
    return measure_added(in);
}

void initial_cut_unknowns(struct initial *cut)
{
    const struct window w = initial_within(cut);
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = w.j0; j < w.j0 + w.ny; j++)
        for (int i = w.i0; i < w.i0 + w.nx; i++)
            for (int k = 0; k < cut->setup.system->unknowns; k++)
                initial_put(cut, cut->field[k], i, j, value_at(cut, k, i, j));
}

/* The cell that a ghost cell copies: wrapped beyond a periodic edge, mirrored beyond others. */
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
static void cut_given(struct initial *cut, int k)
{
    const struct setup *setup = &cut->setup;
    const struct grid_info *g = &setup->grid;
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = -GHOSTS; j < cut->ny + GHOSTS; j++) {
        const int v = like(cut->window.j0 + j, g->ny, setup->boundary[SOUTH] == PERIODIC);
        for (int i = -GHOSTS; i < cut->nx + GHOSTS; i++) {
            const int u = like(cut->window.i0 + i, g->nx, setup->boundary[WEST] == PERIODIC);
            initial_put(cut, cut->given[k], i, j, given_at(cut, k, u, v));
        }
    }
}

void initial_cut_given(struct initial *cut)
{
    for (int k = 0; k < GIVEN_FIELDS; k++)
        if (cut->given[k])
            cut_given(cut, k);
}

/* The scale includes what edges impose and sources bring: there may be nothing else. */
static double most_given(const struct setup *setup)
{
    double most = 0;
    for (int e = 0; e < EDGES; e++)
        most = fmax(most, fabs(setup->edge[e].c));
    for (int k = 0; k < setup->segment_count; k++)
        most = fmax(most, fabs(setup->segments[k].given.c));
    for (int k = 0; setup->springs && k < setup->springs->count; k++)
        most = fmax(most, setup->springs->place[k].choice->c);
    return most;
}

static double carried_scale(double most)
{
    return most > 0 ? ldexp(1, (int)fmax(-120, fmin(120, -1 - ilogb(most)))) : 1;
}

static int carried_by(const struct initial *in)
{
    return in->setup.system ? in->setup.system->carried : 0;
}

static double tracer_at(const struct initial *in, int i, int j)
{
    const struct source *src = &in->setup.source;
    return src->tracer ? src->tracer(src->context, in->window.i0 + i, in->window.j0 + j) : 0;
}

void initial_look_at_tracer(const struct initial *block, struct findings *found)
{
    for (int j = 0; j < block->ny && carried_by(block); j++)
        for (int i = 0; i < block->nx; i++) {
            if (!(initial_depth(block, i, j) > 0))
                continue;
            const double c = tracer_at(block, i, j);
            found->most = fmax(found->most, c);
            if (!(c >= 0) || !initial_holds(block, c))
                initial_note_bad(block, found, i, j);
        }
}

static enum err bad_tracer(const struct initial *in, int i, int j)
{
    const char *file = in->setup.source.tracer_file;
    const double c = tracer_at(in, i, j);
    char what[FILE_LENGTH + 64];
    snprintf(what, sizeof what, "concentration of the tracer%s%s in cell", file ? " from " : "",
             file ? file : "");
    if (isnan(c))
        FAIL(INPUT,
             "the %s (%d, %d) is missing, but the cell has water: give it a number from 0 on", what,
             i, j);
    if (!(c < 0))
        return initial_not_finite(in, what, i, j, c);
    FAIL(INPUT, "the %s (%d, %d) is %g: expected a number from 0 on; correct it", what, i, j, c);
}

enum err initial_measure_tracer(struct initial *in, const struct findings *settled)
{
    if (!carried_by(in))
        return ERR_OK;
    const double given = most_given(&in->setup);
    in->carried_scale = carried_scale(fmax(given, settled->most));
    if (settled->bad != NO_CELL)
        return bad_tracer(in, (int)(settled->bad % in->nx), (int)(settled->bad / in->nx));
    if (!initial_holds(in, given))
        FAIL(INPUT,
             "the tracer that comes in has c = %g, and single precision cannot hold sums of such "
             "numbers: correct it, or choose --precision f64",
             given);
    return ERR_OK;
}

void initial_cut_tracer(struct initial *cut)
{
    const struct window w = initial_within(cut);
    void *const c = cut->field[carried_by(cut)];
    if (!carried_by(cut))
        return;
#pragma omp parallel for schedule(static) if (initial_is_shared(cut))
    for (int j = w.j0; j < w.j0 + w.ny; j++)
        for (int i = w.i0; i < w.i0 + w.nx; i++)
            initial_put(cut, c, i, j, initial_depth(cut, i, j) > 0 ? tracer_at(cut, i, j) : 0);
}
