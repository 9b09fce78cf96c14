/* What is mirrored, exchanged in x and y, or turned, runs as its original does. */
#include "core/registry.h"
#include "verification/patch.h"

static const struct aspect {
    const char *what;
    int how;
} aspects[] = {
    {"mirrored in x", MIRROR_X},
    {"mirrored in y", MIRROR_Y},
    {"x and y exchanged", EXCHANGE},
    {"a quarter turn", EXCHANGE | MIRROR_Y},
};

static int applies(const struct variant *v)
{
    struct config c;
    variant_configure(&c, v);
    return (find_plugin(limiters, v->limiter)->properties &
            find_plugin(fluxes, c.flux)->properties &
            find_plugin(reconstructions, c.reconstruction)->properties & SYMMETRIC) != 0;
}

/* Seen otherwise and then run, or run and then seen otherwise. A split scheme must sweep in the other
 * order where x and y change places. */
static enum err compare(const struct config *c, const struct patch *p, const struct patch *ran,
                        int how, long steps, struct gap *gap)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct patch seen = {0}, expected = {0};
    struct outcome o = {0};
    if ((how & EXCHANGE) && find_scheme(c->scheme)->split)
        other.sweep = SWEEP_YX;
    TRY_OUT(patch_seen(&seen, p, how));
    TRY_OUT(patch_run(&other, &seen, steps, &o));
    TRY_OUT(patch_seen(&expected, ran, how));
    *gap = patch_gap(&expected, &o.state);
out:
    patch_outcome_free(&o);
    patch_free(&expected);
    patch_free(&seen);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    const long steps = effort == 2 ? 300 : 60;
    struct config c;
    struct patch p;
    struct outcome o = {0};
    variant_configure(&c, v);
    TRY(patch_rough(&p, 45, 38));
    patch_open_edges(&p);
    TRY_OUT(patch_run(&c, &p, steps, &o));
    for (int k = 0; k < (int)(sizeof aspects / sizeof *aspects); k++) {
        struct gap gap;
        TRY_OUT(compare(&c, &p, &o.state, aspects[k].how, steps, &gap));
        found_gap(
            f, v, aspects[k].what, p.nx, &gap, 1.5,
            "formulas favour no direction, in the order of their sums neither: the same bits");
    }
out:
    patch_outcome_free(&o);
    patch_free(&p);
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
    .applies = applies,
    .measure = measure,
};
