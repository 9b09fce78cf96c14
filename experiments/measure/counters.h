/* A GPU's hardware counters for the kernels of a run, read by Nsight Compute. */
#ifndef SHOAL_COUNTERS_H
#define SHOAL_COUNTERS_H

#include "core/options/run_config.h"

enum { COUNTED_KERNELS = 32, COUNTED_NAME = 63 };

/* The longest launch of a kernel: those after the last step do nothing. NAN: not told. */
struct counted_kernel {
    char name[COUNTED_NAME + 1];
    double us, dram_bytes; /* read and written */
    double
        operations; /* additions and multiplications in the run's precision that threads executed */
    double pct_sm, pct_dram; /* of the device's peak in that time */
    double instructions;     /* of warps */
};

struct counted {
    struct counted_kernel at[COUNTED_KERNELS]; /* in the order in which they were launched first */
    int count;
};

/* Runs this very program under `ncu`, with this configuration. ERR_ABSENT if there is no ncu, or if
 * it may not read counters, with a remedy. */
enum err counters_read(const struct config *c, struct counted *all);

#endif
