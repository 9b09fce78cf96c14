/* Contexts of GPUs that a process keeps from one opening to the next. */
#include <stdatomic.h>
#include <stdint.h>

#include "core/device/cuda_device.h"

/* The GPUs, a bit each. */
static _Atomic uint64_t kept;
static atomic_int keeping;

void cuda_keep_contexts(void)
{
    keeping = 1;
}

static uint64_t bit(CUdevice id)
{
    return id >= 0 && id < 64 ? (uint64_t)1 << id : 0;
}

void cuda_keep_context(CUdevice id)
{
    CUcontext same;
    if (!keeping || !bit(id) || (kept & bit(id)) ||
        cuda_api.cuDevicePrimaryCtxRetain(&same, id) != CUDA_SUCCESS)
        return;
    if (atomic_fetch_or(&kept, bit(id)) & bit(id)) /* another thread was first */
        cuda_api.cuDevicePrimaryCtxRelease(id);
}

void cuda_drop_context(CUdevice id)
{
    if (atomic_fetch_and(&kept, ~bit(id)) & bit(id))
        cuda_api.cuDevicePrimaryCtxRelease(id);
}
