/* `shoal tune` from end to end, on the CPU: rows, failures with their reasons, kills, two at once. */
#include "tests/support/test.h"

#include <signal.h>

#include "core/db/tuning_db.h"
#include "experiments/tuner/search.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/program.h"

static char database[PATH_LENGTH];

static int prepare(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("db");
    scratch_path(database, "db");
    return setenv("SHOAL_DB", database, 1);
}

static int tidy(void **state)
{
    unsetenv("SHOAL_DB");
    unsetenv("SHOAL_HOME");
    unsetenv("SHOAL_CACHE");
    return scratch_remove(state);
}

#define TUNE \
    "tune", "--backend", "cpu", "--kernel", "rk0", "--threads", "1", "--nx", "72", "--ny", "60"

/* The rows of the only table of a kernel. */
static struct db_table rows_of(const char *kernel)
{
    struct db_list list;
    struct db_table table = {0};
    assert_int_equal(db_list_read(database, &list), ERR_OK);
    for (size_t k = 0; k < list.count; k++) {
        struct db_place place;
        char path[PATH_LENGTH];
        db_place_parse(list.path[k], &place);
        if (place.kind != DB_KERNEL || strcmp(place.kernel, kernel) != 0)
            continue;
        assert_null(table.row);
        assert_int_equal(db_path(database, list.path[k], path), ERR_OK);
        if (db_read(path, NULL, NULL, &table))
            fail_msg("%s", err_message());
    }
    db_list_free(&list);
    return table;
}

static const struct db_row *row_of(const struct db_table *t, int w, int h)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->row[k].block.w == w && t->row[k].block.h == h)
            return &t->row[k];
    fail_msg("there is no row for %dx%d", w, h);
    return NULL;
}

static int space_of(const char *kernel)
{
    struct blocks all;
    assert_int_equal(space_list(find_kernel(kernel), CPU, &all), ERR_OK);
    const int n = all.count;
    blocks_free(&all);
    return n;
}

static void check_database(void)
{
    SHOAL("db", "check", database);
    if (result.status != 0)
        fail_msg("%s", result.out);
}

static void every_block_of_the_space_becomes_a_row_that_the_check_accepts(void **state)
{
    (void)state;
    SHOAL(TUNE, "--strategy", "exhaustive");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "tune: kernels=1");
    struct db_table t = rows_of("rk0");
    assert_true((int)t.count >= space_of("rk0"));
    int most = 0;
    for (size_t k = 0; k < t.count; k++) {
        const struct db_row *row = &t.row[k];
        const int n = (int)(row->number[DB_KEPT] + row->number[DB_DROPPED]);
        assert_true(row->outcome == DB_OK || row->outcome == DB_TIME_OUT);
        assert_true(row->outcome != DB_OK || n >= 5);
        most = row->outcome == DB_OK && n > most ? n : most;
    }
    assert_true(most >= 50);
    const struct db_row *plain = row_of(&t, 16, 16);
    assert_non_null(plain);
    assert_true(plain->number[DB_KEPT] + plain->number[DB_DROPPED] >= 50);
    db_free(&t);
    check_database();
}

static void a_run_takes_the_block_that_was_found(void **state)
{
    (void)state;
    SHOAL(TUNE);
    ASSERT_STATUS(0);
    struct db_table t = rows_of("rk0");
    struct db_group g;
    size_t next = 0;
    char block[64];
    db_sort(&t);
    assert_int_equal(db_group_next(&t, &next, &g), ERR_OK);
    assert_true(g.ok > 0);
    snprintf(block, sizeof block, "rk0 %dx%d", g.row[0].block.w, g.row[0].block.h);
    SHOAL("run", "circular-dam", "--backend", "cpu", "--nx", "72", "--ny", "60", "--steps", "1",
          "--threads", "1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, block);
    db_group_free(&g);
    db_free(&t);
}

/* Makes commands use a copy of the kernels that has a mistake. */
static void plant(const char *file, const char *right, const char *wrong)
{
    char copy[PATH_LENGTH];
    assert_int_equal(kernel_home_find(), 0);
    scratch_folder("home");
    scratch_path(copy, "home");
    kernel_copy(copy);
    kernel_plant(file, right, wrong);
}

static void assert_failed(const struct db_table *t, int w, int h, enum db_outcome outcome,
                          const char *reason)
{
    const struct db_row *row = row_of(t, w, h);
    if (row && row->outcome != outcome)
        fail_msg("%dx%d is %s (%s), not %s", w, h, db_outcomes[row->outcome], row->reason,
                 db_outcomes[outcome]);
    ASSERT_HAS(row ? row->reason : "", reason);
}

static void a_block_that_fails_is_a_row_with_its_reason_and_stops_nothing(void **state)
{
    (void)state;
    plant("rk.cu", "    const struct advance by = {step_length(a.clock), ",
          "#if BW == 32 && BH == 2\n"
          "    const real share = REAL(1.01);\n"
          "#else\n"
          "    const real share = REAL(1);\n"
          "#endif\n"
          "#if BW == 64 && BH == 1\n"
          "#error planted mistake\n"
          "#elif BW == 128 && BH == 1\n"
          "    *(volatile int *)(8 * BH) = 1;\n"
          "#elif BW == 256 && BH == 1\n"
          "    for (volatile int forever = 1; forever;)\n"
          "        ;\n"
          "#endif\n"
          "    const struct advance by = {share * step_length(a.clock), ");
    SHOAL(TUNE, "--strategy", "exhaustive", "--patience", "3");
    ASSERT_STATUS(0);
    struct db_table t = rows_of("rk0");
    assert_true((int)t.count >= space_of("rk0"));
    assert_failed(&t, 32, 2, DB_WRONG_ANSWER, "strict reference");
    assert_failed(&t, 64, 1, DB_COMPILE, "planted mistake");
    assert_failed(&t, 128, 1, DB_LAUNCH, "the process that did it");
    assert_failed(&t, 256, 1, DB_TIME_OUT, "longer than 3 s");
    assert_failed(&t, 16, 16, DB_OK, "-");
    db_free(&t);
    check_database();
}

/* The number after "name=" in what was printed. */
static int summary(const char *name)
{
    char key[64];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(result.out, key);
    assert_non_null(at);
    return (int)strtol(at + strlen(key), NULL, 10);
}

/* After a first batch of 32 blocks the journal names the kernel in its head and then as each block is admitted, tried
 * and screened. */
enum { BATCH = 32, FIRST_BATCH = 1 + 3 * BATCH };
#define STOPPED_TUNE TUNE, "--strategy", "exhaustive"

/* How often a journal in the scratch folder's cache names the kernel. */
static int journal_records(void)
{
    char command[2 * PATH_LENGTH];
    snprintf(command, sizeof command,
             "n=$(cat '%s'/cache/tune-*.journal 2>/dev/null | grep -ao rk0 | wc -l); "
             "exit $((n > 200 ? 200 : n))",
             scratch);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Starts a tuning, and sends it a signal once its journal has the first blocks. */
static void tune_until(int signal_number)
{
    enum { MOMENT = 20000 /* microseconds */, MOMENTS = 6000 };
    char cache[PATH_LENGTH];
    scratch_path(cache, "cache");
    setenv("SHOAL_CACHE", cache, 1);
    const pid_t pid = program_start(-1, (const char *const[]){STOPPED_TUNE, NULL});
    for (int k = 0; journal_records() < FIRST_BATCH; k++) {
        assert_true(k < MOMENTS);
        usleep(MOMENT);
    }
    kill(pid, signal_number);
    program_end(pid);
}

static void a_killed_tuning_is_resumed_with_nothing_measured_twice(void **state)
{
    (void)state;
    tune_until(SIGKILL);
    assert_int_equal(result.signal, SIGKILL);
    SHOAL(STOPPED_TUNE, "--resume");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "resuming session");
    assert_true(summary("resumed") >= BATCH);
    struct db_table t = rows_of("rk0");
    assert_true((int)t.count >= space_of("rk0"));
    for (size_t k = 1; k < t.count; k++)
        assert_string_equal(t.row[k].session, t.row[0].session);
    db_free(&t);
    check_database();
    SHOAL(TUNE, "--resume");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "nothing to resume");
}

static void two_tuners_share_a_database(void **state)
{
    pid_t pid[2];
    (void)state;
    for (int k = 0; k < 2; k++)
        pid[k] = program_start(-1, (const char *const[]){TUNE, "--strategy", "exhaustive", NULL});
    for (int k = 0; k < 2; k++) {
        program_end(pid[k]);
        ASSERT_STATUS(0);
    }
    struct db_table t = rows_of("rk0");
    assert_true((int)t.count >= 2 * space_of("rk0"));
    db_free(&t);
    check_database();
}

static void a_stopped_tuning_keeps_what_it_has(void **state)
{
    (void)state;
    tune_until(SIGTERM);
    ASSERT_STATUS(5);
    ASSERT_HAS(result.err, "--resume");
    struct db_table t = rows_of("rk0");
    assert_true(t.count > 0);
    db_free(&t);
    check_database();
}

static void in_strict_mode_every_block_gives_the_same_bits(void **state)
{
    (void)state;
    if (everything())
        SHOAL("tune", "--prove", "--backend", "cpu", "--nx", "96", "--ny", "80");
    else
        SHOAL("tune", "--prove", "--backend", "cpu", "--nx", "96", "--ny", "80", "--kernel",
              "rkt_y1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " differ=0 ");
}

static void wrong_usage_is_refused_with_a_remedy(void **state)
{
    (void)state;
    SHOAL("tune", "--kernel", "rk9");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "rk9");
    SHOAL("tune", "--strategy", "lucky");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "guided");
    SHOAL("tune", "rk0");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--kernel rk0");
    SHOAL("tune", "--case", "nowhere");
    ASSERT_STATUS(2);
    SHOAL("tune", "--prove", "--resume");
    ASSERT_STATUS(2);
    SHOAL("tune", "--nx", "0");
    ASSERT_STATUS(2);
    SHOAL("tune", "--positivity", "draining");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--kernel fused");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_block_of_the_space_becomes_a_row_that_the_check_accepts),
        TEST(a_run_takes_the_block_that_was_found),
        TEST(a_block_that_fails_is_a_row_with_its_reason_and_stops_nothing),
        TEST(a_killed_tuning_is_resumed_with_nothing_measured_twice),
        TEST(a_stopped_tuning_keeps_what_it_has),
        TEST(two_tuners_share_a_database),
        TEST(in_strict_mode_every_block_gives_the_same_bits),
        TEST(wrong_usage_is_refused_with_a_remedy),
    };
    if (program_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
