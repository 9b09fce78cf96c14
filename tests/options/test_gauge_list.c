/* The lists of gauges, from files and from the command line. */
#include "tests/support/test.h"

#include "core/options/gauge_option.h"
#include "tests/support/scratch.h"

static const struct grid_info domain = {10, 4, -5, 100, 1, 0.5}; /* x -5 to 5, y 100 to 102 */

static enum err read_text(const char *text, struct gauge_list *list)
{
    static struct config c;
    config_defaults(&c);
    scratch_write("gauges.txt", "w", text);
    scratch_path(c.gauges_file, "gauges.txt");
    return gauges_read(&c, &domain, list);
}

static void a_list_has_names_and_places_in_either_form(void **state)
{
    (void)state;
    struct gauge_list list;
    fine(read_text("# name x y\nA -5 100\n\nB,5,102\r\n  C\t1.5   101.25  # between\n"
                   "north bank, -0.25 , 1.01e2\n",
                   &list));
    static const struct gauge expected[] = {{"A", -5, 100, 0, 0},
                                            {"B", 5, 102, 9, 3},
                                            {"C", 1.5, 101.25, 6, 2},
                                            {"north bank", -0.25, 101, 4, 2}};
    assert_int_equal(list.count, 4);
    for (int k = 0; k < 4; k++) {
        const struct gauge *g = &list.gauge[k], *e = &expected[k];
        assert_string_equal(g->name, e->name);
        assert_true(g->x == e->x && g->y == e->y && g->i == e->i && g->j == e->j);
    }
    gauges_free(&list);
}

static void what_cannot_be_a_list_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part[3];
    } wrong[] = {
        {"A 0 101\nname x y\n", {"gauges.txt:2", "'x' is not a number", "heading"}},
        {"A 0\n", {"gauges.txt:1", "NAME,X,Y", "2 parts"}},
        {"A 0 101 7\n", {"gauges.txt:1", "4 parts", ""}},
        {"A,0;101\n", {"gauges.txt:1", "2 parts", ""}},
        {"A,0,nan\n", {"gauges.txt:1", "'nan' is not a number", "A"}},
        {",0,101\n", {"gauges.txt:1", "no name", ""}},
        {"A 0 101\nB 0 99.9\n", {"gauges.txt:2", "gauge 'B'", "y = 100 to 102"}},
        {"A 5.001 101\n", {"gauges.txt:1", "gauge 'A'", "x = -5 to 5"}},
        {"A 0 101\nB 0 101\nA 1 101\n", {"two gauges", "'A'", ""}},
        {"# nothing\n\n", {"gauges.txt", "no gauge", ""}},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct gauge_list list;
        if (!read_text(wrong[k].text, &list))
            fail_msg("no error with %s", wrong[k].text);
        for (int m = 0; m < 3; m++)
            if (!strstr(err_message(), wrong[k].part[m]))
                fail_msg("'%s' is not in '%s'", wrong[k].part[m], err_message());
        gauges_free(&list);
    }
}

static void gauges_of_the_command_line_come_first_and_share_the_names(void **state)
{
    (void)state;
    static struct config c;
    struct gauge_list list;
    config_defaults(&c);
    fine(option_set(option_find(run_options, "gauge"), &c, "mouth,1,101"));
    scratch_write("more.txt", "w", "mouth 0 101\n");
    scratch_path(c.gauges_file, "more.txt");
    assert_int_equal(gauges_read(&c, &domain, &list), ERR_USAGE);
    gauges_free(&list);
    scratch_write("more.txt", "w", "well 0 101\n");
    fine(gauges_read(&c, &domain, &list));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.gauge[0].name, "mouth");
    gauges_free(&list);
    scratch_path(c.gauges_file, "nowhere.txt");
    assert_int_equal(gauges_read(&c, &domain, &list), ERR_INPUT);
    gauges_free(&list);
    snprintf(c.gauges_file, sizeof c.gauges_file, "%s", scratch);
    assert_int_equal(gauges_read(&c, &domain, &list), ERR_INPUT);
    assert_non_null(strstr(err_message(), "cannot be read: Is a directory"));
    gauges_free(&list);
    config_defaults(&c);
    c.gauge_every = 1;
    assert_int_equal(gauges_read(&c, &domain, &list), ERR_USAGE);
    gauges_free(&list);
}

int main(void)
{
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_list_has_names_and_places_in_either_form),
        HERE(what_cannot_be_a_list_is_refused_with_its_line),
        HERE(gauges_of_the_command_line_come_first_and_share_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
