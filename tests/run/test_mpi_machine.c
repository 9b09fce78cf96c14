/* What processes started by mpirun choose by the machine they find: all the same, and the same as one process. */
#include "tests/support/test.h"

#include <sched.h>
#include <sys/stat.h>

#include "core/device/backend.h"
#include "tests/support/database.h"
#include "tests/support/mpi.h"
#include "tests/support/scheme_rows.h"

#define AUTO                                                                       \
    "run", "circular-dam-dry", "--nx=24", "--ny=20", "--steps=5", "--scheme=auto", \
        "--mode=strict", "--backend=cpu", "--exchange-timeout=20"

/* A database in which srk2 is the fastest on this CPU with that many threads. */
static void measure_on_this_cpu(int threads)
{
    const struct device_options o = {.threads = 1, .march = "native"};
    char folder[DB_NAME + 1], text[2048], hash[DB_HASH + 1], path[PATH_LENGTH];
    struct db_manifest m;
    struct device *dev;
    assert_fine(backend_cpu.open(&dev, &o));
    const char *name = backend_cpu.info(dev)->name;
    db_device_folder(name, folder);
    snprintf(text, sizeof text,
             "{\"format\": 1, \"environment\": {\"backend\": \"cpu\", \"device\": \"%s\", "
             "\"threads\": \"%d\"}, \"flags\": {\"fast\": \"-\"},\n" SESSIONS "}\n",
             name, threads);
    backend_cpu.close(dev);
    scratch_write("manifest.json", "w", text);
    scratch_path(path, "manifest.json");
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
    build_environment(folder, hash, text);
    scratch_folder(inside("experiments"));
    scratch_write(inside("experiments/schemes.tsv"), "w",
                  COLUMNS ROW("srk2", "f32", "64", "1", "0000000a", "0.100000"));
}

static void expect_scheme(const char *scheme)
{
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, scheme);
}

/* The threads of all together. */
static void auto_is_the_same_scheme_for_any_number_of_processes(void **state)
{
    (void)state;
    measure_on_this_cpu(4);
    SHOAL(AUTO, "--threads=4");
    expect_scheme("scheme=srk2 ");
    SHOAL(AUTO, "--threads=2");
    expect_scheme("scheme=rk2 ");
    MPI("2", AUTO, "--threads=2");
    expect_scheme("scheme=srk2 ");
    MPI("2", AUTO, "--threads=4");
    expect_scheme("scheme=rk2 ");
    SHOAL(AUTO, "--threads=2", "--ranks=2");
    expect_scheme("scheme=srk2 ");
}

/* The first may use one core only, the second one all. */
static void who_has_fewer_cores_takes_the_same_scheme(void **state)
{
    cpu_set_t cores;
    char first[16];
    size_t core = 0;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof cores, &cores), 0);
    while (!CPU_ISSET(core, &cores))
        core++;
    if (CPU_COUNT(&cores) < 2)
        skip();
    snprintf(first, sizeof first, "%zu", core);
    measure_on_this_cpu(CPU_COUNT(&cores));
    for (int turn = 0; turn < 2; turn++) {
        const char *const one[] = {"taskset", "-c", first, shoal, AUTO, ":",
                                   "-n",      "1",  shoal, AUTO,  NULL};
        const char *const two[] = {shoal, AUTO,  ":",   "-n", "1", "taskset",
                                   "-c",  first, shoal, AUTO, NULL};
        const char *words[MOST_WORDS] = {"--oversubscribe", "--bind-to", "none", "-n", "1"};
        for (int k = 0; (words[5 + k] = (turn ? two : one)[k]) != NULL; k++)
            ;
        strcpy(program, mpirun);
        program_run(words);
        strcpy(program, shoal);
        expect_scheme("scheme=srk2 ");
        ASSERT_HAS(result.out, " ranks=2 ");
    }
}

#define WITH_DATABASE(test) \
    cmocka_unit_test_setup_teardown(test, use_empty_database, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(auto_is_the_same_scheme_for_any_number_of_processes),
        WITH_DATABASE(who_has_fewer_cores_takes_the_same_scheme),
    };
    if (!mpi_prepare())
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
