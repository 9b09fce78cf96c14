/* What runs with a stage in 16 bits a value keep. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/simulate.h"

static struct config short_config(int digits)
{
    struct config c;
    configure(&c, "rk2_fused", F32);
    snprintf(c.define, sizeof c.define, "STAGE=%d", digits);
    return c;
}

/* Ground that stays dry, a dam, and edges of which there are one kind in x and one in y. */
static struct scene dam(enum boundary x, enum boundary y)
{
    struct scene s = new_scene(45, 31);
    s.kappa = 0.05;
    scene_edges(&s, x, y);
    scene_random_bed(&s, -1, 0.5, 51);
    scene_level(&s, 0.1);
    scene_dam(&s, 13, 12, 9, 1.4);
    scene_stir(&s, 0.3, 52);
    return s;
}

static void a_lake_stays_at_rest_to_the_bit(void **state)
{
    (void)state;
    for (int digits = 8; digits <= 11; digits += 3) {
        const struct config c = short_config(digits);
        struct scene s = new_scene(37, 29);
        scene_random_bed(&s, -2, -0.2, 53);
        scene_level(&s, 0.37);
        struct outcome before = simulated_steps(&c, &s, 1), after = simulated_steps(&c, &s, 50);
        expect_same(&c, "a lake at rest", &before.state, &after.state, 0);
        for (int k = 1; k < 3; k++)
            for (int n = 0; n < s.nx * s.ny; n++)
                assert_true(fabs(after.state.field[k][n]) <= 0);
        outcome_free(&before);
        outcome_free(&after);
        scene_free(&s);
    }
}

/* How many cells from a column on are not dry, or not as they were. */
static int strays_from_dry(const struct outcome *before, const struct outcome *now, int from_x)
{
    int strays = 0;
    for (int j = 0; j < now->state.ny; j++)
        for (int i = from_x; i < now->state.nx; i++) {
            const size_t at = scene_cell(&now->state, i, j);
            int strayed = !(outcome_depth(now, i, j) <= 0);
            for (int k = 0; k < 3; k++)
                strayed |= !(fabs(now->state.field[k][at] - before->state.field[k][at]) <= 0);
            strays += strayed;
        }
    return strays;
}

/* A dam breaks in front of a rough plateau that is higher than its waves; its levels lie far from that of
 * the water, so that 16 bits round them coarsely. */
static void dry_land_stays_dry(void **state)
{
    enum { STEPS = 40, PLATEAU = 22 };
    (void)state;
    for (int digits = 8; digits <= 11; digits += 3) {
        const struct config c = short_config(digits);
        struct scene s = new_scene(45, 31);
        s.kappa = 0.05;
        scene_random_bed(&s, 7, 9, 54);
        for (int j = 0; j <= s.ny; j++)
            for (int i = 0; i < PLATEAU; i++)
                s.bed[scene_corner(&s, i, j)] -= 9;
        scene_level(&s, 0.2);
        scene_dam(&s, 6, 12, 5, 1.4);
        struct sim *sim = create(&c, &s);
        struct outcome before = outcome_of(&c, sim, &s);
        assert_int_equal(sim_step_many(sim, STEPS), ERR_OK);
        struct outcome after = outcome_of(&c, sim, &s);
        assert_true(after.clock.steps >= STEPS / 2);
        const int strays = strays_from_dry(&before, &after, PLATEAU);
        if (strays > 0)
            fail_msg("%s %s: %d of %d cells became wet or moved", described(&c), c.define, strays,
                     (s.nx - PLATEAU) * s.ny);
        outcome_free(&before);
        outcome_free(&after);
        sim_destroy(sim);
        scene_free(&s);
    }
}

static void doubles_have_no_stage_in_16_bits(void **state)
{
    (void)state;
    struct config c = short_config(11);
    struct scene s = dam(WALL, WALL);
    struct sim *sim = NULL;
    c.precision = F64;
    assert_true(simulation_create(&sim, &c, &s) != ERR_OK);
    if (!strstr(err_message(), "leave it out, or use --precision f32"))
        fail_msg("no remedy in: %s", err_message());
    scene_free(&s);
}

static void blocks_threads_and_their_order_do_not_change_a_bit(void **state)
{
    static const struct block blocks[] = {{28, 5}, {60, 3}};
    (void)state;
    for (int digits = 8; digits <= 11; digits += 3) {
        const struct config c = short_config(digits);
        struct scene s = dam(OPEN, PERIODIC);
        struct outcome want = simulated_steps(&c, &s, 10);
        for (int order = 0; order <= 2; order++)
            for (int k = 0; k < 2; k++) {
                struct config other = c;
                configure_blocks(&other, blocks[k], order != 0);
                other.order = order;
                other.threads = order ? 1 : 2;
                struct outcome have = simulated_steps(&other, &s, 10);
                expect_same(&other, "not the bits of the default blocks", &want.state, &have.state,
                            1);
                outcome_free(&have);
            }
        outcome_free(&want);
        scene_free(&s);
    }
}

/* The largest difference of a discharge from a run with a stage of 32 bits, m2/s. */
static double difference(const struct config *c, const struct scene *s)
{
    struct config whole = *c;
    double most = 0;
    whole.define[0] = '\0';
    struct outcome want = simulated_steps(&whole, s, 3), have = simulated_steps(c, s, 3);
    for (int k = 1; k < 3; k++)
        for (int n = 0; n < s->nx * s->ny; n++)
            most = fmax(most, fabs(have.state.field[k][n] - want.state.field[k][n]));
    outcome_free(&want);
    outcome_free(&have);
    return most;
}

/* A ghost cell that is filled wrongly is off by its contents, which are of the order of 1. */
static void edges_are_those_of_a_stage_of_32_bits(void **state)
{
    static const enum boundary kinds[] = {WALL, OPEN, PERIODIC};
    (void)state;
    for (int digits = 8; digits <= 11; digits += 3)
        for (int x = 0; x < 3; x++)
            for (int y = 0; y < 3; y++) {
                const struct config c = short_config(digits);
                struct scene s = dam(kinds[x], kinds[y]);
                const double d = difference(&c, &s), limit = 8 * ldexp(1, -digits);
                if (!(d > 0 && d < limit))
                    fail_msg("%s, edges %d and %d: %g m2/s, where %g is the limit", described(&c),
                             x, y, d, limit);
                scene_free(&s);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_stays_at_rest_to_the_bit),
        cmocka_unit_test(dry_land_stays_dry),
        cmocka_unit_test(doubles_have_no_stage_in_16_bits),
        cmocka_unit_test(blocks_threads_and_their_order_do_not_change_a_bit),
        cmocka_unit_test(edges_are_those_of_a_stage_of_32_bits),
    };
    return cmocka_run_group_tests_name("stage16", tests, NULL, NULL);
}
