/* Simulations that are created and destroyed leave nothing behind: no memory, no files, no device memory.
 * SHOAL_TEST_CYCLES: how many of them. */
#include "tests/support/test.h"

#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

/* The first ones fill caches and pools. */
enum { FEW = 100, WARM_UP = 20 };
#ifdef __SANITIZE_ADDRESS__ /* which keeps freed memory for a while, and finds leaks itself */
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
static const long MEBIBYTE = 1 << 20;

struct usage {
    long resident, allocated, files; /* bytes, bytes, open descriptors */
    size_t device;                   /* bytes in use */
};

static long open_files(void)
{
    long n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static struct usage usage_of(const struct device_info *d)
{
    char line[128], *second = line;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_true(f && fgets(line, sizeof line, f));
    fclose(f);
    strtol(line, &second, 10); /* what follows: resident pages */
    return (struct usage){.resident = strtol(second, NULL, 10) * sysconf(_SC_PAGESIZE),
                          .allocated = (long)mallinfo2().uordblks,
                          .files = open_files(),
                          .device = d->memory - d->memory_free};
}

/* Creates and destroys one; reports what is in use while it exists. */
static struct usage live(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    if (sim_run(sim, (double)INFINITY, NULL))
        fail_msg("%s: %s", described(c), err_message());
    const struct usage now = usage_of(sim->backend->info(sim->device));
    sim_destroy(sim);
    return now;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

/* The smallest of several cycles: random variations do not count. */
static struct usage live_some(const struct config *c, const struct scene *s)
{
    enum { SOME = 10 };
    struct usage u = live(c, s);
    for (int k = 1; k < SOME; k++) {
        const struct usage now = live(c, s);
        u = (struct usage){least(u.resident, now.resident), least(u.allocated, now.allocated),
                           least(u.files, now.files),
                           now.device < u.device ? now.device : u.device};
    }
    return u;
}

/* A leak of a buffer or of a loaded kernel each time is more than this per cycle. */
static void check_cycles(const struct config *c, long cycles)
{
    struct scene s = new_rough(70, 50);
    struct config few = *c;
    few.steps = 4;
    for (int k = 0; k < WARM_UP; k++)
        live(&few, &s);
    const struct usage before = live_some(&few, &s);
    for (long k = 0; k < cycles; k++)
        live(&few, &s);
    const struct usage after = live_some(&few, &s);
    scene_free(&s);
    const long grown = after.allocated - before.allocated;
    if (grown > 8 * cycles || after.files != before.files ||
        (strcmp(c->backend, "cuda") == 0 && after.device > before.device + (size_t)MEBIBYTE) ||
        (!SANITIZED && after.resident > before.resident + 2 * MEBIBYTE))
        fail_msg("%s: after %ld cycles: %ld bytes allocated more, %ld resident, %ld files, %ld on "
                 "the device",
                 described(c), cycles, grown, after.resident - before.resident,
                 after.files - before.files, (long)after.device - (long)before.device);
    if (getenv("SHOAL_TEST_CYCLES"))
        print_message("%s: %ld cycles: %ld bytes allocated more, %ld resident\n", described(c),
                      cycles, grown, after.resident - before.resident);
}

static void check_backend(const char *backend)
{
    const char *wanted = getenv("SHOAL_TEST_CYCLES");
    const long cycles = wanted ? strtol(wanted, NULL, 10) : FEW;
    struct config c;
    configure(&c, "rk2", F32);
    snprintf(c.backend, sizeof c.backend, "%s", backend);
    c.early_exit = EARLY_EXIT_ON;
    check_cycles(&c, cycles);
    configure(&c, "rk2_fused", F32);
    snprintf(c.backend, sizeof c.backend, "%s", backend);
    check_cycles(&c, cycles);
}

static void simulations_on_a_cpu_leave_nothing_behind(void **state)
{
    (void)state;
    check_backend("cpu");
}

static void nor_do_those_on_a_gpu(void **state)
{
    (void)state;
    need_gpu("simulations that come and go on a GPU");
    check_backend("cuda");
}

/* Blocks that threads have freed and keep for themselves would count as allocated, and their number varies at random.
 * The C library reads this setting when a program starts. */
static void keep_no_freed_blocks(char **argv)
{
    static const char wish[] = "glibc.malloc.tcache_count=0", name[] = "GLIBC_TUNABLES";
    if (getenv(name) || setenv(name, wish, 1))
        return;
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    (void)argc;
    keep_no_freed_blocks(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_on_a_cpu_leave_nothing_behind),
        cmocka_unit_test(nor_do_those_on_a_gpu),
    };
    log_quiet(1);
    return cmocka_run_group_tests_name("cycles", tests, NULL, NULL);
}
