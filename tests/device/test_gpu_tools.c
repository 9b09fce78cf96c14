/* What Shoal asks NVIDIA's libraries about a GPU, on a GPU: clocks from NVML, times of kernels from CUPTI. Tests that
 * need no GPU use stand-ins, in test_gpu_tools_stand_ins.c. */
#include "tests/support/test.h"

#include <unistd.h>

#include "core/device/cupti.h"
#include "core/device/nvml.h"
#include "tests/support/probe.h"

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

/* Each thread repeats its loop as often as its input says. */
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
    fine(backend_cuda.alloc(gpu.device, sizeof number, &p));
    fine(backend_cuda.upload(gpu.device, p, number, sizeof number));
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
    fine(backend_cuda.compile(gpu.device, &r, path));
    fine(backend_cuda.load(gpu.device, &r, path, &gpu.kernel));
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
    fine(backend_cuda.launch(gpu.device, gpu.kernel, (NX + BLOCK_W - 1) / BLOCK_W,
                             (NY + BLOCK_H - 1) / BLOCK_H, &a, sizeof a));
}

/* Seconds by events. */
static double timed_launch(int is_long)
{
    double t = 0;
    fine(backend_cuda.mark(gpu.device, 0));
    launch(is_long);
    fine(backend_cuda.mark(gpu.device, 1));
    fine(backend_cuda.between(gpu.device, 0, 1, &t));
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
    fine(backend_cuda.sync(gpu.device));
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

/* Every launch appears once, in order, without overlapping the next one, with the block it was launched with. */
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
    fine(backend_cuda.sync(gpu.device));
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

/* More than one buffer holds, then a second time: nothing remains from the first. */
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_have_words),
        cmocka_unit_test_teardown(the_gpu_tells_its_clocks, close_gpu),
        cmocka_unit_test_teardown(cupti_and_events_agree_on_a_long_kernel, close_gpu),
        cmocka_unit_test_teardown(every_launch_has_one_record, close_gpu),
    };
    return cmocka_run_group_tests_name("gpu_tools", tests, NULL, NULL);
}
