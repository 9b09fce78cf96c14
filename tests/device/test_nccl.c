/* Parts that exchange by NCCL, tried on stand-ins for the driver and for NCCL on which runs really compute: the same
 * results, recorded or not; when it is chosen and why not; and what becomes of the others if one is lost. */
#include "tests/support/test.h"

#include "core/sim/parts.h"
#include "tests/support/parts.h"
#include "tests/support/program.h"
#include "tests/support/stand_in.h"

enum { MANY = 2 * GRAPH_PASSES + 7 };

#define RUN                                                                                     \
    "run", "circular-dam", "--scheme", "euler", "--nx", "24", "--ny", "20", "--mode", "strict", \
        "--early-exit", "off", "--backend", "cuda"
#define SHORT  RUN, "--steps", "6"
#define ON_TWO "--devices", "0,1", "--exchange", "nccl"

static char nccl_library[PATH_LENGTH];

static void set(const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
}

static int set_up(void **state)
{
    (void)state;
    if (program_find() || stand_in_use())
        return 1;
    strcpy(nccl_library, stand_in_library);
    strcpy(strrchr(nccl_library, '/'), "/libstand_in_nccl.so");
    return access(nccl_library, R_OK) != 0;
}

static int use_stand_in(void **state)
{
    static const char *const unset[] = {"FAKE_PEERS", "FAKE_NCCL", "FAKE_NCCL_FAULT",
                                        "FAKE_NCCL_MUTE"};
    (void)state;
    for (size_t k = 0; k < sizeof unset / sizeof *unset; k++)
        unsetenv(unset[k]);
    set("FAKE_DEVICES", "4");
    set("NCCL_NVLS_ENABLE", "0");
    set("SHOAL_LIBNCCL", nccl_library);
    return 0;
}

/* On the first GPUs, a part on each; every other step is launched alone. */
static void by_nccl(struct config *c, const char *parts, enum precision precision)
{
    configure(c, "euler", precision);
    c->early_exit = EARLY_EXIT_OFF;
    strcpy(c->backend, "cuda");
    if (!parts)
        return;
    *c = in_parts(c, parts);
    c->exchange = EXCHANGE_NCCL;
    c->graphs = GRAPHS_ON;
    c->devices = (struct device_list){.count = 4, .of = {3, 1, 0, 2}};
}

static enum err step(struct sim *sim)
{
    TRY(sim_step_many(sim, MANY));
    return sim_step_many(sim, 3);
}

/* Some steps are launched one by one, others are recorded. */
static void parts_that_exchange_by_nccl_reach_the_same_bits(void **state)
{
    static const struct {
        const char *parts;
        enum precision precision;
    } way[] = {{"2", F32}, {"2x2", F64}, {"2x2 by 2", F32}, {"3 every 2", F32}};
    struct scene s = new_rough(NX, NY);
    (void)state;
    scene_edges(&s, PERIODIC, OPEN);
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        struct config one, more;
        by_nccl(&one, NULL, way[k].precision);
        by_nccl(&more, way[k].parts, way[k].precision);
        struct sim *plain = create(&one, &s), *cut = create(&more, &s);
        assert_int_equal(cut->parts->waiting, BY_NCCL);
        assert_string_equal(sim_divided(cut).exchange, "nccl");
        fine(step(plain));
        fine(step(cut));
        assert_non_null(cut->parts->sim[0]->graph);
        struct outcome want = outcome_of(&one, plain, &s), have = outcome_of(&more, cut, &s);
        expect_same_outcome(&one, &want, &have, way[k].parts);
        outcome_free(&want);
        outcome_free(&have);
        sim_destroy(plain);
        sim_destroy(cut);
    }
    scene_free(&s);
}

/* What the log says; and how parts exchange. */
static void it_is_chosen_where_cells_would_pass_through_the_host_and_the_log_says_why(void **state)
{
    static const struct {
        const char *peers, *devices, *ranks, *library, *version, *reason, *division;
    } way[] = {
        {"none", "0,1", "1", "", "", "), as not all GPUs can reach each other's memory",
         " exchange=nccl"},
        {"none", "0,1", "2", "", "", "), as GPUs of two processes cannot reach each other's memory",
         " exchange=nccl"},
        {"all", "0,1", "2", "", "",
         "exchange by peers: the GPUs of 2 processes can reach each other's memory",
         " ranks=2 exchange=peers"},
        {"none", "0,0", "2", "", "", "; not by NCCL: parts share a GPU", " ranks=2 exchange="},
        {"none", "0,0,1", "1", "", "",
         "; not by NCCL: parts share a GPU, and NCCL needs one for each of them", " exchange=host"},
        {"none", "0,1", "1", "/nowhere/libnccl.so.2", "",
         "cannot reach each other's memory; not by NCCL: no NCCL (/nowhere/libnccl.so.2",
         " exchange=host"},
        {"none", "0,1", "2", "/nowhere/libnccl.so.2", "",
         "install libnccl2, or set SHOAL_LIBNCCL to the path of libnccl.so.2",
         " ranks=2 exchange="},
        {"none", "0,1", "1", "", "2804", ") is too old: 2.9 or later needed; install a newer",
         " exchange=host"},
    };
    char one[256], two[256];
    (void)state;
    SHOAL(SHORT);
    ASSERT_STATUS(0);
    flow_of(one);
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        use_stand_in(NULL);
        set("FAKE_PEERS", way[k].peers);
        set("FAKE_NCCL", way[k].version);
        set("NCCL_NVLS_ENABLE", "1"); /* which the program overrides */
        if (*way[k].library)
            set("SHOAL_LIBNCCL", way[k].library);
        SHOAL(SHORT, "--devices", way[k].devices, "--ranks", way[k].ranks);
        ASSERT_STATUS(0);
        ASSERT_HAS(result.err, way[k].reason);
        flow_of(two);
        assert_string_equal(two, one);
        ASSERT_HAS(result.out, way[k].division);
    }
}

/* In one process, and in two: joining, their first exchange, and one that nobody answers. */
static void where_nccl_cannot_join_cells_pass_through_the_host(void **state)
{
    static const struct {
        const char *fault, *mute, *reason;
    } way[] = {
        {"ncclCommInitRank 2", "0", "; not by NCCL: ncclCommInitRank: unhandled system error"},
        {"ncclSend 2", "0", "; not by NCCL: ncclSend: unhandled system error"},
        {"ncclAllReduce 2", "0", "; not by NCCL: ncclAllReduce: unhandled system error"},
        {"", "1",
         "; not by NCCL: NCCL has not connected the GPUs within 0.2 s (--exchange-timeout)"},
    };
    char one[256], two[256];
    (void)state;
    SHOAL(SHORT);
    ASSERT_STATUS(0);
    flow_of(one);
    set("FAKE_PEERS", "none");
    for (size_t k = 0; k < sizeof way / sizeof *way; k++)
        for (int ranks = 1; ranks <= (*way[k].fault ? 2 : 1); ranks++) {
            set("FAKE_NCCL_FAULT", way[k].fault);
            set("FAKE_NCCL_MUTE", way[k].mute);
            SHOAL(SHORT, "--devices", "0,1", "--ranks", ranks == 1 ? "1" : "2",
                  "--exchange-timeout", "0.2");
            ASSERT_STATUS(0);
            ASSERT_HAS(result.err, way[k].reason);
            flow_of(two);
            assert_string_equal(two, one);
            ASSERT_HAS(result.out, ranks == 1 ? " exchange=host" : " ranks=2 exchange=");
        }
}

static void expect_refused(int status, const char *message)
{
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, message);
}

static void who_insists_on_it_in_vain_learns_why(void **state)
{
    (void)state;
    SHOAL(SHORT, "--devices", "0,0", "--exchange", "nccl");
    expect_refused(3, "--exchange nccl: parts share a GPU, and NCCL needs one for each of them");
    SHOAL(SHORT, "--devices", "0,0", "--ranks", "2", "--exchange", "nccl");
    expect_refused(3, "--exchange nccl: parts share a GPU");
    SHOAL("run", "circular-dam", "--nx", "24", "--steps", "2", "--backend", "cpu", "--parts", "2",
          "--exchange", "nccl");
    expect_refused(2, "--exchange nccl: expected the cuda backend, got cpu");
    set("FAKE_NCCL", "2804");
    SHOAL(SHORT, ON_TWO);
    expect_refused(3, "--exchange nccl: NCCL 2.8.4 (");
    ASSERT_HAS(result.err, ") is too old: 2.9 or later needed");
    SHOAL("info");
    ASSERT_HAS(result.out, "NCCL      none: NCCL 2.8.4 (");
    set("FAKE_NCCL", "20906");
    SHOAL("info");
    ASSERT_HAS(result.out, "NCCL      version 2.9.6, in ");
    set("SHOAL_LIBNCCL", "/nowhere/libnccl.so.2");
    SHOAL(SHORT, ON_TWO);
    expect_refused(3, "--exchange nccl: no NCCL (/nowhere/libnccl.so.2");
    SHOAL(SHORT, ON_TWO, "--ranks", "2");
    expect_refused(3, "--exchange nccl: no NCCL (/nowhere/libnccl.so.2");
    set("FAKE_PEERS", "none");
    SHOAL(SHORT, "--devices", "0,1", "--ranks", "2", "--exchange", "peers");
    expect_refused(3, "--exchange peers: GPUs of two processes cannot reach each other's memory");
    SHOAL(SHORT, "--devices", "0,0", "--ranks", "2", "--exchange", "peers");
    expect_refused(3, "--exchange peers: parts of several processes share a GPU");
    set("SHOAL_LIBNCCL", stand_in_library);
    SHOAL(SHORT, ON_TWO);
    expect_refused(3, "without ncclGetErrorString");
}

static void an_error_of_nccl_ends_the_run_with_its_name(void **state)
{
    static const struct {
        const char *fault, *message;
    } all[] = {
        {"ncclCommInitRank 2", "ncclCommInitRank: unhandled system error (NCCL error 2); "
                               "NCCL_DEBUG=WARN in the environment shows why"},
        {"ncclGroupEnd 6", "ncclGroupEnd: remote process exited"},
        {"ncclAllReduce 2", "ncclAllReduce: unhandled system error (NCCL error 2)"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        set("FAKE_NCCL_FAULT", all[k].fault);
        SHOAL(SHORT, ON_TWO);
        expect_refused(3, all[k].message);
    }
}

/* The others wait in a call that nothing calls off. */
static void a_part_that_never_joins_does_not_keep_the_others_waiting(void **state)
{
    (void)state;
    set("FAKE_NCCL_MUTE", "join");
    SHOAL(SHORT, ON_TWO, "--exchange-timeout", "0.3");
    expect_refused(3, "NCCL has not connected the GPUs within 0.3 s (--exchange-timeout)");
    SHOAL(SHORT, ON_TWO, "--ranks", "2", "--exchange-timeout", "0.3");
    expect_refused(3, "NCCL has not connected the GPUs within 0.3 s (--exchange-timeout)");
}

/* Its neighbour waits in an exchange that is launched alone, in a graph, and for another process's GPU. */
static void a_part_that_is_lost_does_not_keep_the_others_waiting(void **state)
{
    static const struct {
        const char *mute, *parts, *fault, *message;
    } way[] = {
        {"4", "2", "", "a part has waited for another one for 0.2 s (--exchange-timeout)"},
        {"21", "2", "", "a part has waited for another one for 0.2 s (--exchange-timeout)"},
        {"4", "2 by 2", "", "a part has waited for another one for 0.2 s (--exchange-timeout)"},
        {"4", "2", "ncclCommGetAsyncError 6", "an exchange by NCCL: remote process exited"}};
    struct scene s = new_shore();
    (void)state;
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        struct config c;
        by_nccl(&c, way[k].parts, F32);
        c.exchange_timeout = 0.2;
        set("FAKE_NCCL_MUTE", way[k].mute);
        set("FAKE_NCCL_FAULT", way[k].fault);
        struct sim *sim = create(&c, &s);
        assert_int_equal(step(sim), ERR_MACHINE);
        ASSERT_HAS(err_message(), way[k].message);
        sim_destroy(sim);
    }
    scene_free(&s);
}

#define ON_STAND_IN(test) cmocka_unit_test_setup(test, use_stand_in)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAND_IN(parts_that_exchange_by_nccl_reach_the_same_bits),
        ON_STAND_IN(it_is_chosen_where_cells_would_pass_through_the_host_and_the_log_says_why),
        ON_STAND_IN(where_nccl_cannot_join_cells_pass_through_the_host),
        ON_STAND_IN(who_insists_on_it_in_vain_learns_why),
        ON_STAND_IN(an_error_of_nccl_ends_the_run_with_its_name),
        ON_STAND_IN(a_part_that_never_joins_does_not_keep_the_others_waiting),
        ON_STAND_IN(a_part_that_is_lost_does_not_keep_the_others_waiting),
    };
    return cmocka_run_group_tests_name("nccl", tests, set_up, scratch_remove);
}
