/* The report of `shoal verify` for people. */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include <stdio.h>

#include "verification/run/result_files.h"

/* What came of a verification: its verdicts are sorted (verdicts_sort). */
struct reported {
    const char *folder; /* its data/ has what figures need of each run */
    const struct plan *plan;
    const struct job_outcome *outcome;
    const struct verdicts *verdicts;
    const struct fact *facts;
};

/* Draws by gnuplot what the runs have left, writes report.md and report.html, which has the figures within it, over
 * older ones, and prints to `terminal` how each case did and what failed. Figures and the scripts that drew them
 * stay in figures/, instead of those of an older report. Without gnuplot, or where it fails, the report says so in
 * the figure's place: that is no error, but a warning. */
enum err report_write(const struct reported *what, FILE *terminal);

/* What it was made with, as a table; not how complete it is. */
void report_facts(const struct fact facts[FACTS], FILE *f);

#endif
