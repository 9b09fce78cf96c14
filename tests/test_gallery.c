/* `shoal plot --all`: the page, what it is made from, and what keeps it from being complete. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/gnuplot.h"
#include "experiments/measure/measure_parts.h"
#include "tests/support/database.h"
#include "tests/support/manifest.h"

static char path_of_the_tools[PATH_LENGTH], installation[PATH_LENGTH];

static const char figure[] = "title = Speed of a scheme\n"
                             "chapter = Schemes\n"
                             "figure = thesis 3.2\n"
                             "caption = At most {best:.1f} & no <more>.\n"
                             "readme = yes\n"
                             "[measure]\nkind = runs\ntakes = a moment\n"
                             "case = sine\nscheme = rk2\nnx = 64 128\nrepeat = 1\n"
                             "[data]\nfrom = measured\n"
                             "[draw]\nshape = series\nx = nx\ny = mcells_per_s\n"
                             "x-label = cells\ny-label = speed\n"
                             "[facts]\nbest = max(mcells_per_s)\nsmall = best / 3000\n"
                             "none = max(mcells_per_s | nx=1)\nword = \"dry & wet\"\n"
                             "[claim]\nid = speed-much\nwhere = section 3\nclaim = It is fast.\n"
                             "published = 2 <or> 3\nours = {best:.1f}\nholds = best > 1\n"
                             "finding = The best is {best:.1f}.\n"
                             "[claim]\nid = speed-more\nwhere = section 3\nclaim = It is faster.\n"
                             "published = 200\nours = {best:.1f}\nholds = best > 100\n"
                             "finding = The best is no more than {best:.1f}.\n";
static const char table[] = "title = Speed as a table\n"
                            "chapter = Kernels\n"
                            "caption = Cells and speed.\n"
                            "[data]\nfrom = measured speed\n"
                            "[draw]\nshape = table\ncolumns = nx: Cells; mcells_per_s: Speed\n";
static const char nobody[] = "title = Never measured\nchapter = Search\n"
                             "[measure]\nkind = runs\ncase = sine\nscheme = rk2\nnx = 64\n"
                             "[data]\nfrom = measured\n"
                             "[draw]\nshape = table\ncolumns = nx: Cells\n";

static void write_experiment(const char *name, const char *before, const char *text)
{
    char file[256];
    snprintf(file, sizeof file, "home/experiments/%s.ini", name);
    scratch_write(file, "w", before);
    scratch_write(file, "a", text);
}

/* The rows of an experiment as if they had been measured: so many of its points. */
static void write_points(const char *name, int most)
{
    const struct measure_setup setup = {.backend = CUDA, .precision = -1};
    struct experiment x;
    struct point *point;
    char file[256], line[DB_LINE], cells[POINT_CELLS];
    int count;
    assert_fine(experiment_read(&x, name));
    assert_fine(measure_plan(&x, &setup, &point, &count));
    assert_true(count >= most);
    snprintf(file, sizeof file, "experiments/%s.tsv", name);
    measure_header(&kind_runs, line);
    scratch_write(inside(file), "w", line);
    scratch_write(inside(file), "a", "\n");
    for (int k = 0; k < most; k++) {
        measure_cells(&point[count - 1 - k], 64, cells);
        snprintf(line, sizeof line, "%s\t0000000a\tok\t-", cells);
        for (const char *c = kind_runs.columns; c; c = strchr(c + 1, '\t'))
            snprintf(line + strlen(line), sizeof line - strlen(line), "\t%d.5", k + 1);
        scratch_write(inside(file), "a", line);
        scratch_write(inside(file), "a", "\n");
    }
    free(point);
    experiment_free(&x);
}

static void link_part(const char *name)
{
    char from[PATH_LENGTH], to[PATH_LENGTH], local[64];
    snprintf(from, sizeof from, "%.4000s/%s", installation, name);
    snprintf(local, sizeof local, "home/%s", name);
    scratch_path(to, local);
    assert_int_equal(symlink(from, to), 0);
}

/* An installation whose experiments are ours, and a database that has rows of two of them. */
static int set_up(void **state)
{
    static const char *const parts[] = {"kernels", "plots", "schemes"};
    char path[PATH_LENGTH];
    const char *tools = getenv("PATH");
    snprintf(path_of_the_tools, sizeof path_of_the_tools, "%s", tools ? tools : "/usr/bin:/bin");
    assert_int_equal(build_database(state), 0);
    scratch_folder("home");
    scratch_folder("home/experiments");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        link_part(parts[k]);
    scratch_path(path, "home");
    setenv("SHOAL_HOME", path, 1);
    scratch_path(path, "db");
    setenv("SHOAL_DB", path, 1);
    write_experiment("speed", "", figure);
    write_experiment("table", "", table);
    scratch_folder(inside("experiments"));
    write_points("speed", 2);
    return 0;
}

static int tear_down(void **state)
{
    setenv("PATH", path_of_the_tools, 1);
    return scratch_remove(state);
}

static void need_gnuplot(void)
{
    if (gnuplot_present())
        return;
    print_message("skipped: there is no gnuplot\n");
    skip();
}

/* Figures need gnuplot; what holds of tables, too, is tried with one. */
static void without_the_figure(void)
{
    static const char marker[] = "[draw]\nshape = series\nx = nx\ny = mcells_per_s\n"
                                 "x-label = cells\ny-label = speed\n";
    char text[sizeof figure + 64];
    const size_t before = (size_t)(strstr(figure, marker) - figure);
    snprintf(text, sizeof text, "%.*s[draw]\nshape = table\ncolumns = nx: Cells\n%s", (int)before,
             figure, figure + before + strlen(marker));
    write_experiment("speed", "", text);
}

static const char *page(void)
{
    static char text[MOST_TEXT];
    program_read("out/index.html", text);
    return text;
}

/* Zeros follow what the file has. */
static const char *generated(const char *name)
{
    static char text[MOST_TEXT];
    memset(text, 0, sizeof text);
    program_read(name, text);
    return text;
}

static void plot_all(void)
{
    SHOAL("plot", "--all", "--output", "out");
}

static void the_page_shows_figures_claims_and_their_verdicts(void **state)
{
    static const char *const parts[] = {
        "<img src=\"speed-made-up-9.svg\"",
        "Speed of a scheme",
        "follows thesis 3.2",
        "At most 2.5 &amp; no &lt;more&gt;.",
        "<td class=\"number\">128</td>",
        "2 &lt;or&gt; 3",
        "<span class=\"verdict holds\">holds</span> The best is 2.5.",
        "<span class=\"verdict fails\">does not hold</span> The best is no more than 2.5.",
        "shoal measure speed\nshoal plot speed",
        "Measuring takes a moment",
        "2014-05-15T12:00:00Z, commit abc<",
        "Made Up 9",
    };
    (void)state;
    need_gnuplot();
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "figures: drawn=1 tables=1 missing=0 claims=2 holds=1 partly=0 fails=1 "
                           "unknown=0\n");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        ASSERT_HAS(page(), parts[k]);
    ASSERT_HAS(page(), home + strlen("db/"));
}

/* Ends a link's text; returns what follows it. */
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
    static const char *const files[] = {"out/index.html",          "out/speed-made-up-9.svg",
                                        "out/speed-made-up-9.pdf", "out/paper/facts.tex",
                                        "out/paper/claims.tex",    "out/paper/table-made-up-9.tex"};
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
    ASSERT_HAS(page(), "<td class=\"number\">128</td>");
}

/* The same device with another compiler, where nothing was measured but what begins a session. */
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
}

static void an_experiment_that_nobody_measured_fails_unless_it_says_why(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("nobody", "", nobody);
    plot_all();
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "nobody: no device has its rows: ");
    ASSERT_HAS(result.err, "`shoal measure nobody` measures them, or say why not with 'missing");
    write_experiment("nobody", "missing = No device is <large>.\n", nobody);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "missing=1");
    ASSERT_HAS(page(), "Missing: No device is &lt;large&gt;.");
    assert_null(strstr(page(), "This page is not complete"));
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

static void two_claims_of_one_name_fail(void **state)
{
    (void)state;
    without_the_figure();
    write_experiment("other", "", table);
    scratch_write("home/experiments/other.ini", "a",
                  "[claim]\nid = speed-much\nwhere = here\nclaim = So it is.\npublished = 1\n"
                  "ours = 1\nholds = 1\nfinding = It is.\n");
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

static void the_paper_gets_facts_in_all_forms_and_verdicts(void **state)
{
    static const char *const parts[] = {
        "\\shoalfact{speed/made-up-9/best}{2.5}{2.5}{2}{2.5}{2.50}{2.500}{2.5}{2.5}\n",
        ("\\shoalfact{speed/made-up-9/"
         "small}{0.000833}{0.00083}{0}{0.0}{0.00}{0.001}{0.000833333}{0.000833333333}\n"),
        "\\shoalunknown{speed/made-up-9/none}",
        "\\shoalword{speed/made-up-9/word}{dry \\& wet}\n",
        "\\shoalverdict{speed-much/made-up-9}{holds}\n",
        "\\shoalverdict{speed-more/made-up-9}{does not hold}\n",
        "\\shoaltable{speed/made-up-9}{speed-made-up-9}{At most 2.5 \\& no",
        "\\shoalword{environment/made-up-9/driver}{1.2}\n",
    };
    (void)state;
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        ASSERT_HAS(generated("out/paper/facts.tex"), parts[k]);
    ASSERT_HAS(generated("out/paper/claims.tex"),
               "\\shoalours{made-up-9}{Made Up 9}{2.5}{does not hold}");
    ASSERT_HAS(generated("out/paper/claims.tex"), "\\shoalchapter{Schemes}");
}

/* LaTeX's status for a paper with one sentence. */
static int typeset(const char *sentence, const char *sources)
{
    char text[1024], command[4 * PATH_LENGTH];
    snprintf(text, sizeof text,
             "\\documentclass{article}\\usepackage{shoal}\\begin{document}\n%s\n\\end{document}\n",
             sentence);
    scratch_write("a.tex", "w", text);
    snprintf(command, sizeof command,
             "cd '%s' && TEXINPUTS='%s:out/paper:out:' pdflatex -interaction=nonstopmode "
             "-halt-on-error a.tex >said 2>&1",
             scratch, sources);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_number_or_verdict_that_is_stale_ends_the_build_of_the_paper(void **state)
{
    static const char *const wrong[][2] = {
        {"\\fact{speed/made-up-9/gone}", "speed/made-up-9/gone"},
        {"\\fact{speed/made-up-9/none}", "it is"},
        {"\\assertverdict{speed-more/made-up-9}{holds}", "does not hold"},
        {"\\assertfact{speed/made-up-9/best}{>}{2.6}", "not > 2.6"},
        {"\\assertfact{speed/made-up-9/best}{<}{speed/made-up-9/small}", "0.000833"},
        {"\\assertfact{speed/made-up-9/word}{=}{wet}", "not = wet"},
        {"\\assertfact{speed/made-up-9/none}{>}{0}", "speed/made-up-9/none"},
        {"\\experimentfigure{speed}{made-up-8}{It.}", "speed/made-up-8"},
    };
    char sources[PATH_LENGTH];
    (void)state;
    if (system("command -v pdflatex kpsewhich >/dev/null && kpsewhich booktabs.sty microtype.sty "
               "utmr8a.pfb >/dev/null") != 0) {
        print_message("skipped: there is no LaTeX\n");
        skip();
    }
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    snprintf(sources, sizeof sources, "%.4000s/paper", installation);
    if (typeset("\\fact[1]{speed/made-up-9/best} \\fact{speed/made-up-9/word}"
                "\\assertverdict{speed-more/made-up-9}{does not hold}"
                "\\assertfact{speed/made-up-9/best}{>}{2.4}"
                "\\assertfact{speed/made-up-9/small}{<}{speed/made-up-9/best}"
                "\\experimenttable{speed}{made-up-9}{}\\claimtable{made-up-9}",
                sources) != 0)
        fail_msg("LaTeX failed: %s", generated("said"));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        if (typeset(wrong[k][0], sources) == 0)
            fail_msg("LaTeX accepts %s", wrong[k][0]);
        ASSERT_HAS(generated("said"), "Package shoal Error");
        ASSERT_HAS(generated("said"), wrong[k][1]);
    }
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
        FRESH(a_missing_point_fails_and_is_named),
        FRESH(a_missing_point_that_is_explained_is_fine),
        FRESH(an_experiment_that_nobody_measured_fails_unless_it_says_why),
        FRESH(a_planted_fault_in_a_table_fails_and_is_named),
        FRESH(a_file_that_cannot_be_understood_does_not_hide_the_others),
        FRESH(two_claims_of_one_name_fail),
        FRESH(a_device_limits_the_page_and_one_that_is_not_there_is_refused),
        FRESH(the_paper_gets_facts_in_all_forms_and_verdicts),
        FRESH(a_number_or_verdict_that_is_stale_ends_the_build_of_the_paper),
    };
    const char *found;
    if (program_find() || place_home(&found)) {
        fputs("there is no build/shoal: run make, or set SHOAL_BIN\n", stderr);
        return 1;
    }
    snprintf(installation, sizeof installation, "%s", found);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
