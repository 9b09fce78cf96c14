/* Mirrored, transposed or rotated problems give the same flow. */
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static const struct {
    const char *what;
    struct aspect aspect;
} aspects[] = {
    {"mirrored in x", {.how = MIRROR_X}},
    {"mirrored in y", {.how = MIRROR_Y}},
    {"x and y exchanged", {.how = EXCHANGE}},
    {"a quarter turn", {.how = EXCHANGE | MIRROR_Y}},
};

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct config c;
    struct scene s;
    struct outcome o = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 300 : 60;
    TRY(scene_busy(&s, variant_system(v), 45, 38));
    TRY_OUT(simulate(&c, &s, &o));
    for (size_t k = 0; k < sizeof aspects / sizeof *aspects; k++)
        TRY_OUT(found_otherwise(
            f, v, aspects[k].what, &c, &s, &o.state, &aspects[k].aspect,
            "formulas favour no direction, not even in the order of sums: the same bits"));
out:
    outcome_free(&o);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_symmetry;
const struct invariant invariant_symmetry = {
    .name = "symmetry",
    .of = OF_ALL,
    .title = "mirrored, transposed and rotated problems give the same flow",
    .why = "no side is special: catches a limiter, an edge or an index that is right in one "
           "direction only; split schemes sweep in the other order if x and y are exchanged",
    .quick = 1,
    .applies = variant_is_symmetric,
    .carried = CARRIED,
    .measure = measure,
};
