/* The compiler used here vectorises the loops over a row of kernels in the row language: otherwise they take three to five times
 * as long, and nothing else shows it. */
#include "tests/support/test.h"

#include "core/device/backend.h"
#include "core/compile/c_compiler.h"
#include "core/registry/registry.h"
#include "tests/support/scratch.h"

/* What gcc says about each loop that it could not vectorise, in the scratch folder. */
static void compile_with_remarks(const struct recipe *r, char remarks[PATH_LENGTH])
{
    char flags[PATH_LENGTH + 32], path[PATH_LENGTH];
    struct device *d;
    const struct device_options o = {.threads = 1, .march = "native"};
    scratch_path(remarks, "remarks");
    snprintf(flags, sizeof flags, "-fopt-info-vec-missed=%s", remarks);
    setenv("SHOAL_KERNEL_CFLAGS", flags, 1);
    setenv("SHOAL_CACHE", scratch, 1);
    if (backend_cpu.open(&d, &o) || backend_cpu.compile(d, r, path))
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

/* Fails if a remark, "PATH:LINE:...", is about a loop over a row of the file. Returns whether it is about the file. */
static int look_at(const char *remark, const char *path, const char *name)
{
    char line[512];
    const char *at = strstr(remark, path);
    if (!at || !strstr(remark, "couldn't vectorize loop"))
        return at != NULL;
    read_line(path, strtol(at + strlen(path) + 1, NULL, 10), line, sizeof line);
    if (strstr(line, "FOR_COLUMNS"))
        fail_msg("%s: %s: the compiler leaves this loop without vectors: %s", name, remark, line);
    return 1;
}

/* `other`: a second file with loops, or null. */
static void expect_vectors(const char *name, struct recipe r, const char *file, const char *other)
{
    char remarks[PATH_LENGTH], path[2][PATH_LENGTH], remark[4096];
    long seen[2] = {0, 0};
    r.kernel = find_kernel(name);
    assert_non_null(r.kernel);
    r.block = r.kernel->block[CPU];
    r.mode = FAST_MODE;
    r.on_cpu = 1;
    r.limiter = "minmod", r.reconstruction = "kp";
    r.flux = r.flux ? r.flux : "central_upwind";
    compile_with_remarks(&r, remarks);
    if (paths_file(file, path[0]) || paths_file(other ? other : file, path[1]))
        fail_msg("%s", err_message());
    FILE *f = fopen(remarks, "r");
    assert_non_null(f);
    while (fgets(remark, sizeof remark, f))
        for (int k = 0; k < 2; k++)
            seen[k] += look_at(remark, path[k], name);
    fclose(f);
    assert_true(seen[0] > 0 && seen[1] > 0);
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
    const struct recipe plain = {.friction = 0}, rough = {.friction = 1, .precision = F64},
                        waves = {.flux = "fwave"};
    expect_vectors("fused0", plain, "kernels/fused.cu", NULL);
    expect_vectors("fused1", plain, "kernels/fused.cu", NULL);
    expect_vectors("hancock", plain, "kernels/hancock.cu", "kernels/hancock_loops.h");
    expect_vectors("fused0", rough, "kernels/fused.cu", NULL);
    expect_vectors("fused0", waves, "kernels/fused.cu", NULL);
    expect_vectors("hancock", waves, "kernels/hancock.cu", "kernels/hancock_loops.h");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_computed_in_vectors, scratch_setup,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
