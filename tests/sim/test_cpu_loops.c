/* Code that kernels have for a CPU alone (ON_CPU) gives the bits of the code for GPUs, which the debug orders run. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

/* A dam breaks over rough ground. */
static struct scene new_break(double level)
{
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, WALL, WALL);
    scene_stir(&s, 0, 1);
    scene_level(&s, level);
    scene_dam(&s, 8, 9, 3, level + 0.4);
    return s;
}

/* In the default block, and in others where given, down to a height and width of 0. */
static void expect_bits_of_a_gpu(const struct scene *s, enum precision precision,
                                 const struct block blocks[])
{
    static const struct block usual[] = {{0, 0}};
    struct config c;
    configure(&c, "hancock", precision);
    struct config as_gpu = c;
    as_gpu.order = 1;
    struct outcome want = simulated_steps(&as_gpu, s, 6);
    for (const struct block *b = blocks ? blocks : usual;; b++) {
        struct config own = c;
        if (b->w)
            configure_block(&own, "hancock", b->w, b->h);
        struct outcome have = simulated_steps(&own, s, 6);
        expect_same_outcome(&own, &want, &have, "in its own loops");
        outcome_free(&have);
        if (!b->w)
            break;
    }
    outcome_free(&want);
}

static void loops_of_a_cpu_give_the_bits_of_a_gpu(void **state)
{
    (void)state;
    struct scene open = new_break(3), shores = new_break(0.5), forced = new_break(0.5);
    scene_force(&forced, 0.01, 0.05, 7);
    forced.per_cell = 1;
    for (int n = 0; n < CELLS; n++)
        forced.rough[n] = 0.01 + 0.002 * (n % 37);
    expect_bits_of_a_gpu(&open, F32, NULL);
    expect_bits_of_a_gpu(&shores, F32, NULL);
    expect_bits_of_a_gpu(&forced, F64, NULL);
    scene_free(&open);
    scene_free(&shores);
    scene_free(&forced);
}

/* Each kind of edge on each side, in blocks that begin and end at the edge, one cell before it, and two. */
static void rows_beside_edges_that_impose_numbers_have_these_loops_too(void **state)
{
    static const struct edge_state given = {.h = 3.2, .hu = 0.4, .hv = 0.3};
    static const enum boundary kinds[EDGES] = {STATE, DISCHARGE, DEPTH, STATE};
    static const struct block blocks[] = {{NX - 1, 4}, {NX - 2, 9}, {2, NY - 1}, {1, 3}, {0, 0}};
    (void)state;
    for (int turn = 0; turn < EDGES; turn++) {
        struct scene open = new_break(3), shores = new_break(0.5);
        for (int e = 0; e < EDGES; e++) {
            open.boundary[e] = shores.boundary[e] = kinds[(e + turn) % EDGES];
            open.edge[e] = shores.edge[e] = given;
            shores.edge[e].h = 0.6;
        }
        expect_bits_of_a_gpu(&open, F32, blocks);
        expect_bits_of_a_gpu(&shores, F32, blocks);
        scene_free(&open);
        scene_free(&shores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_a_cpu_give_the_bits_of_a_gpu),
        cmocka_unit_test(rows_beside_edges_that_impose_numbers_have_these_loops_too),
    };
    if (kernel_home_find())
        return 1;
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("cpu_loops", tests, kernel_home_keep, NULL);
}
