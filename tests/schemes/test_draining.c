/* --positivity draining: no step at the Courant number that a scheme claims with it leaves a depth below zero; where water
 * moves gently it changes no bit; and it keeps the symmetries and the bits of whatever divides a run. With SHOAL_TEST_FULL
 * every scheme and plug-in, each of which compiles kernels of its own. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "kernels/host_args.h"
#include "tests/support/everything.h"
#include "tests/support/parts.h"
#include "tests/support/simulate.h"
#include "verification/run/random.h"

enum { SIDE = 40 }; /* cells */

static struct config draining(const char *scheme, enum precision p)
{
    struct config c;
    configure(&c, scheme, p);
    c.positivity = BY_DRAINING;
    c.cfl = find_scheme(scheme)->drained_cfl;
    return c;
}

static struct config without(const struct config *c)
{
    struct config plain = *c;
    plain.positivity = BY_COURANT;
    return plain;
}

/* Of those that offer it: one whose first stage knows dt, and one whose does not. */
static int answers(const struct scheme *s)
{
    const int one = strcmp(s->name, "rk2") == 0 || strcmp(s->name, "rk2_fused") == 0;
    return s->drained_cfl > 0 && (one || everything());
}

/* Water that shoots towards one corner over a periodic square, all of it about as fast as the step allows, and deeper by
 * about a factor of ten from cell to cell, in saw teeth. Half way up, more flows out of a cell along x and along y than it
 * has, and little comes in. */
static struct scene torrents(unsigned long seed)
{
    enum { TEETH = 4 };
    const double fast = 40; /* m/s */
    const int east = seed & 1 ? -1 : 1, north = seed & 2 ? -1 : 1;
    struct scene s = new_scene(SIDE, SIDE);
    struct sample random = {seed};
    s.kappa = 1e-3;
    s.dy = seed % 2 ? s.dx : 0.4 * s.dx;
    scene_edges(&s, PERIODIC, PERIODIC);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const size_t k = scene_cell(&s, i, j);
            const int tooth = (east * i + north * j + 2 * SIDE) % TEETH;
            const double h = pow(10, tooth - 3 + sample_between(&random, -0.1, 0.1));
            s.field[0][k] = h;
            s.field[1][k] = east * h * fast;
            s.field[2][k] = north * h * fast;
        }
    return s;
}

/* The share of the water that a run has clipped. */
static double share_clipped(const struct config *c, struct outcome o)
{
    const double share = o.balance.clipped_in / o.volume0;
    for (int j = 0; j < o.state.ny; j++)
        for (int i = 0; i < o.state.nx; i++)
            if (!(outcome_depth(&o, i, j) >= 0))
                fail_msg("%s: depth %g in cell (%d, %d)", described(c), outcome_depth(&o, i, j), i,
                         j);
    outcome_free(&o);
    return share;
}

static double clipped(const struct config *c, const struct scene *s, long steps)
{
    return share_clipped(c, simulated_steps(c, s, steps));
}

/* Sums of fluxes are rounded. */
static void expect_nothing_clipped(const struct config *c, const struct scene *s, long steps)
{
    const double share = clipped(c, s, steps);
    const double most = 1e-2 * (double)steps * precision_epsilon((enum precision)c->precision);
    if (!(share <= most))
        fail_msg("%s: %g of the water was clipped in %ld steps, expected at most %g", described(c),
                 share, steps, most);
}

static void no_step_empties_a_cell(void **state)
{
    (void)state;
    int tried = 0;
    for (int k = 0; schemes[k]; k++)
        for (unsigned long seed = 1; seed <= 3 && answers(schemes[k]); seed++, tried++) {
            struct scene s = torrents(seed);
            for (int p = F32; p <= (everything() ? F64 : F32); p++) {
                const struct config c = draining(schemes[k]->name, (enum precision)p);
                expect_nothing_clipped(&c, &s, 12);
            }
            scene_free(&s);
        }
    assert_true(tried >= 6);
}

/* So that the test above can fail. */
static void without_draining_some_are_emptied(void **state)
{
    (void)state;
    const struct config c = draining("rk2", F32), plain = without(&c);
    struct scene s = torrents(1);
    const double share = clipped(&plain, &s, 12);
    if (!(share > 1e-3))
        fail_msg("%s: only %g of the water is clipped", described(&plain), share);
    scene_free(&s);
}

/* A case until a time, s. */
struct example {
    const char *name;
    int nx, ny;
    double until;
};

static double clipped_of(const struct config *c, const struct example *f)
{
    struct scene s = new_of_case(f->name, f->nx, f->ny);
    s.t_end = f->until;
    const double share = share_clipped(c, simulated(c, &s));
    scene_free(&s);
    return share;
}

/* Dams, a basin, humps, and last a bend, of which steps as long clip a lot without draining. */
static void no_more_is_clipped_than_in_short_steps(void **state)
{
    enum { FLOWS = 5 };
    static const struct example flows[FLOWS] = {{"circular-dam-dry", 48, 48, 1},
                                                {"ritter", 200, 1, 6},
                                                {"parabola", 50, 50, 2000},
                                                {"three-humps", 75, 30, 12},
                                                {"bend", 48, 17, 20}};
    (void)state;
    const struct config c = draining("rk2_fused", F64), plain = without(&c);
    struct config quarter = plain;
    quarter.cfl = 0.25;
    for (int k = 0; k < FLOWS; k++) {
        const double share = clipped_of(&c, &flows[k]), most = clipped_of(&quarter, &flows[k]);
        if (!(share <= most))
            fail_msg("%s: %s: %g of the water was clipped, and %g at a Courant number of 0.25",
                     described(&c), flows[k].name, share, most);
    }
    const double share = clipped_of(&plain, &flows[FLOWS - 1]);
    if (!(share > 1e-4))
        fail_msg("%s: only %g of the water is clipped", described(&plain), share);
}

static void no_plugin_empties_a_cell(void **state)
{
    (void)state;
    struct scene s = torrents(4);
    for (int f = 0; fluxes[f]; f++)
        for (int r = 0; reconstructions[r]; r++) {
            const int named = strcmp(fluxes[f]->name, "hll") == 0 &&
                              strcmp(reconstructions[r]->name, "audusse") == 0;
            const int possible =
                !(fluxes[f]->properties & QUARTER) && reconstructions[r]->properties & POSITIVE;
            struct config c = draining("rk2_fused", F32);
            snprintf(c.flux, sizeof c.flux, "%s", fluxes[f]->name);
            snprintf(c.reconstruction, sizeof c.reconstruction, "%s", reconstructions[r]->name);
            if (possible && (named || everything()))
                expect_nothing_clipped(&c, &s, 8);
        }
    for (int k = 0; limiters[k] && everything(); k++) {
        struct config c = draining("rk2", F64);
        snprintf(c.limiter, sizeof c.limiter, "%s", limiters[k]->name);
        expect_nothing_clipped(&c, &s, 8);
    }
    scene_free(&s);
}

static void expect_the_bits_of(const struct config *want, const struct config *have,
                               const struct scene *s, long steps, const char *what)
{
    struct outcome a = simulated_steps(want, s, steps), b = simulated_steps(have, s, steps);
    expect_same(have, what, &a.state, &b.state, 1);
    outcome_free(&a);
    outcome_free(&b);
}

static void gentle_water_keeps_its_bits(void **state)
{
    (void)state;
    struct scene s = new_scene(31, 23);
    scene_random_bed(&s, -2, -1, 7);
    scene_level(&s, 0.3);
    scene_dam(&s, 12, 9, 6, 0.5);
    scene_stir(&s, 0.4, 8);
    for (int k = 0; schemes[k]; k++) {
        if (!answers(schemes[k]))
            continue;
        const struct config c = draining(schemes[k]->name, F32), plain = without(&c);
        expect_the_bits_of(&plain, &c, &s, 20, "not the bits of --positivity courant");
    }
    scene_free(&s);
}

/* Choppy water that hardly moves, with a torrent in a few cells of the middle rows. */
static struct scene chop(void)
{
    struct scene s = new_scene(44, 38);
    struct sample random = {3};
    scene_random_bed(&s, -1, -0.9, 7);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++) {
            const size_t k = scene_cell(&s, i, j);
            s.field[0][k] = sample_between(&random, -0.3, 0.3);
            const int rushes = j / 6 == 2 && i / 3 == 5;
            s.field[1][k] = rushes ? 4 : 0.1;
            s.field[2][k] = rushes ? 2 : 0;
        }
    return s;
}

/* Rows in which no cell rushes take fewer operations; with a step that is far too long they are drained, too. */
static void looking_closely_everywhere_changes_no_bit(void **state)
{
    static const char *const beds[] = {"kp", "audusse"};
    static const double lengths[] = {0.05, 0.45, 0.6}; /* s; waves run a cell in 0.3 s */
    (void)state;
    struct scene s = chop();
    for (int k = 0; k < 4; k++) {
        struct config c = draining("rk2_fused", k < 2 ? F32 : F64), closely;
        snprintf(c.reconstruction, sizeof c.reconstruction, "%s", beds[k % 2]);
        for (int n = 0; n < 3; n++) {
            c.dt = lengths[n];
            closely = c;
            snprintf(closely.define, sizeof closely.define, "ALL_RUSH=1");
            expect_the_bits_of(&closely, &c, &s, 2,
                               "not the bits that rows get when looked at closely");
        }
    }
    scene_free(&s);
}

/* Over cells with beds of their own also around islands. */
static void a_lake_at_rest_stays_at_rest(void **state)
{
    static const char *const beds[] = {"kp", "audusse"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = draining("rk2_fused", F32);
        snprintf(c.reconstruction, sizeof c.reconstruction, "%s", beds[k]);
        if (k == 1)
            snprintf(c.flux, sizeof c.flux, "hll");
        struct scene s = new_scene(37, 29);
        scene_random_bed(&s, -2, k ? 1.5 : -0.2, 11);
        scene_level(&s, 0.37);
        struct outcome start = simulated_steps(&c, &s, 1), later = simulated_steps(&c, &s, 30);
        expect_same(&c, "moves in a lake at rest", &start.state, &later.state, 1);
        outcome_free(&start);
        outcome_free(&later);
        scene_free(&s);
    }
}

static void mirrored_and_transposed_torrents_are_the_same(void **state)
{
    static const int views[] = {MIRROR_X, MIRROR_Y, EXCHANGE, MIRROR_X | EXCHANGE};
    (void)state;
    struct scene s = torrents(6);
    for (int k = 0; k < 4; k++) {
        const struct config c = draining(k % 2 ? "rk2_fused" : "rk2", F32);
        struct outcome o = simulated_steps(&c, &s, 10);
        struct scene seen = new_view(&s, views[k]), expected = new_view(&o.state, views[k]);
        struct outcome have = simulated_steps(&c, &seen, 10);
        expect_same(&c, "another view of it", &expected, &have.state, 1);
        outcome_free(&have);
        outcome_free(&o);
        scene_free(&seen);
        scene_free(&expected);
    }
    scene_free(&s);
}

static void any_division_gives_the_same_bits(void **state)
{
    static const char *const ways[] = {"2x2", "2 in 16x12"};
    (void)state;
    struct scene s = torrents(10);
    for (int k = 0; schemes[k]; k++) {
        if (!answers(schemes[k]))
            continue;
        const struct config c = draining(schemes[k]->name, F32);
        struct config other = c;
        if (!everything() && strcmp(c.scheme, "rk2_fused") != 0)
            continue;
        other.threads = 2;
        other.order = 2;
        configure_blocks(&other, (struct block){28, 9}, 1);
        expect_the_bits_of(&c, &other, &s, 6, "not the bits of another order");
        for (size_t w = 0; w < (everything() ? sizeof ways / sizeof *ways : 1); w++) {
            const struct config parts = in_parts(&c, ways[w]);
            expect_the_bits_of(&c, &parts, &s, 6, ways[w]);
        }
    }
    /* Both reconstruct each cell by the same text, and neither knows dt in its first stage. */
    const struct config both = draining("rk2", F32), apart = draining("srk2", F32);
    if (everything())
        expect_the_bits_of(&both, &apart, &s, 10, "not the bits of rk2");
    scene_free(&s);
}

/* An edge that imposes values looks for what crosses it by the same fluxes. */
static void edges_impose_what_they_impose(void **state)
{
    (void)state;
    const struct config c = draining("rk2_fused", F32);
    const struct config plain = without(&c);
    struct scene s = new_scene(28, 20);
    scene_level(&s, 1);
    scene_mixed_edges(&s);
    expect_the_bits_of(&plain, &c, &s, 5, "not the bits of --positivity courant");
    scene_free(&s);
}

/* Total variation of the level along a row of a periodic domain of 1 m. */
static double variation(const struct config *c, int n)
{
    struct scene s = new_scene(n, 1);
    scene_edges(&s, PERIODIC, PERIODIC);
    s.dx = s.dy = 1.0 / n;
    s.t_end = 0.15;
    double sum = 0;
    for (int i = 0; i <= n; i++)
        s.bed[i] = s.bed[n + 1 + i] = -1 + 0.1 * sin(2 * acos(-1) * i / n);
    for (int i = 0; i < n; i++) {
        const double x = 2 * acos(-1) * (i + 0.5) / n;
        s.field[0][i] = 0.1 * cos(x + 0.3);
        s.field[1][i] = 0.4 + 0.1 * sin(x);
    }
    struct outcome o = simulated(c, &s);
    for (int i = 0; i < n; i++)
        sum += fabs(o.state.field[0][(i + 1) % n] - o.state.field[0][i]);
    outcome_free(&o);
    scene_free(&s);
    return sum;
}

/* Instability shows under refinement, as ripples. */
static void a_smooth_wave_stays_smooth_at_the_claimed_courant_number(void **state)
{
    (void)state;
    for (int k = 0; schemes[k]; k++) {
        if (!answers(schemes[k]))
            continue;
        const struct config c = draining(schemes[k]->name, F32);
        const double coarse = variation(&c, 100), fine = variation(&c, 800);
        if (!(fine <= 1.03 * coarse))
            fail_msg("%s: a smooth wave's total variation is %.4g with 100 cells and %.4g with 800",
                     described(&c), coarse, fine);
    }
}

static void expect_refused(const struct config *c, const char *why, const char *instead)
{
    struct scene s = new_scene(8, 8);
    struct outcome o;
    assert_int_equal(simulate(c, &s, &o), ERR_USAGE);
    if (!strstr(err_message(), why) || !strstr(err_message(), instead))
        fail_msg("'%s' or '%s' is not in '%s'", why, instead, err_message());
    scene_free(&s);
}

static void what_it_does_not_serve_is_refused(void **state)
{
    (void)state;
    struct config c = draining("rk2", F32), other;
    for (int k = 0; schemes[k]; k++) {
        other = c;
        snprintf(other.scheme, sizeof other.scheme, "%s", schemes[k]->name);
        if (scheme_moves_water(schemes[k]) && !(schemes[k]->drained_cfl > 0))
            expect_refused(&other, "does not offer it", "rk2, rk2_fused, srk2, ssprk3");
    }
    other = c;
    strcpy(other.flux, "lax_friedrichs");
    expect_refused(&other, "flux lax_friedrichs is unstable", "--flux central_upwind");
    other = c;
    strcpy(other.flux, "fwave");
    strcpy(other.reconstruction, "steps");
    expect_refused(&other, "reconstruction steps does not", "audusse, chen_noelle, kp");
    scene_solve(find_system("tracer"));
    expect_refused(&c, "a tracer's concentration", "omit --tracer");
    scene_solve(find_system("shallow_water"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_empties_a_cell),
        cmocka_unit_test(without_draining_some_are_emptied),
        cmocka_unit_test(no_more_is_clipped_than_in_short_steps),
        cmocka_unit_test(no_plugin_empties_a_cell),
        cmocka_unit_test(gentle_water_keeps_its_bits),
        cmocka_unit_test(looking_closely_everywhere_changes_no_bit),
        cmocka_unit_test(a_lake_at_rest_stays_at_rest),
        cmocka_unit_test(mirrored_and_transposed_torrents_are_the_same),
        cmocka_unit_test(any_division_gives_the_same_bits),
        cmocka_unit_test(edges_impose_what_they_impose),
        cmocka_unit_test(a_smooth_wave_stays_smooth_at_the_claimed_courant_number),
        cmocka_unit_test(what_it_does_not_serve_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
