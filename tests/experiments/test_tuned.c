/* The list of kernels to tune: the twenty of the thesis, what can be tried with each, and its rules for
 * what is worth trying. */
#include "tests/support/test.h"

#include "core/registry/registry.h"

static const char *const twenty[] = {
    "flux_fgh0", "flux_fgh1",    "flux_fgh0_ee", "flux_fgh1_ee", "flux_fx0", "flux_fx1", "flux_fy0",
    "flux_fy1",  "flux_yblock0", "flux_yblock1", "rk0",          "rk1",      "rk0_ee",   "rk1_ee",
    "srk0",      "srk1",         "rkt_x0",       "rkt_x1",       "rkt_y0",   "rkt_y1"};
enum { TWENTY = sizeof twenty / sizeof *twenty };

static void the_twenty_kernels_of_the_thesis_are_tuned(void **state)
{
    (void)state;
    for (int n = 0; n < TWENTY; n++) {
        const struct kernel *k = find_kernel(twenty[n]);
        if (!k || !k->tuned)
            fail_msg("kernel %s is not among those to tune", twenty[n]);
    }
}

static void each_is_launched_by_some_scheme(void **state)
{
    (void)state;
    for (int n = 0; n < TWENTY; n++) {
        int launched = 0;
        for (int s = 0; schemes[s]; s++)
            for (int k = 0; schemes[s]->kernels[k]; k++)
                launched |= strcmp(schemes[s]->kernels[k], twenty[n]) == 0;
        if (!launched)
            fail_msg("no scheme launches kernel %s", twenty[n]);
    }
}

/* Thesis 4.1: tiles at least 14 x 6, lines and Y-blocks and integrators in full half-warps,
 * transposing ones square. */
static void the_pruning_rules_of_the_thesis_stand_beside_the_kernels(void **state)
{
    (void)state;
    for (int n = 0; n < TWENTY; n++) {
        const struct kernel *k = find_kernel(twenty[n]);
        const struct space *s = &k->space[CUDA];
        const int tile = strcmp(k->stem, "flux_fgh") == 0, turning = strcmp(k->stem, "rkt") == 0;
        const int plain = strcmp(k->stem, "rk") == 0 || strcmp(k->stem, "srk") == 0;
        const int bad =
            tile ? s->prune.min_w != 14 || s->prune.min_h != 6 : s->prune.threads_multiple != 16;
        if (bad || s->prune.square != turning || (plain && s->prune.min_w != 14))
            fail_msg("%s: min %dx%d, threads in %ds, square %d", k->name, s->prune.min_w,
                     s->prune.min_h, s->prune.threads_multiple, s->prune.square);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_twenty_kernels_of_the_thesis_are_tuned),
        cmocka_unit_test(each_is_launched_by_some_scheme),
        cmocka_unit_test(the_pruning_rules_of_the_thesis_stand_beside_the_kernels),
    };
    return cmocka_run_group_tests_name("tuned", tests, NULL, NULL);
}
