/* The time of a step: all entries are timed in turn, round after round, so that other load affects
 * all alike. In a child process, as a kernel may crash. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/forked_child.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/base/sorted.h"
#include "verification/judge/judge.h"
#include "verification/run/case_sim.h"

enum { MOST_ROUNDS = 15, MOST_PASSES = 1 << 16 };

/* Never reached: kernels do nothing after the end. */
static const double NO_END = 1e9;

/* One entry in a race. */
struct runner {
    struct case_sim of; /* without a sim: not timed */
    long passes;        /* of a round */
    double step[MOST_ROUNDS];
};

struct race {
    const struct judging *j;
    const struct flow_case *flow_case;
    int n;         /* cells across */
    double window; /* s: the least length of an entry's round */
    int rounds;
    struct runner *runner; /* one for each entry */
};

/* Default blocks for all: those in the database were tuned with one entry. */
static enum err open_runner(const struct race *race, struct runner *r, const struct variant *v,
                            int threads)
{
    variant_configure(&r->of.config, v);
    r->of.config.nx = race->n;
    r->of.config.threads = threads;
    r->of.config.tuned = 0;
    r->of.config.t_end = NO_END;
    return case_sim_open(&r->of, race->flow_case);
}

/* Seconds; with one thread processor time, which other programs disturb less. */
static double now(const struct runner *r)
{
    struct timespec t;
    if (r->of.config.threads != 1 || r->of.sim->backend != &backend_cpu)
        return seconds();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds a step. */
static enum err lap(struct runner *r, long passes, double *step)
{
    const unsigned long before = r->of.sim->now.steps;
    const double start = now(r);
    TRY(sim_step_many(r->of.sim, passes));
    *step = (now(r) - start) / (double)(r->of.sim->now.steps - before);
    return ERR_OK;
}

/* Warms up, and finds how many passes fill the window. */
static enum err warm_up(const struct race *race, struct runner *r)
{
    double step = 0;
    TRY(lap(r, 1, &step));
    for (r->passes = 1;; r->passes *= 2) {
        const double start = seconds();
        TRY(lap(r, r->passes, &step));
        if (seconds() - start >= race->window / 2 || r->passes >= MOST_PASSES)
            return ERR_OK;
    }
}

/* Each round begins with another entry. An entry that breaks down is dropped. */
static void run_rounds(const struct race *race)
{
    const int entries = race->j->entries;
    for (int k = 0; k < race->rounds; k++)
        for (int e = 0; e < entries; e++) {
            struct runner *r = &race->runner[(e + k) % entries];
            if (r->of.sim && lap(r, r->passes, &r->step[k]))
                case_sim_close(&r->of);
        }
}

static void summarise(const struct race *race, struct speed result[ENTRIES])
{
    const struct runner *standard = &race->runner[race->j->standard];
    const size_t n = (size_t)race->rounds;
    for (int e = 0; e < race->j->entries; e++) {
        const struct runner *r = &race->runner[e];
        double ratio[MOST_ROUNDS], step[MOST_ROUNDS];
        result[e] = (struct speed){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
        if (!r->of.sim)
            continue;
        memcpy(step, r->step, sizeof step);
        result[e].step = sorted_median(step, n);
        if (!standard->of.sim)
            continue;
        for (int k = 0; k < race->rounds; k++)
            ratio[k] = r->step[k] / standard->step[k];
        result[e].ratio = sorted_median(ratio, n);
        result[e].low = ratio[n / 4];
        result[e].high = ratio[n - 1 - n / 4];
    }
}

/* The variants' mode, precision and backend are `like`'s. */
static enum err run_race(struct race *race, const struct variant *like, int threads,
                         struct speed result[ENTRIES])
{
    const struct judging *j = race->j;
    race->runner = calloc((size_t)j->entries, sizeof *race->runner);
    if (!race->runner)
        FAIL(MEMORY, "no memory to time %d entries", j->entries);
    for (int e = 0; e < j->entries; e++) {
        struct runner *r = &race->runner[e];
        struct variant v = j->entry[e].variant;
        v.mode = like->mode;
        v.precision = like->precision;
        v.backend = like->backend;
        if (!open_runner(race, r, &v, threads) && warm_up(race, r))
            case_sim_close(&r->of);
    }
    run_rounds(race);
    summarise(race, result);
    for (int e = 0; e < j->entries; e++)
        case_sim_close(&race->runner[e].of);
    free(race->runner);
    return ERR_OK;
}

/* Every rung of every trial, with the settings of its errors: strict, f64, one thread. */
static enum err time_ladders(const struct judging *j, struct timings *to)
{
    const struct variant like = {.precision = F64, .backend = CPU, .mode = STRICT};
    for (int t = 0; t < j->trials; t++)
        for (int k = 0; k < j->trial[t].rungs; k++) {
            struct race race = {.j = j,
                                .flow_case = j->trial[t].flow_case,
                                .n = j->trial[t].ladder[k],
                                .window = 2e-3,
                                .rounds = j->quick ? 3 : 5};
            struct speed result[ENTRIES];
            TRY(run_race(&race, &like, 1, result));
            for (int e = 0; e < j->entries; e++)
                to->step[t][k][e] = result[e].step;
        }
    return ERR_OK;
}

/* What `shoal run` does by default, fast and in the system's precision, on a problem that is large for the device. */
static enum err time_speed(const struct judging *j, struct timings *to, enum backend_kind on)
{
    static const int across[2][BACKENDS] = {{[CPU] = 384, [CUDA] = 2048},
                                            {[CPU] = 256, [CUDA] = 1024}};
    const struct variant like = {
        .precision = judged_system(j)->precision, .backend = on, .mode = FAST_MODE};
    const struct flow_case *c =
        judged_system(j)->tuned_on ? find_case(judged_system(j)->tuned_on) : NULL;
    if (j->subject.kind == SUBJECT_CASE)
        c = j->subject.flow_case;
    if (!c)
        return ERR_OK;
    struct race race = {.j = j,
                        .flow_case = c,
                        .n = across[j->quick][on],
                        .window = 20e-3,
                        .rounds = j->quick ? 5 : 11};
    to->rounds = race.rounds;
    to->cells[on] = race.n;
    return run_race(&race, &like, j->threads, to->speed[on]);
}

struct question {
    const struct judging *j;
    int parent;
};

static int time_all(void *context)
{
    const struct question *q = context;
    struct timings *to = q->j->timings;
    forked_child_begin(q->parent);
    log_quiet(2);
    enum err e = time_ladders(q->j, to);
    if (!e)
        e = time_speed(q->j, to, CPU);
    if (!e && q->j->on_cuda)
        e = time_speed(q->j, to, CUDA);
    to->err = e;
    if (e)
        snprintf(to->message, sizeof to->message, "%s", err_message());
    return 0;
}

/* The time of a run is that of a step times the number of steps. */
static void take_walls(struct judging *j)
{
    for (int t = 0; t < j->trials; t++)
        for (int e = 0; e < j->entries; e++)
            for (int k = 0; k < j->trial[t].rungs; k++) {
                struct cell *c = &j->cell[t][e][k];
                if (!c->failed)
                    c->wall = j->timings->step[t][k][e] * (double)study_run(j, t, e, k)->steps;
            }
}

enum err timing_measure(struct judging *j)
{
    struct question q = {j, (int)getpid()};
    struct timings *to = j->timings;
    for (int e = 0; e < ENTRIES; e++)
        for (int k = 0; k < TRIALS * RUNGS + BACKENDS; k++)
            if (k < TRIALS * RUNGS)
                to->step[k / RUNGS][k % RUNGS][e] = (double)NAN;
            else
                to->speed[k - TRIALS * RUNGS][e] =
                    (struct speed){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (forked_child_ask(time_all, &q) < 0)
        snprintf(to->message, sizeof to->message, "the process that timed them crashed");
    take_walls(j);
    return ERR_OK;
}
