/* States as digests: the first digits of a SHA-256 of their bits. */
#ifndef SHOAL_DIGEST_H
#define SHOAL_DIGEST_H

#include "core/sim/sim.h"

enum { DIGEST = 16 };

/* w, hu and hv of the solution as it is now, cells row by row from the south-west, in the run's
 * precision, as they lie in memory (little-endian, on all machines that Shoal knows). */
enum err digest_state(struct sim *s, char digest[DIGEST + 1]);

/* Of a sim that has not been run: bed at the corners, w, hu, hv, what `source` adds in each cell, and
 * the two depths that follow from them (kappa and dry), all in the run's precision. */
enum err digest_start(struct sim *s, const struct source *source, char digest[DIGEST + 1]);

/* Of values of the C library's functions that cases are made of: where it differs, so may the starts. */
void digest_functions(char digest[DIGEST + 1]);

#endif
