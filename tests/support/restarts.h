/* Runs of one bend and what they leave, for tests of restarts; include after cmocka.h. */
#ifndef SHOAL_TEST_RESTARTS_H
#define SHOAL_TEST_RESTARTS_H

#include "core/run/result.h"
#include "tests/support/checkpoints.h"
#include "tests/support/program.h"
#include "tests/support/variables.h"

#define RUN                                                                                  \
    "run", "bend", "--nx=24", "--mode=strict", "--backend=cpu", "--threads=1", "--every=.5", \
        "--gauge=a,1,1", "--gauge-every=.3", "--maxima", "--hazard", "--checkpoint=2", "--quiet"
#define CHECKPOINT ("--restart=o.nc" CHECKPOINT_ENDING)

static inline void copy(const char *from, const char *to)
{
    char command[3 * PATH_LENGTH];
    snprintf(command, sizeof command, "cp '%s/%s' '%s/%s'", scratch, from, scratch, to);
    assert_int_equal(system(command), 0);
}

static inline void expect_equal_files(const char *name, const char *wanted)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    scratch_path(one, wanted);
    scratch_path(two, name);
    if (!same_variables(one, two, which))
        fail_msg("%s: '%s' is not what it is in %s", name, which, wanted);
}

/* After a command that must fail: o.nc is as it was. */
static inline void expect_refused(int status, const char *part)
{
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, part);
    expect_equal_files("o.nc", "before.nc");
}

static inline void runs_alone(void)
{
    SHOAL(RUN, "--t-end=5", "--output=five.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--t-end=7", "--output=seven.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "--t-end=5", "--output=o.nc");
    ASSERT_STATUS(0);
    assert_false(scratch_has("o.nc" RECORDS_ENDING)); /* o.nc has them all */
}

/* The setup of a test. */
static inline int restarts_ready(void **state)
{
    if (set_up(state) || program_find())
        return 1;
    return 0;
}

#endif
