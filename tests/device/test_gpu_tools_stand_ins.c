/* How Shoal reads the answers of NVIDIA's libraries: clocks from NVML and times of kernels from CUPTI. Stand-ins for
 * both need no GPU; each is tried in its own process, since a library that was opened once stays open. */
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/device/cupti.h"
#include "core/device/nvml.h"
#include "tests/support/scratch.h"

/* Writes records as NVIDIA documents them: 216 bytes as in CUDA 13.0, in two buffers, the later launches first.
 * FAKE=busy: another profiler is active; newer: newer than the driver; shifted: all members are 4 bytes later. */
static const char fake_cupti[] =
    "#include <stdint.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "typedef void request(uint8_t **, size_t *, size_t *);\n"
    "typedef void complete(void *, uint32_t, uint8_t *, size_t, size_t);\n"
    "enum { RECORD = 216 };\n"
    "static request *ask;\n"
    "static complete *give;\n"
    "static int enabled, subscribed;\n"
    "static int is(const char *what) { return !strcmp(getenv(\"FAKE\"), what); }\n"
    "int cuptiGetVersion(uint32_t *v) { *v = 130001; return 0; }\n"
    "int cuptiGetResultString(int r, const char **t)\n"
    "{ *t = r == 39 ? \"SOMEBODY_ELSE\" : \"OTHER\"; return 0; }\n"
    "int cuptiSubscribe(void **s, void *f, void *u)\n"
    "{ *s = u; (void)f; if (is(\"newer\")) return 15;\n"
    "  if (is(\"busy\") || subscribed) return 39; subscribed = 1; return 0; }\n"
    "int cuptiUnsubscribe(void *s) { (void)s; subscribed = 0; return 0; }\n"
    "int cuptiActivityRegisterCallbacks(request *r, complete *c) { ask = r; give = c; return 0; }\n"
    "int cuptiActivityEnable(int kind) { enabled = kind == 10; return enabled ? 0 : 21; }\n"
    "int cuptiActivityDisable(int kind) { enabled = 0; return kind == 10 ? 0 : 21; }\n"
    "int cuptiActivityGetNextRecord(uint8_t *b, size_t valid, void **at)\n"
    "{ uint8_t *n = *at ? (uint8_t *)*at + RECORD : b;\n"
    "  if (n + RECORD > b + valid) return 12;\n"
    "  *at = n; return 0; }\n"
    "int cuptiActivityGetNumDroppedRecords(void *c, uint32_t stream, size_t *n)\n"
    "{ (void)c; *n = stream == 7 ? 2 : 0; return 0; }\n"
    "static void put(uint8_t *r, int at, const void *x, int n)\n"
    "{ memcpy(r + at + (at > 0 && is(\"shifted\") ? 4 : 0), x, n); }\n"
    "static void record(uint8_t *r, uint32_t kind, uint32_t call, uint64_t start, const char *n)\n"
    "{ uint64_t end = start ? start + 100 * call : 0;\n"
    "  int32_t size[6] = {40, 30, 1, 32, 8, 1};\n"
    "  memset(r, 0xee, RECORD);\n"
    "  put(r, 0, &kind, 4), put(r, 16, &start, 8), put(r, 24, &end, 8);\n"
    "  put(r, 52, size, 24), put(r, 92, &call, 4), put(r, 104, &n, sizeof n); }\n"
    "static void deliver(uint32_t stream, uint32_t from, uint32_t to)\n"
    "{ uint8_t *b; size_t bytes, most = 9, used = 0;\n"
    "  ask(&b, &bytes, &most);\n"
    "  if (most || !b || (uintptr_t)b % 8 || bytes < 3 * RECORD) abort();\n"
    "  record(b, 1, 0, 0, 0), used = RECORD;\n"
    "  for (uint32_t c = from; c < to; c++, used += RECORD)\n"
    "    record(b + used, 10, c, c == 4 ? 0 : 1000 * c, c % 2 ? \"odd\" : \"even\");\n"
    "  give(0, stream, b, bytes, used); }\n"
    "int cuptiActivityFlushAll(uint32_t forced)\n"
    "{ if (!forced || !enabled || !subscribed) return 1;\n"
    "  deliver(7, 3, 5), deliver(0, 1, 3); return 0; }\n";

/* A GPU on bus 0000:3b:00.0 whose driver knows neither limits nor the newer name of the reasons. */
static const char fake_nvml[] =
    "#include <string.h>\n"
    "int nvmlInit_v2(void) { return 0; }\n"
    "const char *nvmlErrorString(int r) { return r == 6 ? \"Not Found\" : \"other\"; }\n"
    "int nvmlDeviceGetHandleByPciBusId_v2(const char *b, void **d)\n"
    "{ *d = (void *)d; return strcmp(b, \"0000:3b:00.0\") ? 6 : 0; }\n"
    "int nvmlDeviceGetClockInfo(void *d, int kind, unsigned *x)\n"
    "{ *x = kind == 1 ? 1980 : kind == 2 ? 3201 : 7; return !d; }\n"
    "int nvmlDeviceGetTemperature(void *d, int s, unsigned *x) { *x = 34; return !d || s; }\n"
    "int nvmlDeviceGetPowerUsage(void *d, unsigned *x) { *x = 75400; return !d; }\n"
    "int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *x)\n"
    "{ *x = 5000000001500; return !d; }\n"
    "int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *x)\n"
    "{ *x = 0x44; return !d; }\n";

static void build_library(const char *name, const char *text)
{
    char source[64], command[2 * PATH_LENGTH];
    snprintf(source, sizeof source, "%s.c", name);
    scratch_write(source, "w", text);
    snprintf(command, sizeof command, "cc -shared -fPIC -o '%s/%s' '%s/%s'", scratch, name, scratch,
             source);
    if (system(command) != 0) {
        print_message("skipped: no C compiler called cc to build a stand-in of %s\n", name);
        skip();
    }
}

/* What `tell` writes into its text, in its own process with these variables. */
static const char *told_with(const char *cuda, const char *nvml, const char *fake,
                             void (*tell)(char *text, size_t n))
{
    static char text[4 * PATH_LENGTH];
    int ends[2], status;
    size_t used = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("SHOAL_CUDA", cuda, 1);
        setenv("SHOAL_LIBNVML", nvml, 1);
        setenv("FAKE", fake, 1);
        tell(text, sizeof text);
        _exit(write(ends[1], text, strlen(text)) < 0);
    }
    close(ends[1]);
    for (ssize_t n = 1; n > 0; used += (size_t)(n > 0 ? n : 0))
        n = read(ends[0], text + used, sizeof text - 1 - used);
    text[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        fail_msg("the process that tried it ended with status %#x", (unsigned)status);
    return text;
}

static void tell_launches(char *text, size_t n)
{
    struct cupti_launches all;
    char why[2 * PATH_LENGTH];
    if (!cupti_begin(why, sizeof why) || !cupti_end(&all, why, sizeof why)) {
        snprintf(text, n, "%s", why);
        return;
    }
    snprintf(text, n, "%zu dropped", all.dropped);
    for (size_t k = 0; k < all.count; k++) {
        const struct cupti_launch *l = &all.at[k];
        size_t used = strlen(text);
        snprintf(text + used, n - used, "; %s %d ns, %dx%dx%d of %dx%dx%d", l->name,
                 (int)(l->end - l->start), l->grid[0], l->grid[1], l->grid[2], l->block[0],
                 l->block[1], l->block[2]);
    }
    cupti_free(&all);
}

static void tell_launches_again(char *text, size_t n)
{
    tell_launches(text, n);
    tell_launches(text, n);
}

static void tell_misuse(char *text, size_t n)
{
    struct cupti_launches all;
    char why[2 * PATH_LENGTH];
    const int ended = cupti_end(&all, why, sizeof why), begun = cupti_begin(why, sizeof why);
    const int begun_twice = cupti_begin(why, sizeof why);
    snprintf(text, n, "%d %d %d", ended, begun, begun_twice);
}

static void tell_state(char *text, size_t n)
{
    nvml_describe("0000:3b:00.0", text, n);
}

static void tell_energy(char *text, size_t n)
{
    double joules = 0, none = 0;
    const int told = nvml_energy("0000:3b:00.0", &joules);
    snprintf(text, n, "%d %d %d, %.3f J", told, nvml_energy("0000:41:00.0", &none),
             nvml_energy("", &none), joules);
}

static void tell_other_state(char *text, size_t n)
{
    nvml_describe("0000:41:00.0", text, n);
}

static void expect_parts(const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("'%s' is not in: %s", *parts, text);
}

#define EXPECT_PARTS(text, ...) expect_parts(text, (const char *const[]){__VA_ARGS__, NULL})

static void what_is_missing_is_named_with_a_remedy(void **state)
{
    (void)state;
    const char *const none = "/nonexistent";
    EXPECT_PARTS(told_with(none, none, "", tell_launches), "libcupti", "/nonexistent/lib64",
                 "/nonexistent/extras/CUPTI/lib64", "./bootstrap --cuda", "SHOAL_CUDA");
    EXPECT_PARTS(told_with(none, "/nonexistent/libnvidia-ml.so", "", tell_state),
                 "not available here", "NVML", "/nonexistent/libnvidia-ml.so", "driver");
}

static void launches_come_in_order_from_all_buffers_and_losses_are_counted(void **state)
{
    (void)state;
    static const char want[] = "3 dropped; odd 100 ns, 40x30x1 of 32x8x1; "
                               "even 200 ns, 40x30x1 of 32x8x1; odd 300 ns, 40x30x1 of 32x8x1";
    build_library("libcupti.so.13", fake_cupti);
    assert_string_equal(told_with(scratch, "", "sound", tell_launches), want);
    assert_string_equal(told_with(scratch, "", "sound", tell_launches_again), want);
    assert_string_equal(told_with(scratch, "", "sound", tell_misuse), "0 1 0");
}

static void a_refusal_of_cupti_is_worded(void **state)
{
    (void)state;
    build_library("libcupti.so.13", fake_cupti);
    EXPECT_PARTS(told_with(scratch, "", "busy", tell_launches), "cuptiSubscribe", "SOMEBODY_ELSE",
                 "error 39", "another profiler");
    EXPECT_PARTS(told_with(scratch, "", "newer", tell_launches), "cuptiSubscribe", "error 15",
                 "the driver may be older than this CUPTI", "set SHOAL_CUDA to an older toolkit");
}

static void records_laid_out_otherwise_are_refused(void **state)
{
    (void)state;
    build_library("libcupti.so.13", fake_cupti);
    EXPECT_PARTS(told_with(scratch, "", "shifted", tell_launches),
                 "in a layout that Shoal does not know", "130001", "grid ", "block ");
}

static void a_library_without_what_is_needed_is_too_old(void **state)
{
    (void)state;
    build_library("libcupti.so.13", "int cuptiGetVersion(unsigned *v) { *v = 1; return 0; }\n");
    EXPECT_PARTS(told_with(scratch, "", "", tell_launches), "lacks cupti", scratch);
}

static void the_state_of_a_gpu_reads_as_one_line(void **state)
{
    (void)state;
    char library[PATH_LENGTH];
    build_library("libnvidia-ml.so.1", fake_nvml);
    scratch_path(library, "libnvidia-ml.so.1");
    assert_string_equal(told_with("", library, "", tell_state),
                        "SM 1980 MHz, memory 3201 MHz, temperature 34 C, power 75 W, "
                        "limit unknown, limited by: power cap, hardware thermal");
    EXPECT_PARTS(told_with("", library, "", tell_other_state), "not available here", "0000:41:00.0",
                 "Not Found", "error 6");
}

/* More than 32 bits of millijoules. */
static void a_gpu_tells_what_it_consumed_in_joules(void **state)
{
    (void)state;
    char library[PATH_LENGTH];
    build_library("libnvidia-ml.so.1", fake_nvml);
    scratch_path(library, "libnvidia-ml.so.1");
    assert_string_equal(told_with("", library, "", tell_energy), "1 0 0, 5000000001.500 J");
    assert_string_equal(told_with("", "/nowhere/nvml.so", "", tell_energy), "0 0 0, 0.000 J");
}

int main(void)
{
#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(what_is_missing_is_named_with_a_remedy),
        WITH_SCRATCH(launches_come_in_order_from_all_buffers_and_losses_are_counted),
        WITH_SCRATCH(a_refusal_of_cupti_is_worded),
        WITH_SCRATCH(records_laid_out_otherwise_are_refused),
        WITH_SCRATCH(a_library_without_what_is_needed_is_too_old),
        WITH_SCRATCH(the_state_of_a_gpu_reads_as_one_line),
        WITH_SCRATCH(a_gpu_tells_what_it_consumed_in_joules),
    };
    return cmocka_run_group_tests_name("gpu_tools_stand_ins", tests, NULL, NULL);
}
