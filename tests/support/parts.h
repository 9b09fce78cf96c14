/* Compares runs in parts, in tiles and in several processes with undivided ones. */
#ifndef SHOAL_TEST_PARTS_H
#define SHOAL_TEST_PARTS_H

#include "tests/support/simulate.h"

enum { NX = 37, NY = 29, CELLS = NX * NY, STEPS = 24 };

/* The same run in parts: "2x2"; "any", which requests none; "2x2 in 12x9", which are tiles; "2x2 by
 * 3", which are processes; "3 staged", which exchange through the host; "3 every 4", which exchange
 * once in four steps. */
struct config in_parts(const struct config *c, const char *parts);

/* Fronts over dry and rough ground; water crosses all edges. */
struct scene new_shore(void);

void expect_same_outcome(const struct config *c, const struct outcome *want,
                         const struct outcome *have, const char *parts);

/* Compares fields, clock, balances and maxima of the run undivided and in parts; parts that
 * exchange without the host have streams that lag behind (tests/support/streams.h). */
void expect_same_run(const struct config *c, const struct scene *s, const char *parts);

/* Each part runs in a thread of its own, and its kernels wait for those of the others, as GPUs do, `patience` seconds.
 * A launch has one block: the blocks of a CPU's launch do not all run at once. */
struct sim *create_waiting(const struct config *c, const struct scene *s, const char *parts,
                           double patience);

#endif
