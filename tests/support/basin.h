/* A small basin of two sediments for tests of their schemes, and runs of it. */
#ifndef SHOAL_TEST_BASIN_H
#define SHOAL_TEST_BASIN_H

#include "core/problem/problem.h"
#include "core/sim/sim.h"
#include "tests/support/simulate.h"

enum { BASIN_NX = 23, BASIN_NY = 17, BASIN_CELLS = BASIN_NX * BASIN_NY };

extern const double basin_size;          /* of a cell, m */
extern const double basin_layer;         /* m */
extern const double basin_compaction[2]; /* of sand and mud */
extern const char *const basin_schemes[2];

/* Walls around it, and in every cell values that have nothing to do with its neighbours'; they depend on
 * basin_seed. basin_view, (MIRROR_X and so on), mirrors it and exchanges its axes. */
extern const struct flow_case basin;
extern unsigned basin_seed;
extern int basin_view;

/* Its values and coefficients: flow_case.value and .given. Some cells have only one sediment. */
double basin_rough(double x, double y, int k);
double basin_coefficient(double x, double y, int k);

/* With smooth values, which the published scheme can stand for a while, too: edges bring and take sediment; or it
 * is periodic with a step, and sediment is added everywhere. */
struct flow_case basin_with_edges(void);
struct flow_case basin_round_trip(void);

/* A run as the command line makes it; it must stay where it is. */
struct basin_run {
    struct config c;
    struct problem p;
    struct sim *sim;
};

struct config basin_config(const char *scheme);
void basin_open(struct basin_run *r, const struct flow_case *f, const struct config *c);
void basin_close(struct basin_run *r);

struct basin_state {
    double h[BASIN_CELLS], s[BASIN_CELLS], excess;
    struct balance volume, sand;
    struct clock clock;
};

/* Runs to the end; `state` may be null. If there is an error, err_message has its text. */
enum err basin_ran(const struct flow_case *f, const struct config *c, struct basin_state *state);

#endif
