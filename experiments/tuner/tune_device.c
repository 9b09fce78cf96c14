/* The device's part of a tuning: its next order, and the handling of its results. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/base/random.h"
#include "experiments/tuner/tune.h"

enum {
    BATCH = 16,      /* trials that the GPU checks together: enough to hide the cost of a round */
    LOOKS = 1,       /* timings before the watchdog decides */
    MOST_LOSSES = 3, /* of the device's process in a row */
};
/* This share of the blocks that the watchdog stopped is timed after all, and at least this many of
 * a kernel. */
static const double audit_share = 0.1;
enum { LEAST_AUDITS = 3 };

static enum err order(struct tuning *t, enum phase phase, enum order_kind what, int repeats)
{
    struct order o = {
        .what = what, .stage = t->now, .repeats = repeats, .random = xorshift(&t->random)};
    o.count = t->batch.count;
    memcpy(o.trial, t->batch.trial, (size_t)o.count * sizeof *o.trial);
    t->phase = phase;
    t->busy_since = seconds();
    return workers_order(t->workers, &o);
}

/* The compiled trials of the stage; one with which the device was lost comes alone. */
static void gather(struct tuning *t)
{
    const int most = t->setup->backend == CUDA ? BATCH : MOST_ORDERED;
    t->batch.count = 0;
    for (int k = 0; k < t->trials && t->batch.count < most; k++) {
        if (t->known[k].step != COMPILED || tune_subject(t, k)->stage != t->now)
            continue;
        if (t->known[k].alone && t->batch.count > 0)
            continue;
        t->batch.trial[t->batch.count++] = k;
        if (t->known[k].alone)
            return;
    }
}

/* Nothing more comes from the stage's searches. */
static int searched(const struct tuning *t)
{
    const int late = tune_late(t) || t->trials == MOST_TRIALS;
    for (int s = 0; s < t->subjects; s++) {
        const struct subject *one = &t->subject[s];
        if (one->stage == t->now && !search_done(one->search) && !(late && one->asked == one->told))
            return 0;
    }
    return 1;
}

/* Times a stopped block after all. */
static void audit(struct tuning *t, int k)
{
    t->trial[k].outcome = DB_OK;
    snprintf(t->trial[k].reason, sizeof t->trial[k].reason, "-");
    t->known[k].ended = 0;
    t->known[k].auditing = 1;
    t->known[k].step = COMPILED;
}

/* Picks a random share of the blocks that the watchdog stopped; all of them if it was wrong. True
 * if there is something to do. */
static int audits(struct tuning *t)
{
    int chosen = 0;
    for (int s = 0; s < t->subjects; s++) {
        const struct subject *one = &t->subject[s];
        int left = 0, wanted = (int)ceil(audit_share * one->ended);
        wanted = wanted < LEAST_AUDITS ? LEAST_AUDITS : wanted;
        wanted = (one->false_end ? one->ended : wanted) - one->audited;
        for (int k = 0; k < t->trials; k++)
            left += t->known[k].subject == s && t->known[k].ended;
        if (one->stage != t->now)
            continue;
        for (int k = 0; k < t->trials && wanted > 0 && left > 0; k++) {
            if (t->known[k].subject != s || !t->known[k].ended)
                continue;
            if ((int)(xorshift(&t->random) % (unsigned)left--) < wanted) {
                audit(t, k);
                wanted--;
                chosen++;
            }
        }
    }
    return chosen;
}

/* All loaded trials of the stage. */
static void gather_loaded(struct tuning *t)
{
    t->batch.count = 0;
    for (int k = 0; k < t->trials && t->batch.count < MOST_ORDERED; k++)
        if (t->trial[k].loaded)
            t->batch.trial[t->batch.count++] = k;
}

/* The next round of all contenders, some of which may need loading first; or the end. */
static enum err contend(struct tuning *t)
{
    struct batch missing = {0};
    const int repeats = tune_contend(t, &t->batch);
    if (!repeats) {
        gather_loaded(t);
        return order(t, LEAVING, ORDER_DROP, 0);
    }
    for (int n = 0; n < t->batch.count; n++)
        if (!t->trial[t->batch.trial[n]].loaded)
            missing.trial[missing.count++] = t->batch.trial[n];
    if (missing.count == 0)
        return order(t, CONTENDING, ORDER_TIME, repeats);
    t->batch = missing;
    return order(t, CALLING, ORDER_ADMIT, 0);
}

/* Contenders are loaded; one may have failed now. */
static enum err called(struct tuning *t)
{
    for (int n = 0; n < t->batch.count; n++) {
        const int k = t->batch.trial[n];
        t->known[k].unwritten |= t->trial[k].outcome != DB_OK;
        TRY(journal_keep(t->journal, &t->trial[k]));
    }
    return contend(t);
}

static enum err next_stage(struct tuning *t)
{
    t->now++;
    t->stage_began = seconds();
    t->staged = t->entered = t->level = 0;
    t->phase = IDLE;
    return tune_merge(t);
}

/* What the device does next, if there is something to do. */
enum err tune_employ(struct tuning *t)
{
    t->phase = IDLE;
    gather(t);
    if (t->batch.count > 0 && (t->setup->backend == CUDA || workers_compiling(t->workers) == 0)) {
        if (t->staged)
            return order(t, ADMITTING, ORDER_ADMIT, 0);
        t->batch.count = 0;
        return order(t, STAGING, ORDER_STAGE, 0);
    }
    if (t->batch.count > 0 || !searched(t) || (!t->setup->prove && audits(t)))
        return ERR_OK;
    if (t->setup->prove || !tune_contend(t, &t->batch))
        return next_stage(t);
    t->entered = 1;
    if (t->staged)
        return contend(t);
    t->batch.count = 0;
    return order(t, STAGING, ORDER_STAGE, 0);
}

/* Keeps those of the batch that still need timing. */
static void keep_unsettled(struct tuning *t)
{
    int n = 0;
    for (int k = 0; k < t->batch.count; k++)
        if (t->known[t->batch.trial[k]].step != TOLD)
            t->batch.trial[n++] = t->batch.trial[k];
    t->batch.count = n;
}

static enum err admitted(struct tuning *t)
{
    for (int n = 0; n < t->batch.count; n++) {
        const int k = t->batch.trial[n];
        struct trial *trial = &t->trial[k];
        if (t->journal)
            TRY(journal_keep(t->journal, trial));
        if (trial->outcome != DB_OK || t->setup->prove)
            tune_settle(t, k, trial->outcome == DB_OK ? 1 : (double)INFINITY, 0);
    }
    if (t->setup->prove)
        return order(t, DROPPING, ORDER_DROP, 0);
    keep_unsettled(t);
    return t->batch.count ? order(t, LOOKING, ORDER_TIME, LOOKS) : tune_employ(t);
}

static enum err note_timings(struct tuning *t)
{
    for (int k = 0; k < t->batch.count; k++)
        TRY(journal_keep(t->journal, &t->trial[t->batch.trial[k]]));
    return ERR_OK;
}

/* The watchdog: a block that can no longer win, and is no use to the search, is not timed
 * further. */
static enum err looked(struct tuning *t)
{
    TRY(note_timings(t));
    for (int n = 0; n < t->batch.count; n++) {
        const int k = t->batch.trial[n];
        struct trial *trial = &t->trial[k];
        const struct subject *s = tune_subject(t, k);
        const double us = (double)trial->us[trial->timings - 1];
        const double limit = search_limit(s->search, trial->recipe.block);
        if (t->known[k].auditing || us <= limit || tune_is_plain(t, k))
            continue;
        trial_fail(trial, DB_TIME_OUT, "%.3f us passed the limit of %.3f us; the best was %.3f us",
                   us, limit, s->best);
        TRY(journal_keep(t->journal, trial));
        tune_settle(t, k, us, 1);
    }
    struct batch all = t->batch;
    keep_unsettled(t);
    if (t->batch.count)
        return order(t, SCREENING, ORDER_TIME, LEAST_TIMINGS - LOOKS);
    t->batch = all;
    return order(t, DROPPING, ORDER_DROP, 0);
}

static enum err screened(struct tuning *t)
{
    TRY(note_timings(t));
    for (int n = 0; n < t->batch.count; n++) {
        const int k = t->batch.trial[n];
        tune_settle(t, k, trial_median(&t->trial[k]), 0);
    }
    gather_loaded(t);
    return order(t, DROPPING, ORDER_DROP, 0);
}

static enum err contended(struct tuning *t)
{
    TRY(note_timings(t));
    for (int n = 0; n < t->batch.count; n++)
        t->known[t->batch.trial[n]].unwritten = 1;
    t->losses = 0;
    return contend(t);
}

/* The current order is done. */
static enum err done(struct tuning *t)
{
    t->busy += seconds() - t->busy_since;
    switch (t->phase) {
    case IDLE:
        return ERR_OK;
    case STAGING:
        t->staged = 1;
        TRY(tune_note_stage(t));
        return tune_employ(t);
    case ADMITTING:
        return admitted(t);
    case LOOKING:
        return looked(t);
    case SCREENING:
        return screened(t);
    case DROPPING:
        return tune_employ(t);
    case CALLING:
        return called(t);
    case CONTENDING:
        return contended(t);
    case LEAVING:
        return next_stage(t);
    }
    return ERR_OK;
}

/* A trial that crashed the device process. */
static enum err blame(struct tuning *t, int k, const struct event *e)
{
    if (t->trial[k].outcome == DB_OK)
        trial_fail(&t->trial[k], e->patience ? DB_TIME_OUT : DB_LAUNCH, "%s", e->message);
    if (t->journal)
        TRY(journal_keep(t->journal, &t->trial[k]));
    if (t->known[k].step == TOLD) { /* it was in contention */
        t->known[k].goal = 0;
        t->known[k].unwritten = 1;
        return ERR_OK;
    }
    tune_settle(t, k, (double)INFINITY, 0);
    return ERR_OK;
}

/* Some contender crashes the device process when timed among others, and it is unknown which: the
 * timings so far must suffice. */
static void leave_contention(struct tuning *t)
{
    log_warning("these kernels are timed no further");
    for (int n = 0; n < t->batch.count; n++)
        t->known[t->batch.trial[n]].goal = 0;
    t->level = INT_MAX;
}

/* There is a new device process. Repeats the interrupted order, one trial at a time. */
static enum err recover(struct tuning *t, const struct event *e)
{
    t->staged = 0;
    for (int k = 0; k < t->trials; k++)
        t->trial[k].loaded = 0;
    if (t->phase == STAGING)
        FAIL(MACHINE, "the flow for the kernels: %s", e->message);
    log_warning("the device process was replaced: %s", e->message);
    if (++t->losses > MOST_LOSSES)
        FAIL(MACHINE,
             "the device process ended again and again: %s; measurements are kept, and --resume "
             "continues",
             e->message);
    if (e->trial >= 0)
        TRY(blame(t, e->trial, e));
    else if (t->phase == CONTENDING && t->losses == MOST_LOSSES)
        leave_contention(t);
    for (int n = 0; n < t->batch.count && t->phase < CALLING; n++) {
        const int k = t->batch.trial[n];
        if (t->known[k].step != TOLD && t->trial[k].outcome != DB_OK)
            TRY(blame(t, k, e));
        t->known[k].alone = t->phase != ADMITTING;
    }
    return tune_employ(t);
}

enum err tune_handle(struct tuning *t, const struct event *e)
{
    switch (e->what) {
    case EVENT_COMPILED:
        t->known[e->trial].step = COMPILED;
        if (t->trial[e->trial].outcome == DB_OK)
            break;
        if (t->journal)
            TRY(journal_keep(t->journal, &t->trial[e->trial]));
        tune_settle(t, e->trial, (double)INFINITY, 0);
        break;
    case EVENT_DONE:
        return done(t);
    case EVENT_LOST:
        return recover(t, e);
    case EVENT_NONE:
        break;
    }
    return ERR_OK;
}
