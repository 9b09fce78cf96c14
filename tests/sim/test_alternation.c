/* --scheme auto: the chosen scheme or rk2 with early exit makes the steps, whichever the clock finds faster; the bits
 * are those of the same schemes alternated by hand. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/alternation.h"
#include "core/sim/parts.h"
#include "tests/support/parts.h"
#include "tests/support/tuned.h"
#include "tests/support/scheme_rows.h"

/* As in core/sim/cycle.c; the cells along a side from which a run alternates. */
enum { CYCLE = 100, FIRST_CYCLE = 20, LARGE = 256 };
/* The passes end in the second cycle, in which early exit is faster (the map is old then), or in the first one after
 * the timed steps, where it is faster at once. */
enum { PASSES = FIRST_CYCLE + CYCLE + 10, FEW = FIRST_CYCLE + 12 };

/* The clock says that early exit takes this many times as long. */
static double ratio;

static enum err scripted_between(struct device *dev, int from, int to, double *seconds)
{
    (void)dev, (void)to;
    *seconds = from == 0 ? ratio : 1;
    return ERR_OK;
}

/* The database says that this is the fastest scheme of second order on this device. */
static void prefer(const char *scheme)
{
    char row[1024];
    snprintf(row, sizeof row, COLUMNS ROW("%s", "f32", "256", "1", "0000000a", "1.000000"), scheme);
    scratch_write(inside("experiments/schemes.tsv"), "w", row);
}

static int add_this_device(void **state)
{
    struct config c;
    struct scene s = new_scene(8, 8);
    configure(&c, NULL, F32);
    struct sim *any = create(&c, &s);
    use_empty_database(state);
    add_environment(any->backend->info(any->device)->name, "", 1);
    scratch_folder(inside("experiments"));
    sim_destroy(any);
    scene_free(&s);
    return 0;
}

static struct config auto_config(const char *scheme)
{
    struct config c;
    configure(&c, NULL, F32);
    c.mode = FAST_MODE;
    prefer(scheme);
    snprintf(c.scheme, sizeof c.scheme, "auto");
    c.early_exit = EARLY_EXIT_AUTO;
    c.tuned = 0;
    for (int k = 0; k < KERNELS; k++) /* small blocks show whether the map is the newest */
        configure_block(&c, exits[k], 16, 8);
    return c;
}

/* A dam that breaks in a corner of a dry square, or a flow with inflow and outflow. */
static struct scene new_flood(int open)
{
    struct scene s = new_scene(LARGE, LARGE);
    scene_dam(&s, 40, 30, 20, 2);
    if (open)
        scene_mixed_edges(&s);
    return s;
}

static void step(const struct config *c, struct sim *sim)
{
    if (sim_step_many(sim, 1))
        fail_msg("%s: %s", described(c), err_message());
}

/* `to` continues from the state that `from` has reached. */
static void hand_over(struct sim *from, struct sim *to)
{
    struct clock now = from->now;
    now.map_age = ~0ul >> 1; /* its map belongs to another state */
    for (int k = 0; k < from->array_count; k++) {
        const struct array *a = &from->array[k];
        struct array *b = sim_find_array(to, a->name);
        if (!b || !(a->kept || strcmp(a->name, from->system->unknown[0].name) == 0 ||
                    strcmp(a->name, from->system->unknown[1].name) == 0 ||
                    strcmp(a->name, from->system->unknown[2].name) == 0))
            continue;
        void *bytes = malloc(sim_kept_bytes(from, a));
        assert_non_null(bytes);
        fine(sim_keep(from, a, bytes));
        fine(sim_take(to, b, bytes));
        free(bytes);
    }
    sim_set_clock(to, &now, 0);
}

/* Passes by hand: 1 where rk2 with early exit makes the pass. */
static struct outcome by_hand(const struct config *c, const struct scene *s, const char *scheme,
                              const char *by_other, int passes)
{
    struct config own = *c, other = *c;
    snprintf(own.scheme, sizeof own.scheme, "%s", scheme);
    own.early_exit = EARLY_EXIT_OFF;
    snprintf(other.scheme, sizeof other.scheme, "rk2");
    other.early_exit = EARLY_EXIT_ON;
    struct sim *sim[] = {create(&own, s), create(&other, s)};
    int at = 0;
    for (int n = 0; n < passes; n++) {
        if (by_other[n] != at)
            hand_over(sim[at], sim[1 - at]);
        at = by_other[n];
        step(c, sim[at]);
    }
    const struct outcome o = outcome_of(c, sim[at], s);
    sim_destroy(sim[0]);
    sim_destroy(sim[1]);
    return o;
}

/* What each pass of the cycle must be, for a scheme with this many steps in a pass. */
static void expect_cycle(const char *scheme, const char *by_other, int passes)
{
    const int each = find_scheme(scheme)->steps;
    long step = 0, before = 0;
    const int exits_in = passes == FEW ? 1 : 2; /* this cycle */
    int cycles = 0;
    for (int n = 0; n < passes; n++) {
        cycles += step >= FIRST_CYCLE && before == 0;
        const int timed = before < 2 + 2 * each, want = cycles == 0 ? 0
                                                        : timed     ? before < 2
                                                                    : cycles == exits_in;
        if (by_other[n] != want)
            fail_msg("%s: pass %d, step %ld, %ld of its cycle, is by %s", scheme, n, step, before,
                     by_other[n] ? "rk2" : "the scheme itself");
        before += step < FIRST_CYCLE ? 0 : by_other[n] ? 1 : each;
        before = before < CYCLE ? before : 0;
        step += by_other[n] ? 1 : each;
    }
}

static void take_backend(struct sim *sim, const struct backend *b)
{
    sim->backend = b;
    for (int k = 0; sim->parts && k < sim->parts->count; k++)
        sim->parts->sim[k]->backend = b;
}

static void check_turns(const char *scheme, int open, const char *parts, int passes)
{
    struct scene s = new_flood(open);
    const struct config plain = auto_config(scheme), c = in_parts(&plain, parts);
    struct sim *sim = create(&c, &s);
    char by_other[PASSES], name[64];
    struct backend b = *sim->backend;
    const struct backend *const kept = sim->backend;
    b.between = scripted_between;
    take_backend(sim, &b);
    for (int n = 0; n < passes; n++) {
        ratio =
            passes == FEW || n >= CYCLE ? 0.25 : 2; /* passes of two steps take the time of one */
        const unsigned long before = sim->now.early_exits;
        step(&c, sim);
        by_other[n] = (char)(sim->now.early_exits - before);
    }
    take_backend(sim, kept);
    alternation_name(sim, name, sizeof name);
    if (!strstr(name, "+rk2") || strstr(name, scheme) != name)
        fail_msg("the run is by '%s', not by %s and rk2", name, scheme);
    expect_cycle(scheme, by_other, passes);
    struct outcome have = outcome_of(&c, sim, &s),
                   want = by_hand(&plain, &s, scheme, by_other, passes);
    want.clock.map_age = have.clock.map_age;
    expect_same_outcome(&c, &want, &have, scheme);
    outcome_free(&have);
    outcome_free(&want);
    sim_destroy(sim);
    scene_free(&s);
}

static void schemes_take_turns_and_give_the_bits_of_taking_turns_by_hand(void **state)
{
    (void)state;
    check_turns("rk2_fused", 0, "1", PASSES);
    check_turns("ds2", 0, "1", FEW);
}

static void they_do_so_where_water_crosses_the_edges_and_in_parts(void **state)
{
    (void)state;
    check_turns("srk2", 1, "1", FEW);
    check_turns("rk2_fused", 1, "2x2", FEW);
}

static void expect_alone_by(const char *scheme, const struct config *c, const struct scene *s,
                            const char *why)
{
    char name[64];
    struct sim *sim = create(c, s);
    alternation_name(sim, name, sizeof name);
    if (strcmp(name, scheme) != 0 || sim->early_exit)
        fail_msg("%s: the run is by %s", why, name);
    sim_destroy(sim);
}

static void expect_alone(const struct config *c, const struct scene *s, const char *why)
{
    expect_alone_by("srk2", c, s, why);
}

static void one_scheme_makes_all_steps_where_timing_must_not_change_bits(void **state)
{
    (void)state;
    struct scene s = new_flood(0);
    const struct config c = auto_config("srk2");
    struct config other = c;
    other.mode = STRICT;
    expect_alone(&other, &s, "strict");
    other = c;
    other.dt = 1e-3;
    expect_alone(&other, &s, "fixed steps");
    other = c;
    other.early_exit = EARLY_EXIT_OFF;
    expect_alone(&other, &s, "no early exit");
    other = c;
    snprintf(other.scheme, sizeof other.scheme, "srk2");
    expect_alone(&other, &s, "a scheme by name");
    scene_free(&s);
}

static void hancock_takes_no_turns_because_of_its_steps_and_of_its_rates(void **state)
{
    (void)state;
    struct scene s = new_flood(0);
    struct config c = auto_config("hancock");
    c.cfl = (double)NAN;
    expect_alone_by("hancock", &c, &s, "at 0.45");
    c.cfl = 0.25;
    expect_alone_by("hancock", &c, &s, "at 0.25");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            schemes_take_turns_and_give_the_bits_of_taking_turns_by_hand, add_this_device,
            scratch_remove),
        cmocka_unit_test_setup_teardown(they_do_so_where_water_crosses_the_edges_and_in_parts,
                                        add_this_device, scratch_remove),
        cmocka_unit_test_setup_teardown(
            one_scheme_makes_all_steps_where_timing_must_not_change_bits, add_this_device,
            scratch_remove),
        cmocka_unit_test_setup_teardown(
            hancock_takes_no_turns_because_of_its_steps_and_of_its_rates, add_this_device,
            scratch_remove),
    };
    return cmocka_run_group_tests_name("alternation of schemes", tests, NULL, NULL);
}
