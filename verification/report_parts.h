/* What the parts of the report share. */
#ifndef SHOAL_REPORT_PARTS_H
#define SHOAL_REPORT_PARTS_H

#include <stdio.h>

#include "core/err.h"

/* A tab separated file in memory, as text. */
struct table {
    char *text, **cell; /* the cells of the header, then row by row */
    int columns, rows;  /* rows without the header */
};

/* Reads a file whose first line names its columns. With `names` (ends in NULL) they are exactly those,
 * in that order, whatever the file's is; a missing one is an error. Freed by table_free, also
 * after a failure. */
enum err table_read(struct table *t, const char *path, const char *const *names);
void table_free(struct table *t);

/* The text in a cell; row -1 is the header. */
const char *table_at(const struct table *t, int row, int column);

/* The whole number in a cell; 0 where there is none. */
int table_int(const struct table *t, int row, int column);

/* Is this the first row with its text in that column? */
int table_first(const struct table *t, int row, int column);

/* Columns of results.tsv and runs.tsv as `struct report` holds them. */
enum {
    RESULT_CASE,
    RESULT_SCHEME,
    RESULT_LIMITER,
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

struct report {
    const char *folder;
    struct table results, runs, environment,
        kappa; /* the last two: no rows where there is no file */
    FILE *out;
    int figures;    /* drawn so far; numbers them, and keeps their ids apart */
    int no_gnuplot; /* it is not there */
};

/* Text with <, >, &, and quotes escaped. */
void html_text(FILE *out, const char *s);

/* A number to three significant digits; text that is no number as it is. */
void html_number(FILE *out, const char *s);

/* Everything before the first case: counts, environment, failing lines, contents. */
void html_head(const struct report *r);
void html_tail(const struct report *r);

/* Tables (report_checks.c). */
void checks_failed(const struct report *r);
void checks_of_case(const struct report *r, const char *name); /* "-": those of no case */
void checks_orders(const struct report *r);
void runs_of_case(const struct report *r, const char *name);

int result_failed(const struct report *r, int row);

/* Which runs of a case its figures show: rows of runs.tsv whose profile is in data/. */
enum { CHOSEN = 64 };
struct choice {
    const char *name; /* of the case */
    int lead;         /* the default scheme's finest in f64, or what comes nearest; -1: none */
    int cells;        /* the finest with all its cells, the lead if it has them; -1: none */
    int ladder[CHOSEN], ladder_count;    /* like the lead, coarse to fine */
    int schemes[CHOSEN], scheme_count;   /* every scheme at the finest resolution most have */
    int variants[CHOSEN], variant_count; /* the first of each scheme and limiter that has two */
    int norms, snapshots;                /* in the lead's series */
    int compared;                        /* the lead has a reference */
    int cells_judged;                    /* checks look at the last snapshot, which `cells` holds */
    double judged; /* the latest time that a check looks at, s; infinite: none names a time */
    int published; /* rows of results.tsv with other codes' values */
};
void choose_runs(const struct report *r, const char *name, struct choice *c);

/* All runs that differ from this one in resolution only, itself included, coarse to fine; how many. */
int runs_of_variant(const struct report *r, int run, int list[CHOSEN]);

/* Are two runs equal in columns first to last? */
int runs_agree(const struct report *r, int a, int b, int first, int last);

enum { REPORT_PATH = 4096 };

/* "FOLDER/data/RUN.KIND.tsv"; true if it is there. */
int run_file(const struct report *r, int run, const char *kind, char path[REPORT_PATH]);

/* What gnuplot is told about a case before a figure's script: plots/style.gp lists it. */
enum err figure_data(const struct report *r, const struct choice *c, FILE *script);

/* 'text' as gnuplot reads it. */
void gnuplot_text(FILE *script, const char *text);

/* The figures of a case, those of the section on kappa, and a line for each that is left out because
 * its case was not run. They fail where the machine does, not where gnuplot does. */
enum err figures_of_case(struct report *r, const char *name);
enum err figures_of_kappa(struct report *r);
void figures_left_out(const struct report *r);

int gnuplot_present(void);

/* Runs gnuplot on a script file. `svg` is what it drew and `message` what it said, "" if nothing;
 * both to be freed. ERR_ABSENT: there is no gnuplot; ERR_CHECK: it failed. */
enum err gnuplot_draw(const char *script, char **svg, char **message);

/* Writes a drawing for embedding: without its prologue and title, its ids made unique by `number`. */
void gnuplot_embed(FILE *out, const char *svg, int number);

#endif
