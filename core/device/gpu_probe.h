/* Looking for a GPU without opening its driver here, so that this process can be forked. */
#ifndef SHOAL_GPU_PROBE_H
#define SHOAL_GPU_PROBE_H

#include "core/device/backend.h"

struct gpu {
    int device, here;
    char why[512];           /* not here */
    char name[256];          /* with its driver and the compiler; "" where it cannot be opened */
    struct device_info info; /* zeros where it cannot */
};

/* A child looks. Fails only where it cannot be asked. */
enum err gpu_find(int device, struct gpu *found);

/* May the CPU take the place of a GPU that is not here? Not where one was asked for by its number (0 is
 * what nobody needs to ask for): fails with ERR_ABSENT. */
enum err gpu_spared(int device, const char *why);

/* The backend that a command takes: the CPU, CUDA, or for ANY_BACKEND the GPU if there is one, else the
 * CPU, with a message why. Fails where a GPU is asked for and not here. */
enum err gpu_or_cpu(int which, int device, enum backend_kind *backend);

#endif
