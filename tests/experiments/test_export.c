/* Exports: what other tools' readers want of the files, and what they find in them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/support/exports.h"
#include "tests/support/near.h"

#define CLOSING "\n}\n}"

static void load(const char *name, char **text, struct json_tree *tree)
{
    size_t size;
    assert_fine(json_load(name, text, &size));
    assert_fine(json_parse(name, *text, size, tree));
}

static const struct json *need(const struct json *object, const char *name, enum json_kind kind)
{
    const struct json *v = json_get(object, name);
    if (!v || v->kind != kind)
        fail_msg("%s: %s", name, v ? "another kind" : "missing");
    return v;
}

static void check_cache_entry(const struct json *entry, const struct json *model)
{
    static const char *const costs[] = {"compile_time", "verification_time", "benchmark_time",
                                        "strategy_time", "framework_time"};
    char key[64];
    snprintf(key, sizeof key, "%s,%s", need(entry, "block_size_x", JSON_NUMBER)->text,
             need(entry, "block_size_y", JSON_NUMBER)->text);
    assert_string_equal(entry->name, key);
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++)
        need(entry, costs[k], JSON_NUMBER);
    assert_string_equal(need(entry, "timestamp", JSON_STRING)->text, "2014-05-16T12:00:00+00:00");
    if (strcmp(need(entry, "shoal_status", JSON_STRING)->text, "ok") == 0) {
        const struct json *times = need(entry, "times", JSON_LIST), *a = model->first;
        assert_int_equal(times->count, 5);
        ASSERT_NEAR(times->first->next->next->number, need(entry, "time", JSON_NUMBER)->number, 0);
        /* The same members in each that is ok. */
        for (const struct json *b = entry->first; a && b; a = a->next, b = b->next)
            assert_string_equal(a->name, b->name);
        assert_int_equal(entry->count, model->count);
        return;
    }
    assert_string_equal(need(entry, "time", JSON_STRING)->text,
                        need(entry, "__error__", JSON_STRING)->text);
    /* One of the four texts anywhere else would be read as the error. */
    for (const struct json *v = entry->first; v; v = v->next)
        if (v->kind == JSON_STRING && strstr("time __error__", v->name) == NULL)
            assert_true(strcmp(v->text, "RuntimeFailedConfig") != 0);
}

static void kernel_tuner_caches_have_what_their_readers_want(void **state)
{
    (void)state;
    char *text;
    struct json_tree tree;
    assert_fine(EXPORT("--format", "kernel-tuner"));
    load(exported(".cache.json"), &text, &tree);
    const struct json *root = tree.root, *cache = need(root, "cache", JSON_OBJECT);
    assert_string_equal(text + strlen(text) - strlen(CLOSING), CLOSING);
    assert_string_equal(json_text(root, "device_name"), "Made Up 9");
    assert_string_equal(json_text(root, "kernel_name"), "flux_fgh0");
    assert_string_equal(json_text(root, "objective"), "time");
    ASSERT_NEAR(need(root, "problem_size", JSON_LIST)->first->number, 64, 0);
    assert_string_equal(need(root, "tune_params_keys", JSON_LIST)->first->text, "block_size_x");
    assert_true(need(need(root, "tune_params", JSON_OBJECT), "block_size_y", JSON_LIST)->count > 3);
    assert_int_equal(cache->count, rows_written);
    for (const struct json *entry = cache->first; entry; entry = entry->next)
        check_cache_entry(entry, cache->first);
    const struct json *winner = json_get(cache, "64,4");
    ASSERT_NEAR(json_get(winner, "time")->number, 0.1, 0); /* not the 90 us of the older one */
    ASSERT_NEAR(json_get(winner, "registers")->number, 40, 0);
    ASSERT_NEAR(json_get(winner, "compile_time")->number, 38.2, 0);
    assert_null(json_get(winner, "clock_mhz"));
    json_free(&tree);
    free(text);
}

static void check_t4_result(const struct json *entry, int counts[DB_OUTCOMES])
{
    static const char *const words[DB_OUTCOMES] = {"correct", "constraints", "compile",
                                                   "runtime", "correctness", "timeout"};
    const char *invalidity = need(entry, "invalidity", JSON_STRING)->text;
    const struct json *times = need(entry, "times", JSON_OBJECT);
    const struct json *runtimes = need(times, "runtimes", JSON_LIST);
    const struct json *measured = need(entry, "measurements", JSON_LIST)->first;
    const double correct = need(entry, "correctness", JSON_NUMBER)->number;
    int k = DB_OUTCOMES - 1;
    while (k > 0 && strcmp(words[k], invalidity) != 0)
        k--;
    assert_string_equal(words[k], invalidity);
    counts[k]++;
    ASSERT_NEAR(correct, k == DB_OK, 0);
    assert_int_equal(need(entry, "configuration", JSON_OBJECT)->count, 2);
    ASSERT_NEAR(need(times, "compilation", JSON_NUMBER)->number,
                need(times, "compilation_time", JSON_NUMBER)->number, 0);
    assert_null(json_get(entry, "compilation_data"));
    for (const struct json *v = measured; v; v = v->next) {
        need(v, "value", JSON_NUMBER);
        need(v, "unit", JSON_STRING);
    }
    if (k == DB_OK) {
        assert_string_equal(json_text(measured, "name"), "time");
        ASSERT_NEAR(runtimes->first->number, json_get(measured, "value")->number, 0);
    }
}

static void t4_results_have_what_the_schema_wants(void **state)
{
    (void)state;
    char *text;
    struct json_tree tree;
    int counts[DB_OUTCOMES] = {0};
    assert_fine(EXPORT("--format=t4", "flux_fgh0", "--device=made-up-9", "--precision=f32"));
    load(exported(".t4.json"), &text, &tree);
    const struct json *metadata = need(tree.root, "metadata", JSON_OBJECT);
    const struct json *results = need(tree.root, "results", JSON_LIST);
    assert_string_equal(json_text(tree.root, "schema_version"), "1.1.0");
    assert_string_equal(json_text(metadata, "compute_api"), "CUDA");
    assert_string_equal(json_text(metadata, "platform"), "CUDA 13.0");
    assert_string_equal(json_text(metadata, "timeunit"), "milliseconds");
    assert_string_equal(json_text(metadata, "timestamp"), "2014-05-16T12:00:00Z");
    assert_string_equal(json_text(metadata, "autotuner_version"), "abd");
    assert_int_equal(results->count, rows_written);
    for (const struct json *entry = results->first; entry; entry = entry->next)
        check_t4_result(entry, counts);
    assert_int_equal(counts[DB_OK], oks);
    for (int k = DB_COMPILE; k < DB_OUTCOMES; k++)
        assert_int_equal(counts[k], 2);
    ASSERT_HAS(text, "\"shoal_reason\": \"expected \\\"x\\\" \\\\ near \xe2\x80\x98y??\"");
    ASSERT_HAS(text, "\"runtimes\": [1.000000, 0.980000"); /* the time-out that was timed */
    json_free(&tree);
    free(text);
}

static void t1_problems_describe_the_declared_space(void **state)
{
    (void)state;
    char *text;
    struct json_tree tree;
    assert_fine(EXPORT("--format", "t1"));
    load(exported(".t1.json"), &text, &tree);
    const struct json *space = need(tree.root, "ConfigurationSpace", JSON_OBJECT);
    const struct json *kernel = need(tree.root, "KernelSpecification", JSON_OBJECT);
    const struct json *width = need(space, "TuningParameters", JSON_LIST)->first;
    const struct json *condition = need(space, "Conditions", JSON_LIST)->first;
    assert_string_equal(json_text(width, "Name"), "block_size_x");
    assert_string_equal(json_text(width, "Type"), "int");
    ASSERT_HAS(json_text(width, "Values"), ", 64, ");
    assert_string_equal(json_text(condition, "Expression"), "block_size_x * block_size_y <= 1024");
    assert_string_equal(json_text(kernel, "Language"), "CUDA");
    assert_string_equal(json_text(kernel, "KernelName"), "flux_fgh0");
    assert_string_equal(json_text(kernel, "KernelFile"), "kernels/flux.cu");
    assert_string_equal(json_text(need(kernel, "GlobalSize", JSON_OBJECT), "X"), "64");
    ASSERT_HAS(text, "\"-DSUBSTEP=0\", \"-DDIRECTIONS=3\"");
    json_free(&tree);
    free(text);
}

/* Widths that the threads allow, all heights with each, and the threads that a block has. */
static void t1_problems_of_kernels_with_threads_of_their_own_say_how_many(void **state)
{
    (void)state;
    char *text, name[PATH_LENGTH];
    size_t size;
    struct json_tree tree;
    struct db_row row = row_of(28, 4, 7);
    scratch_folder(inside("fused0"));
    write_rows("fused0/circular-dam-64x48-f32.tsv", &row, 1);
    assert_fine(EXPORT("--format", "t1", "fused0"));
    snprintf(name, sizeof name,
             "exports/fused0-made-up-9-%s-circular-dam-64x48-f32-fast-" SOURCE ".t1.json",
             strrchr(home, '/') + 1);
    assert_fine(json_load(name, &text, &size));
    assert_fine(json_parse(name, text, size, &tree));
    const struct json *space = need(tree.root, "ConfigurationSpace", JSON_OBJECT);
    const struct json *kernel = need(tree.root, "KernelSpecification", JSON_OBJECT);
    const struct json *width = need(space, "TuningParameters", JSON_LIST)->first;
    ASSERT_HAS(json_text(width, "Values"), "[28, 60");
    assert_int_equal(need(space, "Conditions", JSON_LIST)->count, 0);
    const struct json *global = need(kernel, "GlobalSize", JSON_OBJECT);
    assert_string_equal(json_text(need(kernel, "LocalSize", JSON_OBJECT), "X"), "32");
    assert_string_equal(json_text(global, "X"), "(64 + block_size_x - 1) // block_size_x * 32");
    assert_string_equal(json_text(global, "Y"), "(48 + block_size_y - 1) // block_size_y");
    json_free(&tree);
    free(text);
}

/* One file for all sizes: the reader opens no other. */
static void wisdom_holds_the_winner_of_each_size(void **state)
{
    (void)state;
    char *text;
    size_t size;
    struct json_tree tree;
    struct db_row rows[] = {row_of(16, 16, 7), failed_row(8, 8, DB_LAUNCH)}, failed = rows[1];
    write_rows("flux_fgh0/circular-dam-32x16-f32.tsv", rows, 2);
    write_rows("flux_fgh0/sine-32x16-f32.tsv", &failed, 1); /* no winner */
    assert_fine(EXPORT("--format", "wisdom"));
    assert_fine(json_load("exports/flux_fgh0_f32_mode_fast_limiter_minmod.wisdom", &text, &size));
    char *line[4], *next = text;
    for (int k = 0; k < 4; k++)
        line[k] = strsep(&next, "\n");
    assert_string_equal(line[3], "");
    assert_null(next);
    assert_fine(json_parse("head", line[0], strlen(line[0]), &tree));
    assert_string_equal(json_text(tree.root, "version"), "1.0");
    assert_string_equal(json_text(tree.root, "objective"), "time");
    assert_string_equal(json_text(tree.root, "key"), "flux_fgh0 f32 " FLAGS_TEXT);
    assert_int_equal(need(tree.root, "tunable_parameters", JSON_LIST)->count, 2);
    json_free(&tree);
    assert_fine(json_parse("line", line[2], strlen(line[2]), &tree));
    ASSERT_NEAR(need(tree.root, "config", JSON_LIST)->first->number, best.w, 0);
    ASSERT_NEAR(need(tree.root, "problem_size", JSON_LIST)->first->number, 64, 0);
    ASSERT_NEAR(need(tree.root, "time", JSON_NUMBER)->number, 0.1, 0);
    assert_string_equal(json_text(need(tree.root, "environment", JSON_OBJECT), "device_name"),
                        "Made Up 9");
    json_free(&tree);
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
    ASSERT_HAS(err_message(), "is there already");
    assert_fine(json_load(exported(".t1.json"), &text, &size));
    assert_string_equal(text, "mine\n");
    free(text);
    assert_fine(EXPORT("--format", "t1", "--replace"));
    assert_fine(json_load(exported(".t1.json"), &text, &size));
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
