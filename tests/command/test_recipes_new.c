/* What `make new-limiter` and its like create compiles, runs and passes the tests unchanged; an invalid name is
 * refused. In a copy of the tree. */
#include "tests/support/everything.h"
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/readme.h"
#include "tests/support/tree.h"

enum { BLOCKS = 4 };

/* The next steps that `make new-...` prints are followed, too, as far as they are quick. */
static void expect_next_steps(void)
{
    static struct readme_block block[BLOCKS];
    static char printed[MOST_TEXT];
    int commands = 0;
    strcpy(printed, result.out);
    assert_int_equal(readme_blocks(printed, "", block, BLOCKS), 1);
    for (char *rest = block[0].text, *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "make", 4) != 0 || strstr(line, "judge") || strstr(line, "TEST=schemes"))
            continue;
        commands++;
        expect_shell(line);
    }
    assert_true(commands > 0);
}

static void skeletons_work_as_they_stand(void **state)
{
    static const char *const lines[] = {"make new-limiter NAME=my_limiter",
                                        "make new-flux NAME=my_flux", "make new-case NAME=my-case",
                                        "make new-scheme NAME=my_scheme FROM=rk2"};
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        expect_shell(lines[k]);
        ASSERT_HAS(result.out, "EDIT THIS");
        ASSERT_HAS(result.out, "make judge ");
        expect_next_steps();
    }
    expect_shell("build/shoal verify --case my-case --scheme rk2 --backend cpu");
    ASSERT_HAS(result.out, " failed=0 ");
    expect_shell("grep -q 'EDIT THIS' kernels/limiters/my_limiter.h kernels/fluxes/my_flux.h "
                 "verification/cases/my-case.c schemes/my_scheme/my_scheme.c");
}

/* The number and lengths of the steps, and the volumes, without names and times. */
static void numbers_of_run(const char *scheme, char numbers[512])
{
    char line[512];
    snprintf(line, sizeof line,
             "build/shoal run circular-dam --nx 40 --mode strict --scheme %s | "
             "sed -e 's/scheme=[a-z0-9_]*//' -e 's/wall=.*mass_error/mass_error/'",
             scheme);
    expect_shell(line);
    snprintf(numbers, 512, "%s", result.out);
    ASSERT_HAS(numbers, "steps=");
}

/* Without SHOAL_TEST_FULL two: rk2 is copied above. */
static int is_copied(const char *scheme)
{
    return everything() || strcmp(scheme, "hancock") == 0 || strcmp(scheme, "ds2") == 0;
}

static void a_copy_of_any_scheme_computes_what_the_scheme_does(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        char line[256];
        if (!is_copied(schemes[k]->name))
            continue;
        snprintf(line, sizeof line, "make new-scheme NAME=copy_%s FROM=%s", schemes[k]->name,
                 schemes[k]->name);
        expect_shell(line);
    }
    expect_shell("make");
    FOR_SCHEMES_OF_WATER (k) {
        char name[64], was[512], is[512];
        if (!is_copied(schemes[k]->name))
            continue;
        snprintf(name, sizeof name, "copy_%s", schemes[k]->name);
        numbers_of_run(schemes[k]->name, was);
        numbers_of_run(name, is);
        assert_string_equal(was, is);
    }
}

static void names_that_cannot_be_are_refused_in_one_line_and_nothing_is_written(void **state)
{
    static const struct {
        const char *command, *said;
    } examples[] = {
        {"new-limiter", "it needs a name: make new-limiter NAME="},
        {"new-limiter NAME=Mine", "'Mine' is no name for a limiter: it is made of lower-case"},
        {"new-limiter NAME=2nd", "'2nd' is no name for a limiter"},
        {"new-limiter NAME=my-own", "'my-own' is no name for a limiter"},
        {"new-limiter NAME=../mine", "'../mine' is no name for a limiter"},
        {"new-limiter NAME='a b'", "'a b' is no name for a limiter"},
        {"new-limiter NAME=minmod",
         "there is a limiter 'minmod' already, kernels/limiters/minmod.h"},
        {"new-limiter NAME=hll", "'hll' means something else in kernels/fluxes/hll.h"},
        {"new-limiter NAME=celerity", "'celerity' means something else in kernels/num/"},
        {"new-limiter NAME=pow", "'pow' is a function of C or CUDA"},
        {"new-limiter NAME=fminf", "'fminf' is a function of C or CUDA"},
        {"new-flux NAME=switch", "'switch' is a word of C, C++ or CUDA"},
        {"new-flux NAME=template", "'template' is a word of C, C++ or CUDA"},
        {"new-flux NAME=central_upwind", "there is a flux 'central_upwind' already"},
        {"new-flux NAME=aaaaaaaaaabbbbbbbbbbccccccccccddddddddddx", "at most 40 characters"},
        {"new-scheme FROM=rk2", "it needs a name: make new-scheme NAME=... FROM=..."},
        {"new-scheme NAME=mine",
         "which scheme is to be copied? FROM= basin basin_cons ds1 ds2 euler"},
        {"new-scheme NAME=mine FROM=rk9",
         "there is no scheme 'rk9' to copy: FROM is one of basin basin_cons ds1"},
        {"new-scheme NAME=mine FROM=..", "there is no scheme '..' to copy"},
        {"new-scheme NAME=rk2 FROM=euler", "there is a scheme 'rk2' already, schemes/rk2"},
        {"new-scheme NAME=auto FROM=rk2", "'auto' is a word of C, C++ or CUDA"},
        {"new-case NAME=my_dam",
         "'my_dam' is no name for a case: it is made of lower-case letters, "
         "digits and hyphens"},
        {"new-case NAME=circular-dam", "there is a case 'circular-dam' already"},
        {"new-system NAME=tracer", "there is a system 'tracer' already, kernels/systems/tracer.c"},
        {"new-system NAME=flux", "the name 'flux' is taken by kernels/flux.c"},
        {"new-system NAME=rk2", "the name 'rk2' is taken by schemes/rk2"},
    };
    static const char list[] = "ls -aR kernels schemes verification | cksum";
    char before[128], line[256];
    (void)state;
    expect_shell(list);
    snprintf(before, sizeof before, "%s", result.out);
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        snprintf(line, sizeof line, "make %s", examples[k].command);
        shell(line);
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, examples[k].said);
        assert_string_equal(result.out, "");
        /* The second line is make's own. */
        const char *end = strchr(result.err, '\n');
        assert_non_null(end);
        assert_true(strncmp(end + 1, "make: ***", 9) == 0);
    }
    expect_shell(list);
    assert_string_equal(result.out, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_cannot_be_are_refused_in_one_line_and_nothing_is_written),
        cmocka_unit_test(skeletons_work_as_they_stand),
        cmocka_unit_test(a_copy_of_any_scheme_computes_what_the_scheme_does),
    };
    return cmocka_run_group_tests_name("recipes_new", tests, tree_create, scratch_remove);
}
