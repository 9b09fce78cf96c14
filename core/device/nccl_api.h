/* NCCL, opened at run time like the CUDA driver. Names, types and numbers are those of NVIDIA's
 * published interface, as far as used here. */
#ifndef SHOAL_NCCL_API_H
#define SHOAL_NCCL_API_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/paths.h"
#include "core/device/cuda_api.h"

typedef struct ncclComm *ncclComm_t;
typedef struct {
    char internal[128];
} ncclUniqueId;

enum { NCCL_SUCCESS = 0 };
enum { NCCL_UINT8 = 1, NCCL_UINT32 = 3, NCCL_UINT64 = 5, NCCL_MAX = 2 };

/* name, parameters; all return a ncclResult_t */
#define NCCL_FUNCTIONS(X)                                                                   \
    X(ncclGetVersion, (int *version))                                                       \
    X(ncclGetUniqueId, (ncclUniqueId * id))                                                 \
    X(ncclCommInitRank, (ncclComm_t * c, int count, ncclUniqueId id, int number))           \
    X(ncclCommDestroy, (ncclComm_t c))                                                      \
    X(ncclCommAbort, (ncclComm_t c))                                                        \
    X(ncclCommGetAsyncError, (ncclComm_t c, int *result))                                   \
    X(ncclGroupStart, (void))                                                               \
    X(ncclGroupEnd, (void))                                                                 \
    X(ncclSend, (const void *from, size_t n, int type, int peer, ncclComm_t c, CUstream s)) \
    X(ncclRecv, (void *to, size_t n, int type, int peer, ncclComm_t c, CUstream s))         \
    X(ncclAllReduce,                                                                        \
      (const void *from, void *to, size_t n, int type, int how, ncclComm_t c, CUstream s))

struct nccl_api {
    char version[32], path[PATH_LENGTH];
    const char *(*ncclGetErrorString)(int result);
#define NCCL_MEMBER(name, parameters) int(*name) parameters;
    NCCL_FUNCTIONS(NCCL_MEMBER)
#undef NCCL_MEMBER
};

/* Usable once the function below has returned true; stays open until the process ends. */
extern struct nccl_api nccl_api;

/* Opens the library once. False if there is none, or one that is too old; then `why` gives the
 * reason and a remedy, and a later call tries again. Thread safe. */
int nccl_api_open(char *why, size_t n);

/* NCCL(ncclGroupStart()) is an enum err; if the call fails the message gives NCCL's own name for it. */
#define NCCL(call) nccl_check(nccl_api.call, #call, __FILE__, __LINE__)
enum err nccl_check(int result, const char *call, const char *file, int line);

#endif
