/* Shared by the files of the cuda backend. Private to them. */
#ifndef SHOAL_CUDA_DEVICE_H
#define SHOAL_CUDA_DEVICE_H

#include "core/device/backend.h"
#include "core/device/cuda_api.h"

enum { PEEKS = 16, PEEK_BYTES = 4096 };

/* A pending copy to the host. */
struct slot {
    unsigned char *data; /* pinned */
    size_t bytes;
    CUevent arrived;
};

struct device {
    struct device_info info;
    CUdevice id;
    CUcontext context; /* the device's primary one */
    CUstream stream;
    int shared_limit, thread_limit; /* of a block: bytes, threads */
    int warp, resident_threads;     /* of a warp; the most on a multiprocessor */
    unsigned char *pinned;
    struct slot ring[PEEKS]; /* `under_way` pending ones from `oldest` on */
    int oldest, under_way;
    CUevent mark[MARKS], fetch[FETCHES], signal[SIGNALS];
    struct growing *growing; /* memory that grows in place, a list */
};

/* Every function of the backend that calls the driver begins with this: a context belongs to a
 * thread, and other libraries may have changed the thread's. (Functions that release things do it
 * by hand, to keep the message of the error that led there.) */
static inline enum err enter(const struct device *dev)
{
    return CU(cuCtxSetCurrent(dev->context));
}

/* Keeps the context of a GPU that works, if cuda_keep_contexts has asked for it; and gives it up after a kernel that failed
 * has broken it: the next device gets another. */
void cuda_keep_context(CUdevice id);
void cuda_drop_context(CUdevice id);

/* Graphs: see core/device/backend.h. */
enum err cuda_record_begin(struct device *dev);
enum err cuda_record_end(struct device *dev, struct graph **g);
enum err cuda_replay(struct device *dev, struct graph *g);
void cuda_graph_free(struct device *dev, struct graph *g);

int cuda_reaches(struct device *dev, const struct device *other);
enum err cuda_lend(struct device *dev, void *p, struct loan *to);
enum err cuda_borrow(struct device *dev, const struct loan *of, void **p);
void cuda_give_back(struct device *dev, void *p);

enum err cuda_signal(struct device *dev, int number);
enum err cuda_await(struct device *dev, const struct device *other, int number);

/* Memory that grows in place: the same. The last one is false for any other address. */
enum err cuda_reserve(struct device *dev, size_t bytes, size_t most, void **p);
enum err cuda_grow(struct device *dev, void *p, size_t bytes);
int cuda_release_growing(struct device *dev, void *p);

/* The error of a device without so much free memory. */
enum err cuda_out_of_memory(size_t bytes);

/* Pending copies: the same. */
enum err cuda_host_alloc(struct device *dev, size_t bytes, void **p);
void cuda_host_release(struct device *dev, void *p);
enum err cuda_fetch(struct device *dev, int number, void *to, const void *from, size_t bytes);
enum err cuda_fetched(struct device *dev, int number);

#endif
