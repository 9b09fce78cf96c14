/* Measures an experiment on this device, into the tuning database. */
#ifndef SHOAL_EXPERIMENTS_MEASURE_H
#define SHOAL_EXPERIMENTS_MEASURE_H

#include "core/registry/case.h"
#include "core/options/run_config.h"
#include "core/registry/scheme.h"
#include "core/sim/sim.h"
#include "core/db/tuning_db.h"
#include "experiments/experiment.h"

/* The device; restrictions of an experiment. */
struct measure_setup {
    enum backend_kind backend;
    int device, threads;      /* threads 0: all cores */
    int nx;                   /* instead of the experiment's sizes; 0: those */
    int precision;            /* enum precision; -1: the experiment's own */
    int again;                /* a new session, even if the last one is incomplete */
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
    struct entered *entered; /* rows of the current point; NULL: each is stored at once */
    void *state;             /* a kind's own, from its first point until `end` */
    int quiet;               /* lines of the log about measuring itself are suppressed, too */
    int lock;                /* the lock against others measuring the same; -1: none */
};

/* One repetition of a point, a combination of all choices. */
struct point {
    const struct flow_case *flow_case; /* for a file, or cells of 1 m, it is `own` */
    struct flow_case own;
    const char
        *input; /* the experiment's name of the file; its flow case has only a name; or NULL */
    const struct scheme *scheme;
    int automatic; /* --scheme auto; `scheme` is then the default one, which gives what all have in common */
    enum precision precision;
    enum mode mode;
    int nx;                /* cells from west to east */
    int ny;                /* from south to north; 0: as many as the case's shape gives */
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
    /* Keys of [measure] that are its own, beside measure_common or, of a kind with `whole`, alone.
     * One without a type is read by the kind itself. The last has a NULL name. */
    const struct option *options;
    /* Optional: fails before measuring if something that the kind needs is missing. */
    enum err (*ready)(const struct experiment *x, enum backend_kind backend,
                      const struct measure_points *all);
    /* Optional: further settings for every run beyond those of its point. */
    enum err (*configure)(const struct measure *m, struct config *c);
    /* Optional: prepares a point before its simulation is opened. */
    enum err (*prepare)(struct measure *m, const struct point *p);
    /* Measures a point, whose simulation is open, and enters its rows with measure_enter. */
    enum err (*run)(struct measure *m, const struct point *p, struct opened *o);
    int divides; /* it measures runs in parts, too */
    int bare;    /* `run` needs no simulation: o->sim is NULL */
    /* Optional, for a kind without points: replaces the loop over them, and measure_missing. */
    enum err (*whole)(struct measure *m);
    enum err (*missing)(const struct experiment *x, enum backend_kind backend,
                        const char *environment_folder, int *missing, char first[256]);
    /* Optional: prints a session to stdout, instead of a line for each point. */
    enum err (*print)(const struct measure *m, const struct measure_points *all,
                      const struct stored *s);
    /* Optional: releases m->state, after the last point. */
    void (*end)(struct measure *m);
};
extern const struct measure_kind *const measure_kinds[]; /* NULL at the end */
extern const struct measure_kind kind_runs, kind_speed, kind_timeline, kind_section, kind_profile,
    kind_kernels, kind_counters, kind_ceilings, kind_tuning, kind_marks, kind_tiles,
    kind_tiles_start, kind_tile_map;

/* Of a point, before the columns that are in the tables of experiments alone that list `graphs`, `options`; then `run`. */
#define POINT_FIRST_COLUMNS                                                                \
    "case\tscheme\tprecision\tmode\tnx\tny\tcfl\tdt_factor\tlimiter\tearly_exit\tblocks\t" \
    "define"
#define POINT_COLUMNS POINT_FIRST_COLUMNS "\trun"
enum told { TELLS_GRAPHS = 1, TELLS_OPTIONS = 2 };

/* Measures the experiments in order, with a line of progress on stderr for each point, and prints a
 * table of medians. Resumes an interrupted session: points with rows are not measured again. */
enum err measure_experiments(const struct measure_setup *setup, const char *const names[],
                             int count);

/* The points of an experiment on a backend, in the order in which they are measured: repetitions
 * outermost, so that drift affects all. Fails with ERR_INPUT for invalid values. */
enum { MOST_POINTS = 4096 };
enum err measure_plan(const struct experiment *x, const struct measure_setup *setup,
                      struct point **points, int *count);

/* Is [measure] for this backend and so many GPUs of one host? Runs of a single one that are divided into parts are
 * another device, which no experiment is meant for. */
enum err measure_meant(const struct experiment *x, enum backend_kind backend, int devices,
                       int divided, int *meant);

/* How many points of the plan have no row of any session in an environment's table. `first` names
 * one of them. With `enough` a repetition may be absent for the same reasons as in measuring. Fails
 * with ERR_INPUT if the table has other columns than its kind's. */
enum err measure_missing(const struct experiment *x, enum backend_kind backend,
                         const char *environment_folder, int *missing, char first[256]);

/* A simulation set up for a point, ready to step. Must not move. */
struct opened {
    struct config config;
    struct problem *problem;
    struct sim *sim;
    double t_end; /* s */
    int ny;       /* of the grid; set without a sim, too */
};

/* Sets one up; measure_close releases it, also after a failure, and may be called twice. */
enum err measure_open(const struct measure *m, const struct point *p, struct opened *o);
void measure_close(struct opened *o);

/* Measures a point by its kind. An error of the run becomes a row that is not ok, with the reason;
 * an error of measuring is returned. */
enum err measure_point(struct measure *m, const struct point *p);

/* Adds an ok row: the point's cells, `row` (NULL without row_columns), session, outcome, reason,
 * `cells`. The rows of a point are stored together once all exist, so that stored points are
 * complete. */
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

/* The columns MEASURE_RUN of a whole run, without its untimed steps. */
#define MEASURE_RUN "from\tsteps\tredone\tleft_out\tt\twall_s\tmcells_per_s"
struct counted_before {
    unsigned long steps, redone, left_out;
};
void cells_run(struct cells *c, const struct sim *s, const struct counted_before *before);

/* Computes the reference solution of a case, if it needs computing and has none yet; it stays until
 * all points are measured. */
enum err measure_reference(const struct flow_case *f);

/* A field of the solution (0 w, 1 hu, 2 hv, or the depth) as doubles: ny rows of nx cells. */
enum { MEASURE_DEPTH = 3 };
enum err measure_fetch(struct sim *s, int field, double *to);

/* Reads the keys of [measure] that a table has into `settings`, for a backend. Fails with
 * ERR_INPUT, file and line, for an invalid value. */
enum err measure_options(const struct experiment *x, enum backend_kind backend,
                         const struct option *table, void *settings);

#endif
