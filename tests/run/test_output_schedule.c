/* The times at which a run pauses for what it writes. */
#include "tests/support/test.h"

#include <math.h>

#include "core/run/output_schedule.h"

static void nothing_is_due_until_it_is_set(void **state)
{
    (void)state;
    struct schedule s;
    schedule_clear(&s);
    assert_true(isinf(schedule_next(&s)));
    for (int k = 0; k < DUES; k++)
        assert_false(schedule_due(&s, (enum due)k, 1e300));
    schedule_set(&s, DUE_MAP, (double)NAN, 0);
    assert_true(isinf(schedule_next(&s)));
}

static void each_thing_has_its_own_interval_and_the_nearest_one_counts(void **state)
{
    (void)state;
    struct schedule s;
    schedule_clear(&s);
    schedule_set(&s, DUE_MAP, 2, 0);
    schedule_set(&s, DUE_CHECKPOINT, 3, 3);
    assert_true(schedule_next(&s) == 0);
    assert_false(schedule_due(&s, DUE_CHECKPOINT, 0));
    assert_true(schedule_due(&s, DUE_MAP, 0));
    assert_false(schedule_due(&s, DUE_MAP, 0));
    assert_true(schedule_next(&s) == 2);
    /* One long step passes several times of output: each is due once, and the next one is after the end of the step.
     * */
    assert_true(schedule_due(&s, DUE_MAP, 6.5));
    assert_true(schedule_due(&s, DUE_CHECKPOINT, 6.5));
    assert_true(s.next[DUE_MAP] == 8 && s.next[DUE_CHECKPOINT] == 9);
    assert_false(schedule_due(&s, DUE_BALANCE, 6.5));
}

/* Otherwise a run would pause for ever at one time. */
static void the_next_time_is_later_however_short_the_interval(void **state)
{
    (void)state;
    static const double every[] = {1, 0.1, 1e-3, 1.0 / 3, 1e-17, 1e-300};
    static const double t[] = {0, 0.1, 0.3, 1, 1e3, 123456.789, 1e15};
    for (size_t k = 0; k < sizeof every / sizeof *every; k++)
        for (size_t m = 0; m < sizeof t / sizeof *t; m++) {
            const double next = schedule_after(every[k], t[m]);
            const double ulp = nextafter(t[m], (double)INFINITY) - t[m];
            assert_true(next > t[m] && next <= t[m] + every[k] + 2 * ulp);
        }
    assert_true(schedule_after(0.1, 0.3) == 3 * 0.1); /* 0.30000000000000004 is after 0.3 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_due_until_it_is_set),
        cmocka_unit_test(each_thing_has_its_own_interval_and_the_nearest_one_counts),
        cmocka_unit_test(the_next_time_is_later_however_short_the_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
