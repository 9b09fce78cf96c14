/* Which GPUs the driver and the compiler that are here can be used with. */
#ifndef SHOAL_CUDA_USABLE_H
#define SHOAL_CUDA_USABLE_H

#include <stddef.h>

#include "core/device/cuda_api.h"

/* What a backend's `available` promises. */
int cuda_usable(int device, char *why, size_t n);

/* 90 for a compute capability of 9.0. */
int cuda_capability(CUdevice id);

#endif
