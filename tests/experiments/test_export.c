/* Exports: what readers of other tools expect of the files, and what they find in them. */
#include "tests/support/test.h"

#include "tests/support/exports.h"
#include "tests/support/near.h"

#define CLOSING "\n}\n}"

static void load(const char *name, char **text, json_t **root)
{
    size_t size;
    assert_fine(whole_file_read(name, 1 << 20, text, &size));
    assert_fine(json_read(name, *text, size, root));
}

static json_t *need(const json_t *object, const char *name, json_type type)
{
    json_t *v = json_object_get(object, name);
    if (!v || json_typeof(v) != type)
        fail_msg("%s: %s", name, v ? "another kind" : "missing");
    return v;
}

static double number(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    if (!json_is_number(v))
        fail_msg("%s: no number", name);
    return json_number_value(v);
}

static json_t *first(const json_t *object, const char *list)
{
    return json_array_get(need(object, list, JSON_ARRAY), 0);
}

/* Members in the order in which they were written. */
static void check_same_members(json_t *a, json_t *b)
{
    void *i = json_object_iter(a), *k = json_object_iter(b);
    assert_int_equal(json_object_size(a), json_object_size(b));
    for (; i; i = json_object_iter_next(a, i), k = json_object_iter_next(b, k))
        assert_string_equal(json_object_iter_key(i), json_object_iter_key(k));
}

static void check_cache_entry(const char *name, json_t *entry, json_t *model)
{
    static const char *const costs[] = {"compile_time", "verification_time", "benchmark_time",
                                        "strategy_time", "framework_time"};
    char key[64];
    const char *member;
    json_t *v;
    snprintf(key, sizeof key, "%g,%g", number(entry, "block_size_x"),
             number(entry, "block_size_y"));
    assert_string_equal(name, key);
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++)
        number(entry, costs[k]);
    assert_string_equal(json_text(entry, "timestamp"), "2014-05-16T12:00:00+00:00");
    if (strcmp(json_text(entry, "shoal_status"), "ok") == 0) {
        const json_t *times = need(entry, "times", JSON_ARRAY);
        assert_int_equal(json_array_size(times), 5);
        ASSERT_NEAR(json_number_value(json_array_get(times, 2)), number(entry, "time"), 0);
        check_same_members(entry, model);
        return;
    }
    assert_string_equal(json_text(entry, "time"), json_text(entry, "__error__"));
    /* Anywhere else one of the four texts would be read as the error. */
    json_object_foreach(entry, member, v)
    {
        if (json_is_string(v) && strstr("time __error__", member) == NULL)
            assert_true(strcmp(json_string_value(v), "RuntimeFailedConfig") != 0);
    }
}

static void kernel_tuner_caches_have_what_their_readers_want(void **state)
{
    (void)state;
    char *text;
    json_t *root;
    assert_fine(EXPORT("--format", "kernel-tuner"));
    load(exported(".cache.json"), &text, &root);
    json_t *entry, *cache = need(root, "cache", JSON_OBJECT);
    json_t *model = json_object_iter_value(json_object_iter(cache));
    const char *name;
    assert_string_equal(text + strlen(text) - strlen(CLOSING), CLOSING);
    assert_string_equal(json_text(root, "device_name"), "Made Up 9");
    assert_string_equal(json_text(root, "kernel_name"), "flux_fgh0");
    assert_string_equal(json_text(root, "objective"), "time");
    ASSERT_NEAR(json_number_value(first(root, "problem_size")), 64, 0);
    assert_string_equal(json_string_value(first(root, "tune_params_keys")), "block_size_x");
    assert_true(json_array_size(
                    need(need(root, "tune_params", JSON_OBJECT), "block_size_y", JSON_ARRAY)) > 3);
    assert_int_equal(json_object_size(cache), rows_written);
    json_object_foreach(cache, name, entry)
    {
        check_cache_entry(name, entry, model);
    }
    const json_t *winner = json_object_get(cache, "64,4");
    ASSERT_NEAR(number(winner, "time"), 0.1, 0); /* not the 90 us of the older one */
    ASSERT_NEAR(number(winner, "registers"), 40, 0);
    ASSERT_NEAR(number(winner, "compile_time"), 38.2, 0);
    assert_null(json_object_get(winner, "clock_mhz"));
    json_decref(root);
    free(text);
}

static void check_t4_result(const json_t *entry, int counts[DB_OUTCOMES])
{
    static const char *const words[DB_OUTCOMES] = {"correct", "constraints", "compile",
                                                   "runtime", "correctness", "timeout"};
    const char *invalidity = json_string_value(need(entry, "invalidity", JSON_STRING));
    const json_t *times = need(entry, "times", JSON_OBJECT);
    const json_t *runtimes = need(times, "runtimes", JSON_ARRAY);
    const json_t *measured = need(entry, "measurements", JSON_ARRAY), *v;
    size_t j;
    const double correct = number(entry, "correctness");
    int k = DB_OUTCOMES - 1;
    while (k > 0 && strcmp(words[k], invalidity) != 0)
        k--;
    assert_string_equal(words[k], invalidity);
    counts[k]++;
    ASSERT_NEAR(correct, k == DB_OK, 0);
    assert_int_equal(json_object_size(need(entry, "configuration", JSON_OBJECT)), 2);
    ASSERT_NEAR(number(times, "compilation"), number(times, "compilation_time"), 0);
    assert_null(json_object_get(entry, "compilation_data"));
    json_array_foreach(measured, j, v)
    {
        number(v, "value");
        need(v, "unit", JSON_STRING);
    }
    if (k == DB_OK) {
        v = json_array_get(measured, 0);
        assert_string_equal(json_text(v, "name"), "time");
        ASSERT_NEAR(json_number_value(json_array_get(runtimes, 0)), number(v, "value"), 0);
    }
}

static void t4_results_have_what_the_schema_wants(void **state)
{
    (void)state;
    char *text;
    json_t *root;
    int counts[DB_OUTCOMES] = {0};
    assert_fine(EXPORT("--format=t4", "flux_fgh0", "--device=made-up-9", "--precision=f32"));
    load(exported(".t4.json"), &text, &root);
    const json_t *metadata = need(root, "metadata", JSON_OBJECT);
    const json_t *results = need(root, "results", JSON_ARRAY);
    assert_string_equal(json_text(root, "schema_version"), "1.1.0");
    assert_string_equal(json_text(metadata, "compute_api"), "CUDA");
    assert_string_equal(json_text(metadata, "platform"), "CUDA 13.0");
    assert_string_equal(json_text(metadata, "timeunit"), "milliseconds");
    assert_string_equal(json_text(metadata, "timestamp"), "2014-05-16T12:00:00Z");
    assert_string_equal(json_text(metadata, "autotuner_version"), "abd");
    assert_int_equal(json_array_size(results), rows_written);
    for (size_t k = 0; k < json_array_size(results); k++)
        check_t4_result(json_array_get(results, k), counts);
    assert_int_equal(counts[DB_OK], oks);
    for (int k = DB_COMPILE; k < DB_OUTCOMES; k++)
        assert_int_equal(counts[k], 2);
    ASSERT_HAS(text, "\"shoal_reason\": \"expected \\\"x\\\" \\\\ near \xe2\x80\x98y??\"");
    ASSERT_HAS(text, "\"runtimes\": [1.000000, 0.980000"); /* the time-out that was timed */
    json_decref(root);
    free(text);
}

static void t1_problems_describe_the_declared_space(void **state)
{
    (void)state;
    char *text;
    json_t *root;
    assert_fine(EXPORT("--format", "t1"));
    load(exported(".t1.json"), &text, &root);
    const json_t *space = need(root, "ConfigurationSpace", JSON_OBJECT);
    const json_t *kernel = need(root, "KernelSpecification", JSON_OBJECT);
    const json_t *width = first(space, "TuningParameters");
    const json_t *condition = first(space, "Conditions");
    assert_string_equal(json_text(width, "Name"), "block_size_x");
    assert_string_equal(json_text(width, "Type"), "int");
    ASSERT_HAS(json_text(width, "Values"), ", 64, ");
    assert_string_equal(json_text(condition, "Expression"), "block_size_x * block_size_y <= 1024");
    assert_string_equal(json_text(kernel, "Language"), "CUDA");
    assert_string_equal(json_text(kernel, "KernelName"), "flux_fgh0");
    assert_string_equal(json_text(kernel, "KernelFile"), "kernels/flux.cu");
    assert_string_equal(json_text(need(kernel, "GlobalSize", JSON_OBJECT), "X"), "64");
    ASSERT_HAS(text, "\"-DSUBSTEP=0\", \"-DDIRECTIONS=3\"");
    json_decref(root);
    free(text);
}

/* Widths that the threads allow, all heights with each, and the threads of a block. */
static void t1_problems_of_kernels_with_threads_of_their_own_say_how_many(void **state)
{
    (void)state;
    char *text, name[PATH_LENGTH];
    size_t size;
    json_t *root;
    struct db_row row = row_of(28, 4, 7);
    scratch_folder(inside("fused0"));
    write_rows("fused0/circular-dam-64x48-f32.tsv", &row, 1);
    assert_fine(EXPORT("--format", "t1", "fused0"));
    snprintf(name, sizeof name,
             "exports/fused0-made-up-9-%s-circular-dam-64x48-f32-fast-" SOURCE ".t1.json",
             strrchr(home, '/') + 1);
    assert_fine(whole_file_read(name, 1 << 20, &text, &size));
    assert_fine(json_read(name, text, size, &root));
    const json_t *space = need(root, "ConfigurationSpace", JSON_OBJECT);
    const json_t *kernel = need(root, "KernelSpecification", JSON_OBJECT);
    const json_t *width = first(space, "TuningParameters");
    ASSERT_HAS(json_text(width, "Values"), "[28, 60");
    assert_int_equal(json_array_size(need(space, "Conditions", JSON_ARRAY)), 0);
    const json_t *global = need(kernel, "GlobalSize", JSON_OBJECT);
    assert_string_equal(json_text(need(kernel, "LocalSize", JSON_OBJECT), "X"), "32");
    assert_string_equal(json_text(global, "X"), "(64 + block_size_x - 1) // block_size_x * 32");
    assert_string_equal(json_text(global, "Y"), "(48 + block_size_y - 1) // block_size_y");
    json_decref(root);
    free(text);
}

/* One file for all sizes: the reader opens no other. */
static void wisdom_holds_the_winner_of_each_size(void **state)
{
    (void)state;
    char *text;
    size_t size;
    json_t *root;
    struct db_row rows[] = {row_of(16, 16, 7), failed_row(8, 8, DB_LAUNCH)}, failed = rows[1];
    write_rows("flux_fgh0/circular-dam-32x16-f32.tsv", rows, 2);
    write_rows("flux_fgh0/sine-32x16-f32.tsv", &failed, 1); /* no winner */
    assert_fine(EXPORT("--format", "wisdom"));
    assert_fine(whole_file_read("exports/flux_fgh0_f32_mode_fast_limiter_minmod.wisdom", 1 << 20,
                                &text, &size));
    char *line[4], *next = text;
    for (int k = 0; k < 4; k++)
        line[k] = strsep(&next, "\n");
    assert_string_equal(line[3], "");
    assert_null(next);
    assert_fine(json_read("head", line[0], strlen(line[0]), &root));
    assert_string_equal(json_text(root, "version"), "1.0");
    assert_string_equal(json_text(root, "objective"), "time");
    assert_string_equal(json_text(root, "key"), "flux_fgh0 f32 " FLAGS_TEXT);
    assert_int_equal(json_array_size(need(root, "tunable_parameters", JSON_ARRAY)), 2);
    json_decref(root);
    assert_fine(json_read("line", line[2], strlen(line[2]), &root));
    ASSERT_NEAR(json_number_value(first(root, "config")), best.w, 0);
    ASSERT_NEAR(json_number_value(first(root, "problem_size")), 64, 0);
    ASSERT_NEAR(number(root, "time"), 0.1, 0);
    assert_string_equal(json_text(need(root, "environment", JSON_OBJECT), "device_name"),
                        "Made Up 9");
    json_decref(root);
    ASSERT_HAS(line[1], "\"config\":[16,16],\"problem_size\":[32,16],\"time\":0.007000,");
    free(text);
}

static void nothing_is_overwritten_unless_asked(void **state)
{
    (void)state;
    char *text;
    size_t size;
    assert_fine(EXPORT("--format", "t1"));
    ASSERT_HAS(result.out, ".t1.json\n");
    assert_fine(EXPORT("--format", "t1"));
    ASSERT_HAS(result.out, ".t1.json (unchanged)\n");
    scratch_write(exported(".t1.json"), "w", "mine\n");
    assert_int_equal(EXPORT("--format", "t1"), ERR_USAGE);
    ASSERT_HAS(err_message(), "exists and differs");
    assert_fine(whole_file_read(exported(".t1.json"), 1 << 20, &text, &size));
    assert_string_equal(text, "mine\n");
    free(text);
    assert_fine(EXPORT("--format", "t1", "--replace"));
    assert_fine(whole_file_read(exported(".t1.json"), 1 << 20, &text, &size));
    ASSERT_HAS(text, "ConfigurationSpace");
    free(text);
    assert_fine(EXPORT("--format", "t1", "--output", "elsewhere"));
    assert_int_equal(access("elsewhere", R_OK), 0);
}

static void what_cannot_be_exported_is_said(void **state)
{
    (void)state;
    static const char cpu[] = "{\"format\": 1, \"environment\": {\"backend\": \"cpu\", \"device\": "
                              "\"Made Up 9\"}, \"flags\": {\"fast\": \"x\"}}\n";
    assert_int_equal(EXPORT("flux_fgh0"), ERR_USAGE);
    ASSERT_HAS(err_message(), "--format");
    assert_int_equal(EXPORT("--format", "t5"), ERR_USAGE);
    assert_int_equal(EXPORT("--format", "t4", "flux_fgh"), ERR_USAGE);
    assert_int_equal(EXPORT("--format", "t4", "rk0"), ERR_USAGE);
    ASSERT_HAS(err_message(), "nothing to export");
    assert_int_equal(EXPORT("--format", "t4", "--device", "other"), ERR_USAGE);
    assert_int_equal(EXPORT("--format", "t4", "--precision", "f64"), ERR_USAGE);
    scratch_write(inside("manifest.json"), "w", cpu);
    assert_int_equal(EXPORT("--format", "t1"), ERR_USAGE);
    ASSERT_HAS(err_message(), "nothing to export");
    assert_int_equal(EXPORT("--format", "t4"), ERR_INPUT);
    ASSERT_HAS(err_message(), "sessions/0000000a/started is missing");
    assert_int_equal(access("exports", F_OK), -1);
}

enum { NOT_INSTALLED = 77 };

static void kernel_tuner_loads_what_was_exported(void **state)
{
    (void)state;
    static const char *const formats[] = {"kernel-tuner", "t4", "t1"};
    static const char *const endings[] = {".cache.json", ".t4.json", ".t1.json"};
    char name[3][2 * PATH_LENGTH], number[4][16], script[PATH_LENGTH];
    const char *python = getenv("SHOAL_PYTHON"), *root;
    for (int k = 0; k < 3; k++) {
        assert_fine(EXPORT("--format", formats[k]));
        strcpy(name[k], exported(endings[k]));
    }
    const int wanted[] = {best.w, best.h, oks, rows_written};
    for (int k = 0; k < 4; k++)
        snprintf(number[k], sizeof number[k], "%d", wanted[k]);
    assert_fine(paths_file("tests/support/load_exports.py", script));
    assert_fine(paths_home(&root));
    strcpy(program, "/usr/bin/env");
    SHOAL(python && *python ? python : "python3", script, root, name[0], name[1], name[2],
          number[0], number[1], number[2], number[3]);
    if (result.status == NOT_INSTALLED || result.status == 127) {
        print_message("skipped: Kernel Tuner is not installed: pip install kernel_tuner, or set "
                      "SHOAL_PYTHON to a python that has it\n");
        skip();
    }
    ASSERT_STATUS(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SPACE(kernel_tuner_caches_have_what_their_readers_want),
        IN_SPACE(t4_results_have_what_the_schema_wants),
        IN_SPACE(t1_problems_describe_the_declared_space),
        IN_SPACE(t1_problems_of_kernels_with_threads_of_their_own_say_how_many),
        IN_SPACE(wisdom_holds_the_winner_of_each_size),
        IN_SPACE(nothing_is_overwritten_unless_asked),
        IN_SPACE(what_cannot_be_exported_is_said),
        IN_SPACE(kernel_tuner_loads_what_was_exported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
