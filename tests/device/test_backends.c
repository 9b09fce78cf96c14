/* What every backend promises: memory, copies in order, kernels compiled from text, clear errors. */
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/probe.h"
#include "verification/run/random.h"

static const struct backend *backend_of(void **state)
{
    return *(const struct backend *const *)*state;
}

/* The backend of a test, opened; skips where there is none. */
static struct device *device(const struct backend *b)
{
    char why[512];
    if (!b->available(0, why, sizeof why)) {
        print_message("skipped: backend %s: %s\n", b->name, why);
        skip();
    }
    return opened(b, "native", 0);
}

static void bytes_come_back_as_they_went(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    static const size_t sizes[] = {1, 3, 4095, 4096, 4097, 1000003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        struct sample random = {k + 1};
        unsigned char *out = malloc(n), *back = calloc(n, 1);
        void *p = NULL, *q = NULL;
        assert_true(out && back);
        for (size_t c = 0; c < n; c++)
            out[c] = (unsigned char)sample_between(&random, 0, 256);
        fine(b->alloc(d, n, &p));
        fine(b->upload(d, p, out, n));
        fine(b->download(d, back, p, n));
        assert_memory_equal(out, back, n);
        fine(b->download(d, back, (char *)p + n / 2, n - n / 2));
        assert_memory_equal(out + n / 2, back, n - n / 2);
        fine(b->fill(d, p, 0xa5, n / 2));
        fine(b->download(d, back, p, n));
        for (size_t c = 0; c < n; c++)
            if (back[c] != (c < n / 2 ? 0xa5 : out[c]))
                fail_msg("byte %zu of %zu is %#x after filling the first half", c, n, back[c]);
        fine(b->upload(d, p, out, n));
        fine(b->alloc(d, n, &q));
        fine(b->copy(d, q, p, n));
        fine(b->fill(d, p, 0, n));
        fine(b->download(d, back, q, n));
        assert_memory_equal(out, back, n);
        b->release(d, p);
        b->release(d, q);
        free(out);
        free(back);
    }
    b->close(d);
}

/* Byte k of a pattern that no fill writes. */
static void number_bytes(unsigned char *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(k % 251);
}

static void reserved_memory_grows_where_it_is_and_keeps_its_content(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    enum { MOST = 5 << 20 };
    static const size_t sizes[] = {4097, 4098, 1 << 20, 3000001, MOST};
    static unsigned char want[MOST], have[MOST];
    void *p = NULL, *other = NULL;
    fine(b->reserve(d, 1000, MOST, &p));
    fine(b->reserve(d, MOST, MOST, &other));
    if (!p) {
        print_message("skipped: %s reserves no memory here\n", b->name);
        b->close(d);
        skip();
    }
    number_bytes(want, 1000);
    fine(b->upload(d, p, want, 1000));
    size_t before = 1000;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        fine(b->grow(d, p, sizes[k]));
        fine(b->download(d, have, p, before));
        assert_memory_equal(have, want, before);
        number_bytes(want, sizes[k]);
        fine(b->upload(d, p, want, sizes[k]));
        before = sizes[k];
    }
    expect_error(ERR_MACHINE, b->grow(d, p, (size_t)64 << 20), "more than were reserved");
    fine(b->fill(d, other, 0x5c, MOST));
    fine(b->download(d, have, p, MOST));
    assert_memory_equal(have, want, MOST);
    b->release(d, p);
    b->release(d, other);
    b->close(d);
}

static void copies_under_way_arrive_in_order(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    enum { UNDER_WAY = 4, NUMBERS = 512 };
    static long numbers[NUMBERS], back[NUMBERS];
    void *p = NULL;
    fine(b->alloc(d, sizeof numbers, &p));
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < UNDER_WAY; k++) {
            for (int n = 0; n < NUMBERS; n++)
                numbers[n] = 1000 * k + n + round;
            fine(b->upload(d, p, numbers, sizeof numbers));
            fine(b->peek(d, p, sizeof numbers));
        }
        fine(b->fill(d, p, 0, sizeof numbers));
        for (int k = 0; k < UNDER_WAY; k++) {
            fine(b->wait(d, back, sizeof back));
            for (int n = 0; n < NUMBERS; n++)
                if (back[n] != 1000 * k + n + round)
                    fail_msg("number %d of copy %d is %ld", n, k, back[n]);
        }
    }
    expect_error(ERR_MACHINE, b->wait(d, back, sizeof back), "no pending copy");
    fine(b->sync(d));
    b->release(d, p);
    b->close(d);
}

static void nothing_is_released_without_harm(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    b->release(d, NULL);
    b->unload(d, NULL);
    b->close(d);
    b->close(NULL);
}

static long resident_pages(void)
{
    char line[128], *second;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    strtol(line, &second, 10);
    return strtol(second, NULL, 10);
}

static int open_files(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

/* Memory is uploaded and a kernel loaded each time: 50 leaks of either would show. */
static void opening_and_closing_leaves_nothing_behind(void **state)
{
    const struct backend *b = backend_of(state);
    b->close(device(b));
    struct recipe r = recipe_of(F32, 0);
    char path[PATH_LENGTH];
    long pages = 0;
    int files = 0;
    static char megabyte[1 << 20];
    for (int k = 0; k < 55; k++) {
        if (k == 5) { /* what is created only once exists now */
            pages = resident_pages();
            files = open_files();
        }
        struct device *d = opened(b, "native", 0);
        struct loaded *kernel = NULL;
        void *p = NULL;
        fine(b->compile(d, &r, path));
        fine(b->load(d, &r, path, &kernel));
        fine(b->alloc(d, sizeof megabyte, &p));
        fine(b->upload(d, p, megabyte, sizeof megabyte));
        b->release(d, p);
        b->unload(d, kernel);
        b->close(d);
    }
    long grown = (resident_pages() - pages) * sysconf(_SC_PAGESIZE);
#ifdef __SANITIZE_ADDRESS__ /* keeps freed memory; it finds leaks itself */
    grown = 0;
#endif
    if (grown > 20 << 20)
        fail_msg("%ld bytes more after opening and closing 50 times", grown);
    assert_int_equal(open_files(), files);
}

static void a_kernel_text_runs_in_both_precisions(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    for (int p = 0; p < PRECISIONS; p++) {
        struct recipe r = recipe_of((enum precision)p, 0);
        fine(run_probe(b, d, &r));
    }
    b->close(d);
}

static void a_broken_kernel_is_an_error_that_names_the_line(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    struct recipe r = recipe_of(F32, 0);
    scratch_write("kernels/probe.cu", "w", PROBE("    a.to[0] = nonsense;"));
    expect_error(ERR_KERNEL, run_probe(b, d, &r), "nonsense");
    if (!strstr(err_message(), "probe.cu:7") && !strstr(err_message(), "probe.cu(7)"))
        fail_msg("file and line 7 are not in the message '%s'", err_message());
    scratch_write("kernels/probe.cu", "w", PROBE(DOUBLING("REAL(2)")));
    fine(run_probe(b, d, &r)); /* corrected, without restarting */
    b->close(d);
}

/* As after a power failure or on a full disk: the name exists, but not all of the content. */
static void a_file_in_the_cache_that_was_cut_off_is_compiled_again(void **state)
{
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    struct recipe r = recipe_of(F32, 0);
    char path[PATH_LENGTH];
    struct stat s;
    for (int k = 0; k <= 4; k++) {
        fine(b->compile(d, &r, path));
        assert_int_equal(stat(path, &s), 0);
        assert_int_equal(truncate(path, k < 4 ? s.st_size * k / 4 : s.st_size - 1), 0);
        fine(run_probe(b, d, &r));
    }
    b->close(d);
}

/* The folders of the installation and of its cache, which compilers are given. */
static void nothing_in_the_names_of_folders_is_a_command(void **state)
{
    static const char odd[] = "it's `touch HACK1` $(touch HACK2);touch HACK3 \"-o x";
    const struct backend *b = backend_of(state);
    struct device *d = device(b);
    struct recipe r = recipe_of(F32, 0);
    char from[PATH_LENGTH], to[PATH_LENGTH], name[64];
    scratch_folder(odd);
    scratch_path(from, "kernels");
    snprintf(to, sizeof to, "%s/%s/kernels", scratch, odd);
    assert_int_equal(symlink(from, to), 0);
    scratch_path(to, odd);
    assert_int_equal(setenv("SHOAL_HOME", to, 1), 0);
    fine(b->compile(d, &r, from));
    assert_int_equal(strncmp(from, to, strlen(to)), 0);
    fine(run_probe(b, d, &r));
    b->close(d);
    for (int k = 1; k <= 3; k++) {
        snprintf(name, sizeof name, "HACK%d", k);
        if (unlink(name) == 0)
            fail_msg("a command was run: %s", name);
    }
}

/* Two programs start at once and find the cache empty. */
static void two_processes_may_fill_one_cache_at_once(void **state)
{
    const struct backend *b = backend_of(state);
    enum { PROCESSES = 2 };
    b->close(device(b));
    pid_t pid[PROCESSES];
    char program[] = "/proc/self/exe", name[16];
    snprintf(name, sizeof name, "%s", b->name);
    char *argv[] = {program, name, NULL};
    for (int k = 0; k < PROCESSES; k++)
        assert_int_equal(posix_spawn(&pid[k], program, NULL, NULL, argv, environ), 0);
    for (int k = 0; k < PROCESSES; k++) {
        int status = 0;
        while (waitpid(pid[k], &status, 0) < 0)
            assert_int_equal(errno, EINTR);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    char cache[PATH_LENGTH];
    scratch_path(cache, "build/cache");
    int entries = 0;
    DIR *folder = opendir(cache);
    assert_non_null(folder);
    for (struct dirent *f; (f = readdir(folder));)
        entries += strstr(f->d_name, ".so") || strstr(f->d_name, ".cubin");
    closedir(folder);
    assert_int_equal(entries, 1);
}

/* The job of such a program: build/tests/test_backends BACKEND. */
static int run_as_child(const char *name)
{
    for (int k = 0; k < BACKENDS; k++) {
        struct device *d = NULL;
        struct device_options o = {.threads = 1, .march = "native"};
        struct recipe r = recipe_of(F32, 0);
        if (strcmp(backends[k]->name, name) != 0)
            continue;
        enum err e = backends[k]->open(&d, &o);
        if (!e)
            e = run_probe(backends[k], d, &r);
        backends[k]->close(d);
        if (e)
            fprintf(stderr, "%s\n", err_message());
        return e != ERR_OK;
    }
    return 1;
}

static const struct {
    const char *name;
    CMUnitTestFunction test;
} contract[] = {
#define SENTENCE(test) #test, test
    {SENTENCE(bytes_come_back_as_they_went)},
    {SENTENCE(reserved_memory_grows_where_it_is_and_keeps_its_content)},
    {SENTENCE(copies_under_way_arrive_in_order)},
    {SENTENCE(nothing_is_released_without_harm)},
    {SENTENCE(opening_and_closing_leaves_nothing_behind)},
    {SENTENCE(a_kernel_text_runs_in_both_precisions)},
    {SENTENCE(a_broken_kernel_is_an_error_that_names_the_line)},
    {SENTENCE(a_file_in_the_cache_that_was_cut_off_is_compiled_again)},
    {SENTENCE(nothing_in_the_names_of_folders_is_a_command)},
    {SENTENCE(two_processes_may_fill_one_cache_at_once)},
};

int main(int argc, char **argv)
{
    enum { EACH = sizeof contract / sizeof *contract };
    static char names[BACKENDS][EACH][128];
    static const struct backend *of[BACKENDS];
    struct CMUnitTest tests[BACKENDS * EACH];
    if (argc > 1)
        return run_as_child(argv[1]);
    for (int b = 0; b < BACKENDS; b++)
        for (int k = 0; k < EACH; k++) {
            of[b] = backends[b];
            snprintf(names[b][k], sizeof names[b][k], "%s_on_%s", contract[k].name,
                     backends[b]->name);
            tests[b * EACH + k] = (struct CMUnitTest){names[b][k], contract[k].test, make_home,
                                                      scratch_remove, &of[b]};
        }
    return cmocka_run_group_tests_name("backends", tests, NULL, NULL);
}
