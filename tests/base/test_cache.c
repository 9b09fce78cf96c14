/* Where files are found, and how the cache stores what is compiled. */
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/entries.h"

enum { HOUR = 3600 };

static void age(const char *path, long seconds)
{
    struct timespec then[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
}

static void age_entry(char digit, long seconds)
{
    char path[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of(digit), ".so", path, &found));
    assert_true(found);
    age(path, seconds);
}

static void a_home_without_kernels_is_an_error_that_explains_SHOAL_HOME(void **state)
{
    (void)state;
    const char *found;
    setenv("SHOAL_HOME", "/proc", 1);
    assert_int_equal(paths_home(&found), ERR_INPUT);
    assert_non_null(strstr(err_message(), "SHOAL_HOME names the folder"));
}

static void without_SHOAL_HOME_the_program_finds_its_own_tree(void **state)
{
    (void)state;
    const char *found;
    char path[PATH_LENGTH];
    unsetenv("SHOAL_HOME");
    assert_int_equal(paths_home(&found), ERR_OK);
    assert_string_not_equal(found, scratch);
    assert_int_equal(paths_file("kernels/tile.h", path), ERR_OK);
    assert_int_equal(access(path, R_OK), 0);
}
static void the_cache_lies_in_the_tree_and_is_private(void **state)
{
    (void)state;
    const char *cache;
    char path[PATH_LENGTH];
    struct stat s;
    assert_fine(paths_cache(&cache));
    scratch_path(path, "build/cache");
    assert_string_equal(cache, path);
    assert_int_equal(stat(cache, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
}

static void SHOAL_CACHE_moves_the_cache_and_its_parents_are_made(void **state)
{
    (void)state;
    const char *cache;
    char path[PATH_LENGTH];
    scratch_path(path, "a/b/c/");
    setenv("SHOAL_CACHE", path, 1);
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, path);
    assert_int_equal(access(path, W_OK), 0);
    unsetenv("SHOAL_CACHE");
    assert_fine(paths_cache(&cache));
    assert_string_not_equal(cache, path);
}

static void a_name_that_is_too_long_for_a_folder_is_an_error(void **state)
{
    static char name[2 * PATH_LENGTH];
    const char *cache;
    (void)state;
    memset(name, '/', sizeof name - 1);
    setenv("SHOAL_CACHE", name, 1);
    assert_int_equal(paths_cache(&cache), ERR_INPUT);
    unsetenv("SHOAL_CACHE");
}

static void a_folder_that_cannot_be_made_is_an_error(void **state)
{
    const char *cache;
    char path[PATH_LENGTH];
    (void)state;
    scratch_write("plain", "w", "a file where the folder would be");
    scratch_path(path, "plain/cache");
    setenv("SHOAL_CACHE", path, 1);
    assert_int_equal(paths_cache(&cache), ERR_INPUT);
    assert_non_null(strstr(err_message(), "it cannot be created (Not a directory)"));
    unsetenv("SHOAL_CACHE");
}

static void a_tree_that_cannot_be_written_has_its_cache_with_the_user(void **state)
{
    (void)state;
    const char *cache;
    char path[PATH_LENGTH];
    scratch_write("build", "w", "a file where the folder would be");
    setenv("XDG_CACHE_HOME", scratch, 1);
    scratch_path(path, "shoal");
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, path);
    unsetenv("XDG_CACHE_HOME");
    const char *old = getenv("HOME");
    char *kept = old ? strdup(old) : NULL;
    setenv("HOME", scratch, 1);
    scratch_path(path, ".cache/shoal");
    enum err e = paths_cache(&cache);
    if (kept)
        setenv("HOME", kept, 1);
    else
        unsetenv("HOME");
    free(kept);
    assert_fine(e);
    assert_string_equal(cache, path);
}

static void a_cache_that_others_can_write_to_is_refused(void **state)
{
    (void)state;
    static const mode_t modes[] = {0720, 0702, 0777, 01777};
    const char *cache;
    char path[PATH_LENGTH];
    scratch_folder("mine");
    scratch_path(path, "mine");
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        assert_int_equal(chmod(path, modes[k]), 0);
        setenv("SHOAL_CACHE", path, 1);
        assert_int_equal(paths_cache(&cache), ERR_INPUT);
        assert_non_null(strstr(err_message(), path));
        assert_non_null(strstr(err_message(), "chmod go-w"));
    }
    assert_int_equal(chmod(path, 0755), 0);
    assert_fine(paths_cache(&cache));
}

static void the_cache_of_another_user_is_refused(void **state)
{
    (void)state;
    const char *cache;
    char path[PATH_LENGTH];
    if (geteuid() != 0) {
        print_message("only root can give a folder away\n");
        skip();
    }
    scratch_folder("theirs");
    scratch_path(path, "theirs");
    assert_int_equal(chown(path, 12345, 12345), 0);
    setenv("SHOAL_CACHE", path, 1);
    assert_int_equal(paths_cache(&cache), ERR_INPUT);
    assert_non_null(strstr(err_message(), "another user"));
}

/* If the folder is reached through a folder that others own, they could replace it. */
static void a_cache_that_others_could_replace_gives_way_to_a_private_one(void **state)
{
    (void)state;
    const char *cache;
    char holder[PATH_LENGTH], path[PATH_LENGTH], private[PATH_LENGTH];
    scratch_folder("holder");
    scratch_path(holder, "holder");
    scratch_path(path, "holder/cache");
    scratch_path(private, "xdg/shoal");
    setenv("SHOAL_CACHE", path, 1);
    scratch_path(path, "xdg");
    setenv("XDG_CACHE_HOME", path, 1);
    scratch_path(path, "holder/cache");
    assert_int_equal(chmod(holder, 0777), 0);
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, private);
    assert_int_equal(chmod(holder, 0720), 0);
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, private);
    assert_int_equal(chmod(holder, 01777), 0); /* as /tmp is */
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, path);
    assert_int_equal(chmod(holder, 0755), 0);
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, path);
    if (geteuid() == 0) {
        assert_int_equal(chown(holder, 12345, 12345), 0);
        assert_fine(paths_cache(&cache));
        assert_string_equal(cache, private);
    }
    assert_int_equal(chmod(holder, 0777), 0);
    setenv("XDG_CACHE_HOME", holder, 1); /* no better */
    snprintf(private, sizeof private, "/tmp/shoal-cache-%ld", (long)geteuid());
    assert_fine(paths_cache(&cache));
    assert_string_equal(cache, private);
}

static void what_was_published_is_found(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    int found = 1;
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_false(found);
    assert_fine(publish('a', 'x', 10));
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_true(found);
    assert_fine(cache_lookup(key_of('a'), ".cubin", path, &found));
    assert_false(found);
}

static void temporaries_lie_beside_the_entry_and_differ(void **state)
{
    (void)state;
    char path[PATH_LENGTH], one[PATH_LENGTH], two[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_fine(cache_temporary(path, one));
    assert_fine(cache_temporary(path, two));
    assert_string_not_equal(one, two);
    assert_int_equal(strncmp(one, path, strlen(path)), 0);
    assert_null(strchr(one + strlen(path), '/'));
    char *number = strrchr(two, '-') + 1; /* a killed process may have left the next one */
    sprintf(number, "%ld.tmp", strtol(number, NULL, 10) + 1);
    assert_int_equal(close(open(two, O_CREAT | O_EXCL | O_WRONLY, 0600)), 0);
    assert_fine(cache_temporary(path, one));
    assert_string_not_equal(one, two);
    scratch_path(path, "nowhere/entry.so");
    assert_int_equal(cache_temporary(path, one), ERR_MACHINE);
    assert_non_null(strstr(err_message(), "no temporary file can be created beside it"));
}

/* Counts the files in the cache. */
static int files_in_cache(void)
{
    const char *cache;
    assert_fine(paths_cache(&cache));
    DIR *folder = opendir(cache);
    assert_non_null(folder);
    int n = 0;
    for (struct dirent *d = readdir(folder); d; d = readdir(folder))
        n += d->d_name[0] != '.';
    closedir(folder);
    return n;
}

static void two_processes_publishing_one_entry_leave_one_good_file(void **state)
{
    (void)state;
    enum { SIZE = 100000, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child[2];
        for (int k = 0; k < 2; k++) {
            child[k] = fork();
            assert_true(child[k] >= 0);
            if (child[k] == 0)
                _exit(publish('b', (char)('0' + k), SIZE) == ERR_OK ? 0 : 1);
        }
        for (int k = 0; k < 2; k++) {
            int status;
            assert_int_equal(waitpid(child[k], &status, 0), child[k]);
            assert_int_equal(status, 0);
        }
        static char content[SIZE + 1];
        char path[PATH_LENGTH];
        int found;
        assert_fine(cache_lookup(key_of('b'), ".so", path, &found));
        assert_true(found);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_int_equal(fread(content, 1, SIZE, f), SIZE);
        fclose(f);
        assert_true(is_sound('b'));
        for (int k = 1; k < SIZE; k++)
            assert_int_equal(content[k], content[0]);
        assert_int_equal(files_in_cache(), 1);
    }
}

static void an_outgrown_cache_loses_what_was_used_longest_ago(void **state)
{
    (void)state;
    for (int k = 1; k <= 4; k++) {
        const char digit = (char)('0' + k);
        assert_fine(publish(digit, 'x', 250000));
        age_entry(digit, HOUR * (10L - k));
    }
    char path[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of('1'), ".so", path, &found));
    setenv("SHOAL_CACHE_MB", "1", 1);
    assert_fine(publish('5', 'x', 100000));
    assert_true(is_there('1'));
    assert_false(is_there('2'));
    assert_false(is_there('3'));
    assert_true(is_there('4'));
    assert_true(is_there('5'));
}

/* Which is not listed for every entry that a process adds. */
static void a_cache_that_grows_by_small_entries_stays_within_its_bound(void **state)
{
    static const char digits[] = "0123456789abcdef";
    (void)state;
    setenv("SHOAL_CACHE_MB", "1", 1);
    for (int k = 0; digits[k]; k++) {
        assert_fine(publish(digits[k], 'x', 70000));
        age_entry(digits[k], HOUR * (20L - k));
    }
    assert_false(is_there('0'));
    assert_false(is_there('1'));
    assert_true(is_there('e'));
    assert_true(is_there('f'));
}

static void entries_in_use_and_files_of_others_are_never_deleted(void **state)
{
    (void)state;
    setenv("SHOAL_CACHE_MB", "0", 1);
    assert_fine(publish('1', 'x', 1000));
    scratch_write("build/cache/notes.txt", "w", "mine\n");
    char path[PATH_LENGTH], alike[PATH_LENGTH], name[PATH_LENGTH];
    scratch_path(path, "build/cache/notes.txt");
    age(path, 1000L * HOUR);
    snprintf(name, sizeof name, "build/cache/x%s.so", key_of('3') + 1); /* no digit of a key */
    scratch_write(name, "w", "mine\n");
    scratch_path(alike, name);
    age(alike, 1000L * HOUR);
    assert_fine(publish('2', 'x', 1000));
    assert_true(is_there('1'));
    assert_true(is_there('2'));
    age_entry('1', 61);
    assert_fine(publish('2', 'x', 1000));
    assert_false(is_there('1'));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(access(alike, F_OK), 0);
}

static void what_killed_compilations_left_is_removed_after_an_hour(void **state)
{
    (void)state;
    char path[PATH_LENGTH], old[PATH_LENGTH], young[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_fine(cache_temporary(path, old));
    assert_fine(cache_temporary(path, young));
    age(old, HOUR + 60);
    assert_fine(publish('b', 'x', 10));
    assert_int_not_equal(access(old, F_OK), 0);
    assert_int_equal(access(young, F_OK), 0);
}

static void a_bound_that_is_no_number_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {"-1", "many", "10x", "99999999999999999999"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("SHOAL_CACHE_MB", wrong[k], 1);
        assert_int_equal(publish('a', 'x', 10), ERR_INPUT);
        assert_non_null(strstr(err_message(), "SHOAL_CACHE_MB"));
    }
    assert_int_equal(files_in_cache(), 0);
}

static void a_file_that_cannot_be_put_in_place_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    char path[PATH_LENGTH], temporary[PATH_LENGTH];
    int found;
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    assert_fine(cache_temporary(path, temporary));
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(cache_publish(temporary, path), ERR_MACHINE);
    assert_non_null(strstr(err_message(), "SHOAL_CACHE names its folder"));
    assert_int_not_equal(access(temporary, F_OK), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_home_without_kernels_is_an_error_that_explains_SHOAL_HOME,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(without_SHOAL_HOME_the_program_finds_its_own_tree,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(the_cache_lies_in_the_tree_and_is_private, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(SHOAL_CACHE_moves_the_cache_and_its_parents_are_made,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_name_that_is_too_long_for_a_folder_is_an_error,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_is_an_error, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_tree_that_cannot_be_written_has_its_cache_with_the_user,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_cache_that_others_can_write_to_is_refused, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(the_cache_of_another_user_is_refused, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(
            a_cache_that_others_could_replace_gives_way_to_a_private_one, build_home,
            scratch_remove),
        cmocka_unit_test_setup_teardown(what_was_published_is_found, build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(temporaries_lie_beside_the_entry_and_differ, build_home,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(two_processes_publishing_one_entry_leave_one_good_file,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(an_outgrown_cache_loses_what_was_used_longest_ago,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_cache_that_grows_by_small_entries_stays_within_its_bound,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(entries_in_use_and_files_of_others_are_never_deleted,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(what_killed_compilations_left_is_removed_after_an_hour,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(a_bound_that_is_no_number_is_an_error_and_leaves_nothing,
                                        build_home, scratch_remove),
        cmocka_unit_test_setup_teardown(
            a_file_that_cannot_be_put_in_place_is_an_error_and_leaves_nothing, build_home,
            scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
