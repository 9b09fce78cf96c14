/* Blocks from the tuning database: which one is used. */
#include "tests/support/test.h"

#include <math.h>

#include "core/db/rounds.h"
#include "core/db/tuned.h"
#include "tests/support/tuned.h"

static int units = 1; /* multiprocessors of every device */

/* What a run on a device would use. */
static struct block_origin took(const char *device, const char *target, int n, struct recipe *r)
{
    struct device_info info = {.units = units, .warps = 64 * units};
    struct block_origin o = {.from = BLOCK_DEFAULT};
    snprintf(info.name, sizeof info.name, "%s", device);
    snprintf(info.target, sizeof info.target, "%s", target);
    const struct tuned_for run = {&info, n, n, 0};
    const struct tuned_kernel k = {r, &o};
    assert_fine(tuned_blocks(&run, &k, 1));
    return o;
}

static void expect(const char *device, int n, const char *kernel, int w, int h, const char *said)
{
    struct recipe r = recipe_of(kernel);
    char text[256];
    const struct block_origin o = took(device, "sm_90", n, &r);
    tuned_describe(&o, text, sizeof text);
    assert_string_equal(text, said);
    assert_int_equal(r.block.w, w);
    assert_int_equal(r.block.h, h);
}

static void the_nearest_measurement_counts(void **state)
{
    (void)state;
    const struct kernel *rk0 = find_kernel("rk0");
    expect("Card 1", 64, "rk0", rk0->block[CPU].w, rk0->block[CPU].h, "default");
    add_environment("Card 1", "9.0", 1);
    add_winner("rk0", 64, 32, 8);
    add_winner("rk0", 512, 64, 2);
    expect("Card 1", 64, "rk0", 32, 8, "tuned on this device at 64x64");
    expect("Card 1", 100, "rk0", 32, 8, "tuned on this device at 64x64, the nearest size");
    expect("Card 1", 300, "rk0", 64, 2, "tuned on this device at 512x512, the nearest size");
    expect("Card 2", 512, "rk0", 64, 2,
           "tuned on card-1 at 512x512, of the same compute capability");
    expect("Card 2", 64, "rk1", rk0->block[CPU].w, rk0->block[CPU].h, "default");
    add_environment("Card 2", "9.0", 1);
    add_winner("rk0", 2048, 128, 1);
    expect("Card 2", 64, "rk0", 128, 1, "tuned on this device at 2048x2048, the nearest size");
}

/* 16 places, four for each scheduler. */
static double rounds(int w, int h, int nx, int ny)
{
    return rounds_of((struct block){w, h}, nx, ny, (struct room){16, 4});
}

static int is_near(double x, double y)
{
    return fabs(x - y) < 1e-6;
}

static void a_launch_takes_as_long_as_its_blocks_fill_the_device(void **state)
{
    (void)state;
    assert_true(is_near(rounds(10, 10, 40, 40), 1));
    assert_true(is_near(rounds(10, 10, 400, 40), 10));
    /* One block, or one for each scheduler, has a scheduler alone; two are twice as fast as four. */
    assert_true(is_near(rounds(10, 10, 10, 10), (1 + 1.5 / 4) / 2));
    assert_true(is_near(rounds(10, 10, 40, 10), (1 + 1.5 / 4) / 2));
    assert_true(is_near(rounds(10, 10, 80, 10), (1 + 2.0 / 4) / 2));
    assert_true(is_near(rounds(10, 10, 90, 10), (1 + 3.0 / 4) / 2));
    assert_true(is_near(rounds(10, 10, 1700, 10), 10 + (1 + 3.0 / 4) / 2));
    /* Of the last strip the rows count that there are, of the last column of blocks the whole. */
    assert_true(is_near(rounds(10, 10, 160, 11), 1 + (1 + 1.5 / 4) / 2));
    assert_true(is_near(rounds(10, 10, 161, 10), rounds(10, 10, 160, 11)));
}

/* With places for 16 warps, blocks of 28x128 fill the device 19 times at 1024x1024 cells, and a third of it at 128x128,
 * where blocks of 28x32 take two of their 74 times. */
static void a_small_domain_gets_the_block_that_fills_the_device(void **state)
{
    (void)state;
    struct db_row rows[] = {tuned_row("hancock", 28, 128, 100), tuned_row("hancock", 28, 32, 104),
                            tuned_row("hancock", 28, 4, 300)};
    for (int k = 0; k < 3; k++)
        rows[k].number[DB_OCCUPANCY] = 0.25;
    add_environment("Card 1", "9.0", 1);
    add_table("hancock", 1024, rows, 3);
    expect("Card 1", 1024, "hancock", 28, 128,
           "tuned on this device at 1024x1024, with other flags");
    expect("Card 1", 4096, "hancock", 28, 128,
           "tuned on this device at 1024x1024, the nearest size, with other flags");
    expect("Card 1", 128, "hancock", 28, 32,
           "tuned on this device at 1024x1024, the nearest size, with other flags");
    for (int k = 0; k < 3; k++)
        rows[k].number[DB_OCCUPANCY] = (double)NAN;
    add_environment("Card 2", "9.0", 2);
    add_table("hancock", 1024, rows, 3);
    expect("Card 2", 128, "hancock", 28, 128,
           "tuned on this device at 1024x1024, the nearest size, with other flags");
}

/* An occupancy of 20 warps of 64, as rows have it. With places for 2640 warps the 2640 blocks of 60x11 at 1320x1320 cells fill
 * the device once, as do the 2420 of 60x12; at 660x660 both take as long as each other, too. */
static void places_are_a_whole_number_in_each_multiprocessor(void **state)
{
    (void)state;
    struct db_row rows[] = {tuned_row("hancock", 60, 11, 100), tuned_row("hancock", 60, 12, 104)};
    rows[0].number[DB_OCCUPANCY] = rows[1].number[DB_OCCUPANCY] = 0.312;
    add_environment("Card 1", "9.0", 1);
    add_table("hancock", 660, rows, 2);
    units = 132;
    expect("Card 1", 1320, "hancock", 60, 11,
           "tuned on this device at 660x660, the nearest size, with other flags");
    units = 1;
}

/* Their blocks have a thread for each cell, and many fit. */
static void other_kernels_get_the_winner_of_the_nearest_size(void **state)
{
    (void)state;
    struct db_row rows[] = {tuned_row("rk0", 512, 2, 100), tuned_row("rk0", 32, 4, 104)};
    rows[0].number[DB_OCCUPANCY] = rows[1].number[DB_OCCUPANCY] = 1;
    add_environment("Card 1", "9.0", 1);
    add_table("rk0", 4096, rows, 2);
    expect("Card 1", 128, "rk0", 512, 2, "tuned on this device at 4096x4096, the nearest size");
}

static void another_compute_capability_is_of_no_use(void **state)
{
    (void)state;
    add_environment("Card 1", "8.0", 1);
    add_winner("rk0", 64, 32, 8);
    struct recipe r = recipe_of("rk0");
    assert_int_equal(took("Card 2", "sm_90", 64, &r).from, BLOCK_DEFAULT);
    assert_int_equal(took("Card 2", "native", 64, &r).from, BLOCK_DEFAULT);
    assert_int_equal(took("Card 2", "sm_80", 64, &r).from, BLOCK_TUNED);
}

static void equal_flags_come_before_equal_sizes_and_others_before_none(void **state)
{
    (void)state;
    struct db_row strict[] = {tuned_row("rk0", 48, 4, 100)};
    strcpy(strict[0].flags, "strict");
    add_environment("Card 1", "9.0", 1);
    add_table("rk0", 64, strict, 1);
    expect("Card 1", 64, "rk0", 48, 4, "tuned on this device at 64x64, with other flags");
    add_winner("rk0", 512, 64, 2);
    expect("Card 1", 64, "rk0", 64, 2, "tuned on this device at 512x512, the nearest size");
}

/* Friction hardly matters to which block is the best, another reconstruction matters much. */
static void the_flags_with_most_words_in_common_come_first(void **state)
{
    (void)state;
    struct db_row stepped[] = {tuned_row("fused0", 60, 4, 100)};
    struct recipe r = recipe_of("fused0");
    strcpy(stepped[0].flags, "stepped");
    add_environment("Card 1", "9.0", 1);
    add_winner("fused0", 64, 28, 8);
    add_table("fused0", 512, stepped, 1);
    r.reconstruction = "audusse";
    r.friction = 1;
    assert_int_equal(took("Card 1", "sm_90", 64, &r).from, BLOCK_TUNED);
    assert_int_equal(r.block.w, 60);
    r.reconstruction = "kp";
    assert_int_equal(took("Card 1", "sm_90", 64, &r).from, BLOCK_TUNED);
    assert_int_equal(r.block.w, 28);
}

static void the_present_text_of_a_kernel_comes_before_a_later_session(void **state)
{
    (void)state;
    struct db_row old[] = {tuned_row("rk0", 48, 4, 50)};
    strcpy(old[0].source, SOURCE);
    strcpy(old[0].session, "0000000b");
    add_environment("Card 1", "9.0", 1);
    add_table("rk0", 64, old, 1);
    expect("Card 1", 64, "rk0", 48, 4,
           "tuned on this device at 64x64, before its text was changed");
    add_environment("Card 1", "9.0", 2);
    add_winner("rk0", 64, 32, 8);
    expect("Card 1", 64, "rk0", 32, 8, "tuned on this device at 64x64");
}

/* All four at once, as a run requests them; how many were tuned, and that none comes from elsewhere. */
static int take_exits(int n, struct block *b, struct block_origin o[KERNELS])
{
    struct recipe r[KERNELS];
    struct tuned_kernel k[KERNELS];
    struct device_info info = {.name = "Card 1", .target = "sm_90"};
    const struct tuned_for run = {&info, n, n, 0};
    int tuned = 0;
    for (int m = 0; m < KERNELS; m++) {
        r[m] = recipe_of(exits[m]);
        o[m] = (struct block_origin){.from = BLOCK_DEFAULT};
        k[m] = (struct tuned_kernel){&r[m], &o[m]};
    }
    assert_fine(tuned_blocks(&run, k, KERNELS));
    for (int m = 0; m < KERNELS; m++) {
        tuned += o[m].from == BLOCK_TUNED;
        assert_int_equal(r[m].block.w, r[0].block.w);
        assert_int_equal(r[m].block.h, r[0].block.h);
    }
    *b = r[0].block;
    return tuned;
}

static void kernels_that_must_agree_take_the_block_with_the_least_sum(void **state)
{
    (void)state;
    /* 8x8 is the best for three of them, 32x8 for all; 64x2 is faster, and fails in one. */
    static const double us[KERNELS][3] = {
        {100, 120, 20}, {100, 120, 20}, {100, 120, 20}, {900, 120, 0}};
    struct block b;
    struct block_origin o[KERNELS];
    const struct block own = find_kernel(exits[0])->block[CPU];
    add_environment("Card 1", "9.0", 1);
    assert_int_equal(take_exits(64, &b, o), 0);
    for (int m = 0; m < KERNELS; m++) {
        struct db_row rows[] = {
            tuned_row(exits[m], 8, 8, us[m][0]), tuned_row(exits[m], 32, 8, us[m][1]),
            us[m][2] > 0 ? tuned_row(exits[m], 64, 2, us[m][2]) : failed_row(64, 2, DB_LAUNCH)};
        strcpy(rows[2].flags, rows[0].flags);
        strcpy(rows[2].source, rows[0].source);
        assert_int_equal(take_exits(64, &b, o), 0);
        assert_int_equal(b.w, own.w);
        add_table(exits[m], 64, rows, 3);
    }
    assert_int_equal(take_exits(64, &b, o), KERNELS);
    assert_int_equal(b.w, 32);
    assert_int_equal(b.h, 8);
    /* A nearer table with some of them is of no use, one with all of them is. */
    for (int m = 0; m < KERNELS; m++) {
        add_winner(exits[m], 512, 24, 4);
        take_exits(512, &b, o);
        assert_int_equal(b.w, m < KERNELS - 1 ? 32 : 24);
        assert_int_equal(o[0].match, m < KERNELS - 1 ? DB_OTHER_SIZE : DB_SAME_SIZE);
    }
}

static void kernels_without_a_block_in_common_keep_the_default(void **state)
{
    (void)state;
    struct block b;
    struct block_origin o[KERNELS];
    add_environment("Card 1", "9.0", 1);
    for (int m = 0; m < KERNELS; m++) {
        struct db_row rows[] = {tuned_row(exits[m], 8, m + 1, 10)};
        add_table(exits[m], 64, rows, 1);
    }
    assert_int_equal(take_exits(64, &b, o), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DATABASE(the_nearest_measurement_counts),
        cmocka_unit_test(a_launch_takes_as_long_as_its_blocks_fill_the_device),
        WITH_DATABASE(a_small_domain_gets_the_block_that_fills_the_device),
        WITH_DATABASE(places_are_a_whole_number_in_each_multiprocessor),
        WITH_DATABASE(other_kernels_get_the_winner_of_the_nearest_size),
        WITH_DATABASE(another_compute_capability_is_of_no_use),
        WITH_DATABASE(equal_flags_come_before_equal_sizes_and_others_before_none),
        WITH_DATABASE(the_flags_with_most_words_in_common_come_first),
        WITH_DATABASE(the_present_text_of_a_kernel_comes_before_a_later_session),
        WITH_DATABASE(kernels_that_must_agree_take_the_block_with_the_least_sum),
        WITH_DATABASE(kernels_without_a_block_in_common_keep_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
