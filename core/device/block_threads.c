/* Fibres by ucontext: each thread of a block has a stack, and SYNC switches to the next one. */
#include "core/device/block_threads.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 64 * 1024 };

struct block_threads {
    int most, current;
    ucontext_t home, *context;
    char *stacks;
    unsigned char *ended;
    const struct fibre_call *call;
};

/* The set that runs on this CPU thread: a barrier has no argument. */
static _Thread_local struct block_threads *running;

static void barrier(void)
{
    struct block_threads *f = running;
    swapcontext(&f->context[f->current], &f->home);
}

static void entry(void)
{
    struct block_threads *f = running;
    const struct fibre_call *c = f->call;
    int me = f->current;
    c->body(c->args, c->block_x, c->block_y, c->arena, me, barrier);
    f->ended[me] = 1;
    swapcontext(&f->context[me], &f->home);
}

enum err block_threads_create(struct block_threads **out, int threads)
{
    struct block_threads *f = calloc(1, sizeof *f);
    if (!f)
        FAIL(MEMORY, "no memory for fibres");
    size_t bytes = (size_t)threads * STACK;
    f->most = threads;
    f->context = calloc((size_t)threads, sizeof *f->context);
    f->ended = calloc((size_t)threads, 1);
    f->stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f->stacks == MAP_FAILED)
        f->stacks = NULL;
    if (!f->context || !f->ended || !f->stacks) {
        block_threads_destroy(f);
        FAIL(MEMORY, "no memory for %d fibres", threads);
    }
    *out = f;
    return ERR_OK;
}

void block_threads_destroy(struct block_threads *f)
{
    if (!f)
        return;
    if (f->stacks)
        munmap(f->stacks, (size_t)f->most * STACK);
    free(f->context);
    free(f->ended);
    free(f);
}

static void start(struct block_threads *f, int k)
{
    ucontext_t *c = &f->context[k];
    getcontext(c);
    c->uc_stack.ss_sp = f->stacks + (size_t)k * STACK;
    c->uc_stack.ss_size = STACK;
    c->uc_link = NULL;
    makecontext(c, entry, 0);
    f->ended[k] = 0;
}

/* The n-th thread to run: a permutation, another one after each barrier. */
static int turn(const struct fibre_call *c, int n, int round)
{
    if (c->order == 1)
        return c->threads - 1 - n;
    return (int)((n * 7919L + round * 104729L) % c->threads);
}

enum err block_threads_run(struct block_threads *f, const struct fibre_call *call)
{
    int ended = 0;
    if (call->threads > f->most)
        FAIL(MACHINE, "%d fibres wanted, %d made", call->threads, f->most);
    if (call->threads % 7919 == 0)
        FAIL(MACHINE, "no permutation of %d threads", call->threads);
    f->call = call;
    running = f;
    for (int k = 0; k < call->threads; k++)
        start(f, k);
    for (int round = 0; !ended; round++) {
        for (int n = 0; n < call->threads; n++) {
            f->current = turn(call, n, round);
            swapcontext(&f->home, &f->context[f->current]);
            ended += f->ended[f->current];
        }
        if (ended && ended < call->threads)
            FAIL(KERNEL,
                 "block (%d, %d): %d of %d threads ended while the others wait at a barrier",
                 call->block_x, call->block_y, ended, call->threads);
    }
    return ERR_OK;
}
