/* A backend runs kernels on a device. There are two: cpu and cuda. Everything else in Shoal reaches
 * a device through this table. A device executes launches and copies in the order in which they are
 * enqueued. */
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

/* By which another process of this host borrows memory. */
struct loan {
    char bytes[64];
};

struct device_options {
    int device;  /* which GPU */
    int threads; /* CPU threads; 0: all cores */
    int order;   /* debug: 0 natural order, 1 threads and blocks in reversed order, 2 shuffled */
    const char *march; /* CPU target, as for gcc -march */
};

struct device_info {
    char name[128];             /* "NVIDIA H200", the processor's name */
    char target[64];            /* sm_90; the resolved CPU target */
    char compiler[128];         /* name and version of the kernel compiler */
    char driver[64];            /* CUDA driver version, "" on the CPU */
    char bus[32];               /* PCI bus id, "" if it has none */
    size_t memory, memory_free; /* bytes */
    int units;                  /* multiprocessors; threads used */
    int warps;                  /* that a GPU holds at once, at most; 0 on the CPU */
    int graphs;                 /* launches can be recorded */
    int no_fma;                 /* its instructions fuse no product with a sum */
};

/* Static properties of a loaded kernel; NAN if the device cannot tell. */
struct kernel_facts {
    double registers; /* of a thread */
    double shared_b;  /* shared memory of a block, bytes */
    double spill_b;   /* of a thread, bytes */
    double occupancy; /* share of the largest possible number of resident warps */
};

struct backend {
    const char *name; /* the text that `shoal list backends` shows */

    /* Can it be used here? If not, `why` gives the reason and a remedy. Sets no error. */
    int (*available)(int device, char *why, size_t n);

    enum err (*open)(struct device **dev, const struct device_options *o);
    void (*close)(struct device *dev); /* accepts NULL */
    const struct device_info *(*info)(const struct device *dev);

    /* Compiles a recipe into the cache unless it is there. Touches only the cache, so several
     * threads may call it at once. `path` (>= 4096 bytes) receives the cache entry. */
    enum err (*compile)(const struct device *dev, const struct recipe *r, char *path);
    /* ERR_LIMIT if a block needs more than the device allows. */
    enum err (*load)(struct device *dev, const struct recipe *r, const char *path,
                     struct loaded **k);
    void (*unload)(struct device *dev, struct loaded *k); /* accepts NULL */
    size_t (*args_bytes)(const struct loaded *k); /* number of its arguments, from its text */
    enum err (*facts)(struct device *dev, const struct loaded *k, struct kernel_facts *f);

    /* Memory on the device, with undefined content. */
    enum err (*alloc)(struct device *dev, size_t bytes, void **p);
    void (*release)(struct device *dev, void *p); /* accepts NULL */
    /* Optional, NULL both: memory that grows in place, `bytes` of it now and up to `most`, which takes
     * addresses alone. *p is NULL if this device has none: use alloc. grow makes its first `bytes`
     * usable; if it fails, those before stay so. */
    enum err (*reserve)(struct device *dev, size_t bytes, size_t most, void **p);
    enum err (*grow)(struct device *dev, void *p, size_t bytes);
    enum err (*fill)(struct device *dev, void *p, int byte, size_t bytes);
    enum err (*upload)(struct device *dev, void *to, const void *from, size_t bytes);
    enum err (*download)(struct device *dev, void *to, const void *from, size_t bytes);
    enum err (*copy)(struct device *dev, void *to, const void *from, size_t bytes); /* within it */
    /* From now on, if possible, kernels here may read and write memory of another device of the
     * same backend. */
    int (*reaches)(struct device *dev, const struct device *other);

    /* Optional, NULL all three: an allocation for devices of other processes of this host. lend makes the
     * note by which these borrow it: their kernels may read and write it until they give it back. */
    enum err (*lend)(struct device *dev, void *p, struct loan *to);
    enum err (*borrow)(struct device *dev, const struct loan *of, void **p);
    void (*give_back)(struct device *dev, void *p);

    /* Order between opened devices. signal marks the work enqueued so far, under a number below
     * SIGNALS; await makes work enqueued from now on wait for another device's last mark. The host
     * waits for nothing; it ensures that signal has returned before it calls await. */
    enum err (*signal)(struct device *dev, int number);
    enum err (*await)(struct device *dev, const struct device *other, int number);

    /* Copies to the host that stepping does not wait for. fetch starts one, after the work enqueued
     * so far, into memory from host_alloc, under a number below FETCHES; fetched waits, in any
     * thread, until all copies under that number have arrived. */
    enum err (*host_alloc)(struct device *dev, size_t bytes, void **p);
    void (*host_release)(struct device *dev, void *p); /* accepts NULL */
    enum err (*fetch)(struct device *dev, int number, void *to, const void *from, size_t bytes);
    enum err (*fetched)(struct device *dev, int number);

    /* Enqueues gx x gy blocks. Copies `args`; its pointers are device pointers. Fails if the kernel
     * takes a different number of bytes. */
    enum err (*launch)(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes);

    /* Starts copying `bytes` (at most 4096) from the device after the work enqueued so far; wait
     * blocks until the oldest pending copy has arrived and stores it in `to`. */
    enum err (*peek)(struct device *dev, const void *from, size_t bytes);
    enum err (*wait)(struct device *dev, void *to, size_t bytes);
    enum err (*sync)(struct device *dev);

    /* mark records when the work enqueued so far has finished, under a number below MARKS; between
     * waits for both marks and returns the seconds between them. */
    enum err (*mark)(struct device *dev, int number);
    enum err (*between)(struct device *dev, int from, int to, double *seconds);

    /* Optional, NULL all four; to be used if the device's info says `graphs`. Between record_begin
     * and record_end launches, fills and copies within the device are not executed but recorded
     * with their arguments; only signal and await may be called besides: another device that awaits
     * a signal of the recording is recorded, too, until this one has awaited a signal of it, and
     * its work becomes part of the graph. With several devices one thread calls at a time.
     * record_end always ends the recording, and makes a graph; with a null `g` it only ends it, and
     * sets no error. replay enqueues everything recorded. The kernels must stay loaded as long as
     * the graph. */
    enum err (*record_begin)(struct device *dev);
    enum err (*record_end)(struct device *dev, struct graph **g);
    enum err (*replay)(struct device *dev, struct graph *g);
    void (*graph_free)(struct device *dev, struct graph *g); /* accepts NULL */
};

#define ARGS_DIFFER                                                        \
    "%s takes %u bytes of arguments, got %zu: kernels/args.h has changed " \
    "since this program was built; run make"

extern const struct backend backend_cpu, backend_cuda;
extern const struct backend *const backends[BACKENDS]; /* by enum backend_kind */

/* From now on this process keeps the context of each GPU that it opens: for one that opens a GPU for each of thousands of
 * runs, as a new context takes 0.1 s, and longer than most of them. */
void cuda_keep_contexts(void);

#endif
