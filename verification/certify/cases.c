/* Every case with every scheme: the bits that they come to. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"
#include "verification/run/case_sim.h"
#include "verification/run/progress.h"
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

static enum err take_digests(struct case_sim *s, struct certified_run *run)
{
    TRY(digest_start(s->sim, &s->problem.setup.source, run->initial));
    const enum err e = sim_run(s->sim, (double)INFINITY, NULL);
    if (!e)
        return digest_state(s->sim, run->final);
    strcpy(run->final, certified_broken);
    return e == ERR_BROKEN ? ERR_OK : e;
}

static enum err run_case(struct certifying *c, const struct flow_case *f, enum backend_kind b,
                         struct certified_run *run)
{
    struct case_sim *s = calloc(1, sizeof *s);
    char text[RUN_TEXT];
    if (!s)
        FAIL(MEMORY, "no memory for a run");
    progress_show("%s", certified_text(run, text));
    certified_configure(&s->config, run, b, c->device);
    enum err e = case_sim_open(s, f);
    if (!e)
        e = take_digests(s, run);
    if (e)
        err_context("%s on %s", certified_text(run, text), backends[b]->name);
    case_sim_close(s);
    free(s);
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
