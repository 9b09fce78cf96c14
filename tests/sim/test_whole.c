/* Schemes without tiles or sections refuse them, and say what can be done instead. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/edge_run.h"

static struct flow still(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){1, 0, 0};
}

static const struct flow_case pond = {.name = "pond",
                                      .nx = 32,
                                      .ny = 24,
                                      .lx = 32,
                                      .ly = 24,
                                      .t_end = 1,
                                      .gravity = 9.81,
                                      .kappa = 0.001,
                                      .bed = flat_bed,
                                      .initial = still};

/* A refusal comes from opening the problem, or from creating the simulation. */
static enum err opened(const char *scheme, const char *option)
{
    struct config c;
    struct problem p;
    struct sim *s = NULL;
    const char *const words[] = {a_case(), "--backend=cpu", "--threads=1",      "--scheme",
                                 scheme,   option,          "--output=pond.nc", NULL};
    ASSERT_READ(read_words(&c, words));
    enum err e = problem_open_case(&p, &pond, &c);
    if (e)
        return e;
    e = sim_create(&s, &p.setup);
    sim_destroy(s);
    problem_close(&p);
    return e;
}

static void expect_refusal(const char *scheme, const char *option, const char *part)
{
    const enum err e = opened(scheme, option);
    ASSERT_REFUSED(e, part);
    ASSERT_REFUSED(e, scheme);
    ASSERT_REFUSED(e, "rk2_fused");
    assert_int_equal(e, ERR_USAGE);
    assert_int_equal(opened("rk2_fused", option), ERR_OK);
}

static void what_a_scheme_cannot_do_is_refused_with_another_choice(void **state)
{
    (void)state;
    int seen = 0;
    for (int k = 0; schemes[k]; k++) {
        const char *const name = schemes[k]->name;
        if (schemes[k]->untiled) {
            expect_refusal(name, "--tile=16x16", "leave out --tile");
            expect_refusal(name, "--domain=sparse", "leave out --tile");
        }
        if (!schemes[k]->midpoint)
            continue;
        seen++;
        expect_refusal(name, "--section=gate,4,4,4,20", "--section");
        assert_int_equal(opened(name, "--parts=2"), ERR_OK);
    }
    assert_true(seen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_scheme_cannot_do_is_refused_with_another_choice),
    };
    return cmocka_run_group_tests_name("whole", tests, edge_run_set_up, scratch_remove);
}
