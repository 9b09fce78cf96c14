/* The results of a verification as files for other programs. */
#ifndef SHOAL_RESULT_FILES_H
#define SHOAL_RESULT_FILES_H

#include "verification/run/verdict.h"

/* Facts about the verification: names and values, for environment.tsv and the head of the
 * report. */
struct fact {
    char name[32], value[512];
};
enum { FACTS = 16 };

/* Writes environment.tsv alone: it marks the folder as one of a verification. */
enum err files_environment(const char *folder, const struct fact facts[FACTS]);

/* Writes results.tsv, runs.tsv, environment.tsv, data/kappa.tsv and junit.xml into `folder`. */
enum err files_write(const char *folder, const struct verdicts *v, const struct plan *p,
                     const struct job_outcome *o, const struct fact facts[FACTS]);

#endif
