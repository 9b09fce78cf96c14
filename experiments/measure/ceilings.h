/* The measured peak rates of a device: the ceilings of a roofline. */
#ifndef SHOAL_MEASURE_CEILINGS_H
#define SHOAL_MEASURE_CEILINGS_H

#include "experiments/measure/counters.h"
#include "experiments/measure/measure.h"

/* The fastest of several launches each. */
struct ceilings {
    double copy_bytes, copy_us;    /* read and written by a copy that streams through memory */
    double fma_operations, fma_us; /* independent multiplications and additions */
};

/* Copies an array of `bytes`, and computes with it, in fast mode. An array that fits into a cache
 * does not measure memory. */
enum err ceilings_measure(const struct measure *m, enum precision p, size_t bytes,
                          struct ceilings *c);

/* The cost of a launch, with a kernel of one block (on a CPU: a parallel region) that returns at
 * once. */
struct launch_times {
    double launch_us; /* per launch of many in a row: the fastest of several such rows */
    double wait_us;   /* to launch one and wait for it: the median */
};
enum err ceilings_launches(const struct measure *m, struct launch_times *t);

/* The columns of a kind whose rows are kernels and ceilings. */
#define CEILING_COLUMNS "us\tdram_bytes\toperations\tpct_sm\tpct_dram\tinstructions"

/* Enters a kernel's row, and ceilings as the rows "ceiling-copy" and "ceiling-fma". */
enum err counted_enter(const struct measure *m, const struct point *p, int ny,
                       const struct counted_kernel *k);
enum err ceilings_enter(const struct measure *m, const struct point *p, int ny,
                        const struct ceilings *c);

#endif
