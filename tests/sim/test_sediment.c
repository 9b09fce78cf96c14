/* Two sediments in a basin: what their schemes compute. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/basin.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/near.h"

enum { NX = BASIN_NX, NY = BASIN_NY, CELLS = BASIN_CELLS };

/* What the kernels must compute, as plainly as possible: one step of dt, without edges. */
struct plain {
    double h[NY + 2][NX + 2], s[NY + 2][NX + 2], a[NY + 2][NX + 2], b[NY + 2][NX + 2];
};

static void take_start(struct plain *p, const struct flow_case *f)
{
    for (int j = 0; j < NY + 2; j++)
        for (int i = 0; i < NX + 2; i++) {
            const int u = i < 1    ? 0
                          : i > NX ? NX - 1
                                   : i - 1,
                      v = j < 1    ? 0
                          : j > NY ? NY - 1
                                   : j - 1;
            const double x = (u + 0.5) * basin_size, y = (v + 0.5) * basin_size;
            p->h[j][i] = f->value(x, y, 0);
            p->s[j][i] = f->value(x, y, 1);
            p->a[j][i] = f->given(x, y, 0);
            p->b[j][i] = f->given(x, y, 1);
        }
}

static double sand_of(const struct plain *p, int i, int j)
{
    return p->a[j][i] * p->s[j][i];
}

static double mud_of(const struct plain *p, int i, int j)
{
    return p->b[j][i] * (1 - p->s[j][i]);
}

static const int aside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Eqs. (3) and (4) of Su et al. 2013. */
static void step_as_published(const struct plain *p, double dt, double h[CELLS], double s[CELLS])
{
    static double fresh[NY + 2][NX + 2];
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                const int u = i + aside[k][0], v = j + aside[k][1];
                sum += (0.5 * (sand_of(p, i, j) + sand_of(p, u, v)) / basin_compaction[0] +
                        0.5 * (mud_of(p, i, j) + mud_of(p, u, v)) / basin_compaction[1]) *
                       (p->h[v][u] - p->h[j][i]);
            }
            fresh[j][i] = p->h[j][i] + dt * sum / (basin_size * basin_size);
        }
    for (int j = 1; j <= NY; j++)
        fresh[j][0] = fresh[j][1], fresh[j][NX + 1] = fresh[j][NX];
    for (int i = 1; i <= NX; i++)
        fresh[0][i] = fresh[1][i], fresh[NY + 1][i] = fresh[NY][i];
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sum = 0;
            for (int axis = 0; axis < 2; axis++) {
                const int e = axis == 0, n = axis == 1;
                const double low = fresh[j - n][i - e], high = fresh[j + n][i + e];
                const double here = sand_of(p, i, j);
                const double rise = high - low;
                sum += here * (low - 2 * fresh[j][i] + high) +
                       0.5 * rise *
                           (rise > 0 ? sand_of(p, i + e, j + n) - here
                                     : here - sand_of(p, i - e, j - n));
            }
            const int k = (j - 1) * NX + i - 1;
            h[k] = fresh[j][i];
            s[k] = p->s[j][i] + (dt * sum / (basin_compaction[0] * basin_size * basin_size) -
                                 p->s[j][i] * (fresh[j][i] - p->h[j][i])) /
                                    basin_layer;
        }
}

static void step_by_fluxes(const struct plain *p, double dt, double h[CELLS], double s[CELLS])
{
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sand = 0, mud = 0;
            for (int k = 0; k < 4; k++) {
                const int u = i + aside[k][0], v = j + aside[k][1];
                const double rise = p->h[v][u] - p->h[j][i];
                sand +=
                    rise / basin_compaction[0] * (rise > 0 ? sand_of(p, u, v) : sand_of(p, i, j));
                mud += rise / basin_compaction[1] * (rise > 0 ? mud_of(p, u, v) : mud_of(p, i, j));
            }
            const int k = (j - 1) * NX + i - 1;
            const double own = p->s[j][i], by = dt / (basin_size * basin_size);
            h[k] = p->h[j][i] + by * (sand + mud);
            s[k] = own + by / basin_layer * ((1 - own) * sand - own * mud);
        }
}

/* The unknown, "h" or "s", that one step of a scheme computes wrongly; "" where both are right. */
static const char *wrong_in(const char *scheme)
{
    static struct plain p;
    static struct basin_state got;
    static double h[CELLS], s[CELLS];
    const double dt = 0.002;
    struct config c = basin_config(scheme);
    double off_h = 0, off_s = 0;
    c.dt = dt;
    c.steps = 1;
    take_start(&p, &basin);
    (strcmp(scheme, "basin") == 0 ? step_as_published : step_by_fluxes)(&p, dt, h, s);
    fine(basin_ran(&basin, &c, &got));
    for (int k = 0; k < CELLS; k++) {
        off_h = fmax(off_h, fabs(got.h[k] - h[k]));
        off_s = fmax(off_s, fabs(got.s[k] - s[k]));
    }
    return off_h > 1e-14 ? "h" : off_s > 1e-14 ? "s" : "";
}

static void a_step_is_that_of_the_equations(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_string_equal(wrong_in(basin_schemes[k]), "");
}

static void planted_mistakes_are_seen_in_what_they_spoil(void **state)
{
    static const struct {
        const char *what, *scheme, *right, *wrong, *spoils;
    } plants[] = {
        {"downwind", "basin", "rise > REAL(0) ? a_high - a : a - a_low",
         "rise < REAL(0) ? a_high - a : a - a_low", "s"},
        {"old h in the second kernel", "basin", "LOAD(a.to_h[(k)", "LOAD(a.h[(k)", "s"},
        {"a geometric mean", "basin", "REAL(0.5) * (a + b)", "root(a * b)", "h"},
        {"Cs for Cm", "basin", "a.p.PER_MUD)", "a.p.PER_SAND)", "h"},
        {"downhill", "basin_cons", "(rise > REAL(0) ? there : here)",
         "(rise < REAL(0) ? there : here)", "h"},
        {"Cs for Cm", "basin_cons", "a.p.PER_MUD)", "a.p.PER_SAND)", "h"},
        {"sand for mud", "basin_cons", "- share * mud)", "- share * sand)", "s"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        scratch_create();
        kernel_copy(scratch);
        kernel_plant("systems/sediment.cu", plants[k].right, plants[k].wrong);
        const char *spoilt = wrong_in(plants[k].scheme);
        kernel_copy_leave();
        scratch_remove(NULL);
        if (strcmp(spoilt, plants[k].spoils) != 0)
            fail_msg("%s in %s: '%s' is wrong, not '%s'", plants[k].what, plants[k].scheme, spoilt,
                     plants[k].spoils);
    }
}

/* More than 20,000 cells at the step that the scheme claims, each with values unrelated to its neighbours'. */
static void the_share_of_sand_stays_between_0_and_1_in_the_conservative_scheme(void **state)
{
    static struct basin_state end;
    (void)state;
    for (basin_seed = 1; basin_seed <= 52; basin_seed++) {
        struct config c = basin_config("basin_cons");
        struct flow_case f = basin;
        if (basin_seed % 2) {
            f = basin_with_edges();
            f.value = basin_rough;
            f.given = basin_coefficient;
        }
        c.steps = basin_seed % 4 ? 3 : 100;
        fine(basin_ran(&f, &c, &end));
        if (end.excess > 0)
            fail_msg("basin %u: the share is beyond its bounds by %g", basin_seed, end.excess);
        const double error = end.sand.volume - end.sand.inflow;
        if (fabs(error) > 1e-12)
            fail_msg("basin %u: %g m3 of sand are gained", basin_seed, error);
    }
    basin_seed = 0;
}

static void the_published_scheme_reports_its_excess_and_gives_up(void **state)
{
    struct config c = basin_config("basin");
    static struct basin_state end;
    (void)state;
    c.steps = 1;
    c.dt = 1e-3;
    fine(basin_ran(&basin, &c, &end));
    assert_true(end.excess > 0 && end.excess < 0.1);
    c.steps = 1000;
    c.dt = (double)NAN;
    assert_int_equal(basin_ran(&basin, &c, NULL), ERR_BROKEN);
    if (!strstr(err_message(), "the share of sand, s, is ") || !strstr(err_message(), " in cell ("))
        fail_msg("%s", err_message());
}

static double alone;
static double one_sediment(double x, double y, int k)
{
    return k == 0 ? basin_rough(x, y, 0) : alone;
}

static void one_sediment_stays_alone_to_the_bit(void **state)
{
    static struct basin_state end;
    (void)state;
    for (alone = 0; alone <= 1; alone++) {
        struct flow_case f = basin_with_edges();
        struct config c = basin_config("basin_cons");
        f.value = one_sediment;
        f.given = basin_coefficient;
        f.edge[WEST].in[alone > 0 ? 1 : 0] = 0;
        f.edge[SOUTH].in[0] = alone > 0 ? 3e-3 : 0;
        f.edge[SOUTH].in[1] = alone > 0 ? 0 : 3e-3;
        c.steps = 40;
        fine(basin_ran(&f, &c, &end));
        for (int k = 0; k < CELLS; k++)
            if (end.s[k] != alone)
                fail_msg("cell %d: a share of %.17g, not %g", k, end.s[k], alone);
    }
}

/* What enters is a given number of m2/s along this many metres. */
static void edges_bring_what_they_are_given(void **state)
{
    static struct basin_state end;
    const struct flow_case f = basin_with_edges();
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = basin_config(basin_schemes[k]);
        c.t_end = 5;
        fine(basin_ran(&f, &c, &end));
        const double west = NY * basin_size, south = 4 * basin_size,
                     all = 5 * (7e-3 * west + 3e-3 * south);
        ASSERT_NEAR(end.volume.in, all, 1e-12 * all);
        ASSERT_NEAR(end.volume.out, 5 * 4e-3 * west, 1e-12);
        ASSERT_NEAR(end.sand.in, 5 * 2e-3 * west, 1e-12);
        assert_true(end.sand.out > 0.1 * end.volume.out && end.sand.out < 0.9 * end.volume.out);
    }
}

static void f32_loses_what_is_small_beside_h(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct basin_run r;
        struct config c = basin_config(basin_schemes[k]);
        const struct flow_case f = basin_with_edges();
        struct balance b;
        double excess;
        c.precision = F32;
        c.steps = 20;
        basin_open(&r, &f, &c);
        fine(sim_run(r.sim, (double)INFINITY, NULL));
        fine(sim_balance(r.sim, &b));
        fine(sim_excess(r.sim, &excess));
        assert_true(fabs(sim_mass_error(r.sim, &b)) < 1e-5);
        assert_true(excess == 0);
        basin_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_that_of_the_equations),
        cmocka_unit_test(planted_mistakes_are_seen_in_what_they_spoil),
        cmocka_unit_test(the_share_of_sand_stays_between_0_and_1_in_the_conservative_scheme),
        cmocka_unit_test(the_published_scheme_reports_its_excess_and_gives_up),
        cmocka_unit_test(one_sediment_stays_alone_to_the_bit),
        cmocka_unit_test(edges_bring_what_they_are_given),
        cmocka_unit_test(f32_loses_what_is_small_beside_h),
    };
    return cmocka_run_group_tests_name("sediment", tests, kernel_home_keep, NULL);
}
