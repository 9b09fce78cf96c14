/* Runs of growing size, and checks of them that several contracts share. */
#include "verification/contracts/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/random.h"

const struct rung small_rungs[] = {{3, 1, 1},  {3, 1, 4},    {1, 3, 4},    {5, 4, 4},
                                   {12, 9, 8}, {23, 17, 20}, {33, 26, 40}, {0, 0, 0}};
const struct rung few_rungs[] = {{3, 1, 2}, {5, 4, 4}, {12, 9, 8}, {33, 26, 20}, {0, 0, 0}};

void saw(struct seen *seen, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(seen->example, sizeof seen->example, fmt, ap);
    va_end(ap);
    seen->broken = 1;
}

/* Tries fewer steps. */
static enum err fewer_steps(const struct run_question *q, const struct config *c, struct rung *g,
                            struct seen *seen)
{
    for (long steps = 1; steps < g->steps; steps += steps < 4 ? 1 : steps / 2) {
        const struct rung some = {g->nx, g->ny, steps};
        struct seen then = {0};
        TRY(q->breaks(c, &some, &then));
        if (then.broken) {
            *g = some;
            *seen = then;
            return ERR_OK;
        }
    }
    return ERR_OK;
}

static enum err look_at_run(const struct run_question *q, const struct config *c, struct rung *g,
                            struct seen *seen)
{
    for (const struct rung *at = q->rungs; at->nx; at++) {
        *seen = (struct seen){0};
        TRY(q->breaks(c, at, seen));
        if (seen->broken) {
            *g = *at;
            return fewer_steps(q, c, g, seen);
        }
    }
    return ERR_OK;
}

enum err ask_runs(const char *name, const struct config of[PRECISIONS],
                  const struct run_question *q, struct remarks *r)
{
    char example[sizeof r->remark[0].example];
    for (int p = PRECISIONS - 1; p >= (q->f64_only ? F64 : F32); p--) {
        struct rung g = {0, 0, 0};
        struct seen seen = {0};
        TRY(look_at_run(q, &of[p], &g, &seen));
        if (!seen.broken)
            continue;
        char steps[32] = "";
        if (g.steps)
            snprintf(steps, sizeof steps, ", %ld step%s", g.steps, g.steps == 1 ? "" : "s");
        snprintf(example, sizeof example, "%d x %d cells%s, %s: %s", g.nx, g.ny, steps,
                 precision_names[p], seen.example);
        remark(r, FAILS, q->check, example, "%s %s", name, seen.why ? seen.why : q->wrong);
        return ERR_OK;
    }
    remark(r, HOLDS, q->check, "", "%s", q->holds);
    return ERR_OK;
}

enum err run_steps(const struct config *c, const struct scene *s, long steps, struct outcome *o,
                   struct seen *seen, int *ok)
{
    struct config some = *c;
    some.steps = steps;
    *ok = 0;
    TRY(simulate(&some, s, o));
    const struct gap odd = scene_gap(&o->state, &o->state, 0);
    if (odd.values > 0)
        saw(seen, "%s of cell (%d, %d) is %s", unknown_name(s->system, odd.field), odd.i, odd.j,
            isnan(odd.got) ? "NaN" : "infinite");
    else if (o->broken)
        saw(seen, "%s", err_message());
    else
        *ok = 1;
    if (!*ok)
        outcome_free(o);
    return ERR_OK;
}

enum err run_and_free(const struct config *c, struct scene *s, long steps, struct outcome *o,
                      struct seen *seen, int *ok)
{
    const enum err e = run_steps(c, s, steps, o, seen, ok);
    scene_free(s);
    return e;
}

void saw_gap(struct seen *seen, const struct scene *expected, const struct scene *got)
{
    const struct gap g = scene_gap(expected, got, 0);
    const int digits = fabs(g.got - g.expected) > 1e-5 * fabs(g.expected) ? 6 : 17;
    if (g.values > 0)
        saw(seen, "%s of cell (%d, %d) is %.*g, not %.*g; %.0f of %d values differ",
            unknown_name(got->system, g.field), g.i, g.j, digits, g.got, digits, g.expected,
            g.values, got->system->unknowns * got->nx * got->ny);
}

/* Fronts over a rough bed, and water of very different depths and speeds. */
enum err breaks_down(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(scene_rough(&s, g->nx, g->ny));
    scene_stir(&s, 2, 5);
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx && !seen->broken; i++)
            if (!(outcome_depth(&o, i, j) >= 0))
                saw(seen, "the depth in cell (%d, %d) is %g m", i, j, outcome_depth(&o, i, j));
    outcome_free(&o);
    return ERR_OK;
}

enum err runs_otherwise(const struct config *c, const struct scene *s, long steps,
                        const struct aspect *a, struct seen *seen)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct scene turned = {0}, expected = {0};
    struct outcome o = {0}, of_turned = {0};
    int ok;
    simulate_otherwise(&other, a);
    TRY_OUT(scene_otherwise(&turned, s, a));
    TRY_OUT(run_steps(c, s, steps, &o, seen, &ok));
    if (ok)
        TRY_OUT(run_steps(&other, &turned, steps, &of_turned, seen, &ok));
    if (!ok)
        goto out;
    TRY_OUT(scene_otherwise(&expected, &o.state, a));
    saw_gap(seen, &expected, &of_turned.state);
out:
    outcome_free(&o);
    outcome_free(&of_turned);
    scene_free(&expected);
    scene_free(&turned);
    return e;
}

enum err flow_between_walls(const struct config *c, const struct rung *g, struct scene *s)
{
    return scene_walled(s, find_system(find_scheme(c->scheme)->system), g->nx, g->ny);
}

static enum err changes_seen(const struct config *c, const struct rung *g, int how,
                             struct seen *seen)
{
    const struct aspect a = {.how = how};
    struct scene s;
    TRY(flow_between_walls(c, g, &s));
    if (s.system->over_bed)
        s.boundary[WEST] = OPEN;
    if (s.system->over_bed && how != MIRROR_X)
        s.boundary[NORTH] = OPEN;
    const enum err e = runs_otherwise(c, &s, g->steps, &a, seen);
    scene_free(&s);
    return e;
}

enum err changes_mirrored_x(const struct config *c, const struct rung *g, struct seen *seen)
{
    return changes_seen(c, g, MIRROR_X, seen);
}

enum err changes_mirrored_y(const struct config *c, const struct rung *g, struct seen *seen)
{
    return changes_seen(c, g, MIRROR_Y, seen);
}

enum err changes_transposed(const struct config *c, const struct rung *g, struct seen *seen)
{
    return changes_seen(c, g, EXCHANGE, seen);
}

double volume_limit(const struct config *c)
{
    return c->precision == F64 ? 2e-14 : 1e-6;
}

/* A column of water falls apart between walls. */
enum err changes_volume(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(scene_create(&s, g->nx, g->ny));
    scene_random_bed(&s, -0.3, 0, 8);
    scene_level(&s, 0.5);
    scene_dam(&s, 0.4 * g->nx, 0.5 * g->ny, 0.25 * fmax(g->nx, g->ny), 2.5);
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    if (!(fabs(outcome_mass_error(&o)) <= volume_limit(c)))
        saw(seen, "between walls %.9g m3 became %.9g, a share of %.2g", o.volume0, o.balance.volume,
            outcome_mass_error(&o));
    outcome_free(&o);
    return ERR_OK;
}

/* A level surface over an uneven bed that is nowhere dry: finds motion beyond rounding. */
enum err stirs_a_lake(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(scene_create(&s, g->nx, g->ny));
    scene_random_bed(&s, -2, -0.2, 11);
    scene_level(&s, 0.37);
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    const double h = 2.37, c0 = sqrt(9.81 * h),
                 most = (double)(4 + g->steps) * precision_epsilon((enum precision)c->precision) *
                        h * c0;
    for (int k = 1; k < o.state.system->unknowns && !seen->broken; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx && !seen->broken; i++) {
                const double q = o.state.field[k][scene_cell(&o.state, i, j)];
                if (!(fabs(q) <= most))
                    saw(seen,
                        "%s of cell (%d, %d) in a lake at rest is %.3g m2/s, where rounding "
                        "explains %.1g",
                        unknown_name(o.state.system, k), i, j, q, most);
            }
    outcome_free(&o);
    return ERR_OK;
}
