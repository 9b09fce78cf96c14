/* Where the libraries of a CUDA toolkit are, and the oldest supported version. */
#ifndef SHOAL_CUDA_TOOLKIT_H
#define SHOAL_CUDA_TOOLKIT_H

#include <stddef.h>

/* The oldest CUDA whose driver and NVRTC have everything that Shoal uses. */
enum { CUDA_NEEDED_MAJOR = 11, CUDA_NEEDED_MINOR = 8 };

int cuda_older_than_needed(int major, int minor);

/* A message: `what` is the library; `missing` is a function it lacks, or NULL. */
void cuda_too_old(const char *what, int major, int minor, const char *missing, char *why, size_t n);

/* Opens a library of the CUDA toolkit under the first of its names that exists, newest first. NULL
 * if none does; then `looked` lists the places searched and the loader's complaints. The variable
 * SHOAL_CUDA names the only toolkit to search. */
void *cuda_toolkit_open(const char *const *names, size_t count, char *looked, size_t n);

#endif
