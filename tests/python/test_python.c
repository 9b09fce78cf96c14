/* The Python module keeps what it promises, checked by tests/python/checks.py; the notebooks; `pip install .`. */
#include "tests/support/test.h"

#include "tests/support/tree.h"

static char log_of_checks[MOST_TEXT]; /* empty: what the module needs is missing here */

/* A folder "tree" to work in, with temporary files in tree/tmp, and a python3 that finds the module of this tree. */
static int begin(void **state)
{
    char path[PATH_LENGTH + 16];
    (void)state;
    if (tree_begin())
        return -1;
    snprintf(path, sizeof path, "%s/python", home);
    setenv("PYTHONPATH", path, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("SHOAL_PROGRAM", program, 1);
    expect_shell("mkdir tmp");
    scratch_path(path, "tree/tmp");
    setenv("TMPDIR", path, 1);
    shell("python3 -c 'import xarray, pandas, netCDF4'");
    if (result.status != 0)
        return 0;
    shell("python3 \"$HERE\"/tests/python/checks.py");
    strcpy(log_of_checks, result.status == 0 ? result.out : result.err);
    return 0;
}

static void skip_without_packages(void)
{
    if (*log_of_checks)
        return;
    print_message(
        "skipped: python3 has not all of xarray, pandas and netCDF4: ./bootstrap --python\n");
    skip();
}

/* The script has a check with the test's name: did it hold? */
static void expect_to_hold(const char *name)
{
    char line[128];
    skip_without_packages();
    snprintf(line, sizeof line, "ok: %s\n", name);
    if (!strstr(log_of_checks, line))
        fail_msg("%s is not among what held:\n%s", name, log_of_checks);
}

#define CHECKS(CHECK)                                                            \
    CHECK(a_result_has_what_the_program_writes_and_nothing_stays_on_disk)        \
    CHECK(output_keeps_the_file_and_the_next_run_replaces_it)                    \
    CHECK(options_are_those_of_the_command_line)                                 \
    CHECK(messages_are_exceptions_with_the_exit_status)                          \
    CHECK(ctrl_c_ends_a_run_after_its_checkpoint_which_goes_on_to_the_same_bits) \
    CHECK(ctrl_c_without_output_leaves_nothing)                                  \
    CHECK(progress_goes_to_terminals_and_the_log_alone_to_files)                 \
    CHECK(a_run_ends_where_python_dies)                                          \
    CHECK(lists_are_titles_by_name)                                              \
    CHECK(answers_of_the_database_are_data_frames)                               \
    CHECK(the_page_of_the_manual_says_what_runs)                                 \
    CHECK(the_program_is_that_of_the_variable_of_the_source_or_an_installed_one)

#define TEST_OF(name)              \
    static void name(void **state) \
    {                              \
        (void)state;               \
        expect_to_hold(#name);     \
    }
CHECKS(TEST_OF)

#define COUNTED(name) +1
static void every_check_of_the_script_is_a_test(void **state)
{
    int held = 0;
    (void)state;
    skip_without_packages();
    for (const char *at = log_of_checks; (at = strstr(at, "ok: ")) != NULL; at++)
        held++;
    assert_int_equal(held, 0 CHECKS(COUNTED));
}

/* Their cells with the tag "slow" run with SHOAL_TEST_FULL. */
static void the_notebooks_run_and_show_what_the_program_prints(void **state)
{
    (void)state;
    skip_without_packages();
    expect_shell(
        "mkdir first && cd first && SHOAL_DB=\"$HERE/tuning_db\" python3 "
        "\"$HERE\"/tests/python/run_notebook.py "
        "\"$HERE\"/python/first_flow.ipynb >shown && cat shown &&\n"
        "grep \"'steps': 211,\" shown && grep '^200 *211 ' shown && grep '<PNG, ' shown &&\n"
        "grep \"^status 2: --limiter: .*did you mean 'van_leer'?\" shown && [ -e dam.nc ]");
    expect_shell(
        "mkdir judged && cd judged && python3 \"$HERE\"/tests/python/run_notebook.py "
        "\"$HERE\"/python/limiter_judged.ipynb ${SHOAL_TEST_FULL:+--slow} >shown && cat shown &&\n"
        "grep '^verify: .* failed=0 ' shown && grep '^stoker  *[01]\\.[0-9]' shown &&\n"
        "{ [ -z \"$SHOAL_TEST_FULL\" ] || grep '^judge: limiter=van_leer ' shown; }");
}

static void pip_installs_the_module_which_finds_the_program_of_the_source(void **state)
{
    (void)state;
    skip_without_packages();
    shell("python3 -m pip --version && python3 -c 'import setuptools, wheel'");
    if (result.status != 0) {
        print_message("skipped: python3 has not all of pip, setuptools and wheel\n");
        skip();
    }
    expect_shell(
        "mkdir source && cp -a \"$HERE\"/pyproject.toml \"$HERE\"/python source &&\n"
        "mkdir source/build && ln -s \"$SHOAL_PROGRAM\" source/build/shoal && cd source &&\n"
        "python3 -m pip install --quiet --disable-pip-version-check --no-index --no-deps "
        "--no-build-isolation --target ../site . &&\n"
        "cd .. && env -u SHOAL_PROGRAM PYTHONPATH=\"$PWD/site\" python3 -c '\n"
        "import shoal, os\n"
        "assert shoal.__file__ == os.path.abspath(\"site/shoal.py\"), shoal.__file__\n"
        "assert shoal.program() == os.path.abspath(\"source/build/shoal\"), shoal.program()\n"
        "assert \"minmod\" in shoal.limiters()'");
}

static void the_modules_version_is_the_programs(void **state)
{
    (void)state;
    expect_shell("[ \"$(sed -n 's/^version = \"\\(.*\\)\"/\\1/p' \"$HERE/pyproject.toml\")\" = "
                 "\"$(\"$SHOAL_PROGRAM\" --version | sed -n '1s/^shoal \\([^ ]*\\) .*/\\1/p')\" ]");
}

int main(void)
{
#define ENTRY(name) cmocka_unit_test(name),
    const struct CMUnitTest tests[] = {
        CHECKS(ENTRY) cmocka_unit_test(every_check_of_the_script_is_a_test),
        cmocka_unit_test(the_notebooks_run_and_show_what_the_program_prints),
        cmocka_unit_test(pip_installs_the_module_which_finds_the_program_of_the_source),
        cmocka_unit_test(the_modules_version_is_the_programs),
    };
    return cmocka_run_group_tests_name("python", tests, begin, scratch_remove);
}
