/* Finds a usable GPU. */
#include "core/device/cuda_usable.h"

#include <stdio.h>

#include "core/compile/nvrtc.h"
#include "core/compile/nvrtc_api.h"

int cuda_capability(CUdevice id)
{
    int major = 0, minor = 0;
    cuda_api.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, id);
    cuda_api.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, id);
    return 10 * major + minor;
}

/* Can this NVRTC's code run here? A driver loads code from its own major version and older ones. */
static int matches_nvrtc(CUdevice id, char *why, size_t n)
{
    if (nvrtc_api.major > cuda_api.major) {
        snprintf(why, n,
                 "the NVIDIA driver is too old: CUDA %d.%d found, CUDA %d.0 or later needed for "
                 "NVRTC %d.%d (%s); update the driver, or set SHOAL_CUDA to a CUDA %d toolkit",
                 cuda_api.major, cuda_api.minor, nvrtc_api.major, nvrtc_api.major, nvrtc_api.minor,
                 nvrtc_api.path, cuda_api.major);
        return 0;
    }
    int found = cuda_capability(id);
    if (!nvrtc_target(found)) {
        snprintf(why, n,
                 "NVRTC %d.%d (%s) cannot compile for this GPU (compute capability %d.%d); "
                 "set SHOAL_CUDA to the folder of a CUDA toolkit that can",
                 nvrtc_api.major, nvrtc_api.minor, nvrtc_api.path, found / 10, found % 10);
        return 0;
    }
    return 1;
}

int cuda_usable(int device, char *why, size_t n)
{
    int count = 0;
    CUdevice id;
    if (!cuda_api_open(why, n))
        return 0;
    if (cuda_api.cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 1) {
        snprintf(why, n, "no CUDA device: the driver is installed, but it sees no GPU");
        return 0;
    }
    if (device < 0 || device >= count || cuda_api.cuDeviceGet(&id, device) != CUDA_SUCCESS) {
        snprintf(why, n, "no CUDA device %d: there %s %d, counted from 0", device,
                 count == 1 ? "is" : "are", count);
        return 0;
    }
    return nvrtc_api_open(why, n) && matches_nvrtc(id, why, n);
}

void cuda_bus(int device, char bus[CUDA_BUS])
{
    CUdevice id;
    if (cuda_api.cuDeviceGet(&id, device) != CUDA_SUCCESS ||
        cuda_api.cuDeviceGetPCIBusId(bus, CUDA_BUS, id) != CUDA_SUCCESS)
        bus[0] = 0;
}
