/* What the parts of the report share. */
#ifndef SHOAL_REPORT_PARTS_H
#define SHOAL_REPORT_PARTS_H

#include <stdio.h>

#include "core/picture/gnuplot.h"
#include "core/picture/html.h"

enum { REPORT_PATH = 4096 };

/* A tab separated file in memory, as text. */
struct table {
    char *text, **cell; /* the cells of the header, then row by row */
    int columns, rows;  /* rows without the header */
};

/* Reads a file whose first line names its columns. With `names` (ends in NULL) they are exactly
 * those, in that order, whatever the file's is; a missing one is an error. Freed by table_free,
 * also after a failure. */
enum err table_read(struct table *t, const char *path, const char *const *names);
void table_free(struct table *t);

/* The text in a cell; row -1 is the header. */
const char *table_at(const struct table *t, int row, int column);

/* The whole number in a cell; 0 where there is none. */
int table_int(const struct table *t, int row, int column);

/* Sorts the rows by the text in a column; equal ones keep their order. At most 64 columns. */
void table_sort(struct table *t, int column);

/* Rows first to end, end not among them. */
struct rows {
    int first, end;
};

/* Of a table sorted by the column: the rows with that text; none: 0 to 0. */
struct rows rows_with(const struct table *t, int column, const char *text);

/* Columns of results.tsv and runs.tsv as `struct report` holds them. */
enum {
    RESULT_CASE,
    RESULT_SCHEME,
    RESULT_LIMITER,
    RESULT_FLUX,
    RESULT_RECONSTRUCTION,
    RESULT_PRECISION,
    RESULT_BACKEND,
    RESULT_N,
    RESULT_TIME,
    RESULT_NORM,
    RESULT_VALUE,
    RESULT_LIMIT,
    RESULT_KIND,
    RESULT_VERDICT,
    RESULT_SECONDS,
    RESULT_WHY
};
enum {
    RUN_CASE,
    RUN_SCHEME,
    RUN_LIMITER,
    RUN_FLUX,
    RUN_RECONSTRUCTION,
    RUN_PRECISION,
    RUN_BACKEND,
    RUN_NX,
    RUN_NY,
    RUN_KAPPA,
    RUN_DRY,
    RUN_DT_MIN,
    RUN_DT_MAX,
    RUN_STEPS,
    RUN_REDONE,
    RUN_MASS_ERROR,
    RUN_CLIPPED,
    RUN_LEAST_DEPTH,
    RUN_STEADY_AT,
    RUN_SECONDS,
    RUN_DIGEST
};

/* Of the columns from limiter to backend. */
enum { SCHEMES_SHOWN = 32, TYPICAL = RESULT_BACKEND - RESULT_LIMITER + 1 };

/* One drawing by gnuplot. */
struct drawing {
    const struct figure *figure;
    const char *of;           /* the case */
    char script[REPORT_PATH]; /* its file */
    struct gnuplot_run run;
};

struct report {
    const char *folder;
    struct table results, runs;      /* sorted by case */
    struct table environment, kappa; /* no rows where there is no file */
    FILE *out;
    const char *scheme[SCHEMES_SHOWN]; /* those of the results, the default one first */
    int schemes;
    /* What stands for a scheme in tables: the default plug-ins, f64, CPU, or what was run. */
    const char *typical[TYPICAL];
    struct drawing *drawing;
    int drawings;
    int no_gnuplot; /* it is not there */
};

/* A number to three significant digits; text that is no number as it is. */
void html_number(FILE *out, const char *s);

/* The page's start: verdict and environment; and its end. */
void html_head(const struct report *r);
void html_tail(const struct report *r);

/* Questions: lines of results.tsv that differ in the scheme only (questions.c). */
int result_is(const struct report *r, int row, int column, const char *text);
int result_failed(const struct report *r, int row);
int result_published(const struct report *r, int row);

/* The text that stands for a column, from RESULT_LIMITER to RESULT_BACKEND. */
const char *result_typical(const struct report *r, int column);

/* "minmod hll": the limiter, and flux and reconstruction where they are not the typical ones. */
void write_plugins(const struct report *r, int row);

/* The row with this scheme's answer to a row's question; -1: none. */
int answer(const struct report *r, int row, const char *scheme);

/* The row with the order at which an error falls, for the same run and time; -1: none. */
int order_beside(const struct report *r, int row);

/* A row for each question, case by case, in an order for reading. */
struct questions {
    int *row; /* to be freed */
    int count;
};
enum err questions_collect(const struct report *r, struct rows from,
                           int (*wanted)(const struct report *r, int row), struct questions *q);

/* Their table. */
enum {
    WITH_CASE = 1,
    WITH_ORDERS = 2,
    WITH_CODES = 4
}; /* the last: limits are other codes' values */
void questions_write(const struct report *r, const struct questions *q, int with);

/* Its parts. */
void write_cell(const struct report *r, const char *text, int number);
void write_case_link(const struct report *r, const char *name);
void write_scheme_heads(const struct report *r);
void write_answers(const struct report *r, int row, int same_limits, int with_orders);

/* Sections (checks.c); a case "-" is none. */
enum err checks_failed(const struct report *r);
void checks_contents(const struct report *r);
enum err checks_published(const struct report *r);
enum err checks_accuracy(const struct report *r, const char *name);
enum err checks_of_case(const struct report *r, const char *name);
enum err checks_orders(const struct report *r);
void runs_of_case(const struct report *r, const char *name);

/* Which runs of a case its figures show: rows of runs.tsv whose profile is in data/. */
enum { CHOSEN = 64 };
struct choice {
    const char *name; /* of the case */
    int lead;         /* the default scheme's finest in f64, or what comes nearest; -1: none */
    int cells;        /* the finest with all its cells, the lead if it has them; -1: none */
    int ladder[CHOSEN], ladder_count;  /* like the lead, coarse to fine */
    int schemes[CHOSEN], scheme_count; /* every scheme at the finest resolution most have */
    int variants[CHOSEN],
        variant_count;    /* of each scheme and limiter at two resolutions, the first */
    int norms, snapshots; /* in the lead's series */
    int compared;         /* the lead has a reference */
    int cells_judged;     /* checks look at the last snapshot, which `cells` holds */
    double judged; /* the latest time that a check looks at, s; infinite: none names a time */
    int published; /* rows of results.tsv with other codes' values */
};
void choose_runs(const struct report *r, const char *name, struct choice *c);

/* All runs that differ from this one in resolution only, itself included, coarse to fine; their
 * number. */
int runs_of_variant(const struct report *r, int run, int list[CHOSEN]);

/* Are two runs equal in columns first to last? */
int runs_agree(const struct report *r, int a, int b, int first, int last);

/* "minmod", or "minmod+hll" with a flux or reconstruction that is not the default; `between` them. */
const char *run_plugins(const struct report *r, int run, char between, char text[200]);

/* "FOLDER/data/RUN.KIND.tsv"; true if it is there. */
int run_file(const struct report *r, int run, const char *kind, char path[REPORT_PATH]);

/* What gnuplot is told about a case before a figure's script: plots/verify/common.gp lists it. */
enum err figure_data(const struct report *r, const struct choice *c, FILE *script);

/* Draws all figures of the page, several at a time. Fails where the machine does, not where gnuplot
 * does. */
enum err report_figures_draw(struct report *r);
void report_figures_free(struct report *r);

/* Writes those of a case, those of the section on kappa, and a line for each that is left out
 * because its case was not run. */
void figures_of_case(const struct report *r, const char *name);
void figures_of_kappa(const struct report *r);
void figures_left_out(const struct report *r);

/* Writes a drawing for embedding: without prologue and title, its ids made unique by `number`. */
void gnuplot_embed(FILE *out, const char *svg, int number);

#endif
