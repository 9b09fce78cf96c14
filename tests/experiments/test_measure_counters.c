/* `shoal measure`, kinds counters and ceilings, and profiles on a GPU. */
#include "tests/support/test.h"

#include "experiments/measure/counters.h"
#include "kernels/host_args.h"

#include "kernels/ceilings.h"
#include "tests/support/measured.h"
#include "tests/support/ncu.h"
#include "tests/support/need_gpu.h"

static void ceilings_are_measured_in_each_precision(void **state)
{
    (void)state;
    struct db_cells all =
        measured("kind = ceilings\ncase = circular-dam\nnx = 64\nprecision = f32 f64\n"
                 "repeat = 1\n");
    assert_int_equal(all.rows, 1 + 2 * 2);
    for (size_t row = 1; row < all.rows; row++) {
        const int wide = strcmp(cell(&all, row, "precision"), "f64") == 0;
        const int copy = strcmp(cell(&all, row, "kernel"), "ceiling-copy") == 0;
        assert_true(number_of(&all, row, "us") > 0);
        if (copy)
            ASSERT_NEAR(number_of(&all, row, "dram_bytes"), 2 * 64 * 64 * (wide ? 8 : 4), 0);
        else
            ASSERT_NEAR(number_of(&all, row, "operations"), 64 * 64 * CEILING_OPERATIONS, 0);
        assert_string_equal(cell(&all, row, copy ? "operations" : "dram_bytes"), "-");
    }
    db_cells_free(&all);
}

/* The first `ncu` in the PATH. */
static void plant(const char *log, int status)
{
    char text[2 * PATH_LENGTH];
    plant_ncu(log, status);
    snprintf(text, sizeof text, "%s/bin:%s", scratch, path_before);
    setenv("PATH", text, 1);
}

#define LINE(id, kernel, metric, unit, value)                                                    \
    "\"" id "\",\"4711\",\"shoal\",\"127.0.0.1\",\"" kernel "(flux_args)\",\"1\",\"13\","        \
    "\"(32, 8, 1)\",\"(128, 512, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"" metric \
    "\",\"" unit "\",\"" value "\"\n"
#define OPERATION(id, name, count) \
    LINE(id, "flux_fgh0", "smsp__sass_thread_inst_executed_op_" name "_pred_on.sum", "inst", count)

static enum err count(int precision, struct counted *all)
{
    static struct config c;
    config_defaults(&c);
    snprintf(c.input, sizeof c.input, "circular-dam");
    snprintf(c.backend, sizeof c.backend, "cuda");
    c.precision = precision;
    c.nx = c.ny = 4096;
    c.steps = 5;
    return counters_read(&c, all);
}

static void of_each_kernel_the_longest_launch_is_counted(void **state)
{
    struct counted all;
    char said[MOST_TEXT];
    (void)state;
    plant(NCU_NAMES LINE("0", "flux_fgh0", "gpu__time_duration.sum", "ns",
                         "2,000.5") LINE("0", "flux_fgh0", "dram__bytes_read.sum", "byte", "7")
              LINE("1", "rk0", "gpu__time_duration.sum", "nsecond",
                   "300") LINE("2", "flux_fgh0", "gpu__time_duration.sum", "usecond", "123.5")
                  LINE("2", "flux_fgh0", "dram__bytes_read.sum", "Mbyte",
                       "1,234.5") LINE("2", "flux_fgh0", "dram__bytes_write.sum", "byte", "500,000")
                      OPERATION("2", "fadd", "1,000") OPERATION("2", "fmul", "200") OPERATION(
                          "2", "ffma", "30") OPERATION("2", "dfma", "5,000,000")
                          LINE("2", "flux_fgh0", "smsp__inst_executed.sum", "inst", "77") LINE(
                              "2", "flux_fgh0", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                              "%", "61.25")
                              LINE("2", "flux_fgh0",
                                   "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "88")
                                  LINE("3", "flux_fgh0", "gpu__time_duration.sum", "usecond", "2"),
          0);
    if (count(F32, &all))
        fail_msg("%s", err_message());
    assert_int_equal(all.count, 2);
    const struct counted_kernel *k = &all.at[0];
    assert_string_equal(k->name, "flux_fgh0");
    ASSERT_NEAR(k->us, 123.5, 1e-9);
    ASSERT_NEAR(k->dram_bytes, 1235e6, 1e-3);
    ASSERT_NEAR(k->operations, 1000 + 200 + 2 * 30, 0);
    ASSERT_NEAR(k->instructions, 77, 0);
    ASSERT_NEAR(k->pct_sm, 61.25, 0);
    ASSERT_NEAR(k->pct_dram, 88, 0);
    assert_string_equal(all.at[1].name, "rk0");
    ASSERT_NEAR(all.at[1].us, 0.3, 1e-9);
    assert_true(isnan(all.at[1].operations));
    program_read("arguments", said);
    ASSERT_HAS(said, "--clock-control none");
    ASSERT_HAS(said, " run circular-dam ");
    ASSERT_HAS(said, " --nx 4096 ");
    ASSERT_HAS(said, " --steps 5 ");
    ASSERT_HAS(said, "op_fadd_pred_on.sum");
    assert_null(strstr(said, "op_dadd_pred_on.sum"));
}

static void a_run_in_double_precision_counts_its_operations(void **state)
{
    struct counted all;
    (void)state;
    plant(NCU_NAMES LINE("0", "flux_fgh0", "gpu__time_duration.sum", "ns", "1")
              OPERATION("0", "dadd", "1") OPERATION("0", "dmul", "20") OPERATION("0", "dfma", "300")
                  OPERATION("0", "fadd", "4,000"),
          0);
    if (count(F64, &all))
        fail_msg("%s", err_message());
    assert_int_equal(all.count, 1);
    ASSERT_NEAR(all.at[0].operations, 1 + 20 + 2 * 300, 0);
}

static void counters_that_may_not_be_read_are_absent_with_the_reason(void **state)
{
    struct counted all;
    (void)state;
    plant("==PROF== Connected to process 4711\n==ERROR== ERR_NVGPUCTRPERM - The user does not "
          "have permission\n==PROF== Disconnected\n",
          1);
    assert_int_equal(count(F32, &all), ERR_ABSENT);
    ASSERT_HAS(err_message(), "ERR_NVGPUCTRPERM");
}

static void without_ncu_counters_are_absent_and_it_is_said_what_helps(void **state)
{
    struct counted all;
    char empty[PATH_LENGTH];
    (void)state;
    if (access("/usr/local/cuda/bin/ncu", X_OK) == 0) {
        print_message("skipped: there is an ncu in /usr/local/cuda/bin\n");
        skip();
    }
    scratch_folder("empty");
    scratch_path(empty, "empty");
    setenv("PATH", empty, 1);
    assert_int_equal(count(F32, &all), ERR_ABSENT);
    ASSERT_HAS(err_message(), "no ncu");
    ASSERT_HAS(err_message(), "install");
}

static void a_gpus_kernels_are_counted_beside_its_ceilings(void **state)
{
    (void)state;
    need_gpu("backend cuda");
    write_experiment("kind = counters\ncase = circular-dam\nnx = 1024\nprecision = f32 f64\n"
                     "repeat = 1\n");
    MEASURE_IT("--backend", "cuda");
    if (result.status == 3) {
        print_message("skipped: %s\n", result.err);
        skip();
    }
    ASSERT_STATUS(0);
    struct db_cells all = rows_of("it");
    for (size_t row = 1; row < all.rows; row++) {
        const char *kernel = cell(&all, row, "kernel");
        assert_true(number_of(&all, row, "us") > 0);
        if (strncmp(kernel, "flux", 4) == 0)
            assert_true(number_of(&all, row, "operations") > 50.0 * 1024 * 1024);
    }
    row_with(&all, "kernel", "ceiling-copy");
    row_with(&all, "kernel", "ceiling-fma");
    row_with(&all, "kernel", "rk1");
    db_cells_free(&all);
}

static void a_gpus_profile_has_the_median_of_its_launches(void **state)
{
    (void)state;
    need_gpu("backend cuda");
    write_experiment("kind = profile\ncase = circular-dam\nnx = 256\nrepeat = 1\n");
    MEASURE_IT("--backend", "cuda");
    ASSERT_STATUS(0);
    struct db_cells all = rows_of("it");
    const size_t row = row_with(&all, "kernel", "flux_fgh0");
    assert_true(number_of(&all, row, "us") > 0);
    assert_string_not_equal(cell(&all, row, "method"), "clock");
    db_cells_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PREPARED(ceilings_are_measured_in_each_precision),
        PREPARED(of_each_kernel_the_longest_launch_is_counted),
        PREPARED(a_run_in_double_precision_counts_its_operations),
        PREPARED(counters_that_may_not_be_read_are_absent_with_the_reason),
        PREPARED(without_ncu_counters_are_absent_and_it_is_said_what_helps),
        PREPARED(a_gpus_kernels_are_counted_beside_its_ceilings),
        PREPARED(a_gpus_profile_has_the_median_of_its_launches),
    };
    return cmocka_run_group_tests_name("measure_counters", tests, NULL, NULL);
}
