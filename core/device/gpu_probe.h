/* Looks for a GPU without opening its driver in this process, so that this process can fork. */
#ifndef SHOAL_GPU_PROBE_H
#define SHOAL_GPU_PROBE_H

#include "core/device/backend.h"

struct gpu {
    int device, here;
    char why[512];           /* not here */
    char name[256];          /* with its driver and the compiler; "" if it cannot be opened */
    struct device_info info; /* zeros if it cannot be opened */
};

/* Asks in a child. Fails only if there is no answer. */
enum err gpu_find(int device, struct gpu *found);

/* May the CPU replace a missing GPU? Not if one was requested by its number (0 is the default):
 * fails with ERR_ABSENT. */
enum err gpu_spared(int device, const char *why);

/* The backend that a command uses: the CPU, CUDA, or for ANY_BACKEND the GPU if there is one, else
 * the CPU, with a message why. Fails if the requested GPU is missing. */
enum err gpu_or_cpu(int which, int device, enum backend_kind *backend);

#endif
