/* Full disks and folders without write permission: existing files are untouched, new ones are whole or absent, and
 * the error says what to do. */
#include "tests/support/test.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#include "core/base/file_checksum.h"
#include "tests/support/figures.h"
#include "tests/support/sweep.h"

#define HERE "--backend", "cpu", "--threads", "1"
#define RUN                                                                                      \
    "run", "circular-dam", "--nx", "16", "--ny", "12", "--mode", "strict", "--dt", "0.02", HERE, \
        "--quiet"
#define LINES                                                                       \
    HEAD "[data]\nsql = SELECT * FROM blocks WHERE outcome = 'ok' ORDER BY width, " \
         "height\n[draw]\nshape = series\nx = width\n"                              \
         "y = median_us\nx-label = width (threads)\ny-label = time (us)\n"

enum { PAGE_KB = 4, STEPS = 12 };

static void scratch_mount(const char *options)
{
    char path[PATH_LENGTH];
    scratch_path(path, "disk");
    if (mount("tmpfs", path, "tmpfs", 0, options) != 0) {
        print_message("skipped: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
}

static void scratch_unmount(void)
{
    char path[PATH_LENGTH];
    scratch_path(path, "disk");
    assert_int_equal(umount2(path, 0), 0);
}

/* disk/work on a small file system that only this process and its children see. */
static void make_disk(void)
{
    scratch_folder("disk");
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") != 0) {
        print_message("skipped: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
    scratch_mount("size=16m");
    scratch_folder("disk/work");
}

/* Pages that a snapshot needs. */
static int pages_of(const struct snapshot *s)
{
    int pages = 0;
    for (int k = 0; k < s->count; k++)
        pages += (int)((s->file[k].size + 4095) / 4096);
    return pages;
}

/* Runs the command with more and more space, from none to what it needs. */
static void fill_up(const struct writer *w, int most_pages)
{
    static const struct fault full = {"a disk", 0, {0, 3}, 0};
    static const struct fault_report nowhere;
    static struct sweeping s;
    char options[64];
    int refused = 0;
    sweep_prepare(&s, w, "disk/work");
    for (int k = 0; k < STEPS; k++) {
        const int pages = pages_of(&s.before) + 1 + k * most_pages / STEPS;
        scratch_unmount();
        snprintf(options, sizeof options, "size=%dk", pages * PAGE_KB);
        scratch_mount(options);
        snapshot_restore(&s.before);
        program_run(w->words);
        check_end(&s, &full, &nowhere);
        check_files(&s, &full, &nowhere, 0);
        refused += result.status != 0;
    }
    print_message("%s: refused on %d of %d disks\n", w->name, refused, STEPS);
    assert_in_range(refused, 2, STEPS);
    scratch_unmount();
}

#ifdef HAVE_NETCDF

static int whole_result(const struct kept *f, const struct kept *before, const struct kept *after)
{
    char path[PATH_LENGTH];
    (void)before, (void)after;
    scratch_path(path, f->name);
    return checksum_check(path, "") ==
           CHECKSUM_GOOD; /* a result is the last thing written, or absent */
}

static void a_full_disk_takes_no_half_result(void **state)
{
    static const struct writer w = {.name = "run",
                                    .words = {RUN, "--t-end", "0.04", "--checkpoint", "0.02",
                                              "--output", "disk/work/r.nc", NULL},
                                    .sound = whole_result};
    (void)state;
    make_disk();
    SHOAL(RUN, "--t-end", "0.02", "--checkpoint", "0.02", "--output", "disk/work/r.nc");
    ASSERT_STATUS(0);
    fill_up(&w, 72);
}

static void a_full_disk_takes_no_half_picture(void **state)
{
    static const struct writer w = {.name = "render",
                                    .words = {"render", "r.nc", "--variable", "h", "--size",
                                              "640x480", "--output", "disk/work/a.png", NULL}};
    (void)state;
    need_gnuplot();
    make_disk();
    SHOAL(RUN, "--t-end", "0.02", "--output", "r.nc");
    ASSERT_STATUS(0);
    scratch_write("disk/work/a.png", "w", "old");
    fill_up(&w, 9);
}

#endif

static void a_full_disk_takes_no_half_figure(void **state)
{
    static const struct writer w = {
        .name = "plot",
        .words = {"plot", "lines", "--output", "disk/work", "--format", "svg", NULL}};
    (void)state;
    need_gnuplot();
    make_disk();
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_folder("disk/work/data");
    scratch_write("disk/work/lines-made-up-9.svg", "w", "old");
    fill_up(&w, 14);
}

/* Every command that writes, in a folder that accepts no new files. */
static void a_closed_folder_is_named_and_left_as_it_is(void **state)
{
    static const struct {
        const char *folder, *words[MOST_WORDS + 1];
    } all[] = {
#ifdef HAVE_NETCDF
        {"closed", {RUN, "--steps", "1", "--output", "closed/r.nc"}},
#endif
        {"closed", {"plot", "lines", "--output", "closed", "--format", "svg"}},
        {"closed", {"db", "export", "--format", "kernel-tuner", "--output", "closed"}},
        {"db", {"db", "import", "foreign.json", "--as", "other", "--source", "Other, 2020"}},
        {"closed", {"certify", "--scheme", "euler", "--case", "lake", "--output", "closed"}},
        {"closed", {"verify", "--quick", "--case", "stoker", "--output", "closed"}},
    };
    static struct snapshot before, after;
    char path[PATH_LENGTH];
    (void)state;
    scratch_write("experiments/lines.ini", "w", LINES);
    scratch_write("foreign.json", "w",
                  "{\"device_name\": \"Other\", \"kernel_name\": \"K\", \"problem_size\": 4096,\n"
                  "\"tune_params_keys\": [\"x\"], \"tune_params\": {}, \"cache\": {\n"
                  "\"16\": {\"x\": 16, \"time\": 3.50}}}\n");
    scratch_folder("closed");
    scratch_write("closed/r.nc", "w", "old");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        snapshot_free(&before);
        snapshot_free(&after);
        snapshot_take(&before, all[k].folder);
        scratch_path(path, all[k].folder);
        assert_int_equal(chmod(path, 0555), 0);
        program_run(all[k].words);
        assert_int_equal(chmod(path, 0700), 0);
        snapshot_take(&after, all[k].folder);
        if (result.status != 2 || !strstr(result.err, all[k].folder) || !has_remedy(result.err))
            fail_msg("%s: status %d: %s", all[k].words[0], result.status, result.err);
        assert_int_equal(before.count, after.count);
        for (int m = 0; m < before.count; m++)
            assert_true(snapshot_same(&before.file[m], snapshot_find(&after, before.file[m].name)));
    }
}

int main(void)
{
#define BARE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
#ifdef HAVE_NETCDF
        BARE(a_full_disk_takes_no_half_result),
        BARE(a_full_disk_takes_no_half_picture),
#endif
        WITH_FIGURES(a_full_disk_takes_no_half_figure),
        WITH_FIGURES(a_closed_folder_is_named_and_left_as_it_is),
    };
    if (program_find() || installation_find())
        return 1;
    /* Root can write anywhere: its child processes must not. */
    if (geteuid() == 0 && prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0)
        return 1;
    return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
