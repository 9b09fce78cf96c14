/* What the edges of a run's domain are, segment by segment. */
#ifndef SHOAL_CORE_EDGES_H
#define SHOAL_CORE_EDGES_H

#include "core/registry/case.h"
#include "core/options/run_config.h"
#include "core/problem/time_series.h"

struct setup; /* core/problem/setup.h */

/* A segment of an edge that is another kind than the edge, or changes with time. */
struct edge_segment {
    enum edge edge;
    int first, end;          /* its positions along the edge: first <= k < end */
    enum boundary kind;      /* not PERIODIC */
    struct edge_state given; /* a constant, as in struct flow_case */
    const struct timeseries
        *series;                  /* what the kind imposes instead, times `scale`; null: nothing */
    const struct timeseries *mud; /* of SUPPLY, whose `series` is of the sand */
    double scale;
    int choice; /* which of the configuration's choices it was; -1: the case's own */
};

/* The segments of a setup, and the series that they point to. */
struct edge_plan {
    struct edge_segment *segment;
    struct timeseries *series;
    int count, room;
};

/* Changes a setup's edges as its case (null: it is a file's) and its configuration choose: whole constant ones in `boundary` and `edge`,
 * all else as segments in `plan`, which the setup then points to. Reads the files named. Free with
 * edge_plan_free, also after a failure. */
enum err edges_choose(struct setup *s, const struct flow_case *f, struct edge_plan *plan);
void edge_plan_free(struct edge_plan *plan); /* accepts a zeroed or freed struct */

/* The kind of an edge at a position along it. */
enum boundary edges_kind(const struct setup *s, enum edge e, int k);

/* An edge as --bc-west and its like take it, one choice after the other with "; " between, and a hash
 * of each series; a given state, which they do not take, by its numbers. For the caller to free. */
enum err edges_describe(const struct setup *s, enum edge e, char **text);

/* Fails with ERR_CHECK where what came in by time t disagrees by more than 1e-4 with what a series of
 * discharges announced. What leaves may be less: there may not have been more water. `crossed` has for
 * each position along each edge what crossed it inwards, m2. */
enum err edges_check(const struct setup *s, double t, const double *const crossed[EDGES]);

/* True if some edge imposes numbers or has segments. */
int edges_impose(const struct setup *s);

/* How many segments have a series. */
int edges_series(const struct setup *s);

/* True if some edge is neither a wall nor periodic all along. */
int edges_let_water_through(const struct setup *s);

#endif
