/* The thread that does jobs while the run continues, and the threads that help it. */
#include "tests/support/test.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "core/base/job_queue.h"
#include "core/base/ordered_workers.h"

enum { JOBS = 40 };

static struct {
    int done[JOBS];
    atomic_int count; /* some tests look while jobs are being done */
    atomic_int gate;  /* jobs wait while it is 0 */
    sigset_t mask;
} seen;

static struct job_queue *new_background(void)
{
    struct job_queue *b;
    memset(&seen, 0, sizeof seen);
    fine(job_queue_create(&b, NULL));
    return b;
}

static enum err note(void *context)
{
    while (!atomic_load(&seen.gate))
        usleep(1000);
    pthread_sigmask(SIG_SETMASK, NULL, &seen.mask);
    seen.done[seen.count++] = *(const int *)context;
    return ERR_OK;
}

static enum err fail_full(void *context)
{
    (void)context;
    FAIL(MACHINE, "the disk is full");
}

static void jobs_are_done_in_the_order_they_were_given(void **state)
{
    (void)state;
    static int number[JOBS];
    struct job_queue *b = new_background();
    atomic_store(&seen.gate, 1);
    for (int k = 0; k < JOBS; k++) {
        number[k] = k;
        fine(job_queue_add(b, note, &number[k]));
    }
    fine(job_queue_wait(b, NULL));
    assert_int_equal(seen.count, JOBS);
    for (int k = 0; k < JOBS; k++)
        assert_int_equal(seen.done[k], k);
    job_queue_destroy(&b);
    assert_null(b);
    job_queue_destroy(&b);
}

static void the_run_goes_on_and_waits_only_for_what_it_wants_back(void **state)
{
    (void)state;
    static int a = 1, c = 2, other = 3;
    struct job_queue *b = new_background();
    fine(job_queue_add(b, note, &a)); /* with the gate closed a job is being done */
    fine(job_queue_add(b, note, &c));
    fine(job_queue_wait(b, &other));
    assert_int_equal(seen.count, 0);
    atomic_store(&seen.gate, 1);
    fine(job_queue_wait(b, &a));
    assert_true(seen.count >= 1);
    fine(job_queue_wait(b, &c));
    assert_int_equal(seen.count, 2);
    job_queue_destroy(&b);
}

static void an_error_reaches_the_run_and_ends_the_work(void **state)
{
    (void)state;
    static int a = 1;
    struct job_queue *b = new_background();
    atomic_store(&seen.gate, 1);
    fine(job_queue_add(b, fail_full, NULL));
    while (job_queue_add(b, note, &a) == ERR_OK)
        usleep(1000);
    assert_string_equal(err_message(), "the disk is full");
    assert_int_equal(job_queue_wait(b, NULL), ERR_MACHINE);
    assert_int_equal(job_queue_wait(b, &a), ERR_MACHINE);
    assert_int_equal(seen.count, 0);
    job_queue_destroy(&b);
}

static void what_is_given_up_ends_with_the_job_under_way(void **state)
{
    (void)state;
    static int a = 1, c = 2;
    struct job_queue *b = new_background();
    fine(job_queue_add(b, note, &a));
    usleep(20000); /* the job has very likely begun; otherwise nothing is tested */
    fine(job_queue_add(b, note, &c));
    atomic_store(&seen.gate, 1);
    job_queue_give_up(b);
    assert_true(seen.count <= 2);
    const int count = seen.count;
    usleep(5000);
    assert_int_equal(seen.count, count);
    job_queue_destroy(&b);
}

static void signals_go_to_the_other_threads(void **state)
{
    (void)state;
    static int a = 1;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    struct job_queue *b = new_background();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int k = 1; k < SIGRTMIN; k++)
        assert_int_equal(sigismember(&before, k), sigismember(&after, k));
    atomic_store(&seen.gate, 1);
    fine(job_queue_add(b, note, &a));
    fine(job_queue_wait(b, NULL));
    assert_true(sigismember(&seen.mask, SIGINT) == 1 && sigismember(&seen.mask, SIGTERM) == 1);
    job_queue_destroy(&b);
}

/* Pieces of a job: which were prepared where, and which were taken. */
enum { MOST_HELPERS = 5 };

struct pieces {
    size_t in[2 * MOST_HELPERS + 2]; /* each place */
    size_t taken, fails, untakeable;
    int helpers;
    atomic_int prepared, taking;
    atomic_int wrong; /* cmocka asserts in the test's own thread only */
};

static enum err prepare(void *context, size_t piece, size_t place)
{
    struct pieces *p = context;
    usleep((unsigned)(piece % 3) * 500); /* so that they are not ready in order */
    if (piece >= p->fails)
        FAIL(MEMORY, "piece %zu", piece);
    if (place < ordered_workers_places(p->helpers))
        p->in[place] = piece;
    atomic_fetch_add(&p->prepared, 1);
    return ERR_OK;
}

static enum err take(void *context, size_t piece, size_t place)
{
    struct pieces *p = context;
    const int alone = atomic_fetch_add(&p->taking, 1) == 0;
    atomic_fetch_add(&p->wrong, !alone || piece != p->taken || piece != p->in[place]);
    if (piece % 5 == 0)
        usleep(500); /* others are prepared meanwhile, but not in the place of this one */
    atomic_fetch_add(&p->wrong, piece != p->in[place]);
    atomic_fetch_sub(&p->taking, 1);
    if (piece == p->untakeable)
        FAIL(MACHINE, "the disk is full");
    p->taken++;
    return ERR_OK;
}

static enum err do_pieces(struct pieces *p, size_t n)
{
    const struct ordered_job job = {n, prepare, take, p, p->helpers};
    const enum err e = ordered_workers_do(&job);
    assert_int_equal(atomic_load(&p->wrong), 0);
    return e;
}

static void pieces_are_taken_in_their_order_whoever_prepares_them(void **state)
{
    (void)state;
    for (int helpers = 0; helpers <= MOST_HELPERS; helpers++)
        for (size_t n = 0; n <= JOBS; n += JOBS / 2) {
            struct pieces p = {.fails = JOBS, .untakeable = JOBS, .helpers = helpers};
            fine(do_pieces(&p, n));
            assert_int_equal(p.taken, n);
        }
}

/* Whatever was begun is done when ordered_workers_do returns, and another job can begin. */
static void a_piece_that_fails_ends_the_job(void **state)
{
    (void)state;
    enum { BAD = 7 };
    for (int helpers = 0; helpers <= MOST_HELPERS; helpers += MOST_HELPERS) {
        struct pieces p = {.fails = BAD, .untakeable = JOBS, .helpers = helpers};
        assert_int_equal(do_pieces(&p, JOBS), ERR_MEMORY);
        assert_non_null(strstr(err_message(), "piece "));
        assert_true(p.taken <= BAD);
        p = (struct pieces){.fails = JOBS, .untakeable = BAD, .helpers = helpers};
        assert_int_equal(do_pieces(&p, JOBS), ERR_MACHINE);
        assert_string_equal(err_message(), "the disk is full");
        assert_int_equal(p.taken, BAD);
        const int prepared = atomic_load(&p.prepared);
        assert_true((size_t)prepared <= BAD + 1 + ordered_workers_places(helpers));
        usleep(5000);
        assert_int_equal(atomic_load(&p.prepared), prepared);
        p = (struct pieces){.fails = JOBS, .untakeable = JOBS, .helpers = helpers};
        fine(do_pieces(&p, JOBS));
        assert_int_equal(p.taken, JOBS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_done_in_the_order_they_were_given),
        cmocka_unit_test(the_run_goes_on_and_waits_only_for_what_it_wants_back),
        cmocka_unit_test(an_error_reaches_the_run_and_ends_the_work),
        cmocka_unit_test(what_is_given_up_ends_with_the_job_under_way),
        cmocka_unit_test(signals_go_to_the_other_threads),
        cmocka_unit_test(pieces_are_taken_in_their_order_whoever_prepares_them),
        cmocka_unit_test(a_piece_that_fails_ends_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
