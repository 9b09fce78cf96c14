/* `shoal db`: the check finds each planted fault, and none in the repository; what show prints. */
#include "tests/support/test.h"

#include <unistd.h>

#include "tests/support/database.h"

#define CHECK() SHOAL("db", "check", "db")

static void a_sound_database_passes(void **state)
{
    (void)state;
    CHECK();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "files=2 rows=3");
    ASSERT_HAS(result.out, "faults=0");
    scratch_folder(inside("experiments"));
    scratch_write(inside("experiments/speed.tsv"), "w",
                  "# made up\nscheme\tsession\toutcome\treason\nrk2\t0000000a\tok\t-\n");
    CHECK();
    ASSERT_STATUS(0);
}

static void expect_fault(const char *message)
{
    CHECK();
    if (!strstr(result.out, message))
        fail_msg("no '%s' in '%s'", message, result.out);
    ASSERT_STATUS(1);
}

static void restore(void)
{
    assert_int_equal(scratch_remove(NULL), 0);
    build_database(NULL);
}

static void check_finds_faults_of_rows(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } faults[] = {{"junk\n", "64x64-f32.tsv:5: "}, {"\n", "64x64-f32.tsv:5: "}};
    char line[DB_LINE + 1];
    struct db_row row = row_of(8, 8, 50);
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        scratch_write(inside(TABLE), "a", faults[k].line);
        expect_fault(faults[k].message);
        restore();
    }
    db_row_format(&row, line);
    scratch_write(inside(TABLE), "a", line);
    expect_fault("tsv:5: out of order");
    expect_fault("does not end with a newline");
    restore();
    row = failed_row(64, 32, DB_CONSTRAINT);
    strcpy(row.session, "0000000b");
    db_row_format(&row, line);
    strcat(line, "\n");
    scratch_write(inside(TABLE), "a", line);
    expect_fault("tsv:5: the same block");
    restore();
    strcpy(row.flags, "strict");
    strcpy(row.session, "0000000c");
    strcpy(row.reason, "no /usr/bin/nvcc on node7.cluster.example");
    write_rows(TABLE, &row, 1);
    expect_fault("tsv:2: flags 'strict' are not in the manifest");
    expect_fault("tsv:2: session '0000000c' is not in the manifest");
    expect_fault("tsv:2: '/usr/bin/nvcc' looks like a path");
}

static void check_finds_faults_of_layout(void **state)
{
    (void)state;
    scratch_write(inside("flux_fgh0/notes.txt"), "w", "x\n");
    expect_fault("notes.txt: does not belong here");
    restore();
    struct db_row row = row_of(8, 8, 50);
    write_rows("flux_fgh0/nosuch-64x64-f32.tsv", &row, 1);
    expect_fault("there is no case 'nosuch'");
    restore();
    scratch_folder(inside("clock"));
    write_rows("clock/sine-64x64-f32.tsv", &row, 1);
    expect_fault("no kernel 'clock' is tuned");
    restore();
    write_rows("flux_fgh0/sine-064x64-f32.tsv", &row, 1);
    expect_fault("does not belong here");
    restore();
    char path[PATH_LENGTH];
    scratch_path(path, inside("manifest.json"));
    assert_int_equal(unlink(path), 0);
    expect_fault("the manifest of its environment");
}

static void check_finds_faults_of_manifests(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } faults[] = {
        {"{", "manifest.json:1: string or '}' expected"},
        {"{\"a\": [1]}\n", "manifest.json: a: expected a text, a whole number"},
        {"{\"a\": 1,\n \"a\": 2}\n", "manifest.json:2: duplicate object key"},
        {"[]\n", "manifest.json: expected {"},
        {"{\"a/b\": 1}\n", "a short name"},
        {"{\"a\": 1,\n\"\\n\": 1}\n", "manifest.json: expected a short name"},
        {"{\"a\": \"1\\n2\"}\n", "on one line"},
        {"{\"a\": {\"b\": {\"c\": {\"d\": {\"e\": 1}}}}}\n", "no deeper object"},
        {"{}\n", "environment/device is missing"},
        {"{}\n", "format: expected 1"},
        {"{}\nx\n", "manifest.json:2: end of file expected"},
        {"{\n" ENVIRONMENT FLAGS SESSIONS "}\n", "format: expected 1"},
        {"{\"format\": 1, \"environment\": {\"device\": \"Made Up 9\"}}\n", "cpu or cuda"},
        {"{\"format\": 1, \"environment\": {\"device\": \"Else\"}}\n", "belongs in a folder"},
        {"{\"format\": 1, \"environment\": {\"device\": \"Else\"}}\n", "hash is"},
        {"{\"environment\": {\"host\": \"x\"}}\n", "environment/host: no host"},
        {"{\"sessions\": {\"1\": {\"commit\": \"a\"}}}\n", "8 hexadecimal digits"},
        {"{\"sessions\": {\"00000001\": {\"started\": \"noon\"}}}\n", "started: expected a time"},
        {"{\"sessions\": {\"00000001\": {\"started\": \"noon\"}}}\n",
         "dirty: expected no, yes or unknown"},
        {"{\"sessions\": {\"00000001\": {\"started\": \"noon\"}}}\n", "commit is missing"},
        {"{\"a\": \"node7.cluster.example\"}\n", "the name of a host"},
        {"{\"a\": \"(x;node_7.cluster.example)\"}\n", "the name of a host"},
        {"{\"a\": \"gpu.lan\"}\n", "the name of a host"},
        {"{\"a\": \"10.0.0.7\"}\n", "a network address"},
        {"{\"a\": \"GPU-01234567-89ab-cdef-0123-456789abcdef\"}\n", "a serial number"},
        {"{\"a\": \"is 01234567-89AB-CDEF-0123-456789abcdef.\"}\n", "a serial number"},
        {"{\"a\": \"me@there\"}\n", "a user or mail address"},
        {"{\"a\": \"/home/me\"}\n", "a path"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        scratch_write(inside("manifest.json"), "w", faults[k].text);
        expect_fault(faults[k].message);
    }
}

static void check_finds_faults_of_free_tables(void **state)
{
    (void)state;
    static const char cited[] = "# source: made up\n# table: 1\n# page: 2\n";
    static const struct {
        const char *comments, *text, *message;
    } faults[] = {
        {"", "a\tb\n1\t2\n", "# page: "},
        {cited, "a\tb\n1\n", "t.tsv:5: expected 2 columns"},
        {cited, "a\tb\n1\t\n", "t.tsv:5: column 2"},
        {cited, "a\tb\n1\t?\n", "t.tsv:5: a ?"},
        {cited, "A\tb\n1\t2\n", "t.tsv:4: column 'A'"},
        {cited, "", "no line of column names"},
    };
    static const struct {
        const char *text, *message;
    } of_experiments[] = {
        {"x\ty\n", "columns session, outcome and reason"},
        {"x\tsession\toutcome\treason\n1\t0000000a\tlaunch\t-\n", "e.tsv:2: outcome launch needs"},
        {"x\tsession\toutcome\treason\n1e\t0000000a\tok\t-\n",
         "e.tsv:2: x '1e': expected a number"},
        {"x\tsession\toutcome\treason\r\n", "e.tsv:1: a carriage return"},
        {"x\tsession\toutcome\treason\n1\t0000000c\tok\t-\n", "e.tsv:2: session '0000000c'"},
        {"x\tsession\toutcome\treason\n2\t0000000a\tok\t-\n1\t0000000a\tok\t-\n",
         "e.tsv:3: out of order"},
    };
    scratch_folder("db/published");
    scratch_folder("db/published/nobody");
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        scratch_write("db/published/nobody/t.tsv", "w", faults[k].comments);
        scratch_write("db/published/nobody/t.tsv", "a", faults[k].text);
        expect_fault(faults[k].message);
    }
    restore();
    scratch_folder(inside("experiments"));
    for (size_t k = 0; k < sizeof of_experiments / sizeof of_experiments[0]; k++) {
        scratch_write(inside("experiments/e.tsv"), "w", of_experiments[k].text);
        expect_fault(of_experiments[k].message);
    }
}

static void show_prints_the_best_the_ties_and_the_failures(void **state)
{
    (void)state;
    scratch_folder("kernels");
    scratch_write("kernels/tile.h", "w", "");
    const char *set = getenv("SHOAL_HOME");
    char *own = set ? strdup(set) : NULL;
    assert_int_equal(setenv("SHOAL_HOME", scratch, 1), 0);
    char from[PATH_LENGTH], to[PATH_LENGTH];
    scratch_path(from, "db");
    scratch_path(to, "tuning_db");
    assert_int_equal(rename(from, to), 0);
    SHOAL("db", "show", "flux_fgh0");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "flux_fgh0 circular-dam 64x64 f32");
    ASSERT_HAS(result.out, "3: 2 ok, 1 constraint");
    ASSERT_HAS(result.out, "32x8: 100.000 us (99.750 to 100.250), 50 timings by cupti, 40 regi");
    ASSERT_HAS(result.out, "ties     1: 32x8");
    ASSERT_HAS(result.out, "default  32x8: 100.000 us, loses 0.0 % (tied with the best)");
    SHOAL("db", "show", "rk0");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "no measurements");
    SHOAL("db", "show", "flux_fgh0", "--device", "made-up-9");
    ASSERT_STATUS(0);
    SHOAL("db", "show", "flux_fgh0", "--device", "nosuch");
    ASSERT_STATUS(2);
    SHOAL("db", "show", "flux_fgh");
    ASSERT_STATUS(2);
    SHOAL("db");
    ASSERT_STATUS(2);
    assert_int_equal(own ? setenv("SHOAL_HOME", own, 1) : unsetenv("SHOAL_HOME"), 0);
    free(own);
}

static void another_database_can_be_named(void **state)
{
    (void)state;
    assert_int_equal(setenv("SHOAL_DB", "db", 1), 0);
    SHOAL("db", "check");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "files=2 rows=3");
    SHOAL("db", "show", "flux_fgh0");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "best     32x8");
    assert_int_equal(unsetenv("SHOAL_DB"), 0);
}

static void the_database_in_the_repository_is_sound(void **state)
{
    (void)state;
    SHOAL("db", "check");
    if (result.status != 0)
        fail_msg("%s%s", result.out, result.err);
    ASSERT_HAS(result.out, "faults=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_sound_database_passes),
        IN_SCRATCH(check_finds_faults_of_rows),
        IN_SCRATCH(check_finds_faults_of_layout),
        IN_SCRATCH(check_finds_faults_of_manifests),
        IN_SCRATCH(check_finds_faults_of_free_tables),
        IN_SCRATCH(show_prints_the_best_the_ties_and_the_failures),
        IN_SCRATCH(another_database_can_be_named),
        IN_SCRATCH(the_database_in_the_repository_is_sound),
    };
    if (program_find()) {
        fprintf(stderr, "%s\n", err_message());
        return 1;
    }
    unsetenv("SHOAL_DB"); /* tests/runner points it to nowhere */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
