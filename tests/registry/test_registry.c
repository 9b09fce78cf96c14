/* What can be chosen by name: the lists agree with the folders and with each other. */
#include "tests/support/test.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"

enum { CUDA_THREADS = 1024 }; /* the largest block of every device so far */

static void assert_file(const char *folder, const char *name, const char *suffix)
{
    char file[512], path[PATH_LENGTH];
    snprintf(file, sizeof file, "%s/%s%s", folder, name, suffix);
    if (paths_file(file, path))
        fail_msg("%s", err_message());
    if (access(path, R_OK) != 0)
        fail_msg("%s: there is no %s", name, path);
}

/* The number of entries of a folder whose names end in `suffix`. */
static int count_files(const char *name, const char *suffix)
{
    char path[PATH_LENGTH];
    if (paths_file(name, path))
        fail_msg("%s", err_message());
    DIR *folder = opendir(path);
    if (!folder) {
        fail_msg("%s: cannot be opened", path);
        return 0;
    }
    int count = 0;
    for (struct dirent *d = readdir(folder); d; d = readdir(folder)) {
        size_t n = strlen(d->d_name), m = strlen(suffix);
        count += n > m && strcmp(d->d_name + n - m, suffix) == 0;
    }
    closedir(folder);
    return count;
}

/* Names are options, database keys and parts of symbols and file names. */
static void assert_name(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || n > 40 || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != n)
        fail_msg("\"%s\": a name is made of up to 40 lower-case letters, digits, _ and -", name);
}

static void assert_described(const char *name, const char *title)
{
    if (!title || !*title || strchr(title, '\n'))
        fail_msg("%s needs a title of one line", name);
}

static void every_scheme_lies_in_the_folder_of_its_name(void **state)
{
    (void)state;
    assert_non_null(schemes[0]);
    for (const struct scheme *const *s = schemes; *s; s++) {
        assert_name((*s)->name);
        assert_described((*s)->name, (*s)->title);
        assert_file("schemes", (*s)->name, "/");
        if (find_scheme((*s)->name) != *s)
            fail_msg("two schemes are called %s", (*s)->name);
    }
}

static void every_case_lies_in_the_file_of_its_name(void **state)
{
    (void)state;
    int count = 0;
    for (; cases[count]; count++) {
        const struct flow_case *c = cases[count];
        assert_name(c->name);
        assert_described(c->name, c->title);
        assert_file("verification/cases", c->name, ".c");
        if (find_case(c->name) != c)
            fail_msg("two cases are called %s", c->name);
    }
    assert_int_not_equal(count, 0);
    assert_int_equal(count, count_files("verification/cases", ".c"));
}

static void check_plugins(const struct plugin *const *list, const char *folder)
{
    int count = 0;
    for (; list[count]; count++) {
        const struct plugin *p = list[count];
        assert_name(p->name);
        assert_described(p->name, p->title);
        assert_file(folder, p->name, ".h");
        if (find_plugin(list, p->name) != p)
            fail_msg("%s: two plug-ins are called %s", folder, p->name);
    }
    assert_int_not_equal(count, 0);
    assert_int_equal(count, count_files(folder, ".h"));
}

static void every_plugin_lies_in_the_file_of_its_name(void **state)
{
    (void)state;
    check_plugins(limiters, "kernels/limiters");
    check_plugins(fluxes, "kernels/fluxes");
    check_plugins(reconstructions, "kernels/reconstructions");
}

/* Calls a check for every kernel of every table. */
static void for_every_kernel(void (*check)(const struct kernel *))
{
    int count = 0;
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name; k++, count++)
            check(k);
    assert_int_not_equal(count, 0);
}

static void check_kernel_names(const struct kernel *k)
{
    assert_name(k->name);
    assert_name(k->stem);
    if (strncmp(k->name, k->stem, strlen(k->stem)) != 0)
        fail_msg("%s does not begin with its stem, %s", k->name, k->stem);
    if (find_kernel(k->name) != k)
        fail_msg("two kernels are called %s", k->name);
    assert_file("kernels", k->file, "");
}

static void every_kernel_has_a_name_of_its_own_and_a_file(void **state)
{
    (void)state;
    for_every_kernel(check_kernel_names);
}

static void check_blocks(const struct kernel *k)
{
    for (int b = 0; b < BACKENDS; b++)
        if (k->block[b].w <= 0 || k->block[b].h <= 0)
            fail_msg("%s: its default block for backend %d is empty", k->name, b);
    if (block_threads(k, k->block[CUDA]) > CUDA_THREADS)
        fail_msg("%s: its default block for CUDA has more than %d threads", k->name, CUDA_THREADS);
}

static void default_blocks_are_possible(void **state)
{
    (void)state;
    for_every_kernel(check_blocks);
}

static struct recipe default_recipe(const struct kernel *k)
{
    return (struct recipe){.kernel = k,
                           .block = {32, 4},
                           .limiter = limiters[0]->name,
                           .flux = fluxes[0]->name,
                           .reconstruction = reconstructions[0]->name};
}

static void key_of(const struct recipe *r, char key[KEY_LENGTH + 1])
{
    if (recipe_key(r, "any compiler", key))
        fail_msg("%s: %s", r->kernel->name, err_message());
}

/* Needs every #include to be found, and `plugins` to be set where plug-ins are included. */
static void check_key(const struct kernel *k)
{
    struct recipe r = default_recipe(k);
    char mine[KEY_LENGTH + 1], other[KEY_LENGTH + 1];
    key_of(&r, mine);
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *l = *table; l->name && l != k; l++) {
            r = default_recipe(l);
            key_of(&r, other);
            if (strcmp(mine, other) == 0)
                fail_msg("%s and %s are the same kernel", k->name, l->name);
        }
    r = default_recipe(k);
    r.limiter = limiters[1]->name;
    key_of(&r, other);
    if (k->plugins != (strcmp(mine, other) != 0))
        fail_msg("%s: `plugins` must say whether its text uses the limiter", k->name);
}

static void every_kernel_has_a_key_of_its_own(void **state)
{
    (void)state;
    assert_non_null(limiters[0]);
    assert_non_null(limiters[1]);
    for_every_kernel(check_key);
}

static void every_scheme_finds_its_kernels(void **state)
{
    (void)state;
    for (const struct scheme *const *s = schemes; *s; s++) {
        assert_non_null((*s)->kernels);
        assert_non_null((*s)->kernels[0]);
        for (const char *const *k = (*s)->kernels; *k; k++)
            if (!find_kernel(*k))
                fail_msg("scheme %s: there is no kernel %s", (*s)->name, *k);
    }
}

static void every_scheme_claims_what_can_be(void **state)
{
    (void)state;
    for (const struct scheme *const *s = schemes; *s; s++) {
        assert_non_null((*s)->step);
        assert_in_range((*s)->order_space, 1, 9);
        assert_in_range((*s)->order_time, 1, 9);
        assert_in_range((*s)->ghost, 1, GHOSTS);
        assert_in_range((*s)->stages, 0, STATES - 1);
        assert_in_range((*s)->rates, 0, RATES);
        assert_in_range((*s)->steps, 1, 2);
        if (!((*s)->cfl > 0 && (*s)->cfl <= 1))
            fail_msg("scheme %s: a Courant number lies between 0 and 1", (*s)->name);
    }
}

static void check_values_at(const struct flow_case *c, double x, double y)
{
    const struct system *system = case_system(c);
    for (int k = 0; k < system->unknowns; k++)
        if (!isfinite(c->value(x, y, k)))
            fail_msg("case %s: %s is not finite at %g, %g", c->name, system->unknown[k].name, x, y);
    for (int k = 0; k < system->givens; k++)
        if (!(c->given(x, y, k) >= 0))
            fail_msg("case %s: %s is negative at %g, %g", c->name, system->given[k].name, x, y);
}

static void check_case_point(const struct flow_case *c, double x, double y)
{
    struct flow f = case_start(c, x, y);
    if (!isfinite(c->bed(x, y)) || !isfinite(f.w) || !isfinite(f.u) || !isfinite(f.v))
        fail_msg("case %s: not finite at %g, %g", c->name, x, y);
}

static void every_case_is_a_possible_flow(void **state)
{
    (void)state;
    for (const struct flow_case *const *p = cases; *p; p++) {
        const struct flow_case *c = *p;
        assert_true(c->nx > 0 && c->ny > 0);
        const int water = case_system(c)->over_bed;
        if (!(c->lx > 0 && c->ly > 0 && c->t_end > 0 && (c->gravity > 0 || !water) &&
              c->manning >= 0 && c->kappa >= 0))
            fail_msg("case %s: extent, end and gravity are positive, friction and kappa not "
                     "negative",
                     c->name);
        assert_int_equal(c->boundary[WEST] == PERIODIC, c->boundary[EAST] == PERIODIC);
        assert_int_equal(c->boundary[SOUTH] == PERIODIC, c->boundary[NORTH] == PERIODIC);
        for (int j = 0; j <= 20; j++)
            for (int i = 0; i <= 20; i++)
                (water ? check_case_point : check_values_at)(c, c->x0 + i * c->lx / 20,
                                                             c->y0 + j * c->ly / 20);
    }
}

static void a_name_that_is_not_there_is_not_found(void **state)
{
    (void)state;
    assert_null(find_scheme("rk"));
    assert_null(find_case(""));
    assert_null(find_kernel("flux_fgh"));
    assert_null(find_plugin(limiters, "minmo"));
}

static void a_mistyped_name_finds_the_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {
        "minmod",         "mc",           "superbee",         "van_leer", "rk2",
        "euler",          "circular-dam", "circular-dam-dry", "gauss",    "parabola",
        "central_upwind", "--tile",       "--tiles-most",     "--source"};
    static const struct {
        const char *typed, *nearest;
    } examples[] = {
        {"mimod", "minmod"},
        {"minmdo", "minmod"},
        {"MinMod", "minmod"},
        {"rk3", "rk2"},
        {"kr2", "rk2"},
        {"vanleer", "van_leer"},
        {"circ", "circular-dam"},
        {"circular-dam-drz", "circular-dam-dry"},
        {"gaus", "gauss"},
        {"eluer", "euler"},
        {"central", "central_upwind"},
        {"super", "superbee"},
        {"--tiles", "--tile"},
        {"--tiles-", "--tiles-most"},
        {"--sorce", "--source"},
        {"--sparse", NULL},
        {"quadratic", NULL},
        {"x", NULL},
        {"", NULL},
        {"rk2000000", NULL},
        {"minmodminmodminmodminmodminmodminmodminmodminmodminmodminmodminmod", NULL},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const char *nearest =
            nearest_name(examples[k].typed, names, (int)(sizeof names / sizeof *names));
        const char *got = nearest ? nearest : "none";
        const char *want = examples[k].nearest ? examples[k].nearest : "none";
        if (strcmp(got, want) != 0)
            fail_msg("\"%s\": nearest is %s, not %s", examples[k].typed, want, got);
    }
    assert_null(nearest_name("rk2", names, 0));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_lies_in_the_folder_of_its_name),
        cmocka_unit_test(every_case_lies_in_the_file_of_its_name),
        cmocka_unit_test(every_plugin_lies_in_the_file_of_its_name),
        cmocka_unit_test(every_kernel_has_a_name_of_its_own_and_a_file),
        cmocka_unit_test(default_blocks_are_possible),
        cmocka_unit_test(every_kernel_has_a_key_of_its_own),
        cmocka_unit_test(every_scheme_finds_its_kernels),
        cmocka_unit_test(every_scheme_claims_what_can_be),
        cmocka_unit_test(every_case_is_a_possible_flow),
        cmocka_unit_test(a_name_that_is_not_there_is_not_found),
        cmocka_unit_test(a_mistyped_name_finds_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
