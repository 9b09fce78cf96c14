/* How long each kernel launch took on the GPU itself, told by CUPTI's activity records. Opened at run
 * time: no NVIDIA header or library is needed to build Shoal. */
#ifndef SHOAL_CUPTI_H
#define SHOAL_CUPTI_H

#include <stddef.h>
#include <stdint.h>

struct cupti_launch {
    char name[64];       /* of the kernel, cut to fit */
    uint64_t start, end; /* ns, on one clock for all launches */
    int grid[3], block[3];
    uint32_t number; /* counts the driver's calls upwards */
};

struct cupti_launches {
    struct cupti_launch *at; /* in the order of the launches */
    size_t count;
    size_t dropped; /* launches without a record or without a time */
};

/* The number of CUPTI's interface ("130001" for CUDA 13.0). False, with a reason, where there is none. */
int cupti_version(char *text, size_t n);

/* Starts to record every launch of this process. False if CUPTI cannot be used here; then `why` says
 * why not and what would help, and events must do. It makes launches a little slower, kernels not.
 * One recording at a time. */
int cupti_begin(char *why, size_t n);

/* Ends the recording and hands over the launches since cupti_begin: the caller has waited for all of
 * them to end, and frees them with cupti_free. False, with a reason and nothing to free, where CUPTI
 * failed or its records make no sense. */
int cupti_end(struct cupti_launches *all, char *why, size_t n);
void cupti_free(struct cupti_launches *all);

#endif
