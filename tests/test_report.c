/* The report of `shoal verify`: what it must show, whatever is missing or broken around it. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/registry.h"
#include "tests/support/scratch.h"
#include "verification/report.h"
#include "verification/report_parts.h"

#define VARIANT "rk2\tminmod\tf64\tcpu\t"

static const char results[] =
    "case\tscheme\tlimiter\tprecision\tbackend\tn\ttime\tnorm\tvalue\tlimit\tkind\tverdict\t"
    "seconds\twhy\n"
    "stoker\t" VARIANT "3\t6\tL1 h\t0.001234567\t0.002\terror\tok\t0.1\ta < b & \"c\"\n"
    "stoker\t" VARIANT "3\t6\tL1 h\t0.001234567\t0.004\tpublished\tnote\t0.1\tSea Code 9\n"
    "stoker\t" VARIANT "6\t6\tL1 h\t0.5\t0.002\terror\tFAIL\t0.1\tthe first failure\n"
    "stoker\t" VARIANT "6\t6\torder of L1 h from 3\t0.25\t0.8\torder\tFAIL\t0.1\tthe second "
    "failure\n"
    "unheard-of\t" VARIANT "3\t-\tmass error\tnan\tnan\tinvariant\tFAIL\t0.1\tthe third failure\n"
    "-\teuler\tminmod\tf32\tcpu\t0\t-\tlake & shore\t1e-07\t1e-06\tinvariant\tok\t0.1\trounding\n";

#define RUN(n) \
    "stoker\t" VARIANT #n "\t1\t1e-5\t1e-12\t0.01\t0.02\t100\t0\t1e-16\t0\t0\tnan\t0.1\tabc\n"

static const char runs[] =
    "case\tscheme\tlimiter\tprecision\tbackend\tnx\tny\tkappa\tdry\tdt_min\tdt_max\tsteps\tredone\t"
    "mass_error\tclipped\tleast_depth\tsteady_at\tseconds\tdigest\n" RUN(6) RUN(3);

static const char profile[] = "t\tx\tbed\tw\th\thu\thv\trh\trhu\trhv\n"
                              "6\t1\t0\t5\t5\t0\t0\t5\t0\t0\n"
                              "6\t2\t0\t3\t3\t1\t0\t2.5\t1.1\t0\n"
                              "6\t3\t0\t1\t1\t0\t0\t1\t0\t0\n";

static char path_of_the_tools[4096];

static int set_up(void **state)
{
    const char *path = getenv("PATH");
    (void)state;
    snprintf(path_of_the_tools, sizeof path_of_the_tools, "%s", path ? path : "/usr/bin:/bin");
    scratch_create();
    scratch_folder("data");
    scratch_write("results.tsv", "w", results);
    scratch_write("runs.tsv", "w", runs);
    scratch_write("environment.tsv", "w", "key\tvalue\ncpu\ta <fast> one\n");
    for (int n = 3; n <= 6; n += 3) {
        char name[100];
        snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.profile.tsv", n);
        scratch_write(name, "w", profile);
        snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.series.tsv", n);
        scratch_write(name, "w", n == 3 ? "t\tL1 h\n6\t0.001234567\n" : "t\tL1 h\n6\t0.5\n");
    }
    return 0;
}

static int tear_down(void **state)
{
    setenv("PATH", path_of_the_tools, 1);
    return scratch_remove(state);
}

/* The page; to be freed. */
static char *page(void)
{
    char path[PATH_LENGTH];
    scratch_path(path, "report.html");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 22);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 22) - 1, f), 1000, (1 << 22) - 2);
    fclose(f);
    return text;
}

static char *written(void)
{
    if (report_write(scratch))
        fail_msg("%s", err_message());
    return page();
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("the report does not contain: %s", part);
}

static void without_gnuplot(void)
{
    char path[PATH_LENGTH];
    scratch_path(path, "data");
    setenv("PATH", path, 1);
}

/* A program of that name that knows its version and nothing else. */
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
    static const char more[] =
        "stoker\teuler\tminmod\tf64\tcpu\t3\t6\tL1 h\t0.0025\t0.003\terror\tok\t0.1\ta < b\n"
        "stoker\teuler\tminmod\tf64\tcpu\t6\t6\tL1 h\t0.7\t0.002\terror\tFAIL\t0.1\tx\n";
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

/* Follows the tags; those of `single` have no end, nor have those that close themselves. */
static void assert_balanced(const char *text)
{
    static const char *const single[] = {"meta", "!DOCTYPE", "br"};
    char open[64][32];
    int depth = 0;
    for (const char *s = text; (s = strchr(s, '<')); s++) {
        const char *end = s + strcspn(s, ">");
        char name[32] = "";
        const int closes = s[1] == '/';
        int alone;
        if (!*end)
            fail_msg("a tag does not end: %.40s", s);
        sscanf(s + 1 + closes, "%31[A-Za-z0-9!]", name);
        if (!*name)
            fail_msg("a stray < before: %.40s", s);
        alone = end[-1] == '/';
        for (size_t k = 0; k < sizeof single / sizeof *single; k++)
            alone |= strcmp(name, single[k]) == 0;
        if (closes && (depth == 0 || strcmp(open[depth - 1], name) != 0))
            fail_msg("</%s> closes <%s>", name, depth ? open[depth - 1] : "nothing");
        depth -= closes;
        if (!closes && !alone) {
            assert_true(depth < 64);
            memcpy(open[depth++], name, sizeof name);
        }
        s = end;
    }
    assert_int_equal(depth, 0);
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

static void figures_are_drawn_into_the_page(void **state)
{
    (void)state;
    if (!gnuplot_present()) {
        print_message("skipped: there is no gnuplot\n");
        skip();
    }
    char *text = written();
    expect(text, "<svg");
    char path[PATH_LENGTH];
    scratch_path(path, "figures/stoker-profile.gp");
    assert_int_equal(access(path, R_OK), 0);
    assert_null(strstr(text, "What gnuplot says"));
    assert_null(strstr(text, "<?xml"));
    assert_null(strstr(text, "<title>f"));
    free(text);
}

static void without_gnuplot_the_report_names_its_package(void **state)
{
    (void)state;
    without_gnuplot();
    char *text = written();
    expect(text, "There is no gnuplot");
    expect(text, "Left out: figure <i>profile</i>; it needs gnuplot (package gnuplot-nox)");
    assert_null(strstr(text, "<svg"));
    free(text);
}

static void what_a_failing_gnuplot_says_is_shown(void **state)
{
    (void)state;
    with_broken_gnuplot();
    char *text = written();
    expect(text, "no &lt;luck&gt; today");
    expect(text, "profile.gp");
    assert_null(strstr(text, "<svg"));
    assert_balanced(text);
    free(text);
}

/* Over the table of figures, by what the report of a narrowed run leaves out. */
static void what_a_narrowed_run_leaves_out_is_named_and_exists(void **state)
{
    const char *home;
    int found = 0;
    (void)state;
    without_gnuplot();
    char *text = written();
    assert_int_equal(place_home(&home), ERR_OK);
    const char *s = strstr(text, "<h2 id=\"left-out\"");
    assert_non_null(s);
    for (; (s = strstr(s, "figure <i>")); s++, found++) {
        char script[64] = "", name[64] = "", path[PATH_LENGTH];
        assert_int_equal(sscanf(s, "figure <i>%63[^<]", script), 1);
        const char *code = strstr(s, "<code>");
        assert_non_null(code);
        assert_int_equal(sscanf(code, "<code>%63[^<]", name), 1);
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
        FRESH(rows_of_a_case_are_shown_together),
        FRESH(tags_are_balanced_and_ids_unique),
        FRESH(figures_are_drawn_into_the_page),
        FRESH(without_gnuplot_the_report_names_its_package),
        FRESH(what_a_failing_gnuplot_says_is_shown),
        FRESH(what_a_narrowed_run_leaves_out_is_named_and_exists),
        FRESH(nothing_else_is_left_behind),
        FRESH(without_results_there_is_no_report),
        FRESH(a_folder_that_cannot_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
