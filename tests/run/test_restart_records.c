/* Restarts of runs that were killed: their records are beside the checkpoint, and are taken if they belong to it. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/base/job_queue.h"
#include "core/run/result.h"
#include "tests/support/restarts.h"

/* A run with its output, in this process. */
struct written {
    struct run run;
    struct job_queue *background;
    struct result *result;
    struct checkpoint *checkpoint;
};

static void begin(struct written *w, const char *cfl, const char *restart)
{
    struct config c;
    size_t taken[SERIES] = {0};
    char path[PATH_LENGTH], from[PATH_LENGTH] = "";
    scratch_path(path, "o.nc");
    configure(&c, "rk2", F32);
    snprintf(c.input, sizeof c.input, "bend");
    snprintf(c.output, sizeof c.output, "%s", path);
    c.nx = 24;
    c.t_end = 5;
    c.every = 0.5;
    set(&c, "cfl", cfl);
    start(&w->run, &c);
    if (restart) {
        scratch_path(from, restart);
        fine(checkpoint_restore(w->run.sim, &w->run.p, from, taken));
    }
    fine(job_queue_create(&w->background, ncfile_quiet_thread));
    fine(result_open(&w->result, w->run.sim, &w->run.p, w->background, "shoal run"));
    fine(checkpoint_open(&w->checkpoint, &(struct checkpoint_setup){.sim = w->run.sim,
                                                                    .problem = &w->run.p,
                                                                    .background = w->background,
                                                                    .result = w->result,
                                                                    .command_line = "shoal run"}));
    fine(checkpoint_restore_rows(w->result, w->checkpoint, from, taken));
}

static void give_up(struct written *w)
{
    result_discard(&w->result);
    checkpoint_close(&w->checkpoint);
    job_queue_destroy(&w->background);
    end(&w->run);
}

/* Each in its own process: netCDF keeps abandoned files open. */
static void in_child(void (*job)(double t, const char *cfl), double t, const char *cfl)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("CMOCKA_TEST_ABORT", "1", 1); /* else it runs the other tests */
        job(t, cfl);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void run_to(double t, const char *cfl)
{
    struct written w = {0};
    begin(&w, cfl, NULL);
    for (int k = 0; 0.5 * k <= t; k++) {
        const double next = 0.5 * k;
        if (next > 0)
            step_to(&w.run, next);
        fine(result_record(w.result));
        fine(result_balance(w.result));
    }
    fine(checkpoint_write(w.checkpoint));
    give_up(&w);
}

/* A run that is killed once it has a checkpoint at t, with records before it every 0.5 s. */
static void killed(double t, const char *cfl)
{
    in_child(run_to, t, cfl);
}

#define PLAIN                                                                                \
    "run", "bend", "--nx=24", "--mode=strict", "--backend=cpu", "--threads=1", "--every=.5", \
        "--quiet", "--cfl=.25", "--t-end=5"

static void a_run_that_was_killed_goes_on_with_its_records(void **state)
{
    (void)state;
    killed(2, ".25");
    SHOAL(PLAIN, "--output=wanted.nc");
    ASSERT_STATUS(0);
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    expect_equal_files("o.nc", "wanted.nc");
}

/* Nothing follows its checkpoint. */
static void a_run_that_was_killed_may_go_on_with_another_interval(void **state)
{
    (void)state;
    killed(2, ".25");
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT, "--every=.7");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
}

/* Records of a killed run are beside the checkpoint, those of a run that has ended are in its result. */
static void another_output_begins_with_the_records_of_the_first(void **state)
{
    (void)state;
    killed(2, ".25");
    SHOAL(PLAIN, "--output=wanted.nc");
    ASSERT_STATUS(0);
    SHOAL(PLAIN, "--output=new.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    expect_equal_files("new.nc", "wanted.nc");
    runs_alone();
    SHOAL(RUN, "--t-end=7", "--output=newer.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    expect_equal_files("newer.nc", "seven.nc");
}

/* Restarted from an early checkpoint, and killed after writing the records and before writing the checkpoint. */
static void run_on_to(double t, const char *cfl)
{
    struct written w = {0};
    size_t kept[SERIES];
    char path[PATH_LENGTH];
    begin(&w, cfl, "early.nc");
    step_to(&w.run, t);
    fine(result_record(w.result));
    fine(result_balance(w.result));
    scratch_path(path, "o.nc" RECORDS_ENDING);
    fine(result_keep(w.result, path, kept));
    give_up(&w);
}

static void a_run_that_went_back_leaves_the_last_checkpoint_its_records(void **state)
{
    (void)state;
    killed(1, ".25");
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    killed(2, ".25");
    in_child(run_on_to, 1.5, ".25");
    SHOAL(PLAIN, "--output=wanted.nc");
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "wanted.nc");
}

/* Restarted from an early checkpoint, with a map where the earlier run had none. */
static void run_between(double t, const char *cfl)
{
    struct written w = {0};
    begin(&w, cfl, "early.nc");
    step_to(&w.run, t);
    fine(result_record(w.result));
    fine(result_balance(w.result));
    fine(checkpoint_write(w.checkpoint));
    give_up(&w);
}

static void a_run_that_went_back_and_writes_at_other_times_keeps_its_own_records(void **state)
{
    char path[PATH_LENGTH];
    size_t maps;
    int id, dim;
    (void)state;
    killed(1, ".25");
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    killed(2, ".25");
    in_child(run_between, 1.25, ".25");
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    scratch_path(path, "o.nc");
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_dimid(id, "time", &dim), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, dim, &maps), NC_NOERR);
    assert_int_equal(nc_close(id), NC_NOERR);
    assert_int_equal(maps, 12); /* every 0.5 s up to 5 s, and at 1.25 s */
}

/* Records that cannot be recovered may be missing in a new file, with a warning, but an old file is never replaced by
 * it. */
static void expect_records_refused(const char *why)
{
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, why);
    ASSERT_HAS(result.err, "choose another --output");
    assert_false(scratch_has("o.nc"));
    SHOAL(PLAIN, "--output=new.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "the output begins at t = 2");
}

static void damaged_records_are_not_taken(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    killed(2, ".25");
    scratch_path(path, "o.nc" RECORDS_ENDING);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, -4000, SEEK_END);
    const int byte = getc(f);
    fseek(f, -4000, SEEK_END);
    putc(byte ^ 16, f);
    assert_int_equal(fclose(f), 0);
    expect_records_refused("damaged");
}

static void records_of_another_run_are_not_taken(void **state)
{
    (void)state;
    killed(2, ".25");
    copy("o.nc" CHECKPOINT_ENDING, "kept.nc");
    killed(2, ".2");
    copy("kept.nc", "o.nc" CHECKPOINT_ENDING);
    expect_records_refused("is of another run");
}

static void too_few_records_are_not_taken(void **state)
{
    (void)state;
    killed(2, ".25");
    copy("o.nc" CHECKPOINT_ENDING, "kept.nc");
    killed(1, ".25");
    copy("kept.nc", "o.nc" CHECKPOINT_ENDING);
    expect_records_refused("counted 5");
}

/* As many rows as are counted, and more with the same time: they belong to another sequence of runs. */
static void records_at_other_times_are_not_taken(void **state)
{
    (void)state;
    killed(2, ".25");
    SHOAL(PLAIN, "--output=o.nc", "--every=.1");
    ASSERT_STATUS(0);
    scratch_delete("o.nc" RECORDS_ENDING);
    copy("o.nc", "before.nc");
    SHOAL(PLAIN, "--output=o.nc", CHECKPOINT, "--every=.1");
    expect_refused(2, "the checkpoint counted 5");
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, restarts_ready, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_run_that_was_killed_goes_on_with_its_records),
        HERE(a_run_that_was_killed_may_go_on_with_another_interval),
        HERE(another_output_begins_with_the_records_of_the_first),
        HERE(a_run_that_went_back_leaves_the_last_checkpoint_its_records),
        HERE(a_run_that_went_back_and_writes_at_other_times_keeps_its_own_records),
        HERE(damaged_records_are_not_taken),
        HERE(records_of_another_run_are_not_taken),
        HERE(too_few_records_are_not_taken),
        HERE(records_at_other_times_are_not_taken),
    };
    return cmocka_run_group_tests_name("restart_records", tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
