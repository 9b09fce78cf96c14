/* Incomplete output files are deleted when the process ends, and no others. */
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/input_files.h"
#include "core/base/output_file.h"
#include "tests/support/scratch.h"

/* More than are remembered at a time. */
enum { MANY = 200 };

/* Ends as by a signal, in its own process. */
static void end_a_process(void)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        outfile_delete_temporaries();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void make(const char *name, char path[PATH_LENGTH])
{
    scratch_path(path, name);
    const int fd = outfile_make(path, 0600);
    assert_true(fd >= 0);
    close(fd);
}

/* Comes first: also checks the first file that the process remembers. */
static void what_is_forgotten_stays(void **state)
{
    (void)state;
    char first[PATH_LENGTH], second[PATH_LENGTH];
    make("first", first);
    make("second", second);
    outfile_forget(first);
    outfile_forget(second);
    end_a_process();
    assert_true(scratch_has("first") && scratch_has("second"));
}

static void what_is_in_a_folder_goes_and_then_the_folder(void **state)
{
    (void)state;
    char folder[PATH_LENGTH], file[PATH_LENGTH], alone[PATH_LENGTH];
    scratch_folder("one");
    scratch_path(folder, "one");
    outfile_remember(folder);
    make("one/file", file);
    make("alone", alone);
    end_a_process();
    assert_false(scratch_has("one"));
    assert_false(scratch_has("alone"));
    outfile_forget(folder);
    outfile_forget(file);
    outfile_forget(alone);
}

static void what_could_not_be_made_takes_no_room(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    scratch_path(path, "nowhere/file");
    for (int k = 0; k < MANY; k++) {
        errno = 0;
        assert_int_equal(outfile_make(path, 0600), -1);
        assert_int_equal(errno, ENOENT);
    }
    make("file", path);
    end_a_process();
    assert_false(scratch_has("file"));
    outfile_forget(path);
}

/* The thread that would create it waits for the process to end: here the timer ends it. */
static void nothing_is_made_once_the_process_ends(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    int status;
    scratch_path(path, "late");
    const pid_t child = fork();
    if (child == 0) {
        const struct itimerval soon = {.it_value = {.tv_usec = 200000}};
        outfile_delete_temporaries();
        signal(SIGALRM, SIG_DFL);
        setitimer(ITIMER_REAL, &soon, NULL);
        (void)outfile_make(path, 0600);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    assert_false(scratch_has("late"));
}

/* Several slashes count as one. */
static void a_name_may_be_so_long_and_no_longer(void **state)
{
    (void)state;
    char name[PATH_LENGTH + 1], place[PATH_LENGTH];
    scratch_path(name, "");
    const size_t n = strlen(name);
    memset(name + n, '/', PATH_LENGTH - n);
    name[PATH_LENGTH - 1] = 'x';
    name[PATH_LENGTH] = '\0';
    if (outfile_resolve(name + 1, place))
        fail_msg("%s", err_message());
    assert_string_equal(place, name + 1);
    assert_int_equal(outfile_resolve(name, place), ERR_USAGE);
    assert_non_null(strstr(err_message(), "is too long"));
}

/* As long as a name may be, with the link's folder before it, and one character longer. */
static void so_may_the_name_be_that_a_link_leads_to(void **state)
{
    char link[2][PATH_LENGTH], name[PATH_LENGTH], to[PATH_LENGTH], place[PATH_LENGTH];
    (void)state;
    scratch_path(name, "");
    const size_t n = strlen(name), m = PATH_LENGTH / 2;
    memset(name + n, '/', m - n); /* so that the link follows this many slashes */
    memset(to, '/', sizeof to);
    memcpy(to, "./", 2);
    for (size_t k = 0; k < 2; k++) {
        snprintf(link[k], sizeof link[k], "%.*slink%zu", (int)m, name, k);
        to[PATH_LENGTH - 2 - m + k] = 'x';
        to[PATH_LENGTH - 1 - m + k] = '\0';
        assert_int_equal(symlink(to, link[k]), 0);
        to[PATH_LENGTH - 2 - m + k] = to[PATH_LENGTH - 1 - m + k] = '/';
    }
    if (outfile_resolve(link[0], place))
        fail_msg("%s", err_message());
    assert_int_equal(strlen(place), PATH_LENGTH - 1);
    assert_int_equal(outfile_resolve(link[1], place), ERR_USAGE);
    assert_non_null(strstr(err_message(), "has too long a name"));
}

static void begin(const char *name, struct outfile *f, char path[PATH_LENGTH])
{
    scratch_path(path, name);
    if (outfile_create(f, path))
        fail_msg("%s", err_message());
}

/* Such a struct may be discarded again, and holds no memory. */
static void expect_finished(const struct outfile *f)
{
    assert_null(f->path);
    assert_null(f->temporary);
}

/* The scratch folder has so many entries. */
static void expect_entries(int n)
{
    struct dirent **entry;
    const int found = scandir(scratch, &entry, NULL, NULL);
    for (int k = 0; k < found; k++)
        free(entry[k]);
    free(entry);
    assert_int_equal(found - 2, n);
}

static void what_was_published_or_could_not_begin_holds_nothing(void **state)
{
    struct outfile f;
    char path[PATH_LENGTH];
    (void)state;
    begin("good", &f, path);
    assert_int_equal(outfile_publish(&f), ERR_OK);
    expect_finished(&f);
    expect_entries(1);
    scratch_path(path, "nowhere/bad");
    assert_int_equal(outfile_create(&f, path), ERR_USAGE);
    expect_finished(&f);
}

static void what_cannot_be_put_in_place_leaves_nothing(void **state)
{
    struct outfile f;
    char path[PATH_LENGTH];
    (void)state;
    begin("taken", &f, path);
    scratch_folder("taken");
    assert_int_equal(outfile_publish(&f), ERR_MACHINE);
    assert_non_null(strstr(err_message(), "cannot be moved to its place"));
    expect_finished(&f);
    expect_entries(1);
}

static void print_words(FILE *f, const void *words)
{
    fputs(words, f);
}

static void what_is_printed_is_published(void **state)
{
    char path[PATH_LENGTH];
    size_t size;
    (void)state;
    scratch_path(path, "o");
    assert_int_equal(outfile_print(path, print_words, "some words"), ERR_OK);
    char *text = scratch_read("o", &size);
    assert_string_equal(text, "some words");
    free(text);
    expect_entries(1);
    scratch_path(path, "nowhere/o");
    assert_int_equal(outfile_print(path, print_words, "some words"), ERR_USAGE);
}

/* Writes a letter to `place` instead, which takes none. */
static void lose_a_letter(const char *place, const char *mode)
{
    struct outfile f;
    char path[PATH_LENGTH];
    FILE *stream;
    scratch_path(path, "lost");
    assert_int_equal(outfile_open(&f, path, &stream), ERR_OK);
    fclose(stream);
    stream = fopen(place ? place : f.temporary, mode);
    assert_non_null(stream);
    fputc('x', stream);
    assert_int_equal(outfile_close(&f, stream), ERR_MACHINE);
    expect_finished(&f);
    expect_entries(0);
}

static void what_a_stream_has_lost_is_not_published(void **state)
{
    (void)state;
    lose_a_letter(NULL, "r");
    lose_a_letter("/dev/full", "w"); /* which only fclose() reports */
    assert_non_null(strstr(err_message(), "No space left on device"));
}

static void a_file_that_was_read_meanwhile_is_not_replaced(void **state)
{
    struct outfile f;
    char path[PATH_LENGTH];
    (void)state;
    begin("late", &f, path);
    scratch_write("late", "w", "an input");
    input_files_note(path);
    assert_int_equal(outfile_publish(&f), ERR_USAGE);
    input_files_forget();
    expect_entries(1);
}

static void what_is_not_there_cannot_reach_the_disk(void **state)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    (void)state;
    scratch_path(from, "nothing");
    scratch_path(to, "o");
    assert_int_equal(outfile_move(from, to), ERR_MACHINE);
    assert_non_null(
        strstr(err_message(), "the data do not reach the disk: No such file or directory"));
}

static const char *words_for(const char *beside, int error)
{
    assert_int_equal(outfile_cannot("o.nc", beside, error, "writing failed"), ERR_MACHINE);
    return err_message();
}

static void the_words_for_a_full_disk_say_how_much_is_free(void **state)
{
    double megabytes;
    (void)state;
    const char *full = words_for(scratch, ENOSPC);
    assert_non_null(strstr(full, "cannot write 'o.nc': No space left on device ("));
    assert_int_equal(sscanf(strchr(full, '('), "(%lf MB", &megabytes), 1);
    assert_non_null(strstr(full, " MB free): free some space"));
    assert_true(megabytes >= 0);
    assert_non_null(strstr(words_for(scratch, EDQUOT), "Disk quota exceeded ("));
    assert_non_null(
        strstr(words_for("/nowhere", ENOSPC), "No space left on device: free some space"));
    assert_non_null(strstr(words_for(scratch, EFBIG), "'ulimit -f'"));
    assert_non_null(
        strstr(words_for("/nowhere", EIO), "writing failed: Input/output error: choose another"));
    assert_non_null(strstr(words_for("/nowhere", 0), "writing failed: choose another"));
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(what_is_forgotten_stays),
        HERE(what_is_in_a_folder_goes_and_then_the_folder),
        HERE(what_could_not_be_made_takes_no_room),
        HERE(nothing_is_made_once_the_process_ends),
        HERE(a_name_may_be_so_long_and_no_longer),
        HERE(so_may_the_name_be_that_a_link_leads_to),
        HERE(what_was_published_or_could_not_begin_holds_nothing),
        HERE(what_cannot_be_put_in_place_leaves_nothing),
        HERE(what_is_printed_is_published),
        HERE(what_a_stream_has_lost_is_not_published),
        HERE(a_file_that_was_read_meanwhile_is_not_replaced),
        HERE(what_is_not_there_cannot_reach_the_disk),
        HERE(the_words_for_a_full_disk_say_how_much_is_free),
    };
    return cmocka_run_group_tests_name("output file", tests, NULL, NULL);
}
