/* Blocks from the tuning database: which one a run takes, and that it never breaks the run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/config.h"
#include "core/log.h"
#include "core/ncfile.h"
#include "core/registry.h"
#include "core/tuned.h"
#include "tests/support/database.h"

enum { KERNELS = 4 };

static const char *const exits[KERNELS] = {"flux_fgh0_ee", "flux_fgh1_ee", "rk0_ee", "rk1_ee"};

static struct recipe recipe_of(const char *kernel)
{
    const struct kernel *k = find_kernel(kernel);
    assert_non_null(k);
    return (struct recipe){.kernel = k,
                           .block = k->block[CPU],
                           .precision = F32,
                           .mode = FAST_MODE,
                           .switches = "",
                           .limiter = "minmod",
                           .flux = "central_upwind",
                           .reconstruction = "kp"};
}

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

/* An environment of a device: its folder becomes `home`. `number` tells several apart. */
static void add_environment(const char *device, const char *capability, int number)
{
    char lines[1024], text[4096], plain[RECIPE_FLAGS], plugins[RECIPE_FLAGS], hash[DB_HASH + 1];
    char folder[DB_NAME + 1];
    struct db_manifest m;
    struct recipe flux = recipe_of("flux_fgh0"), rk = recipe_of("rk0");
    assert_fine(recipe_flags(&flux, plugins));
    assert_fine(recipe_flags(&rk, plain));
    snprintf(lines, sizeof lines,
             "\"backend\": \"cuda\", \"device\": \"%s\", \"compute_capability\": \"%s\", "
             "\"sm_count\": %d, \"driver\": \"1\", \"nvrtc\": \"1\"",
             device, capability, number);
    snprintf(text, sizeof text,
             "{\"format\": 1, \"environment\": {%s}, \"flags\": {\"flux\": \"%s\", \"rk\": \"%s\", "
             "\"strict\": \"mode=strict\"},\n%s}\n",
             lines, plugins, plain, SESSIONS);
    scratch_write("manifest.json", "w", text);
    char path[PATH_LENGTH];
    scratch_path(path, "manifest.json");
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
    db_device_folder(device, folder);
    snprintf(home, sizeof home, "db/%s", folder);
    scratch_path(path, home);
    mkdir(path, 0700);
    snprintf(home, sizeof home, "db/%s/%s", folder, hash);
    scratch_folder(home);
    scratch_write(inside("manifest.json"), "w", text);
}

/* A row as the kernel's recipe would have it. */
static struct db_row tuned_row(const char *kernel, int w, int h, double median)
{
    struct recipe r = recipe_of(kernel);
    struct db_row row = row_of(w, h, median);
    snprintf(row.flags, sizeof row.flags, "%s", r.kernel->plugins ? "flux" : "rk");
    assert_fine(recipe_text_hash(&r, row.source));
    strcpy(row.method, "clock");
    return row;
}

static void add_table(const char *kernel, int nx, struct db_row *rows, size_t count)
{
    char name[256], path[PATH_LENGTH];
    scratch_path(path, inside(kernel));
    mkdir(path, 0700);
    snprintf(name, sizeof name, "%s/circular-dam-%dx%d-f32.tsv", kernel, nx, nx);
    write_rows(name, rows, count);
}

static void add_winner(const char *kernel, int nx, int w, int h)
{
    struct db_row rows[] = {tuned_row(kernel, w, h, 100), tuned_row(kernel, 16, 16, 120)};
    add_table(kernel, nx, rows, 2);
}

static int make_database(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("db");
    scratch_path(path, "db");
    log_quiet(1);
    return setenv("SHOAL_DB", path, 1);
}

/* What a run on a device would take. */
static struct block_origin took(const char *device, const char *target, int n, struct recipe *r)
{
    struct device_info info = {.units = 1};
    struct block_origin o = {.from = BLOCK_DEFAULT};
    snprintf(info.name, sizeof info.name, "%s", device);
    snprintf(info.target, sizeof info.target, "%s", target);
    const struct tuned_for run = {&info, n, n};
    const struct tuned_kernel k = {r, &o};
    assert_fine(tuned_blocks(&run, &k, 1));
    return o;
}

static void expect(const char *device, int n, const char *kernel, int w, int h, const char *said)
{
    struct recipe r = recipe_of(kernel);
    char text[256];
    const struct block_origin o = took(device, "sm_90", n, &r);
    tuned_describe(&o, text, sizeof text);
    assert_string_equal(text, said);
    assert_int_equal(r.block.w, w);
    assert_int_equal(r.block.h, h);
}

static void the_nearest_measurement_counts(void **state)
{
    (void)state;
    const struct kernel *rk0 = find_kernel("rk0");
    expect("Card 1", 64, "rk0", rk0->block[CPU].w, rk0->block[CPU].h, "default");
    add_environment("Card 1", "9.0", 1);
    add_winner("rk0", 64, 32, 8);
    add_winner("rk0", 512, 64, 2);
    expect("Card 1", 64, "rk0", 32, 8, "tuned on this device at 64x64");
    expect("Card 1", 100, "rk0", 32, 8, "tuned on this device at 64x64, the nearest size");
    expect("Card 1", 300, "rk0", 64, 2, "tuned on this device at 512x512, the nearest size");
    expect("Card 2", 512, "rk0", 64, 2,
           "tuned on card-1 at 512x512, of the same compute capability");
    expect("Card 2", 64, "rk1", rk0->block[CPU].w, rk0->block[CPU].h, "default");
    add_environment("Card 2", "9.0", 1);
    add_winner("rk0", 2048, 128, 1);
    expect("Card 2", 64, "rk0", 128, 1, "tuned on this device at 2048x2048, the nearest size");
}

static void another_compute_capability_is_of_no_use(void **state)
{
    (void)state;
    add_environment("Card 1", "8.0", 1);
    add_winner("rk0", 64, 32, 8);
    struct recipe r = recipe_of("rk0");
    assert_int_equal(took("Card 2", "sm_90", 64, &r).from, BLOCK_DEFAULT);
    assert_int_equal(took("Card 2", "native", 64, &r).from, BLOCK_DEFAULT);
    assert_int_equal(took("Card 2", "sm_80", 64, &r).from, BLOCK_TUNED);
}

static void equal_flags_come_before_equal_sizes_and_others_before_none(void **state)
{
    (void)state;
    struct db_row strict[] = {tuned_row("rk0", 48, 4, 100)};
    strcpy(strict[0].flags, "strict");
    add_environment("Card 1", "9.0", 1);
    add_table("rk0", 64, strict, 1);
    expect("Card 1", 64, "rk0", 48, 4, "tuned on this device at 64x64, with other flags");
    add_winner("rk0", 512, 64, 2);
    expect("Card 1", 64, "rk0", 64, 2, "tuned on this device at 512x512, the nearest size");
}

static void the_present_text_of_a_kernel_comes_before_a_later_session(void **state)
{
    (void)state;
    struct db_row old[] = {tuned_row("rk0", 48, 4, 50)};
    strcpy(old[0].source, SOURCE);
    strcpy(old[0].session, "0000000b");
    add_environment("Card 1", "9.0", 1);
    add_table("rk0", 64, old, 1);
    expect("Card 1", 64, "rk0", 48, 4,
           "tuned on this device at 64x64, before its text was changed");
    add_environment("Card 1", "9.0", 2);
    add_winner("rk0", 64, 32, 8);
    expect("Card 1", 64, "rk0", 32, 8, "tuned on this device at 64x64");
}

/* All four at once, as a run asks; how many were tuned, and that none stands alone. */
static int take_exits(int n, struct block *b, struct block_origin o[KERNELS])
{
    struct recipe r[KERNELS];
    struct tuned_kernel k[KERNELS];
    struct device_info info = {.name = "Card 1", .target = "sm_90"};
    const struct tuned_for run = {&info, n, n};
    int tuned = 0;
    for (int m = 0; m < KERNELS; m++) {
        r[m] = recipe_of(exits[m]);
        o[m] = (struct block_origin){.from = BLOCK_DEFAULT};
        k[m] = (struct tuned_kernel){&r[m], &o[m]};
    }
    assert_fine(tuned_blocks(&run, k, KERNELS));
    for (int m = 0; m < KERNELS; m++) {
        tuned += o[m].from == BLOCK_TUNED;
        assert_int_equal(r[m].block.w, r[0].block.w);
        assert_int_equal(r[m].block.h, r[0].block.h);
    }
    *b = r[0].block;
    return tuned;
}

static void kernels_that_must_agree_take_the_block_with_the_least_sum(void **state)
{
    (void)state;
    /* 8x8 is the best of three of them, 32x8 that of all; 64x2 is faster, and fails in one. */
    static const double us[KERNELS][3] = {
        {100, 120, 20}, {100, 120, 20}, {100, 120, 20}, {900, 120, 0}};
    struct block b;
    struct block_origin o[KERNELS];
    const struct block own = find_kernel(exits[0])->block[CPU];
    add_environment("Card 1", "9.0", 1);
    assert_int_equal(take_exits(64, &b, o), 0);
    for (int m = 0; m < KERNELS; m++) {
        struct db_row rows[] = {
            tuned_row(exits[m], 8, 8, us[m][0]), tuned_row(exits[m], 32, 8, us[m][1]),
            us[m][2] > 0 ? tuned_row(exits[m], 64, 2, us[m][2]) : failed_row(64, 2, DB_LAUNCH)};
        strcpy(rows[2].flags, rows[0].flags);
        strcpy(rows[2].source, rows[0].source);
        assert_int_equal(take_exits(64, &b, o), 0);
        assert_int_equal(b.w, own.w);
        add_table(exits[m], 64, rows, 3);
    }
    assert_int_equal(take_exits(64, &b, o), KERNELS);
    assert_int_equal(b.w, 32);
    assert_int_equal(b.h, 8);
    /* A nearer table of some of them is of no use, one of all of them is. */
    for (int m = 0; m < KERNELS; m++) {
        add_winner(exits[m], 512, 24, 4);
        take_exits(512, &b, o);
        assert_int_equal(b.w, m < KERNELS - 1 ? 32 : 24);
        assert_int_equal(o[0].match, m < KERNELS - 1 ? DB_OTHER_SIZE : DB_SAME_SIZE);
    }
}

static void kernels_without_a_block_in_common_keep_the_default(void **state)
{
    (void)state;
    struct block b;
    struct block_origin o[KERNELS];
    add_environment("Card 1", "9.0", 1);
    for (int m = 0; m < KERNELS; m++) {
        struct db_row rows[] = {tuned_row(exits[m], 8, m + 1, 10)};
        add_table(exits[m], 64, rows, 1);
    }
    assert_int_equal(take_exits(64, &b, o), 0);
}

#define RUN(...)                                                                                \
    SHOAL("run", "circular-dam", "--backend", "cpu", "--threads", "1", "--nx", "64", "--steps", \
          "3", __VA_ARGS__)

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

/* What stands where the kernel's compiled block belongs cannot be loaded, nor replaced. */
static void obstruct(const char *kernel, int w, int h)
{
    char path[PATH_LENGTH], below[PATH_LENGTH + 8];
    struct device *d;
    struct recipe r = recipe_of(kernel);
    const struct device_options o = {.threads = 1, .march = "native"};
    r.block = (struct block){w, h};
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
    make_database(state);
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

/* They are loaded when the run is under way, and buffers exist by then. */
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

#define WITH_DATABASE(test) cmocka_unit_test_setup_teardown(test, make_database, scratch_remove)
#define WITH_CACHE(test)    cmocka_unit_test_setup_teardown(test, own_cache, remove_cache)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(the_nearest_measurement_counts),
        WITH_DATABASE(another_compute_capability_is_of_no_use),
        WITH_DATABASE(equal_flags_come_before_equal_sizes_and_others_before_none),
        WITH_DATABASE(the_present_text_of_a_kernel_comes_before_a_later_session),
        WITH_DATABASE(kernels_that_must_agree_take_the_block_with_the_least_sum),
        WITH_DATABASE(kernels_without_a_block_in_common_keep_the_default),
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
