/* Blocks of any shape, and CPU and GPU, give the same bits. */
#include "verification/certify/same_bits.h"
#include "verification/run/invariant.h"

static int applies(const struct variant *v)
{
    return v->mode == STRICT;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    /* Neither as large as the default ones nor a divisor of the domain. */
    static const struct block otherwise = {16, 12};
    enum err e = ERR_OK;
    struct config c, other;
    struct scene s;
    struct outcome plain = {0}, cut = {0}, elsewhere = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 400 : 50;
    other = c;
    witness_blocks(&other, otherwise, NULL);
    TRY(witness_flow(&s, variant_system(v), 67, 53));
    TRY_OUT(simulate(&c, &s, &plain));
    TRY_OUT(simulate(&other, &s, &cut));
    struct gap gap = scene_gap(&plain.state, &cut.state, 0);
    found(f, "default blocks and 16 x 12", s.nx, gap.values, 0,
          "strict mode: no formula depends on the block");
    if (v->backend == CUDA) {
        struct variant host = *v;
        host.backend = CPU;
        variant_configure(&other, &host);
        other.steps = c.steps;
        TRY_OUT(simulate(&other, &s, &elsewhere));
        gap = scene_gap(&elsewhere.state, &plain.state, 0);
        found(f, "CPU and GPU", s.nx, gap.values, 0,
              "strict mode: one kernel text, no contraction, IEEE division and roots");
    }
out:
    outcome_free(&plain);
    outcome_free(&cut);
    outcome_free(&elsewhere);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_backends;
const struct invariant invariant_backends = {
    .name = "backends",
    .of = OF_ALL,
    .title = "any block shape, CPU and GPU: the same bits",
    .why = "one kernel text for all: catches races, halos that are too small and arithmetic that "
           "differs between compilers",
    .applies = applies,
    .carried = CARRIED,
    .measure = measure,
};
