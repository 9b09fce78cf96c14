/* Levels are stored relative to a datum, and eta relative to the level at rest: the height of the ground changes no
 * bit. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/problem/initial_state.h"
#include "tests/support/near.h"
#include "tests/support/simulate.h"

/* So that a double can represent them at 4000 m. */
static double coarse(double x)
{
    return ldexp(round(ldexp(x, 30)), -30);
}

/* A dam break over rough ground, dry in places, with all levels this much higher. */
static struct scene raised(double up)
{
    struct scene s = new_rough(33, 21);
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = up + coarse(s.bed[scene_corner(&s, i, j)]);
    for (size_t k = 0; k < (size_t)s.nx * (size_t)s.ny; k++)
        s.field[0][k] = up + coarse(s.field[0][k]);
    s.t_end = 1;
    return s;
}

static void stored_after(const struct config *c, const struct scene *s, long steps, double *to[3])
{
    struct sim *sim = create(c, s);
    if (sim_step_many(sim, steps))
        fail_msg("%s: %s", described(c), err_message());
    for (int k = 0; k < 3; k++)
        assert_int_equal(sim_read(sim, sim_unknown(sim, k), NULL, to[k]), ERR_OK);
    sim_destroy(sim);
}

static void check_heights(const struct config *c)
{
    static const double heights[] = {128, 1100, 4000, -9000};
    static double low[3][1000], high[3][1000];
    struct scene s = raised(0);
    double *a[3] = {low[0], low[1], low[2]}, *b[3] = {high[0], high[1], high[2]};
    stored_after(c, &s, 12, a);
    scene_free(&s);
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        s = raised(heights[k]);
        stored_after(c, &s, 12, b);
        for (int f = 0; f < 3; f++)
            if (memcmp(low[f], high[f], sizeof low[f]) != 0)
                fail_msg("%s: field %d has other bits at %g m", described(c), f, heights[k]);
        scene_free(&s);
    }
}

static void ground_that_lies_higher_gives_the_same_bits(void **state)
{
    (void)state;
    for_every_scheme(check_heights);
}

/* A source whose values are formulas. */
struct formulas {
    double (*bed)(int i, int j);
    double (*level)(int i, int j);
    int (*wall)(int i, int j);
};

static double bed_of(const void *context, int i, int j)
{
    const struct formulas *f = context;
    return f->bed(i, j);
}

static struct flow water_of(const void *context, int i, int j)
{
    const struct formulas *f = context;
    return (struct flow){f->level(i, j), 0, 0};
}

static int wall_of(const void *context, int i, int j)
{
    const struct formulas *f = context;
    return f->wall(i, j);
}

enum { N = 24 };

static struct initial *initial_of(struct formulas *f, enum precision p)
{
    struct initial *in = NULL;
    const struct setup setup = {
        .grid = {N, N, 0, 0, 1, 1},
        .gravity = 9.81,
        .kappa = (double)NAN,
        .source = {.context = f,
                   .bed = bed_of,
                   .water = water_of,
                   .wall = f->wall ? wall_of : NULL},
    };
    if (initial_create(&in, &setup, p))
        fail_msg("%s", err_message());
    return in;
}

static double hills(int i, int j)
{
    return 4000 + 60 * sin(0.4 * i) * cos(0.3 * j) + 1.0 / 3;
}

static double hills_mean(int i, int j)
{
    return 0.25 * ((hills(i, j) + hills(i + 1, j + 1)) + (hills(i + 1, j) + hills(i, j + 1)));
}

static double film_on_hills(int i, int j)
{
    return hills_mean(i, j) + 1e-5;
}

static double lake_in_hills(int i, int j)
{
    return fmax(hills_mean(i, j), 3990.123456789);
}

static double slope_centre(const struct initial *in, int i, int j)
{
    return initial_bed_centre(in, i, j);
}

/* The sum of any four corners is exact. */
static void the_bed_is_rounded_to_a_power_of_two_that_sums_of_four_can_bear(void **state)
{
    (void)state;
    struct formulas f = {hills, hills_mean, NULL};
    for (int p = 0; p < PRECISIONS; p++) {
        struct initial *in = initial_of(&f, (enum precision)p);
        const double relief = 0.5 * (in->highest - in->lowest), q = in->quantum;
        const int digits = p == F64 ? DBL_MANT_DIG : FLT_MANT_DIG;
        int e;
        assert_true(frexp(q, &e) == 0.5);
        assert_true(q >= ldexp(relief, 2 - digits) && q < 4 * ldexp(relief, 2 - digits));
        assert_true(fmod(in->datum, q) == 0);
        for (int j = 0; j <= N; j++)
            for (int i = 0; i <= N; i++) {
                const double b = initial_bed(in, i, j) - in->datum;
                assert_true(fmod(b, q) == 0 && fabs(b) <= ldexp(q, digits - 2));
                ASSERT_NEAR(initial_bed(in, i, j), hills(i, j), 0.5 * q + 1e-12);
            }
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double mean = slope_centre(in, i, j);
                assert_true(fmod(mean - in->datum, q / 4) == 0);
            }
        initial_destroy(in);
    }
}

static void a_film_that_rounding_makes_is_dry(void **state)
{
    (void)state;
    struct formulas dry = {hills, hills_mean, NULL}, film = {hills, film_on_hills, NULL};
    for (int p = 0; p < PRECISIONS; p++) {
        struct initial *in = initial_of(&dry, (enum precision)p);
        assert_true(in->depth_max == 0 && in->kappa == 1e-3 && in->dry == 1e-6);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                assert_true(initial_depth(in, i, j) == 0);
        initial_destroy(in);
    }
    struct initial *in = initial_of(&film, F64); /* this much is water in f64 */
    ASSERT_NEAR(in->depth_max, 1e-5, 1e-11);
    initial_destroy(in);
}

/* All cells of the lake have the same eta, the land around it has none, and its shore determines kappa. */
static void a_lake_in_the_hills_is_level_to_the_bit(void **state)
{
    (void)state;
    struct formulas f = {hills, lake_in_hills, NULL};
    for (int p = 0; p < PRECISIONS; p++) {
        struct initial *in = initial_of(&f, (enum precision)p);
        double eta = (double)NAN;
        int wet = 0;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                if (!(initial_depth(in, i, j) > 0))
                    continue;
                const double here = initial_floor(in, i, j) + initial_depth(in, i, j);
                eta = wet++ ? eta : here;
                ASSERT_NEAR(in->datum + (initial_rest(in, i, j) + here), 3990.123456789, 1e-5);
            }
        assert_true(wet > 10 && wet < N * N);
        ASSERT_NEAR(in->datum + in->still, lake_in_hills(0, 0) * 0 + 3990.123456789, 1e-5);
        assert_true(strstr(in->kappa_rule, "shore") != NULL);
        initial_destroy(in);
    }
}

static double deep_floor(int i, int j)
{
    (void)i, (void)j;
    return -4000;
}

static double small_wave(int i, int j)
{
    return 0.016 * exp(-0.05 * ((i - 12) * (i - 12) + (j - 9) * (j - 9)));
}

/* f32 must represent the wave, not the ocean below it. */
static void a_small_wave_on_an_ocean_keeps_its_bits(void **state)
{
    (void)state;
    struct scene s = new_scene(N, N);
    struct config c;
    double w[N * N];
    configure(&c, "rk2", F32);
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++)
            s.bed[scene_corner(&s, i, j)] = deep_floor(i, j);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            s.field[0][scene_cell(&s, i, j)] = small_wave(i, j);
    struct sim *sim = create(&c, &s);
    assert_int_equal(sim_level(sim, w), ERR_OK);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            ASSERT_NEAR(w[scene_cell(&s, i, j)], small_wave(i, j), 1e-7 * 0.016);
    sim_destroy(sim);
    scene_free(&s);
}

static int is_wall(int i, int j)
{
    return i >= 10 && i < 14 && j >= 3 && j < 8;
}

static double plain(int i, int j)
{
    return 4000 + 0.01 * i + 0.02 * j;
}

/* The cells of walls, and the corners that rise to them. */
static double walled_plain(int i, int j)
{
    return i > 10 && i < 14 && j > 3 && j < 8 ? 4100.5 : plain(i, j);
}

static double water_on_plain(int i, int j)
{
    return is_wall(i, j) ? 0 : 4000.4;
}

static void walls_for_missing_terrain_are_no_relief(void **state)
{
    (void)state;
    struct formulas with = {walled_plain, water_on_plain, is_wall},
                    without = {plain, water_on_plain, NULL},
                    relief = {walled_plain, water_on_plain, NULL};
    struct initial *a = initial_of(&with, F32), *b = initial_of(&without, F32),
                   *c = initial_of(&relief, F32);
    assert_true(a->highest == b->highest && a->lowest == b->lowest);
    assert_true(a->quantum <= ldexp(1, -20) && c->quantum > 100 * a->quantum);
    ASSERT_NEAR(a->datum, b->datum, 0);
    initial_destroy(a);
    initial_destroy(b);
    initial_destroy(c);
}

/* Uneven, so that the mean of the corners of wall and ground is rounded. */
static double walled_hollow(int i, int j)
{
    return is_wall(i, j) && i > 10 && j > 3 ? 4100.3 : plain(i, j) + 0.001 * sin(7.0 * i * j);
}

static double hollow_mean(int i, int j)
{
    return 0.25 * ((walled_hollow(i, j) + walled_hollow(i + 1, j + 1)) +
                   (walled_hollow(i + 1, j) + walled_hollow(i, j + 1)));
}

/* Otherwise it would be the deepest water, and set kappa to a thousandth of its depth. */
static void no_film_is_left_beside_walls_for_missing_terrain(void **state)
{
    (void)state;
    struct formulas dry = {walled_hollow, hollow_mean, is_wall};
    for (int p = 0; p < PRECISIONS; p++) {
        struct initial *in = initial_of(&dry, (enum precision)p);
        assert_true(in->depth_max == 0 && in->kappa == 1e-3);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                assert_true(initial_depth(in, i, j) == 0);
        initial_destroy(in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_that_lies_higher_gives_the_same_bits),
        cmocka_unit_test(the_bed_is_rounded_to_a_power_of_two_that_sums_of_four_can_bear),
        cmocka_unit_test(a_film_that_rounding_makes_is_dry),
        cmocka_unit_test(a_lake_in_the_hills_is_level_to_the_bit),
        cmocka_unit_test(a_small_wave_on_an_ocean_keeps_its_bits),
        cmocka_unit_test(walls_for_missing_terrain_are_no_relief),
        cmocka_unit_test(no_film_is_left_beside_walls_for_missing_terrain),
    };
    return cmocka_run_group_tests_name("height", tests, NULL, NULL);
}
