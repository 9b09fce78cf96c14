/* Fibres that act as the threads of a block: their order, their barriers, and where they end. */
#include "tests/support/test.h"

#include <pthread.h>

#include "core/base/log.h"
#include "core/device/block_threads.h"

enum { THREADS = 5, ROUNDS = 3 };

/* The record of a block: which thread arrived when. */
struct trace {
    int count, who[THREADS * ROUNDS];
    double sum; /* of numbers that each thread keeps across its barriers */
    int early;  /* a thread that skips the last barrier; -1: none */
};

static void body(const void *args, int block_x, int block_y, void *arena, int thread,
                 void (*barrier)(void))
{
    struct trace *t = arena;
    const double own = 1.5 * thread + block_x + block_y;
    (void)args;
    for (int round = 0; round < ROUNDS; round++) {
        t->who[t->count++] = thread;
        if (round == ROUNDS - 2 && thread == t->early)
            return;
        if (round < ROUNDS - 1)
            barrier();
    }
    t->sum += own;
}

static enum err run(struct block_threads *f, struct trace *t, int early, int order)
{
    *t = (struct trace){.early = early};
    return block_threads_run(f, &(struct fibre_call){.body = body,
                                                     .block_x = 1,
                                                     .block_y = 2,
                                                     .arena = t,
                                                     .threads = THREADS,
                                                     .order = order});
}

/* Between two barriers each thread runs once, and keeps its values. */
static void expect_rounds(const struct trace *t, int reversed)
{
    assert_int_equal(t->count, THREADS * ROUNDS);
    for (int round = 0; round < ROUNDS; round++) {
        int seen[THREADS] = {0};
        for (int n = 0; n < THREADS; n++) {
            const int who = t->who[round * THREADS + n];
            seen[who]++;
            if (reversed)
                assert_int_equal(who, THREADS - 1 - n);
        }
        for (int n = 0; n < THREADS; n++)
            assert_int_equal(seen[n], 1);
    }
    assert_true(t->sum == 1.5 * 10 + 3 * THREADS);
}

static void all_threads_meet_at_each_barrier(void **state)
{
    struct block_threads *f;
    struct trace t;
    (void)state;
    assert_int_equal(block_threads_create(&f, THREADS + 2), ERR_OK);
    for (int block = 0; block < 3; block++)
        for (int order = 1; order < 3; order++) {
            assert_int_equal(run(f, &t, -1, order), ERR_OK);
            expect_rounds(&t, order == 1);
        }
    block_threads_destroy(f);
}

static void a_thread_that_ends_before_the_others_is_an_error(void **state)
{
    struct block_threads *f;
    struct trace t;
    (void)state;
    log_quiet(2);
    assert_int_equal(block_threads_create(&f, THREADS), ERR_OK);
    for (int early = 0; early < THREADS; early++) {
        assert_int_equal(run(f, &t, early, 2), ERR_KERNEL);
        assert_non_null(strstr(err_message(), "block (1, 2): 1 of 5 threads ended while"));
        assert_int_equal(run(f, &t, -1, 1), ERR_OK); /* and the next block is whole */
        expect_rounds(&t, 1);
    }
    block_threads_destroy(f);
}

static void *run_elsewhere(void *fibres)
{
    static struct trace t;
    return run(fibres, &t, -1, 1) ? NULL : &t;
}

/* Threads of the host are created and end between launches. */
static void blocks_may_run_on_any_thread_of_the_host(void **state)
{
    struct block_threads *f;
    struct trace t;
    pthread_t other;
    void *seen;
    (void)state;
    assert_int_equal(block_threads_create(&f, THREADS), ERR_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(run(f, &t, -1, 2), ERR_OK);
        expect_rounds(&t, 0);
        assert_int_equal(pthread_create(&other, NULL, run_elsewhere, f), 0);
        assert_int_equal(pthread_join(other, &seen), 0);
        assert_non_null(seen);
        expect_rounds(seen, 1);
    }
    block_threads_destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_meet_at_each_barrier),
        cmocka_unit_test(a_thread_that_ends_before_the_others_is_an_error),
        cmocka_unit_test(blocks_may_run_on_any_thread_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
