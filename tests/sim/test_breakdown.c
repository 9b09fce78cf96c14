/* A solution that breaks down stops the run at once, and says where. With SHOAL_TEST_FULL=1 for every
 * limiter, flux and reconstruction of every scheme. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/breakdown.h"
#include "core/base/log.h"
#include "core/netcdf/netcdf_file.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/need_gpu.h"
#include "tests/support/program.h"
#include "tests/support/simulate.h"
#include "verification/run/invariant.h"

enum { NX = 24, NY = 17, SOON = 100 };

/* A dam break over a rough bed with dry places, after some steps. */
static struct sim *on_the_way(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    if (sim_run(sim, 0.1, NULL))
        fail_msg("%s: %s", described(c), err_message());
    return sim;
}

static int is_wet(struct sim *sim, const struct scene *s, int i, int j)
{
    struct outcome o = outcome_of(sim->config, sim, s);
    const int wet = outcome_depth(&o, i, j) >= sim->physics.dry;
    outcome_free(&o);
    return wet;
}

static void plant(struct sim *sim, int field, int i, int j, double value)
{
    char all[sizeof(double) * NX * NY];
    const float single = (float)value;
    const size_t k = (size_t)(j * NX + i) * sim->real_size;
    assert_int_equal(sim_download(sim, field, all), ERR_OK);
    memcpy(all + k, sim->real_size == sizeof value ? (const void *)&value : &single,
           sim->real_size);
    assert_int_equal(sim_write(sim, sim_unknown(sim, field), NULL, all), ERR_OK);
}

/* Momentum of a dry cell becomes zero, whatever it is; every other value is noticed. */
static void check_planted(const struct config *c, const struct scene *s, int field, double value)
{
    static const int places[][2] = {{12, 8}, {0, 0}, {NX - 1, 3}, {5, NY - 1}};
    for (int k = 0; k < (everything() ? 4 : 2); k++) {
        const int i = places[k][0], j = places[k][1];
        struct sim *sim = on_the_way(c, s);
        const unsigned long before = sim->now.steps;
        const int healed = field > 0 && !is_wet(sim, s, i, j);
        plant(sim, field, i, j, value);
        const enum err e = sim_run(sim, (double)INFINITY, NULL);
        if (e != ERR_BROKEN && !(healed && e == ERR_OK))
            fail_msg("%s: %g in field %d of cell (%d, %d) gives error %d", described(c), value,
                     field, i, j, e);
        if (e && sim->now.steps > before + SOON)
            fail_msg("%s: %g in field %d of cell (%d, %d) was noticed after %lu steps",
                     described(c), value, field, i, j, sim->now.steps - before);
        sim_destroy(sim);
    }
}

/* A level of minus infinity is below the bed and is raised to it; from the neighbours plus infinity is, too. */
static void check_values(const struct config *c)
{
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    struct scene s = new_rough(NX, NY);
    s.t_end = 0.3;
    for (int field = 0; field < 3; field++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            if (everything() ? field > 0 || !(values[k] < 0) : k == 0 || (field == 0 && k == 1))
                check_planted(c, &s, field, values[k]);
    scene_free(&s);
}

static void check_plugins(struct variant *v)
{
    for (int l = 0; limiters[l]; l++)
        for (int f = 0; fluxes[f]; f++)
            for (int r = 0; reconstructions[r]; r++) {
                struct config c;
                snprintf(v->limiter, sizeof v->limiter, "%s", limiters[l]->name);
                snprintf(v->flux, sizeof v->flux, "%s", fluxes[f]->name);
                snprintf(v->reconstruction, sizeof v->reconstruction, "%s",
                         reconstructions[r]->name);
                if ((l > 0) + (f > 0) + (r > 0) > 1 || !variant_is_possible(v))
                    continue;
                variant_configure(&c, v);
                check_values(&c);
            }
}

/* Fast mode may use instructions that lose infinities and NaN. */
static void check_schemes(enum backend_kind backend)
{
    FOR_SCHEMES_OF_WATER (k) {
        struct variant v = {.precision = F32, .backend = backend, .mode = FAST_MODE};
        struct config c;
        snprintf(v.scheme, sizeof v.scheme, "%s", schemes[k]->name);
        variant_configure(&c, &v);
        check_values(&c);
        if (everything())
            check_plugins(&v);
    }
}

static void a_value_that_is_not_finite_stops_every_scheme_soon(void **state)
{
    (void)state;
    check_schemes(CPU);
}

static void on_a_gpu_too(void **state)
{
    (void)state;
    need_gpu("breaking down on a GPU");
    check_schemes(CUDA);
}

/* What the message and the table say about a cell of the user's grid. */
static void check_report(int sweep, double value, const char *what)
{
    enum { I = 12, J = 8 };
    struct config c;
    struct scene s = new_rough(NX, NY);
    char text[4096], cell[128];
    configure(&c, "ds1", F32);
    c.sweep = sweep;
    c.steps = 1000;
    struct sim *sim = on_the_way(&c, &s);
    plant(sim, 1, I, J, value);
    const enum err e = sim_run(sim, (double)INFINITY, NULL);
    if (e != ERR_BROKEN || sim->now.steps >= SOON)
        fail_msg("%s: %g gives error %d after %lu steps", described(&c), value, e, sim->now.steps);
    snprintf(cell, sizeof cell, "cell (%d, %d) at x = %g m, y = %g m", I, J, 12.5, 8.5 * 0.9);
    if (!strstr(err_message(), what) || !strstr(err_message(), cell))
        fail_msg("'%s' and '%s' are not in '%s'", what, cell, err_message());
    FILE *f = tmpfile();
    assert_non_null(f);
    breakdown_print(sim, f);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    snprintf(cell, sizeof cell, "around cell (%d, %d)", I, J);
    assert_non_null(strstr(text, cell));
    assert_non_null(strstr(text, "  i = ")); /* three columns, and five lines a row */
    assert_non_null(strstr(text, "             11             12             13"));
    assert_non_null(strstr(text, isnan(value) ? "nan" : "1e+09"));
    int lines = 0;
    for (const char *line = text; (line = strchr(line, '\n')); line++)
        lines++;
    assert_int_equal(lines, 2 + 3 * 5);
    sim_destroy(sim);
    scene_free(&s);
}

static void the_message_names_the_cell_and_the_table_shows_its_neighbours(void **state)
{
    (void)state;
    check_report(SWEEP_XY, (double)NAN, "is not finite in");
    check_report(SWEEP_YX, (double)NAN, "is not finite in");
}

/* A wave of 1e9 m/s makes the time step so small that the run would never end. */
static void a_time_step_that_collapses_is_a_breakdown(void **state)
{
    (void)state;
    check_report(SWEEP_XY, 1e9, "the time step fell to");
    check_report(SWEEP_YX, 1e9, "the time step fell to");
}

/* Nobody would look at the state that it leaves behind. */
static void what_the_last_step_breaks_is_seen(void **state)
{
    (void)state;
    struct config c;
    struct scene s = new_scene(30, 30);
    struct outcome o;
    scene_level(&s, 1);
    scene_dam(&s, 14, 15, 6, 3);
    s.t_end = 1e6;
    configure(&c, "rk2", F32);
    c.dt = 4; /* 0.04 s are stable */
    assert_int_equal(simulate(&c, &s, &o), ERR_OK);
    assert_true(o.broken);
    assert_non_null(strstr(err_message(), "--dt 4 is too long"));
    c.steps = (long)o.clock.steps;
    outcome_free(&o);
    assert_int_equal(simulate(&c, &s, &o), ERR_OK);
    assert_true(o.broken && o.clock.steps == (unsigned long)c.steps);
    outcome_free(&o);
    c.steps--;
    assert_int_equal(simulate(&c, &s, &o), ERR_OK);
    assert_false(o.broken);
    outcome_free(&o);
    scene_free(&s);
}

/* The last sound state remains, and the run breaks down at the same place again. */
static void a_run_that_breaks_down_keeps_its_last_checkpoint(void **state)
{
    static const char checkpoint[] = "--restart=run.nc" CHECKPOINT_ENDING;
    static char why[MOST_TEXT];
    char path[PATH_LENGTH];
    (void)state;
    if (!ncfile_available())
        skip();
#define RUN(...)                                                                             \
    SHOAL("run", "circular-dam", "--nx=30", "--dt=0.5", "--t-end=100", "--mode=strict",      \
          "--backend=cpu", "--threads=1", "--quiet", "--output=run.nc", "--checkpoint=1e-9", \
          __VA_ARGS__)
    RUN("--scheme=rk2");
    ASSERT_STATUS(4);
    ASSERT_HAS(result.err, "around cell (");
    ASSERT_HAS(result.err, "--dt 0.5 is too long");
    strcpy(why, result.err);
    scratch_path(path, "run.nc");
    assert_int_not_equal(access(path, F_OK), 0);
    RUN("--scheme=rk2", checkpoint);
    ASSERT_STATUS(4);
    assert_string_equal(result.err, why);
#undef RUN
}

static int find_program(void **state)
{
    (void)state;
    scratch_create();
    return program_find();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_is_not_finite_stops_every_scheme_soon),
        cmocka_unit_test(on_a_gpu_too),
        cmocka_unit_test(the_message_names_the_cell_and_the_table_shows_its_neighbours),
        cmocka_unit_test(a_time_step_that_collapses_is_a_breakdown),
        cmocka_unit_test(what_the_last_step_breaks_is_seen),
        cmocka_unit_test_setup_teardown(a_run_that_breaks_down_keeps_its_last_checkpoint,
                                        find_program, scratch_remove),
    };
    log_quiet(1);
    return cmocka_run_group_tests_name("breakdown", tests, NULL, NULL);
}
