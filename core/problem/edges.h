/* The edges of a run's domain, segment by segment. */
#ifndef SHOAL_CORE_EDGES_H
#define SHOAL_CORE_EDGES_H

#include "core/registry/case.h"
#include "core/options/run_config.h"
#include "core/problem/time_series.h"

struct setup; /* core/problem/setup.h */

/* A segment of an edge whose kind differs from the edge's, or whose value changes with time. */
struct edge_segment {
    enum edge edge;
    int first, end;                  /* its positions along the edge: first <= k < end */
    enum boundary kind;              /* not PERIODIC */
    struct edge_state given;         /* a constant, as in struct flow_case */
    const struct timeseries *series; /* the imposed value, times `scale`; null: none */
    const struct timeseries *mud;    /* of SUPPLY, whose `series` is of the sand */
    double scale;
    int choice; /* index of the configuration's choice; -1: the case's own */
};

/* The segments of a setup, and the series that they point to. */
struct edge_plan {
    struct edge_segment *segment;
    struct timeseries *series;
    int count, room;
};

/* Sets a setup's edges from its case (null: it is a file's) and its configuration: whole constant
 * ones in `boundary` and `edge`, all others as segments in `plan`, which the setup then points to.
 * Reads the series files. Free with edge_plan_free, also after a failure. */
enum err edges_choose(struct setup *s, const struct flow_case *f, struct edge_plan *plan);
void edge_plan_free(struct edge_plan *plan); /* accepts a zeroed or freed struct */

/* The kind of an edge at a position along it. */
enum boundary edges_kind(const struct setup *s, enum edge e, int k);

/* An edge in the syntax of --bc-west, choices separated by "; ", with a hash of each series; a
 * given state, which the options cannot express, as numbers. The caller frees it. */
enum err edges_describe(const struct setup *s, enum edge e, char **text);

/* Fails with ERR_CHECK if the inflow by time t differs by more than 1e-4 from the announced
 * discharges. The outflow may be less: there may not be enough water. `crossed` is the inward flux
 * through each position along each edge, m2. */
enum err edges_check(const struct setup *s, double t, const double *const crossed[EDGES]);

/* True if some edge imposes numbers or has segments. */
int edges_impose(const struct setup *s);

/* How many segments have a series. */
int edges_series(const struct setup *s);

/* True if some edge is not entirely wall or periodic. */
int edges_let_water_through(const struct setup *s);

#endif
