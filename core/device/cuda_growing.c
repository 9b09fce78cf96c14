/* The cuda backend's memory that grows in place: a range of addresses, into which more and more memory is mapped. */
#include <stdint.h>
#include <stdlib.h>

#include "core/device/cuda_device.h"

struct growing {
    CUdeviceptr at;
    size_t mapped, reserved; /* bytes, multiples of grain */
    size_t grain;
    size_t *piece; /* bytes of each mapping, which is unmapped by itself; room for one per grain */
    int pieces;
    struct growing *next;
};

static size_t whole_grains(const struct growing *g, size_t bytes)
{
    return (bytes + g->grain - 1) / g->grain * g->grain;
}

static struct CUmemAllocationProp on_device(const struct device *dev)
{
    return (struct CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                        .location = {CU_MEM_LOCATION_TYPE_DEVICE, dev->id}};
}

/* Its handle may go: memory lives as long as it is mapped. */
static CUresult map_piece(const struct device *dev, CUdeviceptr at, size_t bytes)
{
    const struct CUmemAllocationProp where = on_device(dev);
    const struct CUmemAccessDesc access = {where.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    unsigned long long handle;
    CUresult r = cuda_api.cuMemCreate(&handle, bytes, &where, 0);
    if (r)
        return r;
    r = cuda_api.cuMemMap(at, bytes, 0, handle, 0);
    cuda_api.cuMemRelease(handle);
    if (r)
        return r;
    r = cuda_api.cuMemSetAccess(at, bytes, &access, 1);
    if (r)
        cuda_api.cuMemUnmap(at, bytes);
    return r;
}

/* Makes the first `bytes` usable. */
static CUresult map(const struct device *dev, struct growing *g, size_t bytes)
{
    const size_t more = bytes > g->mapped ? whole_grains(g, bytes) - g->mapped : 0;
    if (!more)
        return CUDA_SUCCESS;
    const CUresult r = map_piece(dev, g->at + g->mapped, more);
    if (r)
        return r;
    g->piece[g->pieces++] = more;
    g->mapped += more;
    return CUDA_SUCCESS;
}

static void give_up(struct growing *g)
{
    CUdeviceptr at = g->at;
    for (int k = 0; k < g->pieces; k++) {
        cuda_api.cuMemUnmap(at, g->piece[k]);
        at += g->piece[k];
    }
    cuda_api.cuMemAddressFree(g->at, g->reserved);
    free(g->piece);
    free(g);
}

static size_t grain_of(const struct device *dev)
{
    const struct CUmemAllocationProp where = on_device(dev);
    int can = 0;
    size_t grain = 0;
    if (cuda_api.cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                      dev->id) ||
        !can ||
        cuda_api.cuMemGetAllocationGranularity(&grain, &where, CU_MEM_ALLOC_GRANULARITY_MINIMUM))
        return 0;
    return grain;
}

/* A driver that refuses to reserve or to map can still allocate, unless its memory has ended. */
enum err cuda_reserve(struct device *dev, size_t bytes, size_t most, void **p)
{
    *p = NULL;
    TRY(enter(dev));
    const size_t grain = cuda_api.growing ? grain_of(dev) : 0;
    if (!grain)
        return ERR_OK;
    struct growing *g = calloc(1, sizeof *g);
    if (!g)
        FAIL(MEMORY, "no memory for the description of an array");
    g->grain = grain;
    g->reserved = whole_grains(g, most > bytes ? most : bytes);
    g->piece = calloc(g->reserved / grain, sizeof *g->piece);
    if (!g->piece || cuda_api.cuMemAddressReserve(&g->at, g->reserved, 0, 0, 0)) {
        free(g->piece);
        free(g);
        return ERR_OK;
    }
    const CUresult r = map(dev, g, bytes ? bytes : 1);
    if (r) {
        give_up(g);
        return r == CUDA_ERROR_OUT_OF_MEMORY ? cuda_out_of_memory(bytes) : ERR_OK;
    }
    g->next = dev->growing;
    dev->growing = g;
    *p = (void *)(uintptr_t)g->at;
    return ERR_OK;
}

enum err cuda_grow(struct device *dev, void *p, size_t bytes)
{
    struct growing *g = dev->growing;
    while (g && g->at != (uintptr_t)p)
        g = g->next;
    if (!g || bytes > g->reserved)
        FAIL(MACHINE, "%zu bytes are more than were reserved there", bytes);
    TRY(enter(dev));
    const size_t before = g->mapped;
    const CUresult r = map(dev, g, bytes);
    if (r == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_out_of_memory(bytes - before);
    return cuda_check(r, "cuMemMap", __FILE__, __LINE__);
}

int cuda_release_growing(struct device *dev, void *p)
{
    struct growing **at = &dev->growing;
    while (*at && (*at)->at != (uintptr_t)p)
        at = &(*at)->next;
    struct growing *g = *at;
    if (!g)
        return 0;
    *at = g->next;
    cuda_api.cuStreamSynchronize(dev->stream); /* unmapping does not wait */
    give_up(g);
    return 1;
}
