/* For reconstructions over a bed that steps at the faces: each cell has its own. */
#ifndef SHOAL_STEPPED_H
#define SHOAL_STEPPED_H

#include "num/riemann.h"

#define STEPPED_BED 1

/* It takes more registers than the usual number of threads (tile.h) or warps (rows.h) would leave a
 * thread on a GPU, which would spill. */
#if defined(WANTED_THREADS) && defined(FAST) && PRECISION == 32 && !EARLY_EXIT
#undef WANTED_THREADS
#define WANTED_THREADS (SM_THREADS * 3 / 4)
#endif
#ifdef USUAL_WARPS
#undef USUAL_WARPS
#if PRECISION == 64
#define USUAL_WARPS (WIDTH < 64 ? 16 : WIDTH < 96 ? 8 : 4)
#else
#define USUAL_WARPS (WIDTH < 64 ? 18 : WIDTH < 96 ? 16 : 12)
#endif
#endif

#endif
