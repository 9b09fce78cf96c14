/* The answers of a figure's queries: which rows, from where, and what is refused. */
#include "tests/support/test.h"

#include "plots/data/figure_tables.h"
#include "tests/support/figures.h"
#include "tests/support/near.h"

#define TOP     "title = A title\nchapter = A chapter\n"
#define MEASURE "[measure]\nkind = runs\n"
#define DRAW    "[draw]\nshape = series\n"
#define ROWS    "SELECT * FROM measured_text"
#define DATA    "[data]\nsql = " ROWS " ORDER BY scheme, nx, run\n"
#define COLUMNS "scheme\tnx\trun\tsession\toutcome\treason\twall_s\tsteps\n"
#define HASH    "0123456789ab"
#define OTHER   "  \"environment\": {\"backend\": \"cpu\", \"device\": \"Other 1\"},\n" FLAGS
#define OTHER_MANIFEST                                                                    \
    "{\n  \"format\": 1,\n" OTHER "  \"sessions\": {\"0000000c\": {\"commit\": \"abc\", " \
    "\"dirty\": \"no\", \"started\": \"2014-05-14T12:00:00Z\"}}\n}\n"

#define LATER_MANIFEST                                                                    \
    "{\n  \"format\": 1,\n" OTHER "  \"sessions\": {\"0000000c\": {\"commit\": \"abc\", " \
    "\"dirty\": \"no\", \"started\": \"2044-05-14T12:00:00Z\"}}\n}\n"

/* An installation and a database in the scratch folder: made-up-9 with two sessions, of which 0000000b
 * began later. */
static int set_up(void **state)
{
    char path[PATH_LENGTH], from[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_write("kernels/tile.h", "w", "");
    scratch_folder("experiments");
    scratch_folder("db");
    build_environment("made-up-9", HASH, MANIFEST);
    scratch_folder(inside("experiments"));
    snprintf(from, sizeof from, "%.3000s/plots", installation);
    scratch_path(path, "plots");
    assert_int_equal(symlink(from, path), 0);
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
    drop_tables(); /* left by an earlier, faulty file */
    scratch_write("experiments/text.ini", "w", TOP);
    scratch_write("experiments/text.ini", "a", data);
    scratch_write("experiments/text.ini", "a", DRAW);
    assert_fine(experiment_read(&experiment, "text"));
    assert_fine(plot_devices_read(&devices, ""));
    return plot_tables_read(&tables, &experiment, &devices, common ? NULL : &devices.at[0]);
}

/* The sessions of the rows, in order. */
static void assert_sessions(const char *wanted)
{
    char text[256] = "";
    for (size_t k = 0; k < tables.sessions.rows; k++)
        strcat(strcat(text, k ? " " : ""), rowset_text(&tables.sessions, k, "session"));
    assert_string_equal(text, wanted);
}

/* The cells of some columns of a table, rows separated by "; ". */
static void assert_cells(int table, const char *columns, const char *wanted)
{
    const struct rowset *f = &tables.at[table].answer;
    char text[4096] = "", names[256], *next, *name;
    for (size_t r = 0; r < f->rows; r++) {
        next = strcpy(names, columns);
        strcat(text, r ? "; " : "");
        for (int k = 0; (name = strsep(&next, " ")) != NULL; k++) {
            const int column = rowset_column(f, name);
            assert_true(column >= 0);
            strcat(text, k ? " " : "");
            strcat(text, rowset_at(f, r, column));
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
    assert_fine(plot_devices_read(&devices, ""));
    assert_int_equal(devices.count, 3);
    assert_string_equal(devices.at[0].device, "made-up-9");
    assert_string_equal(devices.at[0].environment, HASH);
    assert_int_equal(devices.at[0].rank, 1);
    assert_int_equal(devices.at[1].rank, 2);
    assert_string_equal(devices.at[0].latest, "2014-05-16T12:00:00Z");
    assert_int_equal(devices.at[0].backend, CUDA);
    assert_string_equal(plot_device_title(&devices.at[0]), "Made Up 9");
    assert_string_equal(devices.at[1].environment, "a00000000000");
    assert_string_equal(devices.at[2].device, "other-1");
    assert_int_equal(devices.at[2].backend, CPU);
    plot_devices_free(&devices);
    assert_fine(plot_devices_read(&devices, "other-1"));
    assert_int_equal(devices.count, 1);
    plot_devices_free(&devices);
    assert_int_equal(plot_devices_read(&devices, "kettle"), ERR_USAGE);
    ASSERT_HAS(err_message(), "no device 'kettle'; it has made-up-9 other-1");
    setenv("SHOAL_DB", "/absent", 1);
    assert_int_equal(plot_devices_read(&devices, ""), ERR_INPUT);
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
    assert_fine(read_tables(DATA "[data]\nname = failed\nsql = SELECT * FROM measured_text_all\n"
                                 "  WHERE newest AND outcome <> 'ok'\n"
                                 "[data]\nname = n\nsql = SELECT count(*) AS n FROM "
                                 "measured_text_all\n",
                            0));
    assert_int_equal(tables.count, 3);
    assert_int_equal(tables.present, 1);
    assert_string_equal(tables.at[0].name, "data");
    assert_sessions("0000000b 0000000a");
    assert_cells(0, "nx wall_s device device_title backend",
                 "64 2 made-up-9 Made Up 9 cuda; 128 3 made-up-9 Made Up 9 cuda; "
                 "128 4 made-up-9 Made Up 9 cuda");
    assert_cells(1, "scheme session reason", "ds1 0000000b too long");
    assert_cells(2, "n", "7");
    drop_tables();
}

static void a_split_table_is_read_as_one(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t2\t20\n");
    scratch_write(inside("experiments/text.0000000b.tsv"), "w",
                  COLUMNS "rk2\t128\t1\t0000000b\tok\t-\t3\t20\n");
    assert_fine(read_tables(DATA, 0));
    assert_cells(0, "nx wall_s session", "64 2 0000000a; 128 3 0000000b");
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
        assert_int_equal(read_tables(DATA, 0), ERR_INPUT);
        ASSERT_HAS(err_message(), "text.tsv:3: wall_s '");
        ASSERT_HAS(err_message(), "expected a number, or - for none");
    }
}

/* What experiments use most: a computed column, one relative to a setting, groups, an earlier table. */
static void queries_compute_compare_and_group(void **state)
{
    (void)state;
    measured("ds1\t128\t1\t0000000a\tok\t-\t8\t40\n"
             "ds1\t64\t1\t0000000a\tok\t-\t6\t30\n"
             "euler\t64\t1\t0000000a\tok\t-\t-\t30\n"
             "rk2\t64\t1\t0000000a\tok\t-\t4\t20\n"
             "rk2\t64\t2\t0000000a\tok\t-\t2\t20\n"
             "rk2\t64\t3\t0000000a\tok\t-\t8\t20\n");
    assert_fine(read_tables(
        "[data]\nsql = SELECT *, steps / wall_s AS rate, -- in cells a second\n"
        "    wall_s / median(wall_s) FILTER (WHERE scheme = 'rk2') OVER (PARTITION BY nx) AS "
        "times\n"
        "  FROM measured_text ORDER BY nx, wall_s\n"
        "[data]\nname = medians\nsql = SELECT scheme, median(wall_s) AS wall_s FROM data GROUP BY "
        "scheme ORDER BY scheme\n",
        0));
    assert_cells(0, "scheme nx wall_s rate times",
                 "euler 64 - - -; rk2 64 2 10 0.5; rk2 64 4 5 1; ds1 64 6 5 1.5; rk2 64 8 2.5 2; "
                 "ds1 128 8 5 -");
    assert_cells(1, "scheme wall_s", "ds1 8; euler -; rk2 4");
    drop_tables();
}

static void numbers_divide_as_numbers(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t2\t3\n");
    assert_fine(read_tables("[data]\nsql = SELECT steps / wall_s AS x, nx / 1000 AS y FROM "
                            "measured_text ORDER BY nx\n",
                            0));
    assert_cells(0, "x y", "1.5 0.064");
    drop_tables();
}

static void rows_that_are_not_there_are_missing_and_no_error(void **state)
{
    (void)state;
    assert_fine(read_tables(MEASURE DATA, 0));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "`shoal measure text`");
    drop_tables();
    measured("ds1\t128\t1\t0000000a\tok\t-\t8\t40\n");
    assert_fine(read_tables("[data]\nsql = " ROWS " WHERE scheme = 'rk2' ORDER BY nx\n", 0));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "Made Up 9 has no rows");
    drop_tables();
    scratch_write("experiments/b.ini", "w", TOP MEASURE DRAW);
    assert_fine(read_tables("[data]\nsql = SELECT * FROM measured_b ORDER BY nx\n", 1));
    assert_int_equal(tables.present, 0);
    ASSERT_HAS(tables.missing, "no device has rows");
    ASSERT_HAS(tables.missing, "`shoal measure b`");
    drop_tables();
    ASSERT_FAULT("[data]\nsql = SELECT * FROM measured_c ORDER BY nx\n",
                 "no such table: measured_c");
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
        ASSERT_FAULT(DATA, faults[k][1]);
    }
    scratch_write(inside("experiments/text.tsv"), "w", "");
    ASSERT_FAULT(DATA, "no line of column names");
    scratch_write(inside("experiments/text.tsv"), "w", "a\ta\n");
    ASSERT_FAULT(DATA, "text.tsv:1: a column has no name");
    scratch_write(inside("experiments/text.tsv"), "w", "a\tb\n");
    ASSERT_FAULT(DATA, "'session' and 'outcome'");
    assert_fine(read_tables("[data]\nsql = SELECT 1 AS x FROM environments ORDER BY x\n", 0));
    drop_tables();
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
    assert_fine(read_tables("[data]\nsql = " ROWS " ORDER BY device, scheme\n", 1));
    assert_cells(0, "device scheme wall_s", "made-up-9 rk2 4; other-1 ds1 2; other-1 rk2 8");
    assert_sessions("0000000a 0000000c");
    assert_int_equal(tables.present, 1);
    drop_tables();
}

/* The rows that `shoal measure --nx 128` with another compiler leaves. */
static void each_size_of_a_device_has_its_own_environment(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t4\t20\nds1\t64\t1\t0000000a\tok\t-\t3\t20\n"
             "rk2\t128\t1\t0000000a\tok\t-\t40\t20\nds1\t128\t1\t0000000a\tok\t-\t30\t20\n");
    scratch_folder("db/made-up-9/a00000000000");
    scratch_folder("db/made-up-9/a00000000000/experiments");
    scratch_write("db/made-up-9/a00000000000/manifest.json", "w", LATER_MANIFEST);
    scratch_write("db/made-up-9/a00000000000/experiments/text.tsv", "w",
                  COLUMNS "rk2\t128\t1\t0000000c\tok\t-\t20\t20\n");
    assert_fine(read_tables(DATA, 0));
    assert_cells(0, "scheme nx wall_s", "ds1 64 3; rk2 64 4; rk2 128 20");
    assert_sessions("0000000c 0000000a");
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
    assert_fine(read_tables(DATA, 1));
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
        assert_fine(
            read_tables("[data]\nsql = SELECT * FROM work_table_1_1 ORDER BY kernel\n", common));
        assert_cells(0, "kernel width", "FGH 16; RK ?");
        assert_int_equal(rowset_column(&tables.at[0].answer, "device"), -1);
        assert_sessions("");
        drop_tables();
    }
    ASSERT_FAULT("[data]\nsql = SELECT * FROM work_table_1_2 ORDER BY 1\n",
                 "text.ini:4: sql: no such table: work_table_1_2; did you mean 'work_table_1_1'?");
    ASSERT_FAULT("[data]\nsql = SELECT * FROM work_table_1_1 WHERE kernel = 'x' ORDER BY 1\n",
                 "no row answers this query");
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
    assert_fine(read_tables("[data]\nsql = SELECT *, time / wall_s AS times FROM measured_text "
                            "LEFT JOIN work_times USING (scheme) ORDER BY scheme\n",
                            0));
    assert_cells(0, "scheme wall_s time card times", "ds1 6 3 b 0.5; euler 3 - - -; rk2 4 8 a 2");
    drop_tables();
}

static void the_initial_state_of_a_case_comes_from_its_formulas(void **state)
{
    (void)state;
    assert_fine(read_tables("[data]\nsql = SELECT * FROM case_circular_dam_dry_8 ORDER BY y, x\n"
                            "[data]\nname = usual\nsql = SELECT count(*) AS n, max(h) AS h FROM "
                            "case_circular_dam_dry ORDER BY n\n",
                            0));
    assert_int_equal(tables.at[0].answer.rows, 64);
    assert_cells(1, "n h", "25600 2.5");
    drop_tables();
}

/* Rows of SQL have no order of their own. */
static void what_is_drawn_needs_an_order(void **state)
{
    static const char *const unordered[] = {ROWS, "SELECT * FROM (" ROWS " ORDER BY nx)",
                                            ROWS " WHERE scheme = 'a order by b'",
                                            "SELECT nx AS border, run AS by FROM measured_text"};
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t2\t20\n");
    for (size_t k = 0; k < sizeof unordered / sizeof *unordered; k++) {
        char data[256];
        snprintf(data, sizeof data, "[data]\nsql = %s\n", unordered[k]);
        ASSERT_FAULT(data, "text.ini:4: sql: what is drawn needs an order");
    }
    assert_fine(read_tables("[data]\nsql = " ROWS "\n  order\n  by nx\n"
                            "[data]\nname = asked\nsql = " ROWS "\n",
                            0));
    drop_tables();
}

static void what_data_cannot_be_is_refused_with_its_place(void **state)
{
    (void)state;
    measured("rk2\t64\t1\t0000000a\tok\t-\t2\t20\n");
    ASSERT_FAULT("[data]\nname = a\n", "text.ini:3: this section needs 'sql = SELECT ...'");
    ASSERT_FAULT(DATA "[data]\nsql = SELECT 1\n",
                 "text.ini:5: only the first [data] can do without 'name = ...'");
    ASSERT_FAULT(DATA "[data]\nname = data\nsql = SELECT 1\n",
                 "text.ini:5: there is a table 'data' already");
    ASSERT_FAULT("[data]\nname = a.b\nsql = SELECT 1\n",
                 "text.ini:4: name: 'a.b' is not the name of a table");
    ASSERT_FAULT(
        "[data]\nsql = SELECT *\n  FROM measured_text\n  WHERE schme = 'rk2'\n  ORDER BY nx\n",
        "text.ini:6: sql: no such column: schme at 'schme = 'rk2''; the columns of "
        "measured_text: device environment newest scheme nx run session outcome reason wall_s "
        "steps device_title backend");
    ASSERT_FAULT("[data]\nsql = DELETE FROM measured_text_all ORDER BY nx\n", "text.ini:4: sql: ");
    ASSERT_FAULT("[data]\nsql = SELEC * ORDER BY nx\n", "text.ini:4: sql: near \"SELEC\"");
}

#define IN_HOME(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_HOME(devices_come_by_name_the_one_measured_last_first),
        IN_HOME(of_each_point_the_latest_session_counts_and_only_what_is_ok),
        IN_HOME(a_split_table_is_read_as_one),
        IN_HOME(cells_that_must_be_numbers_and_are_none_are_told_with_their_line),
        IN_HOME(queries_compute_compare_and_group),
        IN_HOME(numbers_divide_as_numbers),
        IN_HOME(rows_that_are_not_there_are_missing_and_no_error),
        IN_HOME(malformed_rows_are_errors_with_file_and_line),
        IN_HOME(a_common_figure_has_the_latest_environment_of_every_device),
        IN_HOME(each_size_of_a_device_has_its_own_environment),
        IN_HOME(an_environment_without_rows_leaves_its_place_to_an_older_one),
        IN_HOME(published_tables_are_the_same_for_all_devices),
        IN_HOME(a_published_table_stands_beside_what_was_measured),
        IN_HOME(the_initial_state_of_a_case_comes_from_its_formulas),
        IN_HOME(what_is_drawn_needs_an_order),
        IN_HOME(what_data_cannot_be_is_refused_with_its_place),
    };
    return installation_find() ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
