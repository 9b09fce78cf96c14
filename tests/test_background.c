/* The thread that does jobs while the run goes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/background.h"

enum { JOBS = 40 };

static struct {
    int done[JOBS], count;
    atomic_int gate; /* jobs wait while it is 0 */
    sigset_t mask;
} seen;

static void fine(enum err e)
{
    if (e)
        fail_msg("%s", err_message());
}

static struct background *new_background(void)
{
    struct background *b;
    memset(&seen, 0, sizeof seen);
    fine(background_create(&b));
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
    struct background *b = new_background();
    atomic_store(&seen.gate, 1);
    for (int k = 0; k < JOBS; k++) {
        number[k] = k;
        fine(background_do(b, note, &number[k]));
    }
    fine(background_wait(b, NULL));
    assert_int_equal(seen.count, JOBS);
    for (int k = 0; k < JOBS; k++)
        assert_int_equal(seen.done[k], k);
    background_destroy(&b);
    assert_null(b);
    background_destroy(&b);
}

static void the_run_goes_on_and_waits_only_for_what_it_wants_back(void **state)
{
    (void)state;
    static int a = 1, c = 2, other = 3;
    struct background *b = new_background();
    fine(background_do(b, note, &a)); /* with the gate closed a job is under way */
    fine(background_do(b, note, &c));
    fine(background_wait(b, &other));
    assert_int_equal(seen.count, 0);
    atomic_store(&seen.gate, 1);
    fine(background_wait(b, &a));
    assert_true(seen.count >= 1);
    fine(background_wait(b, &c));
    assert_int_equal(seen.count, 2);
    background_destroy(&b);
}

static void an_error_reaches_the_run_and_ends_the_work(void **state)
{
    (void)state;
    static int a = 1;
    struct background *b = new_background();
    atomic_store(&seen.gate, 1);
    fine(background_do(b, fail_full, NULL));
    while (background_do(b, note, &a) == ERR_OK)
        usleep(1000);
    assert_string_equal(err_message(), "the disk is full");
    assert_int_equal(background_wait(b, NULL), ERR_MACHINE);
    assert_int_equal(background_wait(b, &a), ERR_MACHINE);
    assert_int_equal(seen.count, 0);
    background_destroy(&b);
}

static void what_is_given_up_ends_with_the_job_under_way(void **state)
{
    (void)state;
    static int a = 1, c = 2;
    struct background *b = new_background();
    fine(background_do(b, note, &a));
    usleep(20000); /* it is under way, in all likelihood; else nothing at all is done */
    fine(background_do(b, note, &c));
    atomic_store(&seen.gate, 1);
    background_give_up(b);
    assert_true(seen.count <= 2);
    const int count = seen.count;
    usleep(5000);
    assert_int_equal(seen.count, count);
    background_destroy(&b);
}

static void signals_go_to_the_other_threads(void **state)
{
    (void)state;
    static int a = 1;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    struct background *b = new_background();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int k = 1; k < SIGRTMIN; k++)
        assert_int_equal(sigismember(&before, k), sigismember(&after, k));
    atomic_store(&seen.gate, 1);
    fine(background_do(b, note, &a));
    fine(background_wait(b, NULL));
    assert_true(sigismember(&seen.mask, SIGINT) == 1 && sigismember(&seen.mask, SIGTERM) == 1);
    background_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_done_in_the_order_they_were_given),
        cmocka_unit_test(the_run_goes_on_and_waits_only_for_what_it_wants_back),
        cmocka_unit_test(an_error_reaches_the_run_and_ends_the_work),
        cmocka_unit_test(what_is_given_up_ends_with_the_job_under_way),
        cmocka_unit_test(signals_go_to_the_other_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
