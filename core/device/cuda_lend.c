/* A GPU's memory for the GPUs of other processes of the host. */
#include <stdint.h>
#include <string.h>

#include "core/device/cuda_device.h"

_Static_assert(sizeof(struct loan) == sizeof(CUipcMemHandle), "a loan is the driver's handle");

enum err cuda_lend(struct device *dev, void *p, struct loan *to)
{
    CUipcMemHandle handle;
    if (!cuda_api.lends)
        FAIL(ABSENT, "the driver cannot share memory between processes: update it");
    TRY(enter(dev));
    TRY(CU(cuIpcGetMemHandle(&handle, (CUdeviceptr)(uintptr_t)p)));
    memcpy(to, &handle, sizeof handle);
    return ERR_OK;
}

enum err cuda_borrow(struct device *dev, const struct loan *of, void **p)
{
    CUipcMemHandle handle;
    CUdeviceptr at = 0;
    memcpy(&handle, of, sizeof handle);
    TRY(enter(dev));
    const CUresult r = cuda_api.cuIpcOpenMemHandle(&at, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    if (r == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
        FAIL(ABSENT, "GPUs of two processes cannot reach each other's memory");
    TRY(cuda_check(r, "cuIpcOpenMemHandle", __FILE__, __LINE__));
    *p = (void *)(uintptr_t)at;
    return ERR_OK;
}

void cuda_give_back(struct device *dev, void *p)
{
    if (p && cuda_api.cuCtxSetCurrent(dev->context) == CUDA_SUCCESS)
        cuda_api.cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)p);
}
