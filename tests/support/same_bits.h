/* Checks that some choices change no bit of a run: its parts, and the blocks and threads of a
 * kernel. */
#ifndef SHOAL_TEST_SAME_BITS_H
#define SHOAL_TEST_SAME_BITS_H

#include "core/mesh/cut.h"
#include "tests/support/simulate.h"

/* A run that a test repeats; `what` is the test's own. */
typedef struct outcome (*repeated)(const struct config *c, const void *what);

static inline void expect_outcome(const struct config *c, const char *how,
                                  const struct outcome *want, repeated run, const void *what)
{
    struct outcome have = run(c, what);
    expect_same(c, how, &want->state, &have.state, 1);
    assert_memory_equal(&want->balance, &have.balance, sizeof want->balance);
    outcome_free(&have);
}

/* With x and y exchanged as well, and in parts with tiles. */
static inline void expect_bits_in_parts(repeated run, const void *what)
{
    static const char *const names[] = {"rk2_fused", "ds1"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        configure(&c, names[k], F32);
        c.sweep = k ? SWEEP_YX : SWEEP_XY;
        struct outcome want = run(&c, what);
        fine(shares_read("2x3", &c.parts));
        if (k == 0)
            c.tile = (struct tile_size){8, 4};
        expect_outcome(&c, "in parts", &want, run, what);
        outcome_free(&want);
    }
}

/* With two threads and this block of the kernel; with c->order, also with its threads in that
 * order. */
static inline void expect_bits_in_blocks(const struct config *c, const char *kernel, int w, int h,
                                         repeated run, const void *what)
{
    struct config other = *c;
    other.order = 0;
    struct outcome want = run(&other, what);
    assert_int_equal(want.clock.early_exits, 0);
    other.threads = 2;
    other.early_exit = EARLY_EXIT_OFF;
    configure_block(&other, kernel, w, h);
    expect_outcome(&other, "in other blocks", &want, run, what);
    other.order = c->order;
    if (c->order)
        expect_outcome(&other, "with threads in another order", &want, run, what);
    outcome_free(&want);
}

#endif
