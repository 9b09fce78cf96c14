/* What NVRTC says of faults that are planted in a kernel, where it says that they are, and what the cache keeps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "tests/support/compilation.h"
#include "tests/support/scratch.h"

/* The environment variable's value, for restore(). */
static char *remember(const char *name)
{
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

static void restore(const char *name, char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    free(value);
}

/* Comes first: a library that was opened once stays open. */
static void what_is_missing_is_named_with_a_remedy(void **state)
{
    (void)state;
    char why[2 * PATH_LENGTH], *cuda = remember("SHOAL_CUDA"), *driver = remember("SHOAL_LIBCUDA");
    setenv("SHOAL_CUDA", "/nonexistent", 1);
    setenv("SHOAL_LIBCUDA", "/nonexistent/libcuda.so", 1);
    int nvrtc_found = nvrtc_api_open(why, sizeof why);
    int nvrtc_named = strstr(why, "/nonexistent/lib64") && strstr(why, "./bootstrap --cuda");
    int backend_found = backend_cuda.available(0, why, sizeof why);
    int driver_named = strstr(why, "/nonexistent/libcuda.so") && strstr(why, "driver");
    struct device *dev;
    enum err e = backend_cuda.open(&dev, &(struct device_options){0});
    restore("SHOAL_CUDA", cuda);
    restore("SHOAL_LIBCUDA", driver);
    assert_false(nvrtc_found);
    assert_true(nvrtc_named);
    assert_false(backend_found);
    assert_true(driver_named);
    assert_int_equal(e, ERR_ABSENT);
    assert_null(dev);
}

static char *home_before, *cache_before;

/* An installation with the real language header, to plant mistakes in. */
static int plant_home(void **state)
{
    (void)state;
    static const char *const copied[] = {"kernels/tile.h", "kernels/real.h",
                                         "kernels/branchless.h"};
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("cache");
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        char path[PATH_LENGTH], text[1 << 16];
        assert_int_equal(paths_file(copied[k], path), ERR_OK);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        size_t n = fread(text, 1, sizeof text - 1, f);
        text[n] = 0;
        fclose(f);
        scratch_write(copied[k], "w", text);
    }
    home_before = remember("SHOAL_HOME");
    cache_before = remember("SHOAL_CACHE");
    char cache[PATH_LENGTH];
    scratch_path(cache, "cache");
    setenv("SHOAL_HOME", scratch, 1);
    setenv("SHOAL_CACHE", cache, 1);
    return 0;
}

static int clear_home(void **state)
{
    restore("SHOAL_HOME", home_before);
    restore("SHOAL_CACHE", cache_before);
    return scratch_remove(state);
}

/* Writes a kernel whose one phase is `text`, after the declarations `before`. */
static void plant(const char *before, const char *text)
{
    char kernel[2048];
    snprintf(kernel, sizeof kernel,
             "#include \"tile.h\"\nNO_TILES;\nstruct args { struct span span; real *x; };\n%s\n"
             "KERNEL(planted, struct args)\n{\n(void)t;\nFOR_TILE(i, j, 0, 0)\n{\n%s\n}\n}\n",
             before, text);
    scratch_write("kernels/planted.cu", "w", kernel);
}

static const struct kernel planted_kernel = {
    .name = "planted", .file = "planted.cu", .block = {{32, 8}, {32, 8}}};

static void fault_of(const char *before, const char *text, char fault[2048])
{
    static struct job j;
    plant(before, text);
    j = (struct job){.recipe = default_recipe(&planted_kernel), .arch = VARIANT_ARCH};
    inspect(&j);
    snprintf(fault, 2048, "%s", j.fault);
}

static void each_planted_fault_is_found(void **state)
{
    (void)state;
    char fault[2048];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    fault_of("", "a.x[j * a.span.nx + i] = REAL(2);", fault);
    assert_string_equal(fault, "");
    fault_of("", "int unused; a.x[j * a.span.nx + i] = REAL(2);", fault);
    assert_non_null(strstr(fault, "warning"));
    fault_of("", "a.x[i] = (real)((double)a.x[i] * 2.1);", fault);
    assert_non_null(strstr(fault, "double precision"));
    fault_of("",
             "real y[64]; for (int k = 0; k < 64; k++) y[k] = REAL(1);\n"
             "for (int k = 0; k < 64; k++) y[(int)a.x[k]] += a.x[j + k];\n"
             "a.x[i] = y[(int)a.x[i]];",
             fault);
    assert_non_null(strstr(fault, "spills"));
}

static void a_kernel_that_does_not_compile_is_an_error_with_its_place(void **state)
{
    (void)state;
    char path[PATH_LENGTH], log[PATH_LENGTH + 8], text[4096];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    r.mode = FAST_MODE;
    plant("", "a.x[i] = surely_undeclared;");
    assert_int_equal(nvrtc_compile(&r, "sm_90", path), ERR_KERNEL);
    const char *message = err_message();
    assert_non_null(strstr(message, "\nkernels/planted.cu:10:10: error: "));
    assert_non_null(strstr(message, "surely_undeclared"));
    assert_non_null(strstr(message, "planted 32x8 f32 fast"));
    assert_null(strstr(message, "-DBW=32"));
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(log, sizeof log, "%s.log", path);
    assert_non_null(strstr(message, log));
    FILE *f = fopen(log, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_non_null(strstr(text, "--fmad=true"));
    assert_non_null(strstr(text, "-DBW=32"));
    assert_non_null(strstr(text, "planted.cu(10): error"));
}

static void an_included_file_is_named_in_the_log(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    scratch_write("kernels/part.h", "w", "\nFN real part(real x) { return x + ; }\n");
    plant("#include \"part.h\"", "a.x[i] = part(a.x[i]);");
    assert_int_equal(nvrtc_compile(&r, "sm_90", path), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "\nkernels/part.h:2:"));
}

/* With line tables such a path would break the assembly that NVRTC writes. */
static void a_path_with_quotes_compiles(void **state)
{
    (void)state;
    char path[PATH_LENGTH], odd[PATH_LENGTH], kernels[PATH_LENGTH], there[PATH_LENGTH];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    const struct recipe r = default_recipe(&planted_kernel);
    plant("", "a.x[j * a.span.nx + i] = REAL(2);");
    scratch_folder("a \"home\\\"");
    scratch_path(odd, "a \"home\\\"");
    scratch_path(kernels, "kernels");
    scratch_path(there, "a \"home\\\"/kernels");
    assert_int_equal(rename(kernels, there), 0);
    setenv("SHOAL_HOME", odd, 1);
    if (nvrtc_compile(&r, "sm_90", path))
        fail_msg("%s", err_message());
}

static void the_cache_tells_modes_and_architectures_apart(void **state)
{
    (void)state;
    char first[PATH_LENGTH], second[PATH_LENGTH];
    struct stat before, after;
    require_nvrtc();
    if (!require_arch(80) || !require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    plant("", "a.x[i] = REAL(2) * a.x[i] + REAL(1);");
    assert_int_equal(nvrtc_compile(&r, "sm_90", first), ERR_OK);
    assert_int_equal(stat(first, &before), 0);
    assert_int_equal(nvrtc_compile(&r, "sm_90", second), ERR_OK);
    assert_string_equal(first, second);
    assert_int_equal(stat(first, &after), 0);
    assert_true(before.st_ino == after.st_ino); /* a new file would have a new one */
    assert_int_equal(nvrtc_compile(&r, "sm_80", second), ERR_OK);
    assert_string_not_equal(first, second);
    r.mode = FAST_MODE;
    assert_int_equal(nvrtc_compile(&r, "sm_90", second), ERR_OK);
    assert_string_not_equal(first, second);
}

int main(void)
{
#define PLANTED(test) cmocka_unit_test_setup_teardown(test, plant_home, clear_home)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_named_with_a_remedy),
        PLANTED(each_planted_fault_is_found),
        PLANTED(a_kernel_that_does_not_compile_is_an_error_with_its_place),
        PLANTED(an_included_file_is_named_in_the_log),
        PLANTED(a_path_with_quotes_compiles),
        PLANTED(the_cache_tells_modes_and_architectures_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
