/* The report of `shoal verify`: what it must show, whatever is missing or broken around it. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/report.h"

static void every_failing_line_stands_in_front(void **state)
{
    static const char *const failing[] = {"the first failure", "the second failure",
                                          "the third failure"};
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *contents = strstr(text, "<h2 id=\"contents\"");
    assert_non_null(contents);
    for (size_t k = 0; k < sizeof failing / sizeof *failing; k++) {
        const char *line = strstr(text, failing[k]);
        assert_non_null(line);
        assert_true(line < contents);
        expect(contents, failing[k]);
    }
    assert_null(strstr(text, "a < b"));
    assert_true(strstr(text, "a &lt; b") > contents);
    expect(text, "3 of 5 checks fail.");
    free(text);
}

static void text_is_escaped_and_numbers_have_three_digits(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    expect(text, "a &lt; b &amp; &quot;c&quot;");
    expect(text, "a &lt;fast&gt; one");
    expect(text, "lake &amp; shore");
    expect(text, ">0.00123</td>");
    assert_null(strstr(text, "0.001234567"));
    expect(text, ">1e-7<");
    free(text);
}

static void published_values_stand_with_how_many_times_they_are_ours(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *section = strstr(text, "<h2 id=\"published\"");
    assert_non_null(section);
    expect(section,
           "0.00123<br/><small>&times;&nbsp;0.31</small></td><td></td><td class=\"num\">0.004</td>"
           "<td class=\"why\">Sea Code 9</td>");
    free(text);
}

/* The cell after the one with this text, up to its end. */
static void expect_after(const char *text, const char *before, const char *after)
{
    const char *s = strstr(text, before);
    if (!s || strncmp(s + strlen(before), after, strlen(after)) != 0)
        fail_msg("after %s there is no %s but %.80s", before, after, s ? s + strlen(before) : "-");
}

/* One line for a question, a column for each scheme; limits that differ stand with the values. */
static void schemes_stand_side_by_side(void **state)
{
    static const char more[] = "stoker\teuler\tminmod\tcentral_upwind\tkp\tf64\tcpu\t3\t6\tL1 "
                               "h\t0.0025\t0.003\terror\tok\t0.1\ta < b\n"
                               "stoker\teuler\tminmod\tcentral_upwind\tkp\tf64\tcpu\t6\t6\tL1 "
                               "h\t0.7\t0.002\terror\tFAIL\t0.1\tx\n";
    (void)state;
    without_gnuplot();
    scratch_write("results.tsv", "a", more);
    char *text = written();
    const char *all = strstr(text, "All 6 lines");
    assert_non_null(all);
    expect(text, "<th class=\"num\">rk2</th><th class=\"num\">euler</th>");
    expect_after(all,
                 "<td class=\"word\">minmod f64</td><td class=\"num\">0.00123<br/>"
                 "<small>&le;&nbsp;0.002</small></td>",
                 "<td class=\"num\">0.0025<br/><small>&le;&nbsp;0.003</small></td>"
                 "<td class=\"num\"></td>");
    expect_after(all,
                 "<td class=\"num FAIL\"><b class=\"bad\">0.5</b></td>"
                 "<td class=\"num FAIL\"><b class=\"bad\">0.7</b></td>",
                 "<td class=\"num\">&le;&nbsp;0.002</td>");
    free(text);
}

/* The finest grid, and its order with it. */
static void a_case_is_summed_up_by_its_finest_error_and_order(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *contents = strstr(text, "<h2 id=\"contents\"");
    assert_non_null(contents);
    expect_after(
        contents, "<a href=\"#case-stoker\">stoker</a></td>",
        "<td class=\"word\">L1 h</td><td class=\"num\">6</td><td class=\"num FAIL\">"
        "<b class=\"bad\">0.5</b><br/><small>order <b class=\"bad\">0.25</b></small></td>");
    free(text);
}

static void when_nothing_fails_the_page_says_so(void **state)
{
    (void)state;
    without_gnuplot();
    char fine[sizeof results];
    memcpy(fine, results, sizeof results);
    for (char *s; (s = strstr(fine, "FAIL"));)
        memcpy(s, "note", 4);
    scratch_write("results.tsv", "w", fine);
    char *text = written();
    expect(text, "All 2 checks hold.");
    assert_null(strstr(text, "id=\"failed\""));
    free(text);
}

/* Results with no rows but the first `rows`. */
static void cut_results_after(int rows)
{
    char part[sizeof results];
    memcpy(part, results, sizeof results);
    char *end = part;
    for (int k = 0; k <= rows; k++)
        end = strchr(end, '\n') + 1;
    *end = '\0';
    scratch_write("results.tsv", "w", part);
}

static void a_verification_that_was_stopped_is_no_success(void **state)
{
    (void)state;
    without_gnuplot();
    scratch_write("environment.tsv", "a", "complete\tno: 3 of 65 jobs\n");
    char *text = written();
    expect(text, "<p class=\"verdict bad\">Stopped: 3 of 65 jobs done, 3 of 5 checks fail.</p>");
    free(text);
    cut_results_after(1);
    text = written();
    expect(text, "<p class=\"verdict bad\">Stopped: 3 of 65 jobs done, 0 of 1 checks fail.</p>");
    assert_null(strstr(text, "hold.</p>"));
    free(text);
}

static void what_is_not_there_has_no_sentence(void **state)
{
    (void)state;
    without_gnuplot();
    scratch_write("environment.tsv", "a", "complete\tno: 0 of 65 jobs\n");
    cut_results_after(0);
    char *text = written();
    expect(text, "Stopped: 0 of 65 jobs done, 0 of 0 checks fail.");
    assert_null(strstr(text, "with  in"));
    assert_null(strstr(text, "; ;"));
    assert_null(strstr(text, "0 cases"));
    assert_balanced(text);
    free(text);
    scratch_write("environment.tsv", "w", "key\tvalue\ncomplete\tyes\n");
    text = written();
    expect(text, "<p class=\"verdict bad\">Nothing was judged.</p>");
    assert_null(strstr(text, "<details><summary>yes"));
    assert_balanced(text);
    free(text);
}

static void the_environment_reads_without_its_keys(void **state)
{
    (void)state;
    without_gnuplot();
    scratch_write("environment.tsv", "a", "gpu\tnone\nmode\tstrict\ncomplete\tyes\n");
    char *text = written();
    expect(text, "a &lt;fast&gt; one &middot; no GPU &middot; strict</summary>");
    expect(text, "3 of 5 checks fail.");
    free(text);
}

static void runs_show_kappa_and_the_dry_depth(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    const char *table = strstr(text, "How it was run &ndash; 2 runs");
    assert_non_null(table);
    expect(table, "<th class=\"num\">ny</th><th class=\"num\">kappa (m)</th>"
                  "<th class=\"num\">dry below (m)</th><th class=\"num\">least dt (s)</th>");
    for (int n = 3; n <= 6; n += 3) {
        char cells[200];
        snprintf(cells, sizeof cells,
                 "<td class=\"num\">%d</td><td class=\"num\">1</td><td class=\"num\">1e-5</td>"
                 "<td class=\"num\">1e-12</td><td class=\"num\">0.01</td>",
                 n);
        expect(table, cells);
    }
    free(text);
}

/* A line that is beyond what is fine, but within what rounding can do. */
static void what_is_only_noted_is_marked_and_says_why(void **state)
{
    static const char mass[] =
        "stoker\t" VARIANT "3\t6\tmass error\t2e-13\t5e-12\tinvariant\tnote\t0.1\tbut rounding\n"
        "stoker\teuler\tminmod\tcentral_upwind\tkp\tf64\tcpu\t3\t6\tmass "
        "error\t2e-16\t1e-13\tinvariant\tok\t0.1\t"
        "none is lost\n";
    (void)state;
    without_gnuplot();
    scratch_write("results.tsv", "a", mass);
    char *text = written();
    expect(text, "<td class=\"num\">2e-13<br/><small>&le;&nbsp;5e-12</small>"
                 "<br/><small>noted</small></td>"
                 "<td class=\"num\">2e-16<br/><small>&le;&nbsp;1e-13</small></td>");
    expect(text, "rk2: but rounding<br/>euler: none is lost</td>");
    expect(text, "3 of 6 checks fail.");
    free(text);
}

/* Results come in the order in which workers finish. */
static void rows_of_a_case_are_shown_together(void **state)
{
    static const char apart[] = "stoker\t" VARIANT "12\t6\tL1 h\t0.0001\t1\terror\tok\t0.1\tlate\n";
    (void)state;
    without_gnuplot();
    scratch_write("results.tsv", "a", apart);
    char *text = written();
    const char *first = strstr(text, "<h2 id=\"case-stoker\"");
    assert_non_null(first);
    assert_null(strstr(first + 1, "<h2 id=\"case-stoker\""));
    const char *late = strstr(first, ">late<"), *next = strstr(first + 1, "<h2 ");
    assert_non_null(late);
    assert_true(late < next);
    free(text);
}

/* The name in either kind of quotes. */
static void read_id(const char *s, char id[100])
{
    *id = '\0';
    assert_int_equal(sscanf(s, " id=%*1['\"]%99[^'\"]", id), 1);
}

static void tags_are_balanced_and_ids_unique(void **state)
{
    (void)state;
    char *text = written();
    assert_balanced(text);
    for (const char *s = text; (s = strstr(s, " id=")); s++)
        for (const char *t = s + 1; (t = strstr(t, " id=")); t++) {
            char one[100], other[100];
            read_id(s, one);
            read_id(t, other);
            assert_string_not_equal(one, other);
        }
    free(text);
}

static void nothing_else_is_left_behind(void **state)
{
    static const char *const known[] = {"data",        "results.tsv", "runs.tsv", "environment.tsv",
                                        "report.html", "figures"};
    (void)state;
    free(written());
    free(written());
    DIR *d = opendir(scratch);
    assert_non_null(d);
    for (struct dirent *f; (f = readdir(d));) {
        int expected = f->d_name[0] == '.';
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            expected |= strcmp(f->d_name, known[k]) == 0;
        if (!expected)
            fail_msg("%s is left behind", f->d_name);
    }
    closedir(d);
}

static void without_results_there_is_no_report(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_path(path, "nowhere");
    assert_int_equal(report_write(path), ERR_INPUT);
    assert_non_null(strstr(err_message(), "nowhere/results.tsv"));
    scratch_write("results.tsv", "w", "case\tscheme\nstoker\trk2\n");
    assert_int_equal(report_write(scratch), ERR_INPUT);
    assert_non_null(strstr(err_message(), "no column 'limiter'"));
    scratch_write("results.tsv", "w", "");
    assert_int_equal(report_write(scratch), ERR_INPUT);
    assert_non_null(strstr(err_message(), "is empty"));
    scratch_path(path, "report.html");
    assert_int_not_equal(access(path, F_OK), 0);
}

/* In a process without root's rights, as permissions do not bind root. */
static void a_folder_that_cannot_be_written_is_refused(void **state)
{
    int status = 0;
    (void)state;
    char path[PATH_LENGTH];
    scratch_path(path, "data");
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(chmod(scratch, 0555), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(77);
        const enum err e = report_write(scratch);
        _exit(e == ERR_USAGE && strstr(err_message(), "report.html") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(scratch, 0700), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    scratch_path(path, "report.html");
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(every_failing_line_stands_in_front),
        FRESH(text_is_escaped_and_numbers_have_three_digits),
        FRESH(published_values_stand_with_how_many_times_they_are_ours),
        FRESH(schemes_stand_side_by_side),
        FRESH(a_case_is_summed_up_by_its_finest_error_and_order),
        FRESH(when_nothing_fails_the_page_says_so),
        FRESH(a_verification_that_was_stopped_is_no_success),
        FRESH(what_is_not_there_has_no_sentence),
        FRESH(the_environment_reads_without_its_keys),
        FRESH(runs_show_kappa_and_the_dry_depth),
        FRESH(what_is_only_noted_is_marked_and_says_why),
        FRESH(rows_of_a_case_are_shown_together),
        FRESH(tags_are_balanced_and_ids_unique),
        FRESH(nothing_else_is_left_behind),
        FRESH(without_results_there_is_no_report),
        FRESH(a_folder_that_cannot_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
