/* How a step's time divides among kernels. */
#ifndef SHOAL_STEP_PROFILE_H
#define SHOAL_STEP_PROFILE_H

#include "core/sim/sim.h"

/* One kernel in the profiled steps. */
struct kernel_time {
    const struct kernel *kernel;
    struct block block;
    double launches;  /* in a step */
    double us;        /* of a launch: the median by CUPTI, else the mean */
    double share;     /* of the time of all kernels; 1: all */
    double gb_per_s;  /* the reals it must move over its mean time; NAN if it need not move any */
    const char *from; /* its block's origin: "tuned", "default", "chosen" */
    struct kernel_facts facts;
};

struct step_profile {
    struct kernel_time at[SIM_KERNELS]; /* those that ran */
    int count;
    const char *method; /* cupti, events, or (on the CPU) clock */
    char why[1024];     /* why events were used and not cupti; else "" */
    unsigned long steps;
};

/* Makes `steps` more steps, and reports each kernel's time: by CUPTI, by CUDA events if CUPTI is
 * not available, by the clock on the CPU. The end must be farther away than that: kernels do
 * nothing after it. */
enum err bench_profile_measure(struct sim *s, long steps, struct step_profile *p);

#endif
