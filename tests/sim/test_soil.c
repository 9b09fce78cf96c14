/* Infiltration: by the law, never more than there is, and the same for any blocks and threads. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/problem/soil.h"
#include "core/registry/registry.h"
#include "tests/support/checkpoints.h"
#include "tests/support/same_bits.h"

static const double CONDUCTIVITY = 10e-3 / 3600, STORE = 0.11 * 0.3;

static double gone(const struct outcome *o)
{
    return o->volume0 + o->balance.inflow - o->balance.volume;
}

/* F - S ln(1 + F/S) = K t. */
static double green_ampt(double k, double s, double t)
{
    double low = 0, high = 10;
    for (int n = 0; n < 200; n++) {
        const double f = 0.5 * (low + high);
        if (f - s * log1p(f / s) < k * t)
            low = f;
        else
            high = f;
    }
    return low;
}

/* A pond a metre deep on high ground, and a lower one: the depth of the upper one is what is stored. */
enum { POND = 3, PONDS = 8 };

static struct scene two_ponds(void)
{
    struct scene s = new_scene(PONDS, 3);
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++)
            s.bed[scene_corner(&s, i, j)] = i <= POND ? 4 : i == POND + 1 ? 8 : 0;
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++)
            s.field[0][scene_cell(&s, i, j)] = i < POND ? 5 : i < POND + 2 ? -1 : 0.5;
    return s;
}

static void check_ponded(const struct config *c)
{
    const struct soil soil = {.rate = CONDUCTIVITY, .store = STORE};
    struct config fixed = *c;
    struct scene s = two_ponds();
    snprintf(fixed.reconstruction, sizeof fixed.reconstruction, "audusse"); /* at rest at shores */
    fixed.dt = 2;
    s.dx = s.dy = 40;
    s.t_end = 1800;
    s.soil = &soil;
    struct outcome o = simulated(&fixed, &s);
    const double want = green_ampt(CONDUCTIVITY, STORE, s.t_end);
    const double most = 1e-5 * want + (c->precision == F64 ? 0 : 8 * 0x1p-23);
    for (int i = 0; i < POND; i++)
        if (!(fabs(1 - outcome_depth(&o, i, 1) - want) <= most))
            fail_msg("%s: %.9g m have seeped away under cell %d, not %.9g", described(c),
                     1 - outcome_depth(&o, i, 1), i, want);
    const double wet = (PONDS - 2) * s.ny * s.dx * s.dy;
    if (!(fabs(o.balance.infiltrated / wet - want) <= most))
        fail_msg("%s: %.9g m have seeped away, not %.9g", described(c), o.balance.infiltrated / wet,
                 want);
    if (!(fabs(gone(&o)) <= (c->precision == F64 ? 1e-13 : 1e-7) * o.volume0))
        fail_msg("%s: %g of %g m3 are missing", described(c), gone(&o), o.volume0);
    outcome_free(&o);
    scene_free(&s);
}

static void a_pond_seeps_away_by_the_law_of_green_and_ampt(void **state)
{
    (void)state;
    for_every_scheme(check_ponded);
}

/* 2 mm of water on slopes: all of it seeps away, and nothing else changes. */
static void check_film(const struct config *c)
{
    const struct soil soil = {.rate = 3.6};
    struct config film = *c;
    struct scene s = new_scene(17, 11);
    snprintf(film.reconstruction, sizeof film.reconstruction, "audusse");
    scene_random_bed(&s, 1800, 1801, 3);
    for (int j = 0; j < s.ny; j++)
        for (int i = 0; i < s.nx; i++)
            s.field[0][scene_cell(&s, i, j)] = scene_bed_centre(&s, F64, i, j) + 2e-3;
    s.t_end = 5;
    s.soil = &soil;
    struct outcome o = simulated(&film, &s);
    for (int k = 0; k < s.nx * s.ny; k++)
        if (!(o.depth[k] >= 0 && o.depth[k] <= 0) || !(fabs(o.state.field[1][k]) <= 0))
            fail_msg("%s: cell %d has %g m and %g m2/s left", described(c), k, o.depth[k],
                     o.state.field[1][k]);
    if (!(fabs(o.balance.infiltrated - o.volume0 - o.balance.clipped_in) <=
          (c->precision == F64 ? 1e-12 : 1e-6) * o.volume0))
        fail_msg("%s: %.9g of %.9g m3 seeped away", described(c), o.balance.infiltrated, o.volume0);
    outcome_free(&o);
    scene_free(&s);
}

static void no_more_seeps_away_than_there_is(void **state)
{
    (void)state;
    for_every_scheme(check_film);
}

static void check_thirsty(const struct config *c)
{
    static double time[] = {0, 1e300}, rate[] = {8e-3 / 3600, 8e-3 / 3600};
    const struct rain rain = {.series = {.time = time, .value = rate, .rows = 2}};
    const struct soil soil = {.rate = CONDUCTIVITY, .store = STORE};
    struct scene s = new_scene(9, 7);
    scene_random_bed(&s, 100, 101, 3);
    scene_level(&s, 0);
    s.t_end = 60;
    s.rain = &rain;
    s.soil = &soil;
    struct outcome o = simulated(c, &s);
    const double fell = 60 * rate[0] * s.nx * s.dx * s.ny * s.dy;
    if (!(fabs(o.balance.infiltrated - fell) <= (c->precision == F64 ? 1e-12 : 1e-6) * fell) ||
        !(fabs(o.balance.volume) <= 1e-12 * fell))
        fail_msg("%s: of %.9g m3 of drizzle %.9g seeped away, %g is left", described(c), fell,
                 o.balance.infiltrated, o.balance.volume);
    outcome_free(&o);
    scene_free(&s);
}

static void soil_that_can_takes_all_the_rain(void **state)
{
    (void)state;
    for_every_scheme(check_thirsty);
}

static void what_stays_keeps_its_velocity(void **state)
{
    (void)state;
    const struct soil soil = {.rate = 1e-3};
    struct config c;
    struct scene s = new_scene(9, 7);
    configure(&c, "rk2", F64);
    scene_edges(&s, PERIODIC, PERIODIC);
    scene_level(&s, 1);
    for (int k = 0; k < s.nx * s.ny; k++)
        s.field[1][k] = 1, s.field[2][k] = -0.5;
    s.t_end = 100;
    s.soil = &soil;
    struct outcome o = simulated(&c, &s);
    for (int k = 0; k < s.nx * s.ny; k++)
        if (!(fabs(o.depth[k] - 0.9) <= 1e-12) ||
            !(fabs(o.state.field[1][k] / o.depth[k] - 1) <= 1e-12) ||
            !(fabs(o.state.field[2][k] / o.depth[k] + 0.5) <= 1e-12))
            fail_msg("cell %d: %g m at %g, %g m/s", k, o.depth[k], o.state.field[1][k] / o.depth[k],
                     o.state.field[2][k] / o.depth[k]);
    outcome_free(&o);
    scene_free(&s);
}

static void a_step_that_is_redone_drinks_once(void **state)
{
    (void)state;
    const struct soil soil = {.rate = 1e-3};
    struct config c;
    struct scene s = new_scene(19, 13);
    configure(&c, "rk2_fused", F64);
    c.dt_factor = 1;
    scene_level(&s, 1);
    scene_dam(&s, 5, 5, 3, 4);
    s.t_end = 2.5;
    s.soil = &soil;
    struct outcome o = simulated(&c, &s);
    const double want = s.t_end * soil.rate * s.nx * s.dx * s.ny * s.dy;
    assert_true(o.clock.redone > 3);
    if (!(fabs(o.balance.infiltrated - want) <= 1e-12 * want))
        fail_msg("%.17g m3 seeped away, not %.17g", o.balance.infiltrated, want);
    outcome_free(&o);
    scene_free(&s);
}

enum { WIDE = 19, HIGH = 13 };
static double rate_of[WIDE * HIGH], store_of[WIDE * HIGH];
static const struct soil varied = {.rate_of = rate_of, .store_of = store_of};

static void vary(void)
{
    for (int k = 0; k < WIDE * HIGH; k++) {
        rate_of[k] = 1e-4 * (k % 5);
        store_of[k] = 0.01 * (k % 3);
    }
}

static void every_cell_takes_by_its_own_soil(void **state)
{
    (void)state;
    vary();
    for (int sweep = SWEEP_XY; sweep <= SWEEP_YX; sweep++) {
        struct config c;
        struct scene s = new_scene(WIDE, HIGH);
        configure(&c, "ds1", F64);
        c.sweep = sweep;
        c.dt = 1e-3;
        scene_level(&s, 0.5);
        s.t_end = 2e-3;
        s.soil = &varied;
        struct outcome o = simulated(&c, &s);
        for (int k = 0; k < WIDE * HIGH; k++) {
            const double want =
                store_of[k] > 0 ? green_ampt(rate_of[k], store_of[k], 2e-3) : rate_of[k] * 2e-3;
            if (!(fabs(0.5 - o.depth[k] - want) <= 0.1 * want + 2e-6))
                fail_msg("sweep %d: cell %d lost %g m, not %g", sweep, k, 0.5 - o.depth[k], want);
        }
        outcome_free(&o);
        scene_free(&s);
    }
}

static struct outcome soaked(const struct config *c, const void *none)
{
    struct scene s = new_rough(WIDE, HIGH);
    (void)none;
    scene_mixed_edges(&s);
    s.t_end = 0.5;
    s.soil = &varied;
    struct outcome o = simulated(c, &s);
    scene_free(&s);
    return o;
}

static void parts_change_no_bit(void **state)
{
    (void)state;
    vary();
    expect_bits_in_parts(soaked, NULL);
}

static void blocks_threads_and_order_change_no_bit(void **state)
{
    (void)state;
    vary();
    for (int p = F32; p <= F64; p++) {
        struct config c;
        configure(&c, "rk2", (enum precision)p);
        c.early_exit = EARLY_EXIT_ON;
        c.order = p == F32 ? 2 : 0;
        expect_bits_in_blocks(&c, "soil", 7, 3, soaked, NULL);
    }
}

static struct config soaking(void)
{
    struct config c = config_of("rk2", F32);
    char path[PATH_LENGTH];
    scratch_write(
        "k.asc", "w",
        "ncols 2\nnrows 2\nxllcorner -1000\nyllcorner -1000\ncellsize 1000\n900 1800\n0 3600\n");
    scratch_path(path, "k.asc");
    set(&c, "infiltration", path);
    set(&c, "suction", "100");
    set(&c, "deficit", "0.25");
    return c;
}

static void a_run_goes_on_with_what_has_seeped_away(void **state)
{
    (void)state;
    const struct config c = soaking();
    struct config other = c;
    struct run straight, second;
    run_straight(&straight, &c);
    keep_at(&c, KEPT_AT);
    resume(&second, &c);
    expect_equal(&straight, &second, "restarted while water seeps away");
    struct balance b;
    fine(sim_balance(second.sim, &b));
    assert_true(b.infiltrated > 0);
    end(&straight);
    end(&second);
    set(&other, "suction", "101");
    start(&second, &other);
    expect_refusal(ERR_USAGE, checkpoint_restore(second.sim, &second.p, file, rows),
                   "soil of hash");
    end(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pond_seeps_away_by_the_law_of_green_and_ampt),
        cmocka_unit_test(no_more_seeps_away_than_there_is),
        cmocka_unit_test(soil_that_can_takes_all_the_rain),
        cmocka_unit_test(what_stays_keeps_its_velocity),
        cmocka_unit_test(a_step_that_is_redone_drinks_once),
        cmocka_unit_test(every_cell_takes_by_its_own_soil),
        cmocka_unit_test(blocks_threads_and_order_change_no_bit),
        cmocka_unit_test(parts_change_no_bit),
        IN_SCRATCH(a_run_goes_on_with_what_has_seeped_away),
    };
    log_quiet(2);
    return cmocka_run_group_tests_name("soil", tests, NULL, NULL);
}
