/* How every registered scheme steps: ghost cells on grids of any size, the clock, and what happens when a solution
 * breaks down. The schemes' contract asks for order and Courant number: see test_schemes. */
#include "tests/support/test.h"

#include <math.h>

#include "core/problem/initial_state.h"
#include "core/registry/registry.h"
#include "tests/support/simulate.h"

static void resume(const struct config *c, struct sim *sim, double t_pause)
{
    if (sim_run(sim, t_pause, NULL))
        fail_msg("%s: %s", described(c), err_message());
}

/* Writes conspicuous numbers wherever a scheme may not read before it has written: outside the interior of the
 * solution and of what a checkpoint keeps with it, and outside the bed with its ghost cells. */
static void soil(struct sim *s)
{
    size_t n = s->field_bytes / s->real_size;
    char *field = malloc(s->field_bytes);
    assert_non_null(field);
    for (int f = 0; f < s->array_count; f++) {
        const struct array *a = &s->array[f];
        int corners = a->layout == ARRAY_CORNERS, start = a->kept;
        for (int u = 0; u < s->system->unknowns; u++)
            start |= a == s->state[0][u];
        int margin = start ? 0 : a->given ? GHOSTS : -s->grid.nx - s->grid.ny;
        if (a->layout == ARRAY_FLAT)
            continue;
        assert_int_equal(s->backend->download(s->device, field, a->memory, s->field_bytes), 0);
        for (size_t k = 0; k < n; k++) {
            int i = (int)(k % (size_t)s->pitch[PLAIN]) - MARGIN;
            int j = (int)(k / (size_t)s->pitch[PLAIN]) - GHOSTS;
            if (i >= -margin && i < s->grid.nx + corners + margin && j >= -margin &&
                j < s->grid.ny + corners + margin)
                continue;
            double x = 1000 + 7.0 * (double)(k % 11);
            float single = (float)x;
            memcpy(field + k * s->real_size, s->real_size == sizeof x ? (void *)&x : &single,
                   s->real_size);
        }
        assert_int_equal(s->backend->upload(s->device, a->memory, field, s->field_bytes), 0);
    }
    free(field);
}

/* Memory that nothing has written is NaN at first; but a limiter may treat a NaN as a flat slope, so the run is
 * repeated with other contents. */
static void check_size(const struct config *c, const struct scene *s)
{
    struct config few = *c;
    few.steps = 15;
    struct outcome expected = simulated(&few, s), o;
    struct sim *sim = create(&few, s);
    soil(sim);
    resume(&few, sim, (double)INFINITY);
    o = outcome_of(c, sim, s);
    sim_destroy(sim);
    char what[128];
    snprintf(what, sizeof what, "%d x %d cells: what lies beyond the ghost cells matters", s->nx,
             s->ny);
    expect_same(c, what, &expected.state, &o.state, 1);
    outcome_free(&expected);
    outcome_free(&o);
}

static void check_sizes(const struct config *c)
{
    static const int sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {257, 9}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int edge = WALL; edge <= PERIODIC; edge++) {
            struct scene s = new_scene(sizes[k][0], sizes[k][1]);
            scene_edges(&s, (enum boundary)edge, (enum boundary)edge);
            scene_random_bed(&s, -1, 0.2, 4);
            scene_level(&s, 0.3);
            scene_stir(&s, 0.1, 2);
            check_size(c, &s);
            scene_free(&s);
        }
}

static void grids_of_any_size_read_nothing_beyond_their_ghost_cells(void **state)
{
    (void)state;
    for_every_scheme(check_sizes);
}

/* A wave with dry places, to a time that no step meets by itself. */
static struct scene short_run(void)
{
    struct scene s = new_scene(31, 23);
    s.kappa = 0.05;
    scene_random_bed(&s, -1, 0.3, 12);
    scene_level(&s, 0.1);
    scene_dam(&s, 11, 9, 5, 1.2);
    s.t_end = 1.2345;
    return s;
}

static void check_pauses(const struct config *c)
{
    struct scene s = short_run();
    struct outcome straight = simulated(c, &s), paused;
    char text[256];
    struct sim *sim = create(c, &s);
    static const double pauses[] = {0, 0.01, 0.3, 0.30001, 0.9, 1.1};
    for (size_t k = 0; k < sizeof pauses / sizeof *pauses; k++) {
        resume(c, sim, pauses[k]);
        if (!(sim->now.t >= pauses[k]) || sim->now.halt != AT_PAUSE)
            fail_msg("%s: a pause at %g s came at %g s, halt %u", described(c), pauses[k],
                     sim->now.t, sim->now.halt);
        if (!(sim->now.t - sim->scheme->steps * sim->now.dt <= pauses[k]))
            fail_msg("%s: a pause at %g s came as late as %g s, dt %g s", described(c), pauses[k],
                     sim->now.t, sim->now.dt);
    }
    resume(c, sim, (double)INFINITY);
    paused = outcome_of(c, sim, &s);
    if (!(straight.clock.t - s.t_end == 0) || !(paused.clock.t - s.t_end == 0))
        fail_msg("%s: ended at %.17g and, with pauses, at %.17g s, not at %.17g s", described(c),
                 straight.clock.t, paused.clock.t, s.t_end);
    if (straight.clock.steps != paused.clock.steps)
        fail_msg("%s: %lu steps, with pauses %lu", described(c), straight.clock.steps,
                 paused.clock.steps);
    if (differ(&straight.state, &paused.state, 1, text, sizeof text))
        fail_msg("%s: pauses change the result: %s", described(c), text);
    sim_destroy(sim);
    outcome_free(&straight);
    outcome_free(&paused);
    scene_free(&s);
}

static void a_run_ends_exactly_and_pauses_change_nothing(void **state)
{
    (void)state;
    for_every_scheme(check_pauses);
}

/* Steps except the last have the given length, rounded to the run's precision. */
static void check_fixed_steps(const struct config *c)
{
    struct scene s = short_run();
    struct config fixed = *c;
    fixed.dt = 0.01;
    double dt = c->precision == F64 ? 0.01 : (double)0.01f;
    /* A scheme of double steps may need one step more to meet an end or a limit. */
    const unsigned long odd = (unsigned long)(find_scheme(c->scheme)->steps - 1);
    struct outcome o = simulated(&fixed, &s);
    if (o.clock.steps < 124 || o.clock.steps > 124 + odd || !(o.clock.dt_min - dt == 0) ||
        !(o.clock.dt_max - dt == 0) || !(o.clock.t - s.t_end == 0))
        fail_msg("%s: %lu steps of %.17g to %.17g s to %.17g s; 124 of %.17g s wanted",
                 described(&fixed), o.clock.steps, o.clock.dt_min, o.clock.dt_max, o.clock.t, dt);
    outcome_free(&o);
    for (long steps = 1; steps <= 34; steps += 11) {
        struct config some = *c;
        some.cfl = fmin(find_scheme(c->scheme)->cfl, 0.25); /* so that both have the same number */
        some.steps = steps;
        o = simulated(&some, &s);
        if (o.clock.steps < (unsigned long)steps || o.clock.steps > (unsigned long)steps + odd ||
            !(o.clock.t < s.t_end))
            fail_msg("%s: %lu steps, not %ld, to %g s", described(&some), o.clock.steps, steps,
                     o.clock.t);
        outcome_free(&o);
    }
    scene_free(&s);
}

static void fixed_steps_are_kept_and_counted(void **state)
{
    (void)state;
    for_every_scheme(check_fixed_steps);
}

static void check_broken(const struct config *c)
{
    struct scene s = new_scene(30, 30);
    scene_level(&s, 1);
    scene_dam(&s, 14, 15, 6, 3);
    s.t_end = 1e6;
    struct config rash = *c;
    rash.dt = 4; /* 0.04 s are stable */
    struct outcome o;
    enum err e = simulate(&rash, &s, &o);
    if (e || !o.broken)
        fail_msg("%s: steps 100 times too long give error %d: %s", described(&rash), e,
                 e ? err_message() : "none");
    if (o.clock.steps > 100)
        fail_msg("%s: steps 100 times too long were noticed after %lu", described(&rash),
                 o.clock.steps);
    if (!strstr(err_message(), "broke down"))
        fail_msg("%s", err_message());
    outcome_free(&o);
    scene_free(&s);
}

static void a_broken_solution_is_an_error_soon(void **state)
{
    (void)state;
    for_every_scheme(check_broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_of_any_size_read_nothing_beyond_their_ghost_cells),
        cmocka_unit_test(a_run_ends_exactly_and_pauses_change_nothing),
        cmocka_unit_test(fixed_steps_are_kept_and_counted),
        cmocka_unit_test(a_broken_solution_is_an_error_soon),
    };
    return cmocka_run_group_tests_name("stepping", tests, NULL, NULL);
}
