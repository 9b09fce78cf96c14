/* `shoal plot`: what it writes, prints and refuses. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "plots/figures/draw.h"
#include "tests/support/figures.h"

#define HEATMAP \
    HEAD "[data]\nsql = SELECT * FROM blocks ORDER BY width, height\n[draw]\nshape = heatmap\n"
#define LINES                                                                       \
    HEAD "[data]\nsql = SELECT * FROM blocks WHERE outcome = 'ok' ORDER BY width, " \
         "height\n[draw]\nshape = series\nx = width\n"                              \
         "y = median_us\nx-label = width (threads)\ny-label = time (us)\n"
#define RUNS                                                                             \
    HEAD "[measure]\nkind = runs\ncase = sine\nscheme = rk2\nnx = 16\n[data]\nsql = "    \
         "SELECT * FROM measured_runs ORDER BY nx\n[draw]\nshape = series\nx = nx\ny = " \
         "wall_s\nx-label = cells\ny-label = "                                           \
         "time (s)\n"

static void figures_are_written_and_their_files_printed(void **state)
{
    (void)state;
    need_gnuplot();
    scratch_write("experiments/blocks.ini", "w", HEATMAP);
    SHOAL("plot", "blocks");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "/build/figures/blocks-made-up-9.svg\n");
    ASSERT_HAS(result.out, "/build/figures/blocks-made-up-9.pdf\n");
    ASSERT_HAS(result.out, "/build/figures/data/blocks-made-up-9.tsv\n");
    assert_file_has("build/figures/blocks-made-up-9.svg", "</svg>");
    assert_file_has("build/figures/blocks-made-up-9.pdf", "%PDF");
    assert_file_has("build/figures/data/blocks-made-up-9.tsv", "constraint");
    assert_file_has("build/figures/data/blocks-made-up-9.gp", "set multiplot");
}

static void the_folder_and_the_formats_can_be_chosen(void **state)
{
    (void)state;
    need_gnuplot();
    scratch_write("experiments/lines.ini", "w", LINES);
    SHOAL("plot", "lines", "--output", "here", "--format", "png");
    ASSERT_STATUS(0);
    assert_file_has("here/lines-made-up-9.png", "PNG");
    assert_no_file("here/lines-made-up-9.svg");
    SHOAL("plot", "lines", "--format", "svg,gif");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--format: unknown value 'gif': expected one of svg, pdf, png");
}

static void the_terminal_gets_a_drawing_and_no_file_is_written(void **state)
{
    (void)state;
    need_gnuplot();
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_write("experiments/blocks.ini", "w", HEATMAP);
    SHOAL("plot", "lines", "blocks", "--terminal");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "A title\n");
    ASSERT_HAS(result.out, "width (threads)");
    ASSERT_HAS(result.out, " 32x8");
    assert_null(strchr(result.out, '\033'));
    assert_no_file("build/figures");
}

/* Of the same device, with the environment that was measured last. */
static void add_environment_without_rows(void)
{
    scratch_folder("db/made-up-9/f00000000000");
    scratch_write("db/made-up-9/f00000000000/manifest.json", "w",
                  "{\n  \"format\": 1,\n" ENVIRONMENT RUN_FLAGS
                  "  \"sessions\": {\"0000000e\": {\"commit\": \"abc\", "
                  "\"dirty\": \"no\", \"started\": \"2044-05-14T12:00:00Z\"}}\n}\n");
}

static void what_a_later_environment_has_no_rows_of_is_drawn_from_an_older_one(void **state)
{
    (void)state;
    scratch_write("experiments/it.ini", "w",
                  HEAD "[data]\nsql = SELECT * FROM blocks ORDER BY width, height\n[draw]\nshape = "
                       "table\ncolumns = width\n");
    add_environment_without_rows();
    SHOAL("plot", "it");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "/build/figures/it-made-up-9.txt\n");
}

/* The rows that `shoal tune --kernel flux_fgh1` with another compiler leaves. */
static void rows_of_a_kernel_in_a_later_environment_hide_no_other_kernel(void **state)
{
    struct db_row row = row_of(16, 16, 50);
    struct plot_devices all;
    struct figure f;
    (void)state;
    scratch_write("experiments/it.ini", "w",
                  HEAD
                  "caption = All.\n[data]\nsql = SELECT * FROM kernels ORDER BY place\n[draw]\n"
                  "shape = table\ncolumns = kernel; best\n");
    add_environment_without_rows();
    strcpy(home, "db/made-up-9/f00000000000");
    scratch_folder(inside("flux_fgh1"));
    strcpy(row.session, "0000000e");
    write_rows("flux_fgh1/circular-dam-64x64-f32.tsv", &row, 1);
    SHOAL("plot", "it", "--terminal");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "flux_fgh0  32x8");
    ASSERT_HAS(result.out, "flux_fgh1  16x16");
    assert_fine(plot_devices_read(&all, ""));
    assert_fine(figure_open(&f, "it", &all, &all.at[0]));
    assert_string_equal(f.device->environment, "f00000000000");
    ASSERT_HAS(f.caption, " Of several environments: compare times within one.");
    ASSERT_HAS(f.foot, "2044-05-14; Made Up 9, driver 1.2, NVRTC 13.0, Shoal abd, 2014-05-16");
    figure_close(&f);
    plot_devices_free(&all);
}

static void a_device_without_rows_is_told_what_measures_them(void **state)
{
    (void)state;
    scratch_write("experiments/runs.ini", "w", RUNS);
    SHOAL("plot", "runs", "--device", "made-up-9");
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "shoal measure runs");
    SHOAL("plot", "runs");
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "no device has rows of 'runs'");
    SHOAL("plot", "runs", "--device", "kettle");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "the database has no device 'kettle'; it has made-up-9");
}

static void mistakes_in_a_file_are_told_by_line_with_status_2(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"caption = {best}\n" LINES, "wrong.ini:1: caption: {best}: 'best' is not a fact"},
        {LINES "series = widht\n", "wrong.ini:11: series: unknown column 'widht'"},
        {LINES "x-low = {best}\n", "wrong.ini:11: x-low: {best}: 'best' is not a fact"},
        {LINES "template = none\n", "wrong.ini:11: template: "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        scratch_write("experiments/wrong.ini", "w", wrong[k].text);
        SHOAL("plot", "wrong");
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, wrong[k].message);
    }
}

static void a_gnuplot_that_fails_is_quoted_and_leaves_no_figure(void **state)
{
    char path[PATH_LENGTH], before[PATH_LENGTH];
    (void)state;
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_folder("bin");
    scratch_write("bin/gnuplot", "w", "#!/bin/sh\necho half\necho no such font >&2\nexit 3\n");
    scratch_path(path, "bin/gnuplot");
    assert_int_equal(chmod(path, 0700), 0);
    scratch_path(path, "bin");
    setenv("PATH", path, 1);
    SHOAL("plot", "lines");
    setenv("PATH", before, 1);
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "cannot be drawn; gnuplot says: no such font");
    assert_no_file("build/figures/lines-made-up-9.svg");
}

static void without_gnuplot_its_package_is_named(void **state)
{
    char path[PATH_LENGTH], before[PATH_LENGTH];
    (void)state;
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_path(path, "build");
    setenv("PATH", path, 1);
    SHOAL("plot", "lines");
    setenv("PATH", before, 1);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "package gnuplot-nox");
    assert_no_file("build/figures/lines-made-up-9.svg");
}

static void nothing_to_plot_is_a_mistake(void **state)
{
    (void)state;
    SHOAL("plot");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "names of experiments, or --all");
    SHOAL("plot", "--all", "--terminal");
    ASSERT_STATUS(2);
    scratch_write("experiments/lines.ini", "w", LINES);
    SHOAL("plot", "line");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "lines");
}

/* Gnuplot's own quoting fails at the start and next to another quote. */
static void a_text_is_what_gnuplot_reads(void **state)
{
    enum { TEXTS = 200, LONGEST = 9 };
    static const char letters[] = "''''\"`$@\\#;!.a {}";
    char path[PATH_LENGTH], text[TEXTS][LONGEST + 1];
    struct gnuplot_run r = {.script = path}, *runs[] = {&r};
    unsigned seed = 1;
    (void)state;
    need_gnuplot();
    scratch_path(path, "texts.gp");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k < TEXTS; k++) {
        int n = 0;
        for (; n < 1 + k % LONGEST; n++)
            text[k][n] = letters[xorshift(&seed) % (sizeof letters - 1)];
        text[k][n] = '\0';
        fputs("print '<'.", f);
        gnuplot_text(f, text[k]);
        fputs(".'>'\n", f);
    }
    assert_int_equal(fclose(f), 0);
    assert_fine(gnuplot_draw(runs, 1));
    const char *said = r.message;
    for (int k = 0; k < TEXTS; k++) {
        char line[LONGEST + 4];
        snprintf(line, sizeof line, "<%s>\n", text[k]);
        if (strncmp(said, line, strlen(line)) != 0)
            fail_msg("%s was read as %.40s", line, said);
        said += strlen(line);
    }
    gnuplot_free(&r);
}

#define NASTY                                                                                   \
    "title = A `touch HACK1` \"title\" 'x\nchapter = Tuning\n"                                  \
    "[data]\nsql = SELECT * FROM made_t ORDER BY rowid\n[draw]\nshape = series\nx = name\ny = " \
    "value\n"                                                                                   \
    "series = kind\nx-label = n `touch HACK2`' \"\ny-label = '''.system('touch HACK3').'\n"

static void nothing_in_texts_and_data_is_a_command(void **state)
{
    static const char *const shown[] = {">n `touch HACK2`' \"<",
                                        ">`touch HACK4`<",
                                        ">b`touch HACK5`<",
                                        ">\" 1); system(\"touch HACK6\") #<",
                                        ">'''<",
                                        ">'.system(\"touch HACK7\").'<",
                                        ">@HACK8<"};
    char find[PATH_LENGTH + 64];
    (void)state;
    need_gnuplot();
    scratch_write("experiments/nasty.ini", "w", NASTY);
    scratch_folder("db/published");
    scratch_folder("db/published/made");
    scratch_write("db/published/made/t.tsv", "w",
                  "name\tvalue\tkind\nplain\t1\ta\n`touch HACK4`\t2\tb`touch HACK5`\n"
                  "\" 1); system(\"touch HACK6\") #\t3\t'''\n"
                  "'.system(\"touch HACK7\").'\t4\t@HACK8\n");
    SHOAL("plot", "nasty", "--output", "out", "--format", "svg");
    ASSERT_STATUS(0);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        assert_file_has("out/nasty.svg", shown[k]);
    snprintf(find, sizeof find, "find '%s' -name 'HACK*' | grep -q .", scratch);
    assert_int_not_equal(system(find), 0);
}

/* Its name would stand in a comment of the script, on the several lines that it has. */
static void a_device_of_a_name_that_no_device_has_is_no_device(void **state)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    (void)state;
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_path(from, "db/made-up-9");
    scratch_path(to, "db/made\nsystem(\"touch HACK\")\n");
    assert_int_equal(rename(from, to), 0);
    SHOAL("plot", "lines");
    ASSERT_STATUS(1);
    ASSERT_HAS(result.err, "the tuning database has no device yet");
    SHOAL("db", "check");
    ASSERT_STATUS(1);
    ASSERT_HAS(result.out, "does not belong here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIGURES(figures_are_written_and_their_files_printed),
        WITH_FIGURES(the_folder_and_the_formats_can_be_chosen),
        WITH_FIGURES(the_terminal_gets_a_drawing_and_no_file_is_written),
        WITH_FIGURES(what_a_later_environment_has_no_rows_of_is_drawn_from_an_older_one),
        WITH_FIGURES(rows_of_a_kernel_in_a_later_environment_hide_no_other_kernel),
        WITH_FIGURES(a_device_without_rows_is_told_what_measures_them),
        WITH_FIGURES(mistakes_in_a_file_are_told_by_line_with_status_2),
        WITH_FIGURES(a_gnuplot_that_fails_is_quoted_and_leaves_no_figure),
        WITH_FIGURES(without_gnuplot_its_package_is_named),
        WITH_FIGURES(nothing_to_plot_is_a_mistake),
        WITH_FIGURES(a_text_is_what_gnuplot_reads),
        WITH_FIGURES(nothing_in_texts_and_data_is_a_command),
        WITH_FIGURES(a_device_of_a_name_that_no_device_has_is_no_device),
    };
    if (program_find() || installation_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
