/* Small flows, and the comparison of their bits. */
#include "verification/certify/same_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/monotonic_time.h"
#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "verification/run/session.h"

static const double ROUGH = 0.03; /* s/m^(1/3) */

enum err witness_flow(struct scene *s, const struct system *system, int nx, int ny)
{
    TRY(scene_busy(s, system, nx, ny));
    s->manning = system->over_bed ? ROUGH : 0;
    return ERR_OK;
}

enum err witness_shore(struct scene *s, int nx, int ny)
{
    return witness_flow(s, find_system("shallow_water"), nx, ny);
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

/* Describes a difference, after "rk2 f32 shore on cpu with 2 threads: ". */
static void compare(const char *what, const struct outcome *plain, const struct outcome *other,
                    struct told *told)
{
    const struct gap gap = scene_gap(&plain->state, &other->state, 1);
    told->compared++;
    if (plain->broken || other->broken)
        told_differs(told, "%s: %s broke down", what, plain->broken ? "the first" : "it");
    else if (gap.values > 0)
        told_differs(told,
                     "%s: %.0f values differ, the first is %s in cell (%d, %d): %.17g, not %.17g",
                     what, gap.values, unknown_name(plain->state.system, gap.field), gap.i, gap.j,
                     gap.got, gap.expected);
    else if (plain->clock.steps != other->clock.steps ||
             memcmp(&plain->clock.t, &other->clock.t, sizeof plain->clock.t) != 0)
        told_differs(told, "%s: step %lu at %.17g s, not %lu at %.17g s", what, other->clock.steps,
                     other->clock.t, plain->clock.steps, plain->clock.t);
    else
        told->same++;
}

static enum err vary(const struct comparison *how, const struct config *run, const struct scene *s,
                     const char *name, struct told *told)
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
        struct config changed = *run;
        if (v->configure)
            v->configure(&changed, v->n);
        e = v->run ? v->run(&changed, s, v->n, &other) : simulate(&changed, s, &other);
        if (e)
            err_context("%s", what);
        else
            compare(what, &plain, &other, told);
        outcome_free(&other);
        other = (struct outcome){0};
    }
out:
    outcome_free(&plain);
    return e;
}

/* Of water two, unless the comparison has one of its own or wants the first only; of another system a basin. */
static int count_flows(const struct comparison *how, const struct system *system)
{
    return how->scene || how->first || !system->over_bed ? 1 : 2;
}

static enum err compare_flow(const struct comparison *how, const struct config *run,
                             const struct system *system, int which, struct told *told)
{
    const int nx = how->nx ? how->nx : 67, ny = how->ny ? how->ny : 53;
    const char *name = how->scene ? "own" : !system->over_bed ? "basin" : which ? "rain" : "shore";
    struct scene s;
    TRY(how->scene ? how->scene(&s, nx, ny)
        : which    ? witness_rain(&s, nx, ny)
                   : witness_flow(&s, system, nx, ny));
    const enum err e = vary(how, run, &s, name, told);
    scene_free(&s);
    return e;
}

/* All flows of a comparison for a job's variant. */
static enum err compare_flows(const struct job *t, void *told)
{
    const struct comparison *how = t->of;
    struct config *run = malloc(sizeof *run);
    enum err e = ERR_OK;
    if (!run)
        FAIL(MEMORY, "no memory for a run");
    variant_configure(run, &t->run.variant);
    run->tuned = 0;
    run->graphs = GRAPHS_OFF;
    run->steps = how->steps ? how->steps : 24;
    const struct system *system = find_system(find_scheme(run->scheme)->system);
    for (int k = 0; k < count_flows(how, system) && !e; k++)
        e = compare_flow(how, run, system, k, told);
    free(run);
    return e;
}

/* A flow of its own is water. */
static int applies(const struct comparison *how, const struct scheme *s)
{
    return (!how->applies || how->applies(s)) && (!how->scene || scheme_moves_water(s));
}

enum err witness_compare(struct certifying *c, enum backend_kind b, const struct comparison *how,
                         struct answer *a)
{
    struct session s = {.began = seconds()};
    enum err e = ERR_OK;
    for (int k = 0; schemes[k]; k++)
        for (int p = 0; p < PRECISIONS; p++) {
            struct job t = {.kind = JOB_WORK, .needs = {-1, -1}, .work = compare_flows, .of = how};
            if (!certify_wants(c, schemes[k]) || !applies(how, schemes[k]))
                continue;
            t.run.variant = certify_variant(c, schemes[k], (enum precision)p, b);
            TRY_OUT(plan_add(&s.plan, &t));
        }
    TRY_OUT(certify_compute(c, &s, a));
out:
    session_free(&s);
    return e;
}
