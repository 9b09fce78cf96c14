/* GPUs that are absent, unusable or out of memory, tried on a stand-in for NVIDIA's driver and NVRTC on which
 * runs really compute: the messages, and the status. */
#include "tests/support/test.h"

#include "core/options/run_config.h"
#include "tests/support/database.h"
#include "tests/support/device_faults.h"

/* Shows that the stand-in is a valid GPU: steps, time and volumes are the same as on the CPU. */
static void a_run_on_the_stand_in_is_a_run(void **state)
{
    char gpu[256];
    (void)state;
    SHOAL(ON_GPU);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "cuda: Stand-in (sm_90), 4 multiprocessors, kernels by nvrtc 99.0");
    assert_true(count_calls() > 100);
    program_read("stdout", result.out);
    const char *steps = strstr(result.out, "steps="), *wall = strstr(result.out, " wall=");
    assert_true(steps && wall);
    snprintf(gpu, sizeof gpu, "%.*s", (int)(wall - steps), steps);
    SHOAL(RUN, "--backend", "cpu");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, gpu);
}

static void gpus_exchange_directly_or_through_the_host_and_say_why(void **state)
{
    static const struct {
        const char *peers, *devices, *exchange, *reason;
    } way[] = {{"all", "all", "auto", "exchange by peers: all GPUs can reach each other's memory"},
               {"all", "0,1", "peers", "exchange by peers: all GPUs can reach each other's memory"},
               {"all", "1,0", "host", "exchange through the host, because of --exchange host"},
               {"none", "1,1", "auto", "exchange by peers: all parts are on one device"},
               {"none", "0,1", "auto",
                "exchange through the host: the GPUs of parts 1 and 0 cannot reach each other's"}};
    char one[256], two[256];
    (void)state;
    set("FAKE_DEVICES", "2");
    SHOAL(ON_GPU);
    ASSERT_STATUS(0);
    flow_of(one);
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        set("FAKE_PEERS", way[k].peers);
        SHOAL(ON_GPU, "--devices", way[k].devices, "--exchange", way[k].exchange);
        ASSERT_STATUS(0);
        ASSERT_HAS(result.err, way[k].reason);
        flow_of(two);
        assert_string_equal(two, one);
        ASSERT_HAS(result.out, strstr(way[k].reason, "host") ? " parts=2 ranks=1 exchange=host"
                                                             : " parts=2 ranks=1 exchange=peers");
        SHOAL("info");
        ASSERT_HAS(result.out, strcmp(way[k].peers, "all") == 0
                                   ? "exchanges directly with device 0"
                                   : "exchanges through the host with device 0");
    }
    SHOAL(ON_GPU, "--devices", "0,1", "--exchange", "peers");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "--exchange peers: the GPUs of parts");
    SHOAL(ON_GPU, "--devices", "0,2");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "no CUDA device 2: there are 2, counted from 0");
}

static void as_many_gpus_compute_as_there_are_parts_and_the_log_names_the_others(void **state)
{
    static const struct {
        const char *devices, *parts; /* parts "": not given */
        const char *idle, *sum;
    } way[] = {{"0,1,2", "", "", " parts=3 ranks=1 exchange=peers"},
               {"1,0", "1", "1 part for 2 GPUs: GPU 0 idle", " parts=1 ranks=1 exchange=none"},
               {"all", "1", "1 part for 3 GPUs: GPU 1,2 idle", " parts=1 ranks=1 exchange=none"},
               {"2,1,0", "2", "2 parts for 3 GPUs: GPU 0 idle", " parts=2 ranks=1 exchange=peers"},
               {"0,1", "2x2", "", " parts=4 ranks=1 exchange=peers"},
               {"0,0", "1", "", " parts=1 ranks=1 exchange=none"}};
    (void)state;
    set("FAKE_DEVICES", "3");
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        if (*way[k].parts)
            SHOAL(ON_GPU, "--devices", way[k].devices, "--parts", way[k].parts);
        else
            SHOAL(ON_GPU, "--devices", way[k].devices);
        ASSERT_STATUS(0);
        program_read("stdout", result.out);
        ASSERT_HAS(result.out, way[k].sum);
        assert_int_equal(strstr(result.err, "idle") != NULL, *way[k].idle != '\0');
        ASSERT_HAS(result.err, way[k].idle);
    }
    SHOAL(ON_GPU, "--devices", "0,7", "--parts", "1");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "--devices: no CUDA device 7: there are 3, counted from 0");
    SHOAL(ON_GPU, "--devices", "0,1", "--ranks", "2", "--parts", "1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--parts 1: one part for 2 processes");
    SHOAL(ON_GPU, "--devices", "0,1", "--scheme", "hancock");
    ASSERT_STATUS(0);
}

#define FLOOD                                                                                    \
    "run", "circular-dam-100", "--nx", "96", "--mode", "strict", "--domain", "sparse", "--tile", \
        "8", "--steps", "60", "--backend", "cuda"

/* How many calls of the driver of this name a sparse run makes whose pools grow. */
static int calls_in_a_flood(const char *name)
{
    set("FAKE_CALL", name);
    SHOAL(FLOOD);
    ASSERT_STATUS(0);
    return count_calls();
}

static void pools_of_tiles_grow_in_place_if_the_driver_can(void **state)
{
    char want[256], have[256];
    (void)state;
    const int reserved = calls_in_a_flood("cuMemAddressReserve");
    flow_of(want);
    const int allocated = calls_in_a_flood("cuMemAlloc"), mapped = calls_in_a_flood("cuMemMap");
    assert_true(reserved > 5 && mapped > reserved);
    assert_int_equal(calls_in_a_flood("cuMemRelease"), mapped);
    assert_int_equal(calls_in_a_flood("cuMemUnmap"), mapped);
    assert_int_equal(calls_in_a_flood("cuMemAddressFree"), reserved);
    set("FAKE_GROWS", "no");
    assert_int_equal(calls_in_a_flood("cuMemAddressReserve"), 0);
    flow_of(have);
    assert_string_equal(have, want);
    assert_true(calls_in_a_flood("cuMemAlloc") > allocated + reserved);
    unsetenv("FAKE_GROWS");
    break_at(1, 801);
    assert_int_equal(calls_in_a_flood("cuMemMap"), reserved);
    flow_of(have);
    assert_string_equal(have, want);
    break_at(1, 2);
    assert_int_equal(calls_in_a_flood("cuMemAddressReserve"), reserved);
    set("FAKE_CALL", "cuMemCreate");
    break_at(reserved + 2, 2);
    SHOAL(FLOOD);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "tiles of 8 x 8 cells are needed, and there is memory for ");
    break_at(2, 2);
    SHOAL(FLOOD);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "out of GPU memory: needs ");
}

/* How often a process opens a GPU that measures these options on two: once to name it, once for the
 * run, and for each of several parts. */
static int openings_to_measure(const char *options)
{
    char text[512];
    snprintf(text, sizeof text,
             "title = t\nchapter = c\n[draw]\nshape = table\n[measure]\nkind = runs\ncase = lake\n"
             "nx = 16\nsteps = 4\nrepeat = 1\nprecision = f32\noptions = %s\n",
             options);
    scratch_write("home/experiments/it.ini", "w", text);
    set("FAKE_CALL", "cuDevicePrimaryCtxRetain");
    SHOAL("measure", "it", "--backend", "cuda", "--devices", "0,1", "--again");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "/2-x-stand-in-2-parts/");
    return count_calls();
}

static void measured_on_two_gpus_a_single_part_runs_on_one_of_them(void **state)
{
    char path[PATH_LENGTH], kernels[PATH_LENGTH];
    (void)state;
    set("FAKE_DEVICES", "2");
    scratch_folder("home");
    scratch_folder("home/experiments");
    scratch_folder("db");
    scratch_path(path, "db");
    set("SHOAL_DB", path);
    scratch_path(path, "home/kernels");
    assert_fine(paths_file("kernels", kernels));
    assert_int_equal(symlink(kernels, path), 0);
    scratch_path(path, "home");
    set("SHOAL_HOME", path);
    const int one = openings_to_measure("parts=1");
    assert_int_equal(openings_to_measure("parts=1,dt=0.01"), one);
    assert_int_equal(openings_to_measure("parts=2"), one + 2);
    assert_int_equal(openings_to_measure("-"), one + 2);
    openings_to_measure("parts=2,exchange=nccl parts=2");
    ASSERT_HAS(result.err, "f32, nx 16: constraint: "); /* there is no NCCL */
    ASSERT_HAS(result.err, "it: 2 of 2");
    SHOAL("measure", "it", "--backend", "cuda", "--devices", "1,0", "--parts", "1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "/db/stand-in/");
    unsetenv("SHOAL_HOME");
}

/* On the requested GPU; on the default backend; and what `shoal info` prints. */
static void expect_unusable(const char *part, const char *another)
{
    SHOAL(ON_GPU);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, part);
    ASSERT_HAS(result.err, another);
    SHOAL(RUN);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "backend cpu: ");
    ASSERT_HAS(result.err, part);
    SHOAL("info");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, part);
}

static void versions_that_do_not_fit_are_named_with_a_remedy(void **state)
{
    static const struct {
        const char *variable, *value, *part, *remedy;
    } all[] = {
        {"FAKE_DRIVER", "11.7", "the NVIDIA driver is too old: CUDA 11.7 found", "11.8 or later"},
        {"FAKE_DRIVER", "98.4", "CUDA 98.4 found, CUDA 99.0 or later needed for NVRTC 99.0",
         "update the driver, or set SHOAL_CUDA to a CUDA 98 toolkit"},
        {"FAKE_NVRTC", "11.2", "is too old: CUDA 11.2 found", "11.8 or later"},
        {"FAKE_ARCH", "75", "cannot compile for this GPU (compute capability 9.0)",
         "set SHOAL_CUDA to the folder of a CUDA toolkit that can"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        set(all[k].variable, all[k].value);
        expect_unusable(all[k].part, all[k].remedy);
        unsetenv(all[k].variable);
    }
}

static void a_driver_that_does_not_start_is_quoted(void **state)
{
    static const struct {
        int code;
        const char *part, *name;
    } all[] = {{100, "no CUDA device: cuInit returns", "CUDA_ERROR_NO_DEVICE"},
               {803, "the CUDA driver does not start", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
               {12345, "the CUDA driver does not start", "unknown error"}};
    (void)state;
    set("FAKE_CALL", "cuInit");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        break_at(1, all[k].code);
        expect_unusable(all[k].part, all[k].name);
    }
    set("FAKE_CALL", "cuDeviceGetCount");
    break_at(1, 999);
    expect_unusable("no CUDA device", "it sees no GPU");
}

/* A folder with a library of this name that has one function, or none. */
static void hollow(const char *folder, const char *name, const char *text)
{
    char path[PATH_LENGTH], command[3 * PATH_LENGTH];
    scratch_folder(folder);
    scratch_path(path, folder);
    scratch_write("hollow.c", "w", text);
    snprintf(command, sizeof command, "cc -shared -fPIC -o '%s/%s' '%s/hollow.c'", path, name,
             scratch);
    assert_int_equal(system(command), 0);
}

static void libraries_that_lack_something_or_are_none_are_named(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    hollow("old", "libcuda.so.1", "int cuDriverGetVersion(int *v) { *v = 12040; return 0; }\n");
    scratch_path(path, "old/libcuda.so.1");
    set("SHOAL_LIBCUDA", path);
    expect_unusable("CUDA 12.4 found (without cuInit)", "11.8 or later needed");
    scratch_write("old/libcuda.so.1", "w", "no library");
    expect_unusable("no CUDA driver library", "install NVIDIA's driver");
    set("SHOAL_LIBCUDA", stand_in_library);
    hollow("few", "libnvrtc.so.13",
           "int nvrtcVersion(int *a, int *b) { *a = 13; *b = 1; return 0; }\n");
    scratch_path(path, "few");
    set("SHOAL_CUDA", path);
    expect_unusable("few/libnvrtc.so.13) is too old: CUDA 13.1 found (without nvrtc", "11.8 or");
    scratch_write("few/libnvrtc.so.13", "w", "no library");
    expect_unusable("NVRTC, CUDA's run-time compiler, was not found in:", "file too short");
    set("SHOAL_CUDA", "/nowhere");
    expect_unusable("NVRTC, CUDA's run-time compiler, was not found", "./bootstrap --cuda");
}

static void memory_that_is_not_there_is_told_in_figures(void **state)
{
    (void)state;
    set("FAKE_CALL", "cuMemAlloc");
    break_at(3, 2);
    SHOAL(ON_GPU);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "out of GPU memory: ");
    ASSERT_HAS(result.err, "of 8192.0 MiB are free; use a smaller grid, --precision f32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAND_IN(a_run_on_the_stand_in_is_a_run),
        ON_STAND_IN(gpus_exchange_directly_or_through_the_host_and_say_why),
        ON_STAND_IN(as_many_gpus_compute_as_there_are_parts_and_the_log_names_the_others),
        ON_STAND_IN(pools_of_tiles_grow_in_place_if_the_driver_can),
        ON_STAND_IN(measured_on_two_gpus_a_single_part_runs_on_one_of_them),
        ON_STAND_IN(versions_that_do_not_fit_are_named_with_a_remedy),
        ON_STAND_IN(a_driver_that_does_not_start_is_quoted),
        ON_STAND_IN(libraries_that_lack_something_or_are_none_are_named),
        ON_STAND_IN(memory_that_is_not_there_is_told_in_figures),
    };
    return cmocka_run_group_tests_name("device_faults", tests, set_up, scratch_remove);
}
