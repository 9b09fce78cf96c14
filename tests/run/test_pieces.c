/* Files of runs in parts and tiles: results and checkpoints hold the bytes of a run in one piece, also where one takes
 * over from another. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/run/checkpoint.h"
#include "tests/support/program.h"
#include "tests/support/variables.h"

#define RUN                                                                                 \
    "run", "circular-dam-dry", "--nx=40", "--ny=31", "--mode=strict", "--backend=cpu",      \
        "--threads=1", "--scheme=rk2_fused", "--bc-west=discharge:1,c=1", "--bc-east=open", \
        "--tracer=0.5", "--early-exit=off", "--every=0.25", "--maxima", "--gauge=a,1,2",    \
        "--gauge-every=.1", "--checkpoint=0.4", "--quiet"
#define STEPS_WITH_RATES                                                                        \
    "run", "circular-dam-dry", "--nx=40", "--ny=31", "--mode=strict", "--backend=cpu",          \
        "--threads=1", "--scheme=hancock", "--bc-west=discharge:1", "--every=0.25", "--maxima", \
        "--gauge=a,1,2", "--gauge-every=.1", "--checkpoint=0.4", "--quiet"
#define END "--t-end=0.6"

static const char *const pieces[][2] = {{"--parts=3", "--exchange=host"},
                                        {"--parts=2x2", "--tile=12"},
                                        {"--tile=9x11", "--parts=1"},
                                        {"--parts=2", "--ghost-steps=2"}};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* What may differ: how it was computed, and when. */
static int may_differ(const char *name)
{
    static const char *const excepted[] = {"history", "command_line", "kernels",
                                           "blocks",  "parts",        "checkpoint_wall"};
    for (size_t k = 0; k < sizeof excepted / sizeof *excepted; k++)
        if (strcmp(name, excepted[k]) == 0)
            return 1;
    return 0;
}

/* An attribute's bytes; to be freed. Null: there is none. */
static void *attribute_of(int id, int var, const char *name, size_t *bytes)
{
    nc_type type;
    size_t size, n;
    if (nc_inq_att(id, var, name, &type, &n) || nc_inq_type(id, type, NULL, &size))
        return NULL;
    *bytes = n * size;
    void *data = calloc(1, *bytes + 1);
    assert_non_null(data);
    assert_int_equal(nc_get_att(id, var, name, data), NC_NOERR);
    return data;
}

static void expect_same_attributes(int a, int b, int var, const char *file)
{
    int count, others;
    char name[NC_MAX_NAME + 1];
    assert_int_equal(nc_inq_varnatts(a, var, &count), NC_NOERR);
    assert_int_equal(nc_inq_varnatts(b, var, &others), NC_NOERR);
    if (count != others)
        fail_msg("%s: %d attributes, not %d", file, others, count);
    for (int k = 0; k < count; k++) {
        size_t n = 0, m = 0;
        assert_int_equal(nc_inq_attname(a, var, k, name), NC_NOERR);
        void *x = attribute_of(a, var, name, &n), *y = attribute_of(b, var, name, &m);
        if (!may_differ(name) && (!x || !y || n != m || memcmp(x, y, n) != 0))
            fail_msg("%s: attribute %s differs: %s, not %s", file, name, y ? (char *)y : "none",
                     x ? (char *)x : "none");
        free(x);
        free(y);
    }
}

static void expect_same_files(const char *wanted, const char *name)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    int a, b, variables;
    scratch_path(one, wanted);
    scratch_path(two, name);
    if (!same_variables(one, two, which))
        fail_msg("%s: '%s' is not what it is in %s", name, which, wanted);
    assert_int_equal(nc_open(one, NC_NOWRITE, &a), NC_NOERR);
    assert_int_equal(nc_open(two, NC_NOWRITE, &b), NC_NOERR);
    assert_int_equal(nc_inq_nvars(a, &variables), NC_NOERR);
    for (int var = NC_GLOBAL; var < variables; var++)
        expect_same_attributes(a, b, var, name);
    nc_close(a);
    nc_close(b);
}

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    SHOAL(RUN, END, "--output=plain.nc");
    return result.status;
}

static void a_run_in_pieces_writes_the_same_files(void **state)
{
    (void)state;
    for (int k = 0; k < PIECES; k++) {
        SHOAL(RUN, END, "--output=o.nc", pieces[k][0], pieces[k][1]);
        ASSERT_STATUS(0);
        expect_same_files("plain.nc", "o.nc");
        expect_same_files("plain.nc" CHECKPOINT_ENDING, "o.nc" CHECKPOINT_ENDING);
    }
}

/* By 1, 3, 4 and tiles; continued by 3, 2, 1 and tiles. */
static void pieces_take_over_from_others(void **state)
{
    static const char *const steps[][4] = {{"--parts=1", "--quiet", "--parts=3", "--quiet"},
                                           {"--parts=3", "--quiet", "--parts=2", "--tile=12"},
                                           {"--parts=2x2", "--tile=12", "--parts=1", "--quiet"},
                                           {"--parts=3", "--tile=9x11", "--parts=1", "--tile=12"}};
    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        SHOAL(RUN, "--t-end=0.5", "--output=o.nc", steps[k][0], steps[k][1]);
        ASSERT_STATUS(0);
        SHOAL(RUN, END, "--output=o.nc", "--restart=o.nc" CHECKPOINT_ENDING, steps[k][2],
              steps[k][3]);
        ASSERT_STATUS(0);
        expect_same_files("plain.nc", "o.nc");
    }
}

/* The rates of the last step, which bound the next one, go with the state. */
static void so_do_pieces_of_a_scheme_that_keeps_rates(void **state)
{
    (void)state;
    SHOAL(STEPS_WITH_RATES, END, "--output=rates.nc");
    ASSERT_STATUS(0);
    SHOAL(STEPS_WITH_RATES, "--t-end=0.5", "--output=o.nc", "--parts=3");
    ASSERT_STATUS(0);
    SHOAL(STEPS_WITH_RATES, END, "--output=o.nc", "--restart=o.nc" CHECKPOINT_ENDING,
          "--parts=2x2");
    ASSERT_STATUS(0);
    expect_same_files("rates.nc", "o.nc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_pieces_writes_the_same_files),
        cmocka_unit_test(pieces_take_over_from_others),
        cmocka_unit_test(so_do_pieces_of_a_scheme_that_keeps_rates),
    };
    if (program_find())
        return 1;
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("pieces", tests, set_up, scratch_remove);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
