/* Every registered flux keeps what it declares, in f32 and f64. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/registry.h"
#include "tests/support/plugin_loader.h"
#include "tests/support/sample.h"
#include "tests/support/trials.h"

enum { STATES = 40, FACES = STATES * STATES + 8000, CELLS = 24000 };
enum { COARSE = 50, FINE = 400, SETTINGS = 2 };

static const double gravities[SETTINGS] = {9.81, 1};

/* One flux, precision and gravity: what it gave for each face, for the mirrored face, and for every
 * face's left state on both sides. */
struct trial {
    struct tried of;
    double g; /* the setting */
    const struct test_side *l, *r;
    struct test_flux flux[FACES], mirrored[FACES], of_equal[FACES];
    struct test_flux around[CELLS + 1]; /* faces of a row of cells; see cells */
    double dam_break[2];                /* errors on the coarse and the fine grid */
};

static struct test_side sides[PRECISIONS][2][FACES];
static struct test_side cells[PRECISIONS][CELLS + 2]; /* cell k lies between faces k-1 and k */

/* A dry side has no velocity: the kernels divide by a desingularised depth. */
static struct test_side side(enum precision p, double h, double un, double ut)
{
    struct test_side s = {rounded_to(p, h), 0, 0, 0};
    s.un = h > 0 ? rounded_to(p, un) : 0;
    s.ut = h > 0 ? rounded_to(p, ut) : 0;
    return s;
}

static struct test_side random_side(struct sample *s, enum precision p)
{
    double h = sample_between(s, 0, 1) < 0.2 ? 0 : fabs(sample_of_any_size(s, -7, 2));
    double fast = sample_between(s, 0, 1) < 0.5 ? 1 : 20;
    return side(p, h, sample_between(s, -fast, fast), sample_between(s, -fast, fast));
}

/* Equal levels in pairs, so that water at rest, equal states and each wet-dry front occur. */
static void fill_sides(enum precision p)
{
    static const double h[8] = {0, 1e-30, 1e-7, 1e-3, 0.5, 1, 10, 1000};
    static const double u[5] = {0, 3.3, -3.3, 40, -40};
    struct sample s = {20240301};
    for (int k = 0; k < STATES * STATES; k++) {
        int i = k % STATES, j = k / STATES;
        sides[p][0][k] = side(p, h[i % 8], u[i / 8], 0.7);
        sides[p][1][k] = side(p, h[j % 8], u[j / 8], -1.1);
    }
    for (int k = STATES * STATES; k < FACES; k++) {
        sides[p][0][k] = random_side(&s, p);
        sides[p][1][k] = random_side(&s, p);
    }
    for (int k = 0; k < CELLS + 2; k++)
        cells[p][k] = random_side(&s, p);
}

/* Exact depth at x/t after a dam break of 10 m onto 1 m (Stoker 1957), x/t in units of sqrt(g) m/s.
 * The depth, the velocity and the shock's speed solve his equations to round-off. */
static double stoker(double speed)
{
    const double hm = 3.961748167994429, um = 2.343727181371486, shock = 3.135059546053444;
    const double cl = sqrt(10), cm = sqrt(hm), c = (2 * cl - speed) / 3;
    return speed < -cl ? 10 : speed < um - cm ? c * c : speed < shock ? hm : 1;
}

/* Relative L1 error in depth of the first-order scheme on 100 m, when the shock is 39 m away. */
static double dam_break_error(flux_call *flux, enum precision p, double g, int n)
{
    static struct test_side cell[FINE + 2];
    static struct test_flux face[FINE + 1];
    const double dx = 100.0 / n, fastest = 6 * sqrt(g), dt = 0.4 * dx / fastest;
    double t = 0, error = 0, total = 0;
    for (int k = 0; k < n + 2; k++)
        cell[k] = side(p, k <= n / 2 ? 10 : 1, 0, 0);
    while (t * sqrt(g) < 12.5) {
        flux(cell, cell + 1, g, face, n + 1);
        for (int k = 1; k <= n; k++) {
            double h = cell[k].h - dt / dx * (face[k].h - face[k - 1].h);
            double hu = cell[k].h * cell[k].un - dt / dx * (face[k].n - face[k - 1].n);
            cell[k] = side(p, h, hu / h, 0);
        }
        t += dt;
    }
    for (int k = 1; k <= n; k++) {
        double exact = stoker((k - 0.5 - 0.5 * n) * dx / t / sqrt(g));
        error += fabs(cell[k].h - exact);
        total += exact;
    }
    return error / total;
}

static void run_trial(struct trial *t, const struct plugin_library *lib)
{
    static struct test_side l[FACES], r[FACES];
    flux_call *flux = lib->flux;
    enum precision p = t->of.precision;
    t->g = t->of.setting;
    t->l = sides[p][0];
    t->r = sides[p][1];
    flux(t->l, t->r, t->g, t->flux, FACES);
    flux(t->l, t->l, t->g, t->of_equal, FACES);
    for (int k = 0; k < FACES; k++) {
        l[k] = t->r[k];
        r[k] = t->l[k];
        l[k].un = -l[k].un;
        r[k].un = -r[k].un;
    }
    flux(l, r, t->g, t->mirrored, FACES);
    flux(cells[p], cells[p] + 1, t->g, t->around, CELLS + 1);
    t->dam_break[0] = dam_break_error(flux, p, t->g, COARSE);
    t->dam_break[1] = dam_break_error(flux, p, t->g, FINE);
}

static struct trials trials = {
    .kind = "flux",
    .setting = "g",
    .plugins = fluxes,
    .load = plugin_load_flux,
    .settings = gravities,
    .setting_count = SETTINGS,
    .size = sizeof(struct trial),
    .fill = fill_sides,
    .run = run_trial,
};

static int try_all(void **state)
{
    (void)state;
    return trials_run(&trials);
}

static int forget_all(void **state)
{
    (void)state;
    trials_forget(&trials);
    return 0;
}

static double size(struct test_side s)
{
    return s.h + fabs(s.un) + fabs(s.ut);
}

static double size_of_face(const struct trial *t, int k)
{
    return size(t->l[k]) + size(t->r[k]);
}

static void print_face(const struct trial *t, int k)
{
    struct test_side l = t->l[k], r = t->r[k];
    struct test_flux f = t->flux[k], m = t->mirrored[k], e = t->of_equal[k];
    print_error("  left h = %.17g, un = %.17g, ut = %.17g\n", l.h, l.un, l.ut);
    print_error("  right h = %.17g, un = %.17g, ut = %.17g\n", r.h, r.un, r.ut);
    print_error("  flux %.17g, %.17g, %.17g\n", f.h, f.n, f.t);
    print_error("  of the mirrored sides %.17g, %.17g, %.17g\n", m.h, m.n, m.t);
    print_error("  of the left side on both %.17g, %.17g, %.17g\n", e.h, e.n, e.t);
}

static const struct trial_samples faces = {FACES, size_of_face, print_face};

static int not_finite(const struct trial *t, int k)
{
    return !isfinite(t->flux[k].h) || !isfinite(t->flux[k].n) || !isfinite(t->flux[k].t);
}

/* A handful of roundings of the largest term; none where the terms are zero. */
static int far_apart(const struct trial *t, double x, double y, double scale)
{
    return !(fabs(x - y) <= 8 * precision_epsilon(t->of.precision) * scale);
}

/* Below the smallest normal number rounding is no longer relative. */
static double floor_of(enum precision p)
{
    return p == F64 ? 0x1p-1022 : 0x1p-126;
}

static int inconsistent(const struct trial *t, int k)
{
    struct test_side s = t->l[k];
    double mass = s.h * s.un, pressure = 0.5 * t->g * s.h * s.h;
    double tiny = s.h > 0 ? floor_of(t->of.precision) / precision_epsilon(t->of.precision) : 0;
    struct test_flux f = t->of_equal[k];
    return far_apart(t, f.h, mass, fabs(mass)) ||
           far_apart(t, f.n, mass * s.un + pressure, fabs(mass * s.un) + pressure + tiny) ||
           far_apart(t, f.t, mass * s.ut, fabs(mass * s.ut));
}

static int not_mirrored(const struct trial *t, int k)
{
    struct test_flux f = t->flux[k], m = t->mirrored[k];
    return m.h != -f.h || m.n != f.n || m.t != -f.t;
}

static int flows_between_dry_sides(const struct trial *t, int k)
{
    struct test_flux f = t->flux[k];
    int dry = t->l[k].h == 0 && t->r[k].h == 0;
    return dry && (f.h != 0 || f.n != 0 || f.t != 0);
}

static int drains_a_dry_side(const struct trial *t, int k)
{
    double there = fabs(t->l[k].h * t->l[k].un) + fabs(t->r[k].h * t->r[k].un);
    double slack = 8 * precision_epsilon(t->of.precision) * there, f = t->flux[k].h;
    return (t->l[k].h == 0 && f > slack) || (t->r[k].h == 0 && f < -slack);
}

static void every_flux_is_finite(void **state)
{
    (void)state;
    trials_hold(&trials, &faces, 0, not_finite,
                "the flux must be finite, also where a side is dry");
}

static void equal_states_give_the_physical_flux(void **state)
{
    (void)state;
    trials_hold(&trials, &faces, 0, inconsistent,
                "equal sides must give (h u, h u^2 + g h^2/2, h u v)");
}

static void symmetric_fluxes_are_mirrored_to_the_bit(void **state)
{
    (void)state;
    trials_hold(&trials, &faces, SYMMETRIC, not_mirrored,
                "it declares SYMMETRIC; mirrored sides must mirror the flux");
}

static void nothing_flows_between_dry_sides(void **state)
{
    (void)state;
    trials_hold(&trials, &faces, 0, flows_between_dry_sides,
                "the flux between two dry sides must be zero");
}

static void positive_fluxes_take_no_water_from_a_dry_side(void **state)
{
    (void)state;
    trials_hold(&trials, &faces, POSITIVE, drains_a_dry_side,
                "it declares POSITIVE; no water may leave a dry side");
}

/* The row's cell k and its neighbours, from the left one. */
static const struct test_side *around(const struct trial *t, int k)
{
    return cells[t->of.precision] + k;
}

/* Depth of a row's cell after a forward Euler step at Courant number one half, plus the roundings in
 * its terms: those of all three cells, because their parts of a flux may cancel. */
static double depth_after(const struct trial *t, int k)
{
    const struct test_side *c = around(t, k);
    double fastest = 0, transport = 0;
    for (int n = 0; n < 3; n++) {
        double speed = fabs(c[n].un) + sqrt(t->g * c[n].h);
        fastest = fmax(fastest, speed);
        transport += speed * c[n].h;
    }
    double dt = fastest > 0 ? 0.5 / fastest : 0;
    return c[1].h + dt * (t->around[k].h - t->around[k + 1].h) +
           8 * precision_epsilon(t->of.precision) * (c[1].h + dt * transport);
}

static int empties_a_cell(const struct trial *t, int k)
{
    return !(depth_after(t, k) >= 0);
}

static double size_of_cells(const struct trial *t, int k)
{
    const struct test_side *c = around(t, k);
    return size(c[0]) + size(c[1]) + size(c[2]);
}

static void print_cells(const struct trial *t, int k)
{
    const struct test_side *c = around(t, k);
    for (int n = 0; n < 3; n++)
        print_error("  cell h = %.17g, u = %.17g\n", c[n].h, c[n].un);
    print_error("  the middle one's depth becomes %g m\n", depth_after(t, k));
}

static void positive_fluxes_keep_depths_at_courant_number_one_half(void **state)
{
    (void)state;
    static const struct trial_samples row = {CELLS, size_of_cells, print_cells};
    trials_hold(&trials, &row, POSITIVE, empties_a_cell,
                "it declares POSITIVE; no cell's depth may become negative");
}

/* An eighth of the cell size must at least third the error: beside shocks a first-order scheme falls
 * short of its order. A flux that is consistent but violates entropy keeps a finite error. */
static int does_not_converge(const struct trial *t, int k)
{
    (void)k;
    return !(t->dam_break[0] < 0.1 && t->dam_break[1] < t->dam_break[0] / 3);
}

static double size_of_dam_break(const struct trial *t, int k)
{
    (void)k;
    return t->dam_break[1];
}

static void print_dam_break(const struct trial *t, int k)
{
    (void)k;
    print_error("  relative L1 error in depth %.4g on %d cells, %.4g on %d cells\n",
                t->dam_break[0], COARSE, t->dam_break[1], FINE);
}

static void the_first_order_scheme_converges_to_the_exact_dam_break(void **state)
{
    (void)state;
    static const struct trial_samples whole = {1, size_of_dam_break, print_dam_break};
    trials_hold(&trials, &whole, 0, does_not_converge,
                "a dam break of 10 m onto 1 m must converge to the exact solution");
}

/* Between sides at rest HLL's mass flux is sl sr (hr - hl) / (sr - sl), with sl = -c of the deeper
 * side where the waves are well estimated: it tells sr. */
static double hll_right_wave(flux_call *hll, double hl, double hr)
{
    struct test_side l = {hl, 0, 0, 0}, r = {hr, 0, 0, 0};
    struct test_flux f;
    hll(&l, &r, 1, &f, 1);
    double sl = -sqrt(hl);
    return f.h * sl / (f.h - sl * (hr - hl));
}

static void hll_takes_the_speed_of_two_rarefactions_and_of_a_front_on_dry_ground(void **state)
{
    (void)state;
    struct plugin_library lib;
    if (plugin_load_flux(&lib, "hll", F64))
        fail_msg("%s", err_message());
    double onto_wet = hll_right_wave(lib.flux, 10, 1), cl = sqrt(10);
    double onto_dry = hll_right_wave(lib.flux, 10, 0);
    /* Two streams of depth 1 and velocity 1 meet: the waves run at c + 1/2, and this is the flux. */
    struct test_side l = {1, 1, 0, 0}, r = {1, -1, 0, 0};
    struct test_flux meeting;
    lib.flux(&l, &r, 1, &meeting, 1);
    plugin_unload(&lib);
    assert_true(fabs(onto_wet - ((cl - 1) + 0.5 * (cl + 1))) < 1e-13 * onto_wet);
    assert_true(meeting.h == 0 && fabs(meeting.n - 3) < 1e-14);
    assert_true(fabs(onto_dry - 2 * cl) < 1e-13 * onto_dry);
}

static void fluxes_say_what_they_are(void **state)
{
    (void)state;
    trials_cited(&trials);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluxes_say_what_they_are),
        cmocka_unit_test(every_flux_is_finite),
        cmocka_unit_test(equal_states_give_the_physical_flux),
        cmocka_unit_test(symmetric_fluxes_are_mirrored_to_the_bit),
        cmocka_unit_test(nothing_flows_between_dry_sides),
        cmocka_unit_test(positive_fluxes_take_no_water_from_a_dry_side),
        cmocka_unit_test(positive_fluxes_keep_depths_at_courant_number_one_half),
        cmocka_unit_test(the_first_order_scheme_converges_to_the_exact_dam_break),
        cmocka_unit_test(hll_takes_the_speed_of_two_rarefactions_and_of_a_front_on_dry_ground),
    };
    return cmocka_run_group_tests_name("fluxes", tests, try_all, forget_all);
}
