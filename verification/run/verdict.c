/* Verdicts on runs: limits, orders, invariants of every run, equality of backends. */
#include "verification/run/verdict.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/random.h"

const char *const verdict_names[] = {"ok", "FAIL", "note"};
const char *const line_kinds[] = {"error", "order", "invariant", "published"};

static enum err push(struct verdicts *v, const struct line *l)
{
    if (v->count == v->room) {
        const int room = v->room ? 2 * v->room : 1024;
        struct line *more = realloc(v->line, (size_t)room * sizeof *more);
        if (!more)
            FAIL(MEMORY, "no memory for %d results", room);
        v->line = more;
        v->room = room;
    }
    v->line[v->count++] = *l;
    return ERR_OK;
}

void verdicts_free(struct verdicts *v)
{
    free(v->line);
    free(v->judged);
    memset(v, 0, sizeof *v);
}

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->job != y->job ? (x->job < y->job ? -1 : 1) : x->place - y->place;
}

void verdicts_sort(struct verdicts *v)
{
    if (v->count)
        qsort(v->line, (size_t)v->count, sizeof *v->line, by_place);
}

int verdicts_count(const struct verdicts *v, enum verdict which)
{
    int n = 0;
    for (int k = 0; k < v->count; k++)
        n += v->line[k].verdict == which;
    return n;
}

/* A line's position among those of its job: checks, other codes' values, properties of every
 * run. */
enum { NO_JOB = -1, CHECKS = 1, OTHERS = 10000, INVARIANTS = 20000 };

/* A NaN never passes. */
static enum verdict at_most(double value, double limit)
{
    return value <= limit ? VERDICT_OK : VERDICT_FAIL;
}

/* A property of every run or scheme: at most the limit, or a note if that is NAN. */
static struct line line_of(const struct job *t, const struct job_outcome *o, double value,
                           double limit)
{
    return (struct line){.case_name = t->run.flow_case ? t->run.flow_case->name : "-",
                         .variant = t->run.variant,
                         .n = t->run.n,
                         .time = "-",
                         .kind = LINE_INVARIANT,
                         .value = value,
                         .limit = limit,
                         .verdict = isnan(limit) ? VERDICT_NOTE : at_most(value, limit),
                         .seconds = o->seconds,
                         .job = NO_JOB};
}

static enum err say(struct verdicts *v, struct line *l, const char *what, const char *why)
{
    snprintf(l->what, sizeof l->what, "%s", what);
    snprintf(l->why, sizeof l->why, "%s", why);
    return push(v, l);
}

double verdict_value(const struct measured *m, int norm, int at)
{
    double sum = 0, most = 0;
    if (at >= LAST)
        return m->value[norm][(at == LAST || at > m->snapshots ? m->snapshots : at) - 1];
    for (int k = 0; k < m->snapshots; k++) {
        sum += m->value[norm][k];
        most = m->value[norm][k] > most || isnan(m->value[norm][k]) ? m->value[norm][k] : most;
    }
    return at == MEAN ? sum / m->snapshots : most;
}

static void time_text(const struct measured *m, int at, char text[16])
{
    if (at < LAST)
        snprintf(text, 16, "%s", at == MEAN ? "mean" : "max");
    else
        snprintf(text, 16, "%.5g", m->t[(at == LAST || at > m->snapshots ? m->snapshots : at) - 1]);
}

static int norm_index(const struct flow_case *c, const struct norm *norm)
{
    const struct norm *list[CASE_NORMS];
    const int n = case_norms(c, list);
    for (int k = 0; k < n; k++)
        if (list[k] == norm)
            return k;
    return 0;
}

/* Limits hold for second-order slopes: errors of other limiters are only reported. */
static int is_judged(const struct variant *v)
{
    const struct plugin *limiter = find_plugin(limiters, v->limiter);
    return (limiter->properties & SECOND_ORDER) != 0;
}

/* The limit of a check; if it is larger than stated, `because` gets a remark that says why,
 * otherwise "". Limits were found with the default limiter. Others are more diffusive or compress
 * smooth waves: superbee, the most extreme, reaches 5.1 times a limit in smooth flow. */
static double limit_for(const struct check *c, const struct variant *v, char because[120])
{
    static const double OTHER_PLUGIN = 6;
    const struct scheme *s = find_scheme(v->scheme);
    const double first = s->order_time < 2 && c->first > 0 ? c->first : 1;
    const double split = s->split && c->split > 0 ? c->split : 1;
    const double plugin = variant_has_default_plugins(v) || c->theory ? 1 : OTHER_PLUGIN;
    const int single = v->precision == F32 && c->most_f32 > 0;
    if (v->mode != STRICT && c->fast > 0) {
        snprintf(because, 120,
                 "; fast mode contracts and reorders: rounding, which fronts and shores amplify");
        return c->fast * sqrt(precision_epsilon(v->precision));
    }
    int n = snprintf(because, 120, "%s", single ? "; larger in f32" : "");
    if (first > 1)
        n += snprintf(because + n, 120 - (size_t)n, "; times %g: first order in time", first);
    if (split > 1)
        n += snprintf(because + n, 120 - (size_t)n, "; times %g: split", split);
    if (plugin > 1)
        snprintf(because + n, 120 - (size_t)n, "; times %g: another %s", plugin,
                 !variant_has_default_limiter(v) ? "limiter"
                 : !variant_has_default_flux(v)  ? "flux"
                                                 : "reconstruction");
    return (single ? c->most_f32 : c->most) * first * split * plugin;
}

static enum err judge_error(struct verdicts *v, const struct job *t, const struct job_outcome *o,
                            const struct check *c)
{
    char because[120], why[sizeof v->line->why];
    const double value = verdict_value(&o->measured, norm_index(t->run.flow_case, c->norm), c->at);
    struct line l = line_of(t, o, value, limit_for(c, &t->run.variant, because));
    l.kind = LINE_ERROR;
    if (!is_judged(&t->run.variant))
        l.verdict = VERDICT_NOTE;
    time_text(&o->measured, c->at, l.time);
    l.place = CHECKS + (int)(c - t->run.flow_case->verify->checks);
    snprintf(why, sizeof why, "%s%s", c->why, because);
    return say(v, &l, c->norm->name, why);
}

/* The coarser run of an order check. */
static int coarser(const struct verification *w, const struct check *c)
{
    int before = 0;
    for (int k = 0; k < LADDER && w->ladder[k] && w->ladder[k] < c->n; k++)
        before = w->ladder[k];
    return c->from ? c->from : before;
}

static double expected_order(const struct check *c, const struct variant *v)
{
    const struct scheme *s = find_scheme(v->scheme);
    const int claim = s->order_space < s->order_time ? s->order_space : s->order_time;
    const double order = s->split && c->split_order > 0 ? c->split_order : c->order;
    return order > 0 ? fmin(order, claim) : claim - 0.1;
}

static enum err judge_order(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                            int fine, int coarse, const struct check *c)
{
    const struct job *t = &p->job[fine];
    const int norm = norm_index(t->run.flow_case, c->norm);
    const double a = verdict_value(&o[coarse].measured, norm, c->at);
    const double b = verdict_value(&o[fine].measured, norm, c->at);
    char what[sizeof v->line->what];
    struct line l = line_of(t, &o[fine], log(a / b) / log((double)t->run.n / p->job[coarse].run.n),
                            expected_order(c, &t->run.variant));
    l.kind = LINE_ORDER;
    l.seconds += o[coarse].seconds;
    l.verdict =
        variant_has_default_plugins(&t->run.variant) ? at_most(l.limit, l.value) : VERDICT_NOTE;
    time_text(&o[fine].measured, c->at, l.time);
    l.job = fine;
    l.place = CHECKS + (int)(c - t->run.flow_case->verify->checks);
    snprintf(what, sizeof what, "order of %s from %d", c->norm->name, p->job[coarse].run.n);
    return say(v, &l, what, c->why);
}

/* Judged, not merely ended: of two that end at the same moment the second to be judged decides,
 * once. */
static int is_done(const struct verdicts *v, const struct job_outcome *o, int k)
{
    return k >= 0 && v->judged[k] && !o[k].err;
}

/* Order checks with this run at either end, once both ends are available. */
static enum err judge_orders(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                             int job, const struct check *c)
{
    const struct verification *w = p->job[job].run.flow_case->verify;
    const int n = p->job[job].run.n, from = coarser(w, c);
    struct run other = p->job[job].run;
    if (n != c->n && n != from)
        return ERR_OK;
    other.n = n == c->n ? from : c->n;
    const int partner = plan_find(p, &other);
    if (!is_done(v, o, partner))
        return ERR_OK;
    return n == c->n ? judge_order(v, p, o, job, partner, c)
                     : judge_order(v, p, o, partner, job, c);
}

static enum err judge_published(struct verdicts *v, const struct job *t,
                                const struct job_outcome *o)
{
    for (const struct published *q = t->run.flow_case->verify->published; q && q->norm; q++) {
        if (q->n != t->run.n)
            continue;
        const int norm = norm_index(t->run.flow_case, q->norm);
        struct line l = line_of(t, o, verdict_value(&o->measured, norm, q->at), q->value);
        l.kind = LINE_PUBLISHED;
        l.verdict = VERDICT_NOTE;
        time_text(&o->measured, q->at, l.time);
        l.place = OTHERS + (int)(q - t->run.flow_case->verify->published);
        TRY(say(v, &l, q->norm->name, q->who));
    }
    return ERR_OK;
}

/* The effect of rounding on the volume: every stage rounds every level by up to half a unit in its
 * last place, near a steady state always in the same direction. Clipped water is counted in units
 * of at least 2^-43 m. */
static double rounding_of_mass(const struct measured *m, const struct variant *v)
{
    static const double CLIPPED = 1e-11;
    const double epsilon = v->precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const double stages = find_scheme(v->scheme)->order_time;
    const double rounding = 0.5 * epsilon * stages * (double)m->steps * m->stored_over_depth;
    return m->clipped > 0 ? fmax(rounding, CLIPPED) : rounding;
}

static int has_walls(const struct flow_case *c)
{
    for (int e = 0; e < EDGES; e++)
        if (c->boundary[e] == WALL)
            return 1;
    return 0;
}

/* 1e-6 of the initial volume in f32 and 1e-13 in f64 pass; the invariant `mass` checks that for
 * every scheme over thousands of steps. A run may take many more, and hold little water high up:
 * more, within the bound of rounding, is noted. Beyond that it is a leak. */
static enum err judge_mass(struct verdicts *v, const struct job *t, const struct job_outcome *o)
{
    const struct measured *m = &o->measured;
    const double fine = t->run.variant.precision == F64 ? 1e-13 : 1e-6;
    const double rounding = rounding_of_mass(m, &t->run.variant);
    const char *why = "water is neither made nor lost";
    char beyond[120];
    struct line l = line_of(t, o, fabs(m->mass_error), fine);
    if (l.verdict == VERDICT_FAIL && l.value <= rounding) {
        l.limit = rounding;
        l.verdict = VERDICT_NOTE;
        snprintf(beyond, sizeof beyond, "beyond %g, but within the rounding of levels in %lu steps",
                 fine, m->steps);
        why = beyond;
    }
    if (l.verdict == VERDICT_FAIL && l.value <= LEAK && has_walls(t->run.flow_case) &&
        !variant_is_symmetric(&t->run.variant)) {
        l.limit = LEAK;
        l.verdict = VERDICT_NOTE;
        why = "a plug-in is not SYMMETRIC: water leaks through walls";
    }
    return say(v, &l, "mass error", why);
}

static enum err judge_clipping(struct verdicts *v, const struct job *t, const struct job_outcome *o)
{
    struct line l = line_of(t, o, o->measured.clipped, (double)NAN);
    return l.value > 0 ? say(v, &l, "clipped volume",
                             "share of the initial volume that clipping and drying changed")
                       : ERR_OK;
}

static enum err judge_depth(struct verdicts *v, const struct job *t, const struct job_outcome *o)
{
    const double least = o->measured.least_depth;
    struct line l = line_of(t, o, isnan(least) ? least : least < 0 ? -least : 0, 0);
    return say(v, &l, "negative depth", "a depth is never below zero, at any snapshot");
}

static int is_of_water(const struct job *t)
{
    return case_system(t->run.flow_case)->over_bed;
}

/* A scheme that does not claim to keep them reports its excess. */
static enum err judge_bounds(struct verdicts *v, const struct job *t, const struct job_outcome *o)
{
    const int claimed = find_scheme(t->run.variant.scheme)->bounded;
    struct line l = line_of(t, o, o->measured.excess, claimed ? 0 : (double)NAN);
    return say(v, &l, "beyond bounds",
               "an unknown keeps between its bounds, in every cell and step");
}

static enum err judge_steady(struct verdicts *v, const struct job *t, const struct job_outcome *o)
{
    const struct flow_case *c = t->run.flow_case;
    struct line l = line_of(t, o, o->measured.steady_at, verify_end(c));
    char why[80];
    snprintf(why, sizeof why, "relative change of h and q below %g per second", c->verify->steady);
    return c->verify->steady > 0 ? say(v, &l, "steady at", why) : ERR_OK;
}

/* Strict mode: the same bits on CPU and GPU, at every snapshot. */
static enum err judge_backends(struct verdicts *v, const struct plan *p,
                               const struct job_outcome *o, int job)
{
    struct run other = p->job[job].run;
    if (other.variant.mode != STRICT)
        return ERR_OK;
    other.variant.backend = other.variant.backend == CPU ? CUDA : CPU;
    const int twin = plan_find(p, &other);
    if (!is_done(v, o, twin))
        return ERR_OK;
    struct line l = line_of(&p->job[job], &o[job],
                            strcmp(o[job].measured.digest, o[twin].measured.digest) != 0, 0);
    l.variant.backend = CUDA;
    l.job = p->job[job].run.variant.backend == CUDA ? job : twin;
    l.place = INVARIANTS + INVARIANTS; /* after the run's own */
    l.seconds += o[twin].seconds;
    return say(v, &l, "differs from the CPU", "strict mode: the same bits on CPU and GPU");
}

static enum err judge_run(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                          int job)
{
    const struct job *t = &p->job[job];
    if (t->sweep)
        return ERR_OK;
    for (const struct check *c = t->run.flow_case->verify->checks; c && c->norm; c++) {
        if ((c->f64_only && t->run.variant.precision == F32) ||
            (c->scheme && strcmp(c->scheme, t->run.variant.scheme) != 0))
            continue;
        if (c->order != 0)
            TRY(judge_orders(v, p, o, job, c));
        else if (c->n == t->run.n)
            TRY(judge_error(v, t, &o[job], c));
    }
    TRY(judge_published(v, t, &o[job]));
    TRY(judge_mass(v, t, &o[job]));
    TRY(judge_clipping(v, t, &o[job]));
    TRY(is_of_water(t) ? judge_depth(v, t, &o[job]) : judge_bounds(v, t, &o[job]));
    TRY(judge_steady(v, t, &o[job]));
    return judge_backends(v, p, o, job);
}

static enum err judge_invariant(struct verdicts *v, const struct job *t,
                                const struct job_outcome *o)
{
    const struct findings *f = &o->findings;
    for (int k = 0; k < f->count; k++) {
        const struct finding *g = &f->finding[k];
        char what[sizeof v->line->what];
        struct line l = line_of(t, o, g->value, g->most);
        l.n = g->n;
        snprintf(what, sizeof what, "%s: %s", t->invariant->name, g->what);
        TRY(say(v, &l, what, g->why));
    }
    return ERR_OK;
}

static enum err judge_job(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                          int job)
{
    const struct job *t = &p->job[job];
    if (o[job].err) {
        struct line l = line_of(t, &o[job], (double)NAN, (double)NAN);
        l.verdict = VERDICT_FAIL;
        return say(v, &l,
                   t->kind == JOB_COMPILE     ? "compiles"
                   : t->kind == JOB_REFERENCE ? "has a reference"
                   : t->kind == JOB_INVARIANT ? t->invariant->name
                                              : "runs to its end",
                   o[job].message);
    }
    if (t->kind == JOB_RUN)
        return judge_run(v, p, o, job);
    return t->kind == JOB_INVARIANT ? judge_invariant(v, t, &o[job]) : ERR_OK;
}

/* A compiler's message may have several lines. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

enum err verdicts_judge(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                        int job)
{
    const int before = v->count;
    if (!v->judged && !(v->judged = calloc((size_t)p->count, 1)))
        FAIL(MEMORY, "no memory for the verdicts on %d jobs", p->count);
    TRY(judge_job(v, p, o, job));
    v->judged[job] = 1;
    for (int k = before; k < v->count; k++) {
        struct line *l = &v->line[k];
        l->job = l->job == NO_JOB ? job : l->job;
        l->place = l->place ? l->place : INVARIANTS + k - before;
        make_one_line(l->why);
    }
    return ERR_OK;
}
