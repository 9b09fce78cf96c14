/* What invariants and runs share: findings, and the configuration of a variant. */
#include "verification/invariant.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/backend.h"
#include "core/registry.h"
#include "verification/sample.h"

void found(struct findings *f, const char *what, int n, double value, double most, const char *why)
{
    assert(f->count < FINDINGS);
    struct finding *one = &f->finding[f->count++];
    *one = (struct finding){.n = n, .value = value, .most = most};
    snprintf(one->what, sizeof one->what, "%s", what);
    snprintf(one->why, sizeof one->why, "%s", why);
}

void found_gap(struct findings *f, const struct variant *v, const char *what, int n,
               const struct gap *gap, double scale, const char *why)
{
    if (v->mode == STRICT)
        found(f, what, n, gap->values, 0, why);
    else
        found(f, what, n, gap->level / scale, 2e3 * precision_epsilon(v->precision),
              "fast mode contracts and reorders: rounding, which fronts over rough beds amplify");
}

void variant_configure(struct config *c, const struct variant *v)
{
    config_defaults(c);
    if (v->scheme[0])
        snprintf(c->scheme, sizeof c->scheme, "%s", v->scheme);
    if (v->limiter[0])
        snprintf(c->limiter, sizeof c->limiter, "%s", v->limiter);
    snprintf(c->backend, sizeof c->backend, "%s", variant_backend(v));
    c->precision = (int)v->precision;
    c->mode = (int)v->mode;
    c->device = v->device;
    c->threads = 1;
    c->early_exit = EARLY_EXIT_OFF;
    c->quiet = 1;
    const struct scheme *scheme = find_scheme(c->scheme);
    if (scheme)
        c->cfl = scheme->cfl;
}

const char *variant_precision(const struct variant *v)
{
    return precision_names[v->precision];
}

const char *variant_backend(const struct variant *v)
{
    return backends[v->backend]->name;
}

/* Asked for every line of a verification: the options' table is read once. */
static const struct config *usual(void)
{
    static struct config c;
    if (!*c.scheme)
        config_defaults(&c);
    return &c;
}

int variant_has_default_scheme(const struct variant *v)
{
    return strcmp(v->scheme, usual()->scheme) == 0;
}

int variant_has_default_limiter(const struct variant *v)
{
    return strcmp(v->limiter, usual()->limiter) == 0;
}
