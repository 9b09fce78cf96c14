/* An experiment from text, tables with its rows, and a database of SQL without devices; include
 * after cmocka.h. */
#ifndef SHOAL_TEST_TABLES_H
#define SHOAL_TEST_TABLES_H

#include <math.h>

#include "core/base/decimal.h"
#include "plots/data/figure_tables.h"
#include "tests/support/test.h"
#include "tests/support/scratch.h"

static inline void assert_said(const char *message)
{
    if (!strstr(err_message(), message))
        fail_msg("no '%s' in '%s'", message, err_message());
}

/* An installation in the scratch folder. */
static inline int install(void **state)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    const char *found;
    (void)state;
    fine(paths_home(&found));
    snprintf(from, sizeof from, "%.3000s/plots", found);
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("experiments");
    scratch_write("kernels/tile.h", "w", "");
    scratch_path(to, "plots");
    return symlink(from, to) || setenv("SHOAL_HOME", scratch, 1);
}

static inline int uninstall(void **state)
{
    unsetenv("SHOAL_HOME");
    return scratch_remove(state);
}

#define INSTALLED(test) cmocka_unit_test_setup_teardown(test, install, uninstall)

/* Sections follow the four lines common to all experiments. */
static inline struct experiment experiment_of(const char *sections)
{
    struct experiment read;
    scratch_write("experiments/text.ini", "w",
                  "title = A title\nchapter = A chapter\n[draw]\nshape = table\n");
    scratch_write("experiments/text.ini", "a", sections);
    fine(experiment_read(&read, "text"));
    return read;
}

static inline int count_of(const char *text, char c)
{
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

/* Columns and rows as text: commas separate cells, line ends separate rows; "-" is unknown. */
static inline void fill_rows(struct rowset *a, const char *text)
{
    char *copy = strdup(text), *next = copy;
    assert_non_null(copy);
    char *names = strsep(&next, "\n");
    fine(rowset_create(a, count_of(names, ',') + 1));
    for (int k = 0; k < a->columns; k++)
        fine(rowset_name(a, k, strsep(&names, ",")));
    for (char *line = strsep(&next, "\n"); line && *line; line = strsep(&next, "\n")) {
        fine(rowset_add_row(a));
        for (int k = 0; k < a->columns; k++) {
            const char *cell = strsep(&line, ",");
            const double number = decimal_read(cell);
            if (!isnan(number))
                fine(rowset_set_number(a, k, number));
            else if (strcmp(cell, "-") != 0)
                fine(rowset_set_text(a, k, cell));
        }
    }
    free(copy);
}

enum { TEST_TABLES = 8 };

static inline void add_table(struct plot_tables *t, const char *name, const char *text)
{
    if (!t->at)
        t->at = calloc(TEST_TABLES, sizeof *t->at);
    assert_true(t->at && t->count < TEST_TABLES);
    snprintf(t->at[t->count].name, sizeof t->at->name, "%s", name);
    fill_rows(&t->at[t->count++].answer, text);
}

static const struct plot_devices no_devices;

static inline struct database *open_without_devices(void)
{
    struct database *d;
    fine(database_open(&d, &no_devices, EVERY_DEVICE));
    return d;
}

/* A table from the columns and rows of fill_rows. */
static inline void keep_table(struct database *d, const char *name, const char *text)
{
    char query[4096], *copy = strdup(text), *next = copy;
    assert_non_null(copy);
    size_t n =
        (size_t)snprintf(query, sizeof query, "WITH t (%s) AS (VALUES ", strsep(&next, "\n"));
    for (char *line = strsep(&next, "\n"); line && *line; line = strsep(&next, "\n")) {
        query[n++] = '(';
        for (char *cell = strsep(&line, ","); cell; cell = strsep(&line, ",")) {
            const int number = !isnan(decimal_read(cell)), nothing = strcmp(cell, "-") == 0;
            n += (size_t)snprintf(query + n, sizeof query - n,
                                  nothing  ? "NULL,"
                                  : number ? "%s + 0.0,"
                                           : "'%s',",
                                  cell);
        }
        query[n - 1] = ')';
        query[n++] = ',';
    }
    snprintf(query + n - 1, sizeof query - n, ") SELECT * FROM t");
    fine(database_keep(d, name, query));
    free(copy);
}

#endif
