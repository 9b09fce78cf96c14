/* What the READMEs tell a newcomer to write and to type works literally, in a copy of the tree. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif
#include <math.h>

#include "tests/support/everything.h"
#include "tests/support/readme.h"
#include "tests/support/tree.h"
#include "tests/support/variables.h"

enum { BLOCKS = 16, MOST_README = 1 << 16 };

static char fault[MOST_TEXT]; /* what is wrong with a recipe */

/* As a terminal shows it: runs of spaces count as one. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' '))
            *to++ = *from;
    *to = '\0';
}

/* The first line of a block that is not in what was printed last, or in its file; NULL if all are. */
static const char *line_not_in(const struct readme_block *b)
{
    static char wanted[sizeof b->text], found[MOST_TEXT];
    char command[256];
    if (b->kind == README_PART) {
        snprintf(command, sizeof command, "cat '%s'", b->path);
        shell(command);
    }
    strcpy(wanted, b->text);
    strcpy(found, result.out);
    squeeze(wanted);
    squeeze(found);
    for (char *rest = wanted, *line; (line = strsep(&rest, "\n"));)
        if (!strstr(found, line))
            return line;
    return NULL;
}

/* The first command that fails; NULL if none does. */
static const char *run_commands(const struct readme_block *b)
{
    static char lines[sizeof b->text];
    strcpy(lines, b->text);
    for (char *rest = lines, *line; (line = strsep(&rest, "\n"));) {
        if (*line)
            shell(line);
        if (*line && result.status != 0)
            return line;
    }
    return NULL;
}

static void write_file(const struct readme_block *b)
{
    char path[PATH_LENGTH], command[512];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\" && [ ! -e '%s' ]", b->path,
             b->path);
    shell(command);
    if (result.status != 0)
        fail_msg("%s is there already: a recipe needs a name of its own", b->path);
    assert_true(snprintf(path, sizeof path, "tree/%s", b->path) < PATH_LENGTH);
    scratch_write(path, "w", b->text);
}

/* Follows a section; 0 if something does not work, with the reason in `fault`. */
static int follow(const char *name, const char *text, const char *title)
{
    static struct readme_block block[BLOCKS];
    const int n = readme_blocks(text, title, block, BLOCKS);
    int commands = 0;
    *fault = '\0';
    if (n < 0)
        snprintf(fault, sizeof fault, "%s has no section '%s' that can be read", name, title);
    for (int k = 0; k < n && !*fault; k++) {
        const struct readme_block *b = &block[k];
        const char *wrong = NULL;
        if (b->kind == README_FILE)
            write_file(b);
        if (b->kind == README_COMMANDS && ++commands && (wrong = run_commands(b)))
            snprintf(fault, sizeof fault, "%s, '%s', line %d: `%s` ends with status %d:\n%s%s",
                     name, title, b->line, wrong, result.status, result.out, result.err);
        if (b->kind == README_PART && (wrong = line_not_in(b)))
            snprintf(fault, sizeof fault, "%s, '%s', line %d: '%s' is not in %s", name, title,
                     b->line, wrong, b->path);
        if (b->kind == README_PRINTED && (wrong = line_not_in(b)))
            snprintf(fault, sizeof fault, "%s, '%s', line %d: '%s' is not printed, but:\n%s", name,
                     title, b->line, wrong, result.out);
    }
    if (!*fault && !commands)
        snprintf(fault, sizeof fault, "%s, '%s': there is nothing to run", name, title);
    return !*fault;
}

static const char *read_readme(const char *name)
{
    static char text[MOST_README];
    char path[PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t n = fread(text, 1, sizeof text - 1, f);
    assert_true(n < sizeof text - 1);
    text[n] = '\0';
    fclose(f);
    return text;
}

static void expect_followed(const char *name, const char *title)
{
    if (!follow(name, read_readme(name), title))
        fail_msg("%s", fault);
}

static void the_recipe_for_a_limiter_works(void **state)
{
    (void)state;
    expect_followed("kernels/README.md", "Adding a limiter");
}

/* test_recipes_new has one made by `make new-flux`. */
static void the_recipe_for_a_flux_works(void **state)
{
    (void)state;
    if (!everything()) {
        print_message("skipped: the recipe for a flux: SHOAL_TEST_FULL=1 follows it\n");
        skip();
    }
    expect_followed("kernels/README.md", "Adding a flux");
}

/* The digest of a run, from runs.tsv. */
static void digest_of(const char *scheme, char digest[128])
{
    char line[256];
    snprintf(line, sizeof line, "awk -v s=%s '$2 == s { print $NF }' out/runs.tsv", scheme);
    expect_shell(line);
    snprintf(digest, 128, "%.*s", (int)strcspn(result.out, "\n"), result.out);
    if (strlen(digest) < 16)
        fail_msg("no digest of %s: '%s'", scheme, digest);
}

/* A copy of the simplest scheme that launches a kernel in both directions in addition, as the page says. */
static void new_scheme_with(const char *kernel)
{
    static const char edit[] = "make new-scheme NAME=with_%s FROM=euler\n"
                               "sed -i -e 's/RK0, FLUX0_EE, RK0_EE/RK0, ADDED, FLUX0_EE, RK0_EE/'"
                               " -e 's/\"rk0\", /&\"%s\", /'"
                               " -e 's/^    TRY(choose_time_step/    TRY(rate_of_change(s, "
                               "\\&(struct rate){.kernel = ADDED,"
                               " .state = Q}));\\n&/' schemes/with_%s/with_%s.c";
    char lines[1024];
    snprintf(lines, sizeof lines, edit, kernel, kernel, kernel, kernel);
    expect_shell(lines);
}

/* The two give the same bits, and others than the scheme without them. */
static void the_recipes_for_kernels_work(void **state)
{
    char digest[3][128];
    (void)state;
    expect_followed("kernels/README.md", "One kernel, complete");
    expect_followed("kernels/ROWS.md", "One kernel, complete");
    new_scheme_with("diffuse");
    new_scheme_with("spread");
    expect_shell("make");
    shell("build/shoal verify --case circular-dam-100 --precision f64 --backend cpu --quick "
          "--scheme euler,with_diffuse,with_spread --output out");
    if (result.status > 1) /* the limits of euler need not hold */
        fail_msg("%s", result.err);
    digest_of("euler", digest[0]);
    digest_of("with_diffuse", digest[1]);
    digest_of("with_spread", digest[2]);
    assert_string_not_equal(digest[0], digest[1]);
    assert_string_equal(digest[1], digest[2]);
}

#ifdef HAVE_NETCDF

/* The maps of an undivided run and of another one are the same, to the bit. */
static void expect_same_maps(const char *plain, const char *other)
{
    static const char *const names[] = {"w", "hu", "hv"};
    char path[2][PATH_LENGTH];
    int id[2], var;
    scratch_path(path[0], plain);
    scratch_path(path[1], other);
    for (int k = 0; k < 2; k++)
        assert_int_equal(nc_open(path[k], NC_NOWRITE, &id[k]), NC_NOERR);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(nc_inq_varid(id[0], names[k], &var), NC_NOERR);
        if (variable_differs(id[0], id[1], var, names[k]))
            fail_msg("%s is not in %s what it is in %s", names[k], other, plain);
    }
    nc_close(id[0]);
    nc_close(id[1]);
}

/* A new scheme with a new limiter, without further changes; maps of absent tiles are filled. */
static void expect_pieces_too(const char *scheme, const char *limiter)
{
    char line[512];
    snprintf(line, sizeof line,
             "for way in plain 'parts --parts 3 --tile 28' 'sparse --domain sparse --tile 10 "
             "--fill-absent'; do build/shoal run circular-dam-100 --nx 80 --steps 20 --mode strict "
             "--backend cpu --threads 1 --quiet --scheme %s --limiter %s --output ${way%%%% *}.nc "
             "${way#${way%%%% *}} || exit; done",
             scheme, limiter);
    expect_shell(line);
    ASSERT_HAS(result.out, " parts=3 ");
    const char *stored = strstr(result.out, " tiles=");
    assert_non_null(stored);
    assert_in_range(strtol(stored + 7, NULL, 10), 4, 63); /* of 64 */
    expect_same_maps("tree/plain.nc", "tree/parts.nc");
    expect_same_maps("tree/plain.nc", "tree/sparse.nc");
}

#else

static void expect_pieces_too(const char *scheme, const char *limiter)
{
    (void)scheme, (void)limiter;
}

#endif

static void the_recipe_for_a_scheme_works(void **state)
{
    (void)state;
    expect_followed("schemes/README.md", "Adding a scheme");
    /* With the limiter of the earlier recipe, and in parts, without further changes. */
    expect_shell("build/shoal verify --case parts --scheme ssprk32 --limiter ospre --precision f32 "
                 "--backend cpu");
    expect_pieces_too("ssprk32", "ospre");
}

#ifdef HAVE_NETCDF

static const double PI = 3.14159265358979323846;

/* u = 3000 + cos(pi x) on n x n cells of the unit square. */
static void write_plate(const char *name, size_t n)
{
    int id, dim[2], var[3];
    char path[PATH_LENGTH];
    double *x = calloc(n, sizeof *x), *u = calloc(n * n, sizeof *u);
    assert_true(x && u);
    for (size_t k = 0; k < n * n; k++) {
        x[k % n] = ((double)(k % n) + 0.5) / (double)n;
        u[k] = 3000 + cos(PI * x[k % n]);
    }
    scratch_path(path, name);
    assert_int_equal(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id), 0);
    nc_def_dim(id, "y", n, &dim[0]);
    nc_def_dim(id, "x", n, &dim[1]);
    nc_def_var(id, "x", NC_DOUBLE, 1, &dim[1], &var[0]);
    nc_def_var(id, "y", NC_DOUBLE, 1, &dim[0], &var[1]);
    nc_def_var(id, "u", NC_DOUBLE, 2, dim, &var[2]);
    nc_put_var_double(id, var[0], x);
    nc_put_var_double(id, var[1], x);
    nc_put_var_double(id, var[2], u);
    assert_int_equal(nc_close(id), 0);
    free(x);
    free(u);
}

static double *read_plate(const char *name, size_t n)
{
    int id, var;
    char path[PATH_LENGTH];
    double *u = calloc(n * n, sizeof *u);
    assert_non_null(u);
    scratch_path(path, name);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), 0);
    assert_int_equal(nc_inq_varid(id, "u", &var), 0);
    assert_int_equal(nc_get_var_double(id, var, u), 0);
    nc_close(id);
    return u;
}

/* The mean error after t = 0.05: the cosine decays as exp(-pi^2 t). */
static double error_of_plate(size_t n)
{
    double sum = 0;
    char line[256];
    write_plate("tree/start.nc", n);
    snprintf(line, sizeof line,
             "build/shoal run start.nc --scheme heat --t-end 0.05 --precision f64 --mode strict "
             "--quiet --output plate.nc");
    expect_shell(line);
    double *u = read_plate("tree/plate.nc", n);
    for (size_t k = 0; k < n * n; k++)
        sum += fabs(u[k] - 3000 -
                    cos(PI * ((double)(k % n) + 0.5) / (double)n) * exp(-PI * PI * 0.05));
    free(u);
    return sum / (double)(n * n);
}

/* Of second order; to the bit in blocks of any shape, whatever computes them, and after a restart. */
static void expect_heat(void)
{
    static const char *const otherwise[] = {
        "--threads 2 --block heat=16x3 --output other.nc", "--order shuffled --output other.nc",
        "--parts 3x2 --output other.nc", "--parts 2 --tile 6 --output other.nc",
        ("--t-end 0.03 --output other.nc --checkpoint 0.02 && build/shoal run start.nc --scheme "
         "heat --precision f64 --mode strict --quiet --t-end 0.05 --output other.nc --restart "
         "other.nc.checkpoint.nc")};
    const double coarse = error_of_plate(12), fine_error = error_of_plate(24);
    if (!(coarse < 1e-3 && coarse > 3.8 * fine_error))
        fail_msg("errors of heat: %g on 12 x 12 cells, %g on 24 x 24", coarse, fine_error);
    double *u = read_plate("tree/plate.nc", 24);
    for (size_t k = 0; k < sizeof otherwise / sizeof *otherwise; k++) {
        char line[512];
        snprintf(
            line, sizeof line,
            "build/shoal run start.nc --scheme heat --t-end 0.05 --precision f64 --mode strict "
            "--quiet %s",
            otherwise[k]);
        expect_shell(line);
        double *other = read_plate("tree/other.nc", 24);
        if (memcmp(u, other, (size_t)24 * 24 * sizeof *u) != 0)
            fail_msg("heat has other bits with %s", otherwise[k]);
        free(other);
    }
    free(u);
}

/* What is said of water only. */
static void expect_refused_of_heat(const char *option)
{
    char line[256];
    snprintf(line, sizeof line,
             "build/shoal run start.nc --scheme heat --t-end 1 %s --output plate.nc", option);
    shell(line);
    assert_int_equal(result.status, 2);
    ASSERT_HAS(result.err, option);
}

#endif

static void the_recipe_for_a_system_works(void **state)
{
    (void)state;
    expect_followed("kernels/README.md", "Adding a system");
    shell("build/shoal run circular-dam --scheme heat");
    assert_int_equal(result.status, 2);
    ASSERT_HAS(result.err, "scheme heat solves the system heat, but this run's is shallow_water");
    expect_shell("build/shoal run circular-dam --nx 50 --steps 3 --scheme rk2 --quiet");
    expect_shell("make judge SCHEME=heat QUICK=1"); /* there is no case of it */
#ifdef HAVE_NETCDF
    expect_heat();
    expect_refused_of_heat("--maxima");
    expect_refused_of_heat("--hazard");
#endif
}

static void the_recipe_for_a_case_works(void **state)
{
    (void)state;
    expect_followed("verification/README.md", "Adding a case");
}

static void the_recipe_for_an_invariant_works(void **state)
{
    (void)state;
    expect_followed("verification/README.md", "Adding a norm, an invariant, a figure");
}

/* Mistakes in a README are found, with their place. */
static void a_recipe_that_no_longer_works_is_named(void **state)
{
    static const struct {
        const char *name, *title, *right, *wrong, *said[3];
    } mistakes[] = {
        {"kernels/README.md",
         "Adding a flux",
         "FN struct flux davis(",
         "FN struct flux davies(",
         {"kernels/README.md, 'Adding a flux', line ", "davis.h does not define a function davis()",
          "`make && "}},
        {"kernels/README.md",
         "Adding a limiter",
         "--limiter ospre --nx",
         "--limiter osprey --nx",
         {"kernels/README.md, 'Adding a limiter', line ", "--limiter osprey", "did you mean"}},
        {"verification/README.md",
         "Adding a case",
         "0.005251",
         "0.005252",
         {"verification/README.md, 'Adding a case', line ", "0.005252", "is not printed"}},
    };
    static char text[MOST_README + 64];
    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        const char *readme = read_readme(mistakes[k].name);
        const char *at = strstr(readme, mistakes[k].right);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - readme), readme, mistakes[k].wrong,
                 at + strlen(mistakes[k].right));
        expect_shell("rm -f kernels/fluxes/davis.h kernels/limiters/ospre.h "
                     "verification/cases/stoker-tall.c");
        assert_false(follow(mistakes[k].name, text, mistakes[k].title));
        for (int n = 0; n < 3; n++)
            ASSERT_HAS(fault, mistakes[k].said[n]);
    }
    expect_shell("rm -f kernels/fluxes/davis.h");
    assert_false(follow("a text", "## Reals\n`kernels/real.h` has\n\n    FN real square(real x)\n",
                        "Reals"));
    assert_string_equal(fault, "a text, 'Reals': there is nothing to run");
    assert_false(
        follow("a text", "## Reals\n`kernels/real.h` has\n\n    FN real round(real x)\n", "Reals"));
    assert_string_equal(
        fault, "a text, 'Reals', line 4: 'FN real round(real x)' is not in kernels/real.h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recipe_for_a_limiter_works),
        cmocka_unit_test(the_recipe_for_a_flux_works),
        cmocka_unit_test(the_recipes_for_kernels_work),
        cmocka_unit_test(the_recipe_for_a_scheme_works),
        cmocka_unit_test(the_recipe_for_a_system_works),
        cmocka_unit_test(the_recipe_for_a_case_works),
        cmocka_unit_test(the_recipe_for_an_invariant_works),
        cmocka_unit_test(a_recipe_that_no_longer_works_is_named),
    };
    return cmocka_run_group_tests_name("recipes", tests, tree_create, scratch_remove);
}
