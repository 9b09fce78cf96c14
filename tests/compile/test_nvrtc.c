/* What NVRTC does with every kernel, on machines with a GPU and without: no warnings, no spills, no stray double
 * precision, and errors that say where they are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/nvrtc.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/scratch.h"

enum { JOBS = 4096 };

static const int archs[] = {75, 80, 90, 100};
#define ARCHS (sizeof archs / sizeof *archs)
/* The one that is tried without SHOAL_TEST_FULL. With it all combinations are compiled, for all, which takes minutes. */
#define VARIANT_ARCH 90

/* One compilation, and what was wrong with it. */
struct job {
    struct recipe recipe;
    int arch;
    int failed;
    char fault[2048];
};

static struct job jobs[JOBS];
static int job_count;

static void require_nvrtc(void)
{
    char why[2 * PATH_LENGTH];
    if (!nvrtc_api_open(why, sizeof why)) {
        print_message("skipped: %s\n", why);
        skip();
    }
}

static int require_arch(int arch)
{
    if (!nvrtc_supports(arch))
        print_message("skipped: NVRTC %d.%d does not know sm_%d\n", nvrtc_api.major,
                      nvrtc_api.minor, arch);
    return nvrtc_supports(arch);
}

static struct recipe default_recipe(const struct kernel *k)
{
    return (struct recipe){.kernel = k,
                           .block = k->block[CUDA],
                           .friction = 1,
                           .limiter = "minmod",
                           .flux = "central_upwind",
                           .reconstruction = "kp"};
}

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

/* Tried in more than the default without SHOAL_TEST_FULL: where rows are registers, of the fused kernels the second,
 * which has more of them; and one flux kernel. */
static int varies(const struct kernel *k)
{
    return everything() || strcmp(k->name, "flux_fgh0") == 0 ||
           (k->tuned && k->threads && strcmp(k->name, "fused0") != 0);
}

/* All in f32 fast and large ones in f64 strict, which represent the other two. */
static void add_jobs(struct recipe r, int arch)
{
    for (int p = 0; p < PRECISIONS; p++)
        for (int m = 0; m < MODES; m++)
            if (everything() || (p == F32 && m == FAST_MODE) ||
                (is_large(r.kernel) && p == F64 && m == STRICT))
                add_job(r, (enum precision)p, (enum mode)m, arch);
}

/* Time, net inflow and what is added behind steps are in double precision on purpose. */
static int sums_in_f64(const struct recipe *r)
{
    static const char *const files[] = {"clock.cu",
                                        "clock_ahead.cu",
                                        "net_inflow.cu",
                                        "maxima.cu",
                                        "gauges.cu",
                                        "series.cu",
                                        "rain.cu",
                                        "soil.cu",
                                        "springs.cu",
                                        "sections.cu",
                                        "systems/sediment_edges.cu"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (strcmp(r->kernel->file, files[k]) == 0)
            return 1;
    return 0;
}

static int may_use_f64(const struct recipe *r)
{
    return r->precision == F64 || sums_in_f64(r) || r->fills_ghosts; /* time goes on in it */
}

/* The assembler reports each function in these words; a kernel file has one. A division of such sums may have its own
 * stack frame. */
static int uses_local_memory(const struct recipe *r, const char *log)
{
    return !strstr(log, sums_in_f64(r)
                            ? " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
                            : " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");
}

static void inspect(struct job *j)
{
    char arch[16], what[256];
    struct nvrtc_output out;
    snprintf(arch, sizeof arch, "sm_%d", j->arch);
    recipe_describe(&j->recipe, what, sizeof what);
    const char *fault = NULL, *detail = "";
    if (nvrtc_build(&j->recipe, arch, 1, &out)) {
        fault = "does not compile";
        detail = err_message();
    } else if (strstr(out.log, "warning")) {
        fault = "compiles with a warning";
        detail = out.log;
    } else if (uses_local_memory(&j->recipe, out.log)) {
        fault = "spills, or the log does not say that it does not";
        detail = out.log;
    } else if (!may_use_f64(&j->recipe) && strstr(out.ptx, ".f64")) {
        fault = "computes in double precision";
        detail = strstr(out.ptx, ".f64");
    }
    j->failed = fault != NULL;
    if (fault)
        snprintf(j->fault, sizeof j->fault, "%s, %s: %s\n%.1500s", what, arch, fault, detail);
    nvrtc_output_free(&out);
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

/* The environment variable's value, for restore(). */
static char *remember(const char *name)
{
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

static void restore(const char *name, char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    free(value);
}

/* Comes first: a library that was opened once stays open. */
static void what_is_missing_is_named_with_a_remedy(void **state)
{
    (void)state;
    char why[2 * PATH_LENGTH], *cuda = remember("SHOAL_CUDA"), *driver = remember("SHOAL_LIBCUDA");
    setenv("SHOAL_CUDA", "/nonexistent", 1);
    setenv("SHOAL_LIBCUDA", "/nonexistent/libcuda.so", 1);
    int nvrtc_found = nvrtc_api_open(why, sizeof why);
    int nvrtc_named = strstr(why, "/nonexistent/lib64") && strstr(why, "./bootstrap --cuda");
    int backend_found = backend_cuda.available(0, why, sizeof why);
    int driver_named = strstr(why, "/nonexistent/libcuda.so") && strstr(why, "driver");
    struct device *dev;
    enum err e = backend_cuda.open(&dev, &(struct device_options){0});
    restore("SHOAL_CUDA", cuda);
    restore("SHOAL_LIBCUDA", driver);
    assert_false(nvrtc_found);
    assert_true(nvrtc_named);
    assert_false(backend_found);
    assert_true(driver_named);
    assert_int_equal(e, ERR_ABSENT);
    assert_null(dev);
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
 * plug-in does not depend on the mode; of kernels by rows f64, which takes more registers. */
static void add_plugins(const struct plugin *const *list, struct recipe *r, const char **chosen)
{
    const char *usual = *chosen;
    for (; *list; list++) {
        *chosen = (*list)->name;
        for (int p = everything() || r->kernel->threads == 0 ? F32 : F64;
             strcmp(*chosen, usual) != 0 && p < PRECISIONS; p++)
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
                if (everything() || strncmp(k->name, "fused", 5) == 0)
                    add_job(dyed, F64, STRICT, VARIANT_ARCH);
            }
            if (is_launched_in_tiles(k) && varies(k)) {
                struct recipe tiled = r;
                tiled.tiled = TILED;
                add_job(tiled, F32, FAST_MODE, VARIANT_ARCH);
                tiled.tiled = k->map == KEEPS_THE_MAP ? MAPPED : TILED;
                if (tiled.tiled == MAPPED)
                    add_job(tiled, F32, FAST_MODE, VARIANT_ARCH);
                if (everything() || k->pushes)
                    add_job(tiled, F64, STRICT, VARIANT_ARCH);
            }
            if (k->meets && (everything() || strcmp(k->name, "fused0") != 0)) {
                struct recipe beside = r;
                beside.meets = 1;
                add_job(beside, F32, FAST_MODE, VARIANT_ARCH);
                beside.tracer = is_launched_with_a_tracer(k);
                if (everything() || strcmp(k->name, "fused1") == 0)
                    add_job(beside, F64, STRICT, VARIANT_ARCH);
            }
            if (k->fills_ghosts && (everything() || strcmp(k->name, "fused0") != 0)) {
                struct recipe own = r;
                own.fills_ghosts = 1;
                add_job(own, F32, FAST_MODE, VARIANT_ARCH);
                own.tracer = is_launched_with_a_tracer(k);
                add_job(own, F64, STRICT, VARIANT_ARCH);
            }
            for (int w = 92; k->pushes && w <= 124; w += 32) { /* rows are registers */
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
            if (k->plugins && (everything() || strcmp(k->name, "flux_fgh0") == 0)) {
                add_plugins(limiters, &r, &r.limiter);
                add_plugins(fluxes, &r, &r.flux);
                add_plugins(reconstructions, &r, &r.reconstruction);
            } else if (k->plugins && strncmp(k->name, "fused", 5) == 0) { /* rows are registers */
                add_plugins(reconstructions, &r, &r.reconstruction);
            }
        }
    run_jobs();
}

static char *home_before, *cache_before;

/* An installation with the real language header, to plant mistakes in. */
static int plant_home(void **state)
{
    (void)state;
    static const char *const copied[] = {"kernels/tile.h", "kernels/real.h"};
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("cache");
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        char path[PATH_LENGTH], text[1 << 16];
        assert_int_equal(paths_file(copied[k], path), ERR_OK);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        size_t n = fread(text, 1, sizeof text - 1, f);
        text[n] = 0;
        fclose(f);
        scratch_write(copied[k], "w", text);
    }
    home_before = remember("SHOAL_HOME");
    cache_before = remember("SHOAL_CACHE");
    char cache[PATH_LENGTH];
    scratch_path(cache, "cache");
    setenv("SHOAL_HOME", scratch, 1);
    setenv("SHOAL_CACHE", cache, 1);
    return 0;
}

static int clear_home(void **state)
{
    restore("SHOAL_HOME", home_before);
    restore("SHOAL_CACHE", cache_before);
    return scratch_remove(state);
}

/* Writes a kernel whose one phase is `text`, after the declarations `before`. */
static void plant(const char *before, const char *text)
{
    char kernel[2048];
    snprintf(kernel, sizeof kernel,
             "#include \"tile.h\"\nNO_TILES;\nstruct args { struct span span; real *x; };\n%s\n"
             "KERNEL(planted, struct args)\n{\n(void)t;\nFOR_TILE(i, j, 0, 0)\n{\n%s\n}\n}\n",
             before, text);
    scratch_write("kernels/planted.cu", "w", kernel);
}

static const struct kernel planted_kernel = {
    .name = "planted", .file = "planted.cu", .block = {{32, 8}, {32, 8}}};

static void fault_of(const char *before, const char *text, char fault[2048])
{
    static struct job j;
    plant(before, text);
    j = (struct job){.recipe = default_recipe(&planted_kernel), .arch = VARIANT_ARCH};
    inspect(&j);
    snprintf(fault, 2048, "%s", j.fault);
}

static void each_planted_fault_is_found(void **state)
{
    (void)state;
    char fault[2048];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    fault_of("", "a.x[j * a.span.nx + i] = REAL(2);", fault);
    assert_string_equal(fault, "");
    fault_of("", "int unused; a.x[j * a.span.nx + i] = REAL(2);", fault);
    assert_non_null(strstr(fault, "warning"));
    fault_of("", "a.x[i] = (real)((double)a.x[i] * 2.1);", fault);
    assert_non_null(strstr(fault, "double precision"));
    fault_of("",
             "real y[64]; for (int k = 0; k < 64; k++) y[k] = REAL(1);\n"
             "for (int k = 0; k < 64; k++) y[(int)a.x[k]] += a.x[j + k];\n"
             "a.x[i] = y[(int)a.x[i]];",
             fault);
    assert_non_null(strstr(fault, "spills"));
}

static void a_kernel_that_does_not_compile_is_an_error_with_its_place(void **state)
{
    (void)state;
    char path[PATH_LENGTH], log[PATH_LENGTH + 8], text[4096];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    r.mode = FAST_MODE;
    plant("", "a.x[i] = surely_undeclared;");
    assert_int_equal(nvrtc_compile(&r, "sm_90", path), ERR_KERNEL);
    const char *message = err_message();
    assert_non_null(strstr(message, "\nkernels/planted.cu:10:10: error: "));
    assert_non_null(strstr(message, "surely_undeclared"));
    assert_non_null(strstr(message, "planted 32x8 f32 fast"));
    assert_null(strstr(message, "-DBW=32"));
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(log, sizeof log, "%s.log", path);
    assert_non_null(strstr(message, log));
    FILE *f = fopen(log, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_non_null(strstr(text, "--fmad=true"));
    assert_non_null(strstr(text, "-DBW=32"));
    assert_non_null(strstr(text, "planted.cu(10): error"));
}

static void an_included_file_is_named_in_the_log(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    scratch_write("kernels/part.h", "w", "\nFN real part(real x) { return x + ; }\n");
    plant("#include \"part.h\"", "a.x[i] = part(a.x[i]);");
    assert_int_equal(nvrtc_compile(&r, "sm_90", path), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "\nkernels/part.h:2:"));
}

/* With line tables such a path would break the assembly that NVRTC writes. */
static void a_path_with_quotes_compiles(void **state)
{
    (void)state;
    char path[PATH_LENGTH], odd[PATH_LENGTH], kernels[PATH_LENGTH], there[PATH_LENGTH];
    require_nvrtc();
    if (!require_arch(VARIANT_ARCH))
        skip();
    const struct recipe r = default_recipe(&planted_kernel);
    plant("", "a.x[j * a.span.nx + i] = REAL(2);");
    scratch_folder("a \"home\\\"");
    scratch_path(odd, "a \"home\\\"");
    scratch_path(kernels, "kernels");
    scratch_path(there, "a \"home\\\"/kernels");
    assert_int_equal(rename(kernels, there), 0);
    setenv("SHOAL_HOME", odd, 1);
    if (nvrtc_compile(&r, "sm_90", path))
        fail_msg("%s", err_message());
}

static void the_cache_tells_modes_and_architectures_apart(void **state)
{
    (void)state;
    char first[PATH_LENGTH], second[PATH_LENGTH];
    struct stat before, after;
    require_nvrtc();
    if (!require_arch(80) || !require_arch(VARIANT_ARCH))
        skip();
    struct recipe r = default_recipe(&planted_kernel);
    plant("", "a.x[i] = REAL(2) * a.x[i] + REAL(1);");
    assert_int_equal(nvrtc_compile(&r, "sm_90", first), ERR_OK);
    assert_int_equal(stat(first, &before), 0);
    assert_int_equal(nvrtc_compile(&r, "sm_90", second), ERR_OK);
    assert_string_equal(first, second);
    assert_int_equal(stat(first, &after), 0);
    assert_true(before.st_ino == after.st_ino); /* a new file would have a new one */
    assert_int_equal(nvrtc_compile(&r, "sm_80", second), ERR_OK);
    assert_string_not_equal(first, second);
    r.mode = FAST_MODE;
    assert_int_equal(nvrtc_compile(&r, "sm_90", second), ERR_OK);
    assert_string_not_equal(first, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_named_with_a_remedy),
        cmocka_unit_test(every_kernel_compiles_cleanly_for_every_architecture),
        cmocka_unit_test(every_plugin_and_variant_compiles_cleanly),
        cmocka_unit_test_setup_teardown(each_planted_fault_is_found, plant_home, clear_home),
        cmocka_unit_test_setup_teardown(a_kernel_that_does_not_compile_is_an_error_with_its_place,
                                        plant_home, clear_home),
        cmocka_unit_test_setup_teardown(an_included_file_is_named_in_the_log, plant_home,
                                        clear_home),
        cmocka_unit_test_setup_teardown(a_path_with_quotes_compiles, plant_home, clear_home),
        cmocka_unit_test_setup_teardown(the_cache_tells_modes_and_architectures_apart, plant_home,
                                        clear_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
