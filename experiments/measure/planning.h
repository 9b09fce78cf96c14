/* Shared by the files that make the points of an experiment. */
#ifndef SHOAL_MEASURE_PLANNING_H
#define SHOAL_MEASURE_PLANNING_H

#include "core/options/run_config.h"
#include "experiments/measure/measure_parts.h"

/* Keys that may list several values, in the order of the columns: the last one varies fastest. One without a
 * default must be given. */
enum choice {
    BY_CASE,
    BY_SCHEME,
    BY_PRECISION,
    BY_MODE,
    BY_NX,
    BY_CFL,
    BY_DT_FACTOR,
    BY_LIMITER,
    BY_EARLY_EXIT,
    BY_BLOCKS,
    BY_DEFINE,
    BY_GRAPHS,
    BY_OPTIONS,
    CHOICES
};
enum { MOST_LISTED = 512 };

struct words {
    char word[MOST_LISTED][EXPERIMENT_WORD + 1];
    int count;
    const char *value; /* the value in the file, for messages */
};

struct planning {
    const struct experiment *x;
    const struct section *wanted;
    const struct measure_setup *setup;
    const char *input; /* a file instead of a case; or NULL */
    struct measure_common common;
    struct measure_compared compared;
    struct words list[CHOICES];
    struct config config; /* of the current combination */
    struct point *point;
    char (*cells)[POINT_CELLS];
    int count;
};
/* Fails with ERR_INPUT for a word about a case or scheme that the experiment has not. */
enum err planning_check_words(const struct planning *g);

/* Are all words of a combination about its own case and scheme? */
int planning_fits(const struct planning *g, const int at[CHOICES]);

/* The point of a combination: of each list the word that `at` says. Fails with ERR_INPUT, at the line of a word that is
 * none of its key's. */
enum err planning_point(struct planning *g, const int at[CHOICES], struct point *p);

#endif
