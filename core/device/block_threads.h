/* Runs the threads of one block as fibres of one CPU thread, in a chosen order: a bug that a
 * missing barrier causes on a GPU shows here, and reproducibly. */
#ifndef SHOAL_BLOCK_THREADS_H
#define SHOAL_BLOCK_THREADS_H

#include "core/base/err.h"

struct block_threads;

/* A kernel's entry point for one thread; it calls barrier() at each SYNC. */
typedef void fibre_body(const void *args, int block_x, int block_y, void *arena, int thread,
                        void (*barrier)(void));

enum err block_threads_create(struct block_threads **out, int threads);
void block_threads_destroy(struct block_threads *f); /* accepts NULL */

struct fibre_call {
    fibre_body *body;
    const void *args;
    int block_x, block_y;
    void *arena;
    int threads;
    int order; /* 1: threads in reversed order between barriers, 2: shuffled */
};

/* Runs all threads of a block to their end. Fails if some end while others wait at a barrier. */
enum err block_threads_run(struct block_threads *f, const struct fibre_call *call);

#endif
