/* A simulation from a scene, as one call: created, run, its state and balance fetched. */
#ifndef SHOAL_SIMULATE_H
#define SHOAL_SIMULATE_H

#include "core/options/run_config.h"
#include "core/sim/sim.h"
#include "verification/run/scene.h"

/* What came of a scene. */
struct outcome {
    struct scene state; /* the fields as they are now; bed and attributes as in the scene */
    double *depth;      /* of each cell as the kernels have it, m */
    enum precision precision;
    struct clock clock;
    struct balance balance;
    double volume0; /* m3 */
    double dry;     /* m */
    int broken;     /* the run gave up: a wave speed was not finite, or dt vanished */
};

/* Runs a scene to its end, or as c->steps or c->dt say. A run that breaks down is no failure but an
 * outcome, and why is what err_message() says. On failure there is nothing to free. */
enum err simulate(const struct config *c, const struct scene *s, struct outcome *o);
void outcome_free(struct outcome *o); /* accepts a zeroed one */

/* The same in parts: a sim from a scene, to be destroyed with sim_destroy; its state and balance. */
enum err simulation_create(struct sim **sim, const struct config *c, const struct scene *s);
enum err simulation_outcome(struct sim *sim, const struct scene *s, struct outcome *o);

/* The scene as the solver stores it, before the first step. */
enum err simulation_start(const struct config *c, const struct scene *s, struct scene *stored);

/* Sets the order of the sweeps for a scene that is seen otherwise: where x and y change places it must be the other
 * one in a split scheme, and there only. */
void simulate_otherwise(struct config *c, const struct aspect *a);

/* Runs to the end and calls `look` about every `every` seconds, at the end, too, with what came of it so far; stops
 * where the run breaks down. `o`, which may be zeroed, is what came of it last: for the caller to free. */
enum err simulation_watch(struct sim *sim, const struct scene *s, double every,
                          void (*look)(const struct outcome *o, double t, void *seen), void *seen,
                          struct outcome *o);

/* Depth in a cell, and the largest one, m. */
double outcome_depth(const struct outcome *o, int i, int j);
double outcome_deepest(const struct outcome *o);

/* (V - V0 - inflow - clipped_in) / V0: not a number where the state is not. */
double outcome_mass_error(const struct outcome *o);

#endif
