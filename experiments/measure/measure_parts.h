/* What the files of `shoal measure` share. */
#ifndef SHOAL_MEASURE_PARTS_H
#define SHOAL_MEASURE_PARTS_H

#include "experiments/measure/measure.h"

/* Fails with ERR_ABSENT, saying what it needs, for an experiment of another backend. */
enum err measure_backend_check(const struct experiment *x, enum backend_kind backend);

/* Whether the experiment's kind measures runs in parts, too. */
int measure_divides(const struct experiment *x);

/* The path of the file that `input` names: $VARIABLE, or a path from the experiment's folder. Fails with
 * ERR_ABSENT, saying what the experiment needs, where it is not there. */
enum err measure_input(const struct experiment *x, const char *value, char path[PATH_LENGTH]);

/* The keys of [measure] of all kinds that have points: first those that may list several values, then those
 * that hold for all points. */
struct measure_common {
    double t_end;      /* s; NAN: not given */
    int steps, repeat; /* steps 0: to the end */
    double enough;     /* s */
    int unit_cells;
};
extern const struct option measure_common[];

/* Is `error = yes`: are runs compared with a solution? measure_plan has refused what is neither yes nor no. */
int measure_compares(const struct experiment *x, enum backend_kind backend);
extern const struct option measure_runs_options[]; /* of an int */

/* Every key of [measure] that some kind takes is one of these, or of its kind's or measure_common. */
extern const char *const measure_all_take[];

/* The block that "16x16" means; false for any other text. */
int measure_block(const char *word, struct block *block);

/* The first of a scheme's tuned kernels that the thesis has no block for; NULL: it has all. */
const char *measure_thesis_lacks(const struct scheme *s);

/* "auto" where the run chooses. */
const char *measure_scheme(const struct point *p);

/* A point's cells, separated by tabs. Places are those where all columns are there that may be. */
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

/* Which of enum told an experiment lists. What it does not is measured without, and its table has no column of it. */
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

/* A table's rows, to be found by their points, whatever ny is. */
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
/* Empty where there is no such file. Fails with ERR_INPUT where it has other columns than the kind, with
 * or without those of enum told. */
enum err stored_read(struct stored *s, const char *path, const struct measure_kind *kind);
void stored_free(struct stored *s);
/* A row's number in a column; NAN where there is none. */
double stored_number(const struct stored *s, const struct stored_row *r, const char *column);
/* The row of a point, its repetition `run`, of a session (NULL: of any); NULL: there is none. */
const struct stored_row *stored_find(const struct stored *s, const struct point *p, int run,
                                     const char *session);
/* Must a point still be measured in a session? Not where it is there, nor where earlier repetitions
 * took `enough` seconds together (0: never enough) or were not ok. */
int stored_lacks(const struct stored *s, const struct point *p, const char *session, double enough);
/* The same of all sessions together: is there none that has it, or could leave it out? */
int stored_lacks_everywhere(const struct stored *s, const struct point *p, double enough);

/* The points of an experiment, as they are measured. */
struct measure_points {
    struct point *point;
    int count;
    double enough;
};

/* The environment's folder, into m->folder. */
enum err measure_place(struct measure *m);

/* Fails with ERR_MACHINE where another process measures the experiment into that folder: both would go
 * on with the same session. Until m->lock is closed. */
enum err measure_alone(struct measure *m);

/* From now on (or no longer) those signals (core/base/signals.h) end the process at once, with the status of
 * ERR_STOPPED and a word of how to go on. A signal that is ignored stays so. */
void measure_end_on_signals(int wanted);
/* The session to go on with, or a new one. */
enum err measure_session(struct measure *m, const struct measure_points *all);

/* Enters the session into the manifest; before its first rows, so that none is there without. */
enum err measure_begin(const struct measure *m);

/* The cells that differ between points, and those that do not. */
struct measure_names {
    int differs[POINT_COLUMN_COUNT];
    char common[POINT_CELLS]; /* "sine f32 fast nx 32" */
};
void measure_names_of(struct measure_names *n, const struct measure_points *all);
/* A point by what tells it from the others: "ds2 f32". `run` is not among that. */
void measure_name(const struct measure_names *n, const struct point *p, char text[POINT_CELLS]);
/* Million updates a second that the last session before this one reached, on this device (of a CPU, with
 * as many threads) in any environment: of each point its first repetition's; NAN where there is none. */
enum err measure_earlier(const struct measure *m, const struct measure_points *all, double *rate);
/* A table of what kind `speed` measured, to stdout. */
enum err speed_print(const struct measure *m, const struct measure_points *all,
                     const struct stored *s);
/* Medians of a session's runs, or what the kind prints, to stdout. */
enum err measure_print(const struct measure *m, const struct measure_points *all);

#endif
