/* Compiles kernels for GPUs with NVRTC. Needs no driver and no GPU, but an open nvrtc_api. */
#ifndef SHOAL_NVRTC_H
#define SHOAL_NVRTC_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* What the compiler made of a recipe. */
struct nvrtc_output {
    char *log; /* what the compiler said, "" for nothing */
    char *ptx;
    void *cubin;
    size_t cubin_bytes;
};

/* "nvrtc 13.0" */
void nvrtc_name(char *text, size_t n);

/* The options that all kernels of a mode are compiled with, but target, paths and defines. */
void nvrtc_options(enum mode mode, char *text, size_t n);

/* The architecture to compile for on a device of this compute capability (10 major + minor): its
 * own, or the newest older one whose code it runs. 0 if NVRTC knows none. */
int nvrtc_target(int capability);
int nvrtc_supports(int arch);

/* Compiles a recipe for an architecture ("sm_90") into the cache, unless it is there. `path`
 * (>= PATH_LENGTH) gets the cubin's. Fails with ERR_KERNEL and what is wrong with the text
 * (core/compile/compiler_message.h). Several threads may call it at once. */
enum err nvrtc_compile(const struct recipe *r, const char *arch, char *path);

/* The same without the cache. `verbose`: the log states the registers, the shared memory and the
 * spills. The caller frees `out`, also after an error. */
enum err nvrtc_build(const struct recipe *r, const char *arch, int verbose,
                     struct nvrtc_output *out);
void nvrtc_output_free(struct nvrtc_output *out);

#endif
