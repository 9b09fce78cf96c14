/* A kernel whose blocks copy much or nothing has enough of them for the places of a GPU, and no more than it must. */
#include "tests/support/test.h"

#include "core/sim/kernels.h"
#include "kernels/kernel.h"
#include "tests/support/simulate.h"

static struct block block_of_stay(int nx, int ny)
{
    struct config c;
    configure(&c, "hancock", F32);
    c.order = 1; /* as on a GPU */
    struct scene s = new_scene(nx, ny);
    struct sim *sim = create(&c, &s);
    struct block b = {0, 0};
    for (int k = 0; k < SCHEME_KERNELS; k++)
        if (sim->kernels[k].recipe.kernel &&
            strcmp(sim->kernels[k].recipe.kernel->name, "stay") == 0)
            b = sim->kernels[k].recipe.block;
    sim_destroy(sim);
    scene_free(&s);
    return b;
}

static void rows_of_a_block_grow_with_the_domain(void **state)
{
    static const struct {
        int nx, ny, h;
    } known[] = {{64, 48, 1}, {512, 384, 2}, {300, 2000, 8}};
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct block b = block_of_stay(known[k].nx, known[k].ny);
        if (b.w != 256 || b.h != known[k].h)
            fail_msg("%d x %d cells: blocks of %dx%d, expected 256x%d", known[k].nx, known[k].ny,
                     b.w, b.h, known[k].h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_block_grow_with_the_domain),
    };
    return cmocka_run_group_tests_name("default blocks", tests, NULL, NULL);
}
