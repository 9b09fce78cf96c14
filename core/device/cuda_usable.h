/* Which GPUs work with the installed driver and compiler. */
#ifndef SHOAL_CUDA_USABLE_H
#define SHOAL_CUDA_USABLE_H

#include <stddef.h>

#include "core/device/cuda_api.h"

/* Implements a backend's `available`. */
int cuda_usable(int device, char *why, size_t n);

/* The PCI bus id of a usable one; "" if it has none. */
enum { CUDA_BUS = 32 };
void cuda_bus(int device, char bus[CUDA_BUS]);

/* 90 for a compute capability of 9.0. */
int cuda_capability(CUdevice id);

#endif
