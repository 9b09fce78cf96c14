/* Blocks of any shape, and CPU and GPU, give the same bits. */
#include <string.h>

#include "core/registry.h"
#include "verification/patch.h"

static int applies(const struct variant *v)
{
    return v->mode == STRICT;
}

/* Fronts, friction, a rough bed, all kinds of edges. */
static enum err problem(struct patch *p)
{
    TRY(patch_rough(p, 67, 53));
    p->manning = 0.03;
    patch_open_edges(p);
    return ERR_OK;
}

/* Every kernel in blocks that are neither as large as the default ones nor a divisor of the domain. */
static void cut_otherwise(struct config *c)
{
    for (const char *const *k = find_scheme(c->scheme)->kernels; *k; k++)
        if (find_kernel(*k)->tuned) {
            struct block_choice *b = &c->blocks[c->block_count++];
            *b = (struct block_choice){.block = {16, 12}};
            strncpy(b->kernel, *k, sizeof b->kernel - 1);
        }
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    const long steps = effort == 2 ? 400 : 50;
    struct config c, other;
    struct patch p;
    struct outcome plain = {0}, cut = {0}, elsewhere = {0};
    variant_configure(&c, v);
    other = c;
    cut_otherwise(&other);
    TRY(problem(&p));
    TRY_OUT(patch_run(&c, &p, steps, &plain));
    TRY_OUT(patch_run(&other, &p, steps, &cut));
    struct gap gap = patch_gap(&plain.state, &cut.state);
    found(f, "default blocks and 16 x 12", p.nx, gap.values, 0,
          "strict mode: what a block is does not enter a formula");
    if (v->backend == CUDA) {
        struct variant host = *v;
        host.backend = CPU;
        variant_configure(&other, &host);
        TRY_OUT(patch_run(&other, &p, steps, &elsewhere));
        gap = patch_gap(&elsewhere.state, &plain.state);
        found(f, "CPU and GPU", p.nx, gap.values, 0,
              "strict mode: one kernel text, no contraction, IEEE division and roots");
    }
out:
    patch_outcome_free(&plain);
    patch_outcome_free(&cut);
    patch_outcome_free(&elsewhere);
    patch_free(&p);
    return e;
}

extern const struct invariant invariant_backends;
const struct invariant invariant_backends = {
    .name = "backends",
    .title = "any block shape, CPU and GPU: the same bits",
    .why = "one kernel text for all: catches races, aprons that are too small and arithmetic that "
           "differs between compilers",
    .applies = applies,
    .measure = measure,
};
