/* States as digests: the first digits of a SHA-256 of their bits. */
#ifndef SHOAL_DIGEST_H
#define SHOAL_DIGEST_H

#include "core/sim/sim.h"

enum { DIGEST = 16 };

/* The unknowns of the current solution, cells row by row from the south-west, in the run's
 * precision, as in memory (little-endian on all supported machines). */
enum err digest_state(struct sim *s, char digest[DIGEST + 1]);

/* Of a sim before its first step: bed at the corners, the unknowns, the forcing of `source` in each
 * cell, and the two derived depths (kappa and dry), all in the run's precision. */
enum err digest_start(struct sim *s, const struct source *source, char digest[DIGEST + 1]);

/* Of values of the C library's functions that cases use: if it differs, initial states may
 * differ. */
void digest_functions(char digest[DIGEST + 1]);

#endif
