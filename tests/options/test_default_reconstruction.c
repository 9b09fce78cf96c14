/* What --reconstruction auto chooses: by the bed, with the reason in the log and the name in all output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/err.h"
#include "core/base/paths.h"
#include "tests/support/program.h"
#include "tests/support/settings.h"

#include "core/problem/problem.h"

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

#define RUN "run", "--backend=cpu", "--mode=strict", "--tuned=off", "--t-end=20"

static const char hill_says[] = "reconstruction audusse (auto), because the bed comes from a file";

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0);
    scratch_write("hill.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 5\n"
                  "3 2 1 0\n3 2 1 0\n3 2 1 0\n");
    scratch_write("plain.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 5\n"
                  "7 7 7 7\n7 7 7 7\n7 7 7 7\n");
    return program_find();
}

/* The summary line without the wall-clock time, which differs from run to run. */
static void summary(char text[MOST_TEXT])
{
    strcpy(text, result.out);
    char *wall = strstr(text, " wall="), *rest = strstr(text, " mass_error=");
    assert_true(wall && rest);
    memmove(wall, rest, strlen(rest) + 1);
}

static void a_run_over_terrain_takes_audusse_unless_kp_is_named(void **state)
{
    static char by_default[MOST_TEXT], named[MOST_TEXT], kp[MOST_TEXT];
    (void)state;
    SHOAL(RUN, "hill.asc", "--depth=.5", "--bc-east=open");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, hill_says);
    summary(by_default);
    SHOAL(RUN, "hill.asc", "--depth=.5", "--bc-east=open", "--reconstruction=audusse");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "(auto)"));
    summary(named);
    SHOAL(RUN, "hill.asc", "--depth=.5", "--bc-east=open", "--reconstruction=kp");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "(auto)"));
    summary(kp);
    assert_string_equal(by_default, named);
    assert_string_not_equal(by_default, kp);
}

static void flat_terrain_and_cases_keep_kp(void **state)
{
    (void)state;
    SHOAL(RUN, "plain.asc", "--level=8");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "reconstruction kp (auto), because the bed of the file is flat");
    SHOAL(RUN, "lake", "--steps=1", "--nx=16");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "reconstruction kp (auto), because this is a case");
}

/* What the problem knows, for every case. */
static void behind_the_problem_no_name_is_auto(void **state)
{
    struct config c, of_cases;
    static struct problem p;
    (void)state;
    config_case_defaults(&of_cases);
    assert_string_equal(of_cases.reconstruction, "kp");
    for (int k = 0; cases[k]; k++) {
        ASSERT_READ(READ(&c, cases[k]->name, "--nx=8"));
        ASSERT_READ(problem_open(&p, &c));
        assert_string_equal(p.setup.config->reconstruction, "kp");
        problem_close(&p);
    }
    assert_string_equal(c.reconstruction, "auto");
    ASSERT_READ(READ(&c, a_case(), "--reconstruction=audusse"));
    ASSERT_READ(problem_open(&p, &c));
    assert_string_equal(p.setup.config->reconstruction, "audusse");
    problem_close(&p);
}

static void printed_settings_keep_the_choice_open(void **state)
{
    (void)state;
    SHOAL("run", "hill.asc", "--t-end=20", "--level=1.5", "--print-config");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "\nreconstruction = auto\n");
    scratch_write("hill.ini", "w", result.out);
    SHOAL(RUN, "hill.ini");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, hill_says);
}

#ifdef HAVE_NETCDF
static void expect_attribute(const char *file, const char *wanted)
{
    char path[PATH_LENGTH], text[NAME_LENGTH] = "";
    int nc;
    scratch_path(path, file);
    assert_int_equal(nc_open(path, NC_NOWRITE, &nc), NC_NOERR);
    assert_int_equal(nc_get_att_text(nc, NC_GLOBAL, "reconstruction", text), NC_NOERR);
    nc_close(nc);
    assert_string_equal(text, wanted);
}

static void a_state_from_a_file_takes_what_its_bed_asks_for(void **state)
{
    (void)state;
    SHOAL(RUN, "lake", "--steps=1", "--nx=16", "--output=lake.nc");
    ASSERT_STATUS(0);
    expect_attribute("lake.nc", "kp");
    SHOAL(RUN, "lake.nc", "--steps=1", "--output=later.nc");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, hill_says);
    expect_attribute("later.nc", "audusse");
    SHOAL(RUN, "circular-dam", "--steps=1", "--nx=16", "--output=dam.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "dam.nc", "--steps=1", "--output=later-dam.nc");
    ASSERT_STATUS(0);
    expect_attribute("later-dam.nc", "kp");
}

static void a_checkpoint_names_the_one_taken_and_restarts_with_auto(void **state)
{
    (void)state;
    SHOAL(RUN, "hill.asc", "--level=1.5", "--output=o.nc", "--checkpoint=5");
    ASSERT_STATUS(0);
    SHOAL(RUN, "hill.asc", "--level=1.5", "--output=o.nc", "--restart=o.nc.checkpoint.nc",
          "--reconstruction=kp");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--reconstruction was 'audusse' in the checkpoint's run and is 'kp'");
    SHOAL(RUN, "hill.asc", "--level=1.5", "--output=o.nc", "--restart=o.nc.checkpoint.nc");
    ASSERT_STATUS(0);
    SHOAL(RUN, "hill.asc", "--level=1.5", "--output=o.nc", "--restart=o.nc.checkpoint.nc",
          "--reconstruction=audusse");
    ASSERT_STATUS(0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_over_terrain_takes_audusse_unless_kp_is_named),
        cmocka_unit_test(flat_terrain_and_cases_keep_kp),
        cmocka_unit_test(behind_the_problem_no_name_is_auto),
        cmocka_unit_test(printed_settings_keep_the_choice_open),
#ifdef HAVE_NETCDF
        cmocka_unit_test(a_state_from_a_file_takes_what_its_bed_asks_for),
        cmocka_unit_test(a_checkpoint_names_the_one_taken_and_restarts_with_auto),
#endif
    };
    return cmocka_run_group_tests_name("default_reconstruction", tests, set_up, scratch_remove);
}
