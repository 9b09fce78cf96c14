/* Parts on two real GPUs that exchange by NCCL, and those of two processes also by peers: the bits of one GPU, and
 * what becomes of a GPU whose neighbour is lost. */
#include "tests/support/test.h"

#include <signal.h>
#include <time.h>

#include "core/device/nccl_api.h"
#include "core/sim/parts.h"
#include "tests/support/mpi.h"
#include "tests/support/need_gpu.h"
#include "tests/support/parts.h"
#include "tests/support/variables.h"

enum { MANY = 4 * GRAPH_PASSES + 7 };

static void need_two(const char *what)
{
    char why[1024];
    need_gpu(what);
    if (backend_cuda.available(1, why, sizeof why) && nccl_api_open(why, sizeof why))
        return;
    print_message("skipped: %s: %s\n", what, why);
    skip();
}

static void on_gpus(struct config *c, const char *scheme, enum precision precision,
                    const char *parts)
{
    configure(c, scheme, precision);
    c->early_exit = EARLY_EXIT_OFF;
    strcpy(c->backend, "cuda");
    if (!parts)
        return;
    *c = in_parts(c, parts);
    c->exchange = EXCHANGE_NCCL;
    c->exchange_timeout = 20;
    c->graphs = GRAPHS_ON;
    c->devices = (struct device_list){.count = 2, .of = {1, 0}};
}

static enum err step(struct sim *sim)
{
    TRY(sim_step_many(sim, MANY));
    TRY(sim_step_many(sim, 3));
    return sim_step_many(sim, MANY);
}

static void expect_bits_of_one(const struct scene *s, const char *scheme, enum precision precision,
                               const char *parts)
{
    struct config one, two;
    on_gpus(&one, scheme, precision, NULL);
    on_gpus(&two, scheme, precision, parts);
    struct sim *plain = create(&one, s), *cut = create(&two, s);
    assert_string_equal(sim_divided(cut).exchange, "nccl");
    fine(step(plain));
    fine(step(cut));
    assert_non_null(cut->parts->sim[0]->graph);
    struct outcome want = outcome_of(&one, plain, s), have = outcome_of(&two, cut, s);
    expect_same_outcome(&one, &want, &have, parts);
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(plain);
    sim_destroy(cut);
}

/* The last ones are emulated processes, which find each other as real ones do. */
static void nccl_brings_the_bits_of_one_gpu(void **state)
{
    static const char *const names[] = {"rk2", "rk2_fused", "ds2"};
    struct scene shore = new_shore(), round = new_rough(NX, NY);
    (void)state;
    need_two("exchanges by NCCL");
    scene_edges(&round, PERIODIC, PERIODIC);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int precision = 0; precision < PRECISIONS; precision++) {
            expect_bits_of_one(&shore, names[k], (enum precision)precision, "2");
            expect_bits_of_one(&round, names[k], (enum precision)precision, "2x1");
            expect_bits_of_one(&shore, names[k], (enum precision)precision, "2 by 2");
        }
    expect_bits_of_one(&shore, "rk2", F32, "2 every 2");
    scene_free(&shore);
    scene_free(&round);
}

/* The first part omits an exchange. */
struct slip {
    struct sim *part, *whole;
    const struct sim_kernel *after;
    int seen;
};

static enum err forget_the_others(void *context, struct sim_kernel *k, const void *args,
                                  size_t bytes)
{
    struct slip *slip = context;
    (void)args, (void)bytes;
    slip->part->whole = slip->whole;
    if (k == slip->after && ++slip->seen == 5)
        slip->part->whole = NULL;
    return ERR_OK;
}

static void a_gpu_whose_neighbour_is_lost_does_not_wait_for_ever(void **state)
{
    struct scene s = new_shore();
    struct config c;
    (void)state;
    need_two("a lost exchange by NCCL");
    on_gpus(&c, "rk2", F32, "2");
    c.exchange_timeout = 2;
    c.graphs = GRAPHS_OFF;
    struct sim *sim = create(&c, &s), *part = sim->parts->sim[0];
    struct slip slip = {.part = part, .whole = sim, .after = &part->auxiliary[GHOSTS_KERNEL]};
    part->hook = (struct launch_hook){forget_the_others, &slip};
    assert_int_equal(step(sim), ERR_MACHINE);
    ASSERT_HAS(err_message(), "(--exchange-timeout)");
    part->whole = sim;
    sim_destroy(sim);
    scene_free(&s);
}

#ifdef HAVE_NETCDF

#define RUN                                                                             \
    "run", "circular-dam", "--nx=200", "--ny=180", "--mode=strict", "--early-exit=off", \
        "--backend=cuda", "--exchange-timeout=20"

static int use_mpi(void **state)
{
    char why[1024];
    if (!backend_cuda.available(1, why, sizeof why) || !nccl_api_open(why, sizeof why)) {
        print_message("skipped: two processes with a GPU each: %s\n", why);
        return 0;
    }
    return mpi_prepare() ? scratch_setup(state) : 0;
}

static int leave_mpi(void **state)
{
    return *shoal ? scratch_remove(state) : 0;
}

static void two_processes_bring_the_bits_of_one_gpu(void **state)
{
    static const char *const ways[] = {"nccl", "peers"};
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1], way[64], division[64];
    (void)state;
    if (!*shoal)
        skip();
    SHOAL(RUN, "--steps=300", "--output=one.nc");
    ASSERT_STATUS(0);
    scratch_path(one, "one.nc");
    scratch_path(two, "two.nc");
    for (int k = 0; k < 2; k++) {
        snprintf(way, sizeof way, "--exchange=%s", ways[k]);
        snprintf(division, sizeof division, " parts=2 ranks=2 exchange=%s", ways[k]);
        MPI("2", RUN, "--steps=300", "--graphs=on", "--output=two.nc", way);
        ASSERT_STATUS(0);
        ASSERT_HAS(result.out, division);
        if (!same_variables(one, two, which))
            fail_msg("'%s' is not what it is on one GPU, by %s", which, ways[k]);
    }
}

/* The other one's GPU waits in a kernel. The launcher does not help. */
static void expect_both_to_end(const char *way)
{
    launcher_does_not_help();
    const pid_t launcher =
        MPI_START("2", RUN, "--t-end=1e6", "--checkpoint=1", "--output=o.nc", way);
    kill_second_when_saved(launcher, "o.nc" CHECKPOINT_ENDING, 60);
    if (times(result.err, "shoal: error: process 1 of 2 is gone") != 1)
        fail_msg("%s: %s", way, result.err);
    scratch_delete("o.nc" CHECKPOINT_ENDING);
}

static void a_process_that_is_killed_takes_the_other_along(void **state)
{
    (void)state;
    if (!*shoal)
        skip();
    expect_both_to_end("--exchange=nccl");
    expect_both_to_end("--exchange=peers");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nccl_brings_the_bits_of_one_gpu),
        cmocka_unit_test(a_gpu_whose_neighbour_is_lost_does_not_wait_for_ever),
#ifdef HAVE_NETCDF
        cmocka_unit_test_setup_teardown(two_processes_bring_the_bits_of_one_gpu, use_mpi,
                                        leave_mpi),
        cmocka_unit_test_setup_teardown(a_process_that_is_killed_takes_the_other_along, use_mpi,
                                        leave_mpi),
#endif
    };
    return cmocka_run_group_tests_name("two_gpus", tests, NULL, NULL);
}
