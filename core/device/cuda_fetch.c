/* The cuda backend's copies that stepping does not wait for. */
#include <stdint.h>

#include "core/device/cuda_device.h"

/* Page-locked memory, which the device writes directly. */
enum err cuda_host_alloc(struct device *dev, size_t bytes, void **p)
{
    TRY(enter(dev));
    return CU(cuMemHostAlloc(p, bytes, 0));
}

void cuda_host_release(struct device *dev, void *p)
{
    if (p && cuda_api.cuCtxSetCurrent(dev->context) == CUDA_SUCCESS)
        cuda_api.cuMemFreeHost(p);
}

enum err cuda_fetch(struct device *dev, int number, void *to, const void *from, size_t bytes)
{
    TRY(enter(dev));
    TRY(CU(cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)from, bytes, dev->stream)));
    return CU(cuEventRecord(dev->fetch[number], dev->stream));
}

enum err cuda_fetched(struct device *dev, int number)
{
    TRY(enter(dev));
    return CU(cuEventSynchronize(dev->fetch[number]));
}
