/* Restarts of restarts, of interrupted runs and of runs that ended: the file has all records, or it stays as it is
 * and the error says how to continue. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/base/job_queue.h"
#include "core/options/run_config.h"
#include "core/run/result.h"
#include "tests/support/checkpoints.h"
#include "tests/support/program.h"
#include "tests/support/variables.h"

#define RUN                                                                                  \
    "run", "bend", "--nx=24", "--mode=strict", "--backend=cpu", "--threads=1", "--every=.5", \
        "--gauge=a,1,1", "--gauge-every=.3", "--maxima", "--hazard", "--checkpoint=2", "--quiet"
#define CHECKPOINT ("--restart=o.nc" CHECKPOINT_ENDING)

static void copy(const char *from, const char *to)
{
    char command[3 * PATH_LENGTH];
    snprintf(command, sizeof command, "cp '%s/%s' '%s/%s'", scratch, from, scratch, to);
    assert_int_equal(system(command), 0);
}

static void expect_equal_files(const char *name, const char *wanted)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    scratch_path(one, wanted);
    scratch_path(two, name);
    if (!same_variables(one, two, which))
        fail_msg("%s: '%s' is not what it is in %s", name, which, wanted);
}

/* After a command that must fail: o.nc is as it was. */
static void expect_refused(int status, const char *part)
{
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, part);
    expect_equal_files("o.nc", "before.nc");
}

static void runs_alone(void)
{
    SHOAL(RUN, "--t-end=5", "--output=five.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--t-end=7", "--output=seven.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--t-end=5", "--output=o.nc");
    ASSERT_STATUS(0);
    assert_false(scratch_has("o.nc" RECORDS_ENDING)); /* o.nc has them all */
}

static void
a_restart_by_auto_takes_the_scheme_of_the_checkpoint_whatever_is_measured_now(void **state)
{
    (void)state;
    SHOAL(RUN, "--mode=fast", "--scheme=srk2", "--t-end=5", "--output=o.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--mode=fast", "--scheme=srk2", "--t-end=7", "--output=seven.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--mode=fast", "--scheme=auto", "--t-end=7", "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "scheme=srk2 ");
    expect_equal_files("o.nc", "seven.nc");
}

static void a_complete_result_stays_complete_however_often_it_is_restarted(void **state)
{
    (void)state;
    runs_alone();
    for (int k = 0; k < 3; k++) {
        SHOAL(RUN, "--t-end=5", "--output=o.nc", CHECKPOINT);
        ASSERT_STATUS(0);
        assert_string_equal(result.err, "");
        expect_equal_files("o.nc", "five.nc");
    }
    SHOAL(RUN, "--t-end=9", "--steps=250", "--output=o.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--t-end=9", "--steps=250", "--output=o.nc", CHECKPOINT);
    ASSERT_STATUS(0);
}

static void the_end_may_be_extended_from_any_checkpoint_of_the_chain(void **state)
{
    (void)state;
    runs_alone();
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    copy("o.nc" CHECKPOINT_ENDING, "other.nc" CHECKPOINT_ENDING);
    for (int k = 0; k < 2; k++) {
        SHOAL(RUN, "--t-end=7", "--output=o.nc", CHECKPOINT);
        ASSERT_STATUS(0);
        expect_equal_files("o.nc", "seven.nc");
    }
    SHOAL(RUN, "--t-end=7", "--output=o.nc", "--restart=early.nc");
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "seven.nc");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", ("--restart=other.nc" CHECKPOINT_ENDING));
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "seven.nc");
}

static void a_result_is_not_replaced_by_one_with_less(void **state)
{
    (void)state;
    runs_alone();
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", CHECKPOINT);
    copy("o.nc", "before.nc");
    SHOAL(RUN, "--t-end=6.5", "--output=o.nc", "--restart=early.nc");
    expect_refused(2, "choose a later --t-end");
    SHOAL(RUN, "--t-end=9", "--steps=250", "--output=o.nc", "--restart=early.nc");
    expect_refused(2, "choose more --steps");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", "--restart=early.nc", "--variables=w");
    expect_refused(2, "give the same --variables");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", "--restart=early.nc", "--region=1,1,4,4");
    expect_refused(2, "give the same --variables, --region");
}

/* Other intervals lose records after the checkpoint; integer fractions of them do not. */
static void a_result_keeps_the_records_of_its_intervals(void **state)
{
    (void)state;
    runs_alone();
    copy("o.nc", "before.nc");
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    SHOAL(RUN, "--t-end=5", "--output=o.nc", "--restart=early.nc", "--every=1");
    expect_refused(2, "has maps of this run every 0.5 s, some of which would be lost: give "
                      "--every 0.5, or choose another --output");
    SHOAL(RUN, "--t-end=5", "--output=o.nc", "--restart=early.nc", "--gauge-every=.4");
    expect_refused(2, "give --gauge-every 0.3");
    SHOAL(RUN, "--t-end=5", "--output=o.nc", "--restart=early.nc", "--balance-every=.7");
    expect_refused(2, "give --balance-every 0.5");
    SHOAL(RUN, "--t-end=5", "--output=o.nc", "--restart=early.nc", "--every=.1");
    ASSERT_STATUS(0);
    copy("o.nc", "before.nc");
    SHOAL(RUN, "--t-end=5", "--output=o.nc", "--restart=early.nc");
    expect_refused(2, "give --every 0.1");
}

/* Records before the checkpoint are closer together: a run from an earlier checkpoint would lose them. */
static void intervals_of_records_that_were_taken_are_kept(void **state)
{
    (void)state;
    runs_alone();
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", CHECKPOINT, "--checkpoint=1");
    ASSERT_STATUS(0);
    copy("o.nc", "before.nc");
    SHOAL(RUN, "--t-end=7", "--output=new.nc", CHECKPOINT, "--every=2");
    ASSERT_STATUS(0);
    copy("new.nc", "o.nc");
    copy("new.nc", "before.nc");
    SHOAL(RUN, "--t-end=7", "--output=o.nc", "--restart=early.nc", "--every=2");
    expect_refused(2, "give --every 0.5");
}

#define SECTION                                                                           \
    "run", "bend", "--nx=24", "--mode=strict", "--backend=cpu", "--threads=1", "--quiet", \
        "--checkpoint=2", "--t-end=5", "--section=s,2,-9,2,9", "--output=o.nc"

/* The only map, at the end, has no interval. */
static void a_result_keeps_the_rows_of_its_sections(void **state)
{
    (void)state;
    SHOAL(SECTION, "--gauge-every=.3");
    ASSERT_STATUS(0);
    copy("o.nc", "before.nc");
    copy("o.nc" CHECKPOINT_ENDING, "early.nc");
    SHOAL(SECTION, "--gauge-every=.4", "--restart=early.nc");
    expect_refused(2, "has sections of this run every 0.3 s");
    SHOAL(SECTION, "--gauge-every=.3", "--restart=early.nc");
    ASSERT_STATUS(0);
    expect_equal_files("o.nc", "before.nc");
}

#define NO_MAXIMA                                                                            \
    "run", "bend", "--nx=24", "--mode=strict", "--backend=cpu", "--threads=1", "--every=.5", \
        "--gauge=a,1,1", "--gauge-every=.3", "--checkpoint=2", "--quiet", "--t-end=5",       \
        "--output=o.nc", CHECKPOINT

static void a_result_with_maxima_is_not_replaced_by_one_without(void **state)
{
    (void)state;
    runs_alone();
    copy("o.nc", "before.nc");
    SHOAL(NO_MAXIMA);
    expect_refused(2, "maps of this run that would be lost: give --maxima");
    SHOAL(NO_MAXIMA, "--hazard");
    expect_refused(2, "give --maxima");
    SHOAL(NO_MAXIMA, "--maxima");
    expect_refused(2, "give --hazard");
    SHOAL(NO_MAXIMA, "--maxima", "--hazard");
    ASSERT_STATUS(0);
}

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

static enum err cannot_download(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d, (void)to, (void)from, (void)bytes;
    FAIL(MACHINE, "the device is gone");
}

/* After the file has been made. */
static void a_result_that_cannot_be_begun_leaves_nothing(void **state)
{
    struct config c;
    struct run r;
    struct job_queue *background;
    struct result *none = NULL;
    char path[PATH_LENGTH];
    (void)state;
    scratch_path(path, "o.nc");
    configure(&c, "rk2", F32);
    snprintf(c.input, sizeof c.input, "bend");
    snprintf(c.output, sizeof c.output, "%s", path);
    start(&r, &c);
    struct backend broken = *r.sim->backend;
    const struct backend *const sound = r.sim->backend;
    broken.download = cannot_download;
    fine(job_queue_create(&background, ncfile_quiet_thread));
    r.sim->backend = &broken;
    assert_int_equal(result_open(&none, r.sim, &r.p, background, "shoal run"), ERR_MACHINE);
    assert_string_equal(err_message(), "the device is gone");
    r.sim->backend = sound;
    assert_null(none);
    snprintf(path, sizeof path, "ls '%s' | grep -q o.nc", scratch);
    assert_int_not_equal(system(path), 0);
    job_queue_destroy(&background);
    end(&r);
}

static int ready(void **state)
{
    if (set_up(state) || program_find())
        return 1;
    return 0;
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, ready, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_complete_result_stays_complete_however_often_it_is_restarted),
        HERE(a_restart_by_auto_takes_the_scheme_of_the_checkpoint_whatever_is_measured_now),
        HERE(the_end_may_be_extended_from_any_checkpoint_of_the_chain),
        HERE(a_result_is_not_replaced_by_one_with_less),
        HERE(a_result_keeps_the_records_of_its_intervals),
        HERE(intervals_of_records_that_were_taken_are_kept),
        HERE(a_result_keeps_the_rows_of_its_sections),
        HERE(a_result_with_maxima_is_not_replaced_by_one_without),
        HERE(a_run_that_was_killed_goes_on_with_its_records),
        HERE(a_run_that_was_killed_may_go_on_with_another_interval),
        HERE(another_output_begins_with_the_records_of_the_first),
        HERE(a_run_that_went_back_leaves_the_last_checkpoint_its_records),
        HERE(a_run_that_went_back_and_writes_at_other_times_keeps_its_own_records),
        HERE(damaged_records_are_not_taken),
        HERE(records_of_another_run_are_not_taken),
        HERE(too_few_records_are_not_taken),
        HERE(records_at_other_times_are_not_taken),
        HERE(a_result_that_cannot_be_begun_leaves_nothing),
    };
    return cmocka_run_group_tests_name("restarts", tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
