/* A point's run as it is opened: with the blocks asked for, to the end that the case or the experiment says. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/planned.h"
#include "verification/run/verify.h"

/* The block with which a kernel is launched, and where it comes from. */
static void expect_block(const struct sim *s, const char *kernel, int w, int h)
{
    for (int k = 0; s->scheme->kernels[k]; k++) {
        const struct recipe *r = &s->kernels[k].recipe;
        if (strcmp(r->kernel->name, kernel) != 0)
            continue;
        if (r->block.w != w || r->block.h != h)
            fail_msg("%s: %dx%d, not %dx%d", kernel, r->block.w, r->block.h, w, h);
        return;
    }
    fail_msg("%s launches no %s", s->scheme->name, kernel);
}

/* The blocks of the thesis's table 3.1, or all of one size. */
static void expect_blocks(const struct sim *s, const char *scheme, int one)
{
    if (strcmp(scheme, "rk2") == 0) {
        expect_block(s, "flux_fgh0", 16, one ? 16 : 12);
        expect_block(s, "rk1", 16, one ? 16 : 12);
        expect_block(s, "flux_fgh1_ee", 16, one ? 16 : 12);
        expect_block(s, "rk0_ee", 16, one ? 16 : 12);
    } else if (strcmp(scheme, "srk2") == 0) {
        expect_block(s, "flux_fx0", one ? 16 : 64, one ? 16 : 1);
        expect_block(s, "flux_yblock1", 16, 16);
        expect_block(s, "srk1", 16, one ? 16 : 12);
    } else {
        expect_block(s, "flux_fy1", one ? 16 : 64, one ? 16 : 1);
        expect_block(s, "rkt_y0", 16, 16);
    }
}

static void blocks_are_those_asked_for(void **state)
{
    struct measure m = {.setup = on_cpu, .experiment = &plan.x};
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nscheme = rk2 srk2 ds2\n"
            "blocks = default thesis 16x16\nearly-exit = on\nt-end = 0.001\n");
    assert_int_equal(plan.count, 9);
    for (int k = 0; k < plan.count; k++) {
        const struct point *p = &plan.point[k];
        const struct kernel *first = find_kernel(p->scheme->kernels[0]);
        struct opened o;
        assert_fine(measure_open(&m, p, &o));
        assert_int_equal(o.ny, 16);
        assert_true(o.t_end > 0.0009 && o.t_end < 0.0011);
        assert_false(o.config.tuned);
        if (strcmp(p->blocks, "default") == 0)
            expect_block(o.sim, first->name, first->block[CPU].w, first->block[CPU].h);
        else
            expect_blocks(o.sim, p->scheme->name, strcmp(p->blocks, "16x16") == 0);
        assert_fine(sim_run(o.sim, (double)INFINITY, NULL));
        measure_close(&o);
    }
    forget_plan();
}

static void a_run_ends_where_the_case_is_verified_unless_it_is_said(void **state)
{
    struct measure m = {.setup = on_cpu, .experiment = &plan.x};
    const struct flow_case *f = find_case("vortex");
    struct opened o;
    (void)state;
    planned("kind = runs\ncase = vortex\nnx = 16\nrepeat = 1\n");
    assert_fine(measure_open(&m, &plan.point[0], &o));
    assert_true(o.t_end >= verify_end(f) && o.t_end <= verify_end(f));
    assert_true(o.sim->t_end >= o.t_end && o.sim->t_end <= o.t_end);
    measure_close(&o);
    forget_plan();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INSTALLED(blocks_are_those_asked_for),
        INSTALLED(a_run_ends_where_the_case_is_verified_unless_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
