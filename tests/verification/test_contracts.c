/* The contracts name mistakes: those of tests/mistakes, planted in a copy of the tree, each by the sentence that is
 * meant for it, before any consequence of it, and nothing else. */
#include "tests/support/test.h"

#include <math.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "verification/contracts/plugin_loader.h"

static const struct mistake {
    const char *kind, *name;
    const char *check, *sentence; /* null: there is none */
    const char *example;
} mistakes[] = {
    {"limiter", "honest", NULL, NULL, NULL},
    {"limiter", "stray_sign", "sign", "wrong sign", "stray_sign(1, 1, 1.3) = -1"},
    {"limiter", "minus_inside", "exact on straight lines", "the sign of one is wrong",
     "minus_inside(1, 1, 1.3) = 0, not 1"},
    {"limiter", "leaning", "symmetric", "is not symmetric though it declares it", "1.33333"},
    {"limiter", "nan_at_rest", "finite", "0/0 where both differences are zero",
     "nan_at_rest(0, 0, 1.3) = NaN"},
    {"limiter", "overflowing", "finite", "large differences overflow", "in f32"},
    {"limiter", "upright", "odd", "is not odd though it declares SYMMETRIC",
     "upright(-1, -1, 1.3) = 0"},
    {"limiter", "steep", "TVD", "leaves Sweby's region", "steep(4, 1, 1.3) = 2.5"},
    {"limiter", "over_extrema", "zero at extrema", "is not zero at an extremum",
     "over_extrema(1, 0, 1.3) = 0.5"},
    {"limiter", "with_unit", "no unit", "depends on units", "with_unit(1, 1, 1.3)"},
    {"limiter", "one_eyed", "arguments", "ignores its difference b", "one_eyed(1, 3, 1.3) = 1"},
    {"limiter", "bare_literal", "compiles", "does not compile",
     "kernels/limiters/bare_literal.h:9:"},
    {"flux", "honest_flux", NULL, NULL, NULL},
    {"flux", "minus_pressure", "consistent", "a stray sign in the momentum flux", "-4.905"},
    {"flux", "lopsided", "consistent", "weights of the two sides that do not add up to 1", "1.5"},
    {"flux", "straight_on", "consistent", "the tangential momentum is not transported",
     "(1, 5.905, 0), not (1, 5.905, 1)"},
    {"flux", "backward_wave", "symmetric", "a stray sign in a velocity or a wave speed", "h 1"},
    {"flux", "uphill", "downhill", "from the shallow side to the deep one", "h 0, u 0, v 0 | h 1"},
    {"flux", "emptying", "takes nothing from dry ground", "takes water out of a dry side", "h 0"},
    {"flux", "nan_when_dry", "finite", "not finite beside a dry side", "NaN"},
    {"flux", "leaking_film", "dry", "leaks through a face that is dry", "h 0, u 0, v 0 | h 0"},
    {"reconstruction", "cutting", "positive", "cuts the bed", "0 m of water in the cell"},
    {"reconstruction", "boasting", "islands at rest", "stirs a lake around an island",
     "5 x 4 cells, 1 step"},
    /* An honest scheme takes long: test_schemes asks some. */
    {"scheme", "wide_stencil", "ghost cells", "reads more ghost cells than it claims",
     "3 x 1 cells"},
    {"scheme", "no_star", "ghost cells", ".star reads none beyond two edges", "1 x 1 cells"},
    {"scheme", "no_ghosts", "ghost cells", "that was never filled", "1 x 1 cells"},
    {"scheme", "leaky", "volume", "loses or creates water between walls", "3 x 1 cells, 1 step"},
    {"scheme", "one_sided", "mirrored in x", "treats west and east differently", "3 x 1 cells"},
    {"scheme", "stirring", "lake at rest", "does not keep a lake at rest", "3 x 1 cells, 1 step"},
    {"scheme", "no_sync", "blocks", "a SYNC is missing", "9 x 7 cells, 1 step"},
    {"scheme", "wrong_share", "edges", "the share of settle_balance", "3 x 1 cells"},
    {"scheme", "wrong_clip", "clipping", ".clip_share must be", "clipped in"},
    {"scheme", "late_step", "past", "depends on the past", "step 2 takes"},
    {"scheme", "moody", "same launches", "launches other kernels", "pass 4 launches"},
    {"scheme", "first_rate", "order", "has a lower order than it claims", "it claims 2"},
    {"scheme", "rash", "stable", "is unstable at the Courant number", "at Courant number 0.25"},
    {"scheme", "no_steps", "table", ".steps is missing", ""},
    {"case", "circular-dam", NULL, NULL, NULL},
    {"case", "nan-shore", "initial state", "not finite: probably a root", "NaN"},
    {"case", "late-start", "exact at time 0", "does not begin with its initial state", "1.1"},
    {"case", "not-a-solution", "exact solution", "does not solve the shallow-water equations",
     "the terms of an equation"},
    {"case", "moving-bed", "pure", "different values for the same point", "the bed is"},
    {"case", "flooded-bank", "dry points", "is not dry where it says so", "has the velocity"},
    {"case", "second-pond", "wet", "has water outside the rectangle", "the level is 1"},
    {"case", "cliff", "kappa", "states no kappa", "kappa is 2.5 m"},
    {"case", "kilometres", "units", "is in another unit", "the domain 0.001 m"},
    {"case", "no-end", "table", ".t_end is missing", ""},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes, WORKERS = 2, MOST = 1 << 20 };

static char copy[PATH_LENGTH], said[MOST];

/* The folder in which make has built. */
static void find_build(char build[PATH_LENGTH])
{
    const char *program = getenv("SHOAL_BIN");
    if (!program || !*program)
        assert_int_equal(paths_file("build/shoal", build), ERR_OK);
    else
        assert_non_null(realpath(program, build));
    *strrchr(build, '/') = '\0';
}

static void append(char *text, size_t n, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t n, const char *fmt, ...)
{
    const size_t used = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    assert_true((size_t)vsnprintf(text + used, n - used, fmt, ap) < n - used);
    va_end(ap);
}

/* The workers share the entries; each leaves its remarks in a file. The copy uses the kernels that others have
 * compiled, too. */
static void ask_all(void)
{
    static char command[4 * PATH_LENGTH];
    const char *cache;
    assert_int_equal(paths_cache(&cache), ERR_OK);
    append(command, sizeof command, "cd '%s' && unset SHOAL_HOME && export SHOAL_CACHE='%s'; ",
           copy, cache);
    for (int w = 0; w < WORKERS; w++) {
        append(command, sizeof command, "build/shoal");
        for (int k = w; k < MISTAKES; k += WORKERS)
            append(command, sizeof command, " %s %s", mistakes[k].kind, mistakes[k].name);
        append(command, sizeof command, " >said%d & one%d=$!; ", w, w);
    }
    append(command, sizeof command, "wait $one0 && wait $one1");
    assert_int_equal(system(command), 0);
}

static void take_in(void)
{
    size_t used = 0;
    for (int w = 0; w < WORKERS; w++) {
        char path[PATH_LENGTH + 16];
        snprintf(path, sizeof path, "%s/said%d", copy, w);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        used += fread(said + used, 1, sizeof said - 1 - used, f);
        fclose(f);
    }
    said[used] = '\0';
}

static int plant_and_ask(void **state)
{
    static char command[4 * PATH_LENGTH];
    char build[PATH_LENGTH];
    const char *home;
    (void)state;
    find_build(build);
    assert_int_equal(paths_home(&home), ERR_OK);
    snprintf(copy, sizeof copy, "%.*s/contracts-XXXXXX", PATH_LENGTH - 32, build);
    assert_non_null(mkdtemp(copy));
    append(command, sizeof command, "'%s/tests/mistakes/plant' '%s' '%s' '%s' >'%s/log' 2>&1", home,
           home, build, copy, copy);
    if (system(command) != 0) {
        *command = '\0';
        append(command, sizeof command, "tail -n 30 '%s/log' >&2", copy);
        print_error("the copy with mistakes cannot be built:\n");
        (void)!system(command);
        return -1;
    }
    ask_all();
    take_in();
    return 0;
}

static int remove_copy(void **state)
{
    static char command[2 * PATH_LENGTH];
    (void)state;
    append(command, sizeof command, "rm -rf '%s'", copy);
    return system(command);
}

/* A line's fields. */
struct answer {
    char text[2048];
    char *field[6];
};
enum { KIND, NAME, ANSWER, CHECK, SENTENCE, EXAMPLE, FIELDS };

/* The first line about an entry with FAILS, if any; *lines: how many lines there are about it. */
static int first_failure(const struct mistake *m, struct answer *a, int *lines)
{
    *lines = 0;
    for (const char *line = said; *line; line += strcspn(line, "\n") + 1) {
        const size_t n = strcspn(line, "\n");
        assert_true(n < sizeof a->text);
        memcpy(a->text, line, n);
        a->text[n] = '\0';
        char *rest = a->text;
        for (int k = 0; k < FIELDS; k++) {
            a->field[k] = strsep(&rest, "\t");
            assert_non_null(a->field[k]);
        }
        if (strcmp(a->field[KIND], m->kind) != 0 || strcmp(a->field[NAME], m->name) != 0)
            continue;
        ++*lines;
        if (strcmp(a->field[ANSWER], "FAILS") == 0)
            return 1;
    }
    return 0;
}

static void expect_named(const struct mistake *m)
{
    struct answer a;
    int lines;
    if (!first_failure(m, &a, &lines))
        fail_msg("%s %s passes", m->kind, m->name);
    if (strcmp(a.field[CHECK], m->check) != 0 || !strstr(a.field[SENTENCE], m->sentence) ||
        !strstr(a.field[EXAMPLE], m->example))
        fail_msg(
            "%s %s: the first failure is '%s': '%s' (%s); expected '%s': '... %s ...' (... %s ...)",
            m->kind, m->name, a.field[CHECK], a.field[SENTENCE], a.field[EXAMPLE], m->check,
            m->sentence, m->example);
    if (!strstr(a.field[SENTENCE], m->name))
        fail_msg("%s %s: '%s' does not say whose mistake it is", m->kind, m->name,
                 a.field[SENTENCE]);
}

static void expect_all(const char *kind)
{
    int asked = 0;
    for (int k = 0; k < MISTAKES; k++)
        if (strcmp(mistakes[k].kind, kind) == 0 && mistakes[k].check) {
            expect_named(&mistakes[k]);
            asked++;
        }
    assert_true(asked > 0);
}

static void mistakes_in_a_limiter_are_named(void **state)
{
    (void)state;
    expect_all("limiter");
}

/* A slope of the wrong sign is neither exact nor within a region: to say so would be wrong. */
static void what_a_failed_premise_makes_meaningless_is_not_tried(void **state)
{
    static const char *const moot[] = {"exact on straight lines", "TVD"};
    (void)state;
    for (size_t k = 0; k < sizeof moot / sizeof *moot; k++) {
        char line[256];
        snprintf(line, sizeof line,
                 "limiter\tstray_sign\tNOT_ASKED\t%s\tnot tried: \"sign\" must hold first",
                 moot[k]);
        if (!strstr(said, line))
            fail_msg("there is no line '%s'", line);
    }
}

static void mistakes_in_a_flux_are_named(void **state)
{
    (void)state;
    expect_all("flux");
}

static void mistakes_in_a_reconstruction_are_named(void **state)
{
    (void)state;
    expect_all("reconstruction");
}

static void mistakes_in_a_scheme_are_named(void **state)
{
    (void)state;
    expect_all("scheme");
}

static void mistakes_in_a_case_are_named(void **state)
{
    (void)state;
    expect_all("case");
}

static void who_makes_no_mistake_passes(void **state)
{
    (void)state;
    for (int k = 0; k < MISTAKES; k++) {
        struct answer a;
        int lines;
        if (mistakes[k].check)
            continue;
        if (first_failure(&mistakes[k], &a, &lines))
            fail_msg("%s %s: %s (%s)", mistakes[k].kind, mistakes[k].name, a.field[SENTENCE],
                     a.field[EXAMPLE]);
        assert_true(lines > 8);
    }
}

/* A flux and its mirror image. Users' compilers try harder than that of most tests: the numbers of a flux become a
 * vector. The last test, as it changes what the others ask for. */
static void no_product_is_fused_with_a_sum(void **state)
{
    static const struct plain_side l[] = {{0.1, 1, 0, 0}, {0.1, -3, 0, 0}},
                                   r[] = {{0.1, 3, 0, 0}, {0.1, -1, 0, 0}};
    struct plugin_library lib;
    struct plain_flux f[2];
    (void)state;
    assert_int_equal(setenv("SHOAL_HOME", copy, 1), 0);
    unsetenv("SHOAL_KERNEL_CFLAGS");
    if (plugin_load(&lib, FLUX_PLUGIN, "honest_flux", F64))
        fail_msg("%s", err_message());
    for (int k = 0; k < 2; k++)
        lib.flux(l + k, r + k, 9.81, f + k, 1);
    plugin_unload(&lib);
    assert_true(f[0].h > 0.05);
    assert_true(!(fabs(f[0].h + f[1].h) > 0) && !(fabs(f[0].n - f[1].n) > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_a_limiter_are_named),
        cmocka_unit_test(what_a_failed_premise_makes_meaningless_is_not_tried),
        cmocka_unit_test(mistakes_in_a_flux_are_named),
        cmocka_unit_test(mistakes_in_a_reconstruction_are_named),
        cmocka_unit_test(mistakes_in_a_scheme_are_named),
        cmocka_unit_test(mistakes_in_a_case_are_named),
        cmocka_unit_test(who_makes_no_mistake_passes),
        cmocka_unit_test(no_product_is_fused_with_a_sum),
    };
    return cmocka_run_group_tests_name("contracts", tests, plant_and_ask, remove_copy);
}
