/* Means of references over cells, and the norms that compare with them. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/near.h"
#include "verification/run/means.h"
#include "verification/run/verify.h"

enum { N = 10, CELLS = N * N };

struct means {
    double h[CELLS], hu[CELLS], hv[CELLS];
};

static double zero_bed(double x, double y)
{
    return 0 * (x + y);
}

/* Means over N x N cells of 1 m x 1 m (a channel: one row of N) from (0,0). */
static struct means means_of(struct flow (*exact)(double x, double y, double t),
                             double (*bed)(double x, double y), int channel, double t)
{
    const struct grid_info g = {N, channel ? 1 : N, 0, 0, 1, 1};
    const struct flow_case c = {.ny = channel ? 1 : N, .bed = bed, .exact = exact};
    struct means m = {0};
    reference_means(&c, &g, t, m.h, m.hu, m.hv);
    return m;
}

static struct flow plane(double x, double y, double t)
{
    return (struct flow){5 + 0.25 * x - 0.125 * y + t, 2, -3};
}

static struct flow bowl(double x, double y, double t)
{
    (void)t;
    return (struct flow){1 + x * x - 0.5 * x * y + 0.25 * y * y, x, y};
}

static struct flow wave(double x, double y, double t)
{
    (void)t;
    return (struct flow){2 + sin(x) * cos(y), 0, 0};
}

static void smooth_flows_have_exact_means(void **state)
{
    (void)state;
    const struct means p = means_of(plane, zero_bed, 0, 0.5), b = means_of(bowl, zero_bed, 0, 0);
    const struct means w = means_of(wave, zero_bed, 0, 0), row = means_of(bowl, zero_bed, 1, 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double x = i + 0.5, y = j + 0.5, s2 = 1.0 / 12;
            const int k = j * N + i;
            const double h = 5.5 + 0.25 * x - 0.125 * y;
            ASSERT_NEAR(p.h[k], h, 1e-13);
            ASSERT_NEAR(p.hu[k], 2 * h, 1e-13);
            ASSERT_NEAR(p.hv[k], -3 * h, 1e-13);
            ASSERT_NEAR(b.h[k], 1 + x * x + s2 - 0.5 * x * y + 0.25 * (y * y + s2), 1e-12);
            /* the mean of x times the above: the mean of x^3 is x^3 + 3 x s2 */
            ASSERT_NEAR(b.hu[k],
                        x + x * x * x + 3 * x * s2 - 0.5 * (x * x + s2) * y +
                            0.25 * x * (y * y + s2),
                        1e-11);
            ASSERT_NEAR(w.h[k], 2 + (cos(i) - cos(i + 1.0)) * (sin(j + 1.0) - sin(j)), 1e-6);
        }
    for (int i = 0; i < N; i++) { /* a channel lies in the middle of its row */
        const double x = i + 0.5;
        ASSERT_NEAR(row.h[i], 1 + x * x + 1.0 / 12 - 0.25 * x + 0.0625, 1e-12);
    }
}

static double beach(double x, double y)
{
    (void)y;
    return x - 4.3;
}

static struct flow level_sea(double x, double y, double t)
{
    (void)x, (void)y, (void)t;
    return (struct flow){0, 1, 7};
}

static void a_shore_inside_a_cell_is_seen(void **state)
{
    (void)state;
    for (int channel = 0; channel < 2; channel++) {
        const struct means m = means_of(level_sea, beach, channel, 0);
        const double sample = channel ? 1.0 / 256 : 1.0 / 16;
        for (int i = 0; i < N; i++) {
            const double wet = fmin(fmax(4.3 - i, 0), 1); /* width of the wet part, m */
            const double h = wet * (4.3 - i - 0.5 * wet);
            ASSERT_NEAR(m.h[i], h, i == 4 ? sample * sample / 2 : 1e-13);
            ASSERT_NEAR(m.hv[i], 7 * m.h[i], 1e-13);
        }
    }
}

static double step_height, step_slant;

/* A jump from 1 m to more, along a line through (4.37, 5). */
static struct flow step(double x, double y, double t)
{
    (void)t;
    return (struct flow){1 + step_height * (x - 4.37 > step_slant * (y - 5)), 0.5, 0};
}

static void a_jump_inside_a_cell_is_seen_however_low(void **state)
{
    (void)state;
    const double heights[] = {1, 0.1, 0.01, 2e-3};
    for (int k = 0; k < 4; k++) {
        step_height = heights[k];
        step_slant = 0;
        const struct means m = means_of(step, zero_bed, 0, 0), row = means_of(step, zero_bed, 1, 0);
        ASSERT_NEAR(m.h[3], 1, 0);
        ASSERT_NEAR(m.h[4], 1 + 0.63 * step_height, 0.037 * step_height);
        ASSERT_NEAR(m.h[5], 1 + step_height, 1e-15);
        ASSERT_NEAR(row.h[4], 1 + 0.63 * step_height, 0.0023 * step_height);
        step_slant = 0.3; /* over all rows the jump is at x = 4.37 in the mean */
        const struct means s = means_of(step, zero_bed, 0, 0);
        double sum = 0;
        for (int n = 0; n < CELLS; n++)
            sum += s.h[n];
        ASSERT_NEAR(sum, CELLS + step_height * N * (N - 4.37), 0.03 * step_height * N);
    }
}

/* Its formula has no value at a corner of cells. */
static struct flow whirl(double x, double y, double t)
{
    const double rx = x - 5, ry = y - 5, r = sqrt(rx * rx + ry * ry);
    (void)t;
    return (struct flow){1, -ry / r * r, rx / r * r};
}

static struct flow from_table(const void *of, const double *table, double x, double y, double t)
{
    (void)of;
    return (struct flow){table[0] + x + t, 0, 0 * y};
}

static void formulas_may_fail_at_a_point_and_references_take_the_place_of_formulas(void **state)
{
    (void)state;
    const struct means m = means_of(whirl, zero_bed, 0, 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            ASSERT_NEAR(m.hu[j * N + i], 4.5 - j, 1e-13);
    double table[1] = {3};
    struct reference reference = {.at = from_table, .table = table};
    const struct verification v = {.reference = &reference};
    const struct flow_case c = {.ny = N, .bed = zero_bed, .exact = plane, .verify = &v};
    const struct grid_info g = {N, N, 0, 0, 1, 1};
    struct means r = {0};
    reference_means(&c, &g, 0.25, r.h, r.hu, r.hv);
    ASSERT_NEAR(r.h[7], 3 + 7.5 + 0.25, 1e-13);
}

static struct flow sea_at_one(double x, double y, double t)
{
    (void)x, (void)y, (void)t;
    return (struct flow){1, 0, 0};
}

static void norms_are_what_they_say(void **state)
{
    (void)state;
    const struct flow_case c = {.exact = sea_at_one};
    const double bed[2] = {-1, 0}, w[2] = {1.25, 0.5}, h[2] = {2.25, 0.5}, hu[2] = {1, -3};
    const double hv[2] = {0, 0.5}, rh[2] = {2, 1}, rhu[2] = {1, -1}, rhv[2] = {0, 0},
                 no[2] = {0, 0};
    struct snapshot s = {.flow_case = &c,
                         .grid = {2, 1, 0, 0, 1, 1},
                         .dry = 0.1,
                         .bed = bed,
                         .w = w,
                         .h = h,
                         .hu = hu,
                         .hv = hv,
                         .rh = rh,
                         .rhu = rhu,
                         .rhv = rhv};
    ASSERT_NEAR(norm_l1_h.of(&s), 0.25, 1e-16);
    ASSERT_NEAR(norm_l1_q.of(&s), 1.25, 1e-16);
    ASSERT_NEAR(norm_l2_h.of(&s), 0.25, 1e-15);
    ASSERT_NEAR(norm_max_q.of(&s), 2, 1e-16);
    ASSERT_NEAR(norm_mean_w.of(&s), 0.375, 1e-16);
    ASSERT_NEAR(norm_mean_hu.of(&s), 1, 1e-16);
    ASSERT_NEAR(norm_mean_hv.of(&s), 0.25, 1e-16);
    ASSERT_NEAR(norm_level.of(&s), 0.5, 1e-16);
    ASSERT_NEAR(norm_discharge.of(&s), 3, 1e-16);
    s.dry = 0.6; /* the second cell is dry now */
    ASSERT_NEAR(norm_level.of(&s), 0.25, 1e-16);
    s.rhu = no; /* compared with nothing: the plain sum */
    ASSERT_NEAR(norm_l1_q.of(&s), 4.5, 1e-15);
    ASSERT_NEAR(norm_max_q.of(&s), 3, 1e-15);
    const double bad[2] = {(double)NAN, 1};
    s.h = s.hu = s.w = bad;
    const struct norm *const all[] = {&norm_l1_h,   &norm_l1_q,    &norm_l2_h,  &norm_max_q,
                                      &norm_mean_w, &norm_mean_hu, &norm_level, &norm_discharge};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!isnan(all[k]->of(&s)))
            fail_msg("%s of a state with a NaN is a number", all[k]->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_flows_have_exact_means),
        cmocka_unit_test(a_shore_inside_a_cell_is_seen),
        cmocka_unit_test(a_jump_inside_a_cell_is_seen_however_low),
        cmocka_unit_test(formulas_may_fail_at_a_point_and_references_take_the_place_of_formulas),
        cmocka_unit_test(norms_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
