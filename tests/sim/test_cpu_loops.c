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

static void expect_bits_of_a_gpu(const struct scene *s, enum precision precision)
{
    struct config c;
    configure(&c, "hancock", precision);
    struct config as_gpu = c;
    as_gpu.order = 1;
    struct outcome want = simulated_steps(&as_gpu, s, 6), have = simulated_steps(&c, s, 6);
    expect_same_outcome(&c, &want, &have, "in its own loops");
    outcome_free(&want);
    outcome_free(&have);
}

static void loops_of_a_cpu_give_the_bits_of_a_gpu(void **state)
{
    (void)state;
    struct scene open = new_break(3), shores = new_break(0.5), forced = new_break(0.5);
    scene_force(&forced, 0.01, 0.05, 7);
    forced.per_cell = 1;
    for (int n = 0; n < CELLS; n++)
        forced.rough[n] = 0.01 + 0.002 * (n % 37);
    expect_bits_of_a_gpu(&open, F32);
    expect_bits_of_a_gpu(&shores, F32);
    expect_bits_of_a_gpu(&forced, F64);
    scene_free(&open);
    scene_free(&shores);
    scene_free(&forced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_a_cpu_give_the_bits_of_a_gpu),
    };
    if (kernel_home_find())
        return 1;
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("cpu_loops", tests, kernel_home_keep, NULL);
}
