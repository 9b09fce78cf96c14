/* The tuning's main loop: searches request blocks, processes compile, the device measures, searches
 * get the results. */
#include "experiments/tuner/tune.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/forked_child.h"
#include "core/db/record.h"
#include "core/base/monotonic_time.h"
#include "core/base/signals.h"

enum {
    CPU_WINDOW = 32, /* compiled before the CPU measures: never both at once */
    LATE_BLOCKS = 4, /* of each kernel are tried however small the budget */
    MERGE_SECONDS = 10,
};
/* Shares of the budget for searching; the rest is for contention. */
static const double search_share = 0.7;
/* A stopped block whose audit comes this near to the best was stopped wrongly. */
static const double near_best = 1.05;
static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    stopped = number;
}

struct subject *tune_subject(struct tuning *t, int trial)
{
    return &t->subject[t->known[trial].subject];
}

/* A stage gets its part of the remaining budget, and searching a share of that. */
int tune_late(const struct tuning *t)
{
    const double left = t->setup->budget - (t->stage_began - t->began);
    const double part = search_share * fmax(left, 0) / (t->stages - t->now);
    return t->setup->budget > 0 && seconds() - t->stage_began > part;
}

/* Passes a trial's result to its search, once. */
void tune_settle(struct tuning *t, int k, double us, int ended)
{
    struct subject *s = tune_subject(t, k);
    struct known *n = &t->known[k];
    n->step = TOLD;
    n->unwritten = 1;
    t->losses = 0;
    if (!ended && us < s->best)
        s->best = us;
    if (n->auditing) {
        s->audited++;
        s->false_end += us < near_best * s->best;
        return;
    }
    n->ended = ended;
    s->ended += ended;
    s->told++;
    search_tell(s->search, t->trial[k].recipe.block, us, ended);
}

/* Restores the state of a block from before an interruption. True if it is complete. */
static int restore(struct tuning *t, int k)
{
    struct trial *trial = &t->trial[k];
    const struct trial *old = tune_restored(t, trial->recipe.kernel, trial->recipe.block);
    if (!old)
        return 0;
    const struct recipe recipe = trial->recipe;
    *trial = *old;
    trial->recipe = recipe;
    trial->loaded = 0;
    const int ended = trial->outcome == DB_TIME_OUT && trial->timings > 0;
    if (trial->outcome == DB_OK && trial->timings < LEAST_TIMINGS)
        return 0;
    t->reused++;
    tune_settle(t, k, ended ? (double)trial->us[0] : trial_median(trial), ended);
    return 1;
}

static enum err add_trial(struct tuning *t, int subject, struct block b)
{
    struct subject *s = &t->subject[subject];
    const int k = t->trials++;
    struct recipe r;
    char why[DB_REASON + 1];
    TRY(stage_recipe(&t->stage[s->stage], s->kernel, b, &r));
    trial_start(&t->trial[k], &r, k);
    t->known[k] = (struct known){.subject = subject, .step = ASKED};
    s->asked++;
    if (restore(t, k))
        return ERR_OK;
    if (space_breaks(s->kernel, t->setup->backend, b, why, sizeof why)) {
        trial_fail(&t->trial[k], DB_CONSTRAINT, "%s", why);
        tune_settle(t, k, (double)INFINITY, 0);
        return t->journal ? journal_keep(t->journal, &t->trial[k]) : ERR_OK;
    }
    return workers_compile(t->workers, k);
}

/* How many more compilations may be requested. */
static int room_for(const struct tuning *t)
{
    int waiting = 0;
    if (t->setup->backend == CUDA)
        return 2 * t->setup->compilers - workers_compiling(t->workers);
    for (int k = 0; k < t->trials; k++)
        waiting += t->known[k].step != TOLD;
    return CPU_WINDOW - waiting;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

enum { AT_ONCE = 4 };

/* How many blocks a search with so many left may request in its turn. */
static int may_ask(const struct tuning *t, int left)
{
    return smaller(smaller(left, AT_ONCE), smaller(room_for(t), MOST_TRIALS - t->trials));
}

/* Lets the searches of a stage request blocks in turn, `most_of_one` each at most. */
static enum err feed_stage(struct tuning *t, int stage, int most_of_one)
{
    int asked = 1;
    while (asked) {
        asked = 0;
        for (int s = 0; s < t->subjects; s++) {
            struct block b[AT_ONCE];
            const int most = may_ask(t, most_of_one - t->subject[s].asked);
            if (t->subject[s].stage != stage || most < 1)
                continue;
            const int n = search_ask(t->subject[s].search, b, most);
            for (int k = 0; k < n; k++)
                TRY(add_trial(t, s, b[k]));
            asked += n;
        }
    }
    return ERR_OK;
}

/* While the GPU measures, later stages' kernels are compiled as well. */
static enum err feed(struct tuning *t)
{
    const int last = t->setup->backend == CUDA ? t->stages : t->now + 1;
    if (t->setup->backend == CPU && t->phase != IDLE)
        return ERR_OK;
    for (int stage = t->now; stage < last; stage++)
        if (stage > t->now || !t->entered)
            TRY(feed_stage(t, stage, stage == t->now && tune_late(t) ? LATE_BLOCKS : MOST_TRIALS));
    return ERR_OK;
}

static enum err loop(struct tuning *t)
{
    static const double moment = 0.2;
    while (t->now < t->stages) {
        struct event e;
        TRY(feed(t));
        if (!workers_busy(t->workers))
            TRY(tune_employ(t));
        if (t->now == t->stages)
            break;
        const enum err waited = workers_wait(t->workers, moment, &e);
        if (stopped) /* first: Ctrl-C in a terminal ends the workers, too */
            FAIL(STOPPED, "stopped by a signal; measurements are kept, and --resume continues");
        TRY(waited);
        TRY(tune_handle(t, &e));
        if (seconds() - t->merged > MERGE_SECONDS)
            TRY(tune_merge(t));
        tune_progress(t, 0);
    }
    return ERR_OK;
}

/* Measurements are kept, however it ends. */
static enum err keep(struct tuning *t, enum err e)
{
    char message[2048];
    snprintf(message, sizeof message, "%s", err_message());
    const enum err merged = tune_merge(t);
    if (e)
        return err_set(e, __FILE__, __LINE__, "%s", message);
    return merged;
}

enum err tune_run(const struct tune_setup *setup)
{
    const size_t bytes = MOST_TRIALS * sizeof(struct trial);
    enum err e = ERR_OK;
    struct tuning *t = calloc(1, sizeof *t);
    if (!t)
        FAIL(MEMORY, "no memory for a tuning");
    t->setup = setup;
    t->began = t->stage_began = t->merged = seconds();
    t->trial = forked_child_share(bytes);
    t->known = calloc(MOST_TRIALS, sizeof *t->known);
    if (!t->trial || !t->known) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the trials of a tuning");
        goto out;
    }
    TRY_OUT(tune_open(t));
    signals_catch(on_signal, 0);
    e = keep(t, loop(t));
    signals_catch(NULL, 0); /* `stopped` is no longer checked */
    TRY_OUT(e);
    if (t->journal)
        TRY_OUT(db_record_end(t->folder, t->head.session));
    tune_progress(t, 1);
    TRY_OUT(tune_report(t));
out:
    tune_close(t, !e);
    forked_child_unshare(t->trial, bytes);
    free(t->known);
    free(t);
    return e;
}
