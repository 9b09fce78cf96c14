/* Simulations of scenes for tests: an error fails the test with a message that names the
 * configuration. */
#ifndef SHOAL_TEST_SIMULATE_H
#define SHOAL_TEST_SIMULATE_H

#include "tests/support/scene.h"
#include "verification/run/simulate.h"

/* A scheme (NULL: the default one) at the Courant number it claims, in strict mode, on one CPU
 * thread; otherwise the defaults of `shoal run`. Silences the log. */
void configure(struct config *c, const char *scheme, enum precision p);

/* Adds a --block. */
void configure_block(struct config *c, const char *kernel, int w, int h);

/* The same for all tuned kernels of the scheme. With `threads`, as on a GPU and with the debug
 * orders, some take the next possible width. */
void configure_blocks(struct config *c, struct block b, int threads);

/* "rk2 minmod central_upwind f32 strict", and all other settings that are not the default; valid
 * until the next call. */
const char *described(const struct config *c);

/* See simulate and its parts. A run that breaks down or produces a value that is not finite
 * fails. */
struct outcome simulated(const struct config *c, const struct scene *s);
struct outcome simulated_steps(const struct config *c, const struct scene *s, long steps);
struct sim *create(const struct config *c, const struct scene *s);
struct outcome outcome_of(const struct config *c, struct sim *sim, const struct scene *s);

/* How many cells were dry at the start of `s` and now have moving water: a front has passed
 * them. */
int flooded(const struct scene *s, const struct outcome *o);

/* See differ. */
void expect_same(const struct config *c, const char *what, const struct scene *expected,
                 const struct scene *got, int exactly);

/* Calls check for every registered scheme, configured by configure(): in f32, and in f64 if it answers for its kind. */
void for_every_scheme(void (*check)(const struct config *c));

#endif
