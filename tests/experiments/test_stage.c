/* Stages: every tuned kernel has one, its results are the strict reference's to the bit for any block, and timing
 * does not change what the kernels read. `make test` tries two odd blocks of every kernel; SHOAL_TEST_FULL=1 all of
 * its space. `test_stage K/N`: on CUDA alone, every N-th kernel from the K-th on; what needs no list of them, by the
 * first (K = 0). */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/base/sha256.h"
#include "core/sim/balance.h"
#include "experiments/tuner/search.h"
#include "tests/support/everything.h"
#include "tests/support/need_gpu.h"
#include "tests/support/blocks.h"
#include "tests/support/stages.h"

enum { MOST_TUNED = 64 };

static const struct kernel *tuned[MOST_TUNED + 1];
static int part, parts = 1;

static void list_tuned(void)
{
    int n = 0, met = 0;
    for (int t = 0; kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++)
            if (k->tuned && met++ % parts == part) {
                assert_true(n < MOST_TUNED);
                tuned[n++] = k;
            }
    tuned[n] = NULL;
}

static void every_tuned_kernel_stands_on_a_stage(void **state)
{
    static struct stage_setup setups[MOST_STAGES];
    int found[MOST_TUNED] = {0};
    const int n = stages_of(tuned, FAST_MODE, F32, setups);
    (void)state;
    for (int k = 0; k < n; k++) {
        char text[256], flow[256];
        struct stage *s = NULL;
        fine(stage_create(&s, &setups[k]));
        stage_describe(s, text, sizeof text);
        snprintf(flow, sizeof flow, "%.64s 96x80 after ",
                 find_system(find_scheme(setups[k].scheme)->system)->tuned_on);
        assert_non_null(strstr(text, flow));
        assert_non_null(strstr(text, setups[k].scheme));
        assert_int_equal(strstr(text, "of the cells move") != NULL, setups[k].early_exit);
        for (int m = 0; tuned[m]; m++) {
            assert_int_equal(stage_has(s, tuned[m]), stage_launches(&setups[k], tuned[m]));
            found[m] |= stage_has(s, tuned[m]);
        }
        stage_destroy(s);
    }
    for (int m = 0; tuned[m]; m++)
        if (!found[m])
            fail_msg("%s stands on none of %d stages", tuned[m]->name, n);
}

static void a_kernel_that_no_step_launches_has_no_stage(void **state)
{
    static struct stage_setup setups[MOST_STAGES];
    const struct kernel *const lost[] = {find_kernel("rk0"), find_kernel("compare"), NULL};
    const struct config c = small(FAST_MODE, F32);
    (void)state;
    assert_int_equal(stages_for(lost, &c, setups), -1);
    assert_non_null(strstr(err_message(), "no scheme launches kernel compare"));
}

static void a_case_of_another_system_needs_no_scheme(void **state)
{
    static struct stage_setup setups[MOST_STAGES];
    const struct kernel *const basin[] = {find_kernel("basin_limit"), NULL};
    struct config c = small(FAST_MODE, F64);
    (void)state;
    strcpy(c.input, "basin-heat");
    if (stages_for(basin, &c, setups) != 1)
        fail_msg("%s", err_message());
    assert_string_equal(setups[0].config.input, "basin-heat");
}

/* Its kernels are of other flags than those without; a scheme that does not offer it has no stage. */
static void kernels_with_draining_stand_on_a_scheme_that_offers_it(void **state)
{
    static struct stage_setup setups[MOST_STAGES];
    const struct kernel *const offered[] = {find_kernel("fused0"), NULL};
    const struct kernel *const not_offered[] = {find_kernel("hancock"), NULL};
    struct config c = small(FAST_MODE, F32);
    struct recipe r;
    char flags[RECIPE_FLAGS];
    (void)state;
    c.positivity = BY_DRAINING;
    assert_int_equal(stages_for(offered, &c, setups), 1);
    assert_string_equal(setups[0].scheme, "rk2_fused");
    fine(stage_recipe(&setups[0], offered[0], (struct block){60, 16}, &r));
    fine(recipe_flags(&r, flags));
    assert_non_null(strstr(flags, " draining=1"));
    assert_int_equal(stages_for(not_offered, &c, setups), -1);
    assert_non_null(strstr(err_message(), "with --positivity draining launches kernel hancock"));
}

/* As on a GPU, where runs of small domains have them fill ghost cells and move the clock on: blocks are tried without. */
static void kernels_that_do_the_work_of_others_are_tried_alone(void **state)
{
    static struct stage_setup setups[MOST_STAGES];
    static const char *const names[] = {"fused1", "hancock"};
    static struct trial t;
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct kernel *const one[] = {find_kernel(names[n]), NULL};
        struct config c = small(STRICT, F32);
        struct stage *s = NULL;
        snprintf(c.define, sizeof c.define, "OWN_GHOSTS=1");
        assert_int_equal(stages_for(one, &c, setups), 1);
        setups[0].steps = STEPS;
        fine(stage_create(&s, &setups[0]));
        assert_true(s->sim->own_ghosts && s->sim->own_clock);
        start(&setups[0], names[n], (struct block){33, 3}, &t);
        fine(stage_admit(s, &t));
        assert_outcome(&t, DB_OK, "-");
        stage_destroy(s);
    }
}

static enum backend_kind kind(void)
{
    return backend == &backend_cuda ? CUDA : CPU;
}

static struct block odd_block(const struct kernel *k, struct block b)
{
    return kind() == CUDA ? possible_block(k, b) : b;
}

/* Blocks that divide nothing evenly: edges, vectors and lists all end within a block. */
static void blocks_of(const struct kernel *k, struct blocks *all)
{
    static const struct block any[] = {{20, 7}, {33, 3}};
    static struct block odd[sizeof any / sizeof *any];
    *all = (struct blocks){odd, sizeof odd / sizeof *odd};
    for (int n = 0; n < all->count; n++)
        odd[n] = odd_block(k, any[n]);
    if (everything()) {
        fine(space_list(k, kind(), all));
        print_message("%s: %d blocks\n", k->name, all->count);
    }
}

/* How many were tried. */
static int admit_all(struct stage *s, const struct stage_setup *setup, const struct kernel *k)
{
    static struct trial t;
    struct blocks all = {NULL, 0};
    blocks_of(k, &all);
    const int count = all.count;
    for (int n = 0; n < count; n++) {
        char why[SPACE_WHY];
        if (space_breaks(k, kind(), all.at[n], why, sizeof why))
            continue;
        start(setup, k->name, all.at[n], &t);
        fine(stage_admit(s, &t));
        assert_outcome(&t, DB_OK, "-");
        assert_true(t.load_ms > 0 && t.measure_ms > 0);
        stage_drop(s, &t);
        assert_int_equal(t.loaded, 0);
    }
    if (everything())
        blocks_free(&all);
    return count;
}

static void admit_every_kernel(enum mode mode, enum precision p)
{
    static struct stage_setup setups[MOST_STAGES];
    int done[MOST_TUNED] = {0};
    const int n = stages_of(tuned, mode, p, setups);
    for (int k = 0; k < n; k++) {
        struct stage *s = NULL;
        fine(stage_create(&s, &setups[k]));
        for (int m = 0; tuned[m]; m++)
            if (!done[m] && stage_has(s, tuned[m]))
                done[m] = admit_all(s, &setups[k], tuned[m]);
        stage_destroy(s);
    }
    for (int m = 0; tuned[m]; m++)
        assert_true(done[m] > 0);
}

static void in_strict_mode_no_block_of_any_kernel_changes_a_bit(void **state)
{
    (void)state;
    admit_every_kernel(STRICT, F32);
}

static void in_fast_mode_right_answers_are_taken_for_right(void **state)
{
    static struct trial t;
    static const char *const names[] = {"flux_fgh0_ee", "rk1_ee", "rk0",
                                        "fused0",       "fused1", "basin_one_fixed"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct stage_setup setup;
        struct stage *s = stage_with(names[n], FAST_MODE, n % 2 ? F32 : F64, &setup);
        const struct capture *c = stage_capture(s, find_kernel(names[n]));
        start(&setup, names[n], odd_block(find_kernel(names[n]), (struct block){33, 3}), &t);
        fine(stage_admit(s, &t));
        assert_outcome(&t, DB_OK, "-");
        for (int k = 0; k < places_out(c->takes); k++)
            assert_true(c->reference.allowed[k] > 0 && c->reference.allowed[k] < 0.1);
        stage_destroy(s);
    }
}

/* A digest of all that the kernels of a stage read. */
static void digest(const struct stage *s, char text[SHA256_DIGITS + 1])
{
    const struct sim *sim = s->sim;
    struct sha256 h;
    void *field = malloc(sim->field_bytes);
    assert_non_null(field);
    sha256_init(&h);
    for (int k = 0; k < s->captures; k++)
        for (int n = 0; n < s->capture[k].fields; n++) {
            fine(backend->download(sim->device, field, s->capture[k].copy[n], sim->field_bytes));
            sha256_update(&h, field, sim->field_bytes);
        }
    free(field);
    sha256_final(&h, text);
}

static void times_are_taken_and_inputs_stay(void **state)
{
    enum { TRIALS = 5, REPEATS = 7 };
    static struct trial t[TRIALS];
    static const char *const names[TRIALS] = {"rk0_ee", "rk1_ee", "flux_fgh0_ee", "flux_fgh1_ee",
                                              "flux_fgh1_ee"};
    struct trial *all[TRIALS];
    char before[SHA256_DIGITS + 1], after[SHA256_DIGITS + 1];
    struct stage_setup setup;
    struct stage *s = stage_with("rk1_ee", FAST_MODE, F32, &setup);
    (void)state;
    digest(s, before);
    for (int k = 0; k < TRIALS; k++) {
        start(&setup, names[k], (struct block){k == 4 ? 8 : 32, 8}, &t[k]);
        all[k] = &t[k];
        fine(stage_admit(s, &t[k]));
        assert_outcome(&t[k], DB_OK, "-");
    }
    for (int round = 1; round <= 2; round++) {
        double cost[TRIALS];
        for (int k = 0; k < TRIALS; k++)
            cost[k] = t[k].measure_ms;
        fine(stage_time(s, all, TRIALS, REPEATS, (unsigned)round));
        for (int k = 0; k < TRIALS; k++) {
            assert_int_equal(t[k].timings, round * REPEATS);
            if (backend == &backend_cpu)
                assert_string_equal(t[k].method, "clock");
            else
                assert_true(t[k].registers > 0 && t[k].occupancy > 0 && t[k].occupancy <= 1);
            assert_true(t[k].sentinel_us > 0 && t[k].measure_ms > cost[k]);
            for (int n = 0; n < t[k].timings; n++)
                assert_true(t[k].us[n] > 0);
        }
    }
    digest(s, after);
    assert_string_equal(before, after);
    stage_drop(s, &t[0]);
    assert_int_equal(stage_time(s, all, TRIALS, 1, 1), ERR_CHECK);
    fine(stage_time(s, all + 1, TRIALS - 1, 1, 1));
    assert_int_equal(stage_time(s, all + 1, 1, MOST_TIMINGS, 1), ERR_CHECK);
    stage_destroy(s);
}

static void with_early_exit_some_blocks_are_left_out_and_all_that_move_are_not(void **state)
{
    static struct trial t;
    struct stage_setup setup;
    struct stage *s = stage_with("rk0_ee", STRICT, F32, &setup);
    (void)state;
    start(&setup, "rk0_ee", (struct block){4, 4}, &t);
    fine(stage_admit(s, &t));
    assert_outcome(&t, DB_OK, "-");
    const struct slot *slot = s->slot[t.loaded - 1];
    const int wide = NX / 4, blocks = wide * (NY / 4);
    int skip[NX / 4 * NY / 4], count, skipped = 0;
    assert_int_equal(stage_blocks(slot), blocks);
    fine(backend->download(s->sim->device, skip, slot->wet.skip, sizeof skip));
    fine(backend->download(s->sim->device, &count, slot->wet.count, sizeof count));
    for (int b = 0; b < blocks; b++)
        skipped += skip[b];
    assert_int_equal(count, blocks - skipped);
    assert_true(skipped > 0 && count > 0);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int *at = &s->moving[j * (NX + 1) + i], *above = at + NX + 1;
            if (above[1] - above[0] - at[1] + at[0])
                assert_false(skip[j / 4 * wide + i / 4]);
        }
    stage_destroy(s);
}

/* As blocks of different sizes divide it on a GPU. */
static void a_sum_that_is_divided_in_another_way_is_the_same(void **state)
{
    (void)state;
    const long unit = (long)VOLUME_PARTS;
    const long ways[][2] = {{-7, unit - 3}, {-4, -2 * unit - 3}, {-6, -3}, {0, -6 * unit - 3}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        counter sum[VOLUME_COUNTERS] = {
            [WHOLE] = (counter)ways[k][0], [PARTS] = (counter)ways[k][1], [LEFT_OUT] = 1};
        sim_volume_carry(sum);
        assert_int_equal((long)sum[WHOLE], -7);
        assert_int_equal((long)sum[PARTS], unit - 3);
        assert_int_equal((long)sum[LEFT_OUT], 1);
    }
}

static int set_up(void **state)
{
    (void)state;
    log_quiet(1);
    list_tuned();
    return 0;
}

/* Tests start on the CPU. */
static int on_cpu(void **state)
{
    (void)state;
    backend = &backend_cpu;
    return 0;
}

static void on_cuda(void)
{
    need_gpu("backend cuda");
    backend = &backend_cuda;
}

#define ON_CUDA(name, test)        \
    static void name(void **state) \
    {                              \
        on_cuda();                 \
        test(state);               \
    }
ON_CUDA(in_strict_mode_no_block_of_any_kernel_changes_a_bit_on_cuda,
        in_strict_mode_no_block_of_any_kernel_changes_a_bit)
ON_CUDA(in_fast_mode_right_answers_are_taken_for_right_on_cuda,
        in_fast_mode_right_answers_are_taken_for_right)
ON_CUDA(times_are_taken_and_inputs_stay_on_cuda, times_are_taken_and_inputs_stay)
ON_CUDA(with_early_exit_some_blocks_are_left_out_on_cuda,
        with_early_exit_some_blocks_are_left_out_and_all_that_move_are_not)

#define TEST(name) cmocka_unit_test_setup(name, on_cpu)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_tuned_kernel_stands_on_a_stage),
        TEST(a_kernel_that_no_step_launches_has_no_stage),
        TEST(a_case_of_another_system_needs_no_scheme),
        TEST(kernels_with_draining_stand_on_a_scheme_that_offers_it),
        TEST(kernels_that_do_the_work_of_others_are_tried_alone),
        TEST(in_strict_mode_no_block_of_any_kernel_changes_a_bit),
        TEST(in_fast_mode_right_answers_are_taken_for_right),
        TEST(times_are_taken_and_inputs_stay),
        TEST(with_early_exit_some_blocks_are_left_out_and_all_that_move_are_not),
        TEST(a_sum_that_is_divided_in_another_way_is_the_same),
        TEST(in_strict_mode_no_block_of_any_kernel_changes_a_bit_on_cuda),
        TEST(in_fast_mode_right_answers_are_taken_for_right_on_cuda),
        TEST(times_are_taken_and_inputs_stay_on_cuda),
        TEST(with_early_exit_some_blocks_are_left_out_on_cuda),
    };
    const struct CMUnitTest first[] = {
        TEST(in_strict_mode_no_block_of_any_kernel_changes_a_bit_on_cuda),
        TEST(in_fast_mode_right_answers_are_taken_for_right_on_cuda),
        TEST(times_are_taken_and_inputs_stay_on_cuda),
        TEST(with_early_exit_some_blocks_are_left_out_on_cuda),
    };
    const struct CMUnitTest other[] = {
        TEST(in_strict_mode_no_block_of_any_kernel_changes_a_bit_on_cuda),
    };
    if (argc < 2)
        return cmocka_run_group_tests(tests, set_up, NULL);
    if (sscanf(argv[1], "%d/%d", &part, &parts) != 2 || part < 0 || part >= parts) {
        print_message("expected K/N with 0 <= K < N, got '%s'\n", argv[1]);
        return 2;
    }
    return part ? cmocka_run_group_tests_name("stage, a part", other, set_up, NULL)
                : cmocka_run_group_tests_name("stage, the first part", first, set_up, NULL);
}
