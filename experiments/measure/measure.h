/* Measuring what an experiment asks for on this device, into the tuning database. */
#ifndef SHOAL_EXPERIMENTS_MEASURE_H
#define SHOAL_EXPERIMENTS_MEASURE_H

#include "core/registry/case.h"
#include "core/options/run_config.h"
#include "core/registry/scheme.h"
#include "core/sim/sim.h"
#include "core/db/tuning_db.h"
#include "experiments/experiment.h"

/* On what; what narrows an experiment down. */
struct measure_setup {
    enum backend_kind backend;
    int device, threads;      /* threads 0: all cores */
    int nx;                   /* instead of the experiment's sizes; 0: those */
    int precision;            /* enum precision; -1: the experiment's own */
    int again;                /* a new session, also where the last one is not complete */
    struct division division; /* of each run */
};

struct measure {
    struct measure_setup setup;
    const struct experiment *experiment;
    const struct section *wanted; /* its [measure] */
    char folder[PATH_LENGTH];     /* of the environment, in the database */
    char session[DB_SESSION + 1];
    char plan[64], hash[DB_HASH + 1],
        started[DB_TIME]; /* members of the session; started "": it has one */
    const struct measure_kind *kind;
    struct entered *entered; /* rows of the point under way; NULL: each is stored at once */
    void *state;             /* a kind's own, from its first point until `end` */
    int lock;                /* keeps others from measuring the same; -1: nothing does */
};

/* One thing to measure: a point of the product of all choices, one of its repetitions. */
struct point {
    const struct flow_case *flow_case; /* that of a file, or with cells of 1 m, lies in `own` */
    struct flow_case own;
    const char
        *input; /* the file, as the experiment names it: its flow case has a name alone; or NULL */
    const struct scheme *scheme;
    int automatic; /* --scheme auto; `scheme` is then the default one, which gives what all have in common */
    enum precision precision;
    enum mode mode;
    int nx;                /* cells from west to east */
    double cfl, dt_factor; /* NAN: the scheme's claim; the default */
    char limiter[NAME_LENGTH];
    int early_exit; /* enum early_exit_choice */
    int graphs;     /* enum graphs_choice */
    unsigned told;  /* enum told: what the experiment lists, so its table has columns of it */
    char blocks[NAME_LENGTH];  /* "tuned", "default", "16x16", "thesis" */
    char define[NAME_LENGTH];  /* a switch of the kernels, "DIAGONAL=0"; "-": none */
    char options[NAME_LENGTH]; /* others of `shoal run`, "parts=2,exchange=host"; "-": none */
    int run;                   /* from 1 */
};

struct measure_points; /* measure_parts.h, as is */
struct stored;
struct opened;
struct cells;

/* How a kind of experiment measures a point. The table's columns: those of a point (measure_header), for kinds with several rows for a point `row_columns`
 * more, then session, outcome, reason, then `columns`. */
struct measure_kind {
    const char *name;        /* [measure] kind = */
    const char *title;       /* for people */
    const char *row_columns; /* separated by tabs, "" for none */
    const char *columns;
    const char *how; /* for the session's record: what the rows do not say */
    /* Keys of [measure] that are its own, beside measure_common or, of a kind with `whole`, alone. One
     * without a type is read by the kind itself. The last has a NULL name. */
    const struct option *options;
    /* Optional: fails where something that the kind needs is not here, before anything is measured. */
    enum err (*ready)(const struct experiment *x, enum backend_kind backend,
                      const struct measure_points *all);
    /* Optional: what it wants of every run beyond what its point says. */
    enum err (*configure)(const struct measure *m, struct config *c);
    /* Optional: what it needs for a point before that one's simulation is there. */
    enum err (*prepare)(struct measure *m, const struct point *p);
    /* Measures a point, whose simulation is open, and enters its rows with measure_enter. */
    enum err (*run)(struct measure *m, const struct point *p, struct opened *o);
    int divides; /* it measures runs in parts, too */
    int bare;    /* `run` wants no simulation: o->sim is NULL */
    /* Optional, for a kind that has no points: all there is to do instead of the loop over them, and
     * what measure_missing says. */
    enum err (*whole)(struct measure *m);
    enum err (*missing)(const struct experiment *x, enum backend_kind backend,
                        const char *environment_folder, int *missing, char first[256]);
    /* Optional: what people are shown of a session, to stdout, instead of a line for each point. */
    enum err (*print)(const struct measure *m, const struct measure_points *all,
                      const struct stored *s);
    /* Optional: releases m->state, after the last point. */
    void (*end)(struct measure *m);
};
extern const struct measure_kind *const measure_kinds[]; /* NULL at the end */
extern const struct measure_kind kind_runs, kind_speed, kind_timeline, kind_section, kind_profile,
    kind_kernels, kind_counters, kind_ceilings, kind_tuning, kind_marks;

/* Of a point, before the columns that are in the tables of experiments alone that list `graphs`, `options`; then `run`. */
#define POINT_FIRST_COLUMNS                                                                \
    "case\tscheme\tprecision\tmode\tnx\tny\tcfl\tdt_factor\tlimiter\tearly_exit\tblocks\t" \
    "define"
#define POINT_COLUMNS POINT_FIRST_COLUMNS "\trun"
enum told { TELLS_GRAPHS = 1, TELLS_OPTIONS = 2 };

/* Does what the experiments ask for, one after the other, with a line of progress on stderr for each
 * point, and prints a table of medians for people. The points of a session that was stopped are
 * found by their rows: what is there is not measured again. */
enum err measure_experiments(const struct measure_setup *setup, const char *const names[],
                             int count);

/* The points of an experiment on a backend, in the order in which they are measured: repetitions
 * outermost, so that what drifts drifts for all. Fails with ERR_INPUT where values make no sense. */
enum { MOST_POINTS = 4096 };
enum err measure_plan(const struct experiment *x, const struct measure_setup *setup,
                      struct point **points, int *count);

/* How many points of the plan no session has a row of in an environment's table: what a figure may
 * miss. `first` names one of them. With `enough` a repetition may be left out for the reasons for which
 * measuring leaves it out. Fails with ERR_INPUT where the table has other columns than its kind's. */
enum err measure_missing(const struct experiment *x, enum backend_kind backend,
                         const char *environment_folder, int *missing, char first[256]);

/* A simulation set up for a point, ready to step. It must stay where it is. */
struct opened {
    struct config config;
    struct problem *problem;
    struct sim *sim;
    double t_end; /* s */
    int ny;       /* of the grid; known without a sim, too */
};

/* Sets one up; measure_close releases it, also after a failure, and may be called twice. */
enum err measure_open(const struct measure *m, const struct point *p, struct opened *o);
void measure_close(struct opened *o);

/* Measures a point by its kind. An error that says something of the run and not of the measuring becomes a row
 * that is not ok, with the reason; another one is returned. */
enum err measure_point(struct measure *m, const struct point *p);

/* Adds a row that is ok: the point's cells, `row` (NULL without row_columns), session, outcome, reason,
 * `cells`. The rows of a point are stored together once all are there, so that what is stored is complete. */
enum err measure_enter_with(const struct measure *m, const struct point *p, int ny, const char *row,
                            const char *reason, const struct cells *cells);
enum err measure_enter(const struct measure *m, const struct point *p, int ny, const char *row,
                       const struct cells *cells);

/* Cells that are added one by one; zeroed it has none. "-" for a number that is NAN. */
struct cells {
    char text[DB_LINE];
    size_t used;
};
void cells_text(struct cells *c, const char *text);
void cells_number(struct cells *c, const char *format, double x); /* of printf, for a double */

/* The columns MEASURE_RUN of a whole run, less what it counted before its steps count. */
#define MEASURE_RUN "from\tsteps\tredone\tleft_out\tt\twall_s\tmcells_per_s"
struct counted_before {
    unsigned long steps, redone, left_out;
};
void cells_run(struct cells *c, const struct sim *s, const struct counted_before *before);

/* Has the reference solution of a case computed, where it takes a computation and has none yet; it stays until
 * all points are measured. */
enum err measure_reference(const struct flow_case *f);

/* A field of the solution (0 w, 1 hu, 2 hv, or the depth) as doubles: ny rows of nx cells. */
enum { MEASURE_DEPTH = 3 };
enum err measure_fetch(struct sim *s, int field, double *to);

/* Reads the keys of [measure] that a table has into `settings`, as they are for a backend. Fails with ERR_INPUT,
 * file and line, for a value that its row does not take. */
enum err measure_options(const struct experiment *x, enum backend_kind backend,
                         const struct option *table, void *settings);

#endif
