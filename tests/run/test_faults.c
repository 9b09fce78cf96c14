/* Programs that are killed, or refused by the disk, at one call after another while they write: earlier files are
 * untouched, new ones are whole or absent, nothing else is left, and the error says what to do. SHOAL_TEST_FAULTS=1:
 * at every call instead of some. */
#include "tests/support/test.h"

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/file_checksum.h"
#include "tests/support/asan_options.h"
#include "tests/support/experiments.h"
#include "tests/support/figures.h"
#include "tests/support/sweep.h"
#include "tests/support/variables.h"

#define HERE "--backend", "cpu", "--threads", "1"

static void set_to_scratch(const char *variable, const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    assert_int_equal(setenv(variable, path, 1), 0);
}

#ifdef HAVE_NETCDF

#define RUN                                                                                      \
    "run", "circular-dam", "--nx", "16", "--ny", "12", "--mode", "strict", "--dt", "0.02", HERE, \
        "--quiet"

/* The run's values are those of an undisturbed one; a checkpoint may be of any step. */
static int whole_result(const struct kept *f, const struct kept *before, const struct kept *after)
{
    char path[PATH_LENGTH], wanted[PATH_LENGTH], which[NC_MAX_NAME + 1];
    (void)before;
    scratch_path(path, f->name);
    if (strstr(f->name, CHECKPOINT_ENDING) || strstr(f->name, RECORDS_ENDING))
        return checksum_check(path, "") == CHECKSUM_GOOD;
    scratch_path(wanted, "wanted.nc");
    FILE *to = fopen(wanted, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(after->bytes, 1, after->size, to), after->size);
    assert_int_equal(fclose(to), 0);
    return same_variables(wanted, path, which);
}

static void results_and_checkpoints_are_whole_or_absent(void **state)
{
    static const struct writer w = {
        .name = "run",
        .words = {RUN, "--t-end", "0.04", "--checkpoint", "0.02", "--output", "work/r.nc", NULL},
        .most = 10,
        .sound = whole_result};
    (void)state;
    scratch_folder("work");
    SHOAL(RUN, "--t-end", "0.02", "--checkpoint", "0.02", "--output", "work/r.nc");
    ASSERT_STATUS(0);
    sweep(&w);
}

/* The water needs more tiles than allowed, and the disk is full once the checkpoint is begun. */
static void where_no_checkpoint_can_be_written_both_reasons_are_told(void **state)
{
    static const struct writer w = {.words = {"run", "circular-dam-100", "--nx", "64", "--t-end",
                                              "1", "--domain", "sparse", "--tile", "8",
                                              "--tiles-most", "16", HERE, "--quiet", "--output",
                                              "work/s.nc", NULL}};
    struct fault_report r = {.at = "none yet"};
    (void)state;
    scratch_folder("work");
    for (int k = 1; *r.at && !strstr(r.at, CHECKPOINT_ENDING); k++)
        r = run_with(&w, "full", k);
    assert_true(*r.at);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "tiles of 8 x 8 cells are needed, and --tiles-most allows 16");
    ASSERT_HAS(result.err, "without a checkpoint: cannot write 'work/s.nc" CHECKPOINT_ENDING "'");
}

static void where_nothing_can_be_locked_a_warning_says_so(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    setenv("SHOAL_NO_LOCKS", "1", 1);
    setenv("LD_PRELOAD", faults_library, 1);
    const pid_t pid =
        program_start(-1, (const char *const[]){RUN, "--t-end", "0.02", "--output", "r.nc", NULL});
    unsetenv("LD_PRELOAD");
    unsetenv("SHOAL_NO_LOCKS");
    program_end(pid);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "'r.nc' cannot be locked (No locks available)");
    assert_true(scratch_has("r.nc"));
    snprintf(path, sizeof path, "ls '%s' | grep -q tmp", scratch);
    assert_int_not_equal(system(path), 0);
}

static void pictures_are_whole_or_absent(void **state)
{
    static const struct writer w = {.name = "render",
                                    .words = {"render", "r.nc", "--variable", "h", "--size",
                                              "200x160", "--output", "work/a.png", NULL},
                                    .most = 3};
    (void)state;
    need_gnuplot();
    SHOAL(RUN, "--t-end", "0.02", "--output", "r.nc");
    ASSERT_STATUS(0);
    scratch_folder("work");
    scratch_write("work/a.png", "w", "old");
    sweep(&w);
}

#endif

static int whole_kernel(const struct kept *f, const struct kept *before, const struct kept *after)
{
    char path[PATH_LENGTH];
    (void)before, (void)after;
    scratch_path(path, f->name);
    return checksum_check(path, strrchr(path, '/') + 1) == CHECKSUM_GOOD;
}

/* All but one of the kernels are compiled beforehand. */
static void compiled_kernels_are_whole_or_absent(void **state)
{
    static const struct writer w = {
        .name = "cache",
        .words = {"run", "circular-dam", "--nx", "16", "--steps", "1", HERE, "--quiet", NULL},
        .most = 3,
        .goes_on = 1,
        .sound = whole_kernel};
    static struct snapshot all;
    char path[PATH_LENGTH];
    (void)state;
    scratch_folder("work");
    set_to_scratch("SHOAL_CACHE", "work");
    program_run(w.words);
    ASSERT_STATUS(0);
    snapshot_take(&all, "work");
    assert_true(all.count > 4);
    scratch_path(path, all.file[1].name);
    assert_int_equal(unlink(path), 0);
    snapshot_free(&all);
    sweep(&w);
    unsetenv("SHOAL_CACHE");
}

/* Rows are added, none is lost or cut; a manifest can be read. */
static int whole_rows(const struct kept *f, const struct kept *before, const struct kept *after)
{
    char path[PATH_LENGTH], line[DB_LINE + 2];
    struct db_manifest m;
    (void)after;
    scratch_path(path, f->name);
    if (strstr(f->name, "manifest.json")) {
        if (db_manifest_read(path, &m))
            return 0;
        db_manifest_free(&m);
        return 1;
    }
    for (const char *from = before ? before->bytes : ""; *from;) {
        const size_t n = strcspn(from, "\n") + 1;
        assert_true(n < sizeof line);
        snprintf(line, n + 1, "%s", from);
        if (!strstr(f->bytes, line))
            return 0;
        from += n;
    }
    return f->size > 0 && f->bytes[f->size - 1] == '\n';
}

static void rows_are_added_whole_or_not_at_all(void **state)
{
    static const struct writer w = {
        .name = "measure", .words = {"measure", "it", HERE, NULL}, .most = 5, .sound = whole_rows};
    (void)state;
    write_experiment("kind = runs\ncase = sine\nscheme = euler\nnx = 16\nrepeat = 1\n");
    scratch_folder("work");
    set_to_scratch("SHOAL_DB", "work");
    for (int k = 0; k < 2; k++) {
        program_run(w.words);
        ASSERT_STATUS(0);
    }
    sweep(&w);
}

/* home/verification is "work". */
static void a_certificate_is_whole_or_as_it_was(void **state)
{
    static const struct writer w = {.name = "certify",
                                    .words = {"certify", "--update", "--scheme", "euler", "--case",
                                              "lake", "--backend", "cpu", "--output", "work/out",
                                              NULL},
                                    .most = 3};
    char from[PATH_LENGTH], to[PATH_LENGTH], command[3 * PATH_LENGTH];
    (void)state;
    scratch_folder("work");
    scratch_folder("work/out");
    scratch_path(from, "work");
    scratch_path(to, "home/verification");
    assert_int_equal(symlink(from, to), 0);
    snprintf(command, sizeof command,
             "sed '/^euler.lake/s/.$/x/; s/x$/0/' '%s/verification/certificate.tsv' "
             ">'%s/certificate.tsv'",
             home_before, from);
    assert_int_equal(system(command), 0);
    scratch_write("work/out/certificate.md", "w", "old");
    sweep(&w);
}

#define LINES                                                                       \
    HEAD "[data]\nsql = SELECT * FROM blocks WHERE outcome = 'ok' ORDER BY width, " \
         "height\n[draw]\nshape = series\nx = width\n"                              \
         "y = median_us\nx-label = width (threads)\ny-label = time (us)\n"

static void figures_are_whole_or_absent(void **state)
{
    static const struct writer w = {
        .name = "plot",
        .words = {"plot", "lines", "--output", "work", "--format", "svg", NULL},
        .most = 3};
    (void)state;
    need_gnuplot();
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_folder("work");
    scratch_folder("work/data");
    scratch_write("work/lines-made-up-9.svg", "w", "old");
    scratch_write("work/data/lines-made-up-9.gp", "w", "old");
    sweep(&w);
}

static void exports_are_whole_or_absent(void **state)
{
    static const struct writer w = {
        .name = "db export",
        .words = {"db", "export", "--format", "kernel-tuner", "--output", "work", NULL},
        .most = 4};
    (void)state;
    scratch_folder("work");
    sweep(&w);
}

static void imports_are_whole_or_absent(void **state)
{
    static const struct writer w = {
        .name = "db import",
        .words = {"db", "import", "foreign.json", "--as", "other", "--source", "Other, 2020", NULL},
        .most = 4};
    (void)state;
    scratch_write("foreign.json", "w",
                  "{\"device_name\": \"Other\", \"kernel_name\": \"K\", \"problem_size\": 4096,\n"
                  "\"tune_params_keys\": [\"x\"], \"tune_params\": {}, \"cache\": {\n"
                  "\"16\": {\"x\": 16, \"time\": 3.50}}}\n");
    scratch_folder("work");
    set_to_scratch("SHOAL_DB", "work");
    sweep(&w);
}

int main(void)
{
#define IN(build, test) cmocka_unit_test_setup_teardown(test, build, scratch_remove)
    const struct CMUnitTest tests[] = {
#ifdef HAVE_NETCDF
        IN(scratch_setup, results_and_checkpoints_are_whole_or_absent),
        IN(scratch_setup, where_no_checkpoint_can_be_written_both_reasons_are_told),
        IN(scratch_setup, where_nothing_can_be_locked_a_warning_says_so),
        IN(scratch_setup, pictures_are_whole_or_absent),
#endif
        IN(scratch_setup, compiled_kernels_are_whole_or_absent),
        INSTALLED(rows_are_added_whole_or_not_at_all),
        INSTALLED(a_certificate_is_whole_or_as_it_was),
        WITH_FIGURES(figures_are_whole_or_absent),
        WITH_FIGURES(exports_are_whole_or_absent),
        WITH_FIGURES(imports_are_whole_or_absent),
    };
    /* A sanitizer must be loaded first, and here it would be second. */
    if (asan_options_add("verify_asan_link_order=0") || program_find() || installation_find() ||
        faults_find())
        return 1;
    const int failed = cmocka_run_group_tests_name("faults", tests, NULL, NULL);
    print_message("%d faults met\n", faults_met);
    return failed;
}
