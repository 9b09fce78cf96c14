/* Figures: what is written, that it is the same each time, and what mistakes in [draw] are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plots/draw.h"
#include "tests/support/figures.h"

#define BLOCKS "[data]\nfrom = blocks\n"
#define AXES   "x-label = width (threads)\ny-label = time (us)\n"

static void write_experiment(const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, HEAD "%s", rest);
    scratch_write("experiments/made-up.ini", "w", text);
}

/* Draws the experiment on the made-up device, or on all where it has one figure for all. */
static enum err draw(int formats)
{
    struct plot_devices all;
    struct figure f, *list[] = {&f};
    char folder[PATH_LENGTH];
    scratch_path(folder, "out");
    assert_fine(plot_devices_read(&all));
    assert_int_equal(all.count, 1);
    enum err e = figure_open(&f, "made-up", &all, &all.at[0]);
    if (!e) {
        assert_true(f.tables.present);
        e = figures_draw(list, 1, folder, formats);
        figure_close(&f);
    }
    plot_devices_free(&all);
    return e;
}

static void draw_fine(const char *rest)
{
    write_experiment(rest);
    assert_fine(draw(FIGURE_SVG));
}

static void fails_with(const char *rest, const char *part)
{
    write_experiment(rest);
    if (!draw(FIGURE_SVG))
        fail_msg("no error with: %s", rest);
    ASSERT_HAS(err_message(), part);
}

static void files_appear_and_a_second_run_writes_the_same_bytes(void **state)
{
    static const char *const names[] = {
        "out/made-up-made-up-9.svg", "out/made-up-made-up-9.pdf", "out/made-up-made-up-9.png",
        "out/data/made-up-made-up-9.tsv", "out/data/made-up-made-up-9.gp"};
    enum { NAMES = sizeof names / sizeof *names };
    char *first[NAMES];
    size_t size[NAMES], again;
    (void)state;
    need_gnuplot();
    write_experiment(BLOCKS "[draw]\nshape = heatmap\n");
    assert_fine(draw(FIGURE_SVG | FIGURE_PDF | FIGURE_PNG));
    for (int k = 0; k < NAMES; k++)
        first[k] = bytes_of(names[k], &size[k]);
    assert_null(memmem(first[1], size[1], "CreationDate", 12));
    sleep(1); /* dates would show */
    assert_fine(draw(FIGURE_SVG | FIGURE_PDF | FIGURE_PNG));
    for (int k = 0; k < NAMES; k++) {
        char *second = bytes_of(names[k], &again);
        assert_int_equal(again, size[k]);
        assert_memory_equal(first[k], second, again);
        free(first[k]);
        free(second);
    }
}

static void a_script_draws_the_same_again_wherever_it_is_taken(void **state)
{
    char moved[PATH_LENGTH], from[PATH_LENGTH];
    struct gnuplot_run run = {.script = "made-up-made-up-9.gp", .folder = moved}, *runs[] = {&run};
    size_t size;
    (void)state;
    need_gnuplot();
    draw_fine(BLOCKS "[draw]\nshape = heatmap\n");
    scratch_path(from, "out/data");
    scratch_path(moved, "elsewhere");
    assert_int_equal(rename(from, moved), 0);
    scratch_path(from, "plots");
    assert_int_equal(remove(from), 0);
    assert_fine(gnuplot_draw(runs, 1));
    char *drawn = bytes_of("out/made-up-made-up-9.svg", &size);
    assert_int_equal(run.size, size);
    assert_memory_equal(run.out, drawn, size);
    assert_null(strstr(drawn, scratch));
    free(drawn);
    gnuplot_free(&run);
}

/* Several rows of one point are their median and range; a panel and a series are texts of columns. */
static void a_series_has_the_median_and_the_range_of_equal_points(void **state)
{
    (void)state;
    need_gnuplot();
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write("db/published/work/speeds.tsv", "w",
                  "# source: made up\nn\tspeed\tkind\twhere\n"
                  "2\t7\tb\there\n1\t5\ta\there\n1\t3\ta\there\n1\t4\ta\there\n2\t9\ta\tthere\n"
                  "3\t-\ta\there\n");
    draw_fine("[data]\nfrom = published work/speeds\n"
              "[draw]\nshape = series\nx = n\ny = speed\npanel = where\nseries = kind\n" AXES);
    size_t size;
    char *text = bytes_of("out/data/made-up.tsv", &size);
    assert_string_equal(text, "panel\tseries\tx\ty\tlow\thigh\n"
                              "here\tb\t2\t7\t-\t-\n\n\n"
                              "here\ta\t1\t4\t3\t5\n\n\n"
                              "there\ta\t2\t9\t-\t-\n");
    free(text);
    assert_file_has("out/made-up.svg", "</svg>");
    assert_file_has("out/made-up.svg", "time (us)");
}

static void shares_add_up_to_one(void **state)
{
    (void)state;
    need_gnuplot();
    draw_fine(BLOCKS "where = outcome=ok\n[draw]\nshape = series\ntemplate = steps\necdf = yes\n"
                     "x = loss\n" AXES);
    assert_file_has("out/data/made-up-made-up-9.tsv", "-\t-\t0\t0.5\t-\t-\n-\t-\t20\t1\t-\t-\n");
}

static void each_template_draws_series(void **state)
{
    /* With published values, and without. */
    static const char *const marks[] = {"", "mark = published | 16 | 110\nmark = line | 20 | -\n"};
    static const char *const templates[] = {"lines", "bars", "steps", "scatter", "roofline"};
    (void)state;
    need_gnuplot();
    for (size_t k = 0; k < 2 * sizeof templates / sizeof *templates; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 BLOCKS "where = outcome=ok\n[draw]\nshape = series\ntemplate = %s\nx = width\n"
                        "y = median_us\nlow = low_us\nhigh = high_us\nlabel = kernel\n"
                        "x-scale = log\ny-scale = log\n%s" AXES,
                 templates[k / 2], marks[k % 2]);
        draw_fine(text);
        assert_file_has("out/made-up-made-up-9.svg", "</svg>");
        assert_file_has("out/made-up-made-up-9.svg", "Made Up 9, driver 1.2");
    }
}

/* Two curves, what they should be, and a share of something else; the front is at x = 8. */
static void write_profile(void)
{
    char text[4096] = "# source: made up\nx\th\ttrue\tdry\tkind\n";
    for (int k = 0; k < 24; k++) {
        const size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%d\t%g\t%g\t%d\t%s\n", k / 2,
                 k / 2 < 8 ? 2.0 + k % 2 : 1, k / 2 < 8 ? 2.5 : 1, 5 * k / 2,
                 k % 2 ? "fine" : "coarse");
    }
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write("db/published/work/profile.tsv", "w", text);
}

#define PROFILE                                                                              \
    "[data]\nfrom = published work/profile\n[draw]\nshape = series\nx = x\ny = h\nseries = " \
    "kind\n" AXES

static void what_is_exact_and_what_has_an_axis_of_its_own_are_one_curve_each(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "exact = true\ny2 = dry\ny2-label = dry (%)\nstyle = band lines\n");
    assert_file_has("out/data/made-up.tsv", "-\ttrue\t7\t2.5\t-\t-\n-\ttrue\t8\t1\t-\t-\n");
    assert_file_has("out/data/made-up.tsv", "-\tdry\t0\t");
    assert_file_has("out/made-up.svg", "dry (%)");
    fails_with(PROFILE "y2 = dry\n", "[draw] y2-label: every axis has one");
}

static void the_front_is_found_and_enlarged(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "exact = true\nzoom = front\n");
    assert_file_has("out/made-up.svg", "the front");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[5.68:7.88]'");
    draw_fine(PROFILE "zoom = 2 3\n");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[2:3]'");
    fails_with(PROFILE "zoom = 3 2\n", "zoom: is 'front', or two values of x");
}

static void rows_that_agree_in_a_column_can_be_one_point(void **state)
{
    (void)state;
    need_gnuplot();
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write("db/published/work/runs.tsv", "w",
                  "# source: made up\nn\ttime\terror\n20\t5\t1\n10\t3\t6\n10\t1\t4\n10\t2\t5\n");
    draw_fine("[data]\nfrom = published work/runs\n"
              "[draw]\nshape = series\nx = time\ny = error\nby = n\n" AXES);
    assert_file_has("out/data/made-up.tsv", "-\t-\t2\t5\t4\t6\n-\t-\t5\t1\t-\t-\n");
}

static void bars_can_stand_on_one_another(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "template = bars\nstack = yes\n");
    assert_file_has("out/data/made-up.tsv", "-\tcoarse\t3\t2\t0\t2\n");
    assert_file_has("out/data/made-up.tsv", "-\tfine\t3\t3\t2\t5\n");
    fails_with(PROFILE "stack = yes\n", "only bars can stand on one another");
}

static void a_heat_map_keeps_why_a_block_failed(void **state)
{
    (void)state;
    need_gnuplot();
    draw_fine(BLOCKS "[draw]\nshape = heatmap\npanel = kernel\n");
    const char *data = "out/data/made-up-made-up-9.tsv";
    assert_file_has(data, "flux_fgh0\t32\t8\t2\t1\tok\t0\t1\t1\t");
    assert_file_has(data, "flux_fgh0\t64\t32\t3\t3\tconstraint\t-\t0\t0\t0\t0\tmade up for a test");
    assert_file_has("out/made-up-made-up-9.svg", "not possible");
}

static void a_surface_is_the_same_for_all_devices(void **state)
{
    (void)state;
    need_gnuplot();
    draw_fine("[data]\nfrom = case parabola\nnx = 12\n[draw]\nshape = surface\nx-label = x (m)\n"
              "y-label = y (m)\nz-label = level (m)\n");
    assert_file_has("out/made-up.svg", "level (m)");
}

static void mistakes_in_draw_are_named_with_file_and_line(void **state)
{
    (void)state;
    fails_with(BLOCKS "[draw]\nshape = series\nseris = kernel\n",
               "experiments/made-up.ini:7: unknown key of [draw] with shape = series 'seris'");
    fails_with(BLOCKS "[draw]\nshape = sculpture\n", "made-up.ini:6: shape: ");
    fails_with(BLOCKS "[draw]\nshape = series\nx = wide\ny = median_us\n" AXES,
               "made-up.ini:7: x: unknown column 'wide'");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\ny = median_us kettles\n" AXES,
               "there is no column 'kettles'");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\n" AXES, "[draw] y: ");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\ny = median_us\nx-label = a\n",
               "[draw] y-label: every axis has one");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\ny = median_us\nstyle = crayon\n" AXES,
               "style: is of linespoints, points, lines and band");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\ny = median_us\nmark = a | b\n" AXES,
               "mark: a mark is: label | x | y");
    fails_with(BLOCKS "[draw]\nshape = heatmap\ntemplate = kettle\n", "made-up.ini:7: template: '");
    fails_with(BLOCKS "[draw]\nshape = series\nx = width\ny = median_us\nsize = big\n" AXES,
               "size: is WIDTHxHEIGHT");
}

static void what_gnuplot_says_is_passed_on(void **state)
{
    (void)state;
    need_gnuplot();
    write_experiment("[data]\nfrom = case lake\nnx = 8\n[draw]\nshape = surface\nview = sideways\n"
                     "x-label = a\ny-label = b\nz-label = c\n");
    assert_int_equal(draw(FIGURE_SVG), ERR_CHECK);
    ASSERT_HAS(err_message(), "made-up cannot be drawn; gnuplot says: ");
    ASSERT_HAS(err_message(), "sideways");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIGURES(files_appear_and_a_second_run_writes_the_same_bytes),
        WITH_FIGURES(a_script_draws_the_same_again_wherever_it_is_taken),
        WITH_FIGURES(a_series_has_the_median_and_the_range_of_equal_points),
        WITH_FIGURES(shares_add_up_to_one),
        WITH_FIGURES(each_template_draws_series),
        WITH_FIGURES(what_is_exact_and_what_has_an_axis_of_its_own_are_one_curve_each),
        WITH_FIGURES(the_front_is_found_and_enlarged),
        WITH_FIGURES(rows_that_agree_in_a_column_can_be_one_point),
        WITH_FIGURES(bars_can_stand_on_one_another),
        WITH_FIGURES(a_heat_map_keeps_why_a_block_failed),
        WITH_FIGURES(a_surface_is_the_same_for_all_devices),
        WITH_FIGURES(mistakes_in_draw_are_named_with_file_and_line),
        WITH_FIGURES(what_gnuplot_says_is_passed_on),
    };
    if (installation_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
