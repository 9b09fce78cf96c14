/* An interrupted `shoal measure` resumes; what a table lacks. */
#include "tests/support/test.h"

#include "core/base/monotonic_time.h"
#include "tests/support/missing.h"

/* Of how many sessions a table has rows. */
static int count_sessions(const struct db_cells *t)
{
    int n = 0;
    for (size_t k = 1; k < t->rows; k++) {
        size_t first = 1;
        while (strcmp(cell(t, first, "session"), cell(t, k, "session")) != 0)
            first++;
        n += first == k;
    }
    return n;
}

static const char many[] = "kind = runs\ncase = sine circular-dam\nscheme = rk2 euler\nnx = 32\n"
                           "repeat = 40\nunit-cells = yes\n";

/* The number of rows in the table of `it`; 0 if there is no table yet. */
static int rows_so_far(void)
{
    struct db_list list;
    char path[PATH_LENGTH];
    int there = 0;
    scratch_path(path, "db");
    assert_fine(db_list_read(path, &list));
    for (size_t k = 0; k < list.count; k++)
        there |= strcmp(strrchr(list.path[k], '/'), "/it.tsv") == 0; /* not a temporary */
    db_list_free(&list);
    if (!there)
        return 0;
    struct db_cells t = rows_of("it");
    const int rows = (int)t.rows - 1;
    db_cells_free(&t);
    return rows;
}

/* Measures `many` until there are some rows, and more to come. */
static pid_t start_measuring(void)
{
    static const char *const words[] = {"measure", "it", ON_CPU, NULL};
    const double began = seconds();
    write_experiment(many);
    const pid_t pid = program_start(-1, words);
    while (rows_so_far() < 5 && seconds() - began < 300)
        usleep(1000);
    return pid;
}

static void a_signal_ends_measuring_with_status_5_and_a_word_of_how_to_go_on(void **state)
{
    (void)state;
    const pid_t pid = start_measuring();
    kill(pid, SIGINT);
    program_end(pid);
    ASSERT_STATUS(5);
    ASSERT_HAS(result.err, "the same command resumes");
    assert_true(count_rows() >= 5);
}

static void what_another_process_measures_is_left_to_it(void **state)
{
    (void)state;
    const pid_t pid = start_measuring();
    kill(pid, SIGSTOP);
    MEASURE("it");
    const int refused = result.status;
    kill(pid, SIGKILL);
    assert_int_equal(refused, 3);
    ASSERT_HAS(result.err, "is measuring it into");
    program_end(pid);
}

static void a_killed_session_is_gone_on_with_and_nothing_is_measured_twice(void **state)
{
    const int all = 2 * 2 * 40;
    char said[64];
    (void)state;
    const pid_t pid = start_measuring();
    kill(pid, SIGKILL);
    program_end(pid);
    const int had = rows_so_far();
    assert_true(had >= 5 && had < all);
    MEASURE("it");
    ASSERT_STATUS(0);
    snprintf(said, sizeof said, "%d of %d points are missing", all - had, all);
    ASSERT_HAS(result.err, said);
    snprintf(said, sizeof said, "it: %d of %d: ", had + 1, all);
    ASSERT_HAS(result.err, said);
    assert_int_equal(count_rows(), all);
    struct db_cells t = rows_of("it");
    assert_int_equal(count_sessions(&t), 1);
    db_cells_free(&t);
}

static enum err forget_ends(struct db_manifest *m, void *context)
{
    size_t kept = 0;
    (void)context;
    for (size_t k = 0; k < m->count; k++)
        if (strncmp(m->entry[k].key, "records/", 8) != 0 && !strstr(m->entry[k].key, "/ended") &&
            !strstr(m->entry[k].key, "/rows it"))
            m->entry[kept++] = m->entry[k];
    m->count = kept;
    m->changed = 1;
    return ERR_OK;
}

/* Deletes a row. */
static void lose_a_row(void)
{
    char folder[PATH_LENGTH], path[PATH_LENGTH], line[DB_LINE + 2], kept[1 << 16] = "";
    find_environment(folder);
    assert_fine(db_path(folder, "experiments/it.tsv", path));
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    int lines = 0;
    while (fgets(line, sizeof line, f))
        if (++lines != 2)
            strcat(kept, line);
    rewind(f);
    assert_int_equal(ftruncate(fileno(f), 0), 0);
    assert_true(fputs(kept, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static const char *manifest_path(void)
{
    static char path[PATH_LENGTH];
    char folder[PATH_LENGTH];
    find_environment(folder);
    assert_fine(db_path(folder, "manifest.json", path));
    return path;
}

/* Deletes a row, as if the session had been stopped before it. */
static void stop_before_a_row(void)
{
    lose_a_row();
    assert_fine(db_manifest_change(manifest_path(), forget_ends, NULL));
}

/* A profile has a row for each kernel: only their number shows that one is missing. */
static void a_row_lost_from_within_a_point_is_found_by_the_check(void **state)
{
    (void)state;
    write_experiment("kind = profile\ncase = circular-dam\nnx = 32\nrepeat = 1\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    SHOAL("db", "check");
    ASSERT_STATUS(0);
    lose_a_row();
    SHOAL("db", "check");
    ASSERT_STATUS(1);
    ASSERT_HAS(result.out, " rows, ");
    ASSERT_HAS(result.out, "restore them from git");
}

static void another_plan_or_again_begins_a_session(void **state)
{
    static const char wanted[] = "kind = runs\ncase = sine\nnx = 16\nrepeat = 2\nt-end = 0.01\n";
    (void)state;
    write_experiment(wanted);
    MEASURE("it");
    ASSERT_STATUS(0);
    stop_before_a_row();
    assert_int_equal(rows_so_far(), 1);
    MEASURE("it", "--precision", "f64");
    ASSERT_STATUS(0);
    assert_int_equal(rows_so_far(), 3);
    write_experiment("kind = runs\ncase = sine\nnx = 16\nrepeat = 2\nt-end = 0.02\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    assert_int_equal(rows_so_far(), 5);
    write_experiment(wanted);
    scratch_write("home/experiments/it.ini", "a", "takes = a second\n");
    MEASURE("it"); /* continues the first one */
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "1 of 2 points are missing");
    assert_int_equal(count_rows(), 6); /* and the database is sound again */
    lose_a_row();
    MEASURE("it", "--again");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "resuming"));
    assert_int_equal(rows_so_far(), 7);
}

static enum err name_another_program(struct db_manifest *m, void *context)
{
    (void)context;
    for (size_t k = 0; k < m->count; k++)
        if (strstr(m->entry[k].key, "/program") && strncmp(m->entry[k].key, "sessions/", 9) == 0)
            strcpy(m->entry[k].value, "0123456789ab");
    m->changed = 1;
    return ERR_OK;
}

/* A session of another program, or of this one with other kernels, is left alone. */
static void a_session_of_another_program_is_not_gone_on_with(void **state)
{
    (void)state;
    write_experiment("kind = runs\ncase = sine\nnx = 16\nrepeat = 2\nt-end = 0.01\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    stop_before_a_row();
    assert_fine(db_manifest_change(manifest_path(), name_another_program, NULL));
    MEASURE("it");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "a new session begins");
    assert_int_equal(count_rows(), 3);
    struct db_cells t = rows_of("it");
    assert_int_equal(count_sessions(&t), 2);
    db_cells_free(&t);
}

/* Any run takes longer than a microsecond. */
static void what_took_long_enough_is_not_repeated_and_not_missing(void **state)
{
    (void)state;
    write_experiment("kind = runs\ncase = sine\nnx = 16 32\nrepeat = 3\nenough = 1e-6\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 2);
    assert_int_equal(missing_of_it(NULL), 0);
    MEASURE("it"); /* complete: all again */
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 4);
}

static void a_repetition_that_did_not_take_long_enough_is_missing(void **state)
{
    (void)state;
    write_experiment("kind = runs\ncase = sine\nnx = 16\nrepeat = 3\nenough = 1e6\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 3);
    lose_a_row();
    lose_a_row();
    assert_int_equal(missing_of_it(NULL), 2);
}

static void points_without_a_row_of_any_session_are_missing(void **state)
{
    char folder[PATH_LENGTH];
    (void)state;
    write_experiment("kind = runs\ncase = sine\nscheme = rk2 euler\nnx = 16\nrepeat = 2\n"
                     "t-end = 0.01\n");
    scratch_path(folder, "db");
    assert_int_equal(missing_of_it(folder), 4);
    assert_string_equal(first_missing, "rk2, run 1");
    MEASURE("it");
    ASSERT_STATUS(0);
    assert_int_equal(missing_of_it(NULL), 0);
    lose_a_row();
    assert_int_equal(missing_of_it(NULL), 1);
    assert_string_equal(first_missing, "euler, run 1");
    MEASURE("it", "--again");
    ASSERT_STATUS(0);
    assert_int_equal(missing_of_it(NULL), 0);
    scratch_write("home/experiments/it.ini", "w",
                  "title = t\nchapter = c\n[draw]\nshape = table\n");
    assert_int_equal(missing_of_it(NULL), 0);
}

static void a_scheme_that_nobody_measured_yet_is_missing_only_where_it_is_named(void **state)
{
    static const char *const wanted[] = {"rk2 euler", "all"};
    char text[256];
    (void)state;
    write_experiment("kind = runs\ncase = sine\nscheme = rk2\nnx = 16\nrepeat = 2\n"
                     "t-end = 0.01\n");
    MEASURE("it");
    ASSERT_STATUS(0);
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "kind = runs\ncase = sine\nscheme = %s\nnx = 16\nrepeat = 3\nt-end = 0.01\n",
                 wanted[k]);
        write_experiment(text);
        /* The third run of rk2 is, in any case. */
        assert_int_equal(missing_of_it(NULL), k == 0 ? 1 + 3 : 1);
    }
}

/* They have their own column, before that of the repetitions; tables without it stay as they are. */
static void an_experiment_that_names_graphs_finds_its_rows_again(void **state)
{
    (void)state;
    struct db_cells t = measured("kind = runs\ncase = sine\nscheme = rk2 euler\nnx = 16\n"
                                 "repeat = 2\nt-end = 0.01\ngraphs = off auto\n");
    assert_int_equal(db_cells_column(&t, "graphs") + 1, db_cells_column(&t, "run"));
    assert_string_equal(cell(&t, 1, "graphs"), "off");
    db_cells_free(&t);
    assert_int_equal(count_rows(), 4);
    assert_int_equal(missing_of_it(NULL), 0);
    lose_a_row();
    assert_int_equal(missing_of_it(NULL), 1);
    assert_string_equal(first_missing, "euler, run 1");
    assert_fine(db_manifest_change(manifest_path(), forget_ends, NULL));
    MEASURE("it");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "1 of 4 points are missing");
    assert_int_equal(count_rows(), 4);
    assert_refused_as("kind = runs\ncase = sine\nscheme = rk2 euler\nnx = 16\nrepeat = 2\n"
                      "t-end = 0.01\n",
                      2, "move it away");
}

/* Options of runs that have no key of their own, such as parts; before the repetitions, too. */
static void an_experiment_that_names_options_finds_its_rows_again(void **state)
{
    (void)state;
    struct db_cells t = measured("kind = runs\ncase = sine\nscheme = rk2\nnx = 16\nrepeat = 2\n"
                                 "t-end = 0.01\ngraphs = off\n"
                                 "options = - parts=2,ghost-steps=1\n");
    assert_int_equal(db_cells_column(&t, "graphs") + 1, db_cells_column(&t, "options"));
    assert_int_equal(db_cells_column(&t, "options") + 1, db_cells_column(&t, "run"));
    assert_string_equal(cell(&t, 1, "options"), "-");
    assert_string_equal(cell(&t, 3, "options"), "parts=2,ghost-steps=1");
    db_cells_free(&t);
    assert_int_equal(count_rows(), 4);
    assert_int_equal(missing_of_it(NULL), 0);
    lose_a_row();
    assert_int_equal(missing_of_it(NULL), 1);
    assert_string_equal(first_missing, "-, run 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INSTALLED(a_signal_ends_measuring_with_status_5_and_a_word_of_how_to_go_on),
        INSTALLED(what_another_process_measures_is_left_to_it),
        INSTALLED(a_killed_session_is_gone_on_with_and_nothing_is_measured_twice),
        INSTALLED(a_row_lost_from_within_a_point_is_found_by_the_check),
        INSTALLED(another_plan_or_again_begins_a_session),
        INSTALLED(a_session_of_another_program_is_not_gone_on_with),
        INSTALLED(what_took_long_enough_is_not_repeated_and_not_missing),
        INSTALLED(a_repetition_that_did_not_take_long_enough_is_missing),
        INSTALLED(points_without_a_row_of_any_session_are_missing),
        INSTALLED(a_scheme_that_nobody_measured_yet_is_missing_only_where_it_is_named),
        INSTALLED(an_experiment_that_names_graphs_finds_its_rows_again),
        INSTALLED(an_experiment_that_names_options_finds_its_rows_again),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
