/* For plug-ins that need more registers than the usual number of threads of a flux kernel (tile.h) leaves each
 * thread in fast f32: three quarters of those threads, so that nothing spills. */
#ifndef SHOAL_MORE_REGISTERS_H
#define SHOAL_MORE_REGISTERS_H

#if defined(WANTED_THREADS) && defined(FAST) && PRECISION == 32 && !EARLY_EXIT
#undef WANTED_THREADS
#define WANTED_THREADS (SM_THREADS * 3 / 4)
#endif

#endif
