/* Edges with segments, and with values that change with time. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "tests/support/need_gpu.h"
#include "tests/support/edge_run.h"

static double flat(double x, double y)
{
    (void)x, (void)y;
    return -1;
}

/* A bed between -1.4 and -0.6 m, which rises out of the water in the middle if there is an island. */
static double rough(double x, double y)
{
    return -1 + 0.25 * sin(3 * x + y) + 0.15 * cos(5 * y - 2 * x);
}

static double island(double x, double y)
{
    return rough(x, y) + 3 * exp(-0.2 * ((x - 3) * (x - 3) + y * y));
}

static struct flow still(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){0.1, 0, 0}; /* a level that is rounded */
}

static const struct flow_case basin = {.name = "basin",
                                       .nx = 20,
                                       .ny = 12,
                                       .lx = 20,
                                       .ly = 12,
                                       .t_end = 21 * 0.0625,
                                       .gravity = 9.81,
                                       .kappa = 0.001,
                                       .bed = flat,
                                       .initial = still};

/* Rows at times that no time step meets. */
static const char hydrograph_text[] = "# a flood wave\ntime Q\n0 0\n0.333 0.9\n0.777 0.3\n2 0.3\n";

static double integral(double time)
{
    return 0.333 * 0.45 + (0.777 - 0.333) * 0.6 + (time - 0.777) * 0.3;
}

static void expect_crossed(struct run *r, enum edge e, int k, double want)
{
    const double have = crossed(r, e, k);
    if (!(fabs(have - want) <= 1e-13))
        fail_msg("%s: edge %d, position %d: %.17g m2 came in, not %.17g", r->config.scheme, e, k,
                 have, want);
}

/* 0.9 m3/s over three cells in the west, a discharge per metre over eight in the south, and outflow in the north. */
static void expect_hydrograph(const char *scheme, const char *step)
{
    struct run *r = START(&basin, scheme, "--precision=f64", step, "--bc-west=inflow:q.txt@3..6",
                          "--bc-south=discharge:q.txt@8..16", "--bc-north=discharge:-0.05@0..19",
                          "--bc-north=wall@5..6");
    go(r);
    const double want = integral(basin.t_end);
    for (int k = 0; k < basin.ny; k++)
        expect_crossed(r, WEST, k, k >= 3 && k < 6 ? want / 3 : 0);
    for (int k = 0; k < basin.nx; k++)
        expect_crossed(r, SOUTH, k, k >= 8 && k < 16 ? want : 0);
    for (int k = 0; k < basin.nx; k++)
        expect_crossed(r, NORTH, k, k == 5 || k == 19 ? 0 : -0.05 * basin.t_end);
    finish(r);
}

static void what_comes_in_is_the_integral_of_the_hydrograph_in_every_scheme(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", hydrograph_text);
    FOR_SCHEMES_OF_WATER (k) {
        expect_hydrograph(schemes[k]->name, "--dt=0.0625");
        expect_hydrograph(schemes[k]->name, "--cfl=0.2");
    }
}

static const struct flow_case channel = {.name = "channel",
                                         .nx = 24,
                                         .ny = 1,
                                         .lx = 24,
                                         .ly = 1,
                                         .t_end = 3,
                                         .gravity = 9.81,
                                         .kappa = 0.001,
                                         .bed = flat,
                                         .initial = still};

/* A smooth pulse, in enough rows that its corners do not matter. */
static void write_pulse(const char *name, double base, double most)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k <= 6000; k++) {
        const double t = 3.0 * k / 6000, s = sin(t);
        fprintf(f, "%.17g %.17g\n", t, base + most * s * s * s);
    }
    assert_int_equal(fclose(f), 0);
}

static double *levels_with(const char *scheme, const char *edge, const char *dt)
{
    struct run *r = START(&channel, scheme, "--precision=f64", "--limiter=none", "--dt", dt, edge);
    go(r);
    double *w = field_of(r, 0);
    finish(r);
    return w;
}

static double apart(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < channel.nx; k++)
        sum += fabs(a[k] - b[k]);
    return sum;
}

static void a_changing_edge_keeps_the_order_in_time(void **state)
{
    static const struct {
        const char *scheme;
        double order;
    } all[] = {{"rk2", 1.9}, {"rk2_fused", 1.9}, {"srk2", 1.9}, {"ds2", 1.9}, {"ssprk3", 2.9}};
    static const char *const edges[] = {"--bc-west=discharge:q.txt", "--bc-west=level:w.txt",
                                        "--bc-west=depth:h.txt"};
    (void)state;
    write_pulse("q.txt", 0, 0.3);
    write_pulse("w.txt", 0.1, 0.1);
    write_pulse("h.txt", 1.1, 0.1);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
            double *exact = levels_with(all[n].scheme, edges[e], "0.00234375");
            double *coarse = levels_with(all[n].scheme, edges[e], "0.0375");
            double *fine = levels_with(all[n].scheme, edges[e], "0.01875");
            const double order = log2(apart(coarse, exact) / apart(fine, exact));
            if (!(order >= all[n].order && apart(coarse, exact) > 1e-9))
                fail_msg("%s %s: errors %g and %g, of order %.3f in time", all[n].scheme, edges[e],
                         apart(coarse, exact), apart(fine, exact), order);
            free(exact);
            free(coarse);
            free(fine);
        }
}

static void expect_rest(const struct flow_case *f, const char *precision, const char *method,
                        const char *edge)
{
    char north[64], south[64], west[64], east[64];
    snprintf(north, sizeof north, "--bc-north=%s", edge);
    snprintf(south, sizeof south, "--bc-south=%s", edge);
    snprintf(west, sizeof west, "--bc-west=%s", edge);
    snprintf(east, sizeof east, "--bc-east=%s@2..9", edge);
    struct run *r = START(f, "euler", precision, method, north, south, west, east);
    struct sim *s = r->sim;
    const size_t bytes = s->field_bytes;
    char *before = malloc(bytes), *after = malloc(bytes);
    assert_true(before && after);
    assert_int_equal(sim_step_many(s, 1), ERR_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(s->backend->download(s->device, before, s->state[0][k]->memory, bytes),
                         ERR_OK);
        assert_int_equal(sim_step_many(s, 40), ERR_OK);
        assert_int_equal(s->backend->download(s->device, after, s->state[0][k]->memory, bytes),
                         ERR_OK);
        if (memcmp(before, after, bytes) != 0)
            fail_msg("%s %s %s: a lake at rest moves", precision, method, edge);
    }
    free(before);
    free(after);
    finish(r);
}

static void a_lake_over_rough_ground_stays_at_rest_to_the_bit(void **state)
{
    struct flow_case f = basin;
    (void)state;
    f.t_end = 1000;
    f.bed = rough;
    for (int p = 0; p < PRECISIONS; p++) {
        const char *const precision = p == F64 ? "--precision=f64" : "--precision=f32";
        expect_rest(&f, precision, "--limiter=minmod", "level:0.1");
        expect_rest(&f, precision, "--limiter=minmod", "discharge:0");
    }
    f.bed = island; /* the shore meets the western edge */
    expect_rest(&f, "--precision=f64", "--reconstruction=audusse", "level:0.1");
    expect_rest(&f, "--precision=f64", "--reconstruction=audusse", "discharge:0");
}

static void expect_same_run(struct run *a, struct run *b, const char *what)
{
    const size_t n = (size_t)basin.nx * (size_t)basin.ny * sizeof(double);
    for (int k = 0; k < 3; k++) {
        double *x = field_of(a, k), *y = field_of(b, k);
        if (memcmp(x, y, n) != 0)
            fail_msg("%s changes field %d", what, k);
        free(x);
        free(y);
    }
}

/* Segments of every kind on all edges. */
#define MANY_SEGMENTS                                                                        \
    "--bc-west=level:0.1@2..8", "--bc-east=inflow:q.txt@3..7", "--bc-south=depth:0.9@4..12", \
        "--bc-north=open@10..15"

static void the_order_of_the_sweeps_is_nothing_to_an_unsplit_scheme(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", hydrograph_text);
    struct run *a = START(&basin, "rk2", "--precision=f64", MANY_SEGMENTS);
    struct run *b = START(&basin, "rk2", "--precision=f64", "--sweep=yx", MANY_SEGMENTS);
    go(a);
    go(b);
    expect_same_run(a, b, "sweeping y first");
    finish(a);
    finish(b);
}

static void early_exit_leaves_out_blocks_at_walls_but_none_at_segments(void **state)
{
    (void)state;
    scratch_write("q.txt", "w", hydrograph_text);
    struct run *a = START(&basin, "rk2", "--precision=f64", "--early-exit=off", MANY_SEGMENTS);
    struct run *b = START(&basin, "rk2", "--precision=f64", "--early-exit=on", "--block=rk=4x2",
                          "--block=flux_fgh=4x2", MANY_SEGMENTS);
    go(a);
    go(b);
    expect_same_run(a, b, "early exit");
    finish(a);
    finish(b);
}

static void the_gpu_gives_the_bits_of_the_cpu(void **state)
{
    (void)state;
    need_gpu("series on CPU and GPU are not compared");
    scratch_write("q.txt", "w", hydrograph_text);
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; p < PRECISIONS; p++) {
            const char *const precision = p == F64 ? "--precision=f64" : "--precision=f32";
            struct run *a = START(&basin, schemes[k]->name, precision, MANY_SEGMENTS);
            struct run *b =
                START(&basin, schemes[k]->name, precision, "--backend=cuda", MANY_SEGMENTS);
            go(a);
            go(b);
            expect_same_run(a, b, schemes[k]->name);
            finish(a);
            finish(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in_is_the_integral_of_the_hydrograph_in_every_scheme),
        cmocka_unit_test(a_changing_edge_keeps_the_order_in_time),
        cmocka_unit_test(a_lake_over_rough_ground_stays_at_rest_to_the_bit),
        cmocka_unit_test(the_order_of_the_sweeps_is_nothing_to_an_unsplit_scheme),
        cmocka_unit_test(early_exit_leaves_out_blocks_at_walls_but_none_at_segments),
        cmocka_unit_test(the_gpu_gives_the_bits_of_the_cpu),
    };
    return cmocka_run_group_tests_name("edge_series", tests, edge_run_set_up, scratch_remove);
}
