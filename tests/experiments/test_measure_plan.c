/* What an experiment's [measure] means: points, defaults, and what is refused. */
#include "tests/support/test.h"

#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "tests/support/planned.h"

static void a_plan_is_the_product_of_what_is_listed_repetitions_outermost(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine lake\nscheme = rk2 euler\nnx = 16 32\nprecision = f32 f64\n"
            "repeat = 2\n");
    assert_int_equal(plan.count, 2 * 2 * 2 * 2 * 2);
    for (int k = 0; k < plan.count; k++) {
        const struct point *p = &plan.point[k];
        assert_int_equal(p->run, k < 16 ? 1 : 2);
        for (int m = 0; m < k; m++) {
            const struct point *q = &plan.point[m];
            assert_false(p->flow_case == q->flow_case && p->scheme == q->scheme && p->nx == q->nx &&
                         p->precision == q->precision && p->run == q->run);
        }
        assert_ptr_equal(p->scheme, plan.point[(k + 16) % 32].scheme);
    }
    forget_plan();
}

static void what_is_not_said_has_its_default(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16\n");
    assert_int_equal(plan.count, 3);
    const struct point *p = &plan.point[2];
    assert_ptr_equal(p->flow_case, find_case("sine"));
    assert_string_equal(p->scheme->name, "rk2");
    assert_true(p->precision == F32 && p->mode == FAST_MODE && p->nx == 16 && p->run == 3);
    assert_true(isnan(p->cfl) && isnan(p->dt_factor));
    assert_string_equal(p->limiter, "minmod");
    assert_int_equal(p->early_exit, EARLY_EXIT_OFF);
    assert_string_equal(p->blocks, "tuned");
    assert_string_equal(p->define, "-");
    forget_plan();
    /* The scheme claims the default Courant number: these are one point. */
    planned("kind = runs\ncase = sine\nnx = 16\ncfl = claim default 0.1\nrepeat = 1\n"
            "define = - DIAGONAL=0\nmode = strict\nblocks = default 8x4\nearly-exit = on\n");
    assert_int_equal(plan.count, 2 * 2 * 2);
    assert_true(isnan(plan.point[0].cfl));
    assert_true(plan.point[4].cfl > 0.0999 && plan.point[4].cfl < 0.1001);
    assert_string_equal(plan.point[1].define, "DIAGONAL=0");
    assert_string_equal(plan.point[2].blocks, "8x4");
    assert_true(plan.point[0].mode == STRICT && plan.point[0].early_exit == EARLY_EXIT_ON);
    forget_plan();
}

static void values_may_differ_by_backend_and_options_narrow_them_down(void **state)
{
    static const char wanted[] = "kind = runs\ncase = sine\nnx = 16 32\nnx.cuda = 64\n"
                                 "precision = f32 f64\nrepeat.cpu = 1\nrepeat = 2\n";
    struct measure_setup setup = on_cpu;
    (void)state;
    planned(wanted);
    assert_int_equal(plan.count, 4);
    forget_plan();
    setup.backend = CUDA;
    assert_fine(make_plan(wanted, setup));
    assert_int_equal(plan.count, 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal(plan.point[k].nx, 64);
    forget_plan();
    setup = on_cpu;
    setup.nx = 24;
    setup.precision = F64;
    assert_fine(make_plan(wanted, setup));
    assert_int_equal(plan.count, 1);
    assert_true(plan.point[0].nx == 24 && plan.point[0].precision == F64);
    forget_plan();
}

static void a_size_may_say_both_sides(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16 24x40\nrepeat = 1\n");
    assert_int_equal(plan.count, 2);
    assert_true(plan.point[0].nx == 16 && plan.point[0].ny == 0);
    assert_true(plan.point[1].nx == 24 && plan.point[1].ny == 40);
    forget_plan();
    static const char *const wrong[][2] = {{"16 16x8", "two sizes have 16 cells from west to east"},
                                           {"16x", "ny"},
                                           {"x16", "nx"},
                                           {"16x8x8", "ny"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char wanted[256];
        snprintf(wanted, sizeof wanted, "kind = runs\ncase = sine\nnx = %s\n", wrong[k][0]);
        assert_int_equal(make_plan(wanted, on_cpu), ERR_INPUT);
        assert_non_null(strstr(err_message(), wrong[k][1]));
        experiment_free(&plan.x);
    }
}

/* three-humps has one size of its own, rk2_fused two Courant numbers, of which hancock claims one. */
static void a_size_may_be_for_one_case_and_a_courant_number_for_one_scheme(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine three-humps\nscheme = rk2 rk2_fused hancock\n"
            "nx = 16 32 three-humps:20x7\ncfl = claim 0.1 rk2_fused:claim rk2_fused:0.45\n"
            "repeat = 1\n");
    assert_int_equal(plan.count, 3 * 2 * 3);
    for (int k = 0; k < plan.count; k++) {
        const struct point *p = &plan.point[k];
        const int humps = strcmp(p->flow_case->name, "three-humps") == 0;
        assert_true(humps ? p->nx == 20 && p->ny == 7 : (p->nx == 16 || p->nx == 32) && !p->ny);
        const double other = strcmp(p->scheme->name, "rk2_fused") == 0 ? 0.45 : 0.1;
        assert_true(isnan(p->cfl) || p->cfl == other);
    }
    forget_plan();
    static const char *const wrong[][2] = {
        {"nx = 16 lake:32", "it.ini:8: nx: 'lake:32' is about lake, which is no case"},
        {"nx = 16 sine:", "nx"},
        {"nx = 16 :32", "nx"},
        {"nx = 16\ncfl = rk2:0.1 srk2:0.2", "it.ini:9: cfl: 'srk2:0.2' is about srk2, which is no "
                                            "scheme"},
        {"nx = 16\nt-end = lake:3", "it.ini:9: t-end: 'lake:3' is about lake"},
        {"nx = 16\nt-end = 1 2", "it.ini:9: t-end: two times for sine"},
        {"nx = 16\nt-end = sine:soon", "it.ini:9: t-end: expected a number, got 'soon'"},
        {"nx = 16\nt-end = 0", "it.ini:9: t-end: expected "},
        {"nx = 16\nerror = yes", "sine has none: add 'finer = 4'"},
        {"nx = 16\nerror = yes\nfiner = 1", "finer"},
        {"nx = sine:16\nlimiter = sine:mc", "limiter"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char wanted[256];
        snprintf(wanted, sizeof wanted, "kind = runs\ncase = sine\n%s\n", wrong[k][0]);
        if (make_plan(wanted, on_cpu) != ERR_INPUT || !strstr(err_message(), wrong[k][1]))
            fail_msg("%s: %s", wrong[k][0], err_message());
        experiment_free(&plan.x);
    }
}

static void schemes_can_be_named_by_what_they_are(void **state)
{
    int all = 0, split = 0;
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        all++;
        split += schemes[k]->split != 0;
    }
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nscheme = all\n");
    assert_int_equal(plan.count, all);
    forget_plan();
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nscheme = split rk2\n");
    assert_int_equal(plan.count, split + 1);
    for (int k = 0; k < split; k++)
        assert_true(plan.point[k].scheme->split);
    forget_plan();
}

static void what_means_nothing_to_a_scheme_makes_no_further_points(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 2\nscheme = rk2 ds2 rk2_fused\n"
            "dt-factor = default 0.5 0.95\nearly-exit = off on\n");
    /* rk2: early exit; the others: two factors, as 0.95 is the default. */
    assert_int_equal(plan.count, 2 * (2 + 2 + 2));
    for (int k = 0; k < plan.count; k++) {
        const struct point *p = &plan.point[k];
        const int plain = strcmp(p->scheme->name, "rk2") == 0;
        assert_true(plain ? isnan(p->dt_factor) : p->dt_factor > 0.49 && p->dt_factor < 0.96);
        assert_true(plain || p->early_exit == EARLY_EXIT_OFF);
    }
    forget_plan();
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nscheme = ds2 rk2_fused\n");
    assert_int_equal(plan.count, 2);
    assert_true(plan.point[0].dt_factor > 0.94 && isnan(plan.point[1].dt_factor));
    forget_plan();
}

static void graphs_make_points_on_a_gpu_alone_and_are_told_where_they_are_named(void **state)
{
    static const char wanted[] = "kind = runs\ncase = sine\nnx = 16\nrepeat = 1\n"
                                 "early-exit = off on\ngraphs.cuda = off on auto\n";
    const struct measure_setup on_cuda = {.backend = CUDA, .precision = -1};
    (void)state;
    planned(wanted);
    assert_int_equal(plan.count, 2);
    for (int k = 0; k < 2; k++)
        assert_true(plan.point[k].told == TELLS_GRAPHS && plan.point[k].graphs == GRAPHS_OFF);
    forget_plan();
    assert_fine(make_plan(wanted, on_cuda));
    assert_int_equal(plan.count, 2 * 3);
    assert_int_equal(plan.point[0].graphs, GRAPHS_OFF);
    assert_int_equal(plan.point[1].graphs, GRAPHS_ON);
    assert_int_equal(plan.point[2].graphs, GRAPHS_AUTO);
    forget_plan();
    assert_fine(make_plan("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\n", on_cuda));
    assert_int_equal(plan.count, 1);
    assert_true(plan.point[0].told == 0 && plan.point[0].graphs == GRAPHS_OFF);
    forget_plan();
}

static void cells_of_a_metre_make_a_square_of_the_case(void **state)
{
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16 32\nrepeat = 2\nunit-cells = yes\n");
    assert_int_equal(plan.count, 4);
    for (int k = 0; k < plan.count; k++) {
        const struct flow_case *f = plan.point[k].flow_case;
        const double n = k % 2 ? 32 : 16;
        assert_string_equal(f->name, "sine");
        assert_true(f->lx >= n && f->lx <= n && f->ly >= n && f->ly <= n);
        assert_true(f->x0 >= -n / 2 && f->x0 <= -n / 2);
        assert_ptr_equal(f->initial, find_case("sine")->initial);
    }
    forget_plan();
}

static void a_scheme_that_the_run_chooses_has_points_with_tuned_blocks_only(void **state)
{
    int automatic = 0;
    (void)state;
    planned("kind = runs\ncase = sine\nnx = 16\nrepeat = 1\nscheme = rk2 auto\n"
            "blocks = thesis tuned\nearly-exit = off auto\n");
    assert_int_equal(plan.count, 2 * 2 + 2);
    for (int k = 0; k < plan.count; k++) {
        automatic += plan.point[k].automatic;
        assert_true(!plan.point[k].automatic || strcmp(plan.point[k].blocks, "tuned") == 0);
    }
    assert_int_equal(automatic, 2);
    forget_plan();
    assert_int_equal(make_plan("kind = profile\ncase = sine\nnx = 8\nscheme = auto\n", on_cpu),
                     ERR_INPUT);
    ASSERT_HAS(err_message(), "it.ini:9: scheme: 'auto' depends");
    forget_plan();
}

static void faulty_values_are_named_by_file_line_and_key(void **state)
{
    static const struct {
        const char *line, *message;
    } faults[] = {
        {"case = nosuch\nnx = 8", "it.ini:7: case: unknown case 'nosuch'"},
        {"case = sine\nnx = 8 none", "it.ini:8: nx: expected a whole number, got 'none'"},
        {"case = sine\nnx.cpu = 0", "it.ini:8: nx.cpu: "},
        {"case = sine\nnx.cuda = 8", "it.ini:5: [measure] must have 'nx = ...' or 'nx.cpu = ...'"},
        {"nx = 8", "it.ini:5: [measure] must have 'case = ...'"},
        {"case = sine\nnx = 8\nscheme = rk3", "it.ini:9: scheme: unknown scheme 'rk3'"},
        {"case = sine\nnx = 8\nprecision = f16", "it.ini:9: precision: "},
        {"case = sine\nnx = 8\nmode = slow", "it.ini:9: mode: "},
        {"case = sine\nnx = 8\ncfl = -1", "it.ini:9: cfl: "},
        {"case = sine\nnx = 8\ndt-factor = 0", "it.ini:9: dt-factor: "},
        {"case = sine\nnx = 8\nlimiter = nosuch", "it.ini:9: limiter: "},
        {"case = sine\nnx = 8\nearly-exit = maybe", "it.ini:9: early-exit: "},
        {"case = sine\nnx = 8\ngraphs = yes", "it.ini:9: graphs: "},
        {"case = sine\nnx = 8\noptions = parts", "'parts': expected options of `shoal run`"},
        {"case = sine\nnx = 8\noptions = speed=3", "'speed=3': expected options of `shoal run`"},
        {"case = sine\nnx = 8\noptions = parts=2,ghost-steps=0", "--ghost-steps: expected auto, "},
        {"case = sine\nnx = 8\noptions = scheme=rk2", "'scheme' is a key of [measure] itself"},
        {"case = sine\nnx = 8\nblocks = 16",
         "it.ini:9: blocks: expected tuned, default, thesis or WxH, such as 16x16, got '16'"},
        {"case = sine\nnx = 8\nblocks = 16x", "it.ini:9: blocks: "},
        {"case = sine\nnx = 8\nblocks = +1x08", "it.ini:9: blocks: "},
        {"case = sine\nnx = 8\nblocks = 2000x1", "it.ini:9: blocks: "},
        {"case = sine\nnx = 8\nblocks = thesis\nscheme = rk2 rk2_fused",
         "it.ini:9: blocks: the thesis has no block for fused0, which rk2_fused launches"},
        {"case = sine\nnx = 8\ndefine = DIAGONAL", "it.ini:9: define: "},
        {"case = sine\nnx = 8\nrepeat = 0", "it.ini:9: repeat: expected 1 to 1000, got 0"},
        {"case = sine\nnx = 8\nrepeat = 1.5",
         "it.ini:9: repeat: expected a whole number, got '1.5'"},
        {"case = sine\nnx = 8\nt-end = soon", "it.ini:9: t-end: expected a number, got 'soon'"},
        {"case = sine\nnx = 8\nenough = nan", "it.ini:9: enough: "},
        {"case = sine\nnx = 8\nt-end = 1\nsteps = 5", "it.ini:9: t-end: with steps"},
        {"case = sine\nnx = 8\nunit-cells = maybe",
         "it.ini:9: unit-cells: expected yes or no, got 'maybe'"},
        {"case = sine\nnx = 8\nerror = 1", "it.ini:9: error: expected yes or no, got '1'"},
        {"case = lake sine\nnx = 8\nerror = yes", "it.ini:7: case: with 'error = yes'"},
        {"case = vortex\nnx = 8\nerror = yes\nsteps = 4",
         "it.ini:9: error: a run of a number of steps"},
        {"case = vortex\nnx = 8\nerror = yes\nunit-cells = yes", "it.ini:9: error: with cells"},
        {"case = sine\nnx = 8\nbackend = gpu", "it.ini:9: backend: 'gpu' is neither"},
        {"case = sine\nnx = 8 16 24 32 40\nrepeat = 1000", "it.ini:5: [measure] makes more than"},
    };
    char wanted[512];
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        snprintf(wanted, sizeof wanted, "kind = runs\n%s\n", faults[k].line);
        if (make_plan(wanted, on_cpu) != ERR_INPUT)
            fail_msg("'%s' is taken", faults[k].line);
        ASSERT_HAS(err_message(), faults[k].message);
        assert_null(plan.point);
        forget_plan();
    }
}

static void an_experiment_of_one_backend_says_what_it_needs(void **state)
{
    static const char wanted[] =
        "kind = runs\ncase = sine\nnx = 8\nbackend = cuda\nneeds = CUPTI\n";
    struct measure_setup on_cuda = {.backend = CUDA, .precision = -1};
    char first[256], folder[PATH_LENGTH];
    int missing = -1;
    (void)state;
    assert_int_equal(make_plan(wanted, on_cpu), ERR_ABSENT);
    ASSERT_HAS(err_message(), "--backend cuda only; it needs CUPTI");
    scratch_path(folder, "db");
    assert_fine(measure_missing(&plan.x, CPU, folder, &missing, first));
    assert_int_equal(missing, 0);
    assert_fine(measure_missing(&plan.x, CUDA, folder, &missing, first));
    assert_int_equal(missing, 3);
    forget_plan();
    assert_fine(make_plan(wanted, on_cuda));
    assert_int_equal(plan.count, 3);
    forget_plan();
}

/* The experiments that come with Shoal, for both backends. Kinds without points do not use measure_plan. */
static void the_experiments_that_there_are_can_be_planned(void **state)
{
    struct experiment_list list;
    int planned_ones = 0;
    (void)state;
    assert_fine(experiment_list_read(&list));
    for (int k = 0; k < list.count; k++) {
        struct experiment x;
        assert_fine(experiment_read(&x, list.name[k]));
        const char *kind = experiment_value(&x, experiment_section(&x, "measure", 0), "kind");
        for (int b = 0; b < BACKENDS && kind && strcmp(kind, "tuning") != 0; b++) {
            const struct measure_setup setup = {.backend = (enum backend_kind)b, .precision = -1};
            struct point *point;
            int count;
            const enum err e = measure_plan(&x, &setup, &point, &count);
            if (e != ERR_ABSENT)
                assert_fine(e);
            assert_true(e || count > 0);
            planned_ones += !e;
            free(point);
        }
        experiment_free(&x);
    }
    experiment_list_free(&list);
    assert_true(planned_ones >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INSTALLED(a_plan_is_the_product_of_what_is_listed_repetitions_outermost),
        INSTALLED(what_is_not_said_has_its_default),
        INSTALLED(values_may_differ_by_backend_and_options_narrow_them_down),
        INSTALLED(a_size_may_say_both_sides),
        INSTALLED(a_size_may_be_for_one_case_and_a_courant_number_for_one_scheme),
        INSTALLED(schemes_can_be_named_by_what_they_are),
        INSTALLED(what_means_nothing_to_a_scheme_makes_no_further_points),
        INSTALLED(graphs_make_points_on_a_gpu_alone_and_are_told_where_they_are_named),
        INSTALLED(cells_of_a_metre_make_a_square_of_the_case),
        INSTALLED(a_scheme_that_the_run_chooses_has_points_with_tuned_blocks_only),
        INSTALLED(faulty_values_are_named_by_file_line_and_key),
        INSTALLED(an_experiment_of_one_backend_says_what_it_needs),
        cmocka_unit_test(the_experiments_that_there_are_can_be_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
