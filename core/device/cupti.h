/* The GPU time of each kernel launch, from CUPTI's activity records. Opened at run time: Shoal
 * builds without NVIDIA's headers and libraries. */
#ifndef SHOAL_CUPTI_H
#define SHOAL_CUPTI_H

#include <stddef.h>
#include <stdint.h>

struct cupti_launch {
    char name[64];       /* of the kernel, truncated to fit */
    uint64_t start, end; /* ns, on one clock for all launches */
    int grid[3], block[3];
    uint32_t number; /* increases with the driver's calls */
};

struct cupti_launches {
    struct cupti_launch *at; /* in the order of the launches */
    size_t count;
    size_t dropped; /* launches without a record or without a time */
};

/* The number of CUPTI's interface ("130001" for CUDA 13.0). False, with a reason, if there is none. */
int cupti_version(char *text, size_t n);

/* Starts to record every launch of this process. False if CUPTI cannot be used here; then `why`
 * gives the reason and a remedy, and the caller must use events. Slows launches down a little,
 * kernels not at all. One recording at a time. */
int cupti_begin(char *why, size_t n);

/* Ends the recording and returns the launches since cupti_begin: the caller has waited for all of
 * them to end, and frees them with cupti_free. False, with a reason and nothing to free, if CUPTI
 * failed or its records are implausible. */
int cupti_end(struct cupti_launches *all, char *why, size_t n);
void cupti_free(struct cupti_launches *all);

#endif
