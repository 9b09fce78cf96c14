/* Figures: what is written, that it is the same each time, and the messages about mistakes in [draw]. */
#include "tests/support/test.h"

#include "tests/support/drawing.h"

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
        first[k] = scratch_read(names[k], &size[k]);
    assert_null(memmem(first[1], size[1], "CreationDate", 12));
    sleep(1); /* dates would show */
    assert_fine(draw(FIGURE_SVG | FIGURE_PDF | FIGURE_PNG));
    for (int k = 0; k < NAMES; k++) {
        char *second = scratch_read(names[k], &again);
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
    char *drawn = scratch_read("out/made-up-made-up-9.svg", &size);
    assert_int_equal(run.size, size);
    assert_memory_equal(run.out, drawn, size);
    assert_null(strstr(drawn, scratch));
    free(drawn);
    gnuplot_free(&run);
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
                 WORKING "[draw]\nshape = series\ntemplate = %s\nx = width\n"
                         "y = median_us\nlow = low_us\nhigh = high_us\nlabel = kernel\n"
                         "x-scale = log\ny-scale = log\n%s" AXES,
                 templates[k / 2], marks[k % 2]);
        draw_fine(text);
        assert_file_has("out/made-up-made-up-9.svg", "</svg>");
        assert_file_has("out/made-up-made-up-9.svg", "Made Up 9, driver 1.2");
    }
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
    draw_fine("[data]\nsql = SELECT * FROM case_parabola_12 ORDER BY y, x\n[draw]\nshape = "
              "surface\nx-label = x (m)\n"
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
    write_experiment("[data]\nsql = SELECT * FROM case_lake_8 ORDER BY y, x\n[draw]\nshape = "
                     "surface\nview = sideways\n"
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
        WITH_FIGURES(each_template_draws_series),
        WITH_FIGURES(a_heat_map_keeps_why_a_block_failed),
        WITH_FIGURES(a_surface_is_the_same_for_all_devices),
        WITH_FIGURES(mistakes_in_draw_are_named_with_file_and_line),
        WITH_FIGURES(what_gnuplot_says_is_passed_on),
    };
    if (installation_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
