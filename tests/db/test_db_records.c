/* Records of the tuning database: what they digest, how they are chained, what they say about measurements; nothing
 * that tests/tamper does goes unnoticed. */
#include "tests/support/test.h"

#include "core/db/join.h"
#include "core/db/split_tables.h"
#include "core/db/add_record.h"
#include "tests/support/manifest.h"
#include "tests/support/database.h"

static const char *environment(void)
{
    static char folder[PATH_LENGTH];
    scratch_path(folder, home);
    return folder;
}

static const char *folder_of(const char *name)
{
    static char path[PATH_LENGTH];
    scratch_path(path, name);
    return path;
}

static struct db_manifest read_manifest(void)
{
    char path[PATH_LENGTH];
    struct db_manifest m;
    assert_fine(db_path(environment(), "manifest.json", path));
    assert_fine(db_manifest_read(path, &m));
    return m;
}

static void add(struct db_lines *l, const char *relative, const char *text)
{
    assert_fine(db_lines_add(l, relative, strdup(text)));
}

static void digest_of(const char *const *text, int count, char hex[SHA256_DIGITS + 1])
{
    struct db_lines l = {0};
    size_t rows;
    for (int k = 0; k < count; k += 2)
        add(&l, text[k], text[k + 1]);
    db_lines_sort(&l);
    const struct db_line *line = db_lines_of(&l, "0000000a", &rows);
    db_lines_digest(line, rows, hex);
    db_lines_free(&l);
}

#define NAMES "x\tsession\ty\n"

/* Order, other measurements, comments and the division into tables do not count; everything else does. */
static void a_digest_is_of_exactly_the_rows_of_a_measurement(void **state)
{
    (void)state;
    static const char *const first[] = {"experiments/e.tsv",
                                        NAMES "1\t0000000a\t5\n2\t0000000a\t6\n"};
    static const char *const same[][4] = {
        {"experiments/e.tsv",
         "# made up\n" NAMES "2\t0000000a\t6\n1\t0000000b\t5\n1\t0000000a\t5\n"},
        {"experiments/e.0000000a.tsv", NAMES "1\t0000000a\t5\n2\t0000000a\t6\n",
         "experiments/e.tsv", NAMES "1\t0000000b\t5\n"},
    };
    static const char *const other[][2] = {
        {"experiments/f.tsv", NAMES "1\t0000000a\t5\n2\t0000000a\t6\n"},
        {"experiments/e.tsv", "x\tsession\tz\n1\t0000000a\t5\n2\t0000000a\t6\n"},
        {"experiments/e.tsv", NAMES "1\t0000000a\t5\n2\t0000000a\t7\n"},
        {"experiments/e.tsv", NAMES "1\t0000000a\t5\n"},
        {"experiments/e.tsv", NAMES "1\t0000000a\t5\n2\t0000000a\t6\n2\t0000000a\t6\n"},
    };
    char hex[SHA256_DIGITS + 1], its[SHA256_DIGITS + 1];
    digest_of(first, 2, hex);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        digest_of(same[k], same[k][2] ? 4 : 2, its);
        assert_string_equal(its, hex);
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        digest_of(other[k], 2, its);
        assert_string_not_equal(its, hex);
    }
}

/* printf 'table experiments/e\nnames x\tsession\ty\n1\t0000000a\t5\n' | sha256sum */
static void the_canonical_form_is_what_the_manual_says(void **state)
{
    (void)state;
    static const char *const one[] = {"experiments/e.tsv", NAMES "1\t0000000a\t5\n"};
    char hex[SHA256_DIGITS + 1];
    digest_of(one, 2, hex);
    assert_string_equal(hex, "64e180a5973132213e8efb123d9e687a5153d7fcf80dcc0ba828f3274f0fce99");
}

static void records_name_those_before_them(void **state)
{
    (void)state;
    char first[SHA256_DIGITS + 1], second[SHA256_DIGITS + 1], name[SHA256_DIGITS + 1];
    assert_fine(db_record_end(environment(), "0000000a"));
    struct db_manifest m = read_manifest();
    assert_true(db_session_ended(&m, "0000000a"));
    assert_false(db_session_ended(&m, "0000000b"));
    assert_true(db_record_of(&m, "0000000a", DB_RECORD_MEASURED, first));
    assert_string_equal(db_record_get(&m, first, "parents"), "-");
    assert_string_equal(db_record_get(&m, first, "rows"), "2");
    db_record_name(&m, first, name);
    assert_string_equal(name, first);
    db_manifest_free(&m);
    assert_fine(db_record_end(environment(), "0000000b"));
    m = read_manifest();
    assert_true(db_record_of(&m, "0000000b", DB_RECORD_MEASURED, second));
    assert_string_equal(db_record_get(&m, second, "parents"), first);
    db_manifest_free(&m);
    assert_fine(db_record_end(environment(), "0000000b")); /* ended: nothing is added */
    m = read_manifest();
    size_t at = 0, count = 0;
    while (db_record_next(&m, &at, name))
        count++;
    assert_int_equal(count, 2);
    db_manifest_free(&m);
}

static void what_is_said_of_measurements_stays(void **state)
{
    (void)state;
    char id[SHA256_DIGITS + 1];
    const char *database = "db";
    assert_int_equal(setenv("SHOAL_DB", database, 1), 0);
    SHOAL("db", "seal", "0000000a", "--why", "two of three points");
    ASSERT_STATUS(0);
    SHOAL("db", "seal", "0000000a", "--why", "again");
    ASSERT_STATUS(2);
    SHOAL("db", "remark", "0000000a", "--why", "seen at /home/me");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "looks like a path");
    SHOAL("db", "retire", "0000000c", "--why", "none");
    ASSERT_STATUS(2);
    SHOAL("db", "retire", "0000000b");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "needs a reason");
    SHOAL("db", "disown", "0000000b", "--why", "in no repository");
    ASSERT_STATUS(3);
    SHOAL("db", "retire", "0000000b", "--why", "it was noisy");
    ASSERT_STATUS(0);
    SHOAL("db", "check");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "rows=2 ");
    ASSERT_HAS(result.out, "records=2 open=0 ");
    SHOAL("db", "check", "--history");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "nothing can be proved without its history");
    assert_int_equal(unsetenv("SHOAL_DB"), 0);
    struct db_manifest m = read_manifest();
    assert_true(db_record_of(&m, "0000000a", DB_RECORD_FOUND, id));
    assert_string_equal(db_record_get(&m, id, "why"), "two of three points");
    assert_true(db_record_of(&m, "0000000b", DB_RECORD_RETIRED, id));
    assert_string_equal(db_record_get(&m, id, "why"), "it was noisy");
    assert_string_equal(db_record_get(&m, id, "rows"), "1");
    db_manifest_free(&m);
}

/* Two databases that say different things under one name cannot be merged. */
static void databases_that_contradict_each_other_are_not_joined(void **state)
{
    (void)state;
    char other[PATH_LENGTH], path[PATH_LENGTH];
    const struct db_entry changed = {"sessions/0000000a/commit", "eee"};
    assert_fine(db_record_end(environment(), "0000000a"));
    scratch_folder("other");
    scratch_path(other, "other");
    assert_fine(db_join(other, folder_of("db")));
    assert_fine(db_join(other, folder_of("db")));
    SHOAL("db", "check", "other");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "rows=3 ");
    assert_fine(db_path(environment(), "manifest.json", path));
    assert_fine(merge_manifest(path, &changed, 1));
    assert_int_equal(db_join(other, folder_of("db")), ERR_INPUT);
    ASSERT_HAS(err_message(), "sessions/0000000a/commit is 'eee', and here 'abc'");
}

/* By hand at a few bytes, in the way that is used at five million. */
static void a_table_that_is_split_reads_as_before(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct db_table before, after;
    struct db_row more[] = {row_of(8, 8, 130)};
    struct db_lines whole = {0}, split = {0};
    char first[SHA256_DIGITS + 1], second[SHA256_DIGITS + 1];
    size_t rows;
    scratch_path(path, inside(TABLE));
    assert_fine(db_read(path, NULL, NULL, &before));
    assert_fine(db_lines_read(&whole, environment()));
    assert_fine(db_parts_split(path, 100));
    assert_int_equal(
        access(folder_of(inside("flux_fgh0/circular-dam-64x64-f32.0000000a.tsv")), F_OK), 0);
    assert_int_equal(
        access(folder_of(inside("flux_fgh0/circular-dam-64x64-f32.0000000b.tsv")), F_OK), 0);
    assert_fine(db_read(path, NULL, NULL, &after));
    assert_int_equal(after.count, before.count);
    db_sort(&after);
    for (size_t k = 0; k < after.count; k++)
        assert_int_equal(db_row_weight(&before.row[k], &after.row[k]), 0);
    assert_fine(db_lines_read(&split, environment()));
    const struct db_line *a = db_lines_of(&whole, "0000000a", &rows);
    db_lines_digest(a, rows, first);
    a = db_lines_of(&split, "0000000a", &rows);
    db_lines_digest(a, rows, second);
    assert_string_equal(first, second);
    SHOAL("db", "check", "db");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "rows=3 ");
    assert_fine(db_merge(path, &(struct db_table){more, 1}));
    db_free(&after);
    assert_fine(db_read(path, NULL, NULL, &after));
    assert_int_equal(after.count, 4);
    SHOAL("db", "check", "db");
    ASSERT_STATUS(0);
    db_free(&before);
    db_free(&after);
    db_lines_free(&whole);
    db_lines_free(&split);
}

static void a_split_experiment_reads_as_before(void **state)
{
    (void)state;
    static const char *const rows[] = {"1\t0000000a\tok\t-", "2\t0000000b\tok\t-"};
    char path[PATH_LENGTH];
    struct db_cells t;
    scratch_folder(inside("experiments"));
    scratch_path(path, inside("experiments/e.tsv"));
    assert_fine(db_cells_merge(path, "x\tsession\toutcome\treason", rows, 2));
    assert_fine(db_parts_split(path, 10));
    assert_fine(db_cells_read(path, &t));
    assert_int_equal(t.rows, 3);
    db_cells_free(&t);
    assert_fine(db_cells_merge(path, "x\tsession\toutcome\treason", rows, 2));
    assert_fine(db_cells_read(path, &t));
    assert_int_equal(t.rows, 3);
    db_cells_free(&t);
    SHOAL("db", "check", "db");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "rows=5 ");
}

static void tampering_is_noticed(void **state)
{
    (void)state;
    char path[PATH_LENGTH], line[1024], last[1024] = "";
    assert_fine(paths_file("tests/tamper", path));
    if (system("git --version >/dev/null 2>&1") != 0) {
        print_message("skipped: tests/tamper needs git\n");
        skip();
    }
    setenv("SHOAL_BIN", program, 1);
    FILE *f = popen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        print_message("%s", line);
        strcpy(last, line);
    }
    assert_int_equal(pclose(f), 0);
    const char *by_check = strstr(last, "check="), *by_history = strstr(last, "history=");
    assert_true(by_check && by_history);
    const long check = strtol(by_check + strlen("check="), NULL, 10),
               history = strtol(by_history + strlen("history="), NULL, 10);
    assert_true(check >= 20 && history >= 6);
    ASSERT_HAS(last, "missed=0");
}

/* In a clone with truncated history, or outside a clone, git cannot prove it. */
static void the_history_of_the_repository_is_sound(void **state)
{
    (void)state;
    SHOAL("db", "check", "--history");
    if (result.status == 3) {
        print_message("skipped: %s", result.err);
        skip();
    }
    if (result.status != 0)
        fail_msg("%s%s", result.out, result.err);
    ASSERT_HAS(result.out, "history=yes faults=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_of_exactly_the_rows_of_a_measurement),
        cmocka_unit_test(the_canonical_form_is_what_the_manual_says),
        IN_SCRATCH(records_name_those_before_them),
        IN_SCRATCH(what_is_said_of_measurements_stays),
        IN_SCRATCH(databases_that_contradict_each_other_are_not_joined),
        IN_SCRATCH(a_table_that_is_split_reads_as_before),
        IN_SCRATCH(a_split_experiment_reads_as_before),
        IN_SCRATCH(tampering_is_noticed),
        IN_SCRATCH(the_history_of_the_repository_is_sound),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    unsetenv("SHOAL_DB");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
