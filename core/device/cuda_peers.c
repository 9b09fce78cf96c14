/* GPUs that access each other's memory, and wait for each other. */
#include "core/device/cuda_device.h"

int cuda_reaches(struct device *dev, const struct device *other)
{
    int can = 0;
    if (dev->id == other->id)
        return 1;
    if (!cuda_api.peers || enter(dev) ||
        cuda_api.cuDeviceCanAccessPeer(&can, dev->id, other->id) != CUDA_SUCCESS || !can)
        return 0;
    const CUresult r = cuda_api.cuCtxEnablePeerAccess(other->context, 0);
    return r == CUDA_SUCCESS || r == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

enum err cuda_signal(struct device *dev, int number)
{
    TRY(enter(dev));
    return CU(cuEventRecord(dev->signal[number], dev->stream));
}

enum err cuda_await(struct device *dev, const struct device *other, int number)
{
    TRY(enter(dev));
    return CU(cuStreamWaitEvent(dev->stream, other->signal[number], 0));
}
