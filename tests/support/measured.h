/* An experiment "it" in an installation of its own, and the rows that measuring it left; include after
 * cmocka.h. */
#ifndef SHOAL_TEST_MEASURED_H
#define SHOAL_TEST_MEASURED_H

#include <math.h>

#include "core/tuning_db.h"
#include "tests/support/program.h"

static char database[PATH_LENGTH];
static char *path_before;

/* An installation with experiments of its own; kernels that are compiled go where they always do. */
static inline int prepare(void **state)
{
    char to[PATH_LENGTH], from[PATH_LENGTH], home[PATH_LENGTH];
    const char *cache;
    (void)state;
    if (program_find() || place_file("kernels", from) || place_cache(&cache))
        return 1;
    setenv("SHOAL_CACHE", cache, 1);
    scratch_create();
    scratch_folder("home");
    scratch_folder("home/experiments");
    scratch_folder("home/tuning_db");
    scratch_folder("db");
    scratch_path(to, "home/kernels");
    scratch_path(home, "home");
    scratch_path(database, "db");
    path_before = strdup(getenv("PATH"));
    return symlink(from, to) || setenv("SHOAL_HOME", home, 1) || setenv("SHOAL_DB", database, 1);
}

static inline int tidy(void **state)
{
    setenv("PATH", path_before, 1);
    free(path_before);
    unsetenv("SHOAL_HOME");
    unsetenv("SHOAL_DB");
    unsetenv("SHOAL_CACHE");
    return scratch_remove(state);
}

#define PREPARED(test) cmocka_unit_test_setup_teardown(test, prepare, tidy)

/* An experiment "it" with this in its [measure]. */
static inline void write_experiment(const char *wanted)
{
    scratch_write("home/experiments/it.ini", "w",
                  "title = t\nchapter = c\n[draw]\nshape = table\n[measure]\n");
    scratch_write("home/experiments/it.ini", "a", wanted);
}

#define ON_CPU                "--backend", "cpu", "--threads", "1"
#define MEASURE(...)          SHOAL("measure", "it", __VA_ARGS__)
#define ASSERT_NEAR(a, b, by) assert_true(fabs((a) - (b)) <= (by))

/* The only table of the experiment. */
static inline struct db_cells rows_of_it(void)
{
    struct db_list list;
    struct db_cells t = {0};
    assert_int_equal(db_list_read(database, &list), ERR_OK);
    for (size_t k = 0; k < list.count; k++) {
        char path[PATH_LENGTH];
        const size_t n = strlen(list.path[k]);
        if (n < 6 || strcmp(list.path[k] + n - 6, "it.tsv") != 0)
            continue;
        assert_null(t.cell);
        assert_int_equal(db_path(database, list.path[k], path), ERR_OK);
        assert_int_equal(db_cells_read(path, &t), ERR_OK);
    }
    db_list_free(&list);
    assert_non_null(t.cell);
    return t;
}

static inline const char *text_of(const struct db_cells *t, size_t row, const char *column)
{
    const int at = db_cells_column(t, column);
    if (at < 0)
        fail_msg("no column %s", column);
    return db_cells_at(t, row, at);
}

static inline double number_of(const struct db_cells *t, size_t row, const char *column)
{
    char *end;
    const char *text = text_of(t, row, column);
    const double x = strtod(text, &end);
    if (end == text || *end)
        fail_msg("row %zu, %s: '%s' is no number", row, column, text);
    return x;
}

/* The row with this text in a column. */
static inline size_t row_with(const struct db_cells *t, const char *column, const char *text)
{
    for (size_t row = 1; row < t->rows; row++)
        if (strcmp(text_of(t, row, column), text) == 0)
            return row;
    fail_msg("no row has %s = %s", column, text);
    return 0;
}

#endif
