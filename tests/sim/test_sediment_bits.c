/* Two sediments in a basin: the result does not depend on how it is computed. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/basin.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/need_gpu.h"

enum { NX = BASIN_NX, NY = BASIN_NY };

static void expect_same_state(const struct basin_state *a, const struct basin_state *b,
                              const char *what)
{
    if (memcmp(a->h, b->h, sizeof a->h) != 0 || memcmp(a->s, b->s, sizeof a->s) != 0)
        fail_msg("%s: the state differs", what);
    if (memcmp(&a->volume, &b->volume, sizeof a->volume) != 0 ||
        memcmp(&a->sand, &b->sand, sizeof a->sand) != 0 || a->excess != b->excess)
        fail_msg("%s: volume %.17g and %.17g, sand %.17g and %.17g, excess %g and %g", what,
                 a->volume.volume, b->volume.volume, a->sand.volume, b->sand.volume, a->excess,
                 b->excess);
    if (a->clock.t != b->clock.t || a->clock.steps != b->clock.steps)
        fail_msg("%s: %lu steps to %g s, and %lu to %g s", what, a->clock.steps, a->clock.t,
                 b->clock.steps, b->clock.t);
}

static void check_ways(const struct flow_case *f, const char *scheme)
{
    static struct basin_state plain, other;
    struct config c = basin_config(scheme);
    c.steps = 12;
    c.dt = f->boundary[WEST] == PERIODIC ? 0.01 : (double)NAN;
    fine(basin_ran(f, &c, &plain));
    assert_int_equal(plain.clock.steps, 12);
    struct config blocks = c, threads = c, parts = c, tiles = c, both = c, shuffled = c;
    configure_block(&blocks, "basin_h", 7, 3);
    configure_block(&blocks, "basin_s", 5, 4);
    configure_block(&blocks, "basin_cons", 3, 17);
    configure_block(&blocks, "basin_limit", 4, 4);
    configure_block(&blocks, "basin_take", 23, 1);
    threads.threads = 2;
    fine(shares_read("3x2", &parts.parts));
    tiles.tile = (struct tile_size){8, 5};
    fine(shares_read("2x1", &both.parts));
    both.tile = (struct tile_size){7, 6};
    shuffled.order = 2;
    const struct {
        const struct config *c;
        const char *what;
    } ways[] = {{&blocks, "other blocks"}, {&threads, "two threads"},
                {&parts, "parts"},         {&tiles, "tiles"},
                {&both, "parts in tiles"}, {&shuffled, "shuffled threads"}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        fine(basin_ran(f, ways[k].c, &other));
        expect_same_state(&plain, &other, ways[k].what);
    }
}

static const char *const rungs[] = {"READS=0,PRODUCTS=1",   "HALO_THREADS=1",
                                    "POINTS=1,READS=2",     "ONE_KERNEL=1",
                                    "ONE_KERNEL=1,PAIRS=0", "PAIRS=0"};

/* The case of a run with steps of fixed length or without. */
static struct flow_case of_rungs(int fixed, struct config *c)
{
    *c = basin_config("basin");
    c->steps = 7;
    c->cfl = 0.02;
    c->dt = fixed ? 0.01 : (double)NAN;
    return fixed ? basin_round_trip() : basin_with_edges();
}

static void check_rung(const struct flow_case *f, const struct config *c, const char *rung,
                       const struct basin_state *plain)
{
    static struct basin_state other;
    struct config with = *c;
    snprintf(with.define, sizeof with.define, "%s", rung);
    fine(basin_ran(f, &with, &other));
    expect_same_state(plain, &other, rung);
}

/* In a basin whose edges bring sediment, and in a periodic one with a step. In one of them threads are shuffled:
 * fixed steps have kernels of their own, each of which must be compiled. */
static void no_rung_of_the_ladder_changes_a_bit(void **state)
{
    static struct basin_state plain;
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct config c;
        const struct flow_case f = of_rungs(fixed, &c);
        fine(basin_ran(&f, &c, &plain));
        for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++)
            for (c.order = 0; c.order <= (fixed ? 0 : 2); c.order += 2)
                check_rung(&f, &c, rungs[k], &plain);
    }
}

/* Nor on a GPU, with those of a CPU. */
static void no_rung_of_the_ladder_changes_a_bit_on_cuda(void **state)
{
    static struct basin_state plain;
    (void)state;
    need_gpu("backend cuda");
    for (int fixed = 0; fixed < 2; fixed++) {
        struct config c;
        const struct flow_case f = of_rungs(fixed, &c);
        fine(basin_ran(&f, &c, &plain));
        snprintf(c.backend, sizeof c.backend, "cuda");
        check_rung(&f, &c, "READS=1", &plain);
        for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++)
            check_rung(&f, &c, rungs[k], &plain);
    }
}

/* With a fixed step a pass makes two; an odd number of steps, or an end in between, leaves the solution in the other
 * array. */
static void two_steps_of_a_pass_are_two_steps(void **state)
{
    static struct basin_state single, pairs;
    const struct flow_case f = basin_with_edges();
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int steps = 6; steps <= 9; steps++) {
            struct config c = basin_config(basin_schemes[k]);
            c.dt = 0.1;
            c.t_end = 0.1 * (steps - 0.5);
            snprintf(c.define, sizeof c.define, "PAIRS=0");
            fine(basin_ran(&f, &c, &single));
            *c.define = '\0';
            fine(basin_ran(&f, &c, &pairs));
            assert_int_equal(pairs.clock.steps, steps);
            expect_same_state(&single, &pairs, basin_schemes[k]);
            c.t_end = 100;
            c.steps = steps;
            fine(shares_read("2x2", &c.parts));
            fine(basin_ran(&f, &c, &pairs));
            assert_int_equal(pairs.clock.steps, steps);
            c.parts = basin_config("basin").parts;
            snprintf(c.define, sizeof c.define, "PAIRS=0");
            fine(basin_ran(&f, &c, &single));
            expect_same_state(&single, &pairs, basin_schemes[k]);
        }
}

static void any_block_thread_part_and_tile_gives_the_same_bits(void **state)
{
    const struct flow_case supplied = basin_with_edges(), round = basin_round_trip();
    (void)state;
    for (int k = 0; k < 2; k++) {
        check_ways(&supplied, basin_schemes[k]);
        check_ways(&round, basin_schemes[k]);
    }
}

/* The cell of a view at the place of (i, j) in the plain basin. */
static int seen_at(int i, int j, int view)
{
    const int u = view & MIRROR_X ? NX - 1 - i : i, v = view & MIRROR_Y ? NY - 1 - j : j;
    return view & EXCHANGE ? u * NY + v : v * NX + u;
}

static void mirrored_and_exchanged_basins_have_the_same_bits(void **state)
{
    static struct basin_state plain, other;
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = basin_config(basin_schemes[k]);
        struct flow_case f = basin;
        c.steps = 6;
        c.dt = k == 0 ? 1e-3 : (double)NAN;
        fine(basin_ran(&f, &c, &plain));
        for (basin_view = 1; basin_view < 8; basin_view++) {
            f.nx = basin_view & EXCHANGE ? NY : NX;
            f.ny = basin_view & EXCHANGE ? NX : NY;
            f.lx = f.nx * basin_size;
            f.ly = f.ny * basin_size;
            fine(basin_ran(&f, &c, &other));
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    const int n = seen_at(i, j, basin_view);
                    if (plain.h[j * NX + i] != other.h[n] || plain.s[j * NX + i] != other.s[n])
                        fail_msg("%s seen otherwise (%d): cell (%d, %d) differs", basin_schemes[k],
                                 basin_view, i, j);
                }
        }
        basin_view = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_block_thread_part_and_tile_gives_the_same_bits),
        cmocka_unit_test(two_steps_of_a_pass_are_two_steps),
        cmocka_unit_test(no_rung_of_the_ladder_changes_a_bit),
        cmocka_unit_test(no_rung_of_the_ladder_changes_a_bit_on_cuda),
        cmocka_unit_test(mirrored_and_exchanged_basins_have_the_same_bits),
    };
    return cmocka_run_group_tests_name("sediment_bits", tests, kernel_home_keep, NULL);
}
