/* Restarts of restarts and of runs that ended: the file has all records, or it stays as it is and the error says how
 * to continue. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/base/job_queue.h"
#include "core/run/result.h"
#include "tests/support/restarts.h"

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

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, restarts_ready, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_complete_result_stays_complete_however_often_it_is_restarted),
        HERE(a_restart_by_auto_takes_the_scheme_of_the_checkpoint_whatever_is_measured_now),
        HERE(the_end_may_be_extended_from_any_checkpoint_of_the_chain),
        HERE(a_result_is_not_replaced_by_one_with_less),
        HERE(a_result_keeps_the_records_of_its_intervals),
        HERE(intervals_of_records_that_were_taken_are_kept),
        HERE(a_result_keeps_the_rows_of_its_sections),
        HERE(a_result_with_maxima_is_not_replaced_by_one_without),
        HERE(a_result_that_cannot_be_begun_leaves_nothing),
    };
    return cmocka_run_group_tests_name("restarts", tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
