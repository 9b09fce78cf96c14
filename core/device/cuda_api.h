/* The CUDA driver, opened at run time: Shoal builds without CUDA's headers and libraries. Names,
 * types and numbers are those of NVIDIA's published interface, as far as used here. */
#ifndef SHOAL_CUDA_API_H
#define SHOAL_CUDA_API_H

#include <stddef.h>

#include "core/base/err.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct {
    char reserved[64];
} CUipcMemHandle;

typedef enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_UNKNOWN = 999,
} CUresult;

typedef enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
} CUdevice_attribute;

typedef enum {
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
} CUfunction_attribute;

enum { CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1 };
enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1 };

/* Memory apart from the addresses at which it is mapped. */
enum {
    CU_MEM_ALLOCATION_TYPE_PINNED = 1,
    CU_MEM_LOCATION_TYPE_DEVICE = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0
};
struct CUmemLocation {
    int type, id;
};
struct CUmemAllocationProp {
    int type, handle_types;
    struct CUmemLocation location;
    void *win32;
    unsigned char flags[8];
};
struct CUmemAccessDesc {
    struct CUmemLocation location;
    int flags;
};

/* name here, name in the library (later revisions of a function carry a suffix), parameters */
#define CUDA_FUNCTIONS(X)                                                                          \
    X(cuInit, "cuInit", (unsigned flags))                                                          \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int *version))                                    \
    X(cuGetErrorName, "cuGetErrorName", (CUresult r, const char **text))                           \
    X(cuGetErrorString, "cuGetErrorString", (CUresult r, const char **text))                       \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                          \
    X(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                \
    X(cuDeviceGetName, "cuDeviceGetName", (char *name, int n, CUdevice device))                    \
    X(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId", (char *id, int n, CUdevice device))              \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute",                                                \
      (int *value, CUdevice_attribute a, CUdevice device))                                         \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * c, CUdevice device))      \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice device))                \
    X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext c))                                           \
    X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t * free, size_t * total))                            \
    X(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * p, size_t bytes))                                \
    X(cuMemFree, "cuMemFree_v2", (CUdeviceptr p))                                                  \
    X(cuMemHostAlloc, "cuMemHostAlloc", (void **p, size_t bytes, unsigned flags))                  \
    X(cuMemFreeHost, "cuMemFreeHost", (void *p))                                                   \
    X(cuMemsetD8Async, "cuMemsetD8Async",                                                          \
      (CUdeviceptr to, unsigned char byte, size_t bytes, CUstream s))                              \
    X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                   \
      (CUdeviceptr to, const void *from, size_t bytes, CUstream s))                                \
    X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                   \
      (void *to, CUdeviceptr from, size_t bytes, CUstream s))                                      \
    X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                                   \
      (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s))                                \
    X(cuStreamCreate, "cuStreamCreate", (CUstream * s, unsigned flags))                            \
    X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream s))                                    \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream s))                                         \
    X(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream s, CUevent event, unsigned flags))         \
    X(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                           \
    X(cuEventRecord, "cuEventRecord", (CUevent event, CUstream s))                                 \
    X(cuEventSynchronize, "cuEventSynchronize", (CUevent event))                                   \
    X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent from, CUevent to))   \
    X(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))                                        \
    X(cuModuleLoad, "cuModuleLoad", (CUmodule * module, const char *path))                         \
    X(cuModuleUnload, "cuModuleUnload", (CUmodule module))                                         \
    X(cuModuleGetFunction, "cuModuleGetFunction",                                                  \
      (CUfunction * f, CUmodule module, const char *name))                                         \
    X(cuModuleGetGlobal, "cuModuleGetGlobal_v2",                                                   \
      (CUdeviceptr * p, size_t * bytes, CUmodule module, const char *name))                        \
    X(cuFuncGetAttribute, "cuFuncGetAttribute",                                                    \
      (int *value, CUfunction_attribute a, CUfunction f))                                          \
    X(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction f, CUfunction_attribute a, int value)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",  \
      (int *blocks, CUfunction f, int threads, size_t shared_bytes))                               \
    X(cuLaunchKernel, "cuLaunchKernel",                                                            \
      (CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,          \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream s, void **parameters,   \
       void **extra))

/* The same for functions that a driver may lack: then it records no graphs. */
#define CUDA_GRAPH_FUNCTIONS(X)                                                \
    X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (CUstream s, int mode)) \
    X(cuStreamEndCapture, "cuStreamEndCapture", (CUstream s, CUgraph * graph)) \
    X(cuGraphInstantiate, "cuGraphInstantiateWithFlags",                       \
      (CUgraphExec * exec, CUgraph graph, unsigned long long flags))           \
    X(cuGraphLaunch, "cuGraphLaunch", (CUgraphExec exec, CUstream s))          \
    X(cuGraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec exec))            \
    X(cuGraphDestroy, "cuGraphDestroy", (CUgraph graph))

/* Likewise: then GPUs cannot reach each other's memory. */
#define CUDA_PEER_FUNCTIONS(X)                                                                    \
    X(cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *can, CUdevice device, CUdevice peer)) \
    X(cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", (CUcontext peer, unsigned flags))

/* Likewise: then memory does not grow in place. */
#define CUDA_GROWING_FUNCTIONS(X)                                                                  \
    X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity",                              \
      (size_t * grain, const struct CUmemAllocationProp *p, int option))                           \
    X(cuMemAddressReserve, "cuMemAddressReserve",                                                  \
      (CUdeviceptr * p, size_t bytes, size_t alignment, CUdeviceptr at, unsigned long long flags)) \
    X(cuMemAddressFree, "cuMemAddressFree", (CUdeviceptr p, size_t bytes))                         \
    X(cuMemCreate, "cuMemCreate",                                                                  \
      (unsigned long long *handle, size_t bytes, const struct CUmemAllocationProp *p,              \
       unsigned long long flags))                                                                  \
    X(cuMemRelease, "cuMemRelease", (unsigned long long handle))                                   \
    X(cuMemMap, "cuMemMap",                                                                        \
      (CUdeviceptr p, size_t bytes, size_t offset, unsigned long long handle,                      \
       unsigned long long flags))                                                                  \
    X(cuMemUnmap, "cuMemUnmap", (CUdeviceptr p, size_t bytes))                                     \
    X(cuMemSetAccess, "cuMemSetAccess",                                                            \
      (CUdeviceptr p, size_t bytes, const struct CUmemAccessDesc *access, size_t n))

/* Likewise: then processes cannot reach the memory of others' GPUs. */
#define CUDA_LEND_FUNCTIONS(X)                                                          \
    X(cuIpcGetMemHandle, "cuIpcGetMemHandle", (CUipcMemHandle * handle, CUdeviceptr p)) \
    X(cuIpcOpenMemHandle, "cuIpcOpenMemHandle_v2",                                      \
      (CUdeviceptr * p, CUipcMemHandle handle, unsigned flags))                         \
    X(cuIpcCloseMemHandle, "cuIpcCloseMemHandle", (CUdeviceptr p))

struct cuda_api {
    int major, minor; /* the newest CUDA the driver supports */
    int graphs;       /* it has all of CUDA_GRAPH_FUNCTIONS, */
    int peers;        /* of CUDA_PEER_FUNCTIONS, */
    int lends;        /* of CUDA_LEND_FUNCTIONS */
    int growing;      /* of CUDA_GROWING_FUNCTIONS */
#define CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
    CUDA_FUNCTIONS(CUDA_MEMBER)
    CUDA_GRAPH_FUNCTIONS(CUDA_MEMBER)
    CUDA_PEER_FUNCTIONS(CUDA_MEMBER)
    CUDA_LEND_FUNCTIONS(CUDA_MEMBER)
    CUDA_GROWING_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
};

/* The process's only driver. Usable once the function below has returned true; it stays open until
 * the process ends, because it cannot be closed safely. */
extern struct cuda_api cuda_api;

/* Opens and initialises the library once. False if it cannot be used here; then `why` gives the
 * reason and a remedy, and a later call tries again. Thread safe. */
int cuda_api_open(char *why, size_t n);

/* CU(cuMemFree(p)) is an enum err; if the call fails the message gives the API's own name for it. */
#define CU(call) cuda_check(cuda_api.call, #call, __FILE__, __LINE__)
enum err cuda_check(CUresult r, const char *call, const char *file, int line);

#endif
