/* Every registered reconstruction keeps what it declares, with the fluxes that suit it: rest around islands, positive
 * depths, mass, symmetries; and the same bits in every scheme that shares its text. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/simulate.h"

typedef void check_call(const struct config *c, const struct plugin *r, const struct plugin *f);

static int goes_with(const struct plugin *r, const struct plugin *f)
{
    return f && (!(r->properties & BED_STEP) || (f->properties & BED_STEP));
}

/* The default flux, or the first one that suits the reconstruction. */
static const struct plugin *usual_flux(const struct plugin *r)
{
    struct config c;
    config_defaults(&c);
    const struct plugin *f = find_plugin(fluxes, c.flux);
    for (int k = 0; !goes_with(r, f); k++) {
        f = fluxes[k];
        if (!f)
            fail_msg("reconstruction %s: no flux treats the steps of the bed", r->name);
    }
    return f;
}

/* All pairs in f32, and those with the default flux in f64. With rk2, whose bits the fused kernels reproduce and
 * which compiles in a third of the time; unless SHOAL_TEST_FULL with euler, which has one kernel with a flux, where
 * the flux is not the default one. */
static void for_every_pair(const char *scheme, check_call *check)
{
    for (int p = 0; p < PRECISIONS; p++)
        for (int k = 0; reconstructions[k]; k++)
            for (int n = 0; fluxes[n]; n++) {
                const struct plugin *r = reconstructions[k], *f = fluxes[n];
                struct config c;
                if (!goes_with(r, f) || (p == F64 && f != usual_flux(r) && !everything()))
                    continue;
                configure(&c, f == usual_flux(r) || everything() ? scheme : "euler",
                          (enum precision)p);
                snprintf(c.flux, sizeof c.flux, "%s", f->name);
                snprintf(c.reconstruction, sizeof c.reconstruction, "%s", r->name);
                check(&c, r, f);
            }
}

static double fastest(const struct scene *s)
{
    double most = 0;
    for (int k = 1; k < 3; k++)
        for (int c = 0; c < s->nx * s->ny; c++)
            most = fmax(most, fabs(s->field[k][c]));
    return most;
}

/* A lake with jagged islands. */
static struct scene archipelago(void)
{
    struct scene s = new_scene(37, 29);
    scene_random_bed(&s, -1.1, 0.9, 11);
    scene_level(&s, 0.17);
    return s;
}

/* The scene as the solver stores it: a run must leave it unchanged. */
static struct scene stored(const struct config *c, const struct scene *s)
{
    struct scene before;
    if (simulation_start(c, s, &before))
        fail_msg("%s: %s", described(c), err_message());
    return before;
}

/* The steepest slopes with the default flux. */
static void check_lake(const struct config *c, const struct plugin *r, const struct plugin *f)
{
    static const struct {
        const char *limiter;
        double theta;
    } slopes[] = {{"minmod", 1.3}, {"superbee", 2}};
    for (int k = 0; k < (f == usual_flux(r) || everything() ? 2 : 1); k++) {
        struct config other = *c;
        struct scene s = archipelago(), before = stored(c, &s);
        snprintf(other.limiter, sizeof other.limiter, "%s", slopes[k].limiter);
        other.theta = slopes[k].theta;
        struct outcome o = simulated_steps(&other, &s, 50);
        if (r->properties & WELL_BALANCED)
            expect_same(&other, "a lake with islands", &before, &o.state, 0);
        else if (!(fastest(&o.state) > 0))
            fail_msg("%s keeps a lake with islands at rest: declare it WELL_BALANCED",
                     described(&other));
        outcome_free(&o);
        scene_free(&before);
        scene_free(&s);
    }
}

static void a_lake_with_islands_stays_at_rest_to_the_bit_where_that_is_declared(void **state)
{
    (void)state;
    for_every_pair("rk2", check_lake);
}

/* A reconstruction may be exact at rest and yet drive a flow as soon as anything moves. A millionth of a
 * metre makes waves of its own size times the celerity. Where the flux sees steps as high as the water is
 * deep, small waves grow (see kernels/reconstructions/steps.h). */
static void check_disturbance(const struct config *c, const struct plugin *r,
                              const struct plugin *f)
{
    (void)f;
    if (c->precision != F64 || !(r->properties & WELL_BALANCED) || (r->properties & BED_STEP))
        return;
    struct scene s = archipelago();
    scene_stir(&s, 1e-6, 12);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++)
            if (!(s.field[0][scene_cell(&s, i, j)] > scene_bed_centre(&s, F64, i, j)))
                s.field[1][scene_cell(&s, i, j)] = s.field[2][scene_cell(&s, i, j)] = 0;
    struct outcome o = simulated_steps(c, &s, 400);
    if (!(fastest(&o.state) <= 1e-4))
        fail_msg("%s: a disturbance of 1e-6 m2/s in a lake at rest has become %g m2/s",
                 described(c), fastest(&o.state));
    outcome_free(&o);
    scene_free(&s);
}

static void a_small_disturbance_of_a_lake_with_islands_stays_small(void **state)
{
    (void)state;
    for_every_pair("rk2", check_disturbance);
}

/* Fronts over dry ground, water through two edges. Without friction, which would need other kernels: test_fused has
 * it with every reconstruction. */
static struct scene dam(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    s.kappa = 0.05;
    s.t_end = 60;
    scene_edges(&s, OPEN, PERIODIC);
    scene_random_bed(&s, -1, 0.5, 41);
    scene_level(&s, 0.1);
    scene_dam(&s, 0.3 * nx, 0.4 * ny, 0.3 * ny, 1.4);
    scene_stir(&s, 0.3, 42);
    return s;
}

/* A flux other than the default has the same text in all of them, too: test_fused tests that. */
static void check_schemes(const struct config *c, const struct plugin *r, const struct plugin *f)
{
    static const char *const others[] = {"rk2", "srk2"};
    if (f != usual_flux(r) && !everything())
        return;
    struct scene s = dam(41, 23);
    struct config fused = *c;
    fused.dt = 0.02; /* the fused kernels try a step of their own choice */
    struct outcome want = simulated_steps(&fused, &s, 30);
    for (int k = 0; k < (c->precision == F32 || everything() ? 2 : 1); k++) {
        struct config other = fused;
        snprintf(other.scheme, sizeof other.scheme, "%s", others[k]);
        struct outcome have = simulated_steps(&other, &s, 30);
        expect_same(&other, "not the bits of the fused kernels", &want.state, &have.state, 0);
        outcome_free(&have);
    }
    outcome_free(&want);
    scene_free(&s);
}

static void fused_and_split_kernels_have_the_bits_of_the_plain_ones(void **state)
{
    (void)state;
    for_every_pair("rk2_fused", check_schemes);
}

static void expect_seen(const struct config *c, const char *what, int how, const struct scene *s)
{
    struct scene seen = new_view(s, how);
    struct config other = *c;
    other.sweep = how & EXCHANGE ? SWEEP_YX : SWEEP_XY;
    struct outcome o = simulated_steps(c, s, 20), of_seen = simulated_steps(&other, &seen, 20);
    struct scene expected = new_view(&o.state, how);
    expect_same(c, what, &expected, &of_seen.state, 0);
    outcome_free(&o);
    outcome_free(&of_seen);
    scene_free(&expected);
    scene_free(&seen);
}

/* ds1 has its kernels read the state transposed in one direction. */
static void check_views(const struct config *c, const struct plugin *r, const struct plugin *f)
{
    if (!(r->properties & f->properties & SYMMETRIC) || f != usual_flux(r))
        return;
    struct scene s = dam(33, 26);
    expect_seen(c, "a dam break with x and y exchanged", EXCHANGE, &s);
    expect_seen(c, "a dam break mirrored in x", MIRROR_X, &s);
    expect_seen(c, "a dam break mirrored in y", MIRROR_Y, &s);
    scene_free(&s);
}

static void mirrored_and_exchanged_problems_have_the_same_bits_in_split_schemes(void **state)
{
    (void)state;
    for_every_pair("ds1", check_views);
}

static void mirrored_and_exchanged_problems_have_the_same_bits_in_unsplit_schemes(void **state)
{
    (void)state;
    for_every_pair("rk2", check_views);
}

/* Each substep rounds every level by up to half an ulp; a lost flux is 1e-5 and more. What is clipped is
 * counted in units of 2^-40 of the volume. */
static void check_mass(const struct config *c, const struct plugin *r, const struct plugin *f)
{
    struct scene s = dam(41, 23);
    const double most = c->precision == F64 ? 1e-11 : 3e-6;
    struct outcome o = simulated_steps(c, &s, 100);
    if (!(fabs(outcome_mass_error(&o)) <= most))
        fail_msg("%s: a mass error of %g", described(c), outcome_mass_error(&o));
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++)
            if (!(outcome_depth(&o, i, j) >= 0))
                fail_msg("%s: a depth of %g m in cell (%d, %d)", described(c),
                         outcome_depth(&o, i, j), i, j);
    if ((r->properties & f->properties & POSITIVE) && !(o.balance.clipped_in <= 1e-6 * o.volume0))
        fail_msg("%s: both plug-ins declare POSITIVE, and %g m3 of %g were below the bed",
                 described(c), o.balance.clipped_in, o.volume0);
    outcome_free(&o);
    scene_free(&s);
}

static void mass_is_kept_and_depths_are_positive(void **state)
{
    (void)state;
    for_every_pair("rk2", check_mass);
}

static void a_flux_that_leaves_steps_of_the_bed_untreated_is_refused(void **state)
{
    (void)state;
    for (int k = 0; reconstructions[k]; k++)
        for (int n = 0; fluxes[n]; n++) {
            struct config c;
            struct problem p;
            config_defaults(&c);
            snprintf(c.flux, sizeof c.flux, "%s", fluxes[n]->name);
            snprintf(c.reconstruction, sizeof c.reconstruction, "%s", reconstructions[k]->name);
            const enum err e = problem_open_case(&p, find_case("lake"), &c);
            assert_int_equal(e, goes_with(reconstructions[k], fluxes[n]) ? ERR_OK : ERR_USAGE);
            if (e) {
                assert_non_null(strstr(err_message(), reconstructions[k]->name));
                assert_non_null(strstr(err_message(), fluxes[n]->name));
            }
            problem_close(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_with_islands_stays_at_rest_to_the_bit_where_that_is_declared),
        cmocka_unit_test(a_small_disturbance_of_a_lake_with_islands_stays_small),
        cmocka_unit_test(fused_and_split_kernels_have_the_bits_of_the_plain_ones),
        cmocka_unit_test(mirrored_and_exchanged_problems_have_the_same_bits_in_split_schemes),
        cmocka_unit_test(mirrored_and_exchanged_problems_have_the_same_bits_in_unsplit_schemes),
        cmocka_unit_test(mass_is_kept_and_depths_are_positive),
        cmocka_unit_test(a_flux_that_leaves_steps_of_the_bed_untreated_is_refused),
    };
    return cmocka_run_group_tests_name("reconstructions", tests, NULL, NULL);
}
