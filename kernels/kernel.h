/* The host's description of a kernel: where its text is, how it is specialised, and its default blocks.
 * Written in kernels/<file>.c, beside the text. */
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

/* The blocks over which a kernel can be tuned: every width with every height, the `known` ones with the
 * blocks around them, the default block and, where there is one thread per cell, 16x16
 * (experiments/tuner/space.c lists them). Hard constraints are 1024 threads on a GPU, and the shared memory,
 * of which the compiler and the device decide. On a GPU a kernel with `threads` also takes only widths that
 * exceed the smallest of w[0] by a multiple of `threads`. `prune` is the thesis's rule for the blocks worth
 * timing (chapter 4.1). */
struct space {
    struct range w[2];     /* ascending */
    int h[24];             /* ascending; 0 ends it */
    struct block known[4]; /* found best on other devices; 0x0 ends it */
    struct {
        int min_w, min_h;     /* not smaller */
        int threads_multiple; /* w h a multiple of this: full half-warps */
        int square;           /* w = h: the thesis's transposing kernels */
    } prune;
};

/* What a kernel of a scheme does with the map of tiles in which something may change: not specified; it writes
 * states, and keeps the map; it writes no states. */
enum map_use { MAPPING_UNKNOWN, KEEPS_THE_MAP, WRITES_NO_STATE };

enum { MOST_INPUTS = 5, MOST_OUTPUTS = 3 };

/* Offsets of a kernel's arguments in their struct; 0 where there is no such argument. */
struct argument_places {
    const char *prefix; /* of its results, in messages: "rate of " */
    size_t bytes, pitch, wet, clock;
    size_t in[MOST_INPUTS]; /* each a struct fields with rows of `pitch`; the first is the state */
    size_t rate;            /* the one of them that is a rate of change */
    size_t out;             /* a struct fields */
    /* For a system without a bed, `in` are single fields, and `out` is `outs` fields, one after the other, from
     * `unknown` on; what a step books, and its excess, also go to scratch: kernels/systems/sediment.h. */
    int single, outs, unknown;
    size_t booked, excess, away;
    /* set if its output is stored transposed; the output's pitch then */
    size_t turns, out_pitch;
    size_t speeds, rim, counters, ahead;
    int keeps; /* blocks that it skips keep their state; otherwise it stays zero */
};

struct kernel {
    const char *name;    /* in options and the database: rk0 */
    const char *stem;    /* --block accepts it for all variants: rk */
    const char *file;    /* in kernels/ */
    const char *defines; /* of this variant: "SUBSTEP=0", several separated by spaces */
    int cells;           /* it spans the cells, like schemes' kernels, but is not of a scheme */
    int pushes; /* in tiles it also stores, or expects, their rims in neighbours' ghosts, of all that its scheme exchanges */
    enum map_use map; /* in tiles */
    int undoes;       /* it works where a pass has made no step: in all tiles */
    int meets;        /* compiled with MEETING it meets other parts: kernels/meeting.h */
    int fills_ghosts; /* compiled with FILLS_GHOSTS it does the work of other launches: kernels/own_ghosts.h */
    int tuned;   /* one of those the tuner varies */
    int reals;   /* it must move per cell: each input read once, each output written once */
    int turns;   /* it may store its result transposed; it is tuned doing so */
    int threads; /* of a block on a GPU, where they are not one per cell; else 0 */
    int strip; /* cells of a column that a thread computes on a GPU, where it is more than one; else 0 */
    const char *define; /* switches that make its scheme launch it, as for --define; NULL: none */
    int listed;         /* on a GPU its blocks come from a list, see kernels/tile.h */
    int plugins;        /* its text includes the limiter, the flux and the reconstruction */
    const struct argument_places *takes; /* its arguments, for the tuner; null where tuned is 0 */
    struct block block[BACKENDS];        /* default */
    int enough_blocks; /* on a GPU the default block is lower where there would be fewer of them; 0: never */
    struct space space[BACKENDS]; /* empty where tuned is 0 */
};

/* Pointers in each of `in`, and in `out`. */
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
    return k->threads ? k->threads : k->strip ? b.w * ((b.h + k->strip - 1) / k->strip) : b.w * b.h;
}

#endif
