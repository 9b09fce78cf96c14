/* An installation of its own in the scratch folder, with experiments that tests write, and an empty
 * database; include after cmocka.h. */
#ifndef SHOAL_TEST_EXPERIMENTS_H
#define SHOAL_TEST_EXPERIMENTS_H

#include "tests/support/database.h"

static char home_before[PATH_LENGTH];

/* Compiled kernels go to the usual cache. */
static inline int install_experiments(void **state)
{
    char to[PATH_LENGTH], from[PATH_LENGTH], plots[PATH_LENGTH];
    const char *cache, *own;
    if (paths_home(&own) || paths_file("kernels", from) || paths_file("plots", plots) ||
        paths_cache(&cache) || setenv("SHOAL_CACHE", cache, 1) || use_empty_database(state))
        return 1;
    snprintf(home_before, sizeof home_before, "%s", own);
    scratch_folder("home");
    scratch_folder("home/experiments");
    scratch_path(to, "home/kernels");
    if (symlink(from, to))
        return 1;
    scratch_path(to, "home/plots");
    if (symlink(plots, to))
        return 1;
    scratch_path(to, "home");
    return setenv("SHOAL_HOME", to, 1);
}

static inline int remove_experiments(void **state)
{
    setenv("SHOAL_HOME", home_before, 1);
    return scratch_remove(state);
}

#define INSTALLED(test) \
    cmocka_unit_test_setup_teardown(test, install_experiments, remove_experiments)

/* home/experiments/it.ini, whose [measure] begins on line 5. */
static inline void write_experiment(const char *wanted)
{
    static const char head[] = "title = t\nchapter = c\n[draw]\nshape = table\n[measure]\n";
    scratch_write("home/experiments/it.ini", "w", head);
    scratch_write("home/experiments/it.ini", "a", wanted);
}

struct db_fault {
    int count;
    char text[PATH_LENGTH + 512];
};

static inline void note_fault(void *context, const char *path, int line, const char *what)
{
    struct db_fault *f = context;
    f->count++;
    snprintf(f->text, sizeof f->text, "%s:%d: %s", path, line, what);
}

/* Checks the database; returns its number of rows. */
static inline int count_rows(void)
{
    char path[PATH_LENGTH];
    struct db_checked sum;
    struct db_fault f = {0};
    scratch_path(path, "db");
    assert_fine(db_check(path, note_fault, &f, &sum));
    if (f.count)
        fail_msg("%d faults: %s", f.count, f.text);
    return sum.rows;
}

/* The folder of the only environment. */
static inline void find_environment(char environment[PATH_LENGTH])
{
    struct db_list list;
    char database[PATH_LENGTH];
    scratch_path(database, "db");
    assert_fine(db_list_read(database, &list));
    size_t k = 0;
    while (k < list.count && !strstr(list.path[k], "/manifest.json"))
        k++;
    assert_true(k < list.count);
    assert_fine(db_path(database, list.path[k], environment));
    *strrchr(environment, '/') = '\0';
    db_list_free(&list);
}

static inline struct db_cells rows_of(const char *experiment)
{
    struct db_cells t;
    char folder[PATH_LENGTH], name[PATH_LENGTH], path[PATH_LENGTH];
    find_environment(folder);
    snprintf(name, sizeof name, "experiments/%s.tsv", experiment);
    assert_fine(db_path(folder, name, path));
    assert_fine(db_cells_read(path, &t));
    return t;
}

static inline const char *cell(const struct db_cells *t, size_t row, const char *column)
{
    const int k = db_cells_column(t, column);
    if (k < 0)
        fail_msg("there is no column %s", column);
    return db_cells_at(t, row, k);
}

#define ON_CPU       "--backend", "cpu", "--threads", "1"
#define MEASURE(...) SHOAL("measure", __VA_ARGS__, ON_CPU)

/* Measures `it` on one thread; returns its rows. */
static inline struct db_cells measured(const char *wanted)
{
    write_experiment(wanted);
    MEASURE("it");
    ASSERT_STATUS(0);
    return rows_of("it");
}

/* Expects that measuring it ends with this status and message. */
static inline void assert_refused_as(const char *wanted, int status, const char *why)
{
    write_experiment(wanted);
    MEASURE("it");
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, why);
}

#endif
