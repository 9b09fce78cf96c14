/* One configuration under trial: a kernel with a block. Trials lie in memory that the coordinating
 * process, the compiling ones and the one that owns the device share; each writes its own part. */
#ifndef SHOAL_TRIAL_H
#define SHOAL_TRIAL_H

#include "core/base/paths.h"
#include "core/compile/recipe.h"
#include "core/db/tuning_db.h"

enum { MOST_TIMINGS = 512 };

struct trial {
    /* What is tried: written once, before anybody else sees the trial. The recipe's pointers are to
     * memory that every process has from before it was forked. */
    struct recipe recipe;

    /* By a compiling process. */
    char path[PATH_LENGTH]; /* of the compiled kernel */

    /* From here on to the last timing it is what a journal keeps. */
    long sequence; /* place in the session's order */
    char binary[DB_HASH + 1];
    double compile_ms;

    /* By whoever finds that it fails; DB_OK as long as nothing is known against it. */
    enum db_outcome outcome;
    char reason[DB_REASON + 1];

    /* By the device's process. NAN: not known. */
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

/* Makes it a trial of a recipe of which nothing is known. */
void trial_start(struct trial *t, const struct recipe *recipe, long sequence);

/* Notes a failure; the reason is cut to fit, and to one line without tabs; what a database others read
 * must not name, such as folders, is taken out of it. */
void trial_fail(struct trial *t, enum db_outcome outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Median of its timings, us, between the middle two of an even number; INFINITY where it failed or was
 * not timed. */
double trial_median(const struct trial *t);

/* Its row of the database: statistics of all timings, the thesis's cut at three standard deviations
 * counted beside them (chapter 4.2); what is not known, or not plausible, is NAN. `flags`, `source` and `session` are texts of the row. An ok trial
 * with fewer than five timings cannot be a row. */
struct trial_names {
    const char *flags, *source, *session;
};
enum { LEAST_TIMINGS = 5 };
void trial_row(const struct trial *t, const struct trial_names *names, struct db_row *row);

#endif
