/* The tables of options and commands: every row is complete and true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/command/find_command.h"
#include "core/options/run_config.h"

enum { LONGEST_LINE = 100, HELP_COLUMN = 24 };

/* Calls `check` with every command and every action of `shoal db`. */
static void for_each_command(void (*check)(const struct command *c))
{
    for (const struct command *const *c = commands; *c; c++)
        check(*c);
    for (const struct command *const *c = db_actions; *c; c++)
        check(*c);
}

static void check_words(const struct command *c)
{
    assert_true(c->title && c->arguments && c->run && c->least <= c->most);
    if (c->least > 0 && !c->missing)
        fail_msg("%s does not say what is missing", c->name);
    if (c->most > 0 && !*c->arguments)
        fail_msg("%s does not say which words it takes", c->name);
    if (c->instead && !option_find(c->options, c->instead + strlen("--")))
        fail_msg("%s: there is no %s to suggest", c->name, c->instead);
    if (c->settings > 0 && !c->options)
        fail_msg("%s: nothing fills its settings", c->name);
}

static void what_a_command_says_of_its_words_holds(void **state)
{
    (void)state;
    for_each_command(check_words);
}

static void check_row(const struct command *c, const struct option *o)
{
    const size_t standard = o->initial ? strlen(o->initial) : o->unset ? strlen(o->unset) : 0;
    if (!o->help || !o->type || (o->type == &option_flag) != !o->value)
        fail_msg("%s --%s lacks its help, its type, or what its value is called", c->name, o->name);
    if (option_find(c->options, o->name) != o)
        fail_msg("%s --%s: a row above has the same name", c->name, o->name);
    if (HELP_COLUMN + strlen(o->help) + (standard ? standard + strlen(" ()") : 0) > LONGEST_LINE)
        fail_msg("%s --%s: its line of the help is too long", c->name, o->name);
}

/* The default is one of the values, and a reset member is as if it had been given. */
static void check_default(const struct command *c, const struct option *o)
{
    const size_t size = c->settings ? c->settings : sizeof(struct config);
    char *by_reset = calloc(1, size), *by_hand = calloc(1, size);
    assert_true(by_reset && by_hand && o->offset + o->size <= size);
    option_reset(o, by_reset);
    option_reset(o, by_hand);
    if (o->initial && option_set(o, by_hand, o->initial))
        fail_msg("%s --%s: its default: %s", c->name, o->name, err_message());
    if (memcmp(by_reset, by_hand, size) != 0)
        fail_msg("%s --%s: its default is another value than that it names", c->name, o->name);
    free(by_reset);
    free(by_hand);
}

static void check_rows(const struct command *c)
{
    for (const struct option *o = c->options; o && o->name; o++) {
        check_row(c, o);
        check_default(c, o);
    }
}

static void every_row_is_complete_and_its_default_a_value(void **state)
{
    (void)state;
    for_each_command(check_rows);
}

struct settings {
    char names[NAME_LENGTH], word[8];
    int flag, count, order, size;
};
static const char *const orders[] = {"auto", "first", "second", NULL};
static const char *const sizes[] = {"auto", "small", NULL};
static const struct option options[] = {
    {"names", "NAME[,NAME]", "schemes", NAMES_IN(struct settings, names, LIST_SCHEMES)},
    {"word", "TEXT", "a word", TEXT_IN(struct settings, word), .initial = "six"},
    {"flag", NULL, "a flag", FLAG_IN(struct settings, flag)},
    {"count", "N", "a count", COUNT_IN(struct settings, count, 0, 9), .initial = "3"},
    {"order", "ORDER", "an order", CHOICE_IN(struct settings, order, orders), .initial = "auto"},
    {"size", "SIZE", "a size", CHOICE_IN(struct settings, size, sizes), .initial = "auto"},
    {.name = NULL},
};

static enum err read_line(struct settings *s, int most, const char *line)
{
    char text[256], *argv[8], *rest = strcpy(text, line);
    const char *word[8];
    int argc = 0;
    struct arguments a = {
        .command = "try", .options = options, .word = word, .most = most, .takes = "[FILE]"};
    while (rest)
        argv[argc++] = strsep(&rest, " ");
    options_reset(options, s);
    return options_read(&a, argc, argv, s);
}

static void a_line_is_read_by_the_table(void **state)
{
    static const struct {
        int most;
        const char *line, *message;
    } faults[] = {
        {1, "--cuont 3", "unknown option '--cuont': did you mean '--count'? `shoal try --help`"},
        {1, "--second", "unknown option '--second': did you mean '--order second'? `shoal try"},
        {1, "--auto", "unknown option '--auto': `shoal try"},
        {1, "--count", "--count needs a value: --count N"},
        {1, "--count --flag", "--count needs a value"},
        {1, "--count=", "--count: the value is empty"},
        {1, "--count 10", "--count: expected 0 to 9, got 10"},
        {1, "--count 1.5", "--count: expected a whole number, got '1.5'"},
        {1, "--flag=1", "--flag: expected yes or no, got '1'"},
        {1, "--word sixteen-", "--word: expected at most 7 characters, got 8"},
        {1, "--names rk2,rk3", "--names: unknown names 'rk3': did you mean 'rk2'?"},
        {1, "-f", "options begin with --"},
        {1, "a b", "unexpected 'b': try takes [FILE]"},
        {0, "a", "try takes options only, not 'a'"},
    };
    struct settings s;
    (void)state;
    assert_int_equal(read_line(&s, 1, "--names rk2,euler file --flag --count=0 --count=4"), ERR_OK);
    assert_string_equal(s.names, "rk2,euler");
    assert_string_equal(s.word, "six");
    assert_true(s.flag && s.count == 4);
    assert_true(s.order == 0 && s.size == 0);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        assert_int_equal(read_line(&s, faults[k].most, faults[k].line), ERR_USAGE);
        if (!strstr(err_message(), faults[k].message))
            fail_msg("'%s' is not in '%s'", faults[k].message, err_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_command_says_of_its_words_holds),
        cmocka_unit_test(every_row_is_complete_and_its_default_a_value),
        cmocka_unit_test(a_line_is_read_by_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
