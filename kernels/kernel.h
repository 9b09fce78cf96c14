/* What the host knows of a kernel: where its text is, what it was specialised with, how large a
 * block it takes when nobody tuned it. Described in kernels/<file>.c, beside the text. */
#ifndef SHOAL_KERNEL_H
#define SHOAL_KERNEL_H

enum backend_kind { CPU, CUDA, BACKENDS, ANY_BACKEND = BACKENDS };
enum precision { F32, F64, PRECISIONS };
enum mode { STRICT, FAST_MODE, MODES };

/* "f32", "f64"; "strict", "fast": by their enums, NULL at the end. */
extern const char *const precision_names[PRECISIONS + 1], *const mode_names[MODES + 1];

struct block {
    int w, h;
};

/* from, from + step, ... up to `to`; where step is 0, each is twice the one before. Empty where
 * `from` is 0. */
struct range {
    int from, step, to;
};

/* The blocks a kernel can be tuned over: every width with every height, `known` ones with the
 * blocks around them, the default block and, where threads are one per cell, 16x16
 * (experiments/tuner/space.c lists them). Hard constraints are 1024 threads on a GPU, where a kernel
 * with `threads` also takes no other widths than the smallest of w[0] and so many cells more each, and
 * what fits into shared memory, which the compiler and the device know. `prune` is the thesis's rule for
 * the blocks worth timing (chapter 4.1). */
struct space {
    struct range w[2];     /* ascending */
    int h[12];             /* ascending; 0 ends it */
    struct block known[4]; /* found best on other devices; 0x0 ends it */
    struct {
        int min_w, min_h;     /* not smaller */
        int threads_multiple; /* w h a multiple of this: full half-warps */
        int square;           /* w = h: the thesis's transposing kernels */
    } prune;
};

struct kernel {
    const char *name;    /* in options and the database: rk0 */
    const char *stem;    /* --block accepts it for all variants: rk */
    const char *file;    /* in kernels/ */
    const char *defines; /* what makes this variant: "SUBSTEP=0", several separated by spaces */
    int tuned;           /* one of those the tuner varies */
    int reals;           /* it must move per cell: each input read once, each output written once */
    int turns;           /* it may store its result the other way round; so it is tuned */
    int threads;         /* of a block on a GPU, where they are not one per cell; else 0 */
    int listed;          /* on a GPU its blocks come from a list, see kernels/tile.h */
    int plugins;         /* its text includes the limiter, the flux and the reconstruction */
    struct block block[BACKENDS]; /* default */
    struct space space[BACKENDS]; /* empty where tuned is 0 */
};

/* Threads of a block on a GPU. */
static inline int block_threads(const struct kernel *k, struct block b)
{
    return k->threads ? k->threads : b.w * b.h;
}

#endif
