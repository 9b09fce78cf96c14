/* NVRTC, CUDA's run-time compiler, opened at run time: Shoal builds without CUDA's headers and
 * libraries. Names, types and numbers are those of NVIDIA's published interface, as far as used
 * here. */
#ifndef SHOAL_NVRTC_API_H
#define SHOAL_NVRTC_API_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/paths.h"

typedef struct nvrtc_program *nvrtcProgram;
typedef enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_COMPILATION = 6 } nvrtcResult;

/* name here, name in the library, parameters */
#define NVRTC_FUNCTIONS(X)                                                                \
    X(nvrtcVersion, "nvrtcVersion", (int *major, int *minor))                             \
    X(nvrtcGetNumSupportedArchs, "nvrtcGetNumSupportedArchs", (int *n))                   \
    X(nvrtcGetSupportedArchs, "nvrtcGetSupportedArchs", (int *archs))                     \
    X(nvrtcCreateProgram, "nvrtcCreateProgram",                                           \
      (nvrtcProgram * p, const char *text, const char *name, int headers,                 \
       const char *const *header_texts, const char *const *header_names))                 \
    X(nvrtcDestroyProgram, "nvrtcDestroyProgram", (nvrtcProgram * p))                     \
    X(nvrtcCompileProgram, "nvrtcCompileProgram",                                         \
      (nvrtcProgram p, int count, const char *const *options))                            \
    X(nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize", (nvrtcProgram p, size_t * bytes)) \
    X(nvrtcGetProgramLog, "nvrtcGetProgramLog", (nvrtcProgram p, char *log))              \
    X(nvrtcGetPTXSize, "nvrtcGetPTXSize", (nvrtcProgram p, size_t * bytes))               \
    X(nvrtcGetPTX, "nvrtcGetPTX", (nvrtcProgram p, char *ptx))                            \
    X(nvrtcGetCUBINSize, "nvrtcGetCUBINSize", (nvrtcProgram p, size_t * bytes))           \
    X(nvrtcGetCUBIN, "nvrtcGetCUBIN", (nvrtcProgram p, char *cubin))

struct nvrtc_api {
    int major, minor;
    char path[PATH_LENGTH]; /* path of the library in use */
    const char *(*nvrtcGetErrorString)(nvrtcResult r);
#define NVRTC_MEMBER(name, symbol, parameters) nvrtcResult(*name) parameters;
    NVRTC_FUNCTIONS(NVRTC_MEMBER)
#undef NVRTC_MEMBER
};

/* The process's only NVRTC. Usable once the function below has returned true; it stays open until
 * the process ends, because it cannot be closed safely. */
extern struct nvrtc_api nvrtc_api;

/* Opens the library once. False if it cannot be used here; then `why` gives the reason and a
 * remedy, and a later call tries again. Thread safe. */
int nvrtc_api_open(char *why, size_t n);

/* NVRTC(nvrtcGetPTX(program, ptx)) is an enum err; if the call fails the message gives NVRTC's own
 * name for it. */
#define NVRTC(call) nvrtc_check(nvrtc_api.call, #call, __FILE__, __LINE__)
enum err nvrtc_check(nvrtcResult r, const char *call, const char *file, int line);

#endif
