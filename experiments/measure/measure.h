/* Experiments: whole runs on this device, measured and entered into the tuning database. */
#ifndef SHOAL_EXPERIMENTS_MEASURE_H
#define SHOAL_EXPERIMENTS_MEASURE_H

#include "core/case.h"
#include "core/scheme.h"
#include "core/tuning_db.h"

/* On what, and how large. */
struct measure_setup {
    enum backend_kind backend;
    int device, threads; /* threads 0: all cores */
    int nx;              /* cells along the longest runs; 0: the experiment's own */
    int precision;       /* enum precision; -1: the experiment's own */
};

/* What rows are written with. */
struct measure {
    struct measure_setup setup;
    char folder[PATH_LENGTH]; /* of the environment, in the database */
    char session[DB_SESSION + 1];
};

struct experiment {
    const char *name, *title; /* the name is that of its table, too */
    const char *columns;      /* separated by tabs */
    const char *how;          /* for the session's record: what the rows do not say */
    /* Runs, enters rows, prints a table for people to stdout. */
    enum err (*run)(struct measure *m);
};
extern const struct experiment *const experiments[]; /* NULL at the end */

/* Opens the database for the device, makes the experiments under one session. */
enum err measure_experiments(const struct measure_setup *setup,
                             const struct experiment *const chosen[], int count);

/* A whole run with tuned blocks in fast mode without early exit, and what came of it. */
struct whole_run {
    const struct flow_case *flow_case;
    const struct scheme *scheme;
    enum precision precision;
    int n;                 /* cells from west to east */
    double cfl, dt_factor; /* NAN: the default one */
    const double *depth;   /* the solution at the end to compare with, nx ny means, m; or NULL */

    enum db_outcome outcome;
    char reason[DB_REASON + 1]; /* "-" if it is ok; then: */
    int nx, ny;
    unsigned long steps, redone;
    double wall;        /* s, of stepping */
    double l1;          /* sum |h - depth| / sum depth; NAN without that */
    const char *blocks; /* "tuned", "mixed", "default" */
};

/* A run that breaks down or cannot be had is an outcome; an error is something else. */
enum err measure_run(const struct measure *m, struct whole_run *r);

/* Million cells a second, 0 where nothing was timed. */
double measure_rate(const struct whole_run *r);

/* Adds a row: the cells before session, outcome and reason as formatted, these, and the cells after
 * them, or a "-" for each of those where the run is not ok. */
enum err measure_row(const struct measure *m, const struct experiment *x, const struct whole_run *r,
                     const char *before, const char *after);

/* The precisions to measure: 0, 1 or both. How many. */
int measure_precisions(const struct measure *m, enum precision list[PRECISIONS]);

/* A square case of n by n cells of 1 m, n m wide. */
struct flow_case measure_unit_cells(const struct flow_case *c, int n);

extern const struct experiment experiment_schemes, experiment_accuracy, experiment_dt_factor;

#endif
