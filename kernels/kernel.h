/* What the host knows of a kernel: where its text is, what it was specialised with, how large a
 * block it takes when nobody tuned it. Described in kernels/<file>.c, beside the text. */
#ifndef SHOAL_KERNEL_H
#define SHOAL_KERNEL_H

#include <stddef.h>

enum backend_kind { CPU, CUDA, BACKENDS, ANY_BACKEND = BACKENDS };
enum precision { F32, F64, PRECISIONS };
enum mode { STRICT, FAST_MODE, MODES };

/* "f32", "f64"; "strict", "fast": by their enums, NULL at the end. */
extern const char *const precision_names[PRECISIONS + 1], *const mode_names[MODES + 1];

/* Bytes of a number. */
static inline size_t precision_size(enum precision p)
{
    return p == F64 ? sizeof(double) : sizeof(float);
}

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

/* What a kernel of a scheme does with the map of tiles in which something may change: nobody has said; it writes states, and
 * keeps the map; it writes no states. */
enum map_use { MAPPING_UNKNOWN, KEEPS_THE_MAP, WRITES_NO_STATE };

enum { MOST_INPUTS = 5, MOST_OUTPUTS = 3 };

/* Where in a kernel text's arguments things stand, as offsets; 0 where there is no such thing. */
struct argument_places {
    const char *prefix; /* of what it writes, in messages: "rate of " */
    size_t bytes, pitch, wet, clock;
    size_t in[MOST_INPUTS]; /* each a struct fields with rows of `pitch`; the first is the state */
    size_t rate;            /* the one of them that is a rate of change */
    size_t out;             /* a struct fields */
    /* Of a system without a bed, `in` are single fields, and `out` is so many, one behind the other, from this unknown on;
     * what a step books there, and finds of excess, goes to scratch, too: kernels/systems/sediment.h. */
    int single, outs, unknown;
    size_t booked, excess, away;
    /* set if what it writes is stored the other way round; its pitch then */
    size_t turns, out_pitch;
    size_t speeds, rim, counters, ahead;
    int keeps; /* what is left out keeps its state; else it stays zero */
};

struct kernel {
    const char *name;    /* in options and the database: rk0 */
    const char *stem;    /* --block accepts it for all variants: rk */
    const char *file;    /* in kernels/ */
    const char *defines; /* what makes this variant: "SUBSTEP=0", several separated by spaces */
    int cells;           /* it is no scheme's, whose span are the cells, but its span are, too */
    int pushes;          /* in tiles it stores their rims in the neighbours' ghost cells, too */
    enum map_use map;    /* in tiles */
    int tuned;           /* one of those the tuner varies */
    int reals;           /* it must move per cell: each input read once, each output written once */
    int turns;           /* it may store its result the other way round; so it is tuned */
    int threads;         /* of a block on a GPU, where they are not one per cell; else 0 */
    const char *define;  /* switches that make its scheme launch it, as for --define; NULL: none */
    int listed;          /* on a GPU its blocks come from a list, see kernels/tile.h */
    int plugins;         /* its text includes the limiter, the flux and the reconstruction */
    const struct argument_places *takes; /* its arguments, for the tuner; null where tuned is 0 */
    struct block block[BACKENDS];        /* default */
    struct space space[BACKENDS];        /* empty where tuned is 0 */
};

/* Pointers of each of `in`, and of `out`. */
static inline int places_in(const struct argument_places *g)
{
    return g->single ? 1 : MOST_OUTPUTS;
}

static inline int places_out(const struct argument_places *g)
{
    return g->single ? g->outs : MOST_OUTPUTS;
}

/* Threads of a block on a GPU. */
static inline int block_threads(const struct kernel *k, struct block b)
{
    return k->threads ? k->threads : b.w * b.h;
}

#endif
