/* netCDF output appears complete or not at all, and an error says why. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/base/output_file.h"
#include "tests/support/output.h"

/* What the disk does: nothing unusual, few bytes at a time, or an error. */
static enum { SOUND, SLOW, BAD_READS, BAD_CLOSES } disk;

/* The C library's function, except for that; errno means nothing after a call that succeeds. */
ssize_t read(int fd, void *buf, size_t nbytes)
{
    if (disk == BAD_READS) {
        errno = EIO;
        return -1;
    }
    const ssize_t n = syscall(SYS_read, fd, buf, disk == SLOW && nbytes > 1 ? 1 : nbytes);
    if (disk == SLOW)
        errno = EIO;
    return n;
}

/* What a call becomes where the compiler checks its buffer, as Ubuntu's does. */
ssize_t __read_chk(int fd, void *buf, size_t nbytes,
                   size_t room);                                  /* NOLINT: the C library's name */
ssize_t __read_chk(int fd, void *buf, size_t nbytes, size_t room) /* NOLINT */
{
    (void)room;
    return read(fd, buf, nbytes);
}

int close(int fd)
{
    const int writes = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
    const int failed = syscall(SYS_close, fd) != 0;
    if (disk != BAD_CLOSES || !writes)
        return failed ? -1 : 0;
    errno = EIO;
    return -1;
}

static void assert_old(const char *file)
{
    char text[8] = "";
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    assert_int_equal(fread(text, 1, 7, f), 3);
    fclose(f);
    assert_string_equal(text, "old");
}

static void a_file_appears_only_when_it_is_finished(void **state)
{
    (void)state;
    struct output s = make_output("late.nc", 9, 6, F64, OUTPUT_ALL);
    struct ncwriter *writer;
    struct nc_input in;
    s.info.path = s.target;
    scratch_write("late.nc", "w", "old");
    assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
    assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
    assert_old(s.target);
    assert_int_equal(files(0), 2);
    assert_int_equal(ncwrite_finish(&writer), ERR_OK);
    assert_int_equal(nc_read(s.target, &system_shallow_water, &in), ERR_OK);
    nc_input_free(&in);
    free_output(&s);
    assert_int_equal(files(1), 1);
}

static void a_discarded_file_leaves_nothing(void **state)
{
    (void)state;
    struct output s = make_output("gone.nc", 9, 6, F32, OUTPUT_ALL);
    struct ncwriter *writer;
    s.info.path = s.target;
    assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
    assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
    assert_int_equal(files(0), 1);
    ncwrite_discard(&writer);
    assert_null(writer);
    ncwrite_discard(&writer);
    assert_int_equal(files(0), 0);
    scratch_write("gone.nc", "w", "old");
    assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
    ncwrite_discard(&writer);
    assert_old(s.target);
    free_output(&s);
    assert_int_equal(files(1), 1);
}

/* What a signal handler does before the process ends: in its own process. */
static void delete_at_once(void)
{
    struct output a = make_output("a.nc", 9, 6, F32, OUTPUT_ALL);
    struct output b = make_output("b.nc", 9, 6, F32, OUTPUT_ALL);
    struct ncwriter *writer_a, *writer_b;
    a.info.path = a.target;
    b.info.path = b.target;
    scratch_write("a.nc", "w", "old");
    for (int k = 0; k < 200; k++) { /* a file that was given up is forgotten */
        struct outfile f;
        assert_int_equal(outfile_create(&f, a.target), ERR_OK);
        outfile_discard(&f);
    }
    assert_int_equal(ncwrite_create(&writer_a, &a.info), ERR_OK);
    assert_int_equal(ncwrite_create(&writer_b, &b.info), ERR_OK);
    assert_int_equal(files(0), 3);
    outfile_delete_temporaries();
    assert_int_equal(files(0), 1);
    assert_int_equal(ncwrite_finish(&writer_a), ERR_MACHINE);
    ncwrite_discard(&writer_b);
    free_output(&a);
    free_output(&b);
}

static void temporaries_of_open_writers_can_be_deleted_at_once(void **state)
{
    int status;
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        delete_at_once();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(files(1), 1);
}

static void assert_refused(const char *target, const char *part)
{
    struct output s = make_output("unused", 4, 3, F32, OUTPUT_ALL);
    struct ncwriter *writer;
    s.info.path = target;
    enum err e = ncwrite_create(&writer, &s.info);
    free_output(&s);
    assert_int_equal(e, ERR_USAGE);
    assert_int_equal(err_status(e), 2);
    assert_null(writer);
    assert_non_null(strstr(err_message(), target));
    assert_non_null(strstr(err_message(), part));
}

static void a_target_that_cannot_be_is_refused_before_the_run(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    scratch_path(path, "nowhere/out.nc");
    assert_refused(path, "does not exist");
    scratch_write("plain", "w", "text");
    scratch_path(path, "plain/out.nc");
    assert_refused(path, "does not exist");
    scratch_folder("inner");
    scratch_path(path, "inner");
    assert_refused(path, "is a folder");
    rmdir(path);
    assert_refused("/dev/null", "which is for the system's files");
    assert_refused("", "no name");
    scratch_path(path, "back\\slash.nc");
    assert_refused(path, "backslash");
    memset(path + strlen(path), 'n', 300);
    path[strlen(scratch) + 300] = 0;
    for (char *c = path; *c; c++)
        if (*c == '\\')
            *c = 'n';
    assert_refused(path, "too long");
    assert_int_equal(files(1), 1);
}

/* In a process without root's rights, as root ignores permissions. */
static void a_folder_without_permission_is_refused_before_the_run(void **state)
{
    (void)state;
    struct output s = make_output("out.nc", 4, 3, F32, OUTPUT_ALL);
    s.info.path = s.target;
    assert_int_equal(chmod(scratch, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        struct ncwriter *writer;
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(77);
        enum err e = ncwrite_create(&writer, &s.info);
        _exit(e == ERR_USAGE && strstr(err_message(), "Permission denied") ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(scratch, 0700), 0);
    free_output(&s);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(files(1), 0);
}

/* Writes with at most `bytes` per file, and exits normally: what the libraries do at exit belongs to the test. Exit
 * status 0 means that the error was the right one. */
static void write_limited(struct output *s, rlim_t bytes)
{
    struct ncwriter *writer = NULL;
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        exit(77);
    s->info.path = s->target;
    s->info.helpers = 2;
    enum err e = ncwrite_create(&writer, &s->info);
    if (!e)
        e = ncwrite_record(writer, &s->record);
    if (!e)
        e = ncwrite_finish(&writer);
    ncwrite_discard(&writer);
    int named = strstr(err_message(), s->target) && strstr(err_message(), "too large");
    free_output(s);
    exit(e == ERR_OK ? 2 : e != ERR_MACHINE ? 3 : named ? 0 : 4);
}

static void a_full_disk_is_named_and_leaves_the_older_file(void **state)
{
    (void)state;
    static const rlim_t limits[] = {0, 100, 5000, 40000, 100000, 160000};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct output s = make_output("full.nc", 120, 90, F64, OUTPUT_ALL);
        scratch_write("full.nc", "w", "old");
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            write_limited(&s, limits[k]);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_old(s.target);
        free_output(&s);
        assert_int_equal(files(1), 1);
    }
}

/* Although errno is still that of another call. */
static void a_disk_that_takes_more_refuses_nothing(void **state)
{
    (void)state;
    struct outfile f;
    char path[PATH_LENGTH];
    scratch_path(path, "more");
    assert_int_equal(outfile_create(&f, path), ERR_OK);
    errno = EIO;
    assert_int_equal(outfile_refusal(&f), 0);
    outfile_discard(&f);
    assert_int_equal(files(0), 0);
}

/* A file that is still being written. */
static void a_copy_that_cannot_be_made_leaves_the_one_before(void **state)
{
    (void)state;
    struct output s = make_output("late.nc", 9, 6, F64, OUTPUT_ALL);
    struct ncwriter *writer;
    struct nc_input in;
    s.info.path = s.target;
    char path[PATH_LENGTH];
    scratch_path(path, "copy.nc");
    for (int bad = 0; bad < 2; bad++) {
        scratch_write("copy.nc", "w", "old");
        assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
        assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
        disk = bad ? BAD_CLOSES : BAD_READS;
        assert_int_equal(ncwrite_keep(writer, path), ERR_MACHINE);
        disk = SOUND;
        assert_non_null(strstr(err_message(), "cannot be copied: Input/output error"));
        assert_old(path);
        ncwrite_discard(&writer);
        assert_int_equal(files(1), 1);
    }
    assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
    assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
    disk = SLOW;
    assert_int_equal(ncwrite_keep(writer, path), ERR_OK);
    disk = SOUND;
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_OK);
    nc_input_free(&in);
    ncwrite_discard(&writer);
    free_output(&s);
    assert_int_equal(files(1), 1);
}

int main(void)
{
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_file_appears_only_when_it_is_finished),
        HERE(a_discarded_file_leaves_nothing),
        HERE(temporaries_of_open_writers_can_be_deleted_at_once),
        HERE(a_target_that_cannot_be_is_refused_before_the_run),
        HERE(a_folder_without_permission_is_refused_before_the_run),
        HERE(a_full_disk_is_named_and_leaves_the_older_file),
        HERE(a_disk_that_takes_more_refuses_nothing),
        HERE(a_copy_that_cannot_be_made_leaves_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
