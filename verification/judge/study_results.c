/* The results of a study: errors, orders, ranks, the time to a given error. */
#include <string.h>

#include "verification/judge/judge.h"

static void take_errors(struct judging *j, int trial, int entry)
{
    const struct trial *t = &j->trial[trial];
    for (int k = 0; k < t->rungs; k++) {
        struct cell *c = &j->cell[trial][entry][k];
        const struct job_outcome *o = &j->s.outcome[c->job];
        c->error = c->order = c->wall = (double)NAN;
        c->failed = o->state != DONE || o->err;
        if (c->failed || !t->norm)
            continue;
        c->error = verdict_value(&o->measured, 0, t->at);
        c->failed = !isfinite(c->error);
        if (k > 0 && c->error > 0 && c[-1].error > 0)
            c->order =
                log(c[-1].error / c->error) / log((double)t->ladder[k] / (double)t->ladder[k - 1]);
    }
}

/* A case declares if its checks hold for every plug-in of a kind. In other cases, whose limits were
 * set with the default, a miss is reported but is not a failure. Properties of every run are
 * checked everywhere. */
static void pardon(struct judging *j)
{
    if (!j->subject.plugin)
        return;
    for (int k = 0; k < j->s.verdicts.count; k++) {
        struct line *l = &j->s.verdicts.line[k];
        const struct flow_case *c = find_case(l->case_name);
        if (l->verdict != VERDICT_FAIL || !c || c->verify->limiters ||
            variant_has_default_plugins(&l->variant) ||
            (l->kind == LINE_INVARIANT && strcmp(l->what, "steady at") != 0))
            continue;
        l->verdict = VERDICT_NOTE;
        l->beyond = 1;
        j->beyond++;
    }
}

void study_conclude(struct judging *j)
{
    for (int t = 0; t < j->trials; t++)
        for (int e = 0; e < j->entries; e++)
            take_errors(j, t, e);
    pardon(j);
}

static int goes_before(const struct judging *j, int trial, int a, int b)
{
    const int last = j->trial[trial].rungs - 1;
    const double x = j->cell[trial][a][last].error, y = j->cell[trial][b][last].error;
    return isnan(y) ? !isnan(x) : x < y;
}

void study_rank(const struct judging *j, int trial, int order[ENTRIES])
{
    for (int e = 0; e < j->entries; e++) {
        int k = e;
        for (; k > 0 && goes_before(j, trial, e, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = e;
    }
}

int study_rank_speed(const struct judging *j, enum backend_kind on, int order[ENTRIES])
{
    const struct speed *speed = j->timings->speed[on];
    int count = 0;
    for (int e = 0; e < j->entries; e++) {
        if (isnan(speed[e].step))
            continue;
        int k = count++;
        for (; k > 0 && speed[e].step < speed[order[k - 1]].step; k--)
            order[k] = order[k - 1];
        order[k] = e;
    }
    return count;
}

void study_gpu_runs(const struct judging *j, int *equal, int *all)
{
    *equal = *all = 0;
    for (int k = 0; k < j->s.verdicts.count; k++)
        if (strcmp(j->s.verdicts.line[k].what, "differs from the CPU") == 0) {
            ++*all;
            *equal += j->s.verdicts.line[k].verdict == VERDICT_OK;
        }
}

int study_is_exact(const struct judging *j, int trial)
{
    if (!j->trial[trial].norm)
        return 0;
    for (int e = 0; e < j->entries; e++)
        for (int k = 0; k < j->trial[trial].rungs; k++)
            if (j->cell[trial][e][k].failed || !(fabs(j->cell[trial][e][k].error) <= 0))
                return 0;
    return 1;
}

int study_has_errors(const struct judging *j)
{
    for (int t = 0; t < j->trials; t++)
        if (j->trial[t].norm && !study_is_exact(j, t))
            return 1;
    return 0;
}

double study_error_to_reach(const struct judging *j, int trial)
{
    return j->cell[trial][j->standard][STATED].error;
}

double study_time_to_error(const struct judging *j, int trial, int entry, int *beyond)
{
    const double aim = study_error_to_reach(j, trial);
    const struct cell *c = j->cell[trial][entry];
    const int last = j->trial[trial].rungs - 1;
    *beyond = 0;
    for (int k = 0; k <= last; k++)
        if (!(c[k].error > 0) || !(c[k].wall > 0))
            return (double)NAN;
    if (!(aim > 0))
        return (double)NAN;
    for (int k = 0; k < last; k++)
        if (c[k].error >= aim && aim >= c[k + 1].error) {
            const double share = c[k].error > c[k + 1].error
                                     ? log(c[k].error / aim) / log(c[k].error / c[k + 1].error)
                                     : 0;
            return c[k].wall * pow(c[k + 1].wall / c[k].wall, share);
        }
    *beyond = c[last].error > aim ? 1 : -1;
    return c[*beyond > 0 ? last : 0].wall;
}
