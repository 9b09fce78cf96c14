/* Tables that figures are made from: which rows, which columns, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plots/data/source.h"
#include "tests/support/database.h"
#include "tests/support/near.h"

#define TOP     "title = A title\nchapter = A chapter\n"
#define DRAW    "[draw]\nshape = series\n"
#define COLUMNS "scheme\tnx\trun\tsession\toutcome\treason\twall_s\tsteps\n"
#define HASH    "0123456789ab"
#define OTHER   "  \"environment\": {\"backend\": \"cpu\", \"device\": \"Other 1\"},\n" FLAGS
#define OTHER_MANIFEST                                                                    \
    "{\n  \"format\": 1,\n" OTHER "  \"sessions\": {\"0000000c\": {\"commit\": \"abc\", " \
    "\"dirty\": \"no\", \"started\": \"2014-05-14T12:00:00Z\"}}\n}\n"

/* An installation and a database in the scratch folder: made-up-9 with two sessions, of which 0000000b
 * began later. */
static int set_up(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_write("kernels/tile.h", "w", "");
    scratch_folder("experiments");
    scratch_folder("db");
    build_environment("made-up-9", HASH, MANIFEST);
    scratch_folder(inside("experiments"));
    scratch_path(path, "db");
    return setenv("SHOAL_HOME", scratch, 1) || setenv("SHOAL_DB", path, 1);
}

static struct experiment experiment;
static struct plot_devices devices;
static struct plot_tables tables;

static void drop_tables(void)
{
    plot_tables_free(&tables);
    plot_devices_free(&devices);
    experiment_free(&experiment);
}

static int tear_down(void **state)
{
    drop_tables();
    unsetenv("SHOAL_HOME");
    unsetenv("SHOAL_DB");
    return scratch_remove(state);
}

static void measured(const char *rows)
{
    scratch_write(inside("experiments/text.tsv"), "w", COLUMNS);
    scratch_write(inside("experiments/text.tsv"), "a", rows);
}

/* The tables of an experiment with these [data] sections, on the first device or all. */
static enum err read_tables(const char *data, int common)
{
    drop_tables(); /* of a faulty file before */
    scratch_write("experiments/text.ini", "w", TOP);
    scratch_write("experiments/text.ini", "a", data);
    scratch_write("experiments/text.ini", "a", DRAW);
    assert_fine(experiment_read(&experiment, "text"));
    assert_fine(plot_devices_read(&devices));
    return plot_tables_read(&tables, &experiment, common ? NULL : &devices.at[0]);
}

/* The cells of some columns of a table, rows separated by "; ". */
static void assert_cells(int table, const char *columns, const char *wanted)
{
    const struct frame *f = &tables.at[table].frame;
    char text[4096] = "", names[256], *next, *name;
    for (size_t r = 0; r < f->rows; r++) {
        next = strcpy(names, columns);
        strcat(text, r ? "; " : "");
        for (int k = 0; (name = strsep(&next, " ")) != NULL; k++) {
            const int column = frame_column(f, name);
            assert_true(column >= 0);
            strcat(text, k ? " " : "");
            strcat(text, frame_at(f, r, column));
        }
    }
    assert_string_equal(text, wanted);
}

#define ASSERT_FAULT(data, message)                        \
    do {                                                   \
        assert_int_equal(read_tables(data, 0), ERR_INPUT); \
        ASSERT_HAS(err_message(), message);                \
        drop_tables();                                     \
    } while (0)

static void devices_come_by_name_the_one_measured_last_first(void **state)
{
    (void)state;
    build_environment("other-1", HASH, OTHER_MANIFEST);
    scratch_folder("db/made-up-9/a00000000000");
    scratch_write("db/made-up-9/a00000000000/manifest.json", "w", OTHER_MANIFEST);
    scratch_write("db/README.md", "w", "");
    assert_fine(plot_devices_read(&devices));
    assert_int_equal(devices.count, 3);
    assert_string_equal(devices.at[0].device, "made-up-9");
    assert_string_equal(devices.at[0].environment, HASH);
    assert_string_equal(devices.at[0].latest, "2014-05-16T12:00:00Z");
    assert_int_equal(devices.at[0].backend, CUDA);
    assert_string_equal(plot_device_title(&devices.at[0]), "Made Up 9");
    assert_string_equal(devices.at[1].environment, "a00000000000");
    assert_string_equal(devices.at[2].device, "other-1");
    assert_int_equal(devices.at[2].backend, CPU);
    plot_devices_free(&devices);
    setenv("SHOAL_DB", "/absent", 1);
    assert_int_equal(plot_devices_read(&devices), ERR_INPUT);
    ASSERT_HAS(err_message(), "there is no tuning database '/absent'");
}

static void of_each_point_the_latest_session_counts_and_only_what_is_ok(void **state)
{
    (void)state;
    measured("ds1\t64\t1\t0000000a\tok\t-\t5\t9\n"
             "ds1\t64\t1\t0000000b\ttime-out\ttoo long\t-\t-\n"
             "rk2\t128\t1\t0000000a\tok\t-\t3\t9\n"
             "rk2\t128\t2\t0000000a\tok\t-\t4\t9\n"
             "rk2\t64\t1\t0000000a\tok\t-\t1\t9\n"
             "rk2\t64\t2\t0000000a\tok\t-\t1\t9\n"
             "rk2\t64\t1\t0000000b\tok\t-\t2\t9\n");
    assert_fine(read_tables("[data]\nfrom = measured\n[data]\nname = failed\nfrom = measured\n"
                            "where = outcome!=ok\n",
                            0));
    assert_int_equal(tables.count, 2);
    assert_int_equal(tables.present, 1);
    assert_string_equal(tables.at[0].name, "data");
    assert_string_equal(tables.at[0].file, "made-up-9/" HASH "/experiments/text.tsv");
    assert_string_equal(tables.at[0].session, "0000000b 0000000a");
    assert_cells(0, "nx wall_s device device_title",
                 "128 3 made-up-9 Made Up 9; 128 4 made-up-9 Made Up 9; 64 2 made-up-9 Made Up 9");
    assert_cells(1, "scheme session reason", "ds1 0000000b too long");
    assert_string_equal(tables.at[1].session, "0000000b");
    drop_tables();
}

static void cells_that_must_be_numbers_and_are_none_are_told_with_their_line(void **state)
{
    static const char *const wrong[] = {"1.2.3", "nan", "0x3", "8_"};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char rows[128];
        snprintf(rows, sizeof rows,
                 "rk2\t64\t1\t0000000a\tok\t-\t2\t20\n"
                 "rk2\t64\t2\t0000000a\tok\t-\t%s\t20\n",
                 wrong[k]);
        measured(rows);
        assert_int_equal(read_tables("[data]\nfrom = measured\n", 0), ERR_INPUT);
        ASSERT_HAS(err_message(), "text.tsv:3: wall_s '");
        ASSERT_HAS(err_message(), "a number, or - for none, is wanted");
    }
}

static void a_key_that_a_source_does_not_take_is_refused(void **state)
{
    (void)state;
    assert_int_equal(read_tables("[data]\nfrom = measured\nkernel = rk0\n", 0), ERR_INPUT);
    ASSERT_HAS(err_message(), "kernel: from = measured takes no such key");
    assert_int_equal(read_tables("[data]\nfrom = case lake\nnx = 8\nflags = a\n", 0), ERR_INPUT);
    ASSERT_HAS(err_message(), "flags: from = case takes no such key");
}

static void conditions_columns_and_order_are_applied(void **state)
{
    (void)state;
    measured("ds1\t128\t1\t0000000a\tok\t-\t8\t40\n"
             "ds1\t64\t1\t0000000a\tok\t-\t6\t30\n"
             "euler\t64\t1\t0000000a\tok\t-\t-\t30\n"
             "rk2\t64\t1\t0000000a\tok\t-\t4\t20\n"
             "rk2\t64\t2\t0000000a\tok\t-\t2\t20\n"
             "rk2\t64\t3\t0000000a\tok\t-\t8\t20\n");
    assert_fine(read_tables("[data]\nfrom = measured text\nwhere = scheme!=none\n"
                            "column = rate: steps / wall_s\n"
                            "relative = times: wall_s | scheme=rk2\n"
                            "column = half: times / 2\n"
                            "sort = nx wall_s\n",
                            0));
    assert_cells(0, "scheme nx wall_s rate times half",
                 "rk2 64 2 10 0.5 0.25; rk2 64 4 5 1 0.5; ds1 64 6 5 1.5 0.75; rk2 64 8 2.5 2 1; "
                 "euler 64 - - - -; ds1 128 8 5 - -");
    drop_tables();
}

static void rows_that_are_not_there_are_missing_and_no_error(void **state)
{
    (void)state;
    assert_fine(read_tables("[data]\nfrom = measured\nwhere = scheme=rk2\ncolumn = a: b\n", 0));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "made-up-9/" HASH "/experiments/text.tsv");
    ASSERT_HAS(tables.missing, "`shoal measure text`");
    drop_tables();
    measured("ds1\t128\t1\t0000000a\tok\t-\t8\t40\n");
    assert_fine(read_tables("[data]\nfrom = measured\nwhere = scheme=rk2\n", 0));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "Made Up 9 has no rows");
    ASSERT_HAS(tables.missing, "where scheme=rk2");
    drop_tables();
    scratch_write("experiments/b.ini", "w", TOP DRAW);
    assert_fine(read_tables("[data]\nfrom = measured b\n", 1));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "no device has rows");
    ASSERT_HAS(tables.missing, "`shoal measure b`");
    drop_tables();
}

static void malformed_rows_are_errors_with_file_and_line(void **state)
{
    static const char *const faults[][2] = {
        {"ds1\t128\t1\t0000000a\tok\t-\t8\n", "text.tsv:2: 7 cells, where 8 columns"},
        {"# a comment\nds1\t128\t1\t0000000a\tok\t-\t8\t9\t10\n", "text.tsv:3: 9 cells"},
        {"ds1\t\t1\t0000000a\tok\t-\t8\t9\n", "text.tsv:2: column 2 is empty"},
        {"\n# a\nds1\t64\t1\t0000000a\tfine\t-\t8\t9\n", "text.tsv:4: 'fine' is no outcome"},
        {"ds1\t64\t1\t0000000c\tok\t-\t8\t9\n", "text.tsv:2: the manifest"},
        {"ds1\t64\t1\t0000000a9\tok\t-\t8\t9\n", "no session '0000000a9'"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        measured(faults[k][0]);
        ASSERT_FAULT("[data]\nfrom = measured\n", faults[k][1]);
    }
    scratch_write(inside("experiments/text.tsv"), "w", "");
    ASSERT_FAULT("[data]\nfrom = measured\n", "no line of column names");
    scratch_write(inside("experiments/text.tsv"), "w", "a\ta\n");
    ASSERT_FAULT("[data]\nfrom = measured\n", "text.tsv:1: a column has no name");
    scratch_write(inside("experiments/text.tsv"), "w", "a\tb\n");
    ASSERT_FAULT("[data]\nfrom = measured\n", "'session' and 'outcome'");
}

static void a_common_figure_has_the_latest_environment_of_every_device(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t4\t20\n");
    scratch_folder("db/made-up-9/a00000000000");
    scratch_folder("db/made-up-9/a00000000000/experiments");
    scratch_write("db/made-up-9/a00000000000/manifest.json", "w", OTHER_MANIFEST);
    scratch_write("db/made-up-9/a00000000000/experiments/text.tsv", "w",
                  COLUMNS "rk2\t64\t1\t0000000c\tok\t-\t5\t20\n");
    build_environment("other-1", HASH, OTHER_MANIFEST);
    scratch_folder(inside("experiments"));
    measured("rk2\t64\t1\t0000000c\tok\t-\t8\t20\nds1\t64\t1\t0000000c\tok\t-\t2\t20\n");
    assert_fine(read_tables("[data]\nfrom = measured\nrelative = times: wall_s | scheme=rk2\n", 1));
    assert_cells(0, "device scheme wall_s times",
                 "made-up-9 rk2 4 1; other-1 rk2 8 1; other-1 ds1 2 0.25");
    assert_string_equal(tables.at[0].session, "0000000a 0000000c");
    assert_int_equal(tables.present, 1);
    drop_tables();
}

static void an_environment_without_rows_leaves_its_place_to_an_older_one(void **state)
{
    (void)state;
    scratch_folder("db/made-up-9/a00000000000");
    scratch_folder("db/made-up-9/a00000000000/experiments");
    scratch_write("db/made-up-9/a00000000000/manifest.json", "w", OTHER_MANIFEST);
    scratch_write("db/made-up-9/a00000000000/experiments/text.tsv", "w",
                  COLUMNS "rk2\t64\t1\t0000000c\tok\t-\t5\t20\n");
    assert_fine(read_tables("[data]\nfrom = measured\n", 1));
    assert_cells(0, "device wall_s", "made-up-9 5");
    drop_tables();
}

static void published_tables_are_the_same_for_all_devices(void **state)
{
    (void)state;
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write("db/published/work/table-1.1.tsv", "w",
                  "# source: a test\nkernel\twidth\nFGH\t16\n# ?: unclear\nRK\t?\n");
    for (int common = 0; common < 2; common++) {
        assert_fine(read_tables("[data]\nfrom = published  work/table-1.1\n", common));
        assert_cells(0, "kernel width", "FGH 16; RK ?");
        assert_int_equal(frame_column(&tables.at[0].frame, "device"), -1);
        assert_string_equal(tables.at[0].file, "published/work/table-1.1.tsv");
        assert_string_equal(tables.at[0].session, "");
        drop_tables();
    }
    ASSERT_FAULT("[data]\nfrom = published work/table-1.2\n", "text.ini:4: from: there is no ");
    ASSERT_FAULT("[data]\nfrom = published work\n", "WORK/TABLE is wanted");
    ASSERT_FAULT("[data]\nfrom = published ../work/table\n", "WORK/TABLE is wanted");
    ASSERT_FAULT("[data]\nfrom = published work/table-1.1\nwhere = kernel=x\n", "has no rows");
}

static void a_published_table_stands_beside_what_was_measured(void **state)
{
    (void)state;
    measured("ds1\t64\t1\t0000000a\tok\t-\t6\t30\n"
             "euler\t64\t1\t0000000a\tok\t-\t3\t30\n"
             "rk2\t64\t1\t0000000a\tok\t-\t4\t20\n");
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write("db/published/work/times.tsv", "w",
                  "time\tscheme\tcard\n8\trk2\ta\n3\tds1\tb\n1\tnone\tc\n");
    assert_fine(read_tables("[data]\nfrom = measured\nbeside = work/times: scheme\n"
                            "column = times: time / wall_s\n",
                            0));
    assert_cells(0, "scheme wall_s time card times", "ds1 6 3 b 0.5; euler 3 - - -; rk2 4 8 a 2");
    drop_tables();
    assert_fine(read_tables("[data]\nfrom = measured\nwhere = card=a|b time>5\n"
                            "beside =  work/times :  scheme\n",
                            0));
    assert_cells(0, "scheme card", "rk2 a");
    drop_tables();
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/times\n",
                 "text.ini:5: beside: WORK/TABLE: COLUMN is wanted");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/time: scheme\n", "beside: there is no ");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = ../times: scheme\n", "WORK/TABLE is wanted");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/times: nx\n", "unknown column 'nx'");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/times: card\n", "unknown column 'card'");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/times: scheme\n"
                 "beside = work/times: scheme\n",
                 "another column 'time'");
    scratch_write("db/published/work/times.tsv", "a", "9\trk2\td\n");
    ASSERT_FAULT("[data]\nfrom = measured\nbeside = work/times: scheme\n",
                 "beside: two rows of that table have 'rk2' in scheme");
}

static void the_initial_state_of_a_case_comes_from_its_formulas(void **state)
{
    (void)state;
    assert_fine(read_tables("[data]\nfrom = case circular-dam-dry\nnx = 8\nsort = x\n", 0));
    const struct frame *f = &tables.at[0].frame;
    const int x = frame_column(f, "x"), y = frame_column(f, "y"), w = frame_column(f, "w"),
              h = frame_column(f, "h"), bed = frame_column(f, "bed");
    double deepest = 0;
    assert_int_equal(f->rows, 64);
    for (size_t r = 0; r < f->rows; r++) {
        assert_true(frame_number(f, r, h) >= 0);
        ASSERT_NEAR(frame_number(f, r, w), frame_number(f, r, bed) + frame_number(f, r, h), 1e-6);
        deepest = fmax(deepest, frame_number(f, r, h));
    }
    assert_true(deepest > 0);
    assert_true(frame_number(f, 0, h) == 0);
    ASSERT_NEAR(frame_number(f, 63, x) - frame_number(f, 0, x),
                7 * (frame_number(f, 1, y) - frame_number(f, 0, y)), 1e-5);
    drop_tables();
    assert_fine(read_tables("[data]\nfrom = case circular-dam\n", 0));
    assert_int_equal(tables.at[0].frame.rows, 160 * 160);
    drop_tables();
    ASSERT_FAULT("[data]\nfrom = case circular-dma\n", "did you mean 'circular-dam'?");
    ASSERT_FAULT("[data]\nfrom = case sine\nnx = many\n", "text.ini:5: nx: 'many' is no number");
    ASSERT_FAULT("[data]\nfrom = case sine\nrelative = a: w | h=1\n", "only what was measured");
}

static void what_data_cannot_be_is_refused_with_its_place(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t4\t20\n");
    ASSERT_FAULT("[data]\nwhere = a=b\n", "text.ini:3: this section needs 'from = ...'");
    ASSERT_FAULT("[data]\nfrom = mesured\n", "did you mean 'measured'?");
    ASSERT_FAULT("[data]\nfrom = measured txt\n", "did you mean 'text'?");
    ASSERT_FAULT("[data]\nfrom = measured\n[data]\nfrom = measured\n",
                 "text.ini:5: only the first");
    ASSERT_FAULT("[data]\nfrom = measured\n[data]\nfrom = measured\nname = data\n",
                 "text.ini:5: there is a table 'data' already");
    ASSERT_FAULT("[data]\nfrom = measured\nname = a.b\n", "text.ini:5: name: 'a.b' is no name");
    ASSERT_FAULT("[data]\nfrom = measured\nwhere = schme=rk2\n",
                 "text.ini:5: where: unknown column");
    ASSERT_FAULT("[data]\nfrom = measured\nsort = schme\n", "text.ini:5: sort: unknown column");
    ASSERT_FAULT("[data]\nfrom = measured\ncolumn = wall_s\n", "text.ini:5: column: NAME:");
    ASSERT_FAULT("[data]\nfrom = measured\ncolumn = A: 1\n", "'A' is no name of a column");
    ASSERT_FAULT("[data]\nfrom = measured\ncolumn = nx: 1\n", "another column 'nx'");
    ASSERT_FAULT("[data]\nfrom = measured\ncolumn = a: 1 +\n", "text.ini:5: column: ");
    ASSERT_FAULT("[data]\nfrom = measured\ncolumn = a: wal\n", "unknown column 'wal'");
    ASSERT_FAULT("[data]\nfrom = measured\nrelative = a: wall_s\n", "COLUMN | setting=value");
    ASSERT_FAULT("[data]\nfrom = measured\nrelative = a: wal | nx=64\n", "unknown column 'wal'");
}

#define IN_HOME(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_HOME(devices_come_by_name_the_one_measured_last_first),
        IN_HOME(of_each_point_the_latest_session_counts_and_only_what_is_ok),
        IN_HOME(cells_that_must_be_numbers_and_are_none_are_told_with_their_line),
        IN_HOME(a_key_that_a_source_does_not_take_is_refused),
        IN_HOME(conditions_columns_and_order_are_applied),
        IN_HOME(rows_that_are_not_there_are_missing_and_no_error),
        IN_HOME(malformed_rows_are_errors_with_file_and_line),
        IN_HOME(a_common_figure_has_the_latest_environment_of_every_device),
        IN_HOME(an_environment_without_rows_leaves_its_place_to_an_older_one),
        IN_HOME(published_tables_are_the_same_for_all_devices),
        IN_HOME(a_published_table_stands_beside_what_was_measured),
        IN_HOME(the_initial_state_of_a_case_comes_from_its_formulas),
        IN_HOME(what_data_cannot_be_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
