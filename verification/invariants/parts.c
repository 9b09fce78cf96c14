/* A domain in parts gives the bits that it gives in one piece. */
#include <string.h>

#include "verification/certify/same_bits.h"
#include "verification/run/invariant.h"

static int applies(const struct variant *v)
{
    return v->mode == STRICT;
}

/* None divides the domain's 67 x 53 cells. */
static const char *const cuts[] = {"3", "2x2", "1:3:2", "7"};

static enum err compare(const struct config *c, const struct scene *s, const char *cut,
                        const struct outcome *plain, struct findings *f)
{
    char what[64];
    struct config in_parts = *c;
    struct outcome o = {0};
    TRY(shares_read(cut, &in_parts.parts));
    const enum err e = simulate(&in_parts, s, &o);
    snprintf(what, sizeof what, "in parts: %s", cut);
    if (!e) {
        const int same = memcmp(&o.clock, &plain->clock, sizeof o.clock) == 0 &&
                         memcmp(&o.balance, &plain->balance, sizeof o.balance) == 0;
        found(f, what, s->nx, scene_gap(&plain->state, &o.state, 1).values + !same, 0,
              "strict mode: values of the state, clock and balance that differ");
    }
    outcome_free(&o);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const int count = effort == 2 ? (int)(sizeof cuts / sizeof *cuts) : 2;
    enum err e = ERR_OK;
    struct config c;
    struct scene s;
    struct outcome plain = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 400 : 50;
    TRY(witness_shore(&s, 67, 53));
    TRY_OUT(simulate(&c, &s, &plain));
    for (int k = 0; k < count; k++)
        TRY_OUT(compare(&c, &s, cuts[k], &plain, f));
out:
    outcome_free(&plain);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_parts;
const struct invariant invariant_parts = {
    .name = "parts",
    .title = "a domain in parts, and in one piece: the same bits",
    .why = "every part computes what the whole would compute there: catches ghost cells that come "
           "late, from the wrong cell or not at all, and decisions that a part takes alone",
    .applies = applies,
    .carried = 1,
    .measure = measure,
};
