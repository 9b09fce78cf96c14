/* Makes a list of jobs from a request: which resolutions each combination runs, and in what
 * order. */
#include "verification/run/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "core/registry/registry.h"
#include "verification/run/case_sim.h"

int selected(const char *list, const char *name)
{
    return !*list || option_lists(list, name);
}

void plan_names(struct catalog *c)
{
    c->count = 0;
    for (int k = 0; cases[k]; k++)
        if (cases[k]->verify)
            catalog_add(c, cases[k]->name);
    for (int k = 0; invariants[k]; k++)
        catalog_add(c, invariants[k]->name);
}

/* The registry's own lists are checked where they are typed. */
static enum err check_cases(const struct selection *s)
{
    struct catalog known;
    char name[NAME_LENGTH];
    plan_names(&known);
    for (const char *rest = *s->cases ? s->cases : NULL; rest;) {
        rest = option_next_word(rest, name);
        if (!catalog_has(&known, name))
            return catalog_unknown(&known, "case to verify", name, NULL);
    }
    return ERR_OK;
}

const char *variant_text(const struct variant *v, char text[VARIANT_TEXT])
{
    char plugins[PLUGINS_TEXT];
    snprintf(text, VARIANT_TEXT, "%s %s %s %s", v->scheme, variant_plugins(v, plugins),
             variant_precision(v), variant_backend(v));
    return text;
}

static int same_run(const struct run *a, const struct run *b)
{
    return a->flow_case == b->flow_case && a->n == b->n && variant_is(&a->variant, &b->variant) &&
           (a->kappa == b->kappa || (isnan(a->kappa) && isnan(b->kappa)));
}

int plan_find(const struct plan *p, const struct run *r)
{
    for (int k = 0; k < p->count; k++)
        if (p->job[k].kind == JOB_RUN && same_run(&p->job[k].run, r))
            return k;
    return -1;
}

static enum err add_job(struct plan *p, const struct job *t, int *index)
{
    if (p->count == p->room) {
        const int room = p->room ? 2 * p->room : 256;
        struct job *more = realloc(p->job, (size_t)room * sizeof *more);
        if (!more)
            FAIL(MEMORY, "no memory for %d jobs", room);
        p->job = more;
        p->room = room;
    }
    if (index)
        *index = p->count;
    p->job[p->count++] = *t;
    return ERR_OK;
}

enum err plan_add(struct plan *p, const struct job *t)
{
    return add_job(p, t, NULL);
}

static int has_friction(const struct flow_case *c)
{
    return c->manning > 0 || c->drag > 0;
}

enum err plan_add_kernels(struct plan *p, const struct run *r)
{
    const struct job t = {.kind = JOB_COMPILE, .run = *r, .needs = {-1, -1}, .cost = HUGE_VAL};
    return add_job(p, &t, NULL);
}

/* The job that compiles a variant's kernels: one for all cases, and one more for those with
 * friction. Workers that start together would otherwise compile the same ones. */
static enum err kernels_for(struct plan *p, const struct run *r, int *index)
{
    for (int k = 0; k < p->count; k++) {
        const struct job *t = &p->job[k];
        *index = k;
        if (t->kind == JOB_COMPILE && variant_is(&t->run.variant, &r->variant) &&
            has_friction(t->run.flow_case) == has_friction(r->flow_case))
            return ERR_OK;
    }
    *index = p->count;
    return plan_add_kernels(p, r);
}

/* The deepest water of a case at the start, m. Some beds take long to compute: runs of one case
 * follow each other, so that the last answer usually serves again. */
static double deepest(const struct flow_case *c)
{
    enum { PROBES = 64 };
    static const struct flow_case *last;
    static double depth;
    if (c == last)
        return depth;
    last = c;
    depth = 0;
    const int rows = c->ny == 1 ? 1 : PROBES;
    for (int k = 0; k < PROBES * rows; k++) {
        const double x = c->x0 + c->lx * (k % PROBES + 0.5) / PROBES;
        const int row = k / PROBES;
        const double y = c->y0 + c->ly * (row + 0.5) / rows;
        depth = fmax(depth, case_start(c, x, y).w - c->bed(x, y));
    }
    return depth;
}

static double square_of(double x)
{
    return x * x;
}

/* Cells times steps: the cost of a run, by the wave speed in its deepest water. */
static double cost(const struct run *r)
{
    const struct flow_case *c = r->flow_case;
    const double rows = c->ny == 1 ? 1 : (double)r->n * c->ny / c->nx;
    const struct scheme *s = find_scheme(r->variant.scheme);
    const double dt = case_fixed_dt(c, r->n), usual = square_of(c->lx / r->n);
    if (!scheme_moves_water(s))
        return verify_end(c) / (isnan(dt) ? usual : dt) * (1000 + r->n * rows);
    const double steps = verify_end(c) * 2 * sqrt(c->gravity * deepest(c)) * r->n / c->lx / s->cfl;
    /* Calling the kernels of a step takes as long as a thousand cells. */
    return steps * s->order_time * (1000 + r->n * rows) * (r->variant.precision == F64 ? 2 : 1);
}

/* How many of its plug-ins are neither the default nor requested by name. (A flux that the
 * reconstruction needs does not count.) */
static int strangers(const struct selection *s, const struct variant *v)
{
    return (!*s->limiters && !variant_has_default_limiter(v)) +
           (!*s->fluxes && !variant_has_default_flux(v) && !variant_needs_bed_flux(v)) +
           (!*s->reconstructions && !variant_has_default_reconstruction(v));
}

/* The combination that gets the ladders: the default, or one that was requested by name. */
static int is_primary(const struct selection *s, const struct variant *v)
{
    const int scheme = *s->schemes || variant_has_default_scheme(v);
    return scheme && strangers(s, v) == 0 &&
           (int)v->precision == (s->precision < 0 ? F64 : s->precision) &&
           (v->backend == CPU || !s->backend[CPU]);
}

/* How many rungs of a case's ladder a variant climbs. */
static int rungs(const struct selection *s, const struct verification *w, const struct variant *v)
{
    int all = 0;
    while (all < LADDER && w->ladder[all])
        all++;
    if (s->effort == FULL)
        return all;
    const int primary = is_primary(s, v), pair = w->usual < 2 ? w->usual : 2;
    if (s->effort == QUICK)
        return primary ? w->quick : 0;
    if (v->backend == CUDA && s->backend[CPU]) /* beside the CPU: for the comparison */
        return w->usual > 0;
    return primary ? w->usual : pair;
}

/* The job that computes a case's reference, which all its runs share; -1: it needs none. */
static enum err reference_for(struct plan *p, const struct flow_case *c, int *index)
{
    const struct job t = {
        .kind = JOB_REFERENCE, .run = {.flow_case = c}, .needs = {-1, -1}, .cost = HUGE_VAL};
    *index = -1;
    if (!c->verify || !c->verify->reference)
        return ERR_OK;
    for (*index = 0; *index < p->count; ++*index)
        if (p->job[*index].kind == JOB_REFERENCE &&
            p->job[*index].run.flow_case->verify->reference == c->verify->reference)
            return ERR_OK;
    return add_job(p, &t, index);
}

enum err plan_add_run(struct plan *p, const struct run *r)
{
    struct job t = {.kind = JOB_RUN, .run = *r, .needs = {-1, -1}, .cost = cost(r)};
    TRY(kernels_for(p, r, &t.needs[0]));
    TRY(reference_for(p, r->flow_case, &t.needs[1]));
    return add_job(p, &t, NULL);
}

static enum err plan_runs(struct plan *p, const struct flow_case *c, const struct variant *v)
{
    const int n = rungs(&p->asked, c->verify, v);
    for (int k = 0; k < n; k++) {
        const struct run r = {c, *v, c->verify->ladder[k], (double)NAN};
        TRY(plan_add_run(p, &r));
    }
    return ERR_OK;
}

/* Do these plug-ins run this case? One that is not the default runs in cases that ask for all, with
 * the default scheme and the other plug-ins' defaults in f64; one requested by name runs
 * everywhere. */
static int wants_plugins(const struct selection *s, const struct flow_case *c,
                         const struct variant *v)
{
    if (!selected(s->limiters, v->limiter) || !selected(s->fluxes, v->flux) ||
        !selected(s->reconstructions, v->reconstruction))
        return 0;
    if (strangers(s, v) == 0)
        return 1;
    if (strangers(s, v) > 1 || *s->limiters || *s->fluxes || *s->reconstructions ||
        s->effort == QUICK || !variant_has_default_scheme(v) || v->precision != F64 ||
        (v->backend == CUDA && s->backend[CPU]))
        return 0;
    return c && c->verify->limiters;
}

/* Calls `visit` for a scheme and plug-ins in every requested precision on every requested
 * backend. */
static enum err for_precisions(struct plan *p, struct variant *v, const void *what,
                               enum err (*visit)(struct plan *p, const void *what,
                                                 const struct variant *v))
{
    const struct selection *s = &p->asked;
    for (int q = 0; q < PRECISIONS * BACKENDS; q++) {
        v->precision = q % PRECISIONS == 0 ? F64 : F32;
        v->backend = (enum backend_kind)(q / PRECISIONS);
        if (s->backend[v->backend] &&
            (s->precision < 0 || v->precision == (enum precision)s->precision))
            TRY(visit(p, what, v));
    }
    return ERR_OK;
}

/* The same for every requested combination of scheme and plug-ins. */
static enum err for_variants(struct plan *p, const void *what,
                             enum err (*visit)(struct plan *p, const void *what,
                                               const struct variant *v))
{
    const struct selection *s = &p->asked;
    struct variant v = {
        .mode = s->mode, .device = s->device, .positivity = (enum positivity)s->positivity};
    if (division_divides(&s->division))
        v.division = &s->division;
    for (int m = 0; schemes[m]; m++) {
        for (int k = 0; limiters[k]; k++) {
            for (int f = 0; fluxes[f]; f++) {
                for (int r = 0; reconstructions[r]; r++) {
                    snprintf(v.scheme, sizeof v.scheme, "%s", schemes[m]->name);
                    snprintf(v.limiter, sizeof v.limiter, "%s", limiters[k]->name);
                    snprintf(v.flux, sizeof v.flux, "%s", fluxes[f]->name);
                    snprintf(v.reconstruction, sizeof v.reconstruction, "%s",
                             reconstructions[r]->name);
                    const int means_something =
                        scheme_moves_water(schemes[m]) || variant_has_default_plugins(&v);
                    if (means_something && selected(s->schemes, v.scheme) &&
                        variant_is_possible(&v))
                        TRY(for_precisions(p, &v, what, visit));
                }
            }
        }
    }
    return ERR_OK;
}

static enum err visit_case(struct plan *p, const void *what, const struct variant *v)
{
    const struct flow_case *c = what;
    if (c->verify->bounded && !find_scheme(v->scheme)->bounded)
        return ERR_OK;
    if (v->positivity == BY_DRAINING && case_system(c)->carried)
        return ERR_OK; /* a tracer's bounds ask for a shorter step */
    return scheme_solves(find_scheme(v->scheme), case_system(c)) && wants_plugins(&p->asked, c, v)
               ? plan_runs(p, c, v)
               : ERR_OK;
}

static enum err plan_case(struct plan *p, const struct flow_case *c)
{
    int reference;
    if (p->asked.effort != QUICK || c->verify->quick)
        TRY(reference_for(p, c, &reference));
    return for_variants(p, c, visit_case);
}

static enum err visit_invariant(struct plan *p, const void *what, const struct variant *v)
{
    const struct invariant *i = what;
    struct job t = {.kind = JOB_INVARIANT, .invariant = i, .needs = {-1, -1}, .cost = 1e9};
    if (!invariant_is_of(i, find_scheme(v->scheme)) || !wants_plugins(&p->asked, NULL, v) ||
        (i->applies && !i->applies(v)))
        return ERR_OK;
    if (p->asked.effort == QUICK && (!i->quick || !is_primary(&p->asked, v)))
        return ERR_OK;
    t.run.variant = *v;
    /* The default scheme shows that nothing is lost in many steps either. */
    t.effort = p->asked.effort == USUAL && variant_has_default_scheme(v) ? FULL : p->asked.effort;
    /* The kernels it shares with the cases, which are compiled first anyway. */
    for (int k = 0; k < p->count; k++)
        if (p->job[k].kind == JOB_COMPILE && variant_is(&p->job[k].run.variant, v))
            t.needs[0] = k;
    return add_job(p, &t, NULL);
}

/* The influence of kappa, on the basin of paper III: too large a kappa ruins a shallow basin, too
 * small a one the time step. For a figure, without verdicts. */
static enum err plan_kappa(struct plan *p)
{
    static const double kappas[] = {0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003};
    const struct flow_case *c = find_case("parabola");
    struct config usual;
    struct job t = {.kind = JOB_RUN, .sweep = 1, .needs = {-1, -1}};
    config_case_defaults(&usual);
    if (p->asked.effort == QUICK || !c || !c->verify || !selected(p->asked.cases, c->name) ||
        !selected(p->asked.schemes, usual.scheme) || !selected(p->asked.limiters, usual.limiter) ||
        !selected(p->asked.fluxes, usual.flux) ||
        !selected(p->asked.reconstructions, usual.reconstruction) || !p->asked.backend[CPU] ||
        p->asked.precision == F32)
        return ERR_OK;
    t.run = (struct run){.flow_case = c, .n = c->verify->ladder[0]};
    t.run.variant = (struct variant){.precision = F64,
                                     .mode = p->asked.mode,
                                     .positivity = (enum positivity)p->asked.positivity};
    memcpy(t.run.variant.scheme, usual.scheme, sizeof usual.scheme);
    memcpy(t.run.variant.limiter, usual.limiter, sizeof usual.limiter);
    memcpy(t.run.variant.flux, usual.flux, sizeof usual.flux);
    memcpy(t.run.variant.reconstruction, usual.reconstruction, sizeof usual.reconstruction);
    t.cost = cost(&t.run);
    TRY(kernels_for(p, &t.run, &t.needs[0]));
    for (size_t k = 0; k < sizeof kappas / sizeof *kappas; k++) {
        t.run.kappa = kappas[k];
        TRY(add_job(p, &t, NULL));
    }
    return ERR_OK;
}

enum err plan_create(struct plan *p, const struct selection *asked)
{
    memset(p, 0, sizeof *p);
    p->asked = *asked;
    TRY(check_cases(asked));
    for (int k = 0; cases[k]; k++)
        if (cases[k]->verify && selected(asked->cases, cases[k]->name))
            TRY(plan_case(p, cases[k]));
    for (int k = 0; invariants[k]; k++)
        if (selected(asked->cases, invariants[k]->name))
            TRY(for_variants(p, invariants[k], visit_invariant));
    TRY(plan_kappa(p));
    for (int k = 0; k < p->count; k++)
        if (p->job[k].kind == JOB_RUN || p->job[k].kind == JOB_INVARIANT)
            return ERR_OK;
    FAIL(USAGE, "nothing to verify: no case or invariant fits the whole request%s",
         asked->effort == QUICK ? " (--quick leaves some out)" : "");
}

void plan_free(struct plan *p)
{
    free(p->job);
    memset(p, 0, sizeof *p);
}
