/* Fibres: each thread of a block has a stack, and SYNC switches to the next one. A context starts a
 * fibre once; afterwards jumps switch, which need no system call. */
#include "core/device/block_threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 64 * 1024 };

/* Where a fibre resumes: by GCC's and clang's builtins, because setjmp may refuse to change the
 * stack. */
struct place {
    void *registers[5];
};

enum state { IDLE, ENDED, INSIDE }; /* no stack; waits for the next block; is in one */

struct block_threads {
    int most, current;
    struct place home, *place;
    char *stacks;
    unsigned char *state;
    const struct fibre_call *call;
};

/* The current set on this CPU thread: a barrier has no argument. */
static _Thread_local struct block_threads *running;

__attribute__((noinline, noreturn)) static void go_to(struct place *to)
{
    __builtin_longjmp(to->registers, 1);
}

/* Returns when something switches back to `from`. */
__attribute__((noinline)) static void leave(struct place *from, struct place *to)
{
    if (__builtin_setjmp(from->registers) == 0)
        go_to(to);
}

static void barrier(void)
{
    struct block_threads *f = running;
    leave(&f->place[f->current], &f->home);
}

/* One block after another, not always on the same CPU thread. */
static void entry(void)
{
    struct block_threads *const f = running;
    const int me = f->current;
    for (;;) {
        const struct fibre_call *c = f->call;
        f->state[me] = INSIDE;
        c->body(c->args, c->block_x, c->block_y, c->arena, me, barrier);
        f->state[me] = ENDED;
        leave(&f->place[me], &f->home);
    }
}

enum err block_threads_create(struct block_threads **out, int threads)
{
    struct block_threads *f = calloc(1, sizeof *f);
    if (!f)
        FAIL(MEMORY, "no memory for fibres");
    size_t bytes = (size_t)threads * STACK;
    f->most = threads;
    f->place = calloc((size_t)threads, sizeof *f->place);
    f->state = calloc((size_t)threads, 1);
    f->stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f->stacks == MAP_FAILED)
        f->stacks = NULL;
    if (!f->place || !f->state || !f->stacks) {
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
    free(f->place);
    free(f->state);
    free(f);
}

/* Runs on its own stack until it waits or ends. */
__attribute__((noinline)) static void begin(struct block_threads *f, int k)
{
    ucontext_t c;
    if (__builtin_setjmp(f->home.registers) != 0)
        return;
    getcontext(&c);
    c.uc_stack.ss_sp = f->stacks + (size_t)k * STACK;
    c.uc_stack.ss_size = STACK;
    c.uc_link = NULL;
    makecontext(&c, entry, 0);
    setcontext(&c);
}

static void go_on(struct block_threads *f, int k)
{
    f->current = k;
    if (f->state[k] == IDLE)
        begin(f, k);
    else
        leave(&f->home, &f->place[k]);
}

/* The n-th thread to run: a permutation, a new one after each barrier. */
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
        FAIL(MACHINE, "expected %d fibres, got %d", call->threads, f->most);
    if (call->threads % 7919 == 0)
        FAIL(MACHINE, "no permutation of %d threads", call->threads);
    f->call = call;
    running = f;
    for (int round = 0; !ended; round++) {
        for (int n = 0; n < call->threads; n++) {
            const int k = turn(call, n, round);
            go_on(f, k);
            ended += f->state[k] == ENDED;
        }
        if (ended && ended < call->threads) {
            memset(f->state, IDLE, (size_t)f->most); /* abandons those inside */
            FAIL(KERNEL,
                 "block (%d, %d): %d of %d threads ended while the others wait at a barrier",
                 call->block_x, call->block_y, ended, call->threads);
        }
    }
    return ERR_OK;
}
