/* Which kernels the time of a step goes into. */
#ifndef SHOAL_STEP_PROFILE_H
#define SHOAL_STEP_PROFILE_H

#include "core/sim/sim.h"

/* Of one kernel in the steps that were looked at. */
struct kernel_time {
    const struct kernel *kernel;
    struct block block;
    double launches; /* in a step */
    double us;       /* of a launch: the median by CUPTI, else the mean */
    double share;    /* of the time of all kernels; 1: all */
    double gb_per_s; /* the reals it must move over its mean time; NAN where it need not move any */
    const char *from; /* where its block is from: "tuned", "default", "chosen" */
    struct kernel_facts facts;
};

struct step_profile {
    struct kernel_time at[SIM_KERNELS]; /* those that ran */
    int count;
    const char *method; /* cupti, events, or (on the CPU) clock */
    char why[1024];     /* events, and not cupti; else "" */
    unsigned long steps;
};

/* Makes `steps` more steps, and tells what each kernel took of them: by CUPTI, by CUDA events where
 * CUPTI cannot be used, by the clock on the CPU. The end must be farther away than that: kernels do
 * nothing after it. */
enum err bench_profile_measure(struct sim *s, long steps, struct step_profile *p);

#endif
