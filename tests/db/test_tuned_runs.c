/* Runs with blocks from the tuning database: they say what they use, and it never breaks them. */
#include "tests/support/test.h"

#include "core/device/backend.h"
#include "core/netcdf/netcdf_file.h"
#include "tests/support/tuned.h"

#define RUN(...)                                                                                \
    SHOAL("run", "circular-dam", "--backend", "cpu", "--threads", "1", "--nx", "64", "--steps", \
          "3", __VA_ARGS__)

/* This machine's processor, as runs know it. */
static const char *this_device(void)
{
    static char name[128];
    struct device *d;
    const struct device_options o = {.threads = 1, .march = "native"};
    if (!*name) {
        assert_fine(backend_cpu.open(&d, &o));
        snprintf(name, sizeof name, "%s", backend_cpu.info(d)->name);
        backend_cpu.close(d);
    }
    return name;
}

static void tune_this_machine(void)
{
    add_environment(this_device(), "", 1);
    add_winner("flux_fgh0", 64, 48, 4);
    add_winner("flux_fgh1", 64, 48, 4);
    add_winner("rk0", 256, 80, 2);
}

static void a_run_takes_tuned_blocks_and_says_so(void **state)
{
    (void)state;
    tune_this_machine();
    RUN("--early-exit", "off");
    ASSERT_STATUS(0);
    ASSERT_HAS(
        result.err,
        "blocks: flux_fgh0 48x4, flux_fgh1 48x4 tuned on this device at 64x64; rk0 80x2 tuned "
        "on this device at 256x256, the nearest size; rk1 1024x1");
    RUN("--block", "rk=32x4", "--block", "flux_fgh1=16x8");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "blocks: flux_fgh0 48x4 tuned on this device at 64x64; flux_fgh1 16x8");
    ASSERT_HAS(result.err, "rk0 32x4");
    ASSERT_HAS(result.err, "chosen by --block");
}

static void tuned_blocks_can_be_declined(void **state)
{
    (void)state;
    tune_this_machine();
    RUN("--tuned", "off");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "blocks:"));
    RUN("--order", "reversed");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "blocks:"));
    RUN("--tuned", "off", "--print-config");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "tuned = off");
    scratch_write("off.ini", "w", result.out);
    SHOAL("run", "off.ini", "--backend", "cpu");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "blocks:"));
    RUN("--tuned", "perhaps");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--tuned");
}

static void a_database_that_is_not_there_is_no_fault(void **state)
{
    (void)state;
    assert_int_equal(setenv("SHOAL_DB", "/nonexistent/database", 1), 0);
    RUN("--early-exit", "off");
    ASSERT_STATUS(0);
    assert_null(strstr(result.err, "warning"));
    ASSERT_HAS(result.err, "nothing is tuned for this device");
}

static void a_malformed_row_is_a_warning_and_a_miss(void **state)
{
    (void)state;
    tune_this_machine();
    scratch_write(inside("flux_fgh0/circular-dam-64x64-f32.tsv"), "a", "flux\t0123\n");
    scratch_write(inside("flux_fgh1/circular-dam-64x64-f32.tsv"), "w", "something else\n");
    RUN("--early-exit", "off");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "warning");
    ASSERT_HAS(result.err, "flux_fgh0/circular-dam-64x64-f32.tsv:4: ");
    ASSERT_HAS(result.err, "this row is left out");
    ASSERT_HAS(result.err, "this file is left out");
    ASSERT_HAS(result.err, "blocks: flux_fgh0 48x4 tuned on this device at 64x64; flux_fgh1 256x8");
}

static void the_output_keeps_the_blocks_and_where_they_are_from(void **state)
{
    (void)state;
    static const char wanted[] =
        "flux_fgh0 48x4, flux_fgh1 48x4 tuned on this device at 64x64; rk0";
    char path[PATH_LENGTH], text[1 << 16];
    if (!ncfile_available()) {
        print_message("skip: built without netCDF\n");
        skip();
    }
    tune_this_machine();
    RUN("--early-exit", "off", "--output", "out.nc");
    ASSERT_STATUS(0);
    scratch_path(path, "out.nc");
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_non_null(memmem(text, n, wanted, strlen(wanted)));
}

/* An object in the place of the kernel's compiled block that can be neither loaded nor replaced. */
static void obstruct(const char *kernel, int w, int h)
{
    char path[PATH_LENGTH], below[PATH_LENGTH + 8];
    struct device *d;
    struct recipe r = recipe_of(kernel);
    const struct device_options o = {.threads = 1, .march = "native"};
    r.block = (struct block){w, h};
    r.submerged = 1; /* like the ground of the run */
    assert_fine(backend_cpu.open(&d, &o));
    assert_fine(backend_cpu.compile(d, &r, path));
    backend_cpu.close(d);
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(below, sizeof below, "%s/full", path);
    assert_int_equal(mkdir(below, 0700), 0);
}

static int own_cache(void **state)
{
    char path[PATH_LENGTH];
    use_empty_database(state);
    scratch_folder("cache");
    scratch_path(path, "cache");
    return setenv("SHOAL_CACHE", path, 1);
}

static int remove_cache(void **state)
{
    unsetenv("SHOAL_CACHE");
    return scratch_remove(state);
}

static void a_tuned_block_that_cannot_be_loaded_is_replaced(void **state)
{
    (void)state;
    tune_this_machine();
    obstruct("flux_fgh0", 48, 4);
    RUN("--early-exit", "off");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "warning");
    ASSERT_HAS(result.err, "the tuned block 48x4 of flux_fgh0 is replaced by the default one");
    RUN("--early-exit", "off", "--block", "flux_fgh0=48x4");
    assert_int_not_equal(result.status, 0);
}

/* They are loaded during the run, when buffers exist already. */
static void kernels_that_must_agree_fall_back_together(void **state)
{
    (void)state;
    static char plain[MOST_TEXT];
    add_environment(this_device(), "", 1);
    for (int m = 0; m < KERNELS; m++)
        add_winner(exits[m], 64, 128, 64);
    obstruct(exits[2], 128, 64);
    RUN("--mode", "fast", "--early-exit", "on", "--nx", "300", "--tuned", "off");
    ASSERT_STATUS(0);
    strcpy(plain, strstr(result.out, " t="));
    RUN("--mode", "fast", "--early-exit", "on", "--nx", "300");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "rk1_ee 128x64 tuned on this device");
    ASSERT_HAS(result.err, "the tuned block 128x64 of rk0_ee is replaced by the default one");
    const char *now = strstr(result.out, " t=");
    assert_memory_equal(now, plain, strcspn(plain, "w"));
}

#define WITH_CACHE(test) cmocka_unit_test_setup_teardown(test, own_cache, remove_cache)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(a_run_takes_tuned_blocks_and_says_so),
        WITH_DATABASE(tuned_blocks_can_be_declined),
        WITH_DATABASE(a_database_that_is_not_there_is_no_fault),
        WITH_DATABASE(a_malformed_row_is_a_warning_and_a_miss),
        WITH_DATABASE(the_output_keeps_the_blocks_and_where_they_are_from),
        WITH_CACHE(a_tuned_block_that_cannot_be_loaded_is_replaced),
        WITH_CACHE(kernels_that_must_agree_fall_back_together),
    };
    if (program_find()) {
        fprintf(stderr, "build/shoal is needed: %s\n", err_message());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
