/* Where the libraries of a CUDA toolkit are, and which version of CUDA is new enough. */
#ifndef SHOAL_CUDA_TOOLKIT_H
#define SHOAL_CUDA_TOOLKIT_H

#include <stddef.h>

/* The oldest CUDA whose driver and NVRTC can do what is asked of them here. */
enum { CUDA_NEEDED_MAJOR = 11, CUDA_NEEDED_MINOR = 8 };

int cuda_older_than_needed(int major, int minor);

/* Words for it: `what` is the library; `missing` is a function it lacks, or NULL. */
void cuda_too_old(const char *what, int major, int minor, const char *missing, char *why, size_t n);

/* Opens a library of the CUDA toolkit under the first of its names that is there, newest first. NULL
 * if none is; then `looked` says where it was looked for and what the loader complained about. The
 * variable SHOAL_CUDA names the only toolkit to look in. */
void *cuda_toolkit_open(const char *const *names, size_t count, char *looked, size_t n);

#endif
