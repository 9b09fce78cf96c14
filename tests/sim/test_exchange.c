/* How parts exchange: their devices wait for each other, and the host waits for none of them. Parts that do not
 * exchange as their neighbours do end the run with an error. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/parts.h"
#include "tests/support/parts.h"
#include "tests/support/streams.h"

enum { LONG = 2 * GRAPH_PASSES + 7 };

/* Runs to the limit of steps; or this many passes, twice, without looking at the state on the way. One pass in
 * between: a graph is replayed after an odd number of passes and after an even one. */
static enum err step(const struct config *c, struct sim *sim)
{
    if (c->steps > 0)
        return sim_run(sim, (double)INFINITY, NULL);
    TRY(sim_step_many(sim, LONG));
    TRY(sim_step_many(sim, 1));
    return sim_step_many(sim, LONG);
}

/* A run whose parts have streams that lag behind; does it reach the same result as an undivided one? */
static int is_same(const struct config *c, const struct scene *s, const char *parts, char *text,
                   size_t n)
{
    struct config other = in_parts(c, parts);
    other.exchange_timeout = 1e-6; /* nothing arrives while a kernel looks for it */
    struct sim *plain = create(c, s), *sim = create(&other, s);
    streams_attach(sim);
    fine(step(c, plain));
    struct outcome want = outcome_of(c, plain, s);
    int same = step(c, sim) == ERR_OK;
    snprintf(text, n, "%s", same ? "" : err_message());
    if (same) {
        struct outcome have = outcome_of(&other, sim, s);
        same = memcmp(&want.clock, &have.clock, sizeof want.clock) == 0 &&
               !differ(&want.state, &have.state, 1, text, n);
        outcome_free(&have);
    }
    sim_destroy(plain);
    sim_destroy(sim);
    streams_end();
    outcome_free(&want);
    return same;
}

static void expect_same_on_streams(const struct config *c, const struct scene *s, const char *parts)
{
    char text[256];
    if (!is_same(c, s, parts, text, sizeof text))
        fail_msg("%s in parts %s: %s", described(c), parts, text);
}

/* Launched one by one, then as graphs of all parts. */
static void devices_wait_for_each_other(void **state)
{
    (void)state;
    static const char *const names[] = {"rk2", "rk2_fused", "ds2"};
    static const char *const cuts[] = {"2", "3x2", "5"};
    struct scene s = new_shore();
    for (int k = 0; k < 3; k++)
        for (int graphs = 0; graphs < 2; graphs++) {
            struct config c;
            configure(&c, names[k], F32);
            c.steps =
                graphs ? 0 : LONG; /* how many are enqueued at once depends on the time they take */
            c.early_exit = EARLY_EXIT_OFF;
            c.graphs = graphs ? GRAPHS_AUTO : GRAPHS_OFF;
            const int recordings = streams_recordings, replays = streams_replays;
            expect_same_on_streams(&c, &s, cuts[k]);
            assert_int_equal(streams_recordings, recordings + graphs);
            assert_true(graphs ? streams_replays > replays : streams_replays == replays);
        }
    scene_free(&s);
}

static void so_they_do_in_tiles_round_periodic_edges_and_with_a_hydrograph(void **state)
{
    (void)state;
    double time[] = {0, 0.2, 0.5, 9}, value[] = {0, 6, 1, 2};
    const struct timeseries series = {.rows = 4, .time = time, .value = value};
    const struct edge_segment segment = {
        .edge = WEST, .first = 4, .end = 17, .kind = DISCHARGE, .series = &series, .scale = 1};
    struct scene s = new_shore(), round = new_rough(NX, NY);
    struct config c;
    scene_edges(&round, PERIODIC, PERIODIC);
    configure(&c, "rk2_fused", F32);
    expect_same_on_streams(&c, &round, "2x3");
    expect_same_on_streams(&c, &s, "2 in 12x9");
    s.segments = &segment;
    s.segment_count = 1;
    expect_same_on_streams(&c, &s, "3");
    scene_free(&round);
    scene_free(&s);
}

/* As often for many steps as for few. */
static void the_host_waits_for_no_step(void **state)
{
    (void)state;
    struct scene s = new_shore();
    for (int graphs = 0; graphs < 2; graphs++) {
        struct config c;
        int waits[3] = {0};
        configure(&c, "rk2", F32);
        c.early_exit = EARLY_EXIT_OFF;
        c.graphs = graphs ? GRAPHS_AUTO : GRAPHS_OFF;
        const struct config other = in_parts(&c, "3");
        struct sim *sim = create(&other, &s);
        streams_attach(sim);
        for (int k = 0; k < 3; k++) {
            const int before = streams_waits;
            fine(sim_step_many(sim, k == 1 ? LONG : 5));
            waits[k] = streams_waits - before;
        }
        assert_int_equal(waits[1], waits[0]);
        assert_int_equal(waits[2], waits[0]);
        sim_destroy(sim);
        streams_end();
    }
    scene_free(&s);
}

/* Each missing wait between devices shows: otherwise the tests above would prove nothing. With graphs only the
 * missing wait of a part that asks before the first one does shows. */
static void a_wait_that_is_left_out_is_noticed(void **state)
{
    (void)state;
    struct scene s = new_shore();
    for (int graphs = 0; graphs < 2; graphs++)
        for (int deaf = 0; deaf < SIGNALS; deaf++) {
            struct config c;
            char text[256];
            configure(&c, "rk2_fused", F32);
            c.graphs = graphs ? GRAPHS_AUTO : GRAPHS_OFF;
            streams_deaf_to = deaf;
            const int same = is_same(&c, &s, "3", text, sizeof text);
            streams_deaf_to = -1;
            const int needed = deaf < SIGNAL_FIRST || (graphs && deaf == SIGNAL_OTHERS);
            if (same && needed)
                fail_msg("a signal of kind %d that is not waited for is not noticed%s", deaf,
                         graphs ? ", with graphs" : "");
        }
    scene_free(&s);
}

/* Rows that a part stores after it has signalled that they are there, and wave speeds that it publishes after the
 * signal: the others read the old ones. */
static void a_flag_that_is_raised_before_its_rows_are_stored_is_noticed(void **state)
{
    (void)state;
    struct scene s = new_shore();
    for (int early = 0; early < SIGNAL_FIRST; early++) {
        struct config c;
        char text[256];
        configure(&c, "rk2", F32);
        c.steps = LONG;
        c.graphs = GRAPHS_OFF;
        streams_early = early;
        const int same = is_same(&c, &s, "3", text, sizeof text);
        streams_early = -1;
        if (same)
            fail_msg("a signal of kind %d that is given too early is not noticed", early);
    }
    scene_free(&s);
}

/* What one part omits: an exchange with the others after a kernel's launch, once. */
struct slip {
    struct sim *part, *whole;
    const struct sim_kernel *after;
    int when, seen;
};

/* A part that belongs to no run does not exchange with the others. */
static enum err forget_the_others(void *context, struct sim_kernel *k, const void *args,
                                  size_t bytes)
{
    struct slip *slip = context;
    (void)args, (void)bytes;
    slip->part->whole = slip->whole;
    if (k == slip->after && ++slip->seen == slip->when)
        slip->part->whole = NULL;
    return ERR_OK;
}

enum door { GHOSTS_DOOR, FASTEST_DOOR };

/* The first part of a run omits one of these once: the run ends with this error. */
static void expect_end(const char *parts, enum door door, const char *message)
{
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = STEPS;
    struct config other = in_parts(&c, parts);
    other.exchange_timeout = 0.3;
    struct sim *sim = create(&other, &s), *part = sim->parts->sim[0];
    struct slip slip = {.part = part, .whole = sim, .when = 5};
    slip.after = door == GHOSTS_DOOR ? &part->auxiliary[GHOSTS_KERNEL] : &part->kernels[0];
    part->hook = (struct launch_hook){forget_the_others, &slip};
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_MACHINE);
    if (!strstr(err_message(), message))
        fail_msg("in parts %s: %s", parts, err_message());
    part->whole = sim;
    sim_destroy(sim);
    scene_free(&s);
}

static void an_exchange_that_one_part_skips_ends_the_run(void **state)
{
    (void)state;
    expect_end("2", GHOSTS_DOOR, "threads meet for different decisions");
    expect_end("3x2", GHOSTS_DOOR, "threads meet for different decisions");
    expect_end("any by 2", GHOSTS_DOOR, "has not answered for 0.3 s (--exchange-timeout)");
}

static void a_part_that_goes_by_its_own_wave_speed_ends_the_run(void **state)
{
    (void)state;
    expect_end("2", FASTEST_DOOR, "threads meet for different decisions");
    expect_end("any by 2", FASTEST_DOOR, "has not answered for 0.3 s (--exchange-timeout)");
}

static void expect_refused(const struct config *c, const struct scene *s, const char *message)
{
    struct sim *sim = NULL;
    assert_int_equal(simulation_create(&sim, c, s), ERR_USAGE);
    if (!strstr(err_message(), message))
        fail_msg("%s", err_message());
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    struct config two = in_parts(&c, "2"), processes = in_parts(&c, "any by 2");
    two.exchange = EXCHANGE_MPI;
    expect_refused(&two, &s, "--exchange mpi: this run is in one process");
    two.exchange = EXCHANGE_PEERS;
    expect_refused(&two, &s, "--exchange peers: expected the cuda backend");
    processes.exchange = EXCHANGE_PEERS;
    expect_refused(&processes, &s, "--exchange peers: expected the cuda backend");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_wait_for_each_other),
        cmocka_unit_test(so_they_do_in_tiles_round_periodic_edges_and_with_a_hydrograph),
        cmocka_unit_test(the_host_waits_for_no_step),
        cmocka_unit_test(a_wait_that_is_left_out_is_noticed),
        cmocka_unit_test(a_flag_that_is_raised_before_its_rows_are_stored_is_noticed),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(an_exchange_that_one_part_skips_ends_the_run),
        cmocka_unit_test(a_part_that_goes_by_its_own_wave_speed_ends_the_run),
    };
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
