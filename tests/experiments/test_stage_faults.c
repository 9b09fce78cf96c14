/* What a stage reports about kernels with wrong results, and about trials that cannot run. */
#include "tests/support/test.h"

#include "core/base/log.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/stages.h"

/* A mistake in a kernel's text, and the words that report it. */
struct mistake {
    const char *kernel, *file, *right, *wrong, *fault;
    enum mode mode;
};

static const struct mistake mistakes[] = {
    {"rk0", "rk.cu", "a.to.hv[k] = q.hv;\n        }\n#ifdef TILED", "}\n#ifdef TILED",
     "hv is off the strict reference by inf", FAST_MODE},
    {"rk1", "num/update.h", "REAL(0.5) * (base +", "REAL(0.5001) * (base +", "hu is off",
     FAST_MODE},
    {"rk1", "rk.cu", "a.to.eta[k] = q.eta;\n            a.to.hu[k] = q.hu;\n            a.to.hv[k]",
     "a.to.eta[k] = i == 3 ? real_of(bits_of(q.eta) + 1) : q.eta;\n"
     "            a.to.hu[k] = q.hu;\n            a.to.hv[k]",
     "eta is off the strict reference by ", STRICT},
    {"rkt_x1", "rk.cu",
     "a.to.eta[k] = t->eta[j][i];\n            a.to.hu[k] = t->hu[j][i];\n"
     "            a.to.hv[k] = t->hv[j][i];\n        }\n    }\n",
     "a.to.eta[k + 1] = t->eta[j][i];\n            a.to.hu[k] = t->hu[j][i];\n"
     "            a.to.hv[k] = t->hv[j][i];\n        }\n    }\n",
     "eta is off the strict reference by ", FAST_MODE},
    {"flux_fgh0", "flux.cu", "rw = ALONG_X ? rw + gw : gw;", "rw = gw;", "rate of eta is off",
     FAST_MODE},
    {"flux_fgh0", "flux.cu", "TAKE_MAX(fastest, i, faster(l, r, a.p.g) * a.p.inv_dx);", ";",
     "the largest wave speed is off", FAST_MODE},
    {"flux_fgh1_ee", "flux.cu", "a.wet.skip[BLOCK_ID])", "a.wet.skip[BLOCK_ID / 2])",
     "with resting blocks left out: rate of ", STRICT},
    {"rk1_ee", "rk.cu", "a.wet.skip[BLOCK_ID])", "a.wet.skip[BLOCK_ID / 2])",
     "with resting blocks left out: ", STRICT},
};

/* Compiles a copy of the kernels with the mistake in it. */
static void compile_wrong(const struct mistake *m, struct trial *t)
{
    struct device *dev = NULL;
    kernel_copy(scratch);
    kernel_plant(m->file, m->right, m->wrong);
    const enum err e =
        backend_cpu.open(&dev, &(struct device_options){.threads = 1, .march = "native"}) ||
        backend_cpu.compile(dev, &t->recipe, t->path);
    kernel_copy_leave();
    backend_cpu.close(dev);
    if (e)
        fail_msg("%s", err_message());
}

static void wrong_answers_are_caught_and_told(void **state)
{
    static struct trial t;
    (void)state;
    for (size_t n = 0; n < sizeof mistakes / sizeof *mistakes; n++) {
        const struct mistake *m = &mistakes[n];
        struct stage_setup setup;
        struct stage *s = stage_with(m->kernel, m->mode, F32, &setup);
        start(&setup, m->kernel, (struct block){8, 6}, &t);
        compile_wrong(m, &t);
        fine(stage_admit(s, &t));
        assert_outcome(&t, DB_WRONG_ANSWER, m->fault);
        stage_destroy(s);
    }
}

static void the_code_of_another_kernel_is_caught(void **state)
{
    static struct trial right, wrong;
    struct stage_setup setup;
    struct stage *s = stage_with("rk0", STRICT, F32, &setup);
    (void)state;
    start(&setup, "rk1", (struct block){16, 16}, &right);
    fine(s->sim->backend->compile(s->sim->device, &right.recipe, right.path));
    start(&setup, "rk0", (struct block){16, 16}, &wrong);
    strcpy(wrong.path, right.path);
    fine(stage_admit(s, &wrong));
    assert_outcome(&wrong, DB_WRONG_ANSWER, "eta is off the strict reference");
    stage_destroy(s);
}

static void what_cannot_run_is_told_apart(void **state)
{
    static struct trial t;
    struct stage_setup setup;
    struct stage *s = stage_with("rk0", FAST_MODE, F32, &setup);
    (void)state;
    start(&setup, "rk0", (struct block){1, 1}, &t);
    fine(stage_admit(s, &t));
    assert_outcome(&t, DB_CONSTRAINT, "blocks of 1x1 are 7680, and a stage has room for 1920");
    start(&setup, "srk0", (struct block){16, 16}, &t);
    assert_int_equal(stage_admit(s, &t), ERR_CHECK);
    start(&setup, "rk0", (struct block){16, 16}, &t);
    struct trial *one[] = {&t};
    assert_int_equal(stage_time(s, one, 1, 1, 1), ERR_CHECK);
    stage_destroy(s);
}

static int set_up(void **state)
{
    (void)state;
    log_quiet(1);
    backend = &backend_cpu;
    scratch_create();
    return kernel_home_find();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_answers_are_caught_and_told),
        cmocka_unit_test(the_code_of_another_kernel_is_caught),
        cmocka_unit_test(what_cannot_run_is_told_apart),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
