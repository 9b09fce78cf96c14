/* Which kernels the time of a step goes into. */
#ifndef SHOAL_BENCH_PROFILE_H
#define SHOAL_BENCH_PROFILE_H

#include "core/sim.h"

/* Makes a few more steps, and prints what each kernel took of them: by CUPTI, by CUDA events where
 * CUPTI cannot be used, by the clock on the CPU. */
enum err bench_profile(struct sim *s);

#endif
