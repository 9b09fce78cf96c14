/* Rows of kernels as queries see them, of a made-up database or of the one in git; include after cmocka.h. */
#ifndef SHOAL_TEST_KERNEL_SOURCES_H
#define SHOAL_TEST_KERNEL_SOURCES_H

#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "plots/data/figure_tables.h"
#include "tests/support/database.h"
#include "tests/support/near.h"
#include "tests/support/test.h"

#define PLUGINS     "limiter=minmod flux=central_upwind reconstruction=kp"
#define OTHER_HASH  "ba9876543210"
#define OTHER_FLAGS "\"strict\": \"mode=strict " PLUGINS "\""
#define RUN_MANIFEST                                                                   \
    "{\n  \"format\": 1,\n" ENVIRONMENT "  \"flags\": {\"fast\": \"mode=fast " PLUGINS \
    "\", " OTHER_FLAGS "},\n" SESSIONS "}\n"

/* The same with another driver, measured later. */
#define LATER_MANIFEST                                                                            \
    "{\n  \"format\": 1,\n  \"environment\": {\"backend\": \"cuda\", \"device\": \"Made Up 9\", " \
    "\"driver\": \"1.3\"},\n  \"flags\": {\"fast\": \"mode=fast " PLUGINS                         \
    "\"},\n  \"sessions\": {\"0000000c\": {\"commit\": \"abe\", \"dirty\": \"no\", \"started\": " \
    "\"2014-05-17T12:00:00Z\"}}\n}\n"

/* db/made-up-9/0123456789ab, with the flags of a run without options. */
static inline int build(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("db");
    build_environment("made-up-9", SOURCE, RUN_MANIFEST);
    scratch_path(path, "db");
    return setenv("SHOAL_DB", path, 1);
}

static inline int destroy(void **state)
{
    unsetenv("SHOAL_DB");
    return scratch_remove(state);
}

/* The answer of the database in its present state. */
static inline enum err try_query(const char *query, struct rowset *t)
{
    struct plot_devices all;
    fine(plot_devices_read(&all, ""));
    const enum err e = database_ask(all.database, query, NULL, t);
    plot_devices_free(&all);
    return e;
}

static inline struct rowset ask(const char *query)
{
    struct rowset t;
    assert_fine(try_query(query, &t));
    return t;
}

static inline const char *text_at(const struct rowset *t, size_t row, const char *column)
{
    const int c = rowset_column(t, column);
    if (c < 0 || row >= t->rows)
        fail_msg("no column %s, or no row %zu", column, row);
    return rowset_at(t, row, c);
}

static inline double cell(const struct rowset *t, size_t row, const char *column)
{
    text_at(t, row, column);
    return rowset_number(t, row, rowset_column(t, column));
}

/* The first row of a block; fails if there is none. */
static inline size_t row_at(const struct rowset *t, int w, int h)
{
    for (size_t k = 0; k < t->rows; k++)
        if ((int)cell(t, k, "width") == w && (int)cell(t, k, "height") == h)
            return k;
    fail_msg("no row of %dx%d", w, h);
    return 0;
}

static inline double sum(const struct rowset *t, const char *column)
{
    double total = 0;
    for (size_t k = 0; k < t->rows; k++)
        total += cell(t, k, column);
    return total;
}

/* The present text of flux_fgh0, and its code. */
static inline struct text_digests digests_now(void)
{
    struct text_digests digests;
    const struct recipe r = {.kernel = find_kernel("flux_fgh0"),
                             .block = {32, 8},
                             .mode = FAST_MODE,
                             .switches = "",
                             .limiter = "minmod",
                             .flux = "central_upwind",
                             .reconstruction = "kp"};
    assert_fine(recipe_digests(&r, &digests));
    return digests;
}

static inline void hash_now(char hash[RECIPE_HASH + 1])
{
    snprintf(hash, RECIPE_HASH + 1, "%s", digests_now().text);
}

#define BUILT(test) cmocka_unit_test_setup_teardown(test, build, destroy)

#define BLOCKS_IN_ORDER "SELECT * FROM blocks ORDER BY place, width, height"

#endif
