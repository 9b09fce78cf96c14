/* Parts that do not exchange as their neighbours do: a run ends with an error, and does not wait for ever. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/parts.h"
#include "tests/support/parts.h"

/* What one part leaves out: where it meets the others after a kernel's launch, once. */
struct slip {
    struct sim *part, *whole;
    const struct sim_kernel *after;
    int when, seen;
};

/* A part without a whole does not meet the others. */
static enum err forget_the_others(void *context, struct sim_kernel *k, const void *args,
                                  size_t bytes)
{
    struct slip *slip = context;
    (void)args, (void)bytes;
    slip->part->whole = slip->whole;
    if (k == slip->after && ++slip->seen == slip->when)
        slip->part->whole = NULL;
    return ERR_OK;
}

enum door { GHOSTS_DOOR, FASTEST_DOOR };

/* The first part of a run leaves one of these out once: the run ends with this error. */
static void expect_end(const char *parts, enum door door, const char *message)
{
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = STEPS;
    struct config other = in_parts(&c, parts);
    other.exchange_timeout = 0.3;
    struct sim *sim = create(&other, &s), *part = sim->parts->sim[0];
    struct slip slip = {.part = part, .whole = sim, .when = 5};
    slip.after = door == GHOSTS_DOOR ? &part->auxiliary[GHOSTS_KERNEL] : &part->kernels[0];
    part->hook = (struct launch_hook){forget_the_others, &slip};
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_MACHINE);
    if (!strstr(err_message(), message))
        fail_msg("in parts %s: %s", parts, err_message());
    part->whole = sim;
    sim_destroy(sim);
    scene_free(&s);
}

static void an_exchange_that_one_part_skips_ends_the_run(void **state)
{
    (void)state;
    expect_end("2", GHOSTS_DOOR, "threads meet to decide different things");
    expect_end("3x2", GHOSTS_DOOR, "threads meet to decide different things");
    expect_end("1 by 2", GHOSTS_DOOR, "has not answered for 0.3 s (--exchange-timeout)");
}

static void a_part_that_goes_by_its_own_wave_speed_ends_the_run(void **state)
{
    (void)state;
    expect_end("2", FASTEST_DOOR, "threads meet to decide different things");
    expect_end("1 by 2", FASTEST_DOOR, "has not answered for 0.3 s (--exchange-timeout)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_that_one_part_skips_ends_the_run),
        cmocka_unit_test(a_part_that_goes_by_its_own_wave_speed_ends_the_run),
    };
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
