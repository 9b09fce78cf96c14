/* Does a kernel compile everywhere? Tries all installed compilers: the C compiler of runs, gcc and
 * clang, and NVRTC, which needs no GPU. */
#ifndef SHOAL_COMPILERS_H
#define SHOAL_COMPILERS_H

#include "core/base/err.h"
#include "kernels/kernel.h"

enum compiles { COMPILES, REFUSED, NOT_HERE };

struct compilation {
    char compiler[160]; /* "gcc (Debian 12.2.0) 12.2.0", "nvrtc 13.0 for sm_80" */
    enum compiles answer;
    char message
        [4096]; /* REFUSED: place, line and remedy (core/compile/compiler_message.h); NOT_HERE: why */
};

enum { COMPILERS = 4 };

struct compilations {
    int count;
    struct compilation of[COMPILERS];
};

/* Compiles the kernel in both precisions with each of them; if a kernel includes plug-ins, with
 * those named, null for the default. On a GPU a kernel with plug-ins must not compute in double
 * precision in an f32 run, which NVRTC itself would accept. Fails only if it cannot try. Nothing
 * else may be compiled meanwhile. */
enum err compile_everywhere(const struct kernel *k, const char *limiter, const char *flux,
                            const char *reconstruction, struct compilations *all);

/* The same for a plug-in, in the first kernel that includes any. `kind` is "limiters", "fluxes" or
 * "reconstructions". */
enum err compile_plugin_everywhere(const char *kind, const char *name, struct compilations *all);

/* How many reject it. */
int compilations_refused(const struct compilations *all);

#endif
