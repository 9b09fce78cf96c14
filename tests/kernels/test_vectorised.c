/* The compiler used here vectorises the loops over a row of kernels in the row language: otherwise they take three to five times
 * as long, and nothing else shows it. */
#include "tests/support/test.h"

#include "core/device/backend.h"
#include "core/compile/c_compiler.h"
#include "core/registry/registry.h"
#include "tests/support/scratch.h"

/* What gcc says about each loop that it could not vectorise, in the scratch folder. */
static void compile_with_remarks(const char *name, char remarks[PATH_LENGTH])
{
    char flags[PATH_LENGTH + 32], path[PATH_LENGTH];
    struct device *d;
    const struct device_options o = {.threads = 1, .march = "native"};
    const struct kernel *k = find_kernel(name);
    assert_non_null(k);
    const struct recipe r = {.kernel = k,
                             .block = k->block[CPU],
                             .mode = FAST_MODE,
                             .limiter = "minmod",
                             .flux = "central_upwind",
                             .reconstruction = "kp"};
    scratch_path(remarks, "remarks");
    snprintf(flags, sizeof flags, "-fopt-info-vec-missed=%s", remarks);
    setenv("SHOAL_KERNEL_CFLAGS", flags, 1);
    setenv("SHOAL_CACHE", scratch, 1);
    if (backend_cpu.open(&d, &o) || backend_cpu.compile(d, &r, path))
        fail_msg("%s", err_message());
    backend_cpu.close(d);
}

/* A line of a file, counted from 1. */
static void read_line(const char *path, long number, char *line, int n)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (long k = 0; k < number; k++)
        assert_non_null(fgets(line, n, f));
    fclose(f);
}

static void expect_vectors(const char *name, const char *file)
{
    char remarks[PATH_LENGTH], path[PATH_LENGTH], remark[4096], line[512];
    long seen = 0;
    compile_with_remarks(name, remarks);
    if (paths_file(file, path))
        fail_msg("%s", err_message());
    FILE *f = fopen(remarks, "r");
    assert_non_null(f);
    while (fgets(remark, sizeof remark, f)) {
        const char *at = strstr(remark, path);
        seen += at != NULL;
        if (!at || !strstr(remark, "couldn't vectorize loop"))
            continue;
        read_line(path, strtol(at + strlen(path) + 1, NULL, 10), line, sizeof line);
        if (strstr(line, "FOR_COLUMNS"))
            fail_msg("%s: %s: the compiler leaves this loop without vectors: %s", name, remark,
                     line);
    }
    fclose(f);
    assert_true(seen > 0);
}

static void rows_are_computed_in_vectors(void **state)
{
    (void)state;
    char version[256];
    if (cc_version(version, sizeof version))
        fail_msg("%s", err_message());
    if (strstr(version, "clang")) {
        print_message("skipped: clang does not say this about loops\n");
        skip();
    }
    expect_vectors("fused0", "kernels/fused.cu");
    expect_vectors("fused1", "kernels/fused.cu");
    expect_vectors("hancock", "kernels/hancock.cu");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_computed_in_vectors, scratch_setup,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
