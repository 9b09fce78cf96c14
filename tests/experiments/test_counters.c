/* tests/counters: how it reads the table of Nsight Compute, and what it asks it for. */
#include "tests/support/test.h"

#include "core/base/paths.h"
#include "tests/support/ncu.h"
#include "tests/support/program.h"

#define STALL(reason) "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"

/* The first launch belongs to a rejected step. 64 x 64 cells. */
static const struct {
    int id;
    const char *kernel, *metric, *unit, *value;
} lines[] = {
    {0, "fused0", "gpu__time_duration.sum", "us", "2.00"},
    {0, "fused0", STALL("barrier"), "inst", "99.0"},
    {1, "fused1", "gpu__time_duration.sum", "ns", "500"},
    {1, "fused1", "lts__t_sector_hit_rate.pct", "%", "n/a"},
    {2, "fused0", "gpu__time_duration.sum", "msecond", "1.5"},
    {2, "fused0", "dram__bytes_read.sum", "Kbyte", "100"},
    {2, "fused0", "dram__bytes_write.sum", "byte", "14,688"},
    {2, "fused0", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "61.26"},
    {2, "fused0", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "88.04"},
    {2, "fused0", "smsp__issue_active.avg.pct_of_peak_sustained_active", "%", "95.5"},
    {2, "fused0", "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "18"},
    {2, "fused0", "sm__maximum_warps_per_active_cycle_pct", "%", "18.7"},
    {2, "fused0", "launch__registers_per_thread", "register/thread", "168"},
    {2, "fused0", "smsp__inst_executed.sum", "inst", "51,200"},
    {2, "fused0", "l1tex__t_sector_hit_rate.pct", "%", "12.34"},
    {2, "fused0", "lts__t_sector_hit_rate.pct", "%", "56.78"},
    {2, "fused0", STALL("wait"), "inst", "1.5"},
    {2, "fused0", STALL("long_scoreboard"), "inst", "0.75"},
    {2, "fused0", STALL("barrier"), "inst", "0"},
    {2, "fused0", STALL("not_selected"), "inst", "2.25"},
    {2, "fused0", STALL("drain"), "inst", "0.5"},
};

static const char *table(void)
{
    static char text[1 << 14];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", NCU_NAMES);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "\"%d\",\"4711\",\"shoal\",\"127.0.0.1\",\"%s(fused_args)\",\"1\","
                              "\"13\",\"(32, 1, 1)\",\"(128, 512, 1)\",\"0\",\"9.0\","
                              "\"Command line profiler metrics\",\"%s\",\"%s\",\"%s\"\n",
                              lines[k].id, lines[k].kernel, lines[k].metric, lines[k].unit,
                              lines[k].value);
    return text;
}

static const char first[] =
    "kernel\tprecision\tus\tgb_s\tover_must\tdram_pct\tsm_pct\tissue_pct\twarps_pct\tpossible_pct\t"
    "registers\tinst_cell\tl1_hit_pct\tl2_hit_pct\tstall_1\tstall_2\tstall_3\n"
    "fused0\tf32\t1500.0\t0\t1.00\t61.3\t88.0\t95.5\t18.0\t18.7\t168\t400\t12.3\t56.8\t"
    "not_selected 2.25\twait 1.50\tlong_scoreboard 0.75\n"
    "fused1\tf32\t0.5\t0\t0.00\t";

/* The script's status; its output is in result.out and result.err. */
static int counted(const char *arguments)
{
    char command[4 * PATH_LENGTH];
    const char *home;
    assert_int_equal(paths_home(&home), 0);
    snprintf(command, sizeof command,
             "PATH='%s/bin':\"$PATH\" SHOAL_BIN='%s' SIZE=64 '%s/tests/counters' %s "
             ">'%s/stdout' 2>'%s/stderr'",
             scratch, program, home, arguments, scratch, scratch);
    const int status = system(command);
    program_read("stdout", result.out);
    program_read("stderr", result.err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_longest_launch_of_a_kernel_makes_its_line(void **state)
{
    char asked[MOST_TEXT];
    (void)state;
    plant_ncu(table(), 0);
    if (counted("rk2_fused:f32") != 0)
        fail_msg("%s", result.err);
    if (strncmp(result.out, first, strlen(first)) != 0)
        fail_msg("'%s' does not begin with '%s'", result.out, first);
    ASSERT_HAS(result.out, "\t-\t-\t-\t-\n");
    program_read("arguments", asked);
    ASSERT_HAS(asked, "--clock-control none ");
    ASSERT_HAS(asked, "|fused0|fused1|");
    ASSERT_HAS(asked, " --scheme rk2_fused --precision f32 ");
    ASSERT_HAS(asked, " --graphs off ");
}

static void doubles_move_twice_as_much(void **state)
{
    (void)state;
    plant_ncu(table(), 0);
    assert_int_equal(counted("rk2_fused:f64"), 0);
    ASSERT_HAS(result.out, "\nfused0\tf64\t1500.0\t0\t0.50\t");
}

static void a_run_that_nobody_counted_is_an_error(void **state)
{
    (void)state;
    plant_ncu("==ERROR== ERR_NVGPUCTRPERM\n", 1);
    assert_int_equal(counted("rk2:f32"), 1);
    ASSERT_HAS(result.err, "ERR_NVGPUCTRPERM");
    ASSERT_HAS(result.err, "counters: rk2:f32: ncu or the run failed");
    plant_ncu(NCU_NAMES, 0);
    assert_int_equal(counted("rk2:f32"), 1);
    ASSERT_HAS(result.err, "counters: rk2:f32: ncu counted no kernel");
}

static int prepare(void **state)
{
    (void)state;
    scratch_create();
    return program_find();
}

int main(void)
{
#define PREPARED(test) cmocka_unit_test_setup_teardown(test, prepare, scratch_remove)
    const struct CMUnitTest tests[] = {
        PREPARED(the_longest_launch_of_a_kernel_makes_its_line),
        PREPARED(doubles_move_twice_as_much),
        PREPARED(a_run_that_nobody_counted_is_an_error),
    };
    return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
