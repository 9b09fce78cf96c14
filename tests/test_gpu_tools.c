/* What Shoal asks NVIDIA's tools about a GPU: clocks from NVML, times of kernels from CUPTI. Stand-ins
 * for both libraries try what needs no GPU; each in a process of its own, since what was opened once
 * stays open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/cupti.h"
#include "core/nvml.h"
#include "tests/support/probe.h"

/* Writes records as NVIDIA documents them: 216 bytes as in CUDA 13.0, two buffers of them, the later
 * launches first. FAKE=busy: another profiler is there; shifted: all members stand 4 bytes later. */
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
    "{ *s = u; (void)f; if (is(\"busy\") || subscribed) return 39; subscribed = 1; return 0; }\n"
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

/* A GPU on bus 0000:3b:00.0 of a driver that knows neither limits nor the newer name of reasons. */
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

/* What `tell` writes into its text, in a process of its own with these variables. */
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
}

static void records_laid_out_otherwise_are_refused(void **state)
{
    (void)state;
    build_library("libcupti.so.13", fake_cupti);
    EXPECT_PARTS(told_with(scratch, "", "shifted", tell_launches), "laid out otherwise", "130001",
                 "grid ", "block ");
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
                        "limit unknown, held down by: power cap, hardware thermal");
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

static void reasons_have_words(void **state)
{
    (void)state;
    char text[256];
    nvml_reasons(0, text, sizeof text);
    assert_string_equal(text, "none");
    nvml_reasons(0x101, text, sizeof text);
    assert_string_equal(text, "idle GPU, display clocks");
    nvml_reasons(0x8000000000000080, text, sizeof text);
    assert_string_equal(text, "power brake, unknown reasons 0x8000000000000000");
}

static int make_scratch(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

/* With a GPU: how often each thread goes round is what it finds in its input. */
#define SPINNING                                              \
    "    FOR_TILE(i, j, 0, 0) {\n"                            \
    "        long k = (long)(Y0 + j) * a.span.nx + X0 + i;\n" \
    "        real x = REAL(1);\n"                             \
    "        for (int n = 0; n < (int)a.from[k]; n++)\n"      \
    "            x = x * REAL(0.5) + REAL(1);\n"              \
    "        a.to[k] = x;\n"                                  \
    "    }"

enum { LONG_LAUNCHES = 5, SHORT_LAUNCHES = 12000, LONG_ROUNDS = 2000000, SHORT_ROUNDS = 10 };

static struct {
    struct device *device;
    struct loaded *kernel;
    void *rounds[2], *to; /* few, many */
} gpu;

static int close_gpu(void **state)
{
    const struct backend *b = &backend_cuda;
    if (gpu.device) {
        b->unload(gpu.device, gpu.kernel);
        b->release(gpu.device, gpu.rounds[0]);
        b->release(gpu.device, gpu.rounds[1]);
        b->release(gpu.device, gpu.to);
    }
    b->close(gpu.device);
    memset(&gpu, 0, sizeof gpu);
    return *scratch && access(scratch, F_OK) == 0 ? scratch_remove(state) : 0;
}

static void *upload_rounds(int rounds)
{
    float number[NX * NY];
    void *p = NULL;
    for (int n = 0; n < NX * NY; n++)
        number[n] = (float)rounds;
    expect(backend_cuda.alloc(gpu.device, sizeof number, &p));
    expect(backend_cuda.upload(gpu.device, p, number, sizeof number));
    return p;
}

/* Skips where there is no GPU. SHOAL_HOME is the test's own only while the kernel is compiled:
 * CUPTI may lie in the real one. */
static void open_gpu(void **state)
{
    char why[2 * PATH_LENGTH], path[PATH_LENGTH];
    const struct recipe r = recipe_of(F32, 0);
    if (!backend_cuda.available(0, why, sizeof why)) {
        print_message("skipped: backend cuda: %s\n", why);
        skip();
    }
    const char *set = getenv("SHOAL_HOME");
    char *home = set ? strdup(set) : NULL;
    gpu.device = opened(&backend_cuda, "native", 0);
    assert_int_equal(make_home(state), 0);
    scratch_write("kernels/probe.cu", "w", PROBE(SPINNING));
    expect(backend_cuda.compile(gpu.device, &r, path));
    expect(backend_cuda.load(gpu.device, &r, path, &gpu.kernel));
    if (home)
        setenv("SHOAL_HOME", home, 1);
    else
        unsetenv("SHOAL_HOME");
    free(home);
    gpu.rounds[0] = upload_rounds(SHORT_ROUNDS);
    gpu.rounds[1] = upload_rounds(LONG_ROUNDS);
    gpu.to = upload_rounds(0);
}

static void launch(int is_long)
{
    struct probe_args a = {NX, NY, gpu.rounds[is_long], gpu.to};
    expect(backend_cuda.launch(gpu.device, gpu.kernel, (NX + BLOCK_W - 1) / BLOCK_W,
                               (NY + BLOCK_H - 1) / BLOCK_H, &a, sizeof a));
}

/* Seconds by events. */
static double timed_launch(int is_long)
{
    double t = 0;
    expect(backend_cuda.mark(gpu.device, 0));
    launch(is_long);
    expect(backend_cuda.mark(gpu.device, 1));
    expect(backend_cuda.between(gpu.device, 0, 1, &t));
    return t;
}

static void begin(void)
{
    char why[2 * PATH_LENGTH];
    if (!cupti_begin(why, sizeof why)) {
        print_message("skipped: CUPTI: %s\n", why);
        skip();
    }
}

static struct cupti_launches end(void)
{
    char why[2 * PATH_LENGTH];
    struct cupti_launches all;
    expect(backend_cuda.sync(gpu.device));
    if (!cupti_end(&all, why, sizeof why))
        fail_msg("%s", why);
    return all;
}

static void print_launches(const struct cupti_launches *all, size_t from)
{
    for (size_t k = from; k < all->count && k < from + 10; k++) {
        const struct cupti_launch *l = &all->at[k];
        print_message("  record %zu: '%s', call %u, start %llu, %lld ns, grid %dx%dx%d, "
                      "block %dx%dx%d\n",
                      k, l->name, l->number, (unsigned long long)l->start,
                      (long long)(l->end - l->start), l->grid[0], l->grid[1], l->grid[2],
                      l->block[0], l->block[1], l->block[2]);
    }
}

/* Every launch once, in order, none overlapping the next, as it was launched. */
static void expect_launches(const struct cupti_launches *all, size_t count)
{
    const int grid[3] = {(NX + BLOCK_W - 1) / BLOCK_W, (NY + BLOCK_H - 1) / BLOCK_H, 1};
    const int block[3] = {BLOCK_W, BLOCK_H, 1};
    size_t strange = 0, first = 0;
    for (size_t k = 0; k < all->count; k++) {
        const struct cupti_launch *l = &all->at[k];
        const int bad =
            strcmp(l->name, "probe") != 0 || memcmp(l->grid, grid, sizeof grid) != 0 ||
            memcmp(l->block, block, sizeof block) != 0 || l->end <= l->start ||
            (k > 0 && (l->start < all->at[k - 1].end || l->number <= all->at[k - 1].number));
        if (bad && !strange++)
            first = k;
    }
    if (strange || all->dropped || all->count != count) {
        print_launches(all, first ? first - 1 : 0);
        fail_msg("%zu launches of probe, grid %dx%d, block %dx%d: %zu records, %zu dropped, %zu of "
                 "them not like that or not after the one before",
                 count, grid[0], grid[1], block[0], block[1], all->count, all->dropped, strange);
    }
}

static void the_gpu_tells_its_clocks(void **state)
{
    char why[2 * PATH_LENGTH], text[1024];
    struct nvml_state s;
    open_gpu(state);
    timed_launch(1);
    const char *bus = backend_cuda.info(gpu.device)->bus;
    if (!nvml_read(bus, &s, why, sizeof why)) {
        print_message("skipped: NVML: %s\n", why);
        skip();
    }
    nvml_describe(bus, text, sizeof text);
    print_message("bus %s: %s\n", bus, text);
    assert_true(s.sm_mhz > 0 && s.memory_mhz > 0);
    assert_true(!(s.celsius <= 0) && !(s.celsius > 150)); /* or it is unknown */
    assert_true(!(s.watts <= 0) && !(s.watts > 5000) && !(s.watt_limit <= 0));
}

static void cupti_and_events_agree_on_a_long_kernel(void **state)
{
    double event[LONG_LAUNCHES];
    open_gpu(state);
    launch(1); /* loads the code, brings up the clocks */
    expect(backend_cuda.sync(gpu.device));
    begin();
    for (int k = 0; k < LONG_LAUNCHES; k++)
        event[k] = 1e9 * timed_launch(1);
    struct cupti_launches all = end();
    expect_launches(&all, LONG_LAUNCHES);
    int wrong = 0;
    for (int k = 0; k < LONG_LAUNCHES; k++) {
        const double own = (double)(all.at[k].end - all.at[k].start);
        wrong += own > event[k] + 2000 || own < 0.95 * event[k];
        print_message("launch %d: %.0f ns by CUPTI, %.0f ns by events\n", k, own, event[k]);
    }
    cupti_free(&all);
    if (wrong)
        fail_msg("%d of %d times by CUPTI are longer than by events or shorter by over 5 %%", wrong,
                 LONG_LAUNCHES);
}

/* More than one buffer holds, then a second time: nothing is left over from the first. */
static void every_launch_has_one_record(void **state)
{
    open_gpu(state);
    begin();
    for (int k = 0; k < SHORT_LAUNCHES; k++)
        launch(0);
    struct cupti_launches all = end();
    expect_launches(&all, SHORT_LAUNCHES);
    cupti_free(&all);
    launch(0);
    begin();
    launch(0);
    launch(1);
    all = end();
    expect_launches(&all, 2);
    assert_true(all.at[1].end - all.at[1].start > 100 * (all.at[0].end - all.at[0].start));
    cupti_free(&all);
}

int main(void)
{
#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make_scratch, scratch_remove)
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(what_is_missing_is_named_with_a_remedy),
        WITH_SCRATCH(launches_come_in_order_from_all_buffers_and_losses_are_counted),
        WITH_SCRATCH(a_refusal_of_cupti_is_worded),
        WITH_SCRATCH(records_laid_out_otherwise_are_refused),
        WITH_SCRATCH(a_library_without_what_is_needed_is_too_old),
        WITH_SCRATCH(the_state_of_a_gpu_reads_as_one_line),
        WITH_SCRATCH(a_gpu_tells_what_it_consumed_in_joules),
        cmocka_unit_test(reasons_have_words),
        cmocka_unit_test_teardown(the_gpu_tells_its_clocks, close_gpu),
        cmocka_unit_test_teardown(cupti_and_events_agree_on_a_long_kernel, close_gpu),
        cmocka_unit_test_teardown(every_launch_has_one_record, close_gpu),
    };
    return cmocka_run_group_tests_name("gpu_tools", tests, NULL, NULL);
}
