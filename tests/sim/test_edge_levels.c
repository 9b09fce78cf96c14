/* Edges that impose a level or a depth beside ground that falls away inwards. */
#include "tests/support/test.h"

#include <math.h>

#include "core/options/edge_option.h"
#include "tests/support/edge_run.h"
#include "tests/support/of_each_kind.h"

enum { N = 16 };

static const double SIDE = 160, GROUND = 1200, FALL = 0.05, DEPTH_IN = 2, GRAVITY = 9.81;

/* The edge from which the ground falls: formulas of cases have no other arguments. */
static enum edge high;

static double from_edge(double x, double y)
{
    const double inwards[EDGES] = {x, SIDE - x, y, SIDE - y};
    return inwards[high];
}

static double plane(double x, double y)
{
    return GROUND - FALL * from_edge(x, y);
}

/* Behind the edge the ground is lower, so that all water inside stands below that at the edge. */
static double cliff(double x, double y)
{
    return plane(x, y) - (from_edge(x, y) > 0 ? 6 : 0);
}

static struct flow film(double x, double y)
{
    return (struct flow){plane(x, y) + 0.5 * DEPTH_IN, 0, 0};
}

static struct flow film_below(double x, double y)
{
    return (struct flow){cliff(x, y) + 0.5 * DEPTH_IN, 0, 0};
}

static const struct flow_case slope = {.name = "slope",
                                       .nx = N,
                                       .ny = N,
                                       .lx = SIDE,
                                       .ly = SIDE,
                                       .t_end = 90,
                                       .gravity = GRAVITY,
                                       .kappa = 0.001,
                                       .bed = plane,
                                       .initial = film};

/* So far, per metre of the edge. */
static double inflow(struct run *r)
{
    return balance_of(r).in / SIDE;
}

static void expect_critical(const struct flow_case *f, const char *scheme, const char *precision,
                            const char *reconstruction, const char *given)
{
    const double wait = 60, want = DEPTH_IN * sqrt(GRAVITY * DEPTH_IN);
    char in[64], out[64];
    snprintf(in, sizeof in, "--bc-%s=%s", edge_names[high], given);
    snprintf(out, sizeof out, "--bc-%s=open", edge_names[high ^ 1]);
    struct run *r = START(f, scheme, precision, reconstruction, in, out);
    if (sim_run(r->sim, wait, NULL))
        fail_msg("%s %s: %s", scheme, in, err_message());
    const double before = inflow(r);
    go(r);
    const double have = (inflow(r) - before) / (f->t_end - wait);
    if (!(fabs(have / want - 1) <= 0.02))
        fail_msg("%s %s %s %s: %.9g m2/s come in, not the critical %.9g", scheme, precision,
                 reconstruction, in, have, want);
    finish(r);
}

/* An edge that copies the discharge from inside lets in 29 m2/s and more, or the run breaks down. */
static void what_comes_in_is_critical_where_the_ground_falls_away(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k)
        for (int e = 0; e < EDGES; e++) {
            const char *const scheme = schemes[k]->name;
            const int all = answers_for_its_kind(scheme);
            high = (enum edge)e;
            if (all || e == (int)(k % EDGES))
                expect_critical(&slope, scheme, "--precision=f64", "--reconstruction=audusse",
                                "depth:2");
            if (all)
                expect_critical(&slope, scheme, "--precision=f32", "--reconstruction=audusse",
                                "level:1202");
            if (all && e == (int)(k % EDGES))
                expect_critical(&slope, scheme, "--precision=f64", "--reconstruction=kp",
                                "level:1202");
        }
}

/* A ghost cell without water cannot carry the velocity inside: 14.6 m2/s come in where one stands beside the edge's. */
static void what_comes_in_is_critical_above_a_cliff(void **state)
{
    static const char *const all[] = {"rk2_fused", "hancock", "ds1"};
    struct flow_case f = slope;
    (void)state;
    f.bed = cliff;
    f.initial = film_below;
    for (int e = 0; e < EDGES; e++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            high = (enum edge)e;
            expect_critical(&f, all[k], "--precision=f64", "--reconstruction=audusse", "depth:2");
            expect_critical(&f, all[k], "--precision=f32", "--reconstruction=chen_noelle",
                            "level:1202");
        }
}

static struct run *run_a_while(const char *scheme, const char *precision, const char *how)
{
    struct run *r =
        START(&slope, scheme, precision, "--bc-west=level:1202@0..70", "--bc-south=level:1199",
              "--bc-east=depth:0.3@40..160", "--bc-north=depth:1.5", how);
    if (sim_run(r->sim, 20, NULL))
        fail_msg("%s %s: %s", scheme, how, err_message());
    return r;
}

static void expect_bits(const char *scheme, const char *precision, const char *how)
{
    struct run *const plain = run_a_while(scheme, precision, "--quiet");
    struct run *const other = run_a_while(scheme, precision, how);
    for (int k = 0; k < 3; k++) {
        double *want = field_of(plain, k), *have = field_of(other, k);
        if (memcmp(want, have, N * N * sizeof *want) != 0)
            fail_msg("%s %s: %s changes field %d", scheme, precision, how, k);
        free(want);
        free(have);
    }
    finish(plain);
    finish(other);
}

static void orders_threads_parts_and_tiles_change_no_bit_of_what_comes_in(void **state)
{
    static const char *const ways[] = {"--order=shuffled", "--threads=2", "--threads=7",
                                       "--parts=2x2", "--tile=8"};
    (void)state;
    high = WEST;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int p = 0; p < PRECISIONS; p++) {
            const char *const precision = p == F64 ? "--precision=f64" : "--precision=f32";
            expect_bits("rk2_fused", precision, ways[k]);
            expect_bits("hancock", precision, ways[k]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in_is_critical_where_the_ground_falls_away),
        cmocka_unit_test(what_comes_in_is_critical_above_a_cliff),
        cmocka_unit_test(orders_threads_parts_and_tiles_change_no_bit_of_what_comes_in),
    };
    return cmocka_run_group_tests_name("edge_levels", tests, edge_run_set_up, scratch_remove);
}
