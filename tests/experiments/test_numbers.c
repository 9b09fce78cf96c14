/* The numbers in READMEs are those of the tuning database: tests/numbers. */
#include "tests/support/test.h"

#include <ctype.h>

#include "core/db/raw_rows.h"
#include "core/base/whole_file.h"
#include "plots/figures/draw.h"

enum { TEXT = 4096, PARTS = 4 };

/* One line of the list. */
struct number {
    const char *file, *experiment, *device, *text;
};

static struct plot_devices devices;
static struct figure figure;
static char opened[256]; /* which figure that is */

static void open_figure(const struct number *n)
{
    char name[sizeof opened];
    int k = 0;
    snprintf(name, sizeof name, "%s %s", n->experiment, n->device);
    if (strcmp(name, opened) == 0)
        return;
    if (*opened)
        figure_close(&figure);
    while (k < devices.count && strcmp(devices.at[k].device, n->device) != 0)
        k++;
    if (k == devices.count)
        fail_msg("tests/numbers: no device '%s' in the database", n->device);
    strcpy(opened, name);
    fine(figure_open(&figure, n->experiment, &devices, &devices.at[k]));
    if (!figure.tables.present)
        fail_msg("tests/numbers: %s has no rows of %s", n->device, n->experiment);
    for (k = 0; k < figure.tables.count; k++)
        fine(database_keep(figure.database, figure.tables.at[k].name, figure.tables.at[k].query));
}

/* Appends the value of "EXPRESSION:.1f". */
static void evaluate(const char *inside, size_t length, char *to)
{
    char expression[TEXT], format[32] = "%";
    struct value v;
    snprintf(expression, sizeof expression, "%.*s", (int)length, inside);
    char *colon = strrchr(expression, ':');
    if (!colon || strlen(colon) >= sizeof format - 1) {
        fail_msg("tests/numbers: {%s} needs a format, :.1f for example", expression);
        return;
    }
    *colon = '\0';
    strcat(format, colon + 1);
    fine(facts_value(&figure.facts, figure.database, expression, &v));
    if (!v.known || value_is_word(&v))
        fail_msg("tests/numbers: %s of %s is no number", expression, opened);
    sprintf(to + strlen(to), format, v.number);
}

static void fill(const struct number *n, char filled[TEXT])
{
    open_figure(n);
    *filled = '\0';
    for (const char *c = n->text; c && *c;) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end) {
            evaluate(c + 1, (size_t)(end - c - 1), filled);
            c = end + 1;
        } else {
            strncat(filled, c++, 1);
        }
    }
}

/* Replaces every sequence of blanks and line ends by one blank, in place. */
static void fold(char *text)
{
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        const int blank = isspace((unsigned char)*c);
        if (!blank || (n && text[n - 1] != ' '))
            text[n++] = (char)(blank ? ' ' : *c);
    }
    text[n] = '\0';
}

static char *read_folded(const char *name)
{
    char path[PATH_LENGTH], *text;
    fine(paths_file(name, path));
    fine(whole_file_read(path, WHOLE_DATA, &text, NULL));
    fold(text);
    return text;
}

static int check(const struct number *n)
{
    char filled[TEXT], *text = read_folded(n->file);
    fill(n, filled);
    fold(filled);
    const int stale = strstr(text, filled) == NULL;
    if (stale)
        print_error("%s is stale (%s, %s); write: %s\n", n->file, n->experiment, n->device, filled);
    free(text);
    return stale;
}

static void readmes_tell_what_the_database_has(void **state)
{
    char path[PATH_LENGTH], *line = NULL;
    size_t room = 0;
    int checked = 0, stale = 0;
    (void)state;
    unsetenv("SHOAL_DB"); /* tests/runner points it to nowhere */
    fine(plot_devices_read(&devices, ""));
    fine(paths_file("tests/numbers", path));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (getline(&line, &room, f) > 0) {
        char *part[PARTS] = {NULL}, *next = line;
        int count = 0;
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || !*line)
            continue;
        for (; count < PARTS - 1 && next; count++)
            part[count] = strsep(&next, ";") + (count ? 1 : 0);
        if (!next) {
            fail_msg("tests/numbers: expected 'FILE; EXPERIMENT; DEVICE; TEXT', got '%s'", line);
            return;
        }
        const struct number n = {part[0], part[1], part[2], next + 1};
        stale += check(&n);
        checked++;
    }
    free(line);
    fclose(f);
    figure_close(&figure);
    plot_devices_free(&devices);
    assert_true(checked >= 10);
    assert_int_equal(stale, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readmes_tell_what_the_database_has)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
