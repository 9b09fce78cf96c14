/* A database with the whole space of a kernel, and the commands that export and import it;
 * include after cmocka.h. */
#ifndef SHOAL_TEST_EXPORTS_H
#define SHOAL_TEST_EXPORTS_H

#include "core/base/json.h"
#include "core/base/whole_file.h"
#include "core/registry/registry.h"
#include "experiments/tuner/search.h"
#include "tests/support/database.h"
#include "tests/support/printed.h"

extern const struct command db_action_export, db_action_import;

/* All files of exports/ have this name, with different endings. */
static char stem[PATH_LENGTH];
static int oks, rows_written;
static const struct block best = {64, 4};

/* A time for each block; `best` has the least. */
static inline double time_of(struct block b)
{
    return 100 + fabs(log2((double)b.w / best.w)) * 20 + fabs(log2((double)b.h / best.h)) * 7;
}

static inline struct db_row awkward_row(struct block b, int k)
{
    static const enum db_outcome outcomes[] = {DB_COMPILE, DB_LAUNCH, DB_WRONG_ANSWER, DB_TIME_OUT};
    struct db_row row = failed_row(b.w, b.h, outcomes[k % 4]);
    /* A time-out with a measured time, a text that needs escaping, one cut within a character. */
    if (k == 7) {
        const struct db_row timed = row_of(b.w, b.h, 1000);
        memcpy(row.number, timed.number, sizeof row.number);
        strcpy(row.method, "cupti");
    }
    if (k == 0)
        strcpy(row.reason, "expected \"x\" \\ near \xe2\x80\x98y\xe2\x80");
    if (k == 1)
        strcpy(row.reason, "RuntimeFailedConfig");
    if (k == 4)
        strcpy(row.binary, "-");
    return row;
}

/* The declared space of flux_fgh0, whole: eight failures of all kinds, blocks that are too large,
 * the rest ok; the best one in two sessions, of which the older one was luckier. */
static inline int build_space(void **state)
{
    char path[PATH_LENGTH];
    struct blocks all;
    int failures = 0;
    build_database(state);
    assert_fine(space_list(find_kernel("flux_fgh0"), CUDA, &all));
    struct db_row *rows = calloc((size_t)all.count + 1, sizeof *rows);
    assert_non_null(rows);
    oks = rows_written = all.count;
    for (int k = 0; k < all.count; k++) {
        const struct block b = all.at[k];
        char why[SPACE_WHY];
        rows[k] = row_of(b.w, b.h, time_of(b));
        rows[k].number[DB_COMPILE_COST] = 38.2;
        if (space_breaks(find_kernel("flux_fgh0"), CUDA, b, why, sizeof why))
            rows[k] = failed_row(b.w, b.h, DB_CONSTRAINT);
        else if (failures < 8 && (b.w != best.w || b.h != best.h))
            rows[k] = awkward_row(b, failures++);
        strcpy(rows[k].session, "0000000b");
        oks -= rows[k].outcome != DB_OK;
    }
    rows[all.count] = row_of(best.w, best.h, 90);
    write_rows(TABLE, rows, (size_t)all.count + 1);
    free(rows);
    blocks_free(&all);
    snprintf(stem, sizeof stem, "exports/flux_fgh0-%s-%s-circular-dam-64x64-f32-fast-" SOURCE,
             "made-up-9", strrchr(home, '/') + 1);
    scratch_path(path, "db");
    return setenv("SHOAL_DB", path, 1) || chdir(scratch);
}

static inline int remove_space(void **state)
{
    return chdir("/") || unsetenv("SHOAL_DB") || scratch_remove(state);
}

#define IN_SPACE(test) cmocka_unit_test_setup_teardown(test, build_space, remove_space)

#define EXPORT(...) run_action(&db_action_export, (const char *const[]){__VA_ARGS__, NULL})
#define IMPORT(...) run_action(&db_action_import, (const char *const[]){__VA_ARGS__, NULL})

static inline const char *exported(const char *ending)
{
    static char name[2 * PATH_LENGTH];
    snprintf(name, sizeof name, "%s%s", stem, ending);
    return name;
}

#endif
