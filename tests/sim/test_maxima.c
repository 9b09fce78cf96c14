/* The largest values of a run, compared with those found by looking at every step from outside. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/hazard.h"
#include "core/sim/maxima.h"
#include "core/base/paths.h"
#include "tests/support/need_gpu.h"
#include "tests/support/recorder.h"
#include "tests/support/simulate.h"

static const double WET = 0.05;

static size_t cells(const struct scene *s)
{
    return (size_t)s->nx * (size_t)s->ny;
}

/* A wave that runs up rough ground and back, and out. */
static struct scene shore(void)
{
    struct scene s = new_rough(43, 31);
    scene_edges(&s, OPEN, WALL);
    s.t_end = 4;
    return s;
}

static struct config with_maxima(const char *scheme, enum precision p, int every)
{
    struct config c;
    configure(&c, scheme, p);
    c.maxima = c.hazard = 1;
    c.debris = 0.5;
    c.maxima_every = every;
    c.wet_depth = WET;
    return c;
}

/* All maxima of a run, and in how many cells they mean something. */
enum { HAZARD = MAXIMA, KEPT };
struct found {
    void *of[KEPT];
    size_t bytes;
};

static struct found new_found(const struct scene *s, enum precision p)
{
    struct found f = {.bytes = cells(s) * (p == F64 ? sizeof(double) : sizeof(float))};
    for (int k = 0; k < KEPT; k++) {
        f.of[k] = calloc(1, f.bytes);
        assert_non_null(f.of[k]);
    }
    return f;
}

static void free_found(struct found *f)
{
    for (int k = 0; k < KEPT; k++)
        free(f->of[k]);
}

/* To the bit: a NaN counts like any other number. */
static void expect_equal(const struct config *c, const char *what, const struct found *expected,
                         const struct found *got)
{
    static const char *const names[] = {"depth", "speed", "flux", "arrival", "duration", "hazard"};
    const size_t size = c->precision == F64 ? sizeof(double) : sizeof(float);
    for (int k = 0; k < KEPT; k++)
        for (size_t m = 0; m < got->bytes / size; m++) {
            const char *a = (char *)expected->of[k] + m * size, *b = (char *)got->of[k] + m * size;
            if (memcmp(a, b, size) != 0)
                fail_msg("%s: %s: %s of cell %zu: %.9g, not %.9g", described(c), what, names[k], m,
                         size == 8 ? *(const double *)(const void *)b
                                   : (double)*(const float *)(const void *)b,
                         size == 8 ? *(const double *)(const void *)a
                                   : (double)*(const float *)(const void *)a);
        }
}

static struct found download(struct sim *sim, const struct scene *s)
{
    struct found f = new_found(s, (enum precision)sim->config->precision);
    for (int k = 0; k < MAXIMA; k++)
        fine(maxima_download(sim, (enum maximum)k, NULL, f.of[k]));
    fine(hazard_download(sim, NULL, f.of[HAZARD]));
    return f;
}

static struct found found_by(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    fine(sim_run(sim, (double)INFINITY, NULL));
    struct found f = download(sim, s);
    sim_destroy(sim);
    return f;
}

/* Looks at a state as the kernel is meant to, after the description in kernels/maxima.h, in either precision. */
struct look {
    const struct scene *scene;
    const void *h, *hu, *hv;
    double kappa, t;
    int *wet; /* by cell, at the last look */
};

#define LOOK(name, number, root)                                                             \
    static void name(const struct look *l, struct found *f)                                  \
    {                                                                                        \
        const number *depth = l->h, *hu = l->hu, *hv = l->hv;                                \
        const number k4 = (number)(l->kappa * l->kappa * l->kappa * l->kappa);               \
        const number now = (number)l->t;                                                     \
        number *most = f->of[MAXIMUM_H], *speed = f->of[MAXIMUM_SPEED];                      \
        number *flux = f->of[MAXIMUM_FLUX], *arrival = f->of[MAXIMUM_ARRIVAL];               \
        number *duration = f->of[MAXIMUM_DURATION], *hazard = f->of[HAZARD];                 \
        for (size_t k = 0; k < cells(l->scene); k++) {                                       \
            const number h = depth[k], h4 = (h * h) * (h * h), d = h4 + (h4 > k4 ? h4 : k4); \
            const number factor = (number)1.4142135623730951 * h * ((number)1 / root(d));    \
            const number u = factor * hu[k], v = factor * hv[k], q = u * u + v * v;          \
            const int wet = h > (number)WET;                                                 \
            most[k] = h > most[k] ? h : most[k];                                             \
            speed[k] = wet && root(q) > speed[k] ? root(q) : speed[k];                       \
            flux[k] = wet && h * q > flux[k] ? h * q : flux[k];                              \
            const int debris = h > (number)0.25 || root(q) > (number)2;                      \
            const number danger =                                                            \
                h * (root(q) + (number)0.5) + (debris ? (number)0.5 : (number)0);            \
            hazard[k] = wet && danger > hazard[k] ? danger : hazard[k];                      \
            arrival[k] = wet && isnan(arrival[k]) ? now : arrival[k];                        \
            duration[k] += wet == l->wet[k] ? 0 : wet ? -now : now;                          \
            l->wet[k] = wet;                                                                 \
        }                                                                                    \
    }
LOOK(look_f32, float, sqrtf)
LOOK(look_f64, double, sqrt)

static void look(struct sim *sim, struct look *l, struct found *f)
{
    void *field[3];
    for (int k = 0; k < 3; k++) {
        field[k] = malloc(f->bytes);
        assert_non_null(field[k]);
        fine(k ? sim_read(sim, sim_unknown(sim, k), NULL, field[k]) : sim_depth(sim, field[k]));
    }
    l->h = field[0];
    l->hu = field[1];
    l->hv = field[2];
    l->t = sim->now.t;
    if (sim->config->precision == F64)
        look_f64(l, f);
    else
        look_f32(l, f);
    for (int k = 0; k < 3; k++)
        free(field[k]);
}

static void end_of_run(const struct config *c, const struct look *l, struct found *f)
{
    double *d = f->of[MAXIMUM_DURATION];
    float *single = f->of[MAXIMUM_DURATION];
    for (size_t k = 0; k < cells(l->scene); k++) {
        if (l->wet[k] && c->precision == F64)
            d[k] += l->t;
        else if (l->wet[k])
            single[k] += (float)l->t;
    }
}

/* A run without maxima that pauses after every pass. */
static struct found looked_for(const struct config *with, const struct scene *s)
{
    struct config c = *with;
    c.maxima = c.hazard = 0;
    struct sim *sim = create(&c, s);
    struct found f = new_found(s, (enum precision)c.precision);
    int *wet = calloc(cells(s), sizeof *wet);
    struct look l = {.scene = s, .kappa = s->kappa, .wet = wet};
    unsigned long before = 0;
    memset(f.of[MAXIMUM_ARRIVAL], 0xff, f.bytes);
    look(sim, &l, &f);
    while (sim->now.halt != AT_END) {
        fine(sim_run(sim, nextafter(sim->now.t, (double)INFINITY), NULL));
        const unsigned long every = (unsigned long)with->maxima_every;
        if (sim->now.halt == AT_END || sim->now.steps / every != before / every)
            look(sim, &l, &f);
        before = sim->now.steps;
    }
    end_of_run(&c, &l, &f);
    free(wet);
    sim_destroy(sim);
    return f;
}

/* Otherwise nothing is tested: water comes, leaves, and stays away. */
static void expect_variety(const struct scene *s, const struct found *f)
{
    int never = 0, later = 0, gone = 0;
    const float *arrival = f->of[MAXIMUM_ARRIVAL], *duration = f->of[MAXIMUM_DURATION];
    for (size_t k = 0; k < cells(s); k++) {
        never += isnan(arrival[k]);
        later += arrival[k] > 0;
        gone += duration[k] < 0.9f * ((float)s->t_end - arrival[k]);
    }
    if (never < 20 || later < 20 || gone < 20)
        fail_msg("%d cells stay dry, %d become wet, %d dry again", never, later, gone);
}

static void they_are_those_of_every_step(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        enum precision precision;
        int every;
    } runs[] = {{"rk2", F32, 1}, {"rk2", F64, 1},       {"rk2", F32, 3},
                {"ds2", F32, 1}, {"rk2_fused", F32, 1}, {"ds2", F32, 5}};
    struct scene s = shore();
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct config c = with_maxima(runs[k].scheme, runs[k].precision, runs[k].every);
        struct found expected = looked_for(&c, &s), got = found_by(&c, &s);
        expect_equal(&c, "from inside and from outside", &expected, &got);
        if (k == 0)
            expect_variety(&s, &got);
        free_found(&expected);
        free_found(&got);
    }
    scene_free(&s);
}

static void blocks_threads_and_order_change_nothing(void **state)
{
    (void)state;
    static const int blocks[][2] = {{7, 5}, {1, 64}, {128, 2}};
    struct scene s = shore();
    struct config c = with_maxima("rk2", F32, 2);
    struct found first = found_by(&c, &s);
    for (int k = 0; k < 3; k++) {
        struct config other = c;
        configure_block(&other, "maxima", blocks[k][0], blocks[k][1]);
        configure_block(&other, "hazard", blocks[k][0], blocks[k][1]);
        other.threads = 1 + k;
        struct found f = found_by(&other, &s);
        expect_equal(&other, "another block", &first, &f);
        free_found(&f);
    }
    free_found(&first);
    c.steps = 6; /* the debug orders are slow */
    first = found_by(&c, &s);
    c.order = 2;
    struct found f = found_by(&c, &s);
    expect_equal(&c, "another order", &first, &f);
    free_found(&f);
    free_found(&first);
    scene_free(&s);
}

/* A run that has made its first steps, and may record. */
static struct sim *recording(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    recorder_attach(sim);
    fine(sim_step_many(sim, GRAPH_PASSES + 1));
    return sim;
}

static void pauses_and_graphs_change_nothing(void **state)
{
    (void)state;
    const char *const names[] = {"rk2", "ds2", "rk2_fused"};
    const int every[] = {3, 4, 3};
    struct scene s = shore();
    for (int k = 0; k < 3; k++) {
        struct config c = with_maxima(names[k], F32, every[k]);
        struct found first = found_by(&c, &s);
        struct sim *sim = create(&c, &s);
        for (int n = 1; n < 9; n++)
            fine(sim_run(sim, 0.37 * n, NULL));
        fine(sim_run(sim, (double)INFINITY, NULL));
        struct found paused = download(sim, &s);
        expect_equal(&c, "with pauses", &first, &paused);
        sim_destroy(sim);
        sim = recording(&c, &s);
        fine(sim_step_many(sim, 40));
        assert_non_null(sim->graph);
        fine(sim_run(sim, (double)INFINITY, NULL));
        struct found recorded = download(sim, &s);
        assert_true(recorder_replays > 0);
        expect_equal(&c, "with graphs", &first, &recorded);
        sim_destroy(sim);
        free_found(&first);
        free_found(&paused);
        free_found(&recorded);
    }
    scene_free(&s);
}

/* A run's last state is looked at, whichever pass produces it. */
static void the_end_is_looked_at_wherever_it_comes(void **state)
{
    (void)state;
    const char *const names[] = {"euler", "rk2_fused"};
    struct scene s = shore();
    for (int k = 0; k < 2; k++)
        for (int steps = 43; steps < 49; steps++) {
            struct config c = with_maxima(names[k], F32, 5);
            c.steps = steps;
            struct found first = found_by(&c, &s);
            struct sim *sim = recording(&c, &s);
            fine(sim_step_many(
                sim, 4L * GRAPH_PASSES)); /* a run's batches depend on the machine's speed */
            assert_true(sim->now.halt == AT_END && (int)sim->now.steps == steps);
            assert_non_null(sim->graph);
            struct found recorded = download(sim, &s);
            expect_equal(&c, "with graphs", &first, &recorded);
            sim_destroy(sim);
            free_found(&first);
            free_found(&recorded);
        }
    scene_free(&s);
}

/* How many launches a recording of this many passes has. */
static int recorded_launches(const struct config *c, const struct scene *s, int *passes)
{
    struct sim *sim = recording(c, s);
    fine(sim_step_many(sim, 3L * GRAPH_PASSES));
    *passes = sim_graph_passes(sim);
    fine(sim_step_many(sim, 3L * GRAPH_PASSES)); /* begins elsewhere between two looks */
    sim_destroy(sim);
    return recorder_launches;
}

/* Where a pass may reject its step, it is not known in advance which pass produces a state that is due. */
static void a_recording_has_them_only_where_they_are_due(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        int every, passes, looks;
    } runs[] = {{"rk2", 1, 16, 16}, {"rk2", 10, 10, 1},  {"rk2", 64, 16, 1},
                {"rk2", 5, 15, 3},  {"rk2", 17, 16, 16}, {"rk2_fused", 5, 16, 16},
                {"ds2", 10, 16, 16}};
    struct scene s = shore();
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct config with = with_maxima(runs[k].scheme, F32, runs[k].every), without = with;
        int passes, all;
        with.hazard = without.hazard = without.maxima = 0;
        const int plain = recorded_launches(&without, &s, &all);
        const int launches = recorded_launches(&with, &s, &passes);
        assert_int_equal(all, GRAPH_PASSES);
        assert_int_equal(passes, runs[k].passes);
        assert_int_equal(plain % all, 0);
        assert_int_equal(launches - plain / all * passes, runs[k].looks);
    }
    scene_free(&s);
}

static void the_state_and_the_clock_are_the_same_with_and_without_them(void **state)
{
    (void)state;
    struct scene s = shore();
    struct config with = with_maxima("rk2_fused", F32, 1), without = with;
    without.maxima = without.hazard = 0;
    struct outcome a = simulated(&with, &s), b = simulated(&without, &s);
    expect_same(&with, "maxima change the state", &b.state, &a.state, 1);
    assert_memory_equal(&a.clock, &b.clock, sizeof a.clock);
    outcome_free(&a);
    outcome_free(&b);
    scene_free(&s);
}

/* With sweeps that begin in y, the problem is solved with x and y exchanged. */
static void turned_problems_give_maps_the_right_way_round(void **state)
{
    (void)state;
    struct scene s = shore();
    struct config c = with_maxima("rk2", F32, 1);
    struct found plain = found_by(&c, &s);
    c.sweep = SWEEP_YX;
    struct found turned = found_by(&c, &s);
    const float *a = plain.of[MAXIMUM_H], *b = turned.of[MAXIMUM_H];
    for (size_t k = 0; k < cells(&s); k++)
        assert_true(fabsf(a[k] - b[k]) < 1e-4f);
    free_found(&plain);
    free_found(&turned);
    scene_free(&s);
}

static void their_memory_is_counted(void **state)
{
    (void)state;
    struct scene s = shore();
    struct config with = with_maxima("rk2", F32, 1), without = with;
    without.maxima = without.hazard = 0;
    struct sim *a = create(&with, &s), *b = create(&without, &s);
    assert_int_equal(sim_bytes(a) - sim_bytes(b), KEPT * a->field_bytes);
    sim_destroy(a);
    sim_destroy(b);
    scene_free(&s);
}

/* With graphs, as on a GPU. */
static void a_gpu_finds_the_same_bits(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "ds2", "rk2_fused"};
    need_gpu("maxima on a GPU");
    struct scene s = shore();
    for (int k = 0; k < 3; k++)
        for (int p = 0; p < PRECISIONS; p++) {
            struct config c = with_maxima(names[k], (enum precision)p, 3);
            struct found on_cpu = found_by(&c, &s);
            snprintf(c.backend, sizeof c.backend, "cuda");
            struct found on_gpu = found_by(&c, &s);
            expect_equal(&c, "on a GPU", &on_cpu, &on_gpu);
            free_found(&on_cpu);
            free_found(&on_gpu);
        }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_those_of_every_step),
        cmocka_unit_test(blocks_threads_and_order_change_nothing),
        cmocka_unit_test(pauses_and_graphs_change_nothing),
        cmocka_unit_test(the_end_is_looked_at_wherever_it_comes),
        cmocka_unit_test(a_recording_has_them_only_where_they_are_due),
        cmocka_unit_test(the_state_and_the_clock_are_the_same_with_and_without_them),
        cmocka_unit_test(turned_problems_give_maps_the_right_way_round),
        cmocka_unit_test(their_memory_is_counted),
        cmocka_unit_test(a_gpu_finds_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
