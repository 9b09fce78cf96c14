/* What is mirrored, exchanged in x and y, or turned, runs as its original does. */
#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static const struct aspect {
    const char *what;
    int how;
} aspects[] = {
    {"mirrored in x", MIRROR_X},
    {"mirrored in y", MIRROR_Y},
    {"x and y exchanged", EXCHANGE},
    {"a quarter turn", EXCHANGE | MIRROR_Y},
};

/* Seen otherwise and then run, or run and then seen otherwise. A split scheme must sweep in the other
 * order where x and y change places. */
static enum err compare(const struct config *c, const struct scene *s, const struct scene *ran,
                        int how, struct gap *gap)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct scene seen = {0}, expected = {0};
    struct outcome o = {0};
    if ((how & EXCHANGE) && find_scheme(c->scheme)->split)
        other.sweep = SWEEP_YX;
    TRY_OUT(scene_seen(&seen, s, how));
    TRY_OUT(simulate(&other, &seen, &o));
    TRY_OUT(scene_seen(&expected, ran, how));
    *gap = scene_gap(&expected, &o.state, 0);
out:
    outcome_free(&o);
    scene_free(&expected);
    scene_free(&seen);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct config c;
    struct scene s;
    struct outcome o = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 300 : 60;
    TRY(scene_rough(&s, 45, 38));
    scene_mixed_edges(&s);
    TRY_OUT(simulate(&c, &s, &o));
    for (int k = 0; k < (int)(sizeof aspects / sizeof *aspects); k++) {
        struct gap gap;
        TRY_OUT(compare(&c, &s, &o.state, aspects[k].how, &gap));
        found_gap(
            f, v, aspects[k].what, s.nx, &gap, 1.5,
            "formulas favour no direction, in the order of their sums neither: the same bits");
    }
out:
    outcome_free(&o);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_symmetry;
const struct invariant invariant_symmetry = {
    .name = "symmetry",
    .title = "mirrored, transposed and turned problems run alike",
    .why =
        "no side is special: catches a limiter, an edge or an index that is right in one direction "
        "only; split schemes sweep in the other order where x and y change places",
    .quick = 1,
    .applies = variant_is_symmetric,
    .measure = measure,
};
