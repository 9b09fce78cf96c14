/* Edges that impose a level where they are shallow, or where the shore crosses them. */
#include "tests/support/test.h"

#include <math.h>

#include "core/options/edge_option.h"
#include "tests/support/edge_run.h"

enum { N = 16 };

static const double SIDE = 160, LEVEL_AT = 1200;

static const char *const precisions[] = {"--precision=f32", "--precision=f64"};
static const char *const of_each_kind[] = {"rk2_fused", "hancock"};

/* The edge with the level: formulas of cases have no other arguments. */
static enum edge shallow;

static double from_edge(double x, double y)
{
    const double inwards[EDGES] = {x, SIDE - x, y, SIDE - y};
    return inwards[shallow];
}

static double along_edge(double x, double y)
{
    return shallow <= EAST ? y : x;
}

/* 20 cm of water at the edge, 5 m inside. */
static double bank(double x, double y)
{
    return LEVEL_AT - 5 + 4.8 * fmax(0, 1 - from_edge(x, y) / 50);
}

/* A wave in the middle, and to one side of it. */
static struct flow wave(double x, double y)
{
    const double across = from_edge(x, y) - 90, along = along_edge(x, y) - 50;
    return (struct flow){LEVEL_AT + 0.5 * exp(-(across * across + along * along) / 600), 0, 0};
}

static struct flow higher(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){LEVEL_AT + 1, 0, 0};
}

/* Dry cells lie little above the level at the edge, and far above it behind that. */
static double shore(double x, double y)
{
    const double d = from_edge(x, y);
    return LEVEL_AT - 0.5 + 0.09 * d + 0.002 * d * d + 0.3 * sin(along_edge(x, y) / 40);
}

static struct flow lake(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){LEVEL_AT, 0, 0};
}

static struct run *start_with(const struct flow_case *f, const char *scheme, const char *precision,
                              const char *reconstruction, const char *level)
{
    char at_edge[64];
    snprintf(at_edge, sizeof at_edge, "--bc-%s=%s", edge_names[shallow], level);
    return START(f, scheme, precision, reconstruction, at_edge);
}

static struct flow_case basin(double (*bed)(double, double), struct flow (*initial)(double, double),
                              double t_end)
{
    return (struct flow_case){.name = "basin",
                              .nx = N,
                              .ny = N,
                              .lx = SIDE,
                              .ly = SIDE,
                              .t_end = t_end,
                              .gravity = 9.81,
                              .kappa = 0.001,
                              .bed = bed,
                              .initial = initial};
}

/* The speed of the fastest water that is deeper than a centimetre. */
static double fastest(struct run *r)
{
    double *hu = field_of(r, 1), *hv = field_of(r, 2), most = 0;
    double depths[N * N]; /* room for either precision */
    assert_int_equal(sim_depth(r->sim, depths), ERR_OK);
    for (int k = 0; k < N * N; k++) {
        const double h = value_at(r, depths, k);
        const double speed = hypot(value_at(r, hu, k), value_at(r, hv, k)) / h;
        if (!(h <= 0.01) && !(speed <= most))
            most = speed;
    }
    free(hu);
    free(hv);
    return most;
}

static void expect_calm(const char *scheme, const char *precision)
{
    const struct flow_case f = basin(bank, wave, 600);
    struct run *r = start_with(&f, scheme, precision, "--reconstruction=audusse", "level:1200");
    go(r);
    const double speed = fastest(r);
    if (!(speed <= 0.05))
        fail_msg("%s %s %s: 600 s after a wave of 0.5 m the water still moves at %.9g m/s", scheme,
                 precision, edge_names[shallow], speed);
    finish(r);
}

/* The discharges in the deep cell, if an edge copies them to its shallow face, drive an eddy of 0.85 m/s. */
static void a_wave_dies_out_beside_a_shallow_edge(void **state)
{
    (void)state;
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < 2; k++)
            for (int p = 0; p < 2; p++) {
                shallow = (enum edge)e;
                expect_calm(of_each_kind[k], precisions[p]);
            }
}

struct outflow {
    double volume; /* m3 */
    unsigned long steps;
};

static struct outflow drained(const char *scheme, const char *precision, const char *level)
{
    const struct flow_case f = basin(bank, higher, 60);
    struct run *r = start_with(&f, scheme, precision, "--reconstruction=audusse", level);
    go(r);
    const struct outflow o = {balance_of(r).out, r->sim->now.steps};
    finish(r);
    return o;
}

/* As much leaves where the level is a millimetre above the ground at the edge as where it is below it. An edge that copies
 * the discharge from inside makes a jet in that millimetre, and a hundred times as many steps. */
static void a_film_at_the_edge_does_not_become_a_jet(void **state)
{
    (void)state;
    shallow = WEST;
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < 2; p++) {
            const struct outflow film = drained(of_each_kind[k], precisions[p], "level:1199.801");
            const struct outflow fall = drained(of_each_kind[k], precisions[p], "level:1195");
            if (!(fabs(film.volume / fall.volume - 1) <= 0.005) ||
                film.steps > fall.steps + fall.steps / 10)
                fail_msg("%s %s: %.9g m3 leave in %lu steps, not the %.9g m3 of a fall in %lu",
                         of_each_kind[k], precisions[p], film.volume, film.steps, fall.volume,
                         fall.steps);
        }
}

static void expect_rest(const char *scheme, const char *precision, const char *reconstruction)
{
    const struct flow_case f = basin(shore, lake, 20);
    struct run *r = start_with(&f, scheme, precision, reconstruction, "level:1200");
    go(r);
    const struct balance b = balance_of(r);
    const double speed = fastest(r);
    if (b.in != 0 || b.out != 0 || speed != 0 || !(b.volume > 0))
        fail_msg(
            "%s %s %s %s: of a lake of %.9g m3 %.9g m3 come in, %.9g m3 leave, at up to %.9g m/s",
            scheme, precision, reconstruction, edge_names[shallow], b.volume, b.in, b.out, speed);
    finish(r);
}

static void a_lake_rests_where_its_shore_crosses_the_edge(void **state)
{
    static const char *const balanced[] = {"--reconstruction=audusse",
                                           "--reconstruction=chen_noelle"};
    (void)state;
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < 2; k++)
            for (int p = 0; p < 2; p++) {
                shallow = (enum edge)e;
                expect_rest(of_each_kind[k], precisions[p], balanced[0]);
                expect_rest(of_each_kind[k], precisions[p], balanced[1]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_dies_out_beside_a_shallow_edge),
        cmocka_unit_test(a_film_at_the_edge_does_not_become_a_jet),
        cmocka_unit_test(a_lake_rests_where_its_shore_crosses_the_edge),
    };
    return cmocka_run_group_tests_name("edge_shallows", tests, edge_run_set_up, scratch_remove);
}
