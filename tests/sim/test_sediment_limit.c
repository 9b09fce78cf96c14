/* How long a step of sediment may be: the kernels look closely only where slopes are steep, or sediment comes or goes
 * through an edge, and must miss no cell that allows less than all others. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

enum { NX = 150, NY = 11 }; /* several groups of columns */

static const double leaves = 40; /* m2/s through the western edge */

static double value(const struct scene *s, int k, int i, int j)
{
    const int u = i < 0 ? 0 : i < NX ? i : NX - 1, v = j < 0 ? 0 : j < NY ? j : NY - 1;
    return s->field[k][scene_cell(s, u, v)];
}

/* In a cell, per m2/s of the coefficient: k 0 sand, 1 mud. */
static double spreads(const struct scene *s, int k, int i, int j)
{
    const int u = i < 0 ? 0 : i < NX ? i : NX - 1, v = j < 0 ? 0 : j < NY ? j : NY - 1;
    const double share = value(s, 1, i, j);
    return s->given[k][scene_cell(s, u, v)] * (k == 0 ? share : 1 - share) / s->constant[k];
}

static const int aside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* What the kernel must find in a cell, as plainly as possible, 1/s: by how much even heights limit the step, and how
 * much sediment it carries. */
static double limit_of(const struct scene *s, int i, int j)
{
    const size_t c = scene_cell(s, i, j);
    const double h = value(s, 0, i, j), share = value(s, 1, i, j), thick = s->constant[2];
    double evens = 0, comes[2] = {0, 0}, falls = 0;
    for (int k = 0; k < 4; k++) {
        const int u = i + aside[k][0], v = j + aside[k][1];
        const double size = aside[k][0] ? s->dx : s->dy, rise = value(s, 0, u, v) - h;
        evens += fmax(spreads(s, 0, i, j) + spreads(s, 1, i, j),
                      spreads(s, 0, u, v) + spreads(s, 1, u, v)) /
                 (size * size);
        for (int q = 0; q < 2 && rise > 0; q++)
            comes[q] += spreads(s, q, u, v) * rise / (size * size);
        falls += rise < 0 ? -rise / (size * size) : 0;
    }
    double sand = comes[0] + share * s->given[1][c] / s->constant[1] * falls;
    double mud = comes[1] + (1 - share) * s->given[0][c] / s->constant[0] * falls;
    if (i == 0 && s->boundary[WEST] == LOSS) { /* a layer has no more than that to give */
        const double per = leaves / s->dx / (spreads(s, 0, i, j) + spreads(s, 1, i, j));
        sand += per * spreads(s, 1, i, j) * share / (1 - share);
        mud += per * spreads(s, 0, i, j) * (1 - share) / share;
    }
    return fmax(evens, fmax(sand, mud) / thick);
}

static double limit(const struct scene *s)
{
    double most = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            most = fmax(most, limit_of(s, i, j));
    return most;
}

/* By whole rows, and by threads as on a GPU. */
static void expect_limit(const struct scene *s, enum precision p, const char *what)
{
    double dt[2];
    for (int k = 0; k < 2; k++) {
        struct config c;
        configure(&c, "basin_cons", p);
        c.precision_chosen = 1;
        c.order = 2 * k;
        struct outcome o = simulated_steps(&c, s, 1);
        const double expected = c.cfl / limit(s);
        dt[k] = o.clock.dt;
        if (!(fabs(dt[k] / expected - 1) <= (p == F64 ? 1e-13 : 1e-5)))
            fail_msg("%s, %s: expected a step of %.17g s, got %.17g", what, described(&c), expected,
                     dt[k]);
        outcome_free(&o);
    }
    if (memcmp(&dt[0], &dt[1], sizeof dt[0]) != 0)
        fail_msg("%s: %.17g s by rows, and %.17g by threads", what, dt[0], dt[1]);
}

static struct scene gentle(void)
{
    struct scene s;
    fine(scene_basin(&s, find_system("sediment"), NX, NY, 0.01, 0, 5));
    return s;
}

static void one_steep_cell_is_found_wherever_it_lies(void **state)
{
    static const struct {
        int i, j;
    } peaks[] = {{0, 0}, {63, 7}, {64, 8}, {127, 3}, {149, 10}, {-1, 0}};
    (void)state;
    for (int k = 0; k == 0 || peaks[k - 1].i >= 0; k++)
        for (int p = 0; p < PRECISIONS; p++) {
            struct scene s = gentle();
            char what[64] = "no steep cell";
            if (peaks[k].i >= 0) {
                s.field[0][scene_cell(&s, peaks[k].i, peaks[k].j)] += 4;
                snprintf(what, sizeof what, "steep in (%d, %d)", peaks[k].i, peaks[k].j);
            }
            expect_limit(&s, (enum precision)p, what);
            scene_free(&s);
        }
}

static void what_leaves_through_an_edge_counts(void **state)
{
    (void)state;
    struct scene s = gentle();
    const double inside = limit(&s);
    s.boundary[WEST] = LOSS;
    s.edge[WEST].in[0] = -leaves;
    for (int j = 0; j < NY; j++)
        s.field[1][scene_cell(&s, 0, j)] = 0.01;
    assert_true(limit(&s) > 2 * inside);
    expect_limit(&s, F64, "outflow");
    scene_free(&s);
}

/* Where all is steep every cell is looked at. */
static void steep_everywhere(void **state)
{
    (void)state;
    struct scene s;
    fine(scene_basin(&s, find_system("sediment"), NX, NY, 10, 1, 6));
    expect_limit(&s, F64, "steep everywhere");
    scene_free(&s);
}

/* Steps that are too long after `steps` of length dt; each compared on its own with PAIRS=0. */
static unsigned long overlong(const struct scene *s, const char *scheme, const char *define,
                              int order, double dt, int steps)
{
    struct config c;
    configure(&c, scheme, F64);
    c.precision_chosen = 1;
    c.order = order;
    c.dt = dt;
    snprintf(c.define, sizeof c.define, "%s", define);
    struct outcome o = simulated_steps(&c, s, steps);
    const unsigned long n = o.clock.overlong;
    outcome_free(&o);
    return n;
}

static double first_step(const struct scene *s)
{
    struct config c;
    configure(&c, "basin_cons", F64);
    c.precision_chosen = 1;
    struct outcome o = simulated_steps(&c, s, 1);
    const double dt = o.clock.dt;
    outcome_free(&o);
    return dt;
}

/* With steps in pairs each finds the limit of the state that it begins from, for the step after it. */
static void a_fixed_step_that_becomes_too_long_is_counted(void **state)
{
    enum { STEPS = 9 };
    static const struct {
        const char *scheme, *define;
    } ways[] = {{"basin_cons", ""}, {"basin", ""}, {"basin", "ONE_KERNEL=1"}};
    (void)state;
    struct scene s = gentle();
    s.boundary[WEST] = LOSS; /* what comes in makes the floor ever steeper there */
    s.edge[WEST].in[0] = leaves;
    const double dt = 0.75 * first_step(&s);
    for (int k = 0; k < 3; k++) {
        const char *scheme = ways[k].scheme;
        unsigned long exact[STEPS + 1] = {0};
        for (int n = 1; n <= STEPS; n++)
            exact[n] = overlong(&s, scheme, "PAIRS=0", 0, dt, n);
        if (exact[1] != 0 || exact[STEPS - 1] == 0 || exact[STEPS - 1] >= STEPS - 2)
            fail_msg("%s: expected some of %d steps to be too long, and not the first: %lu, %lu",
                     scheme, STEPS, exact[STEPS - 1], exact[1]);
        for (int n = 2; n <= STEPS; n++)
            for (int order = 0; order <= 2; order += 2) {
                const unsigned long found = overlong(&s, scheme, ways[k].define, order, dt, n);
                if (found != exact[n - 1])
                    fail_msg("%s %s, order %d: expected %lu of %d steps to be too long, got %lu",
                             scheme, ways[k].define, order, exact[n - 1], n, found);
            }
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_steep_cell_is_found_wherever_it_lies),
        cmocka_unit_test(what_leaves_through_an_edge_counts),
        cmocka_unit_test(steep_everywhere),
        cmocka_unit_test(a_fixed_step_that_becomes_too_long_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
