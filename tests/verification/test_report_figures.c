/* The figures in the report of `shoal verify`, with gnuplot and without. */
#include "tests/support/test.h"

#include <unistd.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/report.h"
#include "core/picture/gnuplot.h"

/* The page, and what was printed meanwhile although only warnings should be. */
static char *written_while_listening(char said[4096])
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/data/said", scratch);
    const int terminal = dup(STDERR_FILENO);
    assert_true(terminal >= 0);
    assert_non_null(freopen(path, "w+", stderr));
    log_quiet(1);
    const enum err e = write_to(scratch);
    log_quiet(0);
    rewind(stderr);
    said[fread(said, 1, 4095, stderr)] = '\0';
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    if (e)
        fail_msg("%s", err_message());
    return scratch_read("report.md", NULL);
}

static void assert_one_line(const char *said, const char *part)
{
    expect(said, part);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void figures_are_drawn_beside_the_report_and_into_the_page(void **state)
{
    (void)state;
    if (!gnuplot_present()) {
        print_message("skipped: there is no gnuplot\n");
        skip();
    }
    char *text = written();
    expect(text, "\n![stoker-profile](figures/stoker-profile.svg)\n\nDepth and discharge");
    assert_true(scratch_has("figures/stoker-profile.gp"));
    assert_true(scratch_has("figures/stoker-profile.svg"));
    assert_null(strstr(text, "gnuplot's message about"));
    free(text);
    text = scratch_read("report.html", NULL);
    expect(text, "<img src=\"data:image/svg+xml;base64,PD94bWwg");
    free(text);
}

/* As in basin-heat, whose floor is known and whose share of sand is not. */
static void a_reference_may_know_the_first_unknown_alone(void **state)
{
    static const char profile[] = "t\tx\tbed\tw\th\thu\thv\trh\trhu\trhv\n"
                                  "6\t1\t0\t5\t5\t0\t0\t5\tnan\tnan\n"
                                  "6\t2\t0\t3\t3\t1\t0\t2.5\tnan\tnan\n"
                                  "6\t3\t0\t1\t1\t0\t0\t1\tnan\tnan\n";
    (void)state;
    if (!gnuplot_present()) {
        print_message("skipped: there is no gnuplot\n");
        skip();
    }
    scratch_write("data/stoker.rk2.minmod.f64.cpu.3.profile.tsv", "w", profile);
    scratch_write("data/stoker.rk2.minmod.f64.cpu.6.profile.tsv", "w", profile);
    char *text = written();
    assert_true(scratch_has("figures/stoker-profile.svg"));
    assert_null(strstr(text, "gnuplot's message about stoker-profile"));
    free(text);
}

static void without_gnuplot_the_report_names_its_package(void **state)
{
    (void)state;
    without_gnuplot();
    char said[4096];
    char *text = written_while_listening(said);
    assert_one_line(said, "no figures in the report: gnuplot was not found");
    expect(said, "install gnuplot-nox");
    expect(text, "**There is no gnuplot on this machine**");
    expect(text, "Left out: figure *profile*; it needs gnuplot (package gnuplot-nox)");
    assert_null(strstr(text, "!["));
    free(text);
}

/* A program of that name that can only print its version. */
static void with_broken_gnuplot(void)
{
    char path[PATH_LENGTH];
    scratch_folder("bin");
    scratch_write("bin/gnuplot", "w",
                  "#!/bin/sh\ncase $* in *--version*) exit 0;; esac\n"
                  "echo 'no <luck> today' >&2\nexit 1\n");
    scratch_path(path, "bin/gnuplot");
    assert_int_equal(chmod(path, 0700), 0);
    scratch_path(path, "bin");
    setenv("PATH", path, 1);
}

static void what_a_failing_gnuplot_says_is_shown(void **state)
{
    (void)state;
    with_broken_gnuplot();
    char said[4096];
    char *text = written_while_listening(said);
    assert_one_line(said, " figures are missing in the report");
    expect(said, "/figures/stoker-");
    expect(text, "gnuplot's message about stoker-profile.gp:\n\n```\nno <luck> today\n```\n");
    assert_null(strstr(text, "!["));
    free(text);
    text = scratch_read("report.html", NULL);
    expect(text, "no &lt;luck&gt; today");
    assert_balanced(text);
    free(text);
}

/* Stands above the table of figures, as the report of a narrowed run omits some. */
static void what_a_narrowed_run_leaves_out_is_named_and_exists(void **state)
{
    const char *home;
    int found = 0;
    (void)state;
    without_gnuplot();
    char *text = written();
    assert_int_equal(paths_home(&home), ERR_OK);
    const char *s = strstr(text, "## Figures left out");
    assert_non_null(s);
    for (; (s = strstr(s, "figure *")); s++, found++) {
        char script[64] = "", name[64] = "", path[PATH_LENGTH];
        assert_int_equal(sscanf(s, "figure *%63[^*]", script), 1);
        const char *code = strchr(s, '`');
        assert_non_null(code);
        assert_int_equal(sscanf(code, "`%63[^`]", name), 1);
        snprintf(path, sizeof path, "%s/plots/verify/%s.gp", home, script);
        if (access(path, R_OK) != 0)
            fail_msg("figure %s has no script %s", script, path);
        if (!find_case(name))
            fail_msg("figure %s is of case %s, which is not there", script, name);
        assert_string_not_equal(name, "stoker");
    }
    assert_in_range(found, 20, 1000);
    free(text);
}

/* Figures of an earlier verification, of other cases, are deleted; other people's files stay. */
static void scripts_of_an_earlier_report_are_deleted(void **state)
{
    static const char *const stale[] = {"figures/circular-dam-scatter.gp",
                                        "figures/stoker-published.svg"};
    static const char *const others[] = {"figures/mine.gp", "figures/lake-mine.gp",
                                         "figures/stoker-profile.pdf"};
    char path[PATH_LENGTH];
    (void)state;
    without_gnuplot();
    scratch_folder("figures");
    for (size_t k = 0; k < sizeof stale / sizeof *stale; k++)
        scratch_write(stale[k], "w", "plot x\n");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        scratch_write(others[k], "w", "plot x\n");
    free(written());
    for (size_t k = 0; k < sizeof stale / sizeof *stale; k++) {
        scratch_path(path, stale[k]);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        scratch_path(path, others[k]);
        assert_int_equal(access(path, F_OK), 0);
    }
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(figures_are_drawn_beside_the_report_and_into_the_page),
        FRESH(a_reference_may_know_the_first_unknown_alone),
        FRESH(without_gnuplot_the_report_names_its_package),
        FRESH(what_a_failing_gnuplot_says_is_shown),
        FRESH(what_a_narrowed_run_leaves_out_is_named_and_exists),
        FRESH(scripts_of_an_earlier_report_are_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
