/* Steps that are recorded once and replayed give the bits of steps launched one by one. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/need_gpu.h"
#include "tests/support/recorder.h"
#include "tests/support/simulate.h"

static const double PAUSES[] = {0, 0.01, 0.3, 0.30001, 0.9, 1.2};
enum { MOST_PAUSES = sizeof PAUSES / sizeof *PAUSES };

/* A wave with dry places, with water that crosses two edges, to an end that no step meets by itself. */
static struct scene short_run(void)
{
    struct scene s = new_scene(31, 23);
    scene_edges(&s, OPEN, WALL);
    s.kappa = 0.05;
    s.manning = 0.02;
    scene_random_bed(&s, -1, 0.3, 12);
    scene_level(&s, 0.1);
    scene_dam(&s, 11, 9, 5, 1.2);
    s.t_end = 3.703;
    return s;
}

/* A simulation that records graphs, whatever the backend. */
static struct sim *recording(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    if (sim->backend == &backend_cpu)
        recorder_attach(sim);
    return sim;
}

static void run(const struct config *c, struct sim *sim, double t_pause)
{
    if (sim_run(sim, t_pause, NULL))
        fail_msg("%s: %s", described(c), err_message());
}

static void run_on(const struct config *c, struct sim *sim, long passes)
{
    if (sim_step_many(sim, passes))
        fail_msg("%s: %s", described(c), err_message());
}

/* Compares bits, clock and balance. Destroys the simulation. */
static void expect_equal(const struct config *c, const char *what, const struct outcome *want,
                         struct sim *sim, const struct scene *s)
{
    struct outcome have = outcome_of(c, sim, s);
    expect_same(c, what, &want->state, &have.state, 1);
    if (memcmp(&want->clock, &have.clock, sizeof have.clock) != 0)
        fail_msg("%s: %s: step %lu to %.17g s, not step %lu to %.17g s", described(c), what,
                 have.clock.steps, have.clock.t, want->clock.steps, want->clock.t);
    if (memcmp(&want->balance, &have.balance, sizeof have.balance) != 0)
        fail_msg("%s: %s: inflow %.17g m3, not %.17g", described(c), what, have.balance.inflow,
                 want->balance.inflow);
    outcome_free(&have);
    sim_destroy(sim);
}

static struct config without(const struct config *c)
{
    struct config off = *c;
    off.graphs = GRAPHS_OFF;
    return off;
}

static void check_ends(const struct config *c)
{
    const struct config off = without(c);
    struct scene s = short_run();
    struct outcome o = simulated(&off, &s);
    struct sim *sim = recording(c, &s);
    run(c, sim, (double)INFINITY);
    assert_true(o.clock.steps > 3UL * GRAPH_PASSES);
    expect_equal(c, "to the end", &o, sim, &s);
    outcome_free(&o);
    for (long steps = 1; steps <= 3L * GRAPH_PASSES; steps += GRAPH_PASSES + 1) {
        struct config some = *c, off_some = off;
        some.steps = off_some.steps = steps;
        o = simulated_steps(&off_some, &s, steps);
        sim = recording(&some, &s);
        run(&some, sim, (double)INFINITY);
        expect_equal(&some, "to a limit of steps", &o, sim, &s);
        outcome_free(&o);
    }
    scene_free(&s);
}

static void check_passes(const struct config *c)
{
    const struct config off = without(c);
    struct scene s = short_run();
    struct sim *plain = create(&off, &s), *sim = recording(c, &s);
    run_on(&off, plain, 1 + 2 * GRAPH_PASSES + 3);
    run_on(c, sim, 1 + 2 * GRAPH_PASSES + 3);
    assert_non_null(sim->graph);
    assert_null(plain->graph);
    struct outcome o = outcome_of(&off, plain, &s);
    expect_equal(c, "so many passes", &o, sim, &s);
    sim_destroy(plain);
    outcome_free(&o);
    scene_free(&s);
}

/* Two simulations in turn, each with its own graph; they pause where a run without graphs does. */
static void check_pauses(const struct config *c)
{
    const struct config off = without(c);
    struct scene s = short_run();
    struct sim *plain = create(&off, &s), *one = recording(c, &s), *two = recording(c, &s);
    for (int k = 0; k < MOST_PAUSES; k++) {
        run(&off, plain, PAUSES[k]);
        run(c, one, PAUSES[k]);
        run_on(c, two, GRAPH_PASSES + 3);
        if (memcmp(&plain->now, &one->now, sizeof one->now) != 0)
            fail_msg("%s: a pause at %g s came in step %lu at %.17g s, not in step %lu at %.17g s",
                     described(c), PAUSES[k], one->now.steps, one->now.t, plain->now.steps,
                     plain->now.t);
    }
    run(&off, plain, (double)INFINITY);
    run(c, one, (double)INFINITY);
    run(c, two, (double)INFINITY);
    run_on(
        c, one,
        2L * GRAPH_PASSES); /* makes no step; the batches of a run depend on the machine's speed */
    assert_non_null(one->graph);
    assert_non_null(two->graph);
    assert_ptr_not_equal(one->graph, two->graph);
    struct outcome o = outcome_of(&off, plain, &s);
    expect_equal(c, "with pauses", &o, one, &s);
    /* The clock remembers where the host last asked it to pause: set to nowhere in both. */
    expect_equal(c, "with another simulation in turn", &o, two, &s);
    sim_destroy(plain);
    outcome_free(&o);
    scene_free(&s);
}

static void check_everything(const struct config *c)
{
    check_ends(c);
    check_passes(c);
    check_pauses(c);
}

static void with_graphs_every_scheme_computes_the_same(void **state)
{
    (void)state;
    const int before = recorder_replays;
    for_every_scheme(check_everything);
    assert_true(recorder_replays > before);
}

static void on_cuda(const struct config *c)
{
    struct config gpu = *c;
    snprintf(gpu.backend, sizeof gpu.backend, "cuda");
    gpu.graphs = GRAPHS_ON;
    gpu.early_exit = EARLY_EXIT_OFF;
    check_everything(&gpu);
}

static void need_graphs_on_cuda(void)
{
    struct device_options o = {.march = "native"};
    struct device *dev = NULL;
    need_gpu("backend cuda");
    assert_int_equal(backend_cuda.open(&dev, &o), ERR_OK);
    const int graphs = backend_cuda.info(dev)->graphs;
    backend_cuda.close(dev);
    if (!graphs) {
        print_message("skipped: the driver records no graphs\n");
        skip();
    }
}

static void with_graphs_every_scheme_computes_the_same_on_cuda(void **state)
{
    (void)state;
    need_graphs_on_cuda();
    for_every_scheme(on_cuda);
}

static void what_cannot_be_recorded_ends_the_recording_on_cuda(void **state)
{
    (void)state;
    need_graphs_on_cuda();
    struct device_options o = {.march = "native"};
    const struct backend *b = &backend_cuda;
    struct device *dev = NULL;
    struct graph *g = NULL;
    unsigned char byte = 1, back = 0;
    void *p = NULL;
    assert_int_equal(b->open(&dev, &o), ERR_OK);
    assert_int_equal(b->alloc(dev, 1, &p), ERR_OK);
    assert_int_equal(b->record_begin(dev), ERR_OK);
    assert_int_equal(b->upload(dev, p, &byte, 1), ERR_MACHINE); /* it waits */
    assert_int_equal(b->record_end(dev, &g), ERR_MACHINE);
    assert_null(g);
    assert_int_equal(b->record_begin(dev), ERR_OK);
    assert_int_equal(b->record_end(dev, NULL), ERR_OK);
    assert_int_equal(b->upload(dev, p, &byte, 1), ERR_OK);
    assert_int_equal(b->record_begin(dev), ERR_OK);
    assert_int_equal(b->fill(dev, p, 7, 1), ERR_OK);
    assert_int_equal(b->record_end(dev, &g), ERR_OK);
    assert_int_equal(b->download(dev, &back, p, 1), ERR_OK);
    assert_int_equal(back, 1);
    assert_int_equal(b->replay(dev, g), ERR_OK);
    assert_int_equal(b->download(dev, &back, p, 1), ERR_OK);
    assert_int_equal(back, 7);
    b->graph_free(dev, g);
    b->graph_free(dev, NULL);
    b->release(dev, p);
    b->close(dev);
}

static enum err count(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    (void)k, (void)args, (void)bytes;
    ++*(int *)context;
    return ERR_OK;
}

static void who_watches_launches_is_told_of_every_one(void **state)
{
    (void)state;
    struct scene s = short_run();
    struct config c;
    int one = 0, many = 0;
    configure(&c, NULL, F32);
    struct sim *sim = recording(&c, &s);
    run_on(&c, sim, GRAPH_PASSES);
    assert_non_null(sim->graph);
    const int before = recorder_replays;
    sim->hook = (struct launch_hook){count, &one};
    run_on(&c, sim, 1);
    sim->hook.context = &many;
    run_on(&c, sim, 2L * GRAPH_PASSES);
    sim->hook.told = NULL;
    assert_true(one > 0);
    assert_int_equal(many, 2 * GRAPH_PASSES * one);
    sim->profiling = 1;
    run_on(&c, sim, GRAPH_PASSES);
    sim->profiling = 0;
    assert_int_equal(sim->auxiliary[CLOCK_KERNEL].launches, GRAPH_PASSES);
    assert_int_equal(recorder_replays, before);
    run_on(&c, sim, GRAPH_PASSES);
    assert_int_equal(recorder_replays, before + 1);
    sim_destroy(sim);
    scene_free(&s);
}

static void without_is_without(void **state)
{
    (void)state;
    struct scene s = short_run();
    struct config c;
    configure(&c, NULL, F32);
    const int before = recorder_recordings;
    c.graphs = GRAPHS_OFF;
    struct sim *sim = recording(&c, &s);
    run(&c, sim, (double)INFINITY);
    sim_destroy(sim);
    c.graphs = GRAPHS_AUTO;
    c.early_exit = EARLY_EXIT_ON;
    sim = recording(&c, &s);
    run(&c, sim, (double)INFINITY);
    sim_destroy(sim);
    assert_int_equal(recorder_recordings, before);
    scene_free(&s);
}

/* The recording fails after this many launches, or at its end (-1). */
static void check_failure(const struct config *c, int after)
{
    struct scene s = short_run();
    const struct config off = without(c);
    struct outcome o = simulated(&off, &s);
    struct sim *sim = recording(c, &s);
    const int recordings = recorder_recordings, replays = recorder_replays;
    recorder_fail_after = after;
    run(c, sim, (double)INFINITY);
    recorder_fail_after = RECORDER_NEVER;
    assert_null(sim->graph);
    assert_false(recorder_records());
    assert_int_equal(recorder_recordings, recordings + 1);
    assert_int_equal(recorder_replays, replays);
    expect_equal(c, "recording failed", &o, sim, &s);
    outcome_free(&o);
    struct config on = *c;
    sim = recording(c, &s);
    sim->config = &on;
    on.graphs = GRAPHS_ON;
    recorder_fail_after = after;
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_MACHINE);
    recorder_fail_after = RECORDER_NEVER;
    assert_false(recorder_records());
    if (strncmp(err_message(), "--graphs on: made up", 20) != 0)
        fail_msg("%s", err_message());
    sim_destroy(sim);
    scene_free(&s);
}

static void where_recording_fails_steps_are_launched_one_by_one(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c;
        configure(&c, k ? "ds2" : "rk2", F64);
        check_failure(&c, 0);
        check_failure(&c, 40);
        check_failure(&c, RECORDER_AT_END);
    }
    /* After an odd number of passes states have changed places, and some leave their steps to be judged. */
    struct config c;
    configure(&c, "hancock", F64);
    check_failure(&c, 6);
    snprintf(c.define, sizeof c.define, "OWN_GHOSTS=1");
    for (int launches = 1; launches < 7; launches++)
        check_failure(&c, launches);
}

/* Kernels that do the work of others, as on a GPU. */
static void passes_that_judge_each_other_are_recorded(void **state)
{
    (void)state;
    struct config c;
    for (int p = 0; p < PRECISIONS; p++) {
        configure(&c, "hancock", (enum precision)p);
        snprintf(c.define, sizeof c.define, "OWN_GHOSTS=1");
        check_everything(&c);
    }
}

static void asking_for_graphs_where_there_are_none_is_an_error(void **state)
{
    (void)state;
    struct scene s = short_run();
    struct config c;
    struct sim *sim = NULL;
    configure(&c, NULL, F32);
    c.graphs = GRAPHS_ON;
    assert_int_equal(simulation_create(&sim, &c, &s), ERR_USAGE);
    assert_null(sim);
    assert_non_null(strstr(err_message(), "--graphs on: "));
    assert_non_null(strstr(err_message(), "--backend cuda"));
    c.graphs = GRAPHS_AUTO;
    c.early_exit = EARLY_EXIT_ON;
    sim = recording(&c, &s);
    assert_int_equal(sim_check_graphs(sim), ERR_OK);
    c.graphs = GRAPHS_ON;
    assert_int_equal(sim_check_graphs(sim), ERR_USAGE);
    assert_non_null(strstr(err_message(), "--early-exit off"));
    sim_destroy(sim);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_graphs_every_scheme_computes_the_same),
        cmocka_unit_test(passes_that_judge_each_other_are_recorded),
        cmocka_unit_test(with_graphs_every_scheme_computes_the_same_on_cuda),
        cmocka_unit_test(what_cannot_be_recorded_ends_the_recording_on_cuda),
        cmocka_unit_test(who_watches_launches_is_told_of_every_one),
        cmocka_unit_test(without_is_without),
        cmocka_unit_test(where_recording_fails_steps_are_launched_one_by_one),
        cmocka_unit_test(asking_for_graphs_where_there_are_none_is_an_error),
    };
    return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
