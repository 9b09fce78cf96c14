/* Every case with every scheme: the bits that they come to. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"
#include "verification/certify/questions.h"
#include "verification/run/plan.h"

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

int certify_wants(const struct certifying *c, const struct scheme *s)
{
    return selected(c->schemes, s->name);
}

/* As `shoal run` does with the options that the certificate names; what else is set changes no bit. */
void certified_configure(struct config *c, const struct certified_run *run, enum backend_kind b,
                         int device)
{
    config_case_defaults(c);
    snprintf(c->scheme, sizeof c->scheme, "%s", run->scheme);
    snprintf(c->backend, sizeof c->backend, "%s", backends[b]->name);
    c->precision = (int)run->precision;
    c->mode = STRICT;
    c->nx = CERTIFICATE_NX;
    c->steps = CERTIFICATE_STEPS;
    c->device = b == CUDA ? device : 0;
    c->threads = 1;
    c->tuned = 0;
    c->early_exit = EARLY_EXIT_OFF;
    c->quiet = 1;
}

const char certified_broken[] = "broke down";

static enum err run_sim(const struct setup *setup, struct certified_run *run)
{
    struct sim *sim = NULL;
    enum err e = ERR_OK;
    TRY(sim_create(&sim, setup));
    TRY_OUT(digest_start(sim, &setup->source, run->initial));
    e = sim_run(sim, (double)INFINITY, NULL);
    if (e == ERR_BROKEN) {
        strcpy(run->final, certified_broken);
        e = ERR_OK;
    } else if (!e) {
        e = digest_state(sim, run->final);
    }
out:
    sim_destroy(sim);
    return e;
}

static enum err run_case(struct certifying *c, const struct flow_case *f, enum backend_kind b,
                         struct certified_run *run)
{
    struct config *config = calloc(1, sizeof *config);
    struct problem *problem = calloc(1, sizeof *problem);
    char text[RUN_TEXT];
    enum err e = ERR_OK;
    if (!config || !problem) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a run");
        goto out;
    }
    if (c->progress)
        c->progress(certified_text(run, text));
    certified_configure(config, run, b, c->device);
    e = problem_open_case(problem, f, config);
    if (!e)
        e = run_sim(&problem->setup, run);
    problem_close(problem);
    if (e)
        err_context("%s on %s", certified_text(run, text), backends[b]->name);
out:
    free(problem);
    free(config);
    return e;
}

enum err certify_cases(struct certifying *c, enum backend_kind b)
{
    struct certified_run run;
    if (c->computed[b].count)
        return ERR_OK;
    digest_functions(c->computed[b].functions);
    for (int s = 0; schemes[s]; s++)
        for (int k = 0; cases[k]; k++)
            for (int p = 0; p < PRECISIONS; p++) {
                if (!certify_wants(c, schemes[s]) || !selected(c->cases, cases[k]->name))
                    continue;
                run = (struct certified_run){.precision = (enum precision)p};
                snprintf(run.scheme, sizeof run.scheme, "%s", schemes[s]->name);
                snprintf(run.flow_case, sizeof run.flow_case, "%s", cases[k]->name);
                TRY(run_case(c, cases[k], b, &run));
                TRY(certificate_put(&c->computed[b], &run));
            }
    return ERR_OK;
}
