/* One configuration under trial: a kernel with a block. Trials are in memory that the coordinating
 * process, the compiling ones and the one that owns the device share; each writes its own part. */
#ifndef SHOAL_TRIAL_H
#define SHOAL_TRIAL_H

#include "core/base/paths.h"
#include "core/compile/recipe.h"
#include "core/db/tuning_db.h"

enum { MOST_TIMINGS = 512 };

struct trial {
    /* The configuration: written once, before any other process sees the trial. The recipe points
     * to memory that every process has inherited. */
    struct recipe recipe;

    /* By a compiling process. */
    char path[PATH_LENGTH]; /* of the compiled kernel */

    /* The journal keeps everything from here to the last timing. */
    long sequence; /* position in the session's order */
    char binary[DB_HASH + 1];
    double compile_ms;

    /* Set by the process that finds a failure; DB_OK until then. */
    enum db_outcome outcome;
    char reason[DB_REASON + 1];

    /* By the device process. NAN: unknown. */
    int loaded; /* the handle in its stage; 0: not loaded */
    double load_ms, measure_ms;
    double registers, shared_b, spill_b, occupancy;
    char method[8];     /* cupti, events, clock; "-" before it was timed */
    double sentinel_us; /* the fixed kernel around the last round */
    double clock_mhz, memory_mhz, celsius;
    double throttle; /* bit mask; all reasons seen in any round */
    int timings;
    float us[MOST_TIMINGS]; /* in the order they were taken */
};

/* Initialises a trial of a recipe. */
void trial_start(struct trial *t, const struct recipe *recipe, long sequence);

/* Records a failure; the reason is cut to fit, and to one line without tabs; names that the
 * published database must not have, such as folders, are removed. */
void trial_fail(struct trial *t, enum db_outcome outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Median of its timings, us, the mean of the middle two for an even number; INFINITY if it failed
 * or was not timed. */
double trial_median(const struct trial *t);

/* Its row of the database: statistics of all timings, the thesis's cut at three standard deviations
 * is counted separately (chapter 4.2); unknown or implausible values are NAN. `flags`, `source` and
 * `session` are texts of the row. An ok trial with fewer than five timings cannot become a row. */
struct trial_names {
    const char *flags, *source, *session;
};
enum { LEAST_TIMINGS = 5 };
void trial_row(const struct trial *t, const struct trial_names *names, struct db_row *row);

#endif
