/* Who may own the cache of compiled kernels, what its limits are, and the messages about it. */
#include "tests/support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/output_file.h"
#include "tests/support/entries.h"

enum { HOUR = 3600, STRANGER = 54321 };

static void assert_says(enum err e, const char *part)
{
    if (e != ERR_INPUT || !strstr(err_message(), part))
        fail_msg("error %d, and '%s' is not in '%s'", e, part, e ? err_message() : "");
}

/* A folder's name of this length: several slashes count as one. */
static void lengthen(char *path, size_t length)
{
    const size_t n = strlen(path);
    assert_true(n < length);
    memset(path + n, '/', length - n);
    path[length] = '\0';
}

static void only_the_folders_of_a_path_are_made(void **state)
{
    (void)state;
    char before[PATH_LENGTH];
    const char *cache;
    int n = 0;
    assert_non_null(getcwd(before, sizeof before));
    scratch_folder("place");
    char path[PATH_LENGTH];
    scratch_path(path, "place");
    assert_int_equal(chdir(path), 0);
    setenv("SHOAL_CACHE", "c/deep/er", 1);
    assert_fine(paths_cache(&cache));
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder))
        n++;
    closedir(folder);
    assert_int_equal(n, 3); /* c, . and .. */
    assert_int_equal(access("c/deep/er", W_OK), 0);
    assert_int_equal(chdir(before), 0);
}

static void paths_may_be_so_long_and_no_longer(void **state)
{
    (void)state;
    static char folder[2 * PATH_LENGTH];
    char path[PATH_LENGTH];
    const char *cache;
    int found;
    const size_t name = strlen("/") + KEY_LENGTH + strlen(".so");
    scratch_path(folder, "cache");
    lengthen(folder, PATH_LENGTH - name - 1);
    setenv("SHOAL_CACHE", folder, 1);
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    lengthen(folder, PATH_LENGTH - name);
    setenv("SHOAL_CACHE", folder, 1);
    assert_says(cache_lookup(key_of('a'), ".so", path, &found),
                "the path is too long for the cache");
    lengthen(folder, PATH_LENGTH);
    setenv("SHOAL_CACHE", folder, 1);
    assert_says(paths_cache(&cache), "SHOAL_CACHE: a path may have at most 4095 characters");
    unsetenv("SHOAL_CACHE");
    scratch_write("build", "w", "a file where the folder would be");
    scratch_path(folder, "xdg");
    lengthen(folder, PATH_LENGTH - strlen("/shoal"));
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_says(paths_cache(&cache), "a path may have at most 4095 characters");
    unsetenv("XDG_CACHE_HOME");
}

static void a_temporary_has_its_whole_name_or_none(void **state)
{
    (void)state;
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    int made = 0, refused = 0;
    scratch_path(path, "");
    for (size_t n = PATH_LENGTH - 40; n < PATH_LENGTH - 1; n++) {
        lengthen(path, n);
        path[n - 1] = 'e';
        if (cache_temporary(path, temporary)) {
            assert_says(ERR_INPUT, "the path is too long; set SHOAL_CACHE to a shorter one");
            refused++;
        } else {
            assert_string_equal(temporary + strlen(temporary) - 4, ".tmp");
            cache_discard(temporary);
            made++;
        }
        path[n - 1] = '/';
    }
    assert_true(made > 0 && refused > 0);
}

static void a_file_in_the_cache_s_place_is_named_as_one(void **state)
{
    (void)state;
    const char *cache;
    char path[PATH_LENGTH];
    scratch_write("plain", "w", "");
    scratch_path(path, "plain");
    setenv("SHOAL_CACHE", path, 1);
    assert_says(paths_cache(&cache), "it is not a folder");
}

static void a_cache_that_cannot_be_written_says_what_it_is(void **state)
{
    (void)state;
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    scratch_path(path, "nowhere/entry.so");
    assert_int_equal(cache_temporary(path, temporary), ERR_MACHINE);
    assert_non_null(strstr(err_message(), "SHOAL_CACHE names its folder"));
}

/* A folder that the other user owns. */
static char own[PATH_LENGTH];

/* Runs `what` as another user, in its own process, on a folder of that user; captures its output. */
static void as_a_stranger(int (*what)(void))
{
    int status;
    if (geteuid() != 0) {
        print_message("skipped: only root can be somebody else\n");
        skip();
    }
    assert_int_equal(chmod(scratch, 0755), 0);
    scratch_folder("own");
    scratch_path(own, "own");
    assert_int_equal(chown(own, STRANGER, STRANGER), 0);
    setenv("SHOAL_CACHE", own, 1);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(setresuid(STRANGER, STRANGER, STRANGER) != 0 ? 99 : what());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static int use_own_folder(void)
{
    const char *cache;
    return paths_cache(&cache) != ERR_OK;
}

static int use_a_locked_folder(void)
{
    const char *cache;
    return chmod(own, 0500) != 0 || paths_cache(&cache) != ERR_INPUT ||
           !strstr(err_message(), "it is not writable (Permission denied)");
}

/* Neither the given folder nor the one in the home can be used: only one that others can write to is left. */
static int use_an_exposed_folder(void)
{
    const char *cache;
    char last[64], holder[PATH_LENGTH];
    snprintf(last, sizeof last, "/tmp/shoal-cache-%d", STRANGER);
    snprintf(holder, sizeof holder, "%s", own);
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    if (mkdir(last, 0700) != 0 || chmod(last, 0777) != 0 || chmod(holder, 0777) != 0)
        return 2;
    lengthen(holder, strlen(holder) + 1);
    strcat(holder, "cache");
    setenv("SHOAL_CACHE", holder, 1);
    const enum err e = paths_cache(&cache);
    rmdir(last);
    return e != ERR_INPUT || !strstr(err_message(), "chmod go-w");
}

/* Everybody can read what root wrote, and may trust it like their own files. */
static int open_root_s_entry(void)
{
    char path[PATH_LENGTH];
    int fd;
    scratch_path(path, "entry");
    return cache_open(path, &fd) != ERR_OK || fd < 0;
}

static void one_s_own_folder_is_used(void **state)
{
    (void)state;
    as_a_stranger(use_own_folder);
}

static void a_folder_that_is_locked_is_refused_with_the_reason(void **state)
{
    (void)state;
    as_a_stranger(use_a_locked_folder);
}

static void the_last_resort_is_refused_too_where_others_can_write_to_it(void **state)
{
    (void)state;
    as_a_stranger(use_an_exposed_folder);
}

static void an_entry_of_root_s_is_opened_by_others(void **state)
{
    (void)state;
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    scratch_path(path, "entry");
    assert_fine(cache_temporary(path, temporary));
    assert_fine(cache_publish(temporary, path));
    assert_int_equal(chmod(path, 0644), 0);
    as_a_stranger(open_root_s_entry);
}

/* What is logged when the cache is asked for three times. */
static void log_of(char text[1024])
{
    char path[PATH_LENGTH];
    int status;
    scratch_path(path, "log");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const char *cache;
        log_quiet(0);
        int bad = !freopen(path, "w", stderr);
        for (int k = 0; k < 3 && !bad; k++)
            bad = paths_cache(&cache) != ERR_OK;
        _exit(bad || fflush(stderr));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, 1023, f)] = '\0';
    fclose(f);
}

static void it_is_said_once_why_a_private_cache_is_used(void **state)
{
    (void)state;
    char holder[PATH_LENGTH], path[PATH_LENGTH], private[PATH_LENGTH], want[4 * PATH_LENGTH],
        text[1024];
    scratch_folder("holder");
    scratch_path(holder, "holder");
    scratch_path(path, "holder/cache");
    scratch_path(private, "xdg");
    setenv("SHOAL_CACHE", path, 1);
    setenv("XDG_CACHE_HOME", private, 1);
    assert_int_equal(chmod(holder, 0777), 0);
    log_of(text);
    snprintf(
        want, sizeof want,
        "compiled kernels are kept in %s/shoal, not in %s: others can write to %s (mode 777)\n",
        private, path, holder);
    const char *said = strstr(text, want);
    if (!said || strstr(said + 1, "compiled kernels"))
        fail_msg("'%s' is not once in '%s'", want, text);
    if (geteuid() == 0) {
        assert_int_equal(chown(holder, STRANGER, STRANGER), 0);
        log_of(text);
        snprintf(want, sizeof want, "%s belongs to another user (uid %d)\n", holder, STRANGER);
        if (!strstr(text, want))
            fail_msg("'%s' is not in '%s'", want, text);
    }
    unsetenv("XDG_CACHE_HOME");
}

/* An empty file that counts with this size. */
static void put_entry(char digit, off_t size, long age)
{
    char path[PATH_LENGTH];
    int found;
    const struct timespec then = {.tv_sec = time(NULL) - age}, both[2] = {then, then};
    assert_fine(cache_lookup(key_of(digit), ".so", path, &found));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(ftruncate(fileno(f), size), 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, both, 0), 0);
}

static void the_cache_has_512_MB_and_is_pruned_to_four_fifths(void **state)
{
    (void)state;
    put_entry('1', 512000000, HOUR);
    assert_fine(publish('2', 'x', 10));
    assert_false(is_there('1'));
    setenv("SHOAL_CACHE_MB", "1", 1);
    put_entry('3', 195000, 3L * HOUR);
    put_entry('4', 1000, 2L * HOUR);
    put_entry('5', 804000, HOUR);
    assert_fine(publish('6', 'x', 1000));
    assert_false(is_there('3'));
    assert_false(is_there('4'));
    assert_false(is_there('5'));
    put_entry('3', 210000, 3L * HOUR);
    put_entry('4', 1000, 2L * HOUR);
    put_entry('5', 790000, HOUR);
    assert_fine(publish('6', 'x', 1000));
    assert_false(is_there('3'));
    assert_true(is_there('4'));
    assert_true(is_there('5'));
}

static void a_bound_is_a_decimal_number_up_to_a_petabyte(void **state)
{
    (void)state;
    setenv("SHOAL_CACHE_MB", "1a", 1);
    assert_int_equal(publish('a', 'x', 10), ERR_INPUT);
    setenv("SHOAL_CACHE_MB", "1073741825", 1);
    assert_int_equal(publish('a', 'x', 10), ERR_INPUT);
    setenv("SHOAL_CACHE_MB", "1073741824", 1);
    assert_fine(publish('a', 'x', 10));
}

/* More folders, one after another, than are remembered at a time. */
static void what_was_discarded_or_published_leaves_room_for_the_next(void **state)
{
    (void)state;
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    int found, status;
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    for (int k = 0; k < 100; k++) {
        assert_fine(cache_temporary(path, temporary));
        cache_discard(temporary);
        assert_fine(publish('b', 'x', 10));
    }
    assert_fine(cache_temporary(path, temporary));
    const pid_t child = fork();
    if (child == 0) {
        outfile_delete_temporaries();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_not_equal(access(temporary, F_OK), 0);
    cache_discard(temporary);
}

static void without_descriptors_an_entry_stays_and_it_is_an_error(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct rlimit before, none;
    int fd, found;
    assert_fine(publish('a', 'x', 10));
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const enum err e = cache_open(path, &fd);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(e, ERR_MACHINE);
    assert_true(is_sound('a'));
}

static void another_entry_s_name_differs_in_its_first_letter_too(void **state)
{
    (void)state;
    char path[PATH_LENGTH], other[PATH_LENGTH];
    int found;
    assert_fine(publish('a', 'x', 10));
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    snprintf(other, sizeof other, "%s", path);
    strrchr(other, '/')[1] = 'b';
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(opened_entry(other), -1);
}

int main(void)
{
#define HERE(test) cmocka_unit_test_setup_teardown(test, build_home, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(only_the_folders_of_a_path_are_made),
        HERE(paths_may_be_so_long_and_no_longer),
        HERE(a_temporary_has_its_whole_name_or_none),
        HERE(a_file_in_the_cache_s_place_is_named_as_one),
        HERE(a_cache_that_cannot_be_written_says_what_it_is),
        HERE(one_s_own_folder_is_used),
        HERE(a_folder_that_is_locked_is_refused_with_the_reason),
        HERE(the_last_resort_is_refused_too_where_others_can_write_to_it),
        HERE(an_entry_of_root_s_is_opened_by_others),
        HERE(it_is_said_once_why_a_private_cache_is_used),
        HERE(the_cache_has_512_MB_and_is_pruned_to_four_fifths),
        HERE(a_bound_is_a_decimal_number_up_to_a_petabyte),
        HERE(what_was_discarded_or_published_leaves_room_for_the_next),
        HERE(without_descriptors_an_entry_stays_and_it_is_an_error),
        HERE(another_entry_s_name_differs_in_its_first_letter_too),
    };
    return cmocka_run_group_tests_name("cache folder", tests, NULL, NULL);
}
