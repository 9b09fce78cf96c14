/* Experiments' files: what they may say, what is refused, and what is read from them. */
#include "tests/support/test.h"

#include "experiments/experiment.h"
#include "tests/support/program.h"

#define TOP  "title = A title\nchapter = A chapter\n"
#define DRAW "[draw]\nshape = series\n"

/* An installation in the scratch folder. */
static int set_up(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_write("kernels/tile.h", "w", "");
    scratch_folder("experiments");
    return setenv("SHOAL_HOME", scratch, 1);
}

static int tear_down(void **state)
{
    unsetenv("SHOAL_HOME");
    return scratch_remove(state);
}

static enum err read_text(struct experiment *x, const char *text)
{
    scratch_write("experiments/text.ini", "w", text);
    return experiment_read(x, "text");
}

#define ASSERT_FINE(call)                  \
    do {                                   \
        if (call)                          \
            fail_msg("%s", err_message()); \
    } while (0)
#define ASSERT_FAULT(text, message)                            \
    do {                                                       \
        struct experiment faulty;                              \
        assert_int_equal(read_text(&faulty, text), ERR_INPUT); \
        ASSERT_HAS(err_message(), message);                    \
        experiment_free(&faulty);                              \
    } while (0)

static void sections_and_values_are_found_by_name(void **state)
{
    struct experiment x;
    (void)state;
    ASSERT_FINE(
        read_text(&x, "# a comment\r\ntitle = A title # of a figure\nchapter = B#4\n"
                      "figure = thesis 3.2\n  # another\nfigure=paper III, 4\n\n"
                      "[measure]\nnx = 10\nnx.cpu = 20\n[data]\nsql = SELECT 1\n  FROM t -- so\n"
                      "[data] # the second\nname = other\nsql = measured x = y\n"
                      "[draw]\nshape = series\nany-key-2 = 1\nmark = a\nmark = b\n"
                      "[facts]\na_1 = 1 + 1"));
    const struct section *top = experiment_section(&x, "", 0),
                         *measure = experiment_section(&x, "measure", 0),
                         *other = experiment_section(&x, "data", 1);
    assert_string_equal(x.name, "text");
    assert_string_equal(experiment_value(&x, top, "title"), "A title");
    assert_string_equal(experiment_value(&x, top, "chapter"), "B#4");
    assert_string_equal(experiment_value_at(&x, top, "figure", 0), "thesis 3.2");
    assert_string_equal(experiment_value_at(&x, top, "figure", 1), "paper III, 4");
    assert_null(experiment_value_at(&x, top, "figure", 2));
    assert_null(experiment_value(&x, top, "sql"));
    assert_string_equal(experiment_value(&x, other, "sql"), "measured x = y");
    assert_null(experiment_section(&x, "data", 2));
    assert_null(experiment_value(&x, NULL, "sql"));
    assert_string_equal(experiment_variant(&x, measure, "nx", "cpu"), "20");
    assert_string_equal(experiment_variant(&x, measure, "nx", "cuda"), "10");
    assert_string_equal(experiment_value_at(&x, experiment_section(&x, "draw", 0), "mark", 1), "b");
    assert_string_equal(experiment_value(&x, experiment_section(&x, "facts", 0), "a_1"), "1 + 1");
    experiment_free(&x);
}

static void a_value_goes_on_in_lines_that_begin_with_a_blank(void **state)
{
    struct experiment x;
    (void)state;
    ASSERT_FINE(read_text(&x,
                          TOP "caption =\n  one\t\n\ttwo # not this\n # nor this\n  three\n" DRAW
                              "title = x\n  y"));
    const struct section *top = experiment_section(&x, "", 0);
    assert_string_equal(experiment_value(&x, top, "caption"), "one two three");
    assert_string_equal(experiment_value(&x, top, "chapter"), "A chapter");
    assert_string_equal(experiment_value(&x, experiment_section(&x, "draw", 0), "title"), "x y");
    experiment_free(&x);
    ASSERT_FINE(read_text(&x, TOP DRAW "[facts]\nsql =\n  SELECT a -- one\n # none\n  FROM b\n"));
    assert_string_equal(experiment_value(&x, experiment_section(&x, "facts", 0), "sql"),
                        "SELECT a -- one\nFROM b");
    experiment_free(&x);
}

static void what_means_nothing_is_refused_with_its_place_and_the_nearest(void **state)
{
    (void)state;
    ASSERT_FAULT(TOP "captoin = x\n" DRAW, "text.ini:3: unknown key");
    ASSERT_FAULT(TOP "captoin = x\n" DRAW, "did you mean 'caption'?");
    ASSERT_FAULT(TOP "[data]\nform = measured\n" DRAW, "text.ini:4: unknown key in [data] 'form'");
    ASSERT_FAULT(TOP "[date]\n" DRAW, "text.ini:3: unknown section 'date': did you mean 'data'?");
    ASSERT_FAULT(TOP "[data]\nfrom.cpu = measured\n" DRAW, "text.ini:4: unknown key");
    ASSERT_FAULT(TOP "[measure]\nkind.cpu = runs\n" DRAW, "text.ini:4: unknown key");
    ASSERT_FAULT(TOP "[measure]\nnx.gpu = 1\n" DRAW, "text.ini:4: unknown key");
    ASSERT_FAULT("title = \xff\n", "text.ini:1: this line is not UTF-8");
    ASSERT_FAULT(TOP "[measure]\nny.cpu = 1\n" DRAW, "text.ini:4: unknown key");
    ASSERT_FAULT(TOP "missing. = 1\n" DRAW, "text.ini:3: unknown key");
    ASSERT_FAULT(TOP "title.cpu = 1\n" DRAW, "text.ini:3: unknown key");
    ASSERT_FAULT(TOP DRAW "x_label = 1\n", "text.ini:5: 'x_label' is not a valid name of [draw]");
    ASSERT_FAULT(TOP DRAW "[facts]\n2nd = 1\n", "text.ini:6: '2nd' is not a valid name of [facts]");
    ASSERT_FAULT(TOP DRAW "[facts]\na-b = 1\n", "text.ini:6: 'a-b' is not a valid name of [facts]");
}

static void what_may_stand_once_is_refused_twice(void **state)
{
    (void)state;
    ASSERT_FAULT(TOP "title = x\n" DRAW, "text.ini:3: title is given twice, first on line 1");
    ASSERT_FAULT(TOP DRAW "shape = x\n", "text.ini:5: shape is given twice, first on line 4");
    ASSERT_FAULT(TOP DRAW DRAW, "text.ini:5: there is a section [draw] already, on line 3");
    ASSERT_FAULT(TOP DRAW "[facts]\na = 1\na = 2\n", "text.ini:7: a is given twice");
}

static void lines_that_are_no_settings_are_refused(void **state)
{
    (void)state;
    ASSERT_FAULT("  title = x\n", "text.ini:1: a line that begins with a blank");
    ASSERT_FAULT(TOP "[draw]\n  shape = x\n", "text.ini:4: a line that begins with a blank");
    ASSERT_FAULT(TOP "just words\n" DRAW, "text.ini:3: 'just words' is not a setting");
    ASSERT_FAULT(TOP "[draw\nshape = x\n", "text.ini:3: '[draw' is not a section");
    ASSERT_FAULT(TOP "caption =  # nothing\n" DRAW, "text.ini:3: caption: the value is missing");
    ASSERT_FAULT("", "empty");
}

static void what_must_be_there_is_asked_for(void **state)
{
    (void)state;
    ASSERT_FAULT("chapter = x\n" DRAW, "add a line 'title = ...'");
    ASSERT_FAULT("title = x\n" DRAW, "add a line 'chapter = ...'");
    ASSERT_FAULT(TOP, "add a section [draw]");
    ASSERT_FAULT(TOP "[draw]\ntemplate = x\n", "text.ini:3: [draw] must have 'shape = ...'");
}

static void words_are_separated_by_blanks_and_kept_together_by_quotes(void **state)
{
    struct experiment x;
    char word[4][EXPERIMENT_WORD + 1];
    (void)state;
    ASSERT_FINE(read_text(&x, TOP DRAW "a = one  \"two three\" four\nb = \"one\ntwo = \"a\"b\n"));
    const struct section *draw = experiment_section(&x, "draw", 0);
    const char *value = experiment_value(&x, draw, "a");
    assert_int_equal(experiment_words(&x, value, word, 4), 3);
    assert_string_equal(word[0], "one");
    assert_string_equal(word[1], "two three");
    assert_string_equal(word[2], "four");
    assert_int_equal(experiment_words(&x, NULL, word, 4), 0);
    assert_int_equal(experiment_words(&x, value, word, 2), -1);
    ASSERT_HAS(err_message(), "text.ini:5: a: expected at most 2 words");
    assert_int_equal(experiment_words(&x, experiment_value(&x, draw, "b"), word, 4), -1);
    ASSERT_HAS(err_message(), "text.ini:6: b: ");
    assert_int_equal(experiment_words(&x, experiment_value(&x, draw, "two"), word, 4), -1);
    assert_int_equal(experiment_fault(&x, value + 5, "%s", "no good"), ERR_INPUT);
    ASSERT_HAS(err_message(), "text.ini:5: a: no good");
    experiment_free(&x);
}

static void experiments_are_listed_by_name_in_byte_order(void **state)
{
    struct experiment_list list;
    struct experiment x;
    (void)state;
    scratch_write("experiments/dt-factor.ini", "w", TOP DRAW);
    scratch_write("experiments/a.ini", "w", TOP DRAW);
    scratch_write("experiments/README.md", "w", "");
    scratch_write("experiments/.a.ini", "w", "");
    ASSERT_FINE(experiment_list_read(&list));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.name[0], "a");
    assert_string_equal(list.name[1], "dt-factor");
    experiment_list_free(&list);
    assert_int_equal(experiment_read(&x, "dtfactor"), ERR_USAGE);
    ASSERT_HAS(err_message(), "unknown experiment 'dtfactor': did you mean 'dt-factor'?");
    assert_int_equal(experiment_read(&x, "../experiments/a"), ERR_USAGE);
    scratch_write("experiments/Dt.ini", "w", TOP DRAW);
    assert_int_equal(experiment_list_read(&list), ERR_INPUT);
    ASSERT_HAS(err_message(), "experiments/Dt.ini: ");
}

static void the_program_lists_experiments_and_names_one_that_cannot_be_read(void **state)
{
    (void)state;
    scratch_write("experiments/dt-factor.ini", "w", "figure = thesis 3.2\n" TOP DRAW);
    scratch_write("experiments/new.ini", "w",
                  TOP "[measure]\nkind = counters\ntakes = a minute\nneeds = a GPU\n" DRAW);
    SHOAL("list", "experiments");
    ASSERT_STATUS(0);
    static const char listed[] = "dt-factor  A title (thesis 3.2)\n"
                                 "new        A title; takes a minute; needs a GPU\n";
    assert_string_equal(result.out, listed);
    scratch_write("experiments/faulty.ini", "w", "titel = x\n");
    SHOAL("list", "experiments");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "faulty.ini:1: unknown key");
    ASSERT_HAS(result.out, listed);
}

static void every_experiment_of_the_installation_can_be_read(void **state)
{
    struct experiment_list list;
    (void)state;
    ASSERT_FINE(experiment_list_read(&list));
    assert_true(list.count > 0);
    for (int k = 0; k < list.count; k++) {
        struct experiment x;
        ASSERT_FINE(experiment_read(&x, list.name[k]));
        assert_string_equal(x.name, list.name[k]);
        experiment_free(&x);
    }
    experiment_list_free(&list);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_of_the_installation_can_be_read),
        IN_SCRATCH(sections_and_values_are_found_by_name),
        IN_SCRATCH(a_value_goes_on_in_lines_that_begin_with_a_blank),
        IN_SCRATCH(what_means_nothing_is_refused_with_its_place_and_the_nearest),
        IN_SCRATCH(what_may_stand_once_is_refused_twice),
        IN_SCRATCH(lines_that_are_no_settings_are_refused),
        IN_SCRATCH(what_must_be_there_is_asked_for),
        IN_SCRATCH(words_are_separated_by_blanks_and_kept_together_by_quotes),
        IN_SCRATCH(experiments_are_listed_by_name_in_byte_order),
        IN_SCRATCH(the_program_lists_experiments_and_names_one_that_cannot_be_read),
    };
    if (program_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
