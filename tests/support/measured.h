/* Measures an experiment "it", and reads the numbers of its rows; include after cmocka.h. */
#ifndef SHOAL_TEST_MEASURED_H
#define SHOAL_TEST_MEASURED_H

#include <math.h>

#include "tests/support/experiments.h"

static char *path_before;

static inline int prepare(void **state)
{
    path_before = strdup(getenv("PATH"));
    return program_find() || install_experiments(state);
}

static inline int tidy(void **state)
{
    setenv("PATH", path_before, 1);
    free(path_before);
    return remove_experiments(state);
}

#define PREPARED(test) cmocka_unit_test_setup_teardown(test, prepare, tidy)

#define MEASURE_IT(...)       SHOAL("measure", "it", __VA_ARGS__)
#define ASSERT_NEAR(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static inline double number_of(const struct db_cells *t, size_t row, const char *column)
{
    char *end;
    const char *text = cell(t, row, column);
    const double x = strtod(text, &end);
    if (end == text || *end)
        fail_msg("row %zu, %s: '%s' is no number", row, column, text);
    return x;
}

/* The row with this text in a column. */
static inline size_t row_with(const struct db_cells *t, const char *column, const char *text)
{
    for (size_t row = 1; row < t->rows; row++)
        if (strcmp(cell(t, row, column), text) == 0)
            return row;
    fail_msg("no row has %s = %s", column, text);
    return 0;
}

#endif
