/* The concentration that a file gives a tracer: what is impossible names the file, the cell and the value. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "core/base/log.h"
#include "tests/support/checkpoints.h"
#include "tests/support/program.h"

#define RUN "run", "--quiet", "--backend=cpu", "--threads=1", "--t-end=0.1"

enum { SIDE = 8 }; /* cells along a side of the run */

/* An ESRI grid over the domain of circular-dam, 0.5 but in cell (2, 5), counted from the south-west. */
static void write_dye(const char *name, int nx, const char *odd)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "ncols %d\nnrows %d\nxllcorner -20\nyllcorner -20\ncellsize %g\n"
                                   "NODATA_value -9999\n",
                                   nx, SIDE, 40.0 / SIDE);
    for (int j = SIDE - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     i == 2 && j == 5 ? odd : "0.5", i < nx - 1 ? " " : "\n");
    scratch_write(name, "w", text);
}

static struct config with_dye(const char *case_name, const char *name)
{
    struct config c;
    configure(&c, "rk2", F32);
    snprintf(c.input, sizeof c.input, "%s", case_name);
    c.nx = c.ny = SIDE;
    scratch_path(c.tracer.file, name);
    c.t_end = 1;
    return c;
}

/* Opening the problem, or making its initial state, fails like this. */
static void expect_bad(struct config c, const char *words)
{
    struct problem p = {0};
    struct sim *s = NULL;
    enum err e = problem_open(&p, &c);
    e = e ? e : sim_create(&s, &p.setup);
    expect_refusal(ERR_INPUT, e, words);
    assert_non_null(strstr(err_message(), ".asc"));
    sim_destroy(s);
    problem_close(&p);
}

static void an_impossible_concentration_names_file_cell_and_value(void **state)
{
    (void)state;
    write_dye("negative.asc", SIDE, "-0.25");
    expect_bad(with_dye("circular-dam", "negative.asc"),
               "in cell (2, 5) is -0.25: expected a number from 0");
    write_dye("hole.asc", SIDE, "-9999");
    expect_bad(with_dye("circular-dam", "hole.asc"),
               "in cell (2, 5) is missing, but the cell has water");
    write_dye("huge.asc", SIDE, "1e39");
    expect_bad(with_dye("circular-dam", "huge.asc"),
               "in cell (2, 5) is 1e+39, and single precision cannot");
    write_dye("small.asc", SIDE - 1, "0.5");
    expect_bad(with_dye("circular-dam", "small.asc"), "of its cells have no value");
}

static void where_there_is_no_water_it_may_be_missing_and_f64_holds_more(void **state)
{
    (void)state;
    struct config c = with_dye("circular-dam-dry", "hole.asc");
    struct run r;
    write_dye("hole.asc", SIDE, "-9999");
    start(&r, &c);
    end(&r);
    write_dye("huge.asc", SIDE, "1e39");
    c = with_dye("circular-dam", "huge.asc");
    c.precision = F64;
    start(&r, &c);
    end(&r);
}

/* A scheme without one must not drop it, and `auto` takes a scheme with one. */
static void a_file_with_a_tracer_is_for_schemes_that_carry_it(void **state)
{
    int has = 0;
    char path[PATH_LENGTH];
    (void)state;
    SHOAL(RUN, "circular-dam", "--nx=8", "--tracer=0.5", "--output=dyed.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "dyed.nc", "--scheme=ds1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "dyed.nc has a tracer, c, which the run carries: scheme ds1 solves the "
                           "system shallow_water, but this run's is tracer: choose --scheme euler");
    SHOAL(RUN, "dyed.nc", "--scheme=auto", "--output=again.nc");
    ASSERT_STATUS(0);
    scratch_path(path, "again.nc");
    fine(nc_has(path, "c", &has));
    assert_int_equal(has, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(an_impossible_concentration_names_file_cell_and_value),
        IN_SCRATCH(where_there_is_no_water_it_may_be_missing_and_f64_holds_more),
        IN_SCRATCH(a_file_with_a_tracer_is_for_schemes_that_carry_it),
    };
    if (!ncfile_available()) {
        print_message("skipped: results with a tracer: %s\n", err_message());
        return 0;
    }
    if (program_find())
        return 1;
    log_quiet(2);
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("tracer_input", tests, NULL, NULL);
}
