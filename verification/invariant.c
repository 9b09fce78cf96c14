/* What invariants and runs share: findings, and the configuration of a variant. */
#include "verification/invariant.h"

#include <assert.h>
#include <stdio.h>

#include "core/backend.h"
#include "core/registry.h"

void found(struct findings *f, const char *what, int n, double value, double most, const char *why)
{
    assert(f->count < FINDINGS);
    struct finding *one = &f->finding[f->count++];
    *one = (struct finding){.n = n, .value = value, .most = most};
    snprintf(one->what, sizeof one->what, "%s", what);
    snprintf(one->why, sizeof one->why, "%s", why);
}

void variant_configure(struct config *c, const struct variant *v)
{
    const struct scheme *scheme = find_scheme(v->scheme);
    config_defaults(c);
    snprintf(c->scheme, sizeof c->scheme, "%s", v->scheme);
    snprintf(c->limiter, sizeof c->limiter, "%s", v->limiter);
    snprintf(c->backend, sizeof c->backend, "%s", backends[v->backend]->name);
    c->precision = (int)v->precision;
    c->mode = (int)v->mode;
    c->device = v->device;
    c->threads = 1;
    c->early_exit = EARLY_EXIT_OFF;
    c->quiet = 1;
    if (scheme)
        c->cfl = scheme->cfl;
}
