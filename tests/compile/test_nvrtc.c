/* NVRTC compiles every kernel, on machines with a GPU and without: no warnings, no spills, no stray double precision. With
 * SHOAL_TEST_FULL all combinations for all architectures, which takes minutes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/support/compilation.h"
#include "tests/support/everything.h"

enum { JOBS = 4096 };

static const int archs[] = {75, 80, 90, 100};
#define ARCHS (sizeof archs / sizeof *archs)

static struct job jobs[JOBS];
static int job_count;

static void add_job(struct recipe r, enum precision p, enum mode m, int arch)
{
    assert_true(job_count < JOBS);
    r.precision = p;
    r.mode = m;
    jobs[job_count++] = (struct job){.recipe = r, .arch = arch};
}

/* Kernels of one file differ by their defines. */
static int first_of_file(const struct kernel *k)
{
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *other = *table; other->name; other++)
            if (strcmp(other->file, k->file) == 0)
                return other == k;
    return 0;
}

/* Kernels with few registers compile in all modes or in none; one of a file stands for the others, except where
 * rows are registers. */
static int is_large(const struct kernel *k)
{
    return k->threads || ((k->tuned || k->plugins) && first_of_file(k));
}

/* Of the fused kernels the second has more rows, which are registers: it stands for the first. */
static int stands_for_itself(const struct kernel *k)
{
    return everything() || strcmp(k->name, "fused0") != 0;
}

/* Tried in more than the default without SHOAL_TEST_FULL: where rows are registers, and one flux kernel. */
static int varies(const struct kernel *k)
{
    return everything() || strcmp(k->name, "flux_fgh0") == 0 ||
           (k->tuned && k->threads && stands_for_itself(k));
}

/* All in f32 fast and large ones in f64 strict, which represent the other two. */
static void add_jobs(struct recipe r, int arch)
{
    for (int p = 0; p < PRECISIONS; p++)
        for (int m = 0; m < MODES; m++)
            if (everything() || (p == F32 && m == FAST_MODE) ||
                (is_large(r.kernel) && stands_for_itself(r.kernel) && p == F64 && m == STRICT))
                add_job(r, (enum precision)p, (enum mode)m, arch);
}

/* Compiles all jobs and fails with what was wrong. */
static void run_jobs(void)
{
    int failures = 0;
    assert_true(job_count > 0);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < job_count; k++)
        inspect(&jobs[k]);
    for (int k = 0; k < job_count; k++)
        if (jobs[k].failed) {
            failures++;
            print_error("%s\n", jobs[k].fault);
        }
    print_message("%d compilations\n", job_count);
    job_count = 0;
    assert_int_equal(failures, 0);
}

static void every_kernel_compiles_cleanly_for_every_architecture(void **state)
{
    (void)state;
    require_nvrtc();
    for (size_t a = 0; a < ARCHS; a++)
        if ((everything() || archs[a] == VARIANT_ARCH) && require_arch(archs[a]))
            for (const struct kernel *const *table = kernel_tables; *table; table++)
                for (const struct kernel *k = *table; k->name; k++)
                    add_jobs(default_recipe(k), archs[a]);
    run_jobs();
}

/* Puts a plug-in into a recipe, unless it is the default, which the test above has tried. One mode suffices: a
 * plug-in does not depend on the mode. So does one precision: f64 for kernels by rows, as it takes more registers, and
 * f32 for others, where double precision would be a mistake. */
static void add_plugins(const struct plugin *const *list, struct recipe *r, const char **chosen)
{
    const char *usual = *chosen;
    for (; *list; list++) {
        *chosen = (*list)->name;
        for (int p = 0; strcmp(*chosen, usual) != 0 && p < PRECISIONS; p++)
            if (everything() || p == (r->kernel->threads ? F64 : F32))
                add_job(*r, (enum precision)p, FAST_MODE, VARIANT_ARCH);
    }
    *chosen = usual;
}

static int is_launched_with_a_tracer(const struct kernel *k)
{
    static const char *const others[] = {"boundary", "boundary_given", "forcing", "ahead",
                                         "rain",     "soil",           "springs", "sections"};
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (strcmp(k->name, others[n]) == 0)
            return 1;
    for (const struct scheme *const *s = schemes; *s; s++)
        for (const char *const *name = (*s)->kernels; (*s)->also && *name; name++)
            if (strcmp(*name, k->name) == 0)
                return 1;
    return 0;
}

static int is_launched_in_tiles(const struct kernel *k)
{
    const int over_cells = k->cells || k->tuned || strcmp(k->file, "ssp.cu") == 0;
    return over_cells && !k->listed && !strstr(k->defines, "TRANSPOS");
}

/* Launched by a scheme that offers --positivity draining; without SHOAL_TEST_FULL where a side takes most registers. */
static int drains(const struct kernel *k)
{
    for (const struct scheme *const *s = schemes; *s; s++)
        for (const char *const *name = (*s)->kernels; (*s)->drained_cfl > 0 && *name; name++)
            if (strcmp(*name, k->name) == 0)
                return k->plugins && varies(k);
    return 0;
}

/* Of the ladder of sediment. Without SHOAL_TEST_FULL those of h and s, as the article has them. */
static const char *const rungs[] = {"READS=0", "READS=2", "PRODUCTS=1", NULL};

static int is_on_the_ladder(const struct kernel *k)
{
    return strcmp(k->file, "systems/sediment.cu") == 0 &&
           (everything() || strcmp(k->name, "basin_h") == 0 || strcmp(k->name, "basin_s") == 0 ||
            strstr(k->name, "_halo") || strstr(k->name, "_single"));
}

static void every_plugin_and_variant_compiles_cleanly(void **state)
{
    (void)state;
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name; k++) {
            struct recipe r = default_recipe(k);
            int knows_friction = 0;
            r.friction = 0;
            assert_int_equal(recipe_mentions(&r, "FRICTION", &knows_friction), ERR_OK);
            if (everything())
                add_jobs(r, VARIANT_ARCH);
            else if (knows_friction && varies(k)) /* otherwise the test above has tried it */
                add_job(r, F32, STRICT, VARIANT_ARCH);
            if (strcmp(k->name, "fused1") == 0) { /* an n per cell is one more row in registers */
                struct recipe rough = r;
                rough.friction = 2;
                add_jobs(rough, VARIANT_ARCH);
            }
            for (int rung = 0; rungs[rung] && is_on_the_ladder(k); rung++) {
                struct recipe switched = r;
                switched.switches = rungs[rung];
                add_job(switched, F64, STRICT, VARIANT_ARCH);
                add_job(switched, F32, FAST_MODE, VARIANT_ARCH);
            }
            if (is_launched_with_a_tracer(k) && varies(k)) {
                struct recipe dyed = r;
                dyed.tracer = 1;
                add_job(dyed, F32, FAST_MODE, VARIANT_ARCH);
                if (everything()) /* otherwise beside other parts, below */
                    add_job(dyed, F64, STRICT, VARIANT_ARCH);
            }
            if (is_launched_in_tiles(k) && varies(k)) {
                struct recipe tiled = r;
                tiled.tiled = TILED;
                if (everything() || k->map != KEEPS_THE_MAP) /* with a map there is more to it */
                    add_job(tiled, F32, FAST_MODE, VARIANT_ARCH);
                tiled.tiled = k->map == KEEPS_THE_MAP ? MAPPED : TILED;
                if (tiled.tiled == MAPPED)
                    add_job(tiled, F32, FAST_MODE, VARIANT_ARCH);
                if (everything() || k->pushes)
                    add_job(tiled, F64, STRICT, VARIANT_ARCH);
            }
            if (k->meets && stands_for_itself(k)) {
                struct recipe beside = r;
                beside.meets = 1;
                add_job(beside, F32, FAST_MODE, VARIANT_ARCH);
                beside.tracer = is_launched_with_a_tracer(k);
                if (everything() || strcmp(k->name, "fused1") == 0)
                    add_job(beside, F64, STRICT, VARIANT_ARCH);
            }
            if (k->fills_ghosts && stands_for_itself(k)) {
                struct recipe own = r;
                own.fills_ghosts = 1;
                add_job(own, F32, FAST_MODE, VARIANT_ARCH);
                own.tracer = is_launched_with_a_tracer(k);
                add_job(own, F64, STRICT, VARIANT_ARCH);
            }
            /* Rows are registers. */
            for (int w = 92; k->pushes && k->threads && stands_for_itself(k) && w <= 124; w += 32) {
                struct recipe wide = r;
                wide.tiled = k->map == KEEPS_THE_MAP ? MAPPED : TILED;
                wide.block = (struct block){w, 62};
                add_job(wide, F32, FAST_MODE, VARIANT_ARCH);
            }
            if (k->plugins && varies(k)) {
                struct recipe sea = r;
                sea.submerged = 1;
                add_job(sea, F32, FAST_MODE, VARIANT_ARCH);
            }
            if (drains(k)) {
                struct recipe draining = r;
                draining.draining = 1;
                if (everything() || k->threads)
                    add_jobs(draining, VARIANT_ARCH);
                else
                    add_job(draining, F32, FAST_MODE, VARIANT_ARCH);
            }
            if (k->plugins && (everything() || strcmp(k->name, "flux_fgh0") == 0)) {
                add_plugins(limiters, &r, &r.limiter);
                add_plugins(fluxes, &r, &r.flux);
                add_plugins(reconstructions, &r, &r.reconstruction);
            } else if (k->plugins && strcmp(k->name, "fused1") == 0) { /* rows are registers */
                add_plugins(reconstructions, &r, &r.reconstruction);
            }
        }
    run_jobs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_compiles_cleanly_for_every_architecture),
        cmocka_unit_test(every_plugin_and_variant_compiles_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
