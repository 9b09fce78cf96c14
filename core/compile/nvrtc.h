/* Compiles kernels for GPUs with NVRTC. Needs neither a driver nor a GPU, only an open nvrtc_api. */
#ifndef SHOAL_NVRTC_H
#define SHOAL_NVRTC_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* The result of compiling a recipe. */
struct nvrtc_output {
    char *log; /* the compiler's output, "" for none */
    char *ptx;
    void *cubin;
    size_t cubin_bytes;
};

/* "nvrtc 13.0" */
void nvrtc_name(char *text, size_t n);

/* The options common to all kernels of a mode, except target, paths and defines. */
void nvrtc_options(enum mode mode, char *text, size_t n);

/* The target architecture for a device of this compute capability (10 major + minor): its own, or
 * the newest older one that it can run. 0 if NVRTC knows none. */
int nvrtc_target(int capability);
int nvrtc_supports(int arch);

/* Compiles a recipe for an architecture ("sm_90") into the cache, unless present. `path` (>=
 * PATH_LENGTH) receives the cubin's path. Fails with ERR_KERNEL and the diagnosis of the text
 * (core/compile/compiler_message.h). Thread safe. */
enum err nvrtc_compile(const struct recipe *r, const char *arch, char *path);

/* The same without the cache. `verbose`: the log lists registers, shared memory and spills. The
 * caller frees `out`, also after an error. */
enum err nvrtc_build(const struct recipe *r, const char *arch, int verbose,
                     struct nvrtc_output *out);
void nvrtc_output_free(struct nvrtc_output *out);

#endif
