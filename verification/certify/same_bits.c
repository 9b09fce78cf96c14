/* Flows and the comparison of their bits. */
#include "verification/certify/same_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "verification/run/invariant.h"

static const double ROUGH = 0.03; /* s/m^(1/3) */

enum err witness_shore(struct scene *s, int nx, int ny)
{
    TRY(scene_rough(s, nx, ny));
    scene_mixed_edges(s);
    s->manning = ROUGH;
    return ERR_OK;
}

/* The same ground and water in a periodic domain, with rain and a force everywhere. */
static enum err witness_rain(struct scene *s, int nx, int ny)
{
    TRY(scene_rough(s, nx, ny));
    scene_edges(s, PERIODIC, PERIODIC);
    scene_force(s, 0.01, 0.05, 7);
    s->manning = ROUGH;
    return ERR_OK;
}

static const struct witness {
    const char *name;
    enum err (*make)(struct scene *s, int nx, int ny);
} witnesses[] = {{"shore", witness_shore}, {"rain", witness_rain}};
enum { WITNESSES = sizeof witnesses / sizeof *witnesses };

void witness_blocks(struct config *c, struct block b, const char *ending)
{
    const int threads = strcmp(c->backend, backend_cuda.name) == 0;
    for (const char *const *name = find_scheme(c->scheme)->kernels; *name; name++) {
        const struct kernel *k = find_kernel(*name);
        const size_t n = strlen(*name), end = ending ? strlen(ending) : 0;
        struct block_choice *to = &c->blocks[c->block_count];
        if (!k || !k->tuned || n < end || (ending && strcmp(*name + n - end, ending) != 0))
            continue;
        *to = (struct block_choice){.block = b};
        snprintf(to->kernel, sizeof to->kernel, "%s", *name);
        if (threads && k->threads) {
            const int least = k->space[CUDA].w[0].from, more = b.w > least ? b.w - least : 0;
            to->block.w = least + (more + k->threads - 1) / k->threads * k->threads;
        }
        c->block_count++;
    }
}

static void configure(struct config *c, const struct certifying *asked, const char *scheme,
                      enum precision p, enum backend_kind b)
{
    struct variant v = {.precision = p, .backend = b, .mode = STRICT};
    v.device = b == CUDA ? asked->device : 0;
    snprintf(v.scheme, sizeof v.scheme, "%s", scheme);
    variant_configure(c, &v);
    c->tuned = 0;
    c->graphs = GRAPHS_OFF;
}

/* What differs, after "rk2 f32 shore on cpu with 2 threads: ". */
static enum err compare(struct certifying *c, const char *what, const struct outcome *plain,
                        const struct outcome *other, struct answer *a)
{
    a->compared++;
    if (plain->broken || other->broken)
        return certify_differs(c, "%s: %s broke down", what, plain->broken ? "the first" : "it");
    const struct gap gap = scene_gap(&plain->state, &other->state, 1);
    if (gap.values > 0)
        return certify_differs(c,
                               "%s: %.0f values differ, the first is %s in cell (%d, %d): %.17g, "
                               "not %.17g",
                               what, gap.values, unknown_name(plain->state.system, gap.field),
                               gap.i, gap.j, gap.got, gap.expected);
    if (plain->clock.steps != other->clock.steps ||
        memcmp(&plain->clock.t, &other->clock.t, sizeof plain->clock.t) != 0)
        return certify_differs(c, "%s: step %lu at %.17g s, not %lu at %.17g s", what,
                               other->clock.steps, other->clock.t, plain->clock.steps,
                               plain->clock.t);
    a->same++;
    return ERR_OK;
}

static enum err vary(struct certifying *c, const struct comparison *how, const struct config *run,
                     const struct scene *s, const char *name, struct answer *a)
{
    struct outcome plain = {0}, other = {0};
    enum err e = ERR_OK;
    char what[256];
    TRY_OUT(simulate(run, s, &plain));
    for (const struct variation *v = how->variation; v->name && !e; v++) {
        if (v->precision >= 0 && v->precision != run->precision)
            continue;
        snprintf(what, sizeof what, "%s %s %s on %s, %s", run->scheme,
                 precision_names[run->precision], name, run->backend, v->name);
        if (c->progress)
            c->progress(what);
        e = v->run(run, s, v->n, &other);
        if (e)
            err_context("%s", what);
        else
            e = compare(c, what, &plain, &other, a);
        outcome_free(&other);
        other = (struct outcome){0};
    }
out:
    outcome_free(&plain);
    return e;
}

static enum err compare_flow(struct certifying *c, const struct comparison *how,
                             const struct config *run, const struct witness *w, struct answer *a)
{
    struct scene s;
    TRY(w->make(&s, how->nx ? how->nx : 67, how->ny ? how->ny : 53));
    const enum err e = vary(c, how, run, &s, w->name, a);
    scene_free(&s);
    return e;
}

enum err witness_compare(struct certifying *c, enum backend_kind b, const struct comparison *how,
                         struct answer *a)
{
    const struct witness own = {"own", how->scene};
    struct config *run = malloc(sizeof *run);
    enum err e = ERR_OK;
    if (!run)
        FAIL(MEMORY, "no memory for a run");
    for (int k = 0; schemes[k] && !e; k++) {
        if (!certify_wants(c, schemes[k]) || (how->applies && !how->applies(schemes[k])))
            continue;
        for (int p = 0; p < PRECISIONS && !e; p++) {
            configure(run, c, schemes[k]->name, (enum precision)p, b);
            run->steps = how->steps ? how->steps : 24;
            for (int w = 0; w < (how->scene ? 1 : WITNESSES) && !e; w++)
                e = compare_flow(c, how, run, how->scene ? &own : &witnesses[w], a);
        }
    }
    free(run);
    return e;
}
