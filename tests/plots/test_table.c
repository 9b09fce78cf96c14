/* Tables as text, Markdown and LaTeX; what is escaped. */
#include "tests/support/test.h"

#include "plots/figures/draw.h"
#include "plots/data/number.h"
#include "plots/gallery/tex.h"
#include "tests/support/tables.h"

static struct figure figure;
static char *printed;

static int set_up(void **state)
{
    strcpy(figure.caption, "Speed < light & \"more\"");
    return install(state);
}

static int tear_down(void **state)
{
    free(printed);
    printed = NULL;
    experiment_free(&figure.experiment);
    plot_tables_free(&figure.tables);
    return uninstall(state);
}

#define WITH_FIGURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#define ROWS                          \
    "scheme,nx,wall_s,note,session\n" \
    "ds_1,64,1.5,a,0a\n"              \
    "ds_1,64,2.5,a,0b\n"              \
    "ds_1,64,-3.25,b,0a\n"            \
    "ds_1,128,-,\xc3\xa6,0a\n"        \
    "rk2,64,1000,<&>,0a\n"

static void prepare(const char *keys, const char *rows)
{
    experiment_free(&figure.experiment);
    plot_tables_free(&figure.tables);
    figure.experiment = experiment_of(keys);
    add_table(&figure.tables, "data", rows);
}

static void expect_table(enum table_form form, const char *wanted)
{
    size_t size;
    free(printed);
    FILE *to = open_memstream(&printed, &size);
    assert_non_null(to);
    const enum err e = table_print(&figure, form, to);
    fclose(to);
    fine(e);
    assert_string_equal(printed, wanted);
}

static void text_stands_in_columns_and_numbers_to_the_right(void **state)
{
    (void)state;
    prepare("columns = scheme; nx: n; wall_s: time, s; note\nformat = wall_s: .1f\n"
            "group = scheme\n",
            ROWS);
    expect_table(TABLE_TEXT, "scheme    n  time, s  note\n"
                             "--------------------------\n"
                             "ds_1     64      1.5  a\n"
                             "ds_1     64      2.5  a\n"
                             "ds_1     64     -3.2  b\n"
                             "ds_1    128        -  \xc3\xa6\n"
                             "--------------------------\n"
                             "rk2      64   1000.0  <&>\n");
}

static void markdown_escapes_texts_and_marks_numbers(void **state)
{
    (void)state;
    prepare("columns = scheme: S <T; wall_s: time; note\nformat = wall_s: .2f\ngroup = scheme\n",
            ROWS);
    expect_table(TABLE_MARKDOWN, "| S \\<T |    time | note |\n"
                                 "|-------|--------:|------|\n"
                                 "| ds_1  |    1.50 | a |\n"
                                 "| ds_1  |    2.50 | a |\n"
                                 "| ds_1  |   -3.25 | b |\n"
                                 "| ds_1  |       - | \xc3\xa6 |\n"
                                 "| rk2   | 1000.00 | \\<&> |\n\n"
                                 "Speed < light & \"more\"\n\n");
}

static void latex_is_a_tabular_of_booktabs(void **state)
{
    (void)state;
    prepare("columns = scheme: \xce\xba & more; wall_s; note\nformat = wall_s: g; note: .1f\n"
            "group = scheme\n",
            ROWS);
    expect_table(TABLE_TEX, "\\begin{tabular}{lrl}\n\\toprule\n"
                            "$\\kappa$ \\& more & wall\\_s & note \\\\\n\\midrule\n"
                            "ds\\_1 & 1.5 & a \\\\\nds\\_1 & 2.5 & a \\\\\n"
                            "ds\\_1 & $-$3.25 & b \\\\\nds\\_1 & -- & \xc3\xa6 \\\\\n"
                            "\\midrule\n"
                            "rk2 & 1000 & \\textless{}\\&\\textgreater{} \\\\\n"
                            "\\bottomrule\n\\end{tabular}\n");
}

static void another_table_than_the_first_can_be_printed(void **state)
{
    (void)state;
    prepare("columns = r; time\ntable = medians\n", ROWS);
    add_table(&figure.tables, "medians", "r,time\n0.5,2\n");
    expect_table(TABLE_TEXT, "  r  time\n---------\n0.5     2\n");
}

static void a_table_without_rows_has_its_heads(void **state)
{
    (void)state;
    prepare("columns = scheme; other: Other\nformat = other: .1f\ngroup = gone\n", "scheme\n");
    expect_table(TABLE_TEXT, "scheme  Other\n-------------\n");
}

static void expect_fault(const char *keys, const char *message)
{
    prepare(keys, ROWS);
    FILE *to = tmpfile();
    assert_non_null(to);
    const enum err e = table_print(&figure, TABLE_TEXT, to);
    const long length = ftell(to);
    fclose(to);
    assert_int_equal(e, ERR_INPUT);
    assert_int_equal(length, 0);
    assert_said(message);
}

/* [draw] is on line 3, its first key here on line 5. */
static void mistakes_name_file_and_line(void **state)
{
    (void)state;
    expect_fault("", "text.ini:3: a table must have 'columns = ");
    expect_fault("columns = scheme; wall\n", "text.ini:5: columns: unknown column 'wall'");
    expect_fault("columns = ;;\n", "text.ini:5: columns: no columns are named");
    expect_fault("columns = nx\nformat = nx: .1q\n", "text.ini:6: format: 'nx: .1q'");
    expect_fault("columns = nx\nformat = nx\n", "text.ini:6: format: 'nx: '");
    expect_fault("columns = nx\nformat = wall_s: .1f\n", "'wall_s' is none of the table's columns");
    expect_fault("columns = nx\ngroup = x\n", "text.ini:6: group: unknown column 'x'");
    expect_fault("columns = nx\ntable = gone\n",
                 "text.ini:6: table: there is no such section [data]");
}

static void a_table_is_told_by_its_shape(void **state)
{
    (void)state;
    prepare("columns = nx\n", ROWS);
    assert_true(figure_is_table(&figure.experiment));
    experiment_free(&figure.experiment);
    scratch_write("experiments/text.ini", "w", "title = A\nchapter = B\n[draw]\nshape = series\n");
    fine(experiment_read(&figure.experiment, "text"));
    assert_false(figure_is_table(&figure.experiment));
}

static void expect_written(void (*write)(FILE *to, const char *text), const char *text,
                           const char *wanted)
{
    size_t size;
    char *got;
    FILE *to = open_memstream(&got, &size);
    assert_non_null(to);
    write(to, text);
    fclose(to);
    assert_string_equal(got, wanted);
    free(got);
}

static void latex_gets_nothing_it_would_take_for_its_own(void **state)
{
    (void)state;
    expect_written(tex_text, "a_b & 5 % of #1 $x$ {y} ~z^2 \\n",
                   "a\\_b \\& 5 \\% of \\#1 \\$x\\$ \\{y\\} \\textasciitilde{}z"
                   "\\textasciicircum{}2 \\textbackslash{}n");
    expect_written(tex_text, "--dt-factor --- -", "-{}-dt-factor -{}-{}- -");
    expect_written(tex_text, "\"a\" or \"b\"", "``a'' or ``b''");
    expect_written(tex_text, "5 \xc2\xb5s, 2 \xc3\x97 m\xc2\xb3, S\xc3\xa6tra",
                   "5 $\\mu$s, 2 $\\times$ m\\textsuperscript{3}, S\xc3\xa6tra");
}

static void numbers_are_written_as_formats_say(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *format, *wanted;
    } cases[] = {
        {1.25, ".1f", "1.2"},         {-0.04, ".1f", "0.0"},    {-0.06, ".1f", "-0.1"},
        {12345, ".3g", "1.23e+04"},   {0.5, "+.0e", "+5e-01"},  {2, "+g", "+2"},
        {-1e-30, ".2e", "-1.00e-30"}, {1e300, ".2f", "1e+300"}, {7, ".12f", "7.000000000000"}};
    char text[32];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(number_write(cases[k].x, cases[k].format, text, sizeof text));
        assert_string_equal(text, cases[k].wanted);
    }
    static const char *const bad[] = {"",      "d",    "s",    "%f",   ".f",
                                      ".123f", ".2f ", "5.2f", ".2ff", "n"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (number_format_valid(bad[k]) || number_write(1, bad[k], text, sizeof text))
            fail_msg("'%s' is taken for a format", bad[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIGURE(text_stands_in_columns_and_numbers_to_the_right),
        WITH_FIGURE(markdown_escapes_texts_and_marks_numbers),
        WITH_FIGURE(latex_is_a_tabular_of_booktabs),
        WITH_FIGURE(another_table_than_the_first_can_be_printed),
        WITH_FIGURE(a_table_without_rows_has_its_heads),
        WITH_FIGURE(mistakes_name_file_and_line),
        WITH_FIGURE(a_table_is_told_by_its_shape),
        cmocka_unit_test(latex_gets_nothing_it_would_take_for_its_own),
        cmocka_unit_test(numbers_are_written_as_formats_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
