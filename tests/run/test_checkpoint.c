/* Checkpoints hold all that a run needs to continue with the same bits. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/need_gpu.h"
#include "tests/support/checkpoints.h"

static void check_scheme(const struct config *of)
{
    const struct config c = config_of(of->scheme, (enum precision)of->precision);
    check_restart(&c, &c, "restarted");
}

static void every_scheme_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for_every_scheme(check_scheme);
}

/* The inflow carries twice the concentration of the water inside. */
static void a_tracer_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    int carriers = 0;
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; p < PRECISIONS && schemes[k]->also; p++, carriers++) {
            struct config c = config_of(schemes[k]->name, (enum precision)p);
            c.tracer.number = 0.5;
            set(&c, "bc-west", "inflow:5,c=1");
            check_restart(&c, &c, "restarted with a tracer");
        }
    assert_true(carriers >= 10);
}

/* Beside islands depths are clipped, with a bed and a flux that have steps. */
static void what_clipping_adds_of_a_tracer_is_not_forgotten(void **state)
{
    (void)state;
    struct config c = config_of("rk2", F32);
    struct run half;
    struct balance amount;
    snprintf(c.input, sizeof c.input, "three-humps");
    set(&c, "reconstruction", "steps");
    set(&c, "flux", "fwave");
    c.tracer.number = 0.5;
    c.t_end = 16;
    start(&half, &c);
    step_to(&half, 0.5 * c.t_end);
    fine(sim_balance_of(half.sim, 1, &amount));
    end(&half);
    assert_true(amount.clipped_in > 0);
    check_restart(&c, &c, "restarted beside islands");
}

static void how_it_is_computed_may_change(void **state)
{
    (void)state;
    struct config c = config_of("rk2", F32), other;
    set(&c, "bc-west", "wall"); /* beside other edges no block is skipped */
    set(&c, "bc-east", "wall");
    other = c;
    other.early_exit = EARLY_EXIT_ON;
    check_restart(&c, &other, "restarted with early exit");
    check_restart(&other, &c, "restarted without early exit");
    c = config_of("ds2", F32);
    c.sweep = SWEEP_YX;
    other = c;
    other.threads = 2;
    check_restart(&c, &other, "restarted with two threads, y before x");
}

static void the_number_of_parts_may_change(void **state)
{
    (void)state;
    static const char *const schemes_asked[] = {"rk2_fused", "ds2"};
    for (int k = 0; k < 2; k++) {
        struct config whole = config_of(schemes_asked[k], F32), three, four;
        whole.maxima = 1;
        three = four = whole;
        set(&three, "parts", "3");
        set(&four, "parts", "2x2");
        check_restart(&whole, &three, "restarted in three parts");
        check_restart(&three, &four, "begun in three, restarted in four");
        check_restart(&four, &whole, "begun in four parts, restarted in one");
    }
}

/* A checkpoint in memory. */
struct copy {
    struct content content;
    void *data[CHECKPOINT_ARRAYS];
};

static void read_copy(struct copy *c, struct run *r)
{
    step_to(r, 0.3);
    keep(r);
    fine(checkpoint_read(&c->content, r->sim->system, file));
    for (int k = 0; k < c->content.count; k++) {
        const struct stored_array *a = &c->content.array[k];
        c->data[k] = malloc(a->bytes);
        assert_non_null(c->data[k]);
        fine(content_get(&c->content, a, 0, a->bytes, c->data[k]));
    }
    content_close(&c->content);
    end(r);
}

static void free_copy(struct copy *c)
{
    for (int k = 0; k < c->content.count; k++)
        free(c->data[k]);
    content_free(&c->content);
}

static void the_file_is_the_same_for_any_number_of_parts(void **state)
{
    (void)state;
    static const char *const cuts[] = {"2", "3x2"};
    struct config c = config_of("rk2", F32);
    c.maxima = 1;
    struct run plain, cut;
    struct copy want, have;
    start(&plain, &c);
    read_copy(&want, &plain);
    for (int k = 0; k < 2; k++) {
        set(&c, "parts", cuts[k]);
        start(&cut, &c);
        read_copy(&have, &cut);
        assert_string_equal(want.content.settings, have.content.settings);
        assert_int_equal(want.content.count, have.content.count);
        for (int a = 0; a < want.content.count; a++) {
            const struct stored_array *x = &want.content.array[a], *y = &have.content.array[a];
            assert_string_equal(x->name, y->name);
            assert_int_equal(x->bytes, y->bytes);
            if (memcmp(want.data[a], have.data[a], x->bytes) != 0)
                fail_msg("in parts %s: '%s' differs", cuts[k], x->name);
        }
        free_copy(&have);
    }
    free_copy(&want);
}

static void maxima_go_on(void **state)
{
    (void)state;
    struct config c = config_of("euler", F32);
    c.maxima = 1;
    c.maxima_every = 3;
    check_restart(&c, &c, "restarted with maxima");
}

/* The first pass of split schemes differs from the following ones. */
static void a_run_that_has_not_begun_goes_on_with_its_first_step(void **state)
{
    (void)state;
    const struct config c = config_of("ds1", F32);
    struct run straight, first, second;
    start(&straight, &c);
    step_to(&straight, (double)INFINITY);
    start(&first, &c);
    keep(&first);
    end(&first);
    resume(&second, &c);
    expect_equal(&straight, &second, "restarted at its beginning");
    end(&straight);
    end(&second);
}

static void a_gpu_goes_on_where_a_cpu_was_and_the_other_way_round(void **state)
{
    (void)state;
    need_gpu("restart on a GPU");
    FOR_SCHEMES_OF_WATER (k) {
        const struct config cpu = config_of(schemes[k]->name, F32);
        struct config cuda = cpu;
        snprintf(cuda.backend, sizeof cuda.backend, "cuda");
        check_restart(&cpu, &cuda, "restarted on a GPU");
        check_restart(&cuda, &cpu, "restarted on a CPU");
        check_restart(&cuda, &cuda, "restarted on the GPU");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(every_scheme_goes_on_with_the_same_bits),
        IN_SCRATCH(a_tracer_goes_on_with_the_same_bits),
        IN_SCRATCH(what_clipping_adds_of_a_tracer_is_not_forgotten),
        IN_SCRATCH(how_it_is_computed_may_change),
        IN_SCRATCH(the_number_of_parts_may_change),
        IN_SCRATCH(the_file_is_the_same_for_any_number_of_parts),
        IN_SCRATCH(maxima_go_on),
        IN_SCRATCH(a_run_that_has_not_begun_goes_on_with_its_first_step),
        IN_SCRATCH(a_gpu_goes_on_where_a_cpu_was_and_the_other_way_round),
    };
    if (!ncfile_available()) {
        print_message("skipped: checkpoints: %s\n", err_message());
        return 0;
    }
    log_quiet(1);
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
