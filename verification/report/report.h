/* The human-readable report of `shoal verify`. */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include <stdio.h>

#include "verification/run/result_files.h"

/* The result of a verification, with sorted verdicts (verdicts_sort). */
struct reported {
    const char *folder; /* its data/ has the figures' data of each run */
    const struct plan *plan;
    const struct job_outcome *outcome;
    const struct verdicts *verdicts;
    const struct fact *facts;
};

/* Draws the runs' data with gnuplot, writes report.md and report.html (which contains the figures),
 * replacing older ones, and prints to `terminal` the result of each case and the failures. Figures
 * and their scripts stay in figures/, replacing those of an older report. Without gnuplot, or if it
 * fails, the report says so in the figure's place: a warning, not an error. */
enum err report_write(const struct reported *what, FILE *terminal);

/* How it was made, as a table; not how complete it is. */
void report_facts(const struct fact facts[FACTS], FILE *f);

#endif
