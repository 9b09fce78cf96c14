/* Where results may go: links are followed, and inputs, files that stdout or stderr go to, and foreign files are
 * never replaced. */
#include "tests/support/test.h"

#include <errno.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/output_lock.h"
#include "tests/support/program.h"

#define RUN                                                                               \
    "run", "circular-dam", "--nx=16", "--ny=12", "--steps=2", "--mode=strict", "--quiet", \
        "--backend=cpu", "--threads=1"

static void link_to(const char *to, const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    assert_int_equal(symlink(to, path), 0);
}

static void hard_link(const char *from, const char *name)
{
    char one[PATH_LENGTH], two[PATH_LENGTH];
    scratch_path(one, from);
    scratch_path(two, name);
    assert_int_equal(link(one, two), 0);
}

static int is_link(const char *name)
{
    char path[PATH_LENGTH];
    struct stat s;
    scratch_path(path, name);
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
}

static void expect_content(const char *name, const char *wanted)
{
    static char text[MOST_TEXT];
    program_read(name, text);
    assert_string_equal(text, wanted);
}

static void expect_written(const char *name)
{
    static char text[MOST_TEXT];
    ASSERT_STATUS(0);
    program_read(name, text);
    assert_memory_equal(text, "\211HDF", 4);
}

static void a_link_is_followed_and_stays(void **state)
{
    (void)state;
    scratch_folder("far");
    scratch_write("far/old.nc", "w", "old");
    link_to("far/old.nc", "r.nc");
    link_to("r.nc", "again.nc");
    link_to("far/new.nc", "dangling.nc");
    SHOAL(RUN, "--output=again.nc");
    expect_written("far/old.nc");
    assert_true(is_link("r.nc") && is_link("again.nc"));
    SHOAL(RUN, "--output=dangling.nc");
    expect_written("far/new.nc");
    assert_true(is_link("dangling.nc"));
    link_to("loop.nc", "loop.nc");
    SHOAL(RUN, "--output=loop.nc");
    ASSERT_STATUS(2);
}

/* Root could replace what is in /dev, so it gets another /dev, which only this process and its children see. False if
 * there is none. */
static int make_own_dev(void)
{
    static const struct {
        const char *name;
        unsigned minor;
    } devices[] = {{"/dev/null", 3}, {"/dev/zero", 5}, {"/dev/full", 7}, {"/dev/urandom", 9}};
    if (geteuid() != 0)
        return 1;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
        mount("tmpfs", "/dev", "tmpfs", 0, "size=1m") != 0)
        return 0;
    for (int k = 0; k < 4; k++)
        if (mknod(devices[k].name, S_IFCHR | 0666, makedev(1, devices[k].minor)) != 0)
            return 0;
    return symlink("/proc/self/fd/1", "/dev/stdout") == 0 && mkdir("/dev/shm", 0700) == 0;
}

static int has_own_dev;

static void what_is_no_file_is_refused_and_left_alone(void **state)
{
    static const char *const names[] = {"fifo",     "to-fifo",     "to-null",    "/dev/null",
                                        "/dev/new", "to-dev/x.nc", "/proc/x.nc", "to-stdout",
                                        "device",   "to-device"};
    char path[PATH_LENGTH], option[PATH_LENGTH + 16];
    struct stat s;
    (void)state;
    if (!has_own_dev) {
        print_message("skipped: no file system can be mounted here\n");
        skip();
    }
    scratch_path(path, "fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    link_to("fifo", "to-fifo");
    link_to("/dev/null", "to-null");
    link_to("/dev", "to-dev");
    link_to("/dev/stdout", "to-stdout");
    scratch_path(path, "device"); /* only root can make one */
    const int made = mknod(path, S_IFCHR | 0600, makedev(1, 3)) == 0;
    link_to("device", "to-device");
    for (size_t k = 0; k < sizeof names / sizeof *names - (made ? 0 : 2); k++) {
        snprintf(option, sizeof option, "--output=%s", names[k]);
        SHOAL(RUN, option);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, "choose another");
        assert_string_equal(result.out, "");
    }
    assert_true(is_link("to-fifo") && is_link("to-null") && is_link("to-stdout"));
    scratch_path(path, "fifo");
    assert_true(stat(path, &s) == 0 && S_ISFIFO(s.st_mode));
    assert_true(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
}

static void shared_memory_is_a_disk_like_any(void **state)
{
    char option[64];
    (void)state;
    snprintf(option, sizeof option, "--output=/dev/shm/shoal-%ld.nc", (long)getpid());
    if (!has_own_dev || access("/dev/shm", W_OK) != 0) {
        print_message("skipped: there is no /dev/shm\n");
        skip();
    }
    SHOAL(RUN, option);
    ASSERT_STATUS(0);
    assert_int_equal(unlink(strchr(option, '/')), 0);
}

static void what_the_command_prints_to_is_not_replaced(void **state)
{
    (void)state; /* both go to files of these names */
    SHOAL(RUN, "--output=stdout");
    ASSERT_STATUS(2);
    SHOAL(RUN, "--output=stderr");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "is the standard output or error of this command");
    hard_link("stdout", "other");
    SHOAL(RUN, "--output=other");
    ASSERT_STATUS(2);
}

/* Terrain of 8 x 6 cells, its water, roughness, a series and gauges, and a run file of all. */
static void write_inputs(void)
{
    static const char *const grids[] = {"bed.asc", "level.asc", "n.asc"};
    static const char *const value[] = {"0 ", "1 ", ".03 "};
    for (int k = 0; k < 3; k++) {
        scratch_write(grids[k], "w", "ncols 8\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
        for (int n = 0; n < 48; n++)
            scratch_write(grids[k], "a", value[k]);
    }
    scratch_write("bed.prj", "w", "LOCAL_CS[\"a\",UNIT[\"metre\",1]]\n");
    scratch_write("in.txt", "w", "0 1\n9 1\n");
    scratch_write("gauges.txt", "w", "a,1,1\n");
    scratch_write("run.ini", "w",
                  "input = bed.asc\nlevel = level.asc\nmanning = n.asc\nt-end = 0.1\n"
                  "bc-west = discharge:in.txt\ngauges = gauges.txt\nbackend = cpu\n"
                  "threads = 1\nquiet = yes\n");
}

static const char *const inputs[] = {"bed.asc", "bed.prj",    "level.asc", "n.asc",
                                     "in.txt",  "gauges.txt", "run.ini"};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static void expect_protected(const char *input, const char *name)
{
    static char before[MOST_TEXT];
    char option[PATH_LENGTH + 16];
    program_read(input, before);
    snprintf(option, sizeof option, "--output=%s", name);
    SHOAL("run", "run.ini", option);
    if (result.status != 2 || !strstr(result.err, "an input of this command"))
        fail_msg("%s over %s: status %d: %s", name, input, result.status, result.err);
    expect_content(input, before);
}

static void no_file_that_a_run_reads_is_replaced_by_any_name(void **state)
{
    char name[64];
    (void)state;
    write_inputs();
    SHOAL("run", "run.ini", "--output=fine.nc");
    ASSERT_STATUS(0);
    scratch_folder("down");
    link_to(".", "here");
    for (int k = 0; k < INPUTS; k++) {
        expect_protected(inputs[k], inputs[k]);
        snprintf(name, sizeof name, "down/..//here/%s", inputs[k]);
        expect_protected(inputs[k], name);
        snprintf(name, sizeof name, "soft-%d", k);
        link_to(inputs[k], name);
        expect_protected(inputs[k], name);
        snprintf(name, sizeof name, "hard-%d", k);
        hard_link(inputs[k], name);
        expect_protected(inputs[k], name);
    }
}

/* Neither its checkpoint nor its records. */
static void what_a_run_writes_besides_replaces_nothing_it_reads(void **state)
{
    (void)state;
    write_inputs();
    hard_link("n.asc", "a.nc" CHECKPOINT_ENDING);
    expect_protected("n.asc", "a.nc");
    hard_link("in.txt", "b.nc" RECORDS_ENDING);
    expect_protected("in.txt", "b.nc");
    SHOAL(RUN, "--output=c.nc", "--checkpoint=1e-3");
    ASSERT_STATUS(0);
    SHOAL("run", ("c.nc" CHECKPOINT_ENDING), "--steps=1", "--t-end=1", "--output=c.nc");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "is an input of this command");
    SHOAL(RUN, ("--output=c.nc" CHECKPOINT_ENDING), ("--restart=c.nc" CHECKPOINT_ENDING));
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "is the checkpoint that --restart reads");
}

static void pictures_and_figures_replace_nothing_they_are_made_from(void **state)
{
    char path[PATH_LENGTH], command[3 * PATH_LENGTH];
    (void)state;
    SHOAL(RUN, "--output=r.nc");
    ASSERT_STATUS(0);
    link_to("r.nc", "a.png");
    SHOAL("render", "r.nc", "--variable=h", "--output=a.png");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "is an input of this command");
    assert_int_equal(paths_file("tuning_db/nvidia-h200", path), ERR_OK);
    snprintf(command, sizeof command, "mkdir '%s/db' && cp -R '%s' '%s/db/'", scratch, path,
             scratch);
    assert_int_equal(system(command), 0);
    scratch_path(path, "db");
    assert_int_equal(setenv("SHOAL_DB", path, 1), 0);
    SHOAL("plot", "dt-factor", "--output", "db/nvidia-h200");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "an input of this command");
    SHOAL("db", "export", "--format=kernel-tuner", "--output", "db/nvidia-h200");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "an input of this command");
    unsetenv("SHOAL_DB");
}

static void two_runs_do_not_write_one_file(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_path(path, "r.nc.lock.tmp");
    const int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    link_to("r.nc", "other.nc");
    SHOAL(RUN, "--output=r.nc"); /* a crash has left the file: no process has the lock */
    expect_written("r.nc");
    assert_string_equal(result.err, "");
    assert_false(scratch_has("r.nc.lock.tmp"));
    const int held = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    assert_int_equal(flock(held, LOCK_EX | LOCK_NB), 0);
    scratch_write("r.nc", "w", "old");
    SHOAL(RUN, "--output=other.nc");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "another run is writing");
    expect_content("r.nc", "old");
    close(held);
    close(fd);
    SHOAL(RUN, "--output=other.nc");
    expect_written("r.nc");
}

/* Temporary files of processes that have ended; process numbers end at 2^22. */
static void what_a_killed_run_has_left_is_deleted_by_the_next_one(void **state)
{
    static const char *const left[] = {"r.nc.5000001-0.tmp",
                                       "r.nc" CHECKPOINT_ENDING ".5000001-3.tmp",
                                       "r.nc" RECORDS_ENDING ".5000002-1.tmp"};
    static const char *const others[] = {"r.nc.5000001.tmp", "r.nc.5000001-0.tmp.bak",
                                         "other.nc.5000001-0.tmp", "r.nc.x.5000001-0.tmp"};
    char own[64];
    (void)state;
    link_to("r.nc", "link.nc");
    snprintf(own, sizeof own, "r.nc.%ld-0.tmp", (long)getpid());
    scratch_write(own, "w", "still being written");
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        scratch_write(left[k], "w", "left");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        scratch_write(others[k], "w", "another's");
    SHOAL(RUN, "--output=link.nc");
    expect_written("r.nc");
    assert_true(scratch_has(own));
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        assert_false(scratch_has(left[k]));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_true(scratch_has(others[k]));
}

static void a_private_cache_is_told_of_in_one_line(void **state)
{
    static const char *const words[] = {"run",           "circular-dam", "--nx=16", "--steps=1",
                                        "--backend=cpu", "--threads=1",  NULL};
    const char *set = getenv("SHOAL_CACHE");
    char *before = set ? strdup(set) : NULL, path[PATH_LENGTH], line[3 * PATH_LENGTH];
    (void)state;
    scratch_folder("open");
    scratch_path(path, "open");
    assert_int_equal(chmod(path, 0777), 0);
    scratch_path(path, "open/cache");
    setenv("SHOAL_CACHE", path, 1);
    scratch_path(path, "xdg");
    setenv("XDG_CACHE_HOME", path, 1);
    program_run(words);
    unsetenv("XDG_CACHE_HOME");
    if (before)
        setenv("SHOAL_CACHE", before, 1);
    else
        unsetenv("SHOAL_CACHE");
    free(before);
    ASSERT_STATUS(0);
    snprintf(line, sizeof line,
             "compiled kernels are kept in %s/xdg/shoal, not in %s/open/cache: others can write to "
             "%s/open (mode 777)\n",
             scratch, scratch, scratch);
    ASSERT_HAS(result.err, line);
    assert_null(strstr(strstr(result.err, line) + 1, line));
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_link_is_followed_and_stays),
        HERE(what_is_no_file_is_refused_and_left_alone),
        HERE(shared_memory_is_a_disk_like_any),
        HERE(what_the_command_prints_to_is_not_replaced),
        HERE(no_file_that_a_run_reads_is_replaced_by_any_name),
        HERE(what_a_run_writes_besides_replaces_nothing_it_reads),
        HERE(pictures_and_figures_replace_nothing_they_are_made_from),
        HERE(two_runs_do_not_write_one_file),
        HERE(what_a_killed_run_has_left_is_deleted_by_the_next_one),
        HERE(a_private_cache_is_told_of_in_one_line),
    };
    if (program_find())
        return 1;
    has_own_dev = make_own_dev();
    if (!ncfile_available()) {
        print_message("skipped: places: %s\n", err_message());
        return 0;
    }
    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
