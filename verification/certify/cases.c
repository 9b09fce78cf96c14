/* Every case with every scheme: the resulting bits. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/base/monotonic_time.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"
#include "verification/run/case_sim.h"
#include "verification/run/session.h"

enum err certify_differs(struct certifying *c, const char *fmt, ...)
{
    struct difference *more = realloc(c->difference, ((size_t)c->differences + 1) * sizeof *more);
    va_list ap;
    if (!more)
        FAIL(MEMORY, "no memory for what differs");
    c->difference = more;
    va_start(ap, fmt);
    vsnprintf(more[c->differences].text, sizeof more->text, fmt, ap);
    va_end(ap);
    c->differences++;
    return ERR_OK;
}

void certifying_free(struct certifying *c)
{
    free(c->difference);
    certificate_free(&c->stored);
    for (int b = 0; b < BACKENDS; b++)
        certificate_free(&c->computed[b]);
}

void told_differs(struct told *t, const char *fmt, ...)
{
    va_list ap;
    if (t->said == TELLINGS)
        return;
    va_start(ap, fmt);
    vsnprintf(t->text[t->said], sizeof t->text[0], fmt, ap);
    va_end(ap);
    t->said++;
}

enum err certify_compute(struct certifying *c, struct session *s, struct answer *a)
{
    static_assert(sizeof(struct told) <= TOLD, "no room for a job's result");
    if (!s->plan.count)
        return ERR_OK;
    s->plan.asked.effort = USUAL; /* the time limit for that: emulated, a run takes minutes */
    TRY(session_run(s, session_workers(0), NULL));
    for (int k = 0; k < s->plan.count; k++) {
        const struct told *t = (const struct told *)s->outcome[k].told;
        if (s->outcome[k].err)
            return err_set(s->outcome[k].err, __FILE__, __LINE__, "%s", s->outcome[k].message);
        for (int n = 0; n < t->said; n++)
            TRY(certify_differs(c, "%s", t->text[n]));
        if (a) {
            a->compared += t->compared;
            a->same += t->same;
        }
    }
    return ERR_OK;
}

struct variant certify_variant(const struct certifying *c, const struct scheme *s, enum precision p,
                               enum backend_kind b)
{
    struct variant v = {.precision = p, .backend = b, .mode = STRICT};
    v.device = b == CUDA ? c->device : 0;
    if (division_divides(&c->division))
        v.division = &c->division;
    snprintf(v.scheme, sizeof v.scheme, "%s", s->name);
    return v;
}

int certify_wants(const struct certifying *c, const struct scheme *s)
{
    return selected(c->schemes, s->name);
}

/* As `shoal run` does with the options that the certificate names; what else is set changes no bit. */
void certified_configure(struct config *c, const struct certified_run *run,
                         const struct variant *where)
{
    const double usual = find_scheme(run->scheme)->usual_cfl;
    config_case_defaults(c);
    snprintf(c->scheme, sizeof c->scheme, "%s", run->scheme);
    c->cfl = usual > 0 ? usual : c->cfl;
    c->precision_chosen = 1;
    snprintf(c->backend, sizeof c->backend, "%s", variant_backend(where));
    c->precision = (int)run->precision;
    c->mode = STRICT;
    c->nx = CERTIFICATE_NX;
    c->steps = CERTIFICATE_STEPS;
    c->device = where->device;
    config_divide(c, where->division);
    c->threads = 1;
    c->tuned = 0;
    c->early_exit = EARLY_EXIT_OFF;
    c->quiet = 1;
}

const char certified_broken[] = "broke down";

static enum err take_digests(struct case_sim *s, struct certified_run *run)
{
    TRY(digest_start(s->sim, &s->problem.setup.source, run->initial));
    const enum err e = sim_run(s->sim, (double)INFINITY, NULL);
    if (!e)
        return digest_state(s->sim, run->final);
    strcpy(run->final, certified_broken);
    return e == ERR_BROKEN ? ERR_OK : e;
}

/* A run of a case by a job's variant. */
static enum err run_case(const struct job *t, void *told)
{
    struct certified_run *run = &((struct told *)told)->run;
    const enum backend_kind b = t->run.variant.backend;
    struct case_sim *s = calloc(1, sizeof *s);
    char text[RUN_TEXT];
    if (!s)
        FAIL(MEMORY, "no memory for a run");
    *run = (struct certified_run){.precision = t->run.variant.precision};
    snprintf(run->scheme, sizeof run->scheme, "%s", t->run.variant.scheme);
    snprintf(run->flow_case, sizeof run->flow_case, "%s", t->run.flow_case->name);
    certified_configure(&s->config, run, &t->run.variant);
    enum err e = case_sim_open(s, t->run.flow_case);
    if (!e)
        e = take_digests(s, run);
    if (e)
        err_context("%s on %s", certified_text(run, text), backends[b]->name);
    case_sim_close(s);
    free(s);
    return e;
}

static enum err plan_cases(const struct certifying *c, enum backend_kind b, struct plan *p)
{
    for (int s = 0; schemes[s]; s++)
        for (int k = 0; cases[k]; k++)
            for (int q = 0; q < PRECISIONS; q++) {
                struct job t = {.kind = JOB_WORK, .needs = {-1, -1}, .work = run_case};
                if (!certify_wants(c, schemes[s]) || !selected(c->cases, cases[k]->name) ||
                    !scheme_solves(schemes[s], case_system(cases[k])))
                    continue;
                t.run.flow_case = cases[k];
                t.run.variant = certify_variant(c, schemes[s], (enum precision)q, b);
                TRY(plan_add(p, &t));
            }
    return ERR_OK;
}

enum err certify_cases(struct certifying *c, enum backend_kind b)
{
    struct session s = {.began = seconds()};
    enum err e = ERR_OK;
    if (c->computed[b].count)
        return ERR_OK;
    digest_functions(c->computed[b].functions);
    TRY_OUT(plan_cases(c, b, &s.plan));
    TRY_OUT(certify_compute(c, &s, NULL));
    for (int k = 0; k < s.plan.count; k++)
        TRY_OUT(certificate_put(&c->computed[b], &((const struct told *)s.outcome[k].told)->run));
out:
    session_free(&s);
    return e;
}
