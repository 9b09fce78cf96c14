/* The runs for a subject: which entries are compared, on which flows. */
#include <stdio.h>
#include <string.h>

#include "verification/judge/judge.h"

/* Flows for a comparison: smooth ones, which show orders, shocks, and moving and dry shores. For a
 * reconstruction shores matter more. Cases that are not in the registry are skipped. */
static const char *const comparisons[SUBJECT_KINDS][TRIALS + 1] = {
    [SUBJECT_LIMITER] = {"smooth", "vortex", "stoker", "circular-dam", "ritter", "parabola"},
    [SUBJECT_FLUX] = {"smooth", "vortex", "stoker", "circular-dam", "ritter", "parabola"},
    [SUBJECT_RECONSTRUCTION] = {"vortex", "stoker", "bump-shore", "ritter", "parabola-round",
                                "parabola"},
    [SUBJECT_SCHEME] = {"smooth", "vortex", "stoker", "circular-dam", "ritter", "parabola"},
};

/* For schemes for sediment: exact cases, and cases that show orders. */
static const char *const comparisons_of_sediment[TRIALS + 1] = {
    "basin-advection", "basin-heat", "basin-steady", "basin-sand", "basin-made-equal"};

const struct system *judged_system(const struct judging *j)
{
    return j->subject.kind == SUBJECT_CASE     ? case_system(j->subject.flow_case)
           : j->subject.kind == SUBJECT_SCHEME ? find_system(j->subject.scheme->system)
                                               : find_system("shallow_water");
}

static void set_entry(struct judging *j, const char *name)
{
    struct config usual;
    config_case_defaults(&usual);
    struct entry *e = &j->entry[j->entries++];
    struct variant *v = &e->variant;
    *e = (struct entry){.name = name};
    *v = (struct variant){.precision = F64, .backend = CPU, .mode = STRICT, .device = j->device};
    memcpy(v->scheme, usual.scheme, sizeof v->scheme);
    memcpy(v->limiter, usual.limiter, sizeof v->limiter);
    memcpy(v->flux, usual.flux, sizeof v->flux);
    memcpy(v->reconstruction, usual.reconstruction, sizeof v->reconstruction);
    char *const member[SUBJECT_KINDS] = {v->limiter, v->flux, v->reconstruction, v->scheme,
                                         v->scheme};
    char *chosen = member[j->subject.kind];
    const int schemes_differ = j->subject.kind >= SUBJECT_SCHEME;
    if (strcmp(schemes_differ ? judged_system(j)->scheme : chosen, name) == 0)
        j->standard = j->entries - 1;
    if (j->subject.kind != SUBJECT_CASE && strcmp(j->subject.name, name) == 0)
        j->own = j->entries - 1;
    snprintf(chosen, NAME_LENGTH, "%s", name);
    variant_complete(v);
}

static enum err list_entries(struct judging *j)
{
    static const struct plugin *const *const of[] = {limiters, fluxes, reconstructions};
    const enum subject_kind kind = j->subject.kind;
    j->own = -1;
    for (int k = 0; kind <= SUBJECT_RECONSTRUCTION ? of[kind][k] != NULL : schemes[k] != NULL;
         k++) {
        if (j->entries == ENTRIES)
            FAIL(INPUT, "there are more than %d of the kind %s: too many to compare", ENTRIES,
                 subject_rivals(&j->subject));
        if (kind <= SUBJECT_RECONSTRUCTION)
            set_entry(j, of[kind][k]->name);
        else if (scheme_solves(schemes[k], judged_system(j)))
            set_entry(j, schemes[k]->name);
    }
    return ERR_OK;
}

/* The error of a trial: the case's first norm, at the last snapshot for which it is checked. */
static void choose_error(struct trial *t)
{
    const struct norm *list[CASE_NORMS];
    if (!t->flow_case->exact && !t->flow_case->exact_value && !t->flow_case->verify->reference)
        return;
    if (case_norms(t->flow_case, list) == 0)
        return;
    t->norm = list[0];
    for (const struct check *c = t->flow_case->verify->checks; c->norm; c++)
        if (c->norm == t->norm)
            t->at = c->at;
}

/* Half the coarsest resolution of the case's ladder, which shows orders already, and its first two.
 * For a case without checks, up to its own size, or a hundred cells. */
static void choose_ladder(const struct judging *j, struct trial *t, const struct flow_case *c)
{
    enum { MOST = 100, MOST_OF_A_CHANNEL = 400 };
    const int all = j->quick ? 2 : RUNGS;
    int n[RUNGS];
    if (c->verify && c->verify->ladder[0]) {
        n[1] = c->verify->ladder[0];
        n[2] = c->verify->ladder[1] ? c->verify->ladder[1] : 2 * n[1];
    } else {
        const int most = c->ny == 1 ? MOST_OF_A_CHANNEL : MOST;
        n[2] = c->nx < most ? c->nx : most;
        n[1] = n[2] / 2;
    }
    n[0] = n[1] / 2;
    for (t->rungs = 0; t->rungs < all; t->rungs++)
        t->ladder[t->rungs] = n[t->rungs];
}

/* What is measured in a case without checks. */
static const struct flow_case *asking(const struct flow_case *c)
{
    static const struct check errors[] = {{.norm = &norm_l1_h, .most = HUGE_VAL, .why = ""},
                                          {.norm = &norm_l1_q, .most = HUGE_VAL, .why = ""},
                                          {0}};
    static struct verification ask;
    static struct flow_case asks;
    if (c->verify && c->verify->checks)
        return c;
    if (c->verify)
        ask = *c->verify;
    ask.checks = c->exact || ask.reference ? errors : &errors[2];
    asks = *c;
    asks.verify = &ask;
    return &asks;
}

static void add_trial(struct judging *j, const struct flow_case *c)
{
    struct trial *t = &j->trial[j->trials++];
    *t = (struct trial){.flow_case = asking(c)};
    choose_error(t);
    choose_ladder(j, t, c);
}

static void list_trials(struct judging *j)
{
    if (j->subject.kind == SUBJECT_CASE) {
        add_trial(j, j->subject.flow_case);
        return;
    }
    const struct system *system = judged_system(j);
    for (const char *const *name = system->over_bed ? comparisons[j->subject.kind]
                                                    : comparisons_of_sediment;
         *name; name++) {
        const struct flow_case *c = find_case(*name);
        if (c && c->verify && case_system(c) == system)
            add_trial(j, c);
    }
    /* Of another system, whatever cases there are. */
    const int listed = j->trials;
    for (int k = 0; !listed && cases[k] && j->trials < TRIALS; k++)
        if (cases[k]->verify && case_system(cases[k]) == system)
            add_trial(j, cases[k]);
}

/* The runs of `shoal verify --quick`. A case runs with every scheme on its ladder here. */
static enum err plan_verification(struct judging *j)
{
    struct selection s = {.precision = F64, .effort = QUICK, .mode = STRICT, .device = j->device};
    char *const list[SUBJECT_KINDS] = {s.limiters, s.fluxes, s.reconstructions, s.schemes, NULL};
    s.backend[CPU] = 1;
    if (j->subject.kind == SUBJECT_CASE) {
        j->s.plan.asked = s;
        return ERR_OK;
    }
    snprintf(list[j->subject.kind], VARIABLES_LENGTH, "%s", j->subject.name);
    for (int k = 0; j->quick && k < j->trials; k++)
        snprintf(s.cases + strlen(s.cases), sizeof s.cases - strlen(s.cases), "%s,",
                 j->trial[k].flow_case->name);
    for (int k = 0; j->quick && invariants[k]; k++)
        snprintf(s.cases + strlen(s.cases), sizeof s.cases - strlen(s.cases), "%s%s", k ? "," : "",
                 invariants[k]->name);
    return plan_create(&j->s.plan, &s);
}

static enum err plan_cell(struct judging *j, int trial, int entry, int rung)
{
    const struct trial *t = &j->trial[trial];
    const struct run r = {t->flow_case, j->entry[entry].variant, t->ladder[rung], (double)NAN};
    struct cell *c = &j->cell[trial][entry][rung];
    if (plan_find(&j->s.plan, &r) < 0)
        TRY(plan_add_run(&j->s.plan, &r));
    c->job = plan_find(&j->s.plan, &r);
    return ERR_OK;
}

/* The coarsest rung on CPU and GPU in both precisions, for the comparison of their bits. */
static enum err plan_gpu(struct judging *j, int trial, int entry)
{
    const struct trial *t = &j->trial[trial];
    for (int q = 0; q < PRECISIONS * BACKENDS; q++) {
        struct run r = {t->flow_case, j->entry[entry].variant, t->ladder[0], (double)NAN};
        r.variant.precision = q % PRECISIONS == 0 ? F64 : F32;
        r.variant.backend = (enum backend_kind)(q / PRECISIONS);
        if (plan_find(&j->s.plan, &r) < 0)
            TRY(plan_add_run(&j->s.plan, &r));
    }
    return ERR_OK;
}

/* The kernels of timing_measure, compiled here by all workers. */
static enum err plan_kernels(struct judging *j, int entry)
{
    for (int on = 0; on < BACKENDS; on++) {
        struct run r = {j->trial[0].flow_case, j->entry[entry].variant, j->trial[0].ladder[0],
                        (double)NAN};
        r.variant.mode = FAST_MODE;
        r.variant.precision = F32;
        r.variant.backend = (enum backend_kind)on;
        if (on == CPU || j->on_cuda)
            TRY(plan_add_kernels(&j->s.plan, &r));
    }
    return ERR_OK;
}

enum err study_open(struct judging *j)
{
    TRY(list_entries(j));
    list_trials(j);
    return ERR_OK;
}

enum err study_plan_kernels(struct judging *j)
{
    const struct run r = {j->trial[0].flow_case, j->entry[j->own].variant, j->trial[0].ladder[0],
                          (double)NAN};
    return plan_add_kernels(&j->s.plan, &r);
}

enum err study_plan(struct judging *j)
{
    TRY(plan_verification(j));
    for (int e = 0; e < j->entries && j->trials; e++)
        TRY(plan_kernels(j, e));
    for (int t = 0; t < j->trials; t++)
        for (int e = 0; e < j->entries; e++) {
            for (int k = 0; k < j->trial[t].rungs; k++)
                TRY(plan_cell(j, t, e, k));
            if (j->on_cuda && (e == j->own || j->own < 0))
                TRY(plan_gpu(j, t, e));
        }
    return ERR_OK;
}

int study_is_own(const void *judging, const struct job *t)
{
    const struct judging *j = judging;
    struct variant own;
    if (j->own < 0)
        return 1;
    if (t->kind == JOB_REFERENCE)
        return 1;
    own = j->entry[j->own].variant;
    own.precision = t->run.variant.precision;
    own.backend = t->run.variant.backend;
    return variant_is(&own, &t->run.variant);
}
