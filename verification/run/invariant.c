/* What invariants and runs share: findings, and the configuration of a variant. */
#include "verification/run/invariant.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "core/sim/draining.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

void found(struct findings *f, const char *what, int n, double value, double most, const char *why)
{
    assert(f->count < FINDINGS);
    struct finding *one = &f->finding[f->count++];
    *one = (struct finding){.n = n, .value = value, .most = most};
    snprintf(one->what, sizeof one->what, "%s", what);
    snprintf(one->why, sizeof one->why, "%s", why);
}

static void found_gap(struct findings *f, const struct variant *v, const char *what, int n,
                      const struct gap *gap, const char *why)
{
    const double depth = 1.5; /* m: of scene_rough's dam */
    if (v->mode == STRICT)
        found(f, what, n, gap->values, 0, why);
    else
        found(f, what, n, gap->level / depth, 2e3 * precision_epsilon(v->precision),
              "fast mode contracts and reorders: rounding, which fronts over rough beds amplify");
}

enum err found_otherwise(struct findings *f, const struct variant *v, const char *what,
                         const struct config *c, const struct scene *s, const struct scene *ran,
                         const struct aspect *a, const char *why)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct scene seen = {0}, expected = {0};
    struct outcome o = {0};
    simulate_otherwise(&other, a);
    TRY_OUT(scene_otherwise(&seen, s, a));
    TRY_OUT(scene_otherwise(&expected, ran, a));
    TRY_OUT(simulate(&other, &seen, &o));
    const struct gap gap = scene_gap(&expected, &o.state, 0);
    found_gap(f, v, what, s->nx, &gap, why);
out:
    outcome_free(&o);
    scene_free(&expected);
    scene_free(&seen);
    return e;
}

enum err invariant_measure(const struct invariant *i, const struct variant *v, int effort,
                           struct findings *f)
{
    const char *also = variant_scheme(v)->also;
    TRY(i->measure(v, effort, f));
    const int first = f->count;
    if (!also || v->positivity == BY_DRAINING || !i->carried ||
        (i->carried == CARRIED_UNLESS_QUICK && effort == 0))
        return ERR_OK;
    scene_solve(find_system(also));
    const enum err e = i->measure(v, effort, f);
    scene_solve(NULL);
    for (int k = first; k < f->count; k++) {
        char *what = f->finding[k].what;
        const size_t used = strlen(what);
        snprintf(what + used, sizeof f->finding[k].what - used, ", %s", also);
    }
    return e;
}

int invariant_is_of(const struct invariant *i, const struct scheme *s)
{
    return i->of == OF_ALL || (i->of == OF_WATER) == (scheme_moves_water(s) != 0);
}

void variant_configure(struct config *c, const struct variant *v)
{
    config_case_defaults(c);
    if (v->scheme[0])
        snprintf(c->scheme, sizeof c->scheme, "%s", v->scheme);
    if (v->limiter[0])
        snprintf(c->limiter, sizeof c->limiter, "%s", v->limiter);
    if (v->flux[0])
        snprintf(c->flux, sizeof c->flux, "%s", v->flux);
    if (v->reconstruction[0])
        snprintf(c->reconstruction, sizeof c->reconstruction, "%s", v->reconstruction);
    snprintf(c->backend, sizeof c->backend, "%s", variant_backend(v));
    c->precision = (int)v->precision;
    c->precision_chosen = 1;
    c->mode = (int)v->mode;
    c->device = v->device;
    config_divide(c, v->division);
    c->threads = 1;
    c->early_exit = EARLY_EXIT_OFF;
    c->quiet = 1;
    const struct scheme *scheme = find_scheme(c->scheme);
    c->positivity = (int)v->positivity;
    if (scheme)
        c->cfl =
            courant_with(c->flux, v->positivity == BY_DRAINING ? scheme->drained_cfl : scheme->cfl);
}

const char *variant_precision(const struct variant *v)
{
    return precision_names[v->precision];
}

const char *variant_backend(const struct variant *v)
{
    return backends[v->backend]->name;
}

/* Called for every line of a verification: the options' table is read once. */
static const struct config *usual(void)
{
    static struct config c;
    if (!*c.scheme)
        config_case_defaults(&c);
    return &c;
}

/* An empty name stands for the default. */
static int is(const char *name, const char *standard)
{
    return !*name || strcmp(name, standard) == 0;
}

/* The default for its system. */
const struct scheme *variant_scheme(const struct variant *v)
{
    return find_scheme(*v->scheme ? v->scheme : CASE_SCHEME);
}

const struct system *variant_system(const struct variant *v)
{
    return find_system(variant_scheme(v)->system);
}

int variant_has_default_scheme(const struct variant *v)
{
    const struct scheme *s = find_scheme(v->scheme);
    if (s)
        return strcmp(find_system(s->system)->scheme, v->scheme) == 0;
    return is(v->scheme, usual()->scheme);
}

int variant_has_default_limiter(const struct variant *v)
{
    return is(v->limiter, usual()->limiter);
}

int variant_has_default_flux(const struct variant *v)
{
    return is(v->flux, usual()->flux);
}

int variant_has_default_reconstruction(const struct variant *v)
{
    return is(v->reconstruction, usual()->reconstruction);
}

int variant_has_default_plugins(const struct variant *v)
{
    return variant_has_default_limiter(v) && variant_has_default_flux(v) &&
           variant_has_default_reconstruction(v);
}

static const char *named(const char *name, const char *standard)
{
    return *name ? name : standard;
}

const char *variant_flux(const struct variant *v)
{
    return named(v->flux, usual()->flux);
}

const char *variant_reconstruction(const struct variant *v)
{
    return named(v->reconstruction, usual()->reconstruction);
}

int variant_is_positive(const struct variant *v)
{
    return (find_plugin(fluxes, variant_flux(v))->properties &
            find_plugin(reconstructions, variant_reconstruction(v))->properties & POSITIVE) != 0;
}

int variant_needs_bed_flux(const struct variant *v)
{
    return (find_plugin(reconstructions, variant_reconstruction(v))->properties & BED_STEP) != 0;
}

static int handles_bed(const struct variant *v)
{
    return !variant_needs_bed_flux(v) ||
           (find_plugin(fluxes, variant_flux(v))->properties & BED_STEP) != 0;
}

int variant_is_possible(const struct variant *v)
{
    const int drains = v->positivity == BY_DRAINING;
    return handles_bed(v) &&
           (!drains || draining_offered(variant_scheme(v), find_plugin(fluxes, variant_flux(v)),
                                        find_plugin(reconstructions, variant_reconstruction(v))));
}

void variant_complete(struct variant *v)
{
    for (int k = 0; fluxes[k] && !handles_bed(v); k++)
        if (fluxes[k]->properties & BED_STEP)
            snprintf(v->flux, sizeof v->flux, "%s", fluxes[k]->name);
}

int variant_is_symmetric(const struct variant *v)
{
    return (find_plugin(limiters, named(v->limiter, usual()->limiter))->properties &
            find_plugin(fluxes, variant_flux(v))->properties &
            find_plugin(reconstructions, variant_reconstruction(v))->properties & SYMMETRIC) != 0;
}

int variant_is(const struct variant *a, const struct variant *b)
{
    const struct config *u = usual();
    return strcmp(named(a->scheme, u->scheme), named(b->scheme, u->scheme)) == 0 &&
           strcmp(named(a->limiter, u->limiter), named(b->limiter, u->limiter)) == 0 &&
           strcmp(variant_flux(a), variant_flux(b)) == 0 &&
           strcmp(variant_reconstruction(a), variant_reconstruction(b)) == 0 &&
           a->precision == b->precision && a->backend == b->backend &&
           a->positivity == b->positivity;
}

const char *variant_plugins(const struct variant *v, char text[PLUGINS_TEXT])
{
    int n = snprintf(text, PLUGINS_TEXT, "%s", named(v->limiter, usual()->limiter));
    if (!variant_has_default_flux(v))
        n += snprintf(text + n, PLUGINS_TEXT - (size_t)n, " %s", v->flux);
    if (!variant_has_default_reconstruction(v))
        n += snprintf(text + n, PLUGINS_TEXT - (size_t)n, " %s", v->reconstruction);
    if (v->positivity != BY_COURANT)
        snprintf(text + n, PLUGINS_TEXT - (size_t)n, " %s", positivity_names[v->positivity]);
    return text;
}
