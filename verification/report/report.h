/* The report of `shoal verify` for people. */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include <stdio.h>

#include "verification/run/result_files.h"

/* What came of a verification: its verdicts are sorted (verdicts_sort). */
struct reported {
    const char *folder; /* its data/ has what figures need of each run */
    const struct plan *plan;
    const struct outcome *outcome;
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

/* Lines of verdicts as a table: a row for each question, a column for each scheme. Nothing where there are none. */
enum report_lines {
    LINES_ALL,
    LINES_FAILED,
    LINES_FAILED_FIRST, /* the first of each case */
    LINES_BEYOND,       /* failures that count as none (struct line) */
    LINES_BEYOND_FIRST,
    LINES_KINDS
};
enum err report_lines(const struct verdicts *v, enum report_lines which, FILE *f);

#endif
