/* Imports of Kernel Tuner's cache files: our own exports, those of others, and files that are none. */
#include "tests/support/test.h"

#include "tests/support/exports.h"

static void ignore(void *context, const char *path, int line, const char *fault)
{
    (void)context;
    print_message("%s:%d: %s\n", path, line, fault);
}

static void an_export_can_be_imported_as_a_published_table(void **state)
{
    (void)state;
    char *text, wanted[128];
    size_t size;
    struct db_checked sum;
    assert_fine(EXPORT("--format", "kernel-tuner"));
    assert_fine(IMPORT(exported(".cache.json")));
    ASSERT_HAS(result.out, "flux_fgh0 on Made Up 9, 64 x 64\n");
    snprintf(wanted, sizeof wanted, "configurations %d: %d ok, ", rows_written, oks);
    ASSERT_HAS(result.out, wanted);
    ASSERT_HAS(result.out, "2 compile, 2 launch, 2 wrong-answer, 2 time-out\n");
    ASSERT_HAS(result.out, "best           block_size_x=64 block_size_y=4: 0.1 ms\n");
    assert_int_equal(access("db/published", F_OK), -1);
    assert_fine(IMPORT(exported(".cache.json"), "--as", "made-up-2014", "--source", "Some, 2014"));
    assert_fine(whole_file_read("db/published/made-up-2014/flux-fgh0-made-up-9.tsv", 1 << 20, &text,
                                &size));
    ASSERT_HAS(text, "# source: Some, 2014\n");
    ASSERT_HAS(text, "nothing here was measured by Shoal");
    ASSERT_HAS(text, "\nblock_size_x\tblock_size_y\ttime_ms\toutcome\treason\n");
    ASSERT_HAS(text, "\n64\t4\t0.1\tok\t-\n");
    ASSERT_HAS(text, "\tlaunch\tlaunch: RuntimeFailedConfig\n");
    free(text);
    assert_fine(db_check("db", ignore, NULL, &sum));
    assert_int_equal(sum.faults, 0);
    assert_int_equal(
        IMPORT(exported(".cache.json"), "--as", "made-up-2014", "--source", "Some, 2014"),
        ERR_USAGE);
    ASSERT_HAS(err_message(), " exists: delete it");
}

/* As other versions and other tools write them: an error only in the time, a time that means none, a list left open
 * for more, parameters of all kinds. */
static void caches_of_others_are_read(void **state)
{
    (void)state;
    static const char foreign[] =
        "{\"device_name\": \"Other\", \"kernel_name\": \"Convolve 2\", \"problem_size\": "
        "4096,\n\"tune_params_keys\": [\"BLOCK X\", \"method\", \"pad\"], \"tune_params\": {}, "
        "\"cache\": {\n"
        "\"16,a,true\": {\"BLOCK X\": 16, \"method\": \"a\\tb\", \"pad\": true, \"time\": 3.50},\n"
        "\"32,a,true\": {\"BLOCK X\": 32, \"method\": \"a\", \"pad\": true, \"time\": "
        "\"InvalidConfig\"},\n"
        "\"64,a,true\": {\"BLOCK X\": 64, \"method\": \"\", \"pad\": null, \"time\": 1e20},\n";
    char *text;
    size_t size;
    scratch_write("foreign.json", "w", foreign);
    assert_fine(IMPORT("foreign.json", "--as", "other", "--source", "Other, 2020"));
    ASSERT_HAS(result.out, "Convolve 2 on Other, 4096\n");
    ASSERT_HAS(result.out, "configurations 3: 1 ok, 1 constraint, 1 launch\n");
    ASSERT_HAS(result.out, "best           BLOCK X=16 method=a b pad=true: 3.5 ms\n");
    assert_fine(whole_file_read("db/published/other/convolve-2-other.tsv", 1 << 20, &text, &size));
    ASSERT_HAS(text, "block_x\tmethod\tpad\ttime_ms\toutcome\treason\n"
                     "16\ta b\ttrue\t3.5\tok\t-\n"
                     "32\ta\ttrue\t-\tconstraint\tInvalidConfig\n"
                     "64\t-\t-\t-\tlaunch\tno time\n");
    free(text);
}

static void what_is_no_cache_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } faults[] = {
        {"", "cache.json:1: "},
        {"{\"a\": }", "cache.json:1: unexpected token near '}'"},
        {"[]", "no object 'cache'"},
        {"{\"results\": []}", "T4 files are not supported"},
        {"{\"cache\": {}}", "kernel_name"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"b\"}", "tune_params_keys"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"b\", \"tune_params_keys\": "
         "[1]}",
         "tune_params_keys: expected a parameter's name"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"b\", \"tune_params_keys\": "
         "[\"A\", \"a\"]}",
         "there is already 'a'"},
        {"{\"cache\": {}, \"kernel_name\": \"a\\n# b\", \"device_name\": \"b\"}",
         "kernel_name: expected a text on one line"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"\\u001b[31m\"}",
         "device_name: expected a text on one line"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"b\", \"problem_size\": "
         "\"4\\t4\"}",
         "problem_size: expected a text on one line"},
        {"{\"cache\": {}, \"kernel_name\": \"a\", \"device_name\": \"b\", \"tune_params_keys\": "
         "[\"A\\u009b\"]}",
         "tune_params_keys: expected a text on one line"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        scratch_write("cache.json", "w", faults[k].text);
        assert_int_equal(IMPORT("cache.json", "--as", "x", "--source", "y"), ERR_INPUT);
        ASSERT_HAS(err_message(), faults[k].message);
    }
    assert_int_equal(IMPORT("nosuch.json"), ERR_INPUT);
    assert_int_equal(IMPORT("--as", "x"), ERR_USAGE);
    assert_fine(EXPORT("--format", "kernel-tuner"));
    assert_int_equal(IMPORT(exported(".cache.json"), "--as", "x"), ERR_USAGE);
    ASSERT_HAS(err_message(), "--source");
    assert_int_equal(IMPORT(exported(".cache.json"), "--as", "X/y", "--source", "z"), ERR_USAGE);
    assert_int_equal(IMPORT(exported(".cache.json"), "--source", "z"), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SPACE(an_export_can_be_imported_as_a_published_table),
        IN_SPACE(caches_of_others_are_read),
        IN_SPACE(what_is_no_cache_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
