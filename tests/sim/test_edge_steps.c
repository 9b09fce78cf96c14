/* Time steps take into account what edges and forcing will bring, and all of it enters. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "tests/support/edge_run.h"
#include "tests/support/of_each_kind.h"

static struct flow dry(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){0, 0, 0};
}

static struct forcing rain(double x, double y)
{
    (void)x, (void)y;
    return (struct forcing){.w = 1e-5};
}

static const struct flow_case plain = {.name = "plain",
                                       .nx = 16,
                                       .ny = 8,
                                       .lx = 160,
                                       .ly = 80,
                                       .t_end = 900,
                                       .gravity = 9.81,
                                       .manning = 0.05,
                                       .kappa = 0.001,
                                       .bed = flat_bed,
                                       .initial = dry};

/* Discharges in m3/s: with a pause, with rows a millisecond apart, and with one that flows backwards. */
static const char pause_text[] = "0 0\n300 0\n500 6\n700 6\n900 0\n";
static const char jumps_text[] = "0 0\n300 0\n300.001 6\n600 6\n600.001 0\n900 0\n";
static const char slower_text[] = "0 0\n300 0\n301 6\n600 6\n601 0\n900 0\n";

/* Schemes that choose a step, split it, take two at once, and try it. */
static const char *const of_each_kind[] = {"rk2", "ds1", "ds2", "rk2_fused"};

static double through(struct run *r, const struct flow_case *f)
{
    double sum = 0;
    for (int k = 0; k < f->ny; k++)
        sum += crossed(r, WEST, k) * f->ly / f->ny;
    return sum;
}

static unsigned long run_inflow(const char *scheme, const char *precision, const char *edge,
                                double volume)
{
    struct run *r = START(&plain, scheme, precision, edge);
    go(r);
    const unsigned long steps = r->sim->now.steps;
    const double off = fabs(through(r, &plain) / volume - 1);
    /* What would be shallower than the dry depth, 1e-6 m, does not enter: 3e-9 m2/s for the first step or two. */
    if (!(off <= (strstr(precision, "f64") ? 1e-10 : 1e-6)))
        fail_msg("%s %s %s: %.17g m3 came in, not %g", scheme, precision, edge, through(r, &plain),
                 volume);
    if (sim_check_edges(r->sim, &r->problem.setup))
        fail_msg("%s %s: %s", scheme, edge, err_message());
    finish(r);
    return steps;
}

static void a_flood_after_a_pause_brings_its_volume_in_every_scheme(void **state)
{
    (void)state;
    scratch_write("pause.txt", "w", pause_text);
    FOR_SCHEMES_OF_WATER (k)
        for (int p = everything() ? F32 : F64; p < PRECISIONS; p++) {
            const unsigned long steps =
                run_inflow(schemes[k]->name, p == F64 ? "--precision=f64" : "--precision=f32",
                           "--bc-west=inflow:pause.txt@20..60", 2400);
            if (!(steps > 100 && steps < 1500))
                fail_msg("%s: %lu steps", schemes[k]->name, steps);
        }
}

/* A repeated step or two, and the short ones while the discharge rises. */
static void rows_a_millisecond_apart_do_not_throttle_a_run(void **state)
{
    (void)state;
    scratch_write("jumps.txt", "w", jumps_text);
    scratch_write("slower.txt", "w", slower_text);
    FOR_SCHEMES_OF_WATER (k) {
        const char *const scheme = schemes[k]->name;
        if (!answers_for_its_kind(scheme))
            continue;
        const unsigned long fast =
            run_inflow(scheme, "--precision=f64", "--bc-west=inflow:jumps.txt@20..60", 1800);
        const unsigned long slow =
            run_inflow(scheme, "--precision=f64", "--bc-west=inflow:slower.txt@20..60", 1800);
        if (!(fast <= slow + 6))
            fail_msg("%s: %lu steps with rows a millisecond apart, %lu with seconds", scheme, fast,
                     slow);
    }
}

/* The same hydrograph in rows every 50 ms: many in a step. */
static void write_dense(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k <= 18000; k++) {
        const double t = 0.05 * k;
        const double q = t < 300   ? 0
                         : t < 500 ? 6 * (t - 300) / 200
                         : t < 700 ? 6
                                   : 6 * (900 - t) / 200;
        fprintf(f, "%.17g %.17g\n", t, q);
    }
    assert_int_equal(fclose(f), 0);
}

static double slope(double x, double y)
{
    (void)y;
    return -0.02 * x;
}

/* Down a smooth slope water runs away from the edge faster than its waves: only a ghost cell that flows outwards
 * even faster keeps more from being drawn in after it. */
static void nothing_follows_water_that_runs_away_when_the_inflow_ends(void **state)
{
    (void)state;
    static const char *const schemes_here[] = {"euler", "rk2_fused", "hancock"};
    static const char *const fluxes_here[] = {"--flux=central_upwind", "--flux=hllc",
                                              "--flux=rusanov"};
    struct flow_case away = plain;
    away.lx = 320, away.ly = 160, away.t_end = 60, away.manning = 0, away.bed = slope;
    scratch_write("stops.txt", "w", "0 0\n5 0\n6 1\n30 1\n31 0\n100 0\n");
    for (int k = 0; k < 3; k++)
        for (int flux = 0; flux < 3; flux++) {
            struct run *r = START(&away, schemes_here[k], "--precision=f64", fluxes_here[flux],
                                  "--bc-west=inflow:stops.txt");
            go(r);
            const double sum = through(r, &away);
            if (!(fabs(sum / 25 - 1) <= 1e-6))
                fail_msg("%s %s: %.17g m3 came in, not 25", schemes_here[k], fluxes_here[flux],
                         sum);
            finish(r);
        }
}

/* Towards the middle, with humps as high as the water is deep. */
static double rising(double x, double y)
{
    const double inwards = fmin(fmin(x, plain.lx - x), fmin(y, plain.ly - y));
    return 1200 + 0.02 * inwards + 0.1 * sin(0.3 * x) * cos(0.4 * y);
}

static void water_enters_dry_ground_that_rises(void **state)
{
    (void)state;
    static const char *const edges[] = {"west", "east", "south", "north"};
    static const char *const reconstructions_here[] = {
        "--reconstruction=audusse", "--reconstruction=chen_noelle", "--reconstruction=kp"};
    struct flow_case hill = plain;
    hill.bed = rising;
    scratch_write("pause.txt", "w", pause_text);
    FOR_SCHEMES_OF_WATER (k)
        for (int n = 0; n < 3; n++) {
            const char *const edge = edges[(k + n) % 4];
            char option[64];
            if (n > 0 && !answers_for_its_kind(schemes[k]->name))
                continue;
            snprintf(option, sizeof option, "--bc-%s=inflow:pause.txt@20..60", edge);
            struct run *r =
                START(&hill, schemes[k]->name, "--precision=f64", reconstructions_here[n], option);
            go(r);
            const struct balance b = balance_of(r);
            if (!(fabs(b.in / 2400 - 1) <= 1e-6))
                fail_msg("%s %s %s: %.17g m3 came in, not 2400", schemes[k]->name, option,
                         reconstructions_here[n], b.in);
            finish(r);
        }
}

static void many_rows_in_a_step_cost_few_steps(void **state)
{
    (void)state;
    scratch_write("pause.txt", "w", pause_text);
    write_dense("dense.txt");
    for (int k = 0; k < 4; k++) {
        const char *const scheme = of_each_kind[k];
        const unsigned long few =
            run_inflow(scheme, "--precision=f64", "--bc-west=inflow:pause.txt@20..60", 2400);
        const unsigned long dense =
            run_inflow(scheme, "--precision=f64", "--bc-west=inflow:dense.txt@20..60", 2400);
        if (!(100 * dense <= 106 * few))
            fail_msg("%s: %lu steps with dense rows, %lu with few", scheme, dense, few);
    }
}

static struct flow dam(double x, double y)
{
    (void)y;
    return (struct flow){x < 60 ? 3 : 0.01, 0, 0};
}

/* The waves of a dam break grow faster than a plan allows for: steps are rejected, and nothing is lost. */
static void a_planned_step_that_is_too_long_is_redone(void **state)
{
    static const char *const planned[] = {"rk2", "srk2", "ssprk3", "euler"};
    struct flow_case f = plain;
    (void)state;
    f.initial = dam;
    f.t_end = 30;
    scratch_write("saw.txt", "w",
                  "0 1\n0.3 2\n0.5 1\n1.1 3\n1.3 1\n1.9 2\n2.2 1\n3 2\n3.4 1\n4 3\n40 3\n");
    for (size_t k = 0; k < sizeof planned / sizeof *planned; k++) {
        struct run *r = START(&f, planned[k], "--precision=f64", "--bc-east=discharge:saw.txt",
                              "--dt-factor=0.999");
        const double area = timeseries_integral(r->problem.setup.segments[0].series, 0, f.t_end);
        go(r);
        for (int m = 0; m < f.ny; m++)
            if (!(fabs(crossed(r, EAST, m) - area) <= 1e-11 * area))
                fail_msg("%s: %.17g m2 came in, not %.17g", planned[k], crossed(r, EAST, m), area);
        if (r->sim->now.redone == 0)
            fail_msg("%s: no step was given up: no test", planned[k]);
        finish(r);
    }
}

/* A discharge that falls to zero within a step must not change sign in one of its substeps. */
static void what_comes_in_does_not_go_out_where_a_series_ends_at_once(void **state)
{
    (void)state;
    scratch_write("jumps.txt", "w", jumps_text);
    FOR_SCHEMES_OF_WATER (k) {
        struct run *r =
            START(&plain, schemes[k]->name, "--precision=f64", "--bc-west=inflow:jumps.txt@20..60");
        go(r);
        const struct balance b = balance_of(r);
        if (!(b.out <= 1e-12))
            fail_msg("%s: %g m3 went out", schemes[k]->name, b.out);
        finish(r);
    }
}

/* No more than there is can leave: that is no failure of the run. */
static void a_sink_takes_the_water_there_is(void **state)
{
    (void)state;
    scratch_write("sink.txt", "w", "0 6\n100 6\n100.001 -60\n900 -60\n");
    struct run *r = START(&plain, "rk2", "--precision=f64", "--bc-west=inflow:sink.txt@20..60");
    go(r);
    assert_true(through(r, &plain) > -1);
    assert_int_equal(sim_check_edges(r->sim, &r->problem.setup), ERR_OK);
    finish(r);
}

/* As if a step had let 0.01 % too much in through the first cell of the segment. */
static void a_balance_that_denies_its_series_is_named(void **state)
{
    const size_t cell = 3;
    (void)state;
    scratch_write("pause.txt", "w", pause_text);
    for (int sweep = 0; sweep < 2; sweep++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct run *r =
                START(&plain, "ds2", "--precision=f64", "--bc-south=wall@0..80",
                      sweep ? "--sweep=yx" : "--sweep=xy", "--bc-west=inflow:pause.txt@20..60");
            struct sim *s = r->sim;
            double *sum;
            go(r);
            const size_t at = (s->turned ? 2 * (size_t)s->grid.ny : 0) + cell;
            assert_int_equal(sim_check_edges(s, &r->problem.setup), ERR_OK);
            assert_int_equal(sim_crossed(s, &sum), ERR_OK);
            assert_true(sum[at] > 0);
            sum[at] += sign * 1.1e-4 * 2400 / 10;
            assert_int_equal(s->backend->upload(s->device, s->rim_sum + at, &sum[at], sizeof *sum),
                             ERR_OK);
            free(sum);
            const enum err e = sim_check_edges(s, &r->problem.setup);
            ASSERT_REFUSED(e, "--bc-west inflow:pause.txt@20..60");
            assert_int_equal(e, ERR_CHECK);
            ASSERT_REFUSED(e, "expected an inflow of 2400 m3");
            s->now.t = 0.5 * s->t_end; /* an interrupted run is not checked */
            assert_int_equal(sim_check_edges(s, &r->problem.setup), ERR_OK);
            finish(r);
        }
}

static void expect_same(struct run *a, struct run *b, const char *what)
{
    for (int k = 0; k < 3; k++) {
        double *x = field_of(a, k), *y = field_of(b, k);
        if (memcmp(x, y, (size_t)plain.nx * (size_t)plain.ny * sizeof *x) != 0)
            fail_msg("%s: %s changes field %d", a->config.scheme, what, k);
        free(x);
        free(y);
    }
}

/* A pause interrupts a step that has begun, whose ghost cells and length the series have already decided. */
static void pauses_and_orders_of_threads_change_no_bit(void **state)
{
    (void)state;
    scratch_write("jumps.txt", "w", jumps_text);
    scratch_write("tide.txt", "w", "0 -1\n200 -0.5\n400 0.3\n");
    struct flow_case f = plain;
    f.t_end = 400;
    for (int k = 0; k < 4; k++) {
        struct run *r[3] = {NULL};
        for (int n = 0; n < 3; n++)
            r[n] =
                START(&f, of_each_kind[k], "--precision=f64", "--bc-west=inflow:jumps.txt@20..60",
                      "--bc-east=level:tide.txt", n == 2 ? "--order=shuffled" : "--quiet");
        go(r[0]);
        for (int t = 50; t < (int)f.t_end; t += 47)
            assert_int_equal(sim_run(r[1]->sim, t, NULL), ERR_OK);
        go(r[1]);
        go(r[2]);
        expect_same(r[0], r[1], "pausing");
        expect_same(r[0], r[2], "another order of threads");
        for (int n = 0; n < 3; n++)
            finish(r[n]);
    }
}

/* g P dt is the square of the wave speed that rain on dry land reaches in a step. */
static void the_first_steps_of_rain_on_dry_land_are_as_short_as_its_waves_ask(void **state)
{
    struct flow_case wet = plain;
    const double dx = wet.lx / wet.nx, rate = 1e-5;
    (void)state;
    wet.forcing = rain;
    FOR_SCHEMES_OF_WATER (k) {
        struct run *r = START(&wet, schemes[k]->name, "--precision=f64");
        go(r);
        const double dt = r->sim->now.dt_max, courant = r->config.cfl;
        if (!(courant * dx / dt >= sqrt(wet.gravity * rate * dt) * (1 - 1e-12) && dt > 20))
            fail_msg("%s: a step of %g s", schemes[k]->name, dt);
        finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_after_a_pause_brings_its_volume_in_every_scheme),
        cmocka_unit_test(rows_a_millisecond_apart_do_not_throttle_a_run),
        cmocka_unit_test(nothing_follows_water_that_runs_away_when_the_inflow_ends),
        cmocka_unit_test(water_enters_dry_ground_that_rises),
        cmocka_unit_test(many_rows_in_a_step_cost_few_steps),
        cmocka_unit_test(a_planned_step_that_is_too_long_is_redone),
        cmocka_unit_test(what_comes_in_does_not_go_out_where_a_series_ends_at_once),
        cmocka_unit_test(a_sink_takes_the_water_there_is),
        cmocka_unit_test(a_balance_that_denies_its_series_is_named),
        cmocka_unit_test(pauses_and_orders_of_threads_change_no_bit),
        cmocka_unit_test(the_first_steps_of_rain_on_dry_land_are_as_short_as_its_waves_ask),
    };
    return cmocka_run_group_tests_name("edge_steps", tests, edge_run_set_up, scratch_remove);
}
