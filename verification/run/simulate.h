/* A simulation from a scene, as one call: created, run, its state and balance fetched. */
#ifndef SHOAL_SIMULATE_H
#define SHOAL_SIMULATE_H

#include "core/options/run_config.h"
#include "core/sim/sim.h"
#include "verification/run/scene.h"

/* The outcome of a scene. */
struct outcome {
    struct scene state; /* the final fields; bed and attributes as in the scene */
    double *depth;      /* of each cell as the kernels have it, m; 0 without a bed */
    enum precision precision;
    struct clock clock;
    struct balance balance;
    double volume0; /* m3 */
    double dry;     /* m */
    int broken;     /* the run gave up: a wave speed was not finite, or dt vanished */
};

/* Runs a scene to its end, or as c->steps or c->dt say. A breakdown is not a failure but an
 * outcome; err_message() has the reason. On failure there is nothing to free. */
enum err simulate(const struct config *c, const struct scene *s, struct outcome *o);
void outcome_free(struct outcome *o); /* accepts a zeroed one */

/* The same in steps: a sim from a scene, to be destroyed with sim_destroy; its state and
 * balance. */
enum err simulation_create(struct sim **sim, const struct config *c, const struct scene *s);
enum err simulation_outcome(struct sim *sim, const struct scene *s, struct outcome *o);

/* The scene as the solver stores it, before the first step. */
enum err simulation_start(const struct config *c, const struct scene *s, struct scene *stored);

/* Sets the order of the sweeps for a transformed scene: split schemes, and only they, need the
 * other order if x and y are exchanged. */
void simulate_otherwise(struct config *c, const struct aspect *a);

/* Runs to the end and calls `look` with the current outcome about every `every` seconds and at the
 * end; stops if the run breaks down. `o`, which may be zeroed, gets the last outcome, which the
 * caller frees. */
enum err simulation_watch(struct sim *sim, const struct scene *s, double every,
                          void (*look)(const struct outcome *o, double t, void *seen), void *seen,
                          struct outcome *o);

/* Depth in a cell, and the largest one, m. */
double outcome_depth(const struct outcome *o, int i, int j);
double outcome_deepest(const struct outcome *o);

/* (V - V0 - inflow - clipped_in) / V0: not a number where the state is not. */
double outcome_mass_error(const struct outcome *o);

#endif
