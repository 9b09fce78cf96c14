/* `shoal plot --all`: the page, what it is made from, and what prevents it from being complete. */
#include "tests/support/test.h"

#include "core/db/add_record.h"
#include "tests/support/gallery.h"

static void the_page_shows_figures_claims_and_their_verdicts(void **state)
{
    static const char *const parts[] = {
        "- [![](speed-made-up-9.svg) Speed of a scheme](#speed-of-a-scheme) thesis 3.2\n",
        "\n### Speed of a scheme\n\nfollows thesis 3.2 · `experiments/speed.ini`\n",
        "\n![Speed of a scheme](speed-made-up-9.svg)\n\nAt most 2.5 & no \\<more>. [SVG]",
        "|   128 |",
        " | 2 \\<or> 3 ",
        ("- It is fast. (section 3) Published: 2 \\<or> 3\n  - Made Up 9: holds: 2.5. Cells do not "
         "matter.\n  - Compared: speed with a number\n  - Rule of 2014-05-14T08:00Z: it holds "
         "where "
         "`:best > 1`.\n"),
        "  - Made Up 9: **does not hold**: 2.5 (the rule is younger than the data).\n",
        "\n```\nshoal measure speed\nshoal plot speed\n```\n",
        "Measuring takes a moment",
        "2014-05-15T12:00:00Z, commit abc |",
    };
    (void)state;
    need_gnuplot();
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "figures: drawn=1 tables=1 missing=0 claims=2 holds=1 partly=0 fails=1 "
                           "unknown=0 stale=0 undecided=0 younger=1 notes=0 own=0\n");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        ASSERT_HAS(text_of_page(), parts[k]);
    ASSERT_HAS(text_of_page(), strrchr(home, '/') + 1);
    ASSERT_HAS(page(), "<img src=\"speed-made-up-9.svg\" alt=\"Speed of a scheme\"");
    ASSERT_HAS(page(), "At most 2.5 &amp; no &lt;more&gt;.");
}

/* Ends the text of a link; returns what follows it. */
static char *cut_link(char *link)
{
    const size_t n = strcspn(link, "\"");
    assert_int_equal(link[n], '"');
    link[n] = '\0';
    return link + n + 1;
}

static void check_link(const char *text, const char *link)
{
    char path[PATH_LENGTH], name[PATH_LENGTH];
    if (*link == '#') {
        snprintf(name, sizeof name, " id=\"%s\"", link + 1);
        ASSERT_HAS(text, name);
        return;
    }
    snprintf(name, sizeof name, "out/%s", link);
    scratch_path(path, name);
    if (access(path, R_OK) != 0)
        fail_msg("the page links to %s, which is not there", link);
}

static void every_link_leads_to_a_file_beside_the_page(void **state)
{
    static const char *const attributes[] = {"href=\"", "src=\""};
    static const char *const foreign[] = {"http:", "https:", "<script", "<link", "url(", "@import"};
    int found = 0;
    (void)state;
    need_gnuplot();
    plot_all();
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (strstr(page(), foreign[k]))
            fail_msg("the page has a '%s'", foreign[k]);
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++) {
        char *copy = strdup(page());
        assert_non_null(copy);
        for (char *s = copy; (s = strstr(s, attributes[k])); found++) {
            char *link = s + strlen(attributes[k]);
            s = cut_link(link);
            check_link(page(), link);
        }
        free(copy);
    }
    assert_true(found > 8);
}

static void a_second_run_writes_the_same_bytes(void **state)
{
    static const char *const files[] = {"out/index.html",          "out/index.md",
                                        "out/speed-made-up-9.svg", "out/speed-made-up-9.pdf",
                                        "out/paper/facts.tex",     "out/paper/claims.tex",
                                        "out/paper/artifacts.tex", "out/paper/table-made-up-9.tex"};
    enum { FILES = sizeof files / sizeof *files };
    char *first[FILES];
    (void)state;
    need_gnuplot();
    plot_all();
    ASSERT_STATUS(0);
    for (int k = 0; k < FILES; k++) {
        first[k] = malloc(MOST_TEXT);
        assert_non_null(first[k]);
        memcpy(first[k], generated(files[k]), MOST_TEXT);
    }
    plot_all();
    for (int k = 0; k < FILES; k++) {
        if (memcmp(first[k], generated(files[k]), MOST_TEXT) != 0)
            fail_msg("%s differs", files[k]);
        free(first[k]);
    }
}

static void what_gnuplot_cannot_draw_fails_and_the_rest_is_shown(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_folder("bin");
    scratch_write("bin/gnuplot", "w",
                  "#!/bin/sh\ncase $* in *--version*) exit 0;; esac\necho 'no luck' >&2\nexit 1\n");
    scratch_path(path, "bin/gnuplot");
    assert_int_equal(chmod(path, 0700), 0);
    scratch_path(path, "bin");
    setenv("PATH", path, 1);
    scratch_folder("out");
    scratch_write("out/speed-made-up-9.svg", "w", "<svg>of an earlier run</svg>\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "no luck");
    ASSERT_HAS(result.err, "speed-made-up-9");
    ASSERT_HAS(result.out, "drawn=0 tables=1 missing=1");
    ASSERT_HAS(page(), "This page is not complete");
    ASSERT_HAS(page(), "<td align=\"right\">128</td>");
}

/* The same device with another compiler, where a measurement began and was retired. */
static void add_later_environment(void)
{
    char path[PATH_LENGTH], folder[PATH_LENGTH], name[2 * PATH_LENGTH], hash[DB_HASH + 1];
    struct db_manifest m;
    const struct db_entry changed[] = {
        {"environment/compiler", "another one"},
        {"sessions/0000000e/commit", "abc"},
        {"sessions/0000000e/dirty", "no"},
        {"sessions/0000000e/started", "2044-05-14T12:00:00Z"},
    };
    static const char *const began[] = {"0000000a", "0000000b", "0000000e"};
    scratch_write("manifest.json", "w", MANIFEST);
    scratch_path(path, "manifest.json");
    assert_fine(merge_manifest(path, changed, sizeof changed / sizeof *changed));
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
    snprintf(folder, sizeof folder, "db/made-up-9/%s", hash);
    scratch_folder(folder);
    snprintf(name, sizeof name, "%s/manifest.json", folder);
    scratch_path(folder, name);
    assert_int_equal(rename(path, folder), 0);
    scratch_path(path, "db");
    for (int k = 0; k < 3; k++)
        assert_fine(db_settle(path, began[k], DB_RECORD_RETIRED, "nothing was measured"));
}

static void a_later_environment_without_rows_hides_nothing(void **state)
{
    (void)state;
    without_the_figure();
    add_later_environment();
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "drawn=0 tables=2 missing=0");
}

/* Two kernels of one file whose rows belong to different texts, drawn in one table. */
static void several_texts_in_a_figure_are_an_error_unless_it_says_so(void **state)
{
    static const char start[] = "title = Blocks\nchapter = Kernels\n"
                                "[draw]\nshape = table\ncolumns = kernel: Kernel; best: Best\n"
                                "[data]\nsql = SELECT * FROM kernels ORDER BY place\n";
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    struct db_row others[] = {row_of(32, 8, 100), row_of(16, 16, 120)};
    char path[PATH_LENGTH];
    const struct db_entry entries[] = {
        {"flags/fast", "mode=fast limiter=minmod flux=central_upwind reconstruction=kp"},
        {"sources/fedcba987654", "made up"}};
    (void)state;
    without_the_figure();
    for (int k = 0; k < 2; k++) {
        strcpy(rows[k].session, k ? "0000000b" : "0000000a");
        strcpy(others[k].source, "fedcba987654");
    }
    scratch_path(path, inside("manifest.json"));
    assert_fine(merge_manifest(path, entries, 2));
    write_rows(TABLE, rows, 2);
    scratch_folder(inside("flux_fgh1"));
    write_rows("flux_fgh1/circular-dam-64x64-f32.tsv", others, 2);
    write_experiment("blocks", start, "");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err,
               "blocks.ini: rows of made-up-9 are from several sources of a kernel (flux.cu ");
    ASSERT_HAS(result.out, "stale=1");
    ASSERT_HAS(page(), "Stale: kernels have changed");
    write_experiment("blocks", start, "texts = several\n");
    plot_all();
    ASSERT_STATUS(0);
    /* Two blocks of each kernel were tried: each counts once, however many rows it has. */
    write_experiment("blocks", "title = Blocks\nchapter = Kernels\n",
                     "[draw]\nshape = table\ncolumns = kernel: Kernel\n"
                     "[data]\nsql = SELECT * FROM blocks ORDER BY place, width\ntexts = several\n");
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(page(), "Sampled: 4 of ");
    write_experiment("blocks", start, "texts = some\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "expected 'texts = several', which allows several sources");
}

static void a_missing_point_fails_and_is_named(void **state)
{
    (void)state;
    without_the_figure();
    write_points("speed", 1);
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "speed: made-up-9 lacks 1 of the points");
    ASSERT_HAS(result.err, "shoal measure speed");
    ASSERT_HAS(page(), "lacks 1 of the points");
}

static void a_missing_point_that_is_explained_is_fine(void **state)
{
    char text[2 * sizeof figure];
    (void)state;
    without_the_figure();
    write_points("speed", 1);
    program_read("home/experiments/speed.ini", result.out);
    snprintf(text, sizeof text, "%s", result.out);
    write_experiment("speed", "missing.made-up-9 = It is too small.\n", text);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(page(), "Incomplete: It is too small.");
}

static void what_is_historical_says_so_and_lacks_nothing(void **state)
{
    static const char why[] = "historical = The kernels have lost it.\n";
    char text[2 * sizeof figure];
    (void)state;
    without_the_figure();
    write_points("speed", 1);
    program_read("home/experiments/speed.ini", result.out);
    snprintf(text, sizeof text, "%s", result.out);
    write_experiment("speed", why, text);
    write_experiment("nobody", why, nobody);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(page(), "Historical: The kernels have lost it.");
    ASSERT_HAS(page(), "Missing: The kernels have lost it.");
    assert_null(strstr(page(), "shoal measure nobody"));
}

static void an_experiment_that_nobody_measured_fails_unless_it_says_why(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("nobody", "", nobody);
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "nobody: no device has its rows: ");
    ASSERT_HAS(result.err, "`shoal measure nobody` measures them, or give a reason with 'missing");
    write_experiment("nobody", "missing = No device is <large>.\n", nobody);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "missing=1");
    ASSERT_HAS(page(), "Missing: No device is &lt;large&gt;.");
    assert_null(strstr(page(), "This page is not complete"));
}

static void what_a_device_is_not_meant_for_is_missing_nowhere(void **state)
{
    static const char *const needs[][2] = {{"backend = cpu", "It needs a slow device."},
                                           {"devices = 2", "It needs two devices."}};
    char text[2 * sizeof nobody], missing[80];
    (void)state;
    without_the_figure();
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++) {
        snprintf(text, sizeof text, "%.*s%s\n%s", (int)(strstr(nobody, "case") - nobody), nobody,
                 needs[k][0], strstr(nobody, "case"));
        snprintf(missing, sizeof missing, "missing = %s\n", needs[k][1]);
        write_experiment("nobody", missing, text);
        plot_all();
        ASSERT_STATUS(0);
        ASSERT_HAS(result.out, "missing=0");
        snprintf(missing, sizeof missing, "Missing: %s", needs[k][1]);
        ASSERT_HAS(page(), missing);
    }
}

static void what_was_not_measured_is_no_verdict(void **state)
{
    static const char facts[] =
        "[facts]\nbest = SELECT max(mcells_per_s) FROM data WHERE nx = 1\n"
        "[claim]\nid = speed-much\nkind = note\nwhere = section 3\nclaim = It is fast.\n"
        "published = 2 or {best}\nours = {best:.1f}\n"
        "[claim]\nid = speed-own\nkind = own\nwhere = ours\nclaim = It is faster.\n"
        "published = 200\nours = {best:.1f}\nholds = :best > 100\n"
        "compares = speed with a number\nsince = 2014-05-16T08:00Z 2a21a9a5\n"
        "[claim]\nid = speed-more\nwhere = section 3\nclaim = It is faster.\n"
        "published = 200\nours = {best:.1f}\nholds = :best > 100\nremark = {best} is it.\n"
        "compares = speed with a number\nsince = 2014-05-16T08:00Z 2a21a9a5\n";
    (void)state;
    need_gnuplot();
    write_speed_with(facts);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "claims=0 holds=0 partly=0 fails=0 unknown=1 stale=0 undecided=0 "
                           "younger=0 notes=0 own=0\n");
    ASSERT_HAS(text_of_page(), "0 verdicts on published claims;");
    ASSERT_HAS(text_of_page(), "Published: -");
    assert_null(strstr(text_of_page(), "not measured is it"));
}

static void a_planted_fault_in_a_table_fails_and_is_named(void **state)
{
    (void)state;
    without_the_figure();
    scratch_write(inside(TABLE), "a", "junk\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "64x64-f32.tsv:5: ");
    ASSERT_HAS(page(), "64x64-f32.tsv:5: ");
    ASSERT_HAS(result.out, "tables=2");
}

static void a_file_that_cannot_be_understood_does_not_hide_the_others(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("broken", "", "title = A\nchapter = B\n[draw]\nshape = table\nx\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "broken.ini:5: ");
    ASSERT_HAS(result.out, "tables=2");
    write_experiment("broken", "", table);
    scratch_write("home/experiments/broken.ini", "a", "format = nx: nonsense\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "nonsense");
    ASSERT_HAS(result.out, "tables=2 missing=1");
}

static void a_rule_without_a_date_fails_and_what_to_write_is_said(void **state)
{
    char text[sizeof figure];
    (void)state;
    need_gnuplot();
    snprintf(text, sizeof text, "%s", figure);
    char *since = strstr(text, "since = ");
    memmove(since, strchr(since, '\n') + 1, strlen(strchr(since, '\n') + 1) + 1);
    write_experiment("speed", "", text);
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err,
               "experiments/speed.ini:26: claim 'speed-much': expected the time when the rule was "
               "written; write 'since = 20");
    ASSERT_HAS(result.err, "8bb5893f'");
    ASSERT_HAS(text_of_page(), "Rule of no date: it holds where `:best > 1`");
}

static void two_claims_of_one_name_fail(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("other", "", table);
    scratch_write("home/experiments/other.ini", "a",
                  "[claim]\nid = speed-much\nwhere = here\nclaim = So it is.\npublished = 1\n"
                  "ours = 1\nholds = 1\nremark = It is.\n");
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "there is a claim 'speed-much' in ");
}

static void a_device_limits_the_page_and_one_that_is_not_there_is_refused(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("nobody", "", nobody);
    SHOAL("plot", "--all", "--output", "out", "--device", "made-up-9");
    ASSERT_STATUS(0);
    ASSERT_HAS(page(), "Narrowed down to <code>made-up-9</code>");
    SHOAL("plot", "--all", "--output", "out", "--device", "made-up-8");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "made-up-9");
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(the_page_shows_figures_claims_and_their_verdicts),
        FRESH(every_link_leads_to_a_file_beside_the_page),
        FRESH(a_second_run_writes_the_same_bytes),
        FRESH(what_gnuplot_cannot_draw_fails_and_the_rest_is_shown),
        FRESH(a_later_environment_without_rows_hides_nothing),
        FRESH(several_texts_in_a_figure_are_an_error_unless_it_says_so),
        FRESH(a_missing_point_fails_and_is_named),
        FRESH(a_missing_point_that_is_explained_is_fine),
        FRESH(what_is_historical_says_so_and_lacks_nothing),
        FRESH(an_experiment_that_nobody_measured_fails_unless_it_says_why),
        FRESH(what_a_device_is_not_meant_for_is_missing_nowhere),
        FRESH(what_was_not_measured_is_no_verdict),
        FRESH(a_planted_fault_in_a_table_fails_and_is_named),
        FRESH(a_file_that_cannot_be_understood_does_not_hide_the_others),
        FRESH(a_rule_without_a_date_fails_and_what_to_write_is_said),
        FRESH(two_claims_of_one_name_fail),
        FRESH(a_device_limits_the_page_and_one_that_is_not_there_is_refused),
    };
    const char *found;
    if (program_find() || paths_home(&found)) {
        fputs("there is no build/shoal: run make, or set SHOAL_BIN\n", stderr);
        return 1;
    }
    snprintf(installation, sizeof installation, "%s", found);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
