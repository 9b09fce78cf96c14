/* Checks of a scheme that declares a tracer: the tracer must move with the water. */
#include <math.h>

#include "core/registry/registry.h"
#include "verification/contracts/scheme_runs.h"

typedef enum err breaking(const struct config *c, const struct rung *g, struct seen *seen);

/* The same check for flows with a tracer. */
static enum err carrying(const struct config *c, const struct rung *g, struct seen *seen,
                         breaking *breaks)
{
    scene_solve(find_system(find_scheme(c->scheme)->also));
    const enum err e = breaks(c, g, seen);
    scene_solve(NULL);
    return e;
}

static enum err mirrored_x(const struct config *c, const struct rung *g, struct seen *seen)
{
    return carrying(c, g, seen, changes_mirrored_x);
}

static enum err mirrored_y(const struct config *c, const struct rung *g, struct seen *seen)
{
    return carrying(c, g, seen, changes_mirrored_y);
}

static enum err transposed(const struct config *c, const struct rung *g, struct seen *seen)
{
    return carrying(c, g, seen, changes_transposed);
}

/* In every wet cell, also just behind a front. */
static enum err changes_constant(const struct config *c, const struct rung *g, struct seen *seen)
{
    const double same = c->precision == F64 ? 0.7 : (double)0.7f;
    struct scene s;
    struct outcome o;
    int ok;
    TRY(scene_rough(&s, g->nx, g->ny));
    const size_t cells = scene_cell(&s, 0, s.ny);
    const int carried = s.system->carried;
    for (size_t k = 0; k < cells; k++)
        s.field[carried][k] = 0.7;
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    for (size_t k = 0; k < cells && !seen->broken; k++) {
        const double x = o.state.field[carried][k];
        if (o.depth[k] > 0 && !(x >= same && x <= same))
            saw(seen, "c of cell (%zu, %zu), under %.3g m, is %.9g, not %.9g", k % (size_t)g->nx,
                k / (size_t)g->nx, o.depth[k], x, same);
    }
    outcome_free(&o);
    return ERR_OK;
}

static enum err constant(const struct config *c, const struct rung *g, struct seen *seen)
{
    return carrying(c, g, seen, changes_constant);
}

const struct run_question scheme_carried_questions[] = {
    {"carried constant", few_rungs, constant,
     "declares .also, and changes a constant concentration: a substep takes c from another state "
     "than the "
     "water, or one of its kernels ignores the tracer",
     "a constant concentration stays, to the bit, in every wet cell", 0},
    {"carried, mirrored in x", few_rungs, mirrored_x,
     "carries c to other cells in a problem mirrored in x",
     "so does what it carries, mirrored in x", 0},
    {"carried, mirrored in y", few_rungs, mirrored_y,
     "carries c to other cells in a problem mirrored in y", "and mirrored in y", 0},
    {"carried, transposed", few_rungs, transposed,
     "carries c to other cells where x and y are exchanged", "and with x and y exchanged", 0},
    {0},
};
