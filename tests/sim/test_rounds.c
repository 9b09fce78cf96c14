/* Parts whose kernels wait for each other, as GPUs do. Numbers that carry another round than theirs, or never
 * arrive, and waits that are left out are noticed; a part that fails ends the waiting of the others. */
#include "tests/support/test.h"

#include <math.h>
#include <time.h>

#include "core/base/monotonic_time.h"
#include "core/sim/parts.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

enum { LONG = 2 * GRAPH_PASSES + 7 };

static const char *const names[] = {"euler", "rk2", "rk2_fused", "ds2"};

/* Does a run whose kernels wait end as an undivided one? */
static int is_same(const char *scheme, enum precision p, const char *parts)
{
    struct scene s = new_shore();
    struct config c;
    char text[256];
    configure(&c, scheme, p);
    c.steps = LONG;
    c.early_exit = EARLY_EXIT_OFF;
    struct sim *sim = create_waiting(&c, &s, parts, 5);
    int same = sim_run(sim, (double)INFINITY, NULL) == ERR_OK;
    if (same) {
        struct outcome want = simulated(&c, &s), have = outcome_of(&c, sim, &s);
        same = !differ(&want.state, &have.state, 1, text, sizeof text) &&
               memcmp(&want.clock, &have.clock, sizeof want.clock) == 0;
        outcome_free(&want);
        outcome_free(&have);
    }
    sim_destroy(sim);
    scene_free(&s);
    return same;
}

static void kernels_that_wait_give_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!is_same(names[k], k % 2 ? F32 : F64, "2"))
            fail_msg("%s in two parts: %s", names[k], err_message());
        if (!is_same(names[k], k % 2 ? F64 : F32, "2x2"))
            fail_msg("%s in four parts: %s", names[k], err_message());
    }
}

/* The run ends with an error that says so. */
static void expect_end(struct sim *sim, enum err with, const char *message)
{
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), with);
    if (!strstr(err_message(), message))
        fail_msg("%s", err_message());
    sim_destroy(sim);
}

/* To be planted: whoever waits gets the core, however busy the machine is. */
#define DELAY "{ extern int usleep(unsigned); usleep(1); }\n"

/* In every second round a part is late. */
static void plant_a_delay(void)
{
    kernel_plant("halo_cells.h", "    real q[HALO_UNKNOWNS];",
                 "    if (round & 1)\n        " DELAY "    real q[HALO_UNKNOWNS];");
}

static void a_slow_part_is_waited_for_and_a_wait_that_is_left_out_is_noticed(void **state)
{
    (void)state;
    kernel_copy(scratch);
    plant_a_delay();
    assert_true(is_same("rk2", F32, "2"));
    kernel_plant("rounds.h", "missing |= w >> 32 != round;", "missing |= w >> 32 == 0;");
    assert_false(is_same("rk2", F32, "2"));
}

/* A number that is not stored together with its round: first the round, with the number of the round before. */
static void a_round_that_is_stored_before_its_number_is_noticed(void **state)
{
    (void)state;
    kernel_copy(scratch);
    kernel_plant("rounds.h", "        put_word(&to[k], (word)round << 32 |",
                 "{\n        put_word(&to[k], (word)round << 32 | (unsigned)word_at(&to[k]));\n"
                 "        " DELAY "        put_word(&to[k], (word)round << 32 |");
    kernel_plant("rounds.h", ">> 32 * k));\n", ">> 32 * k)); }\n");
    assert_false(is_same("rk2", F32, "2"));
}

static void a_number_that_never_arrives_ends_the_run_in_time(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = STEPS;
    kernel_copy(scratch);
    kernel_plant("halo_cells.h", "else if (u < a->unknowns)",
                 "else if (u < a->unknowns && round != 7)");
    expect_end(create_waiting(&c, &s, "2", 0.02), ERR_MACHINE,
               "has waited for another one for 0.02 s (--exchange-timeout)");
    scene_free(&s);
}

/* What one part omits: its exchange after a launch, once. */
struct slip {
    struct sim *part, *whole;
    int seen, fails;
};

static enum err forget_the_others(void *context, struct sim_kernel *k, const void *args,
                                  size_t bytes)
{
    struct slip *slip = context;
    (void)args, (void)bytes;
    slip->part->whole = slip->whole;
    if (k != &slip->part->auxiliary[GHOSTS_KERNEL] || ++slip->seen != 5)
        return ERR_OK;
    if (slip->fails)
        FAIL(LIMIT, "this part fails");
    slip->part->whole = NULL;
    return ERR_OK;
}

/* A part that sends its wave speed too late, and meets the others later at another place than where one of them
 * gave up. */
static enum err be_late(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    const struct slip *slip = context;
    const struct timespec pause = {.tv_nsec = 600000000};
    (void)args, (void)bytes;
    if (k == &slip->part->auxiliary[CLOCK_KERNEL])
        nanosleep(&pause, NULL);
    return ERR_OK;
}

typedef enum err hook(void *context, struct sim_kernel *k, const void *args, size_t bytes);

/* A run of so many steps in two parts, the second of which slips, ends with this error. */
static void expect_slip(struct slip slip, hook *told, long steps, double patience, enum err with,
                        const char *message)
{
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = steps;
    struct sim *sim = create_waiting(&c, &s, "2", patience);
    slip.part = sim->parts->sim[1];
    slip.whole = sim;
    slip.part->hook = (struct launch_hook){told, &slip};
    expect_end(sim, with, message);
    scene_free(&s);
}

static void an_exchange_that_one_part_skips_ends_the_run(void **state)
{
    (void)state;
    expect_slip((struct slip){0}, forget_the_others, STEPS, 0.02, ERR_MACHINE,
                "has waited for another one");
}

static void the_error_of_a_part_ends_the_waiting_of_the_others_at_once(void **state)
{
    (void)state;
    const double begin = seconds();
    expect_slip((struct slip){.fails = 1}, forget_the_others, STEPS, 3600, ERR_LIMIT,
                "this part fails");
    assert_true(seconds() - begin < 600);
}

static void a_part_that_is_late_at_the_end_of_a_batch_ends_the_run_with_the_reason(void **state)
{
    (void)state;
    expect_slip((struct slip){0}, be_late, 1, 0.02, ERR_MACHINE,
                "has waited for another one for 0.02 s (--exchange-timeout)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_wait_give_the_same_bits),
        cmocka_unit_test(an_exchange_that_one_part_skips_ends_the_run),
        cmocka_unit_test(the_error_of_a_part_ends_the_waiting_of_the_others_at_once),
        cmocka_unit_test(a_part_that_is_late_at_the_end_of_a_batch_ends_the_run_with_the_reason),
        ON_COPY(a_slow_part_is_waited_for_and_a_wait_that_is_left_out_is_noticed),
        ON_COPY(a_round_that_is_stored_before_its_number_is_noticed),
        ON_COPY(a_number_that_never_arrives_ends_the_run_in_time),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("rounds", tests, kernel_home_keep, NULL);
}
