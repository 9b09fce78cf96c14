/* Small flows, and the comparison of their bits. */
#include "verification/certify/same_bits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/monotonic_time.h"
#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "verification/certify/digest.h"
#include "verification/run/case_sim.h"
#include "verification/run/session.h"

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

/* Scenes are for water; schemes of other systems run this case, with variations of settings
 * only. */
static const char case_of_sediment[] = "delta";

/* The digest of the last state of the case, and when that is. */
static enum err run_case(const struct config *run, char digest[DIGEST + 1], struct clock *end)
{
    struct case_sim *s = calloc(1, sizeof *s);
    if (!s)
        FAIL(MEMORY, "no memory for a run");
    s->config = *run;
    enum err e = case_sim_open(s, find_case(case_of_sediment));
    if (!e)
        e = sim_run(s->sim, (double)INFINITY, NULL);
    if (!e)
        e = digest_state(s->sim, digest);
    if (!e)
        *end = s->sim->now;
    case_sim_close(s);
    free(s);
    return e;
}

static enum err compare_case(const struct comparison *how, const struct config *run,
                             struct told *told)
{
    char plain[DIGEST + 1], other[DIGEST + 1], what[256];
    struct clock end, ended;
    struct config *const changed = malloc(sizeof *changed);
    if (!changed)
        FAIL(MEMORY, "no memory for a run");
    enum err e = run_case(run, plain, &end);
    for (const struct variation *v = how->variation; v->name && !e; v++) {
        if (v->run || (v->precision >= 0 && v->precision != run->precision))
            continue;
        snprintf(what, sizeof what, "%s %s %s on %s, %s", run->scheme,
                 precision_names[run->precision], case_of_sediment, run->backend, v->name);
        *changed = *run;
        if (v->configure)
            v->configure(changed, v->n);
        e = run_case(changed, other, &ended);
        if (e) {
            err_context("%s", what);
            break;
        }
        told->compared++;
        if (strcmp(plain, other) == 0 && end.steps == ended.steps &&
            memcmp(&end.t, &ended.t, sizeof end.t) == 0)
            told->same++;
        else
            told_differs(told, "%s: %s after %lu steps, not %s after %lu", what, other, ended.steps,
                         plain, end.steps);
    }
    free(changed);
    return e;
}

static enum err compare_flow(const struct comparison *how, const struct config *run,
                             const struct witness *w, struct told *told)
{
    struct scene s;
    TRY(w->make(&s, how->nx ? how->nx : 67, how->ny ? how->ny : 53));
    const enum err e = vary(how, run, &s, w->name, told);
    scene_free(&s);
    return e;
}

/* All flows of a comparison for a job's variant. */
static enum err compare_flows(const struct job *t, void *told)
{
    const struct comparison *how = t->of;
    const struct witness own = {"own", how->scene};
    struct config *run = malloc(sizeof *run);
    enum err e = ERR_OK;
    if (!run)
        FAIL(MEMORY, "no memory for a run");
    variant_configure(run, &t->run.variant);
    run->tuned = 0;
    run->graphs = GRAPHS_OFF;
    run->steps = how->steps ? how->steps : 24;
    if (!scheme_moves_water(find_scheme(run->scheme))) {
        run->nx = how->nx ? how->nx : 67;
        e = compare_case(how, run, told);
        free(run);
        return e;
    }
    for (int w = 0; w < (how->scene ? 1 : WITNESSES) && !e; w++)
        e = compare_flow(how, run, how->scene ? &own : &witnesses[w], told);
    free(run);
    return e;
}

/* Schemes of other systems run variations of settings, not of scenes. */
static int applies(const struct comparison *how, const struct scheme *s)
{
    int by_settings = 0;
    for (const struct variation *v = how->variation; v->name; v++)
        by_settings |= !v->run;
    return (!how->applies || how->applies(s)) &&
           (scheme_moves_water(s) || (by_settings && !how->scene));
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
