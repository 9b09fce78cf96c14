/* The time step under dimensional splitting: how it is chosen, how one that was too long is undone, and how double
 * steps reach an end or a limit. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

static void expect_same_balance(const struct config *c, const char *what,
                                const struct balance *want, const struct balance *have)
{
    if (memcmp(want, have, sizeof *want) != 0)
        fail_msg("%s: %s: inflow %.17g m3, clipped %.17g; not %.17g, %.17g", described(c), what,
                 have->inflow, have->clipped_in, want->inflow, want->clipped_in);
}

static void for_every_split_scheme(void (*check)(const struct config *c))
{
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; schemes[k]->split && p < PRECISIONS; p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            check(&c);
        }
}

/* One pass of the scheme, which may end with a rejected step. */
static void pass(const struct config *c, struct sim *sim)
{
    if (sim_step_many(sim, 1))
        fail_msg("%s: %s", described(c), err_message());
}

enum { ACCEPTED = 60 };

/* Makes ACCEPTED passes that are not rejected, calls `look` after each pass with the clock before it, and records
 * their dt. */
static void record(const struct config *c, struct sim *sim, double dt[ACCEPTED],
                   void (*look)(const struct config *c, const struct clock *before,
                                const struct clock *now))
{
    int passes = 0;
    for (int n = 0; n < ACCEPTED;) {
        const struct clock before = sim->now;
        pass(c, sim);
        if (passes++ > 20 * ACCEPTED)
            fail_msg("%s: a step is rejected again and again", described(c));
        if (look)
            look(c, &before, &sim->now);
        if (!sim->now.rejected)
            dt[n++] = sim->now.dt;
    }
}

/* A run from the start with the recorded steps. */
static struct sim *replayed(const struct config *c, const struct scene *s,
                            const double dt[ACCEPTED])
{
    struct sim *sim = create(c, s);
    for (int n = 0; n < ACCEPTED; n++) {
        sim->now.fixed_dt = dt[n];
        pass(c, sim);
    }
    return sim;
}

static void check_rejections_leave_no_trace(const struct config *c)
{
    struct config rash = *c;
    rash.dt_factor = 1;
    /* Only double steps return to x, where their dt may prove too long. */
    for (int along_x = 0; along_x < find_scheme(c->scheme)->steps; along_x++) {
        struct scene s = scene_collapse(along_x);
        struct sim *sim = create(&rash, &s);
        double dt[ACCEPTED];
        record(&rash, sim, dt, NULL);
        struct sim *again = replayed(&rash, &s, dt);
        struct outcome tried = outcome_of(&rash, sim, &s), right = outcome_of(&rash, again, &s);
        if (tried.clock.redone < 3)
            fail_msg("%s: %lu steps were rejected: this test needs some", described(&rash),
                     tried.clock.redone);
        if (right.clock.redone != 0)
            fail_msg("%s: steps of a fixed length were rejected", described(&rash));
        if (!(tried.balance.out > 0) || !(tried.balance.clipped_in > 0) || flooded(&s, &tried) < 10)
            fail_msg("%s: nothing left the domain or was clipped, or hardly a dry cell became wet",
                     described(&rash));
        expect_same(&rash, "rejected steps left a trace", &right.state, &tried.state, 1);
        expect_same_balance(&rash, "rejected steps left a trace", &right.balance, &tried.balance);
        if (!(tried.clock.t - right.clock.t == 0) || tried.clock.steps != right.clock.steps ||
            !(tried.clock.dt_min - right.clock.dt_min == 0) ||
            !(tried.clock.dt_max - right.clock.dt_max == 0))
            fail_msg("%s: %lu steps to %.17g s, without rejections %lu to %.17g s",
                     described(&rash), tried.clock.steps, tried.clock.t, right.clock.steps,
                     right.clock.t);
        outcome_free(&tried);
        outcome_free(&right);
        sim_destroy(sim);
        sim_destroy(again);
        scene_free(&s);
    }
}

static void a_run_with_rejected_steps_equals_one_that_had_the_right_ones(void **state)
{
    (void)state;
    for_every_split_scheme(check_rejections_leave_no_trace);
}

static double rounded(const struct config *c, double dt)
{
    return c->precision == F64 ? dt : (double)(float)dt;
}

/* Thesis 3.1.2 and 3.1.3: what is tried after a rejection, and at the start of any step; the clock before the pass
 * has the limits of its fluxes. */
static void expect_rules(const struct config *c, const struct clock *before,
                         const struct clock *now)
{
    const int steps = find_scheme(c->scheme)->steps;
    if (now->rejected) {
        if (now->redone != before->redone + 1)
            fail_msg("%s: a rejected step is not counted", described(c));
        if (!(now->t - before->t == 0) || now->steps != before->steps ||
            !(now->dt_min - before->dt_min == 0) || !(now->dt_max - before->dt_max == 0))
            fail_msg("%s: the clock is at %.17g s after a rejection, not at %.17g s", described(c),
                     now->t, before->t);
        if (steps == 1 && !(now->dt > now->dt_y))
            fail_msg("%s: dt %.17g s was rejected, and %.17g s are allowed", described(c), now->dt,
                     now->dt_y);
        return;
    }
    if (now->redone != before->redone)
        fail_msg("%s: a step was redone unseen", described(c));
    /* dt is rounded to the run's precision after the choice. */
    const double slack = c->precision == F64 ? 1 : 1 + 1e-7;
    if (now->dt > slack * now->dt_x || now->dt > slack * now->dt_y)
        fail_msg("%s: dt %.17g s was accepted, and its fluxes allow %.17g and %.17g s",
                 described(c), now->dt, now->dt_x, now->dt_y);
    if (before->steps == 0)
        return;
    if (now->steps != before->steps + (unsigned long)steps)
        fail_msg("%s: %lu steps after %lu", described(c), now->steps, before->steps);
    if (!(now->dt <= rounded(c, c->dt_factor * before->dt_y)))
        fail_msg("%s: dt %.17g s is longer than r times the last dt_y, %.17g s", described(c),
                 now->dt, before->dt_y);
    if (steps == 1 && !(now->dt - rounded(c, fmin(now->dt_x, c->dt_factor * before->dt_y)) == 0))
        fail_msg("%s: dt is %.17g s, not min(%.17g, r %.17g)", described(c), now->dt, now->dt_x,
                 before->dt_y);
    if (steps == 2 && before->rejected && !(now->dt <= rounded(c, 0.5 * before->dt)))
        fail_msg("%s: dt %.17g s follows after %.17g s was rejected", described(c), now->dt,
                 before->dt);
}

static void check_rules(const struct config *c)
{
    static const double factors[] = {1, 0.95, 0.7};
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++)
        for (int along_x = 0; along_x < 2; along_x++) {
            struct config some = *c;
            some.dt_factor = factors[k];
            struct scene s = scene_collapse(along_x);
            struct sim *sim = create(&some, &s);
            double dt[ACCEPTED];
            record(&some, sim, dt, expect_rules);
            sim_destroy(sim);
            scene_free(&s);
        }
}

static void steps_are_chosen_and_rejected_by_the_rules_of_the_thesis(void **state)
{
    (void)state;
    for_every_split_scheme(check_rules);
}

/* All passes except the first make the number of steps that the scheme states. */
static void check_pairs(const struct config *c)
{
    const unsigned long steps = (unsigned long)find_scheme(c->scheme)->steps;
    struct scene s = scene_collapse(0);
    for (unsigned long limit = 1; limit <= 6; limit++) {
        struct config some = *c;
        some.steps = (long)limit;
        struct outcome o = simulated(&some, &s);
        const unsigned long want = limit + (limit - 1) % steps;
        if (o.clock.steps != want)
            fail_msg("%s: %lu steps for a limit of %lu, not %lu", described(&some), o.clock.steps,
                     limit, want);
        outcome_free(&o);
    }
    scene_free(&s);
}

static void passes_make_equal_steps_and_overrun_a_limit_by_less_than_one_pass(void **state)
{
    (void)state;
    assert_int_equal(find_scheme("ds1")->steps, 1);
    assert_int_equal(find_scheme("ds2")->steps, 2);
    for_every_split_scheme(check_pairs);
}

/* The run is stopped before the last pass; then that pass is made with dt fixed to the remaining time. */
static void check_end(const struct config *c)
{
    const int steps = find_scheme(c->scheme)->steps;
    struct scene s = scene_collapse(0);
    s.t_end = 0.8765;
    struct outcome straight = simulated(c, &s);
    const double left = straight.clock.t_end - straight.clock.start.t;
    assert_true(straight.clock.t - s.t_end == 0);
    if (!(straight.clock.dt - left / steps == 0) || !(straight.clock.dt < straight.clock.dt_max))
        fail_msg("%s: the last step is %.17g s of %.17g s", described(c), straight.clock.dt, left);
    assert_int_equal((straight.clock.steps - 1) % (unsigned long)steps, 0);
    s.t_end = 3600;
    struct sim *sim = create(c, &s);
    if (sim_run(sim, straight.clock.start.t, NULL))
        fail_msg("%s: %s", described(c), err_message());
    assert_true(sim->now.t - straight.clock.start.t == 0);
    sim->now.fixed_dt = straight.clock.dt;
    pass(c, sim);
    struct outcome o = outcome_of(c, sim, &s);
    expect_same(c, "the last step is not one of the time left", &o.state, &straight.state, 1);
    outcome_free(&o);
    outcome_free(&straight);
    sim_destroy(sim);
    scene_free(&s);
}

static void the_last_pass_takes_equal_shares_of_the_time_left(void **state)
{
    (void)state;
    for_every_split_scheme(check_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_rejected_steps_equals_one_that_had_the_right_ones),
        cmocka_unit_test(steps_are_chosen_and_rejected_by_the_rules_of_the_thesis),
        cmocka_unit_test(passes_make_equal_steps_and_overrun_a_limit_by_less_than_one_pass),
        cmocka_unit_test(the_last_pass_takes_equal_shares_of_the_time_left),
    };
    return cmocka_run_group_tests_name("split steps", tests, NULL, NULL);
}
