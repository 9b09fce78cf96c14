/* Shared by the files of `shoal measure`. */
#ifndef SHOAL_MEASURE_PARTS_H
#define SHOAL_MEASURE_PARTS_H

#include "experiments/measure/measure.h"

/* Fails with ERR_ABSENT, saying what it needs, for an experiment of another backend. */
enum err measure_backend_check(const struct experiment *x, enum backend_kind backend);

/* Whether the experiment's kind supports runs in parts. */
int measure_divides(const struct experiment *x);

/* The path of the file that `input` names: $VARIABLE, or a path from the experiment's folder. Fails
 * with ERR_ABSENT, saying what the experiment needs, if it is missing. */
enum err measure_input(const struct experiment *x, const char *value, char path[PATH_LENGTH]);

/* The keys of [measure] of all kinds that have points: first those that may list several values, then those
 * that hold for all points. */
struct measure_common {
    int steps, repeat; /* steps 0: to the end */
    double enough;     /* s */
    int unit_cells;
    int devices; /* GPUs of one host that it is meant for */
};
extern const struct option measure_common[];

/* The keys of kind `runs`. */
struct measure_compared {
    int error; /* runs are compared with a solution */
    int finer; /* where there is none, with a run with so many times the cells along each side; 0: not */
};
extern const struct option measure_runs_options[];

/* measure_plan has rejected invalid values. */
struct measure_compared measure_compares(const struct experiment *x, enum backend_kind backend);

/* Has the case an exact or a computed solution? */
int measure_solved(const struct flow_case *f);

/* The depth of a run of the point's case, in f64 and strict mode, which gives the same bits on every machine; with
 * `finer` times as many cells along each side as the largest size of the case in the plan. The caller frees *depth. */
enum err measure_finer_run(const struct measure *m, const struct point *p, const struct opened *o,
                           int finer, struct grid_info *grid, double **depth);

/* Its means over the cells of a grid. Fails with ERR_INPUT where these do not consist of whole cells. */
enum err measure_finer_means(const char *name, const struct grid_info *grid, const double *depth,
                             const struct grid_info *coarse, double *means);

/* Every key of [measure] is one of these, or of its kind's or measure_common. */
extern const char *const measure_all_take[];

/* Parses a block such as "16x16"; false for any other text. */
int measure_block(const char *word, struct block *block);

/* The first of a scheme's tuned kernels that the thesis has no block for; NULL: it has all. */
const char *measure_thesis_lacks(const struct scheme *s);

/* "auto" where the run chooses. */
const char *measure_scheme(const struct point *p);

/* A point's cells, separated by tabs. Indices are those with all optional columns. */
enum { POINT_CELLS = 704, POINT_COLUMN_COUNT = 15 };
enum {
    AT_NX = 4,
    AT_NY = 5,
    AT_CFL = 6,
    AT_DT_FACTOR = 7,
    AT_EARLY_EXIT = 9,
    AT_GRAPHS = 12,
    AT_OPTIONS = 13,
    AT_RUN = 14
};
void measure_cells(const struct point *p, int ny, char text[POINT_CELLS]);

/* Which of enum told an experiment lists. The others have no columns in its table. */
unsigned measure_told(const struct experiment *x);

/* A kind's columns, with those of enum told that there are, as the first line of a table has them. */
void measure_header(const struct measure_kind *kind, unsigned told, char text[DB_LINE]);

/* Sets options of a run as a point has them: "parts=2,exchange=host". Fails with ERR_USAGE, or ERR_INPUT where one is a key
 * of [measure] itself. */
enum err measure_set_options(struct config *c, const char *text);

/* "FOLDER/experiments/NAME.tsv" */
enum err measure_table(const char *folder, const struct experiment *x, char path[PATH_LENGTH]);

/* Rows that wait to be stored together. */
struct entered {
    char (*line)[DB_LINE + 1];
    size_t count;
    int begun; /* the session is in the manifest */
};
enum err measure_store(const struct measure *m); /* stores them, and forgets them */
void measure_forget(struct entered *e);

/* A table's rows, indexed by their points, ignoring ny. */
struct stored {
    struct db_cells table;
    struct stored_row {
        char key[POINT_CELLS];
        const char *session;
        int ok;
        double wall, rate, error; /* wall_s, mcells_per_s, l1; NAN where there is none */
        size_t at;                /* its row of the table */
    } * row;
    size_t count;
};
/* Empty if there is no such file. Fails with ERR_INPUT if it has other columns than the kind, with
 * or without those of enum told. */
enum err stored_read(struct stored *s, const char *path, const struct measure_kind *kind);
void stored_free(struct stored *s);
/* A row's number in a column; NAN where there is none. */
double stored_number(const struct stored *s, const struct stored_row *r, const char *column);
/* The row of a point, its repetition `run`, of a session (NULL: of any); NULL: there is none. */
const struct stored_row *stored_find(const struct stored *s, const struct point *p, int run,
                                     const char *session);
/* Must a point still be measured in a session? Not if it has a row, nor if earlier repetitions took
 * `enough` seconds in total (0: never enough) or were not ok. */
int stored_lacks(const struct stored *s, const struct point *p, const char *session, double enough);
/* The same for all sessions together: does none have it, and may none skip it? */
int stored_lacks_everywhere(const struct stored *s, const struct point *p, double enough);

/* The points of an experiment, as they are measured. */
struct measure_points {
    struct point *point;
    int count;
    double enough;
};

/* The environment's folder, into m->folder. */
enum err measure_place(struct measure *m);

/* Fails with ERR_MACHINE if another process measures the experiment into that folder: both would
 * resume the same session. Until m->lock is closed. */
enum err measure_alone(struct measure *m);

/* From now on (or no longer) those signals (core/base/signals.h) end the process at once, with the
 * status of ERR_STOPPED and a hint how to resume. An ignored signal stays ignored. */
void measure_end_on_signals(int wanted);
/* The session to resume, or a new one. */
enum err measure_session(struct measure *m, const struct measure_points *all);

/* Enters the session into the manifest; before its first rows, so that none is there without. */
enum err measure_begin(const struct measure *m);

/* The cells that differ between points, and those that do not. */
struct measure_names {
    int differs[POINT_COLUMN_COUNT];
    char common[POINT_CELLS]; /* "sine f32 fast nx 32" */
};
void measure_names_of(struct measure_names *n, const struct measure_points *all);
/* A point by what distinguishes it from the others, without `run`: "ds2 f32". */
void measure_name(const struct measure_names *n, const struct point *p, char text[POINT_CELLS]);
/* 10^6 updates/s of the previous session on this device (on a CPU with as many threads) in any
 * environment: for each point its first repetition's; NAN if there is none. */
enum err measure_earlier(const struct measure *m, const struct measure_points *all, double *rate);
/* Prints the table of kind `speed` to stdout. */
enum err speed_print(const struct measure *m, const struct measure_points *all,
                     const struct stored *s);
/* Prints the medians of a session's runs, or the kind's own table, to stdout. */
enum err measure_print(const struct measure *m, const struct measure_points *all);

#endif
