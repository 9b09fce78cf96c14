/* From outcomes to verdicts: one line per check. */
#ifndef SHOAL_VERDICT_H
#define SHOAL_VERDICT_H

#include "verification/run/plan.h"

enum verdict { VERDICT_OK, VERDICT_FAIL, VERDICT_NOTE, VERDICTS };

/* The kind of check: the value may be at most the limit; must be at least the limit; is a property
 * of every run or scheme; is printed beside the limit, which is another code's value. */
enum line_kind { LINE_ERROR, LINE_ORDER, LINE_INVARIANT, LINE_PUBLISHED };

struct line {
    const char *case_name; /* "-" where it belongs to no case */
    struct variant variant;
    int n;
    char time[16];       /* s, or "mean", "max", "end"; "-" where it has no meaning */
    char what[64];       /* norm or invariant */
    double value, limit; /* limit NAN: none */
    enum line_kind kind;
    enum verdict verdict;
    double seconds; /* of the runs it needed, which other lines may share */
    char why[400];  /* no tab, no line break */
    int beyond;     /* it would have failed, but counts for the default plug-ins only */
    int job, place; /* its position among all, independent of timing: see verdicts_sort */
};

struct verdicts {
    int count, room;
    struct line *line;
    char *judged; /* which jobs have been */
};

extern const char *const verdict_names[]; /* "ok", "FAIL", "note" */
extern const char *const line_kinds[];    /* "error", "order", "invariant", "published" */

/* Adds the lines that `job` completes: its own, and those that compare it with jobs that ended
 * before. */
enum err verdicts_judge(struct verdicts *v, const struct plan *p, const struct job_outcome *o,
                        int job);
void verdicts_free(struct verdicts *v);

/* The norm's value at a snapshot, or its mean or largest value over all that were taken; `norm` counts
 * as in case_norms, `at` as in struct check. */
double verdict_value(const struct measured *m, int norm, int at);

/* In the order of the plan and of each case's checks, which does not depend on which job ended
 * first. */
void verdicts_sort(struct verdicts *v);

int verdicts_count(const struct verdicts *v, enum verdict which);

#endif
