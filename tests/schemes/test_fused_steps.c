/* The time step of fused schemes, which is tried before it is known to be allowed: it never exceeds the Courant
 * limit, and a repeated step leaves no trace. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/simulate.h"

enum { STEPS = 60, REASON = 512 };

/* A run of the fused scheme, one pass at a time, and beside it one of the plain scheme, which is given the same steps
 * and finds the allowed length of each by itself. */
struct pair {
    const struct config *c;
    struct config plain;
    struct sim *fused, *twin;
    double tried; /* the limit that a rejected step found; 0: the last was accepted */
    int moved;    /* the end was moved, and no step has been made since */
    char why[REASON];
};

static struct pair new_pair(const struct config *c, const struct scene *s)
{
    struct pair p = {.c = c, .plain = *c};
    strcpy(p.plain.scheme, "rk2");
    p.fused = create(c, s);
    p.twin = create(&p.plain, s);
    return p;
}

static void free_pair(struct pair *p)
{
    sim_destroy(p->fused);
    sim_destroy(p->twin);
}

#define STRAYS(p, ...) (snprintf((p)->why, REASON, __VA_ARGS__), 1)

static double rounded(const struct config *c, double dt)
{
    return c->precision == F64 ? dt : (double)(float)dt;
}

/* A pass that rejected its step: nothing moved, and the next one knows the limit. */
static int rejection_strays(struct pair *p, const struct clock *before)
{
    const struct clock *now = &p->fused->now;
    if (p->tried > 0)
        return STRAYS(p, "step %lu is rejected twice", now->steps + 1);
    if (!(now->t - before->t == 0) || now->steps != before->steps ||
        memcmp(&now->dt_min, &before->dt_min, sizeof now->dt_min) != 0 ||
        memcmp(&now->dt_max, &before->dt_max, sizeof now->dt_max) != 0)
        return STRAYS(p, "the clock is at %.17g s after a rejection, not at %.17g s", now->t,
                      before->t);
    if (p->moved && now->redone == before->redone) { /* as was wanted, up to the new end */
        p->moved = 0;
        return 0;
    }
    const unsigned long redone = before->redone + (before->steps > 0 || before->redone > 0);
    if (now->redone != redone)
        return STRAYS(p, "%lu steps redone, not %lu", now->redone, redone);
    p->tried = now->dt_x;
    return 0;
}

/* A pass that made a step of dt: checked by the rules, and by the limit that the plain scheme finds. */
static int step_strays(struct pair *p, const struct clock *before)
{
    const struct clock *now = &p->fused->now, *twin = &p->twin->now;
    const int last = now->t >= now->t_end;
    if (now->steps != before->steps + 1 || now->redone != before->redone)
        return STRAYS(p, "%lu steps after %lu, %lu redone after %lu", now->steps, before->steps,
                      now->redone, before->redone);
    /* A step that the end shortens is shortened again, from whatever longer value. */
    p->twin->now.fixed_dt = last ? 2 * now->dt : now->dt;
    if (sim_step_many(p->twin, 1))
        return STRAYS(p, "%s", err_message());
    if (!(now->dt_x - twin->dt_x == 0))
        return STRAYS(p, "step %lu: %.17g s are allowed, and it found %.17g s", now->steps,
                      twin->dt_x, now->dt_x);
    if (!(now->dt <= rounded(p->c, twin->dt_x)))
        return STRAYS(p, "step %lu is %.17g s, and %.17g s are allowed", now->steps, now->dt,
                      twin->dt_x);
    if (p->tried > 0 && !last && !(now->dt - rounded(p->c, p->tried) == 0))
        return STRAYS(p, "step %lu is redone with %.17g s, not %.17g s", now->steps, now->dt,
                      p->tried);
    if (!(p->tried > 0) && !(now->dt <= rounded(p->c, p->c->dt_factor * before->dt_x)))
        return STRAYS(p, "step %lu is %.17g s after one that could be %.17g s", now->steps, now->dt,
                      before->dt_x);
    p->tried = 0;
    return 0;
}

/* Makes passes until this many steps are made, or the end is reached. */
static int passes_stray(struct pair *p, unsigned long steps)
{
    while (p->fused->now.steps < steps && p->fused->now.halt == RUNNING) {
        const struct clock before = p->fused->now;
        if (sim_step_many(p->fused, 1))
            return STRAYS(p, "%s", err_message());
        if (p->fused->now.halt != RUNNING)
            return 0;
        if (p->fused->now.rejected ? rejection_strays(p, &before) : step_strays(p, &before))
            return 1;
    }
    return 0;
}

/* The present states of both. */
static int results_stray(struct pair *p, const struct scene *s)
{
    struct outcome a = outcome_of(p->c, p->fused, s), b = outcome_of(&p->plain, p->twin, s);
    char text[256];
    int strays = 0;
    if (differ(&b.state, &a.state, 1, text, sizeof text))
        strays = STRAYS(p, "%s", text);
    else if (memcmp(&a.balance, &b.balance, sizeof a.balance) != 0)
        strays = STRAYS(p, "inflow %.17g m3, clipped %.17g; not %.17g, %.17g", a.balance.inflow,
                        a.balance.clipped_in, b.balance.inflow, b.balance.clipped_in);
    else if (!(a.clock.t - b.clock.t == 0) || a.clock.steps != b.clock.steps ||
             !(a.clock.dt_min - b.clock.dt_min == 0) || !(a.clock.dt_max - b.clock.dt_max == 0))
        strays = STRAYS(p, "%lu steps to %.17g s, not %lu to %.17g s", a.clock.steps, a.clock.t,
                        b.clock.steps, b.clock.t);
    else if (!(fabs(outcome_mass_error(&a)) < (a.precision == F64 ? 1e-12 : 1e-5)))
        strays = STRAYS(p, "the volume is off by %g", outcome_mass_error(&a)); /* rounding */
    outcome_free(&a);
    outcome_free(&b);
    return strays;
}

static void expect(const struct pair *p, int strays)
{
    if (strays)
        fail_msg("%s, dt factor %g: %s", described(p->c), p->c->dt_factor, p->why);
}

static struct config fused_config(enum precision precision, double dt_factor)
{
    struct config c;
    configure(&c, "rk2_fused", precision);
    c.dt_factor = dt_factor;
    return c;
}

/* The larger the factor, the more steps are repeated; nobody would choose one beyond 1. */
static void steps_keep_to_the_courant_rule_and_redone_ones_leave_no_trace(void **state)
{
    static const double factors[] = {1.3, 1, 0.95, 0.5};
    (void)state;
    for (int precision = 0; precision < PRECISIONS; precision++)
        for (int along_x = 0; along_x < 2; along_x++)
            for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
                const struct config c = fused_config((enum precision)precision, factors[k]);
                struct scene s = scene_collapse(along_x);
                struct pair p = new_pair(&c, &s);
                expect(&p, passes_stray(&p, STEPS));
                const struct clock *now = &p.fused->now;
                if (now->steps != STEPS || (factors[k] > 1 ? now->redone < STEPS / 2
                                                           : factors[k] > 0.9 && now->redone < 3))
                    fail_msg("%s: %lu steps, %lu of them redone: this test needs more",
                             described(&c), now->steps, now->redone);
                struct outcome o = outcome_of(&c, p.fused, &s);
                assert_true(o.balance.out > 0 && o.balance.clipped_in > 0 && flooded(&s, &o) >= 10);
                outcome_free(&o);
                expect(&p, results_stray(&p, &s));
                free_pair(&p);
                scene_free(&s);
            }
}

/* Runs as from the command line: many steps at a time, with and without pauses. */
static void runs_with_redone_steps_are_those_pass_by_pass(void **state)
{
    static const double pauses[] = {0, 0.01, 0.3, 0.30001, 0.77, (double)INFINITY};
    (void)state;
    for (int precision = 0; precision < PRECISIONS; precision++)
        for (int paused = 0; paused < 2; paused++) {
            const struct config c = fused_config((enum precision)precision, 1.1);
            struct scene s = scene_collapse(0);
            s.t_end = 0.8765;
            struct pair p = new_pair(&c, &s);
            expect(&p, passes_stray(&p, 10000));
            assert_true(p.fused->now.t - s.t_end == 0);
            expect(&p, results_stray(&p, &s));
            struct outcome slow = outcome_of(&c, p.fused, &s);
            struct sim *sim = create(&c, &s);
            for (size_t k = paused ? 0 : sizeof pauses / sizeof *pauses - 1;
                 k < sizeof pauses / sizeof *pauses; k++)
                if (sim_run(sim, pauses[k], NULL))
                    fail_msg("%s: %s", described(&c), err_message());
            struct outcome o = outcome_of(&c, sim, &s);
            expect_same(&c, "many passes at a time", &slow.state, &o.state, 1);
            if (o.clock.steps != slow.clock.steps || o.clock.redone != slow.clock.redone ||
                !(o.clock.t - s.t_end == 0) ||
                memcmp(&o.balance, &slow.balance, sizeof o.balance) != 0)
                fail_msg("%s: %lu steps, %lu redone, to %.17g s, not %lu, %lu", described(&c),
                         o.clock.steps, o.clock.redone, o.clock.t, slow.clock.steps,
                         slow.clock.redone);
            sim_destroy(sim);
            free_pair(&p);
            outcome_free(&o);
            outcome_free(&slow);
            scene_free(&s);
        }
}

static void a_run_goes_on_after_its_end_was_moved(void **state)
{
    static const double ends[] = {0.3, 0.301, 0.7};
    (void)state;
    for (int precision = 0; precision < PRECISIONS; precision++) {
        const struct config c = fused_config((enum precision)precision, 1);
        struct scene s = scene_collapse(1);
        s.t_end = 0.1;
        struct pair p = new_pair(&c, &s);
        expect(&p, passes_stray(&p, 10000));
        assert_true(p.fused->now.t - s.t_end == 0);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            sim_extend(p.fused, ends[k]);
            sim_extend(p.twin, ends[k]);
            p.fused->now.halt = RUNNING;
            p.tried = 0;
            p.moved = 1;
            expect(&p, passes_stray(&p, 10000));
            if (!(p.fused->now.t - ends[k] == 0))
                fail_msg("%s: ended at %.17g s, not %.17g s", described(&c), p.fused->now.t,
                         ends[k]);
        }
        expect(&p, results_stray(&p, &s));
        free_pair(&p);
        scene_free(&s);
    }
}

static void a_limit_of_steps_counts_those_that_were_taken(void **state)
{
    (void)state;
    struct config c = fused_config(F32, 1.3);
    struct scene s = scene_collapse(0);
    for (long limit = 1; limit <= 50; limit += 7) {
        struct outcome o = simulated_steps(&c, &s, limit);
        assert_int_equal(o.clock.steps, limit);
        assert_true(limit < 10 || o.clock.redone > 0);
        outcome_free(&o);
    }
    scene_free(&s);
}

/* Here 27 steps of the Courant limit end within rounding of t_end: the remainder for the last step is one bit longer
 * than the others. As it is longer than what is allowed, too, it could be rejected for ever. */
static int last_step_strays(char *why)
{
    enum { WANTED = 27, PASSES = 2 * WANTED };
    const struct config c = fused_config(F64, 1);
    struct scene s = new_scene(4, 4);
    s.dy = s.dx;
    s.t_end = 2.155109141747591;
    scene_level(&s, 1);
    struct sim *sim = create(&c, &s);
    const struct clock *now = &sim->now;
    int strays = 0;
    for (int k = 0; k < PASSES && now->halt == RUNNING; k++)
        if (sim_step_many(sim, 1))
            fail_msg("%s: %s", described(&c), err_message());
    if (now->halt != AT_END || now->steps != WANTED || !(now->t - s.t_end == 0) || now->redone > 0)
        strays = snprintf(why, REASON, "%lu steps to %.17g s, %lu redone, %s after %d passes",
                          now->steps, now->t, now->redone,
                          now->halt == RUNNING ? "not ended" : "ended", PASSES);
    else if (!(now->dt > now->dt_max))
        fail_msg("the last step is %.17g s, the longest before it %.17g s: no test of rounding",
                 now->dt, now->dt_max);
    sim_destroy(sim);
    scene_free(&s);
    return strays;
}

static void a_last_step_that_is_longer_by_rounding_is_taken(void **state)
{
    char why[REASON];
    (void)state;
    if (last_step_strays(why))
        fail_msg("%s", why);
}

/* With frequent rejections: expects this finding, or none. */
static void expect_seen(const char *reason)
{
    const struct config c = fused_config(F32, 1.3);
    struct scene s = scene_collapse(0);
    struct pair p = new_pair(&c, &s);
    const int seen = passes_stray(&p, STEPS) || results_stray(&p, &s);
    if (seen != (reason != NULL) || (seen && reason && !strstr(p.why, reason)))
        fail_msg("'%s' is wrong, not '%s'", seen ? p.why : "nothing", reason ? reason : "nothing");
    free_pair(&p);
    scene_free(&s);
}

static void an_untouched_copy_is_fine(void **state)
{
    (void)state;
    expect_seen(NULL);
}

static void what_a_rejected_substep_clipped_and_counts_is_seen(void **state)
{
    (void)state;
    kernel_plant("clock_ahead.cu", "next.counters[k] = 0;", ";");
    expect_seen(" m3, clipped ");
}

static void what_an_accepted_substep_clipped_and_does_not_count_is_seen(void **state)
{
    (void)state;
    kernel_plant("clock_ahead.cu", "a.counters[k] += next.counters[k];", ";");
    expect_seen(" m3, clipped ");
}

static void a_step_that_is_too_long_and_is_taken_is_seen(void **state)
{
    (void)state;
    kernel_plant("num/tried_step.h", "a->dt <= rounded(limit)", "1");
    expect_seen(" are allowed");
}

static void a_rejected_step_whose_second_substep_runs_is_seen(void **state)
{
    (void)state;
    kernel_plant("num/tried_step.h", "c->rejected = 1;", "c->start.t = c->t;");
    expect_seen(" steps after ");
}

static void a_last_step_that_is_given_up_for_ever_is_seen(void **state)
{
    char why[REASON];
    (void)state;
    kernel_plant("num/tried_step.h", " || rounded(a->wanted) <= rounded(limit)", "");
    if (!last_step_strays(why))
        fail_msg("it ends");
    if (!strstr(why, "not ended"))
        fail_msg("it is wrong otherwise: %s", why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_keep_to_the_courant_rule_and_redone_ones_leave_no_trace),
        cmocka_unit_test(runs_with_redone_steps_are_those_pass_by_pass),
        cmocka_unit_test(a_run_goes_on_after_its_end_was_moved),
        cmocka_unit_test(a_limit_of_steps_counts_those_that_were_taken),
        cmocka_unit_test(a_last_step_that_is_longer_by_rounding_is_taken),
        ON_COPY(an_untouched_copy_is_fine),
        ON_COPY(what_a_rejected_substep_clipped_and_counts_is_seen),
        ON_COPY(what_an_accepted_substep_clipped_and_does_not_count_is_seen),
        ON_COPY(a_step_that_is_too_long_and_is_taken_is_seen),
        ON_COPY(a_rejected_step_whose_second_substep_runs_is_seen),
        ON_COPY(a_last_step_that_is_given_up_for_ever_is_seen),
    };
    return cmocka_run_group_tests_name("fused steps", tests, kernel_home_keep, NULL);
}
