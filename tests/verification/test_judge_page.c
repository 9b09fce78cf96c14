/* `shoal judge` as people use it: what it refuses, its page, its numbers, and what it says about a faulty entry. */
#include "tests/support/test.h"

#include <math.h>

#include <dirent.h>
#include <signal.h>

#include "core/picture/gnuplot.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/html.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/program.h"

#define QUICK "--quick", "--backend", "cpu", "--output", "out"

static char *cache_before;

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    unsetenv("SHOAL_DEBUG");
    if (program_find() || kernel_home_find())
        return -1;
    cache_before = getenv("SHOAL_CACHE");
    return 0;
}

static int tear_down(void **state)
{
    unsetenv("SHOAL_HOME");
    if (!cache_before)
        unsetenv("SHOAL_CACHE");
    return scratch_remove(state);
}

static void wrong_usage_is_refused_before_anything_is_done(void **state)
{
    static const struct {
        const char *words[6], *part;
    } wrong[] = {
        {{"judge"}, "judge needs one of --limiter, --flux"},
        {{"judge", "--limiter", "minmod", "--flux", "hll"}, "not both --limiter and --flux"},
        {{"judge", "--scheme", "rk2", "--case", "vortex"}, "not both --scheme and --case"},
        {{"judge", "--limiter", "minmud"}, "did you mean 'minmod'?"},
        {{"judge", "--flux", "hlll"}, "did you mean 'hll'?"},
        {{"judge", "--reconstruction", "xyzzy"}, "unknown reconstruction 'xyzzy'"},
        {{"judge", "--scheme", "rk22"}, "did you mean 'rk2'?"},
        {{"judge", "--case", "vortx"}, "did you mean 'vortex'?"},
        {{"judge", "minmod"}, "did you mean --limiter minmod?"},
        {{"judge", "--limiter", "minmod", "--threads", "0"}, "--threads"},
        {{"judge", "--limiter", "minmod", "--output", "no/such"}, "no/such"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run(wrong[k].words);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, wrong[k].part);
        assert_string_equal(result.out, "");
    }
}

/* The table of a flow: so many rows, sorted by error, and in one of them what is judged, if it is not the flow. */
static void expect_sorted_table(const char *flow, const char *judged, int entries)
{
    char head[80], wanted[80];
    snprintf(head, sizeof head, "\n### %s: ", flow);
    snprintf(wanted, sizeof wanted, "*%s*", judged ? judged : "");
    const char *s = strstr(result.out, head);
    assert_non_null(s);
    s = strstr(s, ":|\n") + 3; /* after the headings of columns and the rule below them */
    double last = 0;
    int marked = 0, rows = 0;
    for (; *s == '|'; s = strchr(s, '\n') + 1, rows++) {
        char name[80];
        double coarse, fine;
        assert_int_equal(sscanf(s, "| %79s | %lf | %lf |", name, &coarse, &fine), 3);
        assert_true(fine > 0);
        if (fine < last)
            fail_msg("%s: %s stands too low", flow, name);
        last = fine;
        if (*name == '*') {
            assert_string_equal(name, wanted);
            marked++;
        }
    }
    assert_int_equal(rows, entries);
    assert_int_equal(marked, judged != NULL);
}

/* Orders are those of the errors beside them. */
static void expect_orders(void)
{
    char *text = scratch_read("out/errors.tsv", NULL), *rest = strchr(text, '\n') + 1;
    double before = 0, n_before = 0;
    int orders = 0, rows = 0;
    for (char *line; (line = strsep(&rest, "\n")) && *line; rows++) {
        char *column[9];
        for (int k = 0; k < 9; k++) {
            column[k] = strsep(&line, "\t");
            assert_non_null(column[k]);
        }
        const double n = strtod(column[2], NULL), error = strtod(column[4], NULL);
        const double order = strtod(column[5], NULL);
        assert_true(error > 0 && strtod(column[6], NULL) > 0);
        if (!isnan(order)) {
            assert_true(fabs(order - log(before / error) / log(n / n_before)) < 1e-3);
            orders++;
        }
        before = error;
        n_before = n;
    }
    assert_true(orders > 0 && 2 * orders == rows); /* two grids each */
    free(text);
}

/* Nothing of it is elsewhere, and it shows the figures of the text. */
static void expect_page(int figures)
{
    char *page = scratch_read("out/report.html", NULL), *text = scratch_read("out/report.md", NULL);
    assert_balanced(page);
    assert_int_equal(times_in(page, "<script"), 0);
    assert_int_equal(times_in(page, "http://localhost"), 0);
    if (gnuplot_present()) {
        assert_int_equal(times_in(page, "gnuplot's message about"), 0);
        assert_true(times_in(text, "\n![") >= figures);
        assert_int_equal(times_in(text, "\n!["), times_in(text, "](figures/"));
        assert_int_equal(times_in(text, "\n!["), times_in(page, "<img src=\"data:image/svg+xml;"));
    }
    free(page);
    free(text);
}

/* Among all others, and in a figure's script. */
static void expect_flux_on_page(void)
{
    char *page = scratch_read("out/report.html", NULL);
    for (int k = 0; fluxes[k]; k++)
        assert_true(times_in(page, fluxes[k]->name) > 3);
    assert_true(times_in(page, "<td><em>hll</em></td>") >= 3);
    free(page);
    if (!gnuplot_present())
        return;
    char *script =
        scratch_read("out/figures/stoker-profile.gp", NULL); /* it shows what is judged */
    assert_true(times_in(script, "lead[1] = ") == 1);
    assert_true(times_in(strstr(script, "lead[1] = "), "/stoker.rk2.minmod+hll.f64.cpu.") > 0);
    assert_null(strstr(script, "/stoker.rk2.minmod.f64"));
    free(script);
}

/* The number behind NAME= in a line. */
static int number_in(const char *line, const char *name)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, " %s=", name);
    const char *at = strstr(line, wanted);
    assert_non_null(at);
    return (int)strtol(at + strlen(wanted), NULL, 10);
}

/* The numbers of the last line are those of the table of checks. */
static void expect_counts(const char *of)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "\njudge: %s held=", of);
    const char *last = strstr(result.out, wanted);
    assert_non_null(last);
    assert_int_equal(number_in(last, "failed"), 0);
    char *checks = scratch_read("out/checks.tsv", NULL);
    assert_int_equal(times_in(checks, "\tok\t"), number_in(last, "held"));
    assert_int_equal(times_in(checks, "\tnote\t"), number_in(last, "noted"));
    free(checks);
}

/* This takes twice as long as all other tests here. */
static void an_entry_stands_beside_every_other_of_its_kind(void **state)
{
    static const char *const flows[] = {"vortex", "stoker", "parabola"};
    int all = 0;
    (void)state;
    if (!everything()) {
        print_message("skipped: SHOAL_TEST_FULL=1 judges a flux\n");
        skip();
    }
    while (fluxes[all])
        all++;
    SHOAL("judge", "--flux", "hll", QUICK);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "flux hll: ");
    ASSERT_HAS(result.out, "Properties of every flux");
    for (size_t k = 0; k < sizeof flows / sizeof *flows; k++)
        expect_sorted_table(flows[k], "hll", all);
    ASSERT_HAS(result.out, "Time of a step on the CPU");
    ASSERT_HAS(result.out, "No GPU was judged");
    expect_counts("flux=hll");
    expect_orders();
    expect_page(4);
    expect_flux_on_page();
}

/* An installation whose kernels are a copy with a mistake. */
static void plant(const char *file, const char *right, const char *wrong)
{
    char command[3 * PATH_LENGTH], copy[PATH_LENGTH];
    const char *cache; /* the usual one: unchanged kernels are not compiled again */
    assert_int_equal(paths_cache(&cache), ERR_OK);
    assert_int_equal(setenv("SHOAL_CACHE", cache, 1), 0);
    scratch_folder("home");
    scratch_path(copy, "home");
    snprintf(command, sizeof command,
             "cd '%s' && cp -RL --parents plots tuning_db verification/contracts '%s'",
             kernel_home(), copy);
    assert_int_equal(system(command), 0);
    kernel_copy(copy);
    kernel_plant(file, right, wrong);
}

static int failures(const char *of)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "\njudge: %s held=", of);
    const char *last = strstr(result.out, wanted);
    assert_non_null(last);
    return number_in(last, "failed");
}

/* In the flux of the test before, so that all others are compiled already. */
static void a_wrong_sign_fails_in_the_flows_that_it_ruins(void **state)
{
    (void)state;
    if (!everything()) {
        print_message("skipped: SHOAL_TEST_FULL=1 judges a wrong sign\n");
        skip();
    }
    plant("fluxes/hll.h", "l, r, s.am, s.ap, g", "l, r, s.am, -s.ap, g");
    SHOAL("judge", "--flux", "hll", QUICK);
    ASSERT_STATUS(1);
    assert_true(failures("flux=hll") > 0);
    ASSERT_HAS(result.out, "\n| smooth ");
    ASSERT_HAS(result.out, "\n| vortex ");
    ASSERT_HAS(result.out, " FAIL** |");
    ASSERT_HAS(result.err, "checks failed");
    char *page = scratch_read("out/report.html", NULL);
    assert_balanced(page);
    assert_true(times_in(page, " checks fail.</strong>") == 1);
    assert_true(times_in(page, "<blockquote>") == 1);
    assert_true(times_in(page, " FAIL</strong>") > 1);
    free(page);
}

static void what_does_not_compile_is_told_at_once(void **state)
{
    (void)state;
    plant("limiters/van_leer.h", "near) * share", "near) * shar");
    SHOAL("judge", "--limiter", "van_leer", QUICK);
    ASSERT_STATUS(1);
    assert_int_equal(failures("limiter=van_leer"), 1); /* one mistake, one message */
    ASSERT_HAS(result.out, "compiles");
    ASSERT_HAS(result.out, "shar");
    assert_null(strstr(result.out, "## Errors"));
    char *page = scratch_read("out/report.html", NULL);
    assert_balanced(page);
    ASSERT_HAS(page, "It does not compile");
    free(page);
}

static void a_case_without_a_reference_is_run_by_every_scheme(void **state)
{
    (void)state;
    SHOAL("judge", "--case", "gauss", QUICK);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "no reference, so there are no errors");
    FOR_SCHEMES_OF_WATER (k) {
        char row[80];
        snprintf(row, sizeof row, "\n| %s ", schemes[k]->name);
        ASSERT_HAS(result.out, row);
    }
    char *page = scratch_read("out/report.html", NULL);
    assert_balanced(page);
    ASSERT_HAS(page, "A case says where it comes from");
    free(page);
}

static void a_case_of_sediment_is_run_by_its_own_schemes(void **state)
{
    (void)state;
    SHOAL("judge", "--case", "basin-heat", QUICK);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "\n| basin_cons ");
    ASSERT_HAS(result.out, "\n| basin ");
    ASSERT_HAS(result.out, "mean h: ");
    assert_null(strstr(result.out, "rk2"));
    ASSERT_HAS(result.out, "Time of a step on the CPU");
    ASSERT_HAS(result.out, "No GPU was judged");
    expect_sorted_table("basin-heat", NULL, 2);
    expect_counts("case=basin-heat");
    expect_orders();
    expect_page(1);
}

static int temporaries(const char *folder)
{
    char path[PATH_LENGTH];
    int n = 0;
    scratch_path(path, folder);
    DIR *d = opendir(path);
    for (struct dirent *f; d && (f = readdir(d));)
        n += strstr(f->d_name, ".tmp") != NULL;
    if (d)
        closedir(d);
    return n;
}

/* The run is disturbed once its numbers exist, while it draws and writes the page, of the case that is computed
 * soonest. */
static void a_page_is_complete_or_not_there_when_it_is_killed(void **state)
{
    static const int signals[] = {SIGKILL, SIGTERM};
    (void)state;
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        const char *const words[] = {"judge", "--case", "basin-heat", QUICK, NULL};
        const pid_t pid = program_start(-1, words);
        int status, ended = 0;
        while (!ended && !scratch_has("out/errors.tsv")) {
            usleep(1000);
            ended = waitpid(pid, &status, WNOHANG) == pid;
        }
        if (!ended) {
            kill(pid, signals[k]);
            assert_int_equal(waitpid(pid, &status, 0), pid);
        }
        if (scratch_has("out/report.html")) {
            char *page = scratch_read("out/report.html", NULL);
            assert_balanced(page);
            assert_non_null(strstr(page, "</html>"));
            free(page);
        }
        if (signals[k] == SIGTERM)
            assert_int_equal(temporaries("out"), 0);
        assert_int_equal(scratch_remove(NULL), 0);
        scratch_create();
    }
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(wrong_usage_is_refused_before_anything_is_done),
        FRESH(an_entry_stands_beside_every_other_of_its_kind),
        FRESH(a_wrong_sign_fails_in_the_flows_that_it_ruins),
        FRESH(what_does_not_compile_is_told_at_once),
        FRESH(a_case_without_a_reference_is_run_by_every_scheme),
        FRESH(a_case_of_sediment_is_run_by_its_own_schemes),
        FRESH(a_page_is_complete_or_not_there_when_it_is_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
