/* A simulation from a scene, as one call: configured, created, run, its state and balance fetched. */
#ifndef SHOAL_TEST_SIMULATE_H
#define SHOAL_TEST_SIMULATE_H

#include "core/config.h"
#include "core/sim.h"
#include "tests/support/scene.h"

/* What came of it. */
struct outcome {
    struct scene state; /* the fields; bed and attributes as in the scene */
    struct clock clock;
    struct balance balance;
    double volume0; /* m3 */
    double dry;     /* m */
};

/* A scheme (NULL: the default one) at the Courant number it claims, in strict mode, on one CPU thread; the defaults of
 * `shoal run` else. */
void configure(struct config *c, const char *scheme, enum precision p);

/* Adds a --block. */
void configure_block(struct config *c, const char *kernel, int w, int h);

/* "rk2 minmod central_upwind f32 strict", and what else is not the default; valid until the next
 * call. */
const char *described(const struct config *c);

/* Runs a scene to its end, or as config->steps or config->dt say. After success, and after ERR_BROKEN,
 * `o` is to be freed with outcome_free; after other errors there is nothing to free. */
enum err simulate(const struct config *c, const struct scene *s, struct outcome *o);
void outcome_free(struct outcome *o);

/* The same in parts: a sim from a scene, to be destroyed with sim_destroy; its state and balance. */
enum err simulation_create(struct sim **sim, const struct config *c, const struct scene *s);
enum err simulation_outcome(struct sim *sim, const struct scene *s, struct outcome *o);

/* For tests: what goes wrong fails the test with a message that names the configuration. A result
 * that is not finite is wrong. */
struct outcome simulated(const struct config *c, const struct scene *s);
struct outcome simulated_steps(const struct config *c, const struct scene *s, long steps);
/* See scene_differs. */
void expect_same(const struct config *c, const char *what, const struct scene *expected,
                 const struct scene *got, int exactly);

/* Calls check for every registered scheme in f32 and in f64, as configure() leaves it. */
void for_every_scheme(void (*check)(const struct config *c));

/* (V - V0 - inflow - clipped_in + dried_out) / V0 */
double mass_error(const struct outcome *o);

#endif
