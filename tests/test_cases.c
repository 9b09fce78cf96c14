/* Every registered case is a sound initial value problem at any resolution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/registry.h"
#include "verification/verify.h"

/* Some even, some odd, and one with one cell across. */
static const int sizes[][2] = {{96, 80}, {33, 47}, {1, 64}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A case with a size and its points, which mirror each other exactly if the case lies around the
 * origin. */
struct view {
    const struct flow_case *c;
    int nx, ny;
};

static double place(double low, double length, double cells_from_low, int n)
{
    return (low + length / 2) + (cells_from_low - 0.5 * n) * (length / n);
}

static double corner_x(const struct view *v, int i)
{
    return place(v->c->x0, v->c->lx, i, v->nx);
}

static double corner_y(const struct view *v, int j)
{
    return place(v->c->y0, v->c->ly, j, v->ny);
}

static double centre_x(const struct view *v, int i)
{
    return place(v->c->x0, v->c->lx, i + 0.5, v->nx);
}

static double centre_y(const struct view *v, int j)
{
    return place(v->c->y0, v->c->ly, j + 0.5, v->ny);
}

static struct flow water(const struct view *v, int i, int j)
{
    return v->c->initial(centre_x(v, i), centre_y(v, j));
}

static double bed_mean(const struct view *v, int i, int j)
{
    double west = corner_x(v, i), east = corner_x(v, i + 1);
    double south = corner_y(v, j), north = corner_y(v, j + 1);
    return 0.25 * ((v->c->bed(west, south) + v->c->bed(east, north)) +
                   (v->c->bed(east, south) + v->c->bed(west, north)));
}

static int same(struct flow a, struct flow b)
{
    return a.w == b.w && a.u == b.u && a.v == b.v;
}

static int flow_is_finite(struct flow f)
{
    return isfinite(f.w) && isfinite(f.u) && isfinite(f.v);
}

/* Says what is wrong with a view, or returns 0. */
typedef int check(const struct view *v);

static int complain(const struct view *v, int i, int j, const char *what)
{
    print_error("case %s, %d x %d cells: at cell (%d, %d), x = %.17g, y = %.17g: %s\n", v->c->name,
                v->nx, v->ny, i, j, centre_x(v, i), centre_y(v, j), what);
    return 1;
}

static int is_channel(const struct flow_case *c)
{
    return c->ny == 1;
}

/* Every case at its own and at other resolutions; a channel keeps its one row, and has a length. */
static void hold(check *wrong)
{
    int failed = 0;
    assert_non_null(cases[0]);
    for (int n = 0; cases[n]; n++) {
        struct view v = {cases[n], cases[n]->nx, cases[n]->ny};
        failed += wrong(&v) != 0;
        for (int k = 0; k < SIZES; k++) {
            if (is_channel(v.c) && sizes[k][0] == 1)
                continue;
            v.nx = sizes[k][0];
            v.ny = is_channel(v.c) ? 1 : sizes[k][1];
            failed += wrong(&v) != 0;
        }
    }
    assert_int_equal(failed, 0);
}

static int not_finite(const struct view *v)
{
    for (int j = 0; j <= v->ny; j++)
        for (int i = 0; i <= v->nx; i++)
            if (!isfinite(v->c->bed(corner_x(v, i), corner_y(v, j))))
                return complain(v, i, j, "the bed at the lower left corner is not finite");
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            if (!flow_is_finite(water(v, i, j)))
                return complain(v, i, j, "the water is not finite");
    return 0;
}

/* With one cell across, its centre may lie on dry ground. */
static int without_water(const struct view *v)
{
    if (v->nx == 1 || (v->ny == 1 && !is_channel(v->c)))
        return 0;
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            if (water(v, i, j).w > bed_mean(v, i, j))
                return 0;
    return complain(v, 0, 0, "there is no water anywhere");
}

/* Highest level among the cells around (i,j) whose centres are wet. */
static double level_around(const struct view *v, int i, int j)
{
    double level = -HUGE_VAL;
    for (int n = j - 1; n <= j + 1; n++)
        for (int m = i - 1; m <= i + 1; m++) {
            if (m < 0 || n < 0 || m >= v->nx || n >= v->ny)
                continue;
            double w = water(v, m, n).w;
            level = w > v->c->bed(centre_x(v, m), centre_y(v, n)) ? fmax(level, w) : level;
        }
    return level;
}

/* A cell's bed is the mean of its corners, which on a bank lies below its centre's. The level given
 * for a dry centre must not fill such a cell above the water beside it. */
static int wet_where_it_is_dry(const struct view *v)
{
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            struct flow f = water(v, i, j);
            if (f.w > v->c->bed(centre_x(v, i), centre_y(v, j)))
                continue;
            if (f.u != 0 || f.v != 0)
                return complain(v, i, j, "a dry point has a velocity");
            if (f.w > bed_mean(v, i, j) && f.w > level_around(v, i, j) + 1e-12 * fabs(f.w))
                return complain(v, i, j, "a dry point's level stands above its surroundings");
        }
    return 0;
}

/* Called again in the opposite order, with others in between, the functions must not remember. */
static int impure(const struct view *v)
{
    static struct flow first[64 * 64];
    static double bed[64 * 64];
    int nx = v->nx < 64 ? v->nx : 64, ny = v->ny < 64 ? v->ny : 64;
    for (int k = 0; k < nx * ny; k++) {
        first[k] = water(v, k % nx, k / nx);
        bed[k] = v->c->bed(corner_x(v, k % nx), corner_y(v, k / nx));
    }
    for (int k = nx * ny - 1; k >= 0; k--) {
        double b = v->c->bed(corner_x(v, k % nx), corner_y(v, k / nx));
        if (bed[k] != b || !same(first[k], water(v, k % nx, k / nx)))
            return complain(v, k % nx, k / nx, "two calls give different values");
    }
    return 0;
}

static int exact_differs_at_first(const struct view *v)
{
    for (int j = 0; v->c->exact && !v->c->tends && j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            double x = centre_x(v, i), y = centre_y(v, j), bed = v->c->bed(x, y);
            struct flow f = water(v, i, j), e = v->c->exact(x, y, 0);
            if ((f.w > bed) != (e.w > bed) || (f.w > bed && !same(f, e)))
                return complain(v, i, j, "the exact solution at time 0 is not the initial state");
        }
    return 0;
}

enum mirror { MIRROR_X, MIRROR_Y, TRANSPOSE, MIRRORS };
static const char *const mirror_names[MIRRORS] = {"mirrored in x", "mirrored in y", "transposed"};

static struct flow image(struct flow f, enum mirror m)
{
    struct flow g = f;
    if (m == TRANSPOSE) {
        g.u = f.v;
        g.v = f.u;
    } else if (m == MIRROR_X) {
        g.u = -f.u;
    } else {
        g.v = -f.v;
    }
    return g;
}

static double bed_and_water(const struct flow_case *c, double x, double y, struct flow *f)
{
    *f = c->initial(x, y);
    return c->bed(x, y);
}

/* A case that is a mirror image of itself to rounding in 95 of 100 cells is meant to be one: then it
 * must be one to the bit in all cells, which mirrored results of a scheme depend on. */
static int blurred_in(const struct view *v, enum mirror m)
{
    int near = 0, equal = 0, total = v->nx * v->ny, bad = 0;
    for (int k = 0; k < total; k++) {
        int i = k % v->nx, j = k / v->nx;
        double x = centre_x(v, i), y = centre_y(v, j);
        double x2 = m == TRANSPOSE ? y : m == MIRROR_X ? -x : x;
        double y2 = m == TRANSPOSE ? x : m == MIRROR_Y ? -y : y;
        struct flow f, other;
        double b = bed_and_water(v->c, x, y, &f), b2 = bed_and_water(v->c, x2, y2, &other);
        struct flow g = image(other, m);
        int here = b == b2 && same(f, g);
        equal += here;
        near += fabs(b - b2) + fabs(f.w - g.w) + fabs(f.u - g.u) + fabs(f.v - g.v) <=
                1e-9 * (1 + fabs(b) + fabs(f.w) + fabs(f.u) + fabs(f.v));
        bad = here ? bad : k;
    }
    if (near < 0.95 * total || equal == total)
        return 0;
    char text[128];
    snprintf(text, sizeof text, "%s it is not itself to the bit", mirror_names[m]);
    return complain(v, bad % v->nx, bad / v->nx, text);
}

static int blurred(const struct view *v)
{
    const struct flow_case *c = v->c;
    int around_x = c->x0 == -c->lx / 2, around_y = c->y0 == -c->ly / 2;
    return (around_x && blurred_in(v, MIRROR_X)) || (around_y && blurred_in(v, MIRROR_Y)) ||
           (around_x && around_y && c->lx == c->ly && blurred_in(v, TRANSPOSE));
}

static void beds_and_initial_states_are_finite(void **state)
{
    (void)state;
    hold(not_finite);
}

static void every_case_holds_water(void **state)
{
    (void)state;
    hold(without_water);
}

static void dry_points_stay_dry_in_the_solvers_cells(void **state)
{
    (void)state;
    hold(wet_where_it_is_dry);
}

static void case_functions_are_pure(void **state)
{
    (void)state;
    hold(impure);
}

static void exact_solutions_begin_at_the_initial_state(void **state)
{
    (void)state;
    hold(exact_differs_at_first);
}

static void symmetric_cases_are_symmetric_to_the_bit(void **state)
{
    (void)state;
    hold(blurred);
}

/* Residuals of the shallow-water equations at (x,y,t) by central differences: the largest of the
 * three, each over its own largest term. -1 beside dry ground. */
static double residual(const struct flow_case *c, double x, double y, double t)
{
    const double d = 1e-4 * c->lx, dt = 1e-4 * c->t_end;
    struct flow west = c->exact(x - d, y, t), east = c->exact(x + d, y, t);
    struct flow south = c->exact(x, y - d, t), north = c->exact(x, y + d, t);
    struct flow before = c->exact(x, y, t - dt), after = c->exact(x, y, t + dt);
    struct flow here = c->exact(x, y, t);
    double bed = c->bed(x, y), g = c->gravity;
    double hw = west.w - c->bed(x - d, y), he = east.w - c->bed(x + d, y);
    double hs = south.w - c->bed(x, y - d), hn = north.w - c->bed(x, y + d);
    if (fmin(fmin(hw, he), fmin(hs, hn)) <= 0 || fmin(before.w, after.w) <= bed || here.w <= bed)
        return -1;
    const double term[3][4] = {
        {(after.w - before.w) / (2 * dt), (he * east.u - hw * west.u) / (2 * d),
         (hn * north.v - hs * south.v) / (2 * d), 0},
        {(after.u - before.u) / (2 * dt), here.u * (east.u - west.u) / (2 * d),
         here.v * (north.u - south.u) / (2 * d), g * (east.w - west.w) / (2 * d)},
        {(after.v - before.v) / (2 * dt), here.u * (east.v - west.v) / (2 * d),
         here.v * (north.v - south.v) / (2 * d), g * (north.w - south.w) / (2 * d)},
    };
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0, most = 0;
        for (int n = 0; n < 4; n++) {
            sum += term[k][n];
            most = fmax(most, fabs(term[k][n]));
        }
        /* The differences round at 1e-12 of a slope of one part in the domain. */
        worst = fmax(worst, fabs(sum) / (most + 1e-4 / fmax(c->lx, c->t_end)));
    }
    return worst;
}

static void exact_solutions_solve_the_shallow_water_equations(void **state)
{
    (void)state;
    int checked = 0, failed = 0;
    for (int n = 0; cases[n]; n++) {
        const struct flow_case *c = cases[n];
        if (!c->exact || c->manning > 0 || c->drag > 0 || c->forcing)
            continue;
        struct view v = {c, 31, 29};
        int wet = 0, off = 0;
        for (int k = 0; k < 31 * 29; k++) {
            double t = c->t_end * (0.01 + 0.97 * k / (31 * 29));
            double r = residual(c, centre_x(&v, k % 31), centre_y(&v, k / 31), t);
            wet += r >= 0;
            off += r > 1e-5;
        }
        checked++;
        /* A shock or a kink may cross a few of the points. */
        if (wet < 50 || off > wet / 10) {
            failed++;
            print_error("case %s: at %d of %d wet points the exact solution violates the "
                        "equations\n",
                        c->name, off, wet);
        }
    }
    assert_true(checked > 0);
    assert_int_equal(failed, 0);
}

/* A depth is imposed as a number of metres of water; a discharge may be none. */
static int valid_edge(enum boundary kind, const struct edge_state *s)
{
    switch (kind) {
    case WALL:
    case OPEN:
    case PERIODIC:
        return 1;
    case DISCHARGE:
        return isfinite(s->hu) && isfinite(s->hv);
    case DEPTH:
        return isfinite(s->h) && s->h > 0;
    case STATE:
        return isfinite(s->h) && s->h > 0 && isfinite(s->hu) && isfinite(s->hv);
    }
    return 0;
}

static void boundaries_are_valid_and_periodic_edges_come_in_pairs(void **state)
{
    (void)state;
    for (int n = 0; cases[n]; n++) {
        const struct flow_case *c = cases[n];
        for (int e = 0; e < EDGES; e++)
            if (!valid_edge(c->boundary[e], &c->edge[e]))
                fail_msg("case %s: edge %d has no valid boundary", c->name, e);
        if ((c->boundary[WEST] == PERIODIC) != (c->boundary[EAST] == PERIODIC) ||
            (c->boundary[SOUTH] == PERIODIC) != (c->boundary[NORTH] == PERIODIC))
            fail_msg("case %s: an edge is periodic and the opposite one is not", c->name);
    }
}

static void cases_state_every_number_a_run_needs(void **state)
{
    (void)state;
    for (int n = 0; cases[n]; n++) {
        const struct flow_case *c = cases[n];
        if (!c->title || !c->title[0] || !c->cite || !c->cite[0])
            fail_msg("case %s: it must have a title and a source", c->name);
        if (c->nx < 1 || c->ny < 1 || !(c->lx > 0) || !(c->ly > 0) || !(c->t_end > 0) ||
            !(c->gravity > 0) || !(c->manning >= 0) || !(c->kappa >= 0))
            fail_msg("case %s: a size, length, time or constant is out of range", c->name);
        if (!is_channel(c) && fabs(c->lx / c->nx - c->ly / c->ny) > 1e-9 * c->lx / c->nx)
            fail_msg("case %s: its cells are not square at its own size", c->name);
        /* Or its one row would limit the time step of the coarsest run. */
        if (is_channel(c) &&
            c->ly < (1 - 1e-9) * c->lx / (c->verify ? c->verify->ladder[0] : c->nx))
            fail_msg("case %s: its row is lower than its coarsest cells are wide", c->name);
        if (find_case(c->name) != c)
            fail_msg("case %s: two cases have this name", c->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_state_every_number_a_run_needs),
        cmocka_unit_test(boundaries_are_valid_and_periodic_edges_come_in_pairs),
        cmocka_unit_test(beds_and_initial_states_are_finite),
        cmocka_unit_test(every_case_holds_water),
        cmocka_unit_test(dry_points_stay_dry_in_the_solvers_cells),
        cmocka_unit_test(case_functions_are_pure),
        cmocka_unit_test(exact_solutions_begin_at_the_initial_state),
        cmocka_unit_test(symmetric_cases_are_symmetric_to_the_bit),
        cmocka_unit_test(exact_solutions_solve_the_shallow_water_equations),
    };
    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
