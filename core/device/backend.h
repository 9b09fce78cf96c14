/* A backend runs kernels on a device. Two exist: cpu and cuda. Everything else in Shoal reaches
 * a device through this table. Launches and copies are executed in the order they were given. */
#ifndef SHOAL_BACKEND_H
#define SHOAL_BACKEND_H

#include <stddef.h>

#include "core/base/err.h"
#include "kernels/kernel.h"

struct device; /* an opened device; each backend has its own */
struct graph;  /* launches recorded once, to be enqueued together */
struct loaded; /* a kernel compiled and loaded on a device */
struct recipe; /* core/compile/recipe.h */

enum { MARKS = 6, FETCHES = 2, SIGNALS = 6 };

struct device_options {
    int device;  /* which GPU */
    int threads; /* CPU threads; 0: all cores */
    int order;   /* debug: 0 as it comes, 1 threads and blocks in reversed order, 2 shuffled */
    const char *march; /* CPU target, as for gcc -march */
};

struct device_info {
    char name[128];             /* "NVIDIA H200", the processor's name */
    char target[64];            /* sm_90; the resolved CPU target */
    char compiler[128];         /* name and version of the kernel compiler */
    char driver[64];            /* CUDA driver version, "" on the CPU */
    char bus[32];               /* PCI bus id, "" where there is none */
    size_t memory, memory_free; /* bytes */
    int units;                  /* multiprocessors; threads used */
    int graphs;                 /* launches can be recorded */
};

/* What is known of a loaded kernel without running it; NAN where the device does not tell. */
struct kernel_facts {
    double registers; /* of a thread */
    double shared_b;  /* shared memory of a block, bytes */
    double spill_b;   /* local memory of a thread, bytes */
    double occupancy; /* warps that are resident at once, as a share of the most possible */
};

struct backend {
    const char *name; /* the one that `shoal list backends` shows */

    /* Can it be used here? If not, `why` says why not and what would help. No error is set. */
    int (*available)(int device, char *why, size_t n);

    enum err (*open)(struct device **dev, const struct device_options *o);
    void (*close)(struct device *dev); /* accepts NULL */
    const struct device_info *(*info)(const struct device *dev);

    /* Compiles a recipe into the cache if it is not there yet. Touches nothing but the cache, so
     * that several threads may call it at once. `path` (>= 4096 bytes) gets the cache entry. */
    enum err (*compile)(const struct device *dev, const struct recipe *r, char *path);
    /* ERR_LIMIT where a block needs more than the device allows it. */
    enum err (*load)(struct device *dev, const struct recipe *r, const char *path,
                     struct loaded **k);
    void (*unload)(struct device *dev, struct loaded *k); /* accepts NULL */
    size_t (*args_bytes)(const struct loaded *k); /* of its arguments, as its text has them */
    enum err (*facts)(struct device *dev, const struct loaded *k, struct kernel_facts *f);

    /* Memory on the device; what it holds at first is undefined. */
    enum err (*alloc)(struct device *dev, size_t bytes, void **p);
    void (*release)(struct device *dev, void *p); /* accepts NULL */
    enum err (*fill)(struct device *dev, void *p, int byte, size_t bytes);
    enum err (*upload)(struct device *dev, void *to, const void *from, size_t bytes);
    enum err (*download)(struct device *dev, void *to, const void *from, size_t bytes);
    enum err (*copy)(struct device *dev, void *to, const void *from, size_t bytes); /* within it */
    /* Kernels here may read and write memory of another device of the same backend: from now on, where they can. */
    int (*reaches)(struct device *dev, const struct device *other);

    /* Order between opened devices. signal marks what was enqueued so far, under a number below SIGNALS; await has what is
     * enqueued from now on wait for what another device has marked last. The host waits for nothing; it sees to it that the
     * one has returned when the other is called. */
    enum err (*signal)(struct device *dev, int number);
    enum err (*await)(struct device *dev, const struct device *other, int number);

    /* Copies to the host that stepping does not wait for. fetch starts one, after what was enqueued so
     * far, into memory from host_alloc, under a number below FETCHES; fetched waits, in any thread, until
     * all that were started under the number have arrived. */
    enum err (*host_alloc)(struct device *dev, size_t bytes, void **p);
    void (*host_release)(struct device *dev, void *p); /* accepts NULL */
    enum err (*fetch)(struct device *dev, int number, void *to, const void *from, size_t bytes);
    enum err (*fetched)(struct device *dev, int number);

    /* Enqueues gx x gy blocks. `args` is copied; its pointers are device pointers. Fails if the
     * kernel takes another number of bytes than these. */
    enum err (*launch)(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes);

    /* Starts copying `bytes` (at most 4096) from the device after what was enqueued so far; wait
     * blocks until the oldest copy under way has arrived and stores it in `to`. */
    enum err (*peek)(struct device *dev, const void *from, size_t bytes);
    enum err (*wait)(struct device *dev, void *to, size_t bytes);
    enum err (*sync)(struct device *dev);

    /* mark notes the moment when what was enqueued so far has been executed, under a number below
     * MARKS; between waits for both marks and tells the seconds from one to the other. */
    enum err (*mark)(struct device *dev, int number);
    enum err (*between)(struct device *dev, int from, int to, double *seconds);

    /* Optional, NULL all four; to be used where the device's info says `graphs`. Between record_begin
     * and record_end what is launched, filled or copied within the device is not executed but kept,
     * with the arguments it was given; nothing else may be called, but signal and await: another device that awaits
     * a signal of the recording is recorded, too, until this one has awaited a signal of it, and what it was given is part of
     * the graph. Of several devices one thread calls at a time. record_end ends the recording
     * whatever comes of it, and makes a graph; with a null `g` it only ends it, and sets no error.
     * replay enqueues all that was kept. The kernels must stay loaded as long as the graph. */
    enum err (*record_begin)(struct device *dev);
    enum err (*record_end)(struct device *dev, struct graph **g);
    enum err (*replay)(struct device *dev, struct graph *g);
    void (*graph_free)(struct device *dev, struct graph *g); /* accepts NULL */
};

#define ARGS_DIFFER                                                                     \
    "%s takes %u bytes of arguments and was given %zu: kernels/args.h has been edited " \
    "since this program was built; run make"

extern const struct backend backend_cpu, backend_cuda;
extern const struct backend *const backends[BACKENDS]; /* by enum backend_kind */

#endif
