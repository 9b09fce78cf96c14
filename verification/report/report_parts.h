/* What the parts of the report share. */
#ifndef SHOAL_REPORT_PARTS_H
#define SHOAL_REPORT_PARTS_H

#include <stdio.h>

#include "core/picture/markdown.h"
#include "verification/report/drawings.h"
#include "verification/report/lines.h"
#include "verification/report/report.h"

enum { SCHEMES_SHOWN = 32 };

struct report {
    const struct reported *of;
    const struct line **line; /* case by case, lines without a case at the end */
    int lines;
    const char *scheme[SCHEMES_SHOWN]; /* those of the lines, the default one first */
    int schemes;
    /* The variant that represents a scheme in tables: the default plug-ins, f64, CPU, or what was
     * run. */
    struct variant typical;
    const struct variant *own; /* what figures prefer to show; null: the default one */
    struct drawings drawings;
    int linked; /* the report has a section for each case, to which its name links */
};

/* Puts the lines of `r->of` in order. */
enum err report_open(struct report *r);
void report_close(struct report *r); /* accepts a zeroed one */

/* Lines first to end, end not among them. */
struct rows {
    int first, end;
};

/* Those of a case, "-": of none; 0 to 0 where there are none. */
struct rows rows_of(const struct report *r, const char *case_name);

/* Are two variants equal except for their schemes? */
int alike_but_for_scheme(const struct variant *a, const struct variant *b);

/* Checks: lines that differ only in the scheme (questions.c). The line of this scheme for the same
 * check as a line; -1: none. */
int answer(const struct report *r, int row, const char *scheme);

/* The line with the order at which an error falls, for the same run and time; NULL: none. */
const struct line *order_beside(const struct report *r, const struct line *l);

/* A table with a row for each check that a wanted line has, case by case, in reading order. */
enum {
    WITH_CASE = 1,
    WITH_ORDERS = 2,
    WITH_CODES = 4
}; /* the last: limits are other codes' values */
typedef int wanted_lines(const struct report *r, int row);
enum err questions_write(const struct report *r, struct rows from, wanted_lines *wanted, int with,
                         FILE *f);

/* Its parts. */
void scheme_columns(const struct report *r, struct markdown_table *t);
void case_cell(const struct report *r, struct markdown_table *t, const char *name);
void answer_cells(const struct report *r, struct markdown_table *t, int row, int same_limits,
                  int with_orders);

/* The heading for lines without a case; the others' are their names. */
extern const char every_scheme[];

/* Sections (checks.c); a case "-" is none. */
enum err checks_failed(const struct report *r, FILE *f);
enum err checks_beyond(const struct report *r,
                       FILE *f); /* failures that count as none (struct line) */
enum err checks_all(const struct report *r, FILE *f);
void checks_contents(const struct report *r, FILE *f);
enum err checks_published(const struct report *r, FILE *f);
enum err checks_accuracy(const struct report *r, const char *name, FILE *f);
enum err checks_of_case(const struct report *r, const char *name, FILE *f);
void runs_of_case(const struct report *r, const char *name, FILE *f);

/* Which runs of a case its figures show: jobs of the plan. */
enum { CHOSEN = 64 };
struct choice {
    const char *name; /* of the case */
    int lead;         /* the default scheme's finest in f64, or the nearest to that; -1: none */
    int cells;        /* the finest with all its cells, the lead if it has them; -1: none */
    int ladder[CHOSEN], ladder_count;  /* like the lead, coarse to fine */
    int schemes[CHOSEN], scheme_count; /* every scheme at the finest resolution most have */
    int variants[CHOSEN],
        variant_count;    /* of each scheme and limiter at two resolutions, the first */
    int norms, snapshots; /* of the lead */
    int compared;         /* the lead has a reference */
    int cells_judged;     /* checks look at the last snapshot, which `cells` holds */
    double judged; /* the latest time that a check looks at, s; infinite: none names a time */
    int published; /* lines with other codes' values */
};
void choose_runs(const struct report *r, const char *name, struct choice *c);

/* The finished runs of a case, without the sweep over kappa; returns their number, at most
 * `room`. */
int runs_done(const struct report *r, const char *name, int *list, int room);

/* All runs that differ from this one only in resolution, including itself, coarse to fine; returns
 * their number. */
int runs_of_variant(const struct report *r, int job, int list[CHOSEN]);

static inline const struct run *run_at(const struct report *r, int job)
{
    return &r->of->plan->job[job].run;
}
static inline const struct measured *measured_at(const struct report *r, int job)
{
    return &r->of->outcome[job].measured;
}

/* The variables about a case that precede a figure's script: plots/verify/common.gp lists them. */
void figure_data(const struct report *r, const struct choice *c, FILE *script);

/* Looks for gnuplot, and deletes the figures of an earlier report. Those of a case become scripts, which gnuplot draws
 * in report_figures_draw. */
enum err report_figures_open(struct report *r);
enum err report_figures_add(struct report *r, const char *case_name);
enum err report_figures_draw(struct report *r);

/* Writes the drawn figures of a case, or all that belong to it, and a line for each that is left
 * out because its case was not run. */
void figures_drawn(const struct report *r, const char *name, FILE *f);
void figures_of_case(const struct report *r, const char *name, FILE *f);
void figures_left_out(const struct report *r, FILE *f);

#endif
