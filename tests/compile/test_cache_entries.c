/* What is loaded from the cache of compiled kernels is what this user stored there. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "tests/support/entries.h"
#include "tests/support/probe.h"

static void change_byte(const char *path, long at)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    const int byte = getc(f);
    assert_int_equal(fseek(f, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    putc(byte ^ 1, f);
    assert_int_equal(fclose(f), 0);
}

static void an_entry_that_is_not_as_it_was_written_is_not_opened(void **state)
{
    (void)state;
    enum { SIZE = 1000 };
    static const long at[] = {0, 1, SIZE / 2, SIZE - 1, -1, -2, -40, -70, -75};
    char path[PATH_LENGTH], other[PATH_LENGTH];
    int found;
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        assert_fine(publish('a', 'x', SIZE));
        assert_true(is_sound('a'));
        assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
        change_byte(path, at[k]);
        if (is_sound('a'))
            fail_msg("byte %ld is another, and the entry is opened", at[k]);
    }
    assert_fine(publish('a', 'x', SIZE));
    assert_int_equal(truncate(path, SIZE), 0);
    assert_false(is_sound('a'));
    assert_fine(publish('a', 'x', SIZE));
    assert_fine(publish('b', 'y', SIZE));
    assert_fine(cache_lookup(key_of('b'), ".so", other, &found));
    assert_int_equal(rename(other, path), 0); /* whole, but of another kernel */
    assert_false(is_sound('a'));
    assert_false(is_sound('c')); /* no object at all */
}

static void an_entry_that_another_user_could_write_is_not_opened(void **state)
{
    (void)state;
    static const mode_t modes[] = {0720, 0702, 0777};
    char path[PATH_LENGTH], link[PATH_LENGTH];
    int found;
    const mode_t before = umask(0);
    assert_fine(publish('a', 'x', 10));
    umask(before);
    assert_true(is_sound('a')); /* whatever the umask is */
    assert_fine(cache_lookup(key_of('a'), ".so", path, &found));
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        assert_fine(publish('a', 'x', 10));
        assert_int_equal(chmod(path, modes[k]), 0);
        assert_false(is_sound('a'));
    }
    assert_fine(publish('a', 'x', 10));
    scratch_path(link, "elsewhere");
    assert_int_equal(rename(path, link), 0);
    assert_int_equal(symlink(link, path), 0);
    assert_false(is_sound('a'));
    if (geteuid() != 0) {
        print_message("only root can give a file away\n");
        return;
    }
    assert_fine(publish('a', 'x', 10));
    assert_int_equal(chown(path, 12345, 12345), 0);
    assert_false(is_sound('a'));
}

/* SHOAL_TEST_DAMAGE: how many kernels are damaged. */
static void a_damaged_kernel_is_compiled_again_and_never_loaded(void **state)
{
    const char *wanted = getenv("SHOAL_TEST_DAMAGE");
    const int times = wanted ? (int)strtol(wanted, NULL, 10) : 20;
    struct recipe r = recipe_of(F32, 0);
    char path[PATH_LENGTH];
    unsigned seed = 7;
    (void)state;
    for (int k = 0; k < times; k++) {
        struct device *d = opened(&backend_cpu, "native", 0);
        struct stat s;
        fine(backend_cpu.compile(d, &r, path));
        assert_int_equal(stat(path, &s), 0);
        FILE *f = fopen(path, "r+b");
        assert_non_null(f);
        assert_int_equal(fseek(f, (long)(xorshift(&seed) % (unsigned)s.st_size), SEEK_SET), 0);
        const int byte = getc(f);
        assert_int_equal(fseek(f, -1, SEEK_CUR), 0);
        putc(byte ^ (1 << xorshift(&seed) % 8), f);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(opened_entry(path), -1);
        fine(run_probe(&backend_cpu, d, &r));
        const int fd = opened_entry(path);
        assert_true(fd >= 0);
        close(fd);
        backend_cpu.close(d);
    }
}

/* With a valid checksum, but of something that cannot be run. */
static void an_object_without_the_expected_symbols_is_compiled_again(void **state)
{
    struct device *d = opened(&backend_cpu, "native", 0);
    struct recipe r = recipe_of(F32, 0);
    char path[PATH_LENGTH], temporary[PATH_LENGTH], command[2 * PATH_LENGTH];
    (void)state;
    fine(backend_cpu.compile(d, &r, path));
    fine(cache_temporary(path, temporary));
    snprintf(command, sizeof command, "echo 'int other;' | gcc -shared -fPIC -x c - -o '%s'",
             temporary);
    assert_int_equal(system(command), 0);
    fine(cache_publish(temporary, path));
    const int fd = opened_entry(path);
    assert_true(fd >= 0);
    close(fd);
    fine(run_probe(&backend_cpu, d, &r));
    backend_cpu.close(d);
}

/* Both are opened with descriptors of the same number. */
static void two_kernels_that_are_loaded_at_once_are_two(void **state)
{
    struct device *d = opened(&backend_cpu, "native", 0);
    struct recipe r = recipe_of(F32, 0);
    struct loaded *first = NULL;
    char path[PATH_LENGTH];
    (void)state;
    scratch_write("kernels/probe.cu", "w", PROBE(DOUBLING("REAL(3)")));
    fine(backend_cpu.compile(d, &r, path));
    fine(backend_cpu.load(d, &r, path, &first));
    scratch_write("kernels/probe.cu", "w", PROBE(DOUBLING("REAL(2)")));
    fine(run_probe(&backend_cpu, d, &r));
    backend_cpu.unload(d, first);
    backend_cpu.close(d);
}

int main(void)
{
#define IN(build, test) cmocka_unit_test_setup_teardown(test, build, scratch_remove)
    const struct CMUnitTest tests[] = {
        IN(make_home, a_damaged_kernel_is_compiled_again_and_never_loaded),
        IN(make_home, an_object_without_the_expected_symbols_is_compiled_again),
        IN(make_home, two_kernels_that_are_loaded_at_once_are_two),
        /* From here on the installation has no kernels. */
        IN(build_home, an_entry_that_is_not_as_it_was_written_is_not_opened),
        IN(build_home, an_entry_that_another_user_could_write_is_not_opened),
    };
    return cmocka_run_group_tests_name("cache_entries", tests, NULL, NULL);
}
