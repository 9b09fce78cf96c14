/* Gauges: the rows that the device records. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/sim/gauges.h"
#include "core/sim/maxima.h"
#include "core/problem/problem.h"
#include "core/run/output_schedule.h"
#include "tests/support/recorder.h"
#include "tests/support/simulate.h"

static void fine(enum err e)
{
    if (e)
        fail_msg("%s", err_message());
}

/* All rows of a run. */
enum { MOST_ROWS = 20000, GAUGES = 3 };
struct rows {
    struct sim *sim;
    size_t rows;
    int takes;
    double t[MOST_ROWS], value[MOST_ROWS][3][GAUGES];
};

static double number(const struct sim *sim, const void *x, size_t k)
{
    return sim->config->precision == F64 ? ((const double *)x)[k] : (double)((const float *)x)[k];
}

static enum err take(void *context)
{
    struct rows *s = context;
    static double memory[3 * GAUGES * 4096] = {0}, t[4096];
    struct gauge_rows rows = {.t = t, .values = memory};
    TRY(gauges_take(s->sim, &rows));
    s->takes++;
    for (size_t k = 0; k < rows.count; k++, s->rows++) {
        assert_true(s->rows < MOST_ROWS);
        s->t[s->rows] = t[k];
        for (size_t m = 0; m < 3 * (size_t)GAUGES; m++)
            s->value[s->rows][m / GAUGES][m % GAUGES] =
                number(s->sim, rows.values, k * 3 * GAUGES + m);
    }
    return ERR_OK;
}

static const struct gauge_list three = {
    .gauge = (struct gauge[]){{"a", 0, 0, 5, 3}, {"b", 0, 0, 22, 20}, {"c", 0, 0, 0, 17}},
    .count = GAUGES};

/* What some tests change. */
static int narrow, debug_order, maxima_every, sweep = SWEEP_XY;
static long steps; /* 0: to the end */
static int sparse;
static const char *backend = "cpu";

/* A dam that breaks over dry ground, with gauges. */
static struct sim *dam(struct config *c, const char *scheme, enum precision p, double every)
{
    static struct problem problem;
    struct sim *sim;
    configure(c, scheme, p);
    strcpy(c->input, "circular-dam-dry");
    c->nx = 40;
    c->ny = 36;
    c->t_end = 1;
    c->cfl = 0.1;
    c->dt_factor = 1; /* so that steps are rejected */
    c->order = debug_order;
    c->maxima = maxima_every > 0;
    c->maxima_every = maxima_every > 0 ? maxima_every : c->maxima_every;
    c->steps = steps ? steps : c->steps;
    snprintf(c->backend, sizeof c->backend, "%s", backend);
    c->sweep = sweep;
    if (narrow)
        configure_block(c, "gauges", 1, 1);
    if (sparse) {
        c->domain = DOMAIN_SPARSE;
        c->early_exit = EARLY_EXIT_AUTO;
        c->tile = (struct tile_size){6, 4};
        configure_blocks(c, (struct block){12, 5}, 0);
    }
    fine(problem_open(&problem, c));
    problem.setup.gauges = &three;
    problem.setup.gauge_every = every;
    fine(sim_create(&sim, &problem.setup));
    problem_close(&problem);
    return sim;
}

static void attach(struct rows *s, struct sim *sim)
{
    s->sim = sim;
    s->rows = 0;
    s->takes = 0;
    gauges_of(sim)->full = take;
    gauges_of(sim)->context = s;
}

static void run(struct rows *s, struct sim *sim)
{
    attach(s, sim);
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(take(s));
}

/* The row for the present state. */
static void note(struct rows *s, struct sim *sim)
{
    const size_t n = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
    void *field = malloc(n * sizeof(double));
    assert_non_null(field);
    assert_true(s->rows < MOST_ROWS);
    for (int f = 0; f < 3; f++) {
        fine(sim_download(sim, f, field));
        for (int g = 0; g < GAUGES; g++) {
            const size_t k =
                (size_t)three.gauge[g].j * (size_t)sim->grid.nx + (size_t)three.gauge[g].i;
            s->value[s->rows][f][g] = number(sim, field, k);
        }
    }
    s->t[s->rows++] = sim->now.t;
    free(field);
}

/* The rows of a run that pauses at each time at which a map would be written. */
static void looked_for(struct rows *s, struct sim *sim, double every)
{
    attach(s, sim);
    note(s, sim);
    while (sim->now.halt != AT_END) {
        fine(sim_run(sim, schedule_after(every, sim->now.t), NULL));
        if (sim->now.t > s->t[s->rows - 1])
            note(s, sim);
    }
}

static void expect_same_series(const struct config *c, const char *what, const struct rows *a,
                               const struct rows *b)
{
    if (a->rows != b->rows)
        fail_msg("%s: %s: %zu rows, not %zu", described(c), what, b->rows, a->rows);
    for (size_t k = 0; k < a->rows; k++)
        if (a->t[k] != b->t[k] || memcmp(a->value[k], b->value[k], sizeof a->value[k]) != 0)
            fail_msg("%s: %s: row %zu is of t = %.17g, not %.17g, or other values", described(c),
                     what, k, b->t[k], a->t[k]);
}

static struct rows first, second;

static void rows_are_what_maps_would_show_at_the_same_times(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        enum precision precision;
        double every;
    } runs[] = {{"rk2", F32, 0.1},       {"rk2", F64, 1e-9}, {"ds2", F32, 0.05},
                {"rk2_fused", F32, 0.1}, {"ds2", F32, 1e-9}, {"rk2_fused", F32, 1e-9}};
    unsigned long redone = 0;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct config c;
        struct sim *sim = dam(&c, runs[k].scheme, runs[k].precision, runs[k].every);
        looked_for(&first, sim, runs[k].every);
        sim_destroy(sim);
        sim = dam(&c, runs[k].scheme, runs[k].precision, runs[k].every);
        run(&second, sim);
        expect_same_series(&c, "noted on the device", &first, &second);
        assert_true(second.rows > 8 && second.t[second.rows - 1] == 1);
        redone += sim->now.redone;
        sim_destroy(sim);
    }
    assert_true(redone > 10);
}

/* A ring of few rows must be emptied often, and wraps around in between. */
static void a_small_ring_pauses_and_graphs_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "rk2_fused"};
    for (int k = 0; k < 2; k++) {
        struct config c;
        struct sim *sim = dam(&c, names[k], F32, 1e-9);
        run(&first, sim);
        assert_int_equal(first.takes, 1);
        assert_true(first.rows > 40);
        sim_destroy(sim);
        sim = dam(&c, names[k], F32, 1e-9);
        gauges_of(sim)->ring = 7;
        run(&second, sim);
        assert_true(second.takes > 5);
        expect_same_series(&c, "with a small ring", &first, &second);
        sim_destroy(sim);
        sim = dam(&c, names[k], F32, 1e-9);
        gauges_of(sim)->ring = 23;
        recorder_attach(sim);
        attach(&second, sim);
        for (int n = 0; n < 4; n++)
            fine(sim_run(sim, 0.1 * n, NULL));
        fine(sim_step_many(sim, 40));
        fine(sim_run(sim, (double)INFINITY, NULL));
        fine(take(&second));
        assert_true(recorder_replays > 0);
        expect_same_series(&c, "with pauses and graphs", &first, &second);
        sim_destroy(sim);
    }
}

static void maxima_change_no_row(void **state)
{
    (void)state;
    struct config c;
    struct sim *sim = dam(&c, "rk2_fused", F32, 0.05);
    run(&first, sim);
    assert_true(sim->now.redone > 5);
    sim_destroy(sim);
    maxima_every = 5;
    sim = dam(&c, "rk2_fused", F32, 0.05);
    recorder_attach(sim);
    attach(&second, sim);
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(take(&second));
    expect_same_series(&c, "with maxima", &first, &second);
    sim_destroy(sim);
    maxima_every = 0;
}

static void blocks_change_no_row(void **state)
{
    (void)state;
    struct config c;
    steps = 6; /* the debug orders are slow */
    struct sim *sim = dam(&c, "rk2", F32, 0.02);
    run(&first, sim);
    assert_true(first.rows > 2);
    sim_destroy(sim);
    narrow = 1;
    for (int order = 0; order < 3; order += 2) {
        debug_order = order;
        sim = dam(&c, "rk2", F32, 0.02);
        run(&second, sim);
        expect_same_series(&c, "another block", &first, &second);
        sim_destroy(sim);
    }
    narrow = debug_order = 0;
    steps = 0;
}

/* With sweeps that begin in y, the problem is solved with x and y exchanged: the bits differ. */
/* Gauges in water, and on dry ground, some of which it reaches. */
static void sparse_domains_have_the_same_gauges(void **state)
{
    (void)state;
    static struct rows full, some;
    for (int k = 0; k < 2; k++) {
        struct config c[2];
        struct sim *sim = dam(&c[0], k ? "rk2" : "rk2_fused", F32, 0.03);
        run(&full, sim);
        sim_destroy(sim);
        sparse = 1;
        sim = dam(&c[1], k ? "rk2" : "rk2_fused", F32, 0.03);
        sparse = 0;
        run(&some, sim);
        sim_destroy(sim);
        assert_true(full.rows > 30 && some.rows == full.rows);
        assert_memory_equal(some.t, full.t, full.rows * sizeof *full.t);
        assert_memory_equal(some.value, full.value, full.rows * sizeof *full.value);
    }
}

static void turned_problems_have_the_same_gauges(void **state)
{
    (void)state;
    struct config c;
    struct sim *sim = dam(&c, "rk2", F32, 0.1);
    run(&first, sim);
    sim_destroy(sim);
    sweep = SWEEP_YX;
    sim = dam(&c, "rk2", F32, 0.1);
    sweep = SWEEP_XY;
    run(&second, sim);
    sim_destroy(sim);
    assert_int_equal(first.rows, second.rows);
    for (size_t k = 0; k < first.rows; k++)
        for (int m = 0; m < 3 * GAUGES; m++) {
            const double a = first.value[k][m / GAUGES][m % GAUGES];
            const double b = second.value[k][m / GAUGES][m % GAUGES];
            if (!(fabs(a - b) < 1e-4))
                fail_msg("row %zu: %g, not %g", k, b, a);
        }
}

static void a_ring_that_nobody_empties_ends_the_run(void **state)
{
    (void)state;
    struct config c;
    struct sim *sim = dam(&c, "rk2", F32, 1e-9);
    gauges_of(sim)->ring = 7;
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_MACHINE);
    sim_destroy(sim);
}

static void require_gpu(void)
{
    char why[2 * PATH_LENGTH];
    if (!backend_cuda.available(0, why, sizeof why)) {
        print_message("skipped: gauges on a GPU: %s\n", why);
        skip();
    }
}

static void a_gpu_notes_the_same_rows(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "ds2", "rk2_fused"};
    require_gpu();
    for (int k = 0; k < 3; k++) {
        struct config c;
        struct sim *sim = dam(&c, names[k], F32, 0.05);
        run(&first, sim);
        sim_destroy(sim);
        backend = "cuda";
        sim = dam(&c, names[k], F32, 0.05);
        backend = "cpu";
        gauges_of(sim)->ring = 23;
        run(&second, sim);
        expect_same_series(&c, "on a GPU", &first, &second);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_what_maps_would_show_at_the_same_times),
        cmocka_unit_test(a_small_ring_pauses_and_graphs_change_nothing),
        cmocka_unit_test(maxima_change_no_row),
        cmocka_unit_test(blocks_change_no_row),
        cmocka_unit_test(sparse_domains_have_the_same_gauges),
        cmocka_unit_test(turned_problems_have_the_same_gauges),
        cmocka_unit_test(a_ring_that_nobody_empties_ends_the_run),
        cmocka_unit_test(a_gpu_notes_the_same_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
