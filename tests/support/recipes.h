/* A small installation with two kernels, for tests of recipes; include after cmocka.h. */
#ifndef SHOAL_TEST_RECIPES_H
#define SHOAL_TEST_RECIPES_H

#include "core/compile/recipe.h"
#include "tests/support/scratch.h"

#define COMPILER "cc 1.0 for testing"

/* The setup of a test. */
static inline int build_home(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("kernels/num");
    scratch_folder("kernels/limiters");
    scratch_folder("kernels/fluxes");
    scratch_folder("kernels/reconstructions");
    scratch_write("kernels/tile.h", "w", "BW BH PRECISION FAST EMULATE\n");
    scratch_write("kernels/num/face.h", "w",
                  "#include \"tile.h\"\n#include \"near.h\"\n"
                  "# include LIMITER_FILE\n#include FLUX_FILE\n"
                  "#include RECONSTRUCTION_FILE\nLIMITER FLUX RECONSTRUCTION\n");
    scratch_write("kernels/num/near.h", "w", "one\n");
    scratch_write("kernels/limiters/minmod.h", "w", "#include \"tile.h\"\n");
    scratch_write("kernels/limiters/mc.h", "w", "#include \"tile.h\"\n");
    scratch_write("kernels/fluxes/hll.h", "w", "hll\n");
    scratch_write("kernels/fluxes/rusanov.h", "w", "rusanov\n");
    scratch_write("kernels/reconstructions/kp.h", "w", "kp\n");
    scratch_write("kernels/reconstructions/none.h", "w", "none\n");
    scratch_write("kernels/flux.cu", "w",
                  "/* text\n#include \"only in a comment\"\n*/\n"
                  "#include <stddef.h>\n#include \"num/face.h\"\nSUBSTEP\n");
    scratch_write("kernels/rk.cu", "w", "#include \"tile.h\"\nif (FRICTION) {\n");
    setenv("SHOAL_HOME", scratch, 1);
    return 0;
}

static const struct kernel flux_kernel = {
    .name = "flux0", .file = "flux.cu", .defines = "SUBSTEP=0", .plugins = 1};
static const struct kernel rk_kernel = {.name = "rk1", .file = "rk.cu", .defines = "SUBSTEP=1 A=2"};

static inline struct recipe flux_recipe(void)
{
    return (struct recipe){.kernel = &flux_kernel,
                           .block = {32, 8},
                           .limiter = "minmod",
                           .flux = "hll",
                           .reconstruction = "kp"};
}

static inline void key_of(const struct recipe *r, char key[KEY_LENGTH + 1])
{
    enum err e = recipe_key(r, COMPILER, key);
    if (e)
        fail_msg("%s", err_message());
    assert_int_equal(strlen(key), KEY_LENGTH);
}

/* Moves the scratch folder's kernels, and the home of Shoal with them. */
static inline void move_kernels_elsewhere(void)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    scratch_folder("elsewhere");
    scratch_path(from, "kernels");
    scratch_path(to, "elsewhere/kernels");
    assert_int_equal(rename(from, to), 0);
    scratch_path(to, "elsewhere");
    setenv("SHOAL_HOME", to, 1);
}

#endif
