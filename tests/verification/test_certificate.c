/* The certificate: stored bits hold, and what breaks them is named. */
#include "tests/support/test.h"

#include "core/device/gpu_probe.h"
#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/certificate.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/program.h"

static struct gpu gpu;

static int set_up(void **state)
{
    log_quiet(2);
    return program_find() || kernel_home_keep(state) || gpu_find(0, &gpu) ? -1 : 0;
}

static void find_certificate(char path[PATH_LENGTH])
{
    snprintf(path, PATH_LENGTH, "%.4000s/verification/certificate.tsv", kernel_home());
}

/* The first question whose bits differ. */
static void expect_all_same(const struct certifying *c, const struct answer *a, const char *what)
{
    if (c->differences)
        fail_msg("%s: %s (of %d)", what, c->difference[0].text, c->differences);
    if (a->same != a->compared || a->compared + a->apart == 0)
        fail_msg("%s: %d of %d runs are the same", what, a->same, a->compared);
}

static void read_stored(struct certifying *c)
{
    char path[PATH_LENGTH];
    find_certificate(path);
    fine(certificate_read(&c->stored, path));
}

static const char stored_bits[] = "the stored bits (if others are meant: make certify UPDATE=1)";

/* The results of every run on the CPU, for all tests that ask; the first one starts the runs. */
static struct certifying every_run = {.on = {[CPU] = 1}};

static void every_scheme_and_case_comes_to_the_stored_bits(void **state)
{
    struct answer a = {0};
    int pairs = 0;
    (void)state;
    read_stored(&every_run);
    fine(ask_stored(&every_run, CPU, &a));
    expect_all_same(&every_run, &a, stored_bits);
    for (int n = 0; schemes[n]; n++)
        for (int k = 0; cases[k]; k++)
            pairs += scheme_solves(schemes[n], case_system(cases[k]));
    assert_int_equal(a.compared + a.apart, pairs * PRECISIONS);
}

/* The schemes that answer for their kind, with commas. */
static void one_of_each_kind(char list[sizeof every_run.schemes])
{
    size_t used = 0;
    *list = '\0';
    for (int k = 0; schemes[k]; k++)
        if (answers_for_its_kind(schemes[k]->name))
            used += (size_t)snprintf(list + used, sizeof every_run.schemes - used, "%s%s",
                                     used ? "," : "", schemes[k]->name);
    assert_true(used < sizeof every_run.schemes);
}

/* Questions that need their own kernels take long: other shapes of blocks and another compiler are tried with one
 * scheme, blocks of all others by their contracts; orders and early exit by test_strict and test_early_exit. */
static void what_must_not_matter_changes_no_bit(void **state)
{
    static char kinds[sizeof every_run.schemes];
    static const struct {
        int question;
        const char *schemes;
    } asked[] = {
        {ASK_AGAIN, kinds},   {ASK_THREADS, kinds}, {ASK_EXCHANGED, kinds}, {ASK_PAUSES, kinds},
        {ASK_RESTART, kinds}, {ASK_BLOCKS, "rk2"},  {ASK_COMPILERS, "rk2"}, {ASK_TRACER, "rk2"},
    };
    (void)state;
    one_of_each_kind(kinds);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        struct answer a = {0};
        every_run.differences = 0;
        strcpy(every_run.schemes, asked[k].schemes);
        const char *title = questions[asked[k].question].title;
        fine(certify_ask(&every_run, asked[k].question, CPU, &a));
        if (*a.absent)
            print_message("skipped: %s: %s\n", title, a.absent);
        else
            expect_all_same(&every_run, &a, title);
    }
    *every_run.schemes = '\0';
}

static void runs_on_a_gpu_come_to_the_same_stored_bits(void **state)
{
    (void)state;
    if (!gpu.here) {
        print_message("skipped: no GPU confirms the stored bits: %s\n", gpu.why);
        skip();
    }
    struct certifying c = {.schemes = "rk2,ds2", .cases = "lake,bump-shock", .on = {[CUDA] = 1}};
    struct answer a = {0};
    read_stored(&c);
    fine(ask_stored(&c, CUDA, &a));
    expect_all_same(&c, &a, stored_bits);
    assert_int_equal(a.compared + a.apart, 8);
    certifying_free(&c);
}

static struct answer asked(struct certifying *c)
{
    struct answer a = {0};
    fine(ask_stored(c, CPU, &a));
    return a;
}

static void other_bits_are_named(void **state)
{
    struct certifying c = alike();
    (void)state;
    put(&c.computed[CPU], run_of("rk2", "lake", F64, START, OTHER));
    const struct answer a = asked(&c);
    assert_int_equal(a.compared, 2);
    assert_int_equal(a.same, 1);
    assert_int_equal(c.differences, 1);
    expect_said(&c, "rk2 lake f64 on cpu: " OTHER ", stored is " BITS);
    certifying_free(&c);
}

static void another_start_is_compared_only_where_the_c_library_is_the_same(void **state)
{
    struct certifying c = alike();
    (void)state;
    put(&c.computed[CPU], run_of("rk2", "lake", F64, OTHER, OTHER));
    struct answer a = asked(&c);
    assert_int_equal(a.same, 1);
    expect_said(&c, "rk2 lake f64 on cpu: starts from " OTHER ", stored is " START);
    certifying_free(&c);
    c = alike();
    strcpy(c.computed[CPU].functions, OTHER);
    put(&c.computed[CPU], run_of("rk2", "lake", F64, OTHER, OTHER));
    a = asked(&c);
    assert_int_equal(a.same, 1);
    assert_int_equal(a.compared, 1);
    assert_int_equal(a.apart, 1);
    assert_int_equal(c.differences, 0);
    certifying_free(&c);
}

static void runs_that_are_new_or_gone_are_said(void **state)
{
    struct certifying c = alike();
    (void)state;
    put(&c.computed[CPU], run_of("euler", "lake", F64, START, BITS));
    put(&c.stored, run_of("gone", "lake", F64, START, BITS));
    *c.schemes = *c.cases = '\0';
    const struct answer a = asked(&c);
    assert_int_equal(a.compared, 3);
    assert_int_equal(a.same, 2);
    assert_int_equal(c.differences, 2);
    expect_said(&c, "euler: 1 runs have no stored bits yet");
    expect_said(&c, "gone lake f64: bits are stored, but there is no such run any more");
    certifying_free(&c);
}

static void a_gpu_that_differs_from_the_cpu_is_named(void **state)
{
    struct certifying c = alike();
    struct answer a = {0};
    (void)state;
    put(&c.computed[CUDA], run_of("rk2", "lake", F32, START, BITS));
    put(&c.computed[CUDA], run_of("rk2", "lake", F64, START, OTHER));
    fine(ask_backends(&c, CUDA, &a));
    assert_int_equal(a.compared, 2);
    assert_int_equal(a.same, 1);
    expect_said(&c, "rk2 lake f64: " BITS " on the CPU, " OTHER " on the GPU");
    certifying_free(&c);
}

static void a_reduction_that_depends_on_the_block_is_named(void **state)
{
    struct certifying c = {.schemes = "euler", .on = {[CPU] = 1}};
    struct answer a = {0};
    (void)state;
    const int own = getenv("SHOAL_KERNEL_CFLAGS") == NULL;
    setenv("SHOAL_KERNEL_CFLAGS", "-O1", 0); /* all of them are compiled again */
    kernel_plant("tile.h", "    return most;", "    return most + (BW % 16 ? 1 : 0);");
    fine(certify_ask(&c, ASK_BLOCKS, CPU, &a));
    assert_int_equal(a.compared, 4);
    assert_int_equal(a.same, 2);
    expect_said(&c, "euler f64 shore on cpu, in blocks of 7 x 5: ");
    expect_said(&c, "euler f64 rain on cpu, in blocks of 7 x 5: ");
    certifying_free(&c);
    if (own)
        unsetenv("SHOAL_KERNEL_CFLAGS");
}

static void wrong_usage_is_refused(void **state)
{
    static const struct {
        const char *words[7], *part;
    } wrong[] = {
        {{"certify", "rk2"}, "did you mean --case rk2?"},
        {{"certify", "--scheme", "rk22"}, "did you mean 'rk2'?"},
        {{"certify", "--case", "lake,,bend"}, "case"},
        {{"certify", "--backend", "gpu"}, "backend"},
        {{"certify", "--record", "--scheme", "rk2"}, "leave out --scheme and --case"},
        {{"certify", "--update", "--backend", "cuda"}, "leave out --backend cuda"},
        {{"certify", "--record", "--parts", "2"}, "leave out --devices and --parts"},
        {{"certify", "--update", "--devices", "all"}, "leave out --devices and --parts"},
        {{"certify", "--output", "no/such", "--case", "lake"}, "no/such"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run(wrong[k].words);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, wrong[k].part);
    }
}

static void the_program_prints_a_row_for_each_question(void **state)
{
    (void)state;
    scratch_folder("out");
    SHOAL("certify", "--scheme", "rk2", "--case", "lake", "--backend", "cpu", "--output", "out");
    ASSERT_STATUS(0);
    for (int k = 0; k < QUESTIONS; k++)
        ASSERT_HAS(result.out, questions[k].title);
    ASSERT_HAS(result.out, "2 of 2");
    ASSERT_HAS(result.out, "CPU and CUDA: not here: ");
    ASSERT_HAS(result.out, "certify: compared=2 same=2 differ=0 apart=0 wall=");
    program_read("out/certificate.md", result.out);
    ASSERT_HAS(result.out, "2 of 2");
    program_read("out/certificate.html", result.out);
    ASSERT_HAS(result.out, "<td>2 of 2</td>");
}

static int tear_down(void **state)
{
    (void)state;
    certifying_free(&every_run);
    return 0;
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_and_case_comes_to_the_stored_bits),
        cmocka_unit_test(what_must_not_matter_changes_no_bit),
        cmocka_unit_test(runs_on_a_gpu_come_to_the_same_stored_bits),
        cmocka_unit_test(other_bits_are_named),
        cmocka_unit_test(another_start_is_compared_only_where_the_c_library_is_the_same),
        cmocka_unit_test(runs_that_are_new_or_gone_are_said),
        cmocka_unit_test(a_gpu_that_differs_from_the_cpu_is_named),
        ON_COPY(a_reduction_that_depends_on_the_block_is_named),
        IN_SCRATCH(wrong_usage_is_refused),
        IN_SCRATCH(the_program_prints_a_row_for_each_question),
    };
    return cmocka_run_group_tests_name("certificate", tests, set_up, tear_down);
}
