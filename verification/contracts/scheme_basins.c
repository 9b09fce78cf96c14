/* What every scheme of a system without a bed must preserve: symmetry, its first conserved quantity, and the
 * bounds of unknowns that it claims to keep. */
#include <math.h>

#include "core/registry/registry.h"
#include "verification/contracts/scheme_runs.h"

static const struct system *system_of(const struct config *c)
{
    return find_system(find_scheme(c->scheme)->system);
}

static enum err is_lost(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(flow_between_walls(c, g, &s));
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    outcome_free(&o);
    return ERR_OK;
}

/* Heights may be of either sign: rounding is that of the largest of them in every cell. */
static enum err gains(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(flow_between_walls(c, g, &s));
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    const double gained = o.balance.volume - o.volume0 - o.balance.inflow;
    const double most = volume_limit(c) * g->nx * g->ny;
    if (!(fabs(gained) <= most))
        saw(seen, "%.9g m3 in a closed basin became %.9g, where rounding explains %.1g", o.volume0,
            o.balance.volume, most);
    outcome_free(&o);
    return ERR_OK;
}

static void look_at_bounds(const struct scene *s, struct seen *seen)
{
    for (int k = 0; k < s->system->unknowns && !seen->broken; k++) {
        const struct unknown *u = &s->system->unknown[k];
        for (int j = 0; j < s->ny && u->low < u->high; j++)
            for (int i = 0; i < s->nx && !seen->broken; i++) {
                const double x = s->field[k][scene_cell(s, i, j)];
                if (!(x >= u->low && x <= u->high))
                    saw(seen, "%s of cell (%d, %d) is %.17g, not from %g to %g", u->name, i, j, x,
                        u->low, u->high);
            }
    }
}

/* Each cell with values unrelated to its neighbours', some at the bounds, and steep, so that what moves limits
 * the step. In many small basins, each of which has its own limit. */
static enum err leaves_bounds(const struct config *c, const struct rung *g, struct seen *seen)
{
    const unsigned long basins = g->nx * g->ny < 100 ? 40 : 1;
    struct scene s;
    struct outcome o;
    int ok;
    if (!find_scheme(c->scheme)->bounded)
        return ERR_OK;
    for (unsigned long seed = 1; seed <= basins && !seen->broken; seed++) {
        TRY(scene_basin(&s, system_of(c), g->nx, g->ny, 10, 1, seed));
        TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
        if (!ok)
            return ERR_OK;
        look_at_bounds(&o.state, seen);
        outcome_free(&o);
    }
    return ERR_OK;
}

static const struct rung bound_rungs[] = {{3, 1, 1}, {3, 3, 1}, {6, 5, 3}, {33, 26, 20}, {0, 0, 0}};

const struct run_question scheme_basin_questions[] = {
    {"finite", small_rungs, is_lost,
     "breaks down in a gentle basin at the step that it claims: lower .cfl, or check its limit",
     "a random basin stays finite", 0},
    {"mirrored x", few_rungs, changes_mirrored_x,
     "gives other bits if west and east change places: a sum is not grouped by direction, or an "
     "index is off",
     "mirrored in x, a basin has the same bits", 0},
    {"mirrored y", few_rungs, changes_mirrored_y,
     "gives other bits if south and north change places: a sum is not grouped by direction, or an "
     "index is off",
     "mirrored in y, a basin has the same bits", 0},
    {"exchanged", few_rungs, changes_transposed,
     "gives other bits if x and y change places: dx stands for dy, or the sum of a direction is "
     "added to before the other is complete",
     "with x and y exchanged, a basin has the same bits", 0},
    {"volume", few_rungs, gains,
     "changes the sum of its first unknown between walls: what leaves a cell must enter the next",
     "the sum of its first unknown stays, to rounding", 0},
    {"bounds", bound_rungs, leaves_bounds,
     "leaves the bounds that it claims to keep (.bounded): its limit of the step is too long",
     "unknowns stay within the bounds that it claims to keep, if it claims that", 0},
    {0},
};
