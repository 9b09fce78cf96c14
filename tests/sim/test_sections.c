/* The volume that passes a line is what lies behind it now and did not before; cutting the run up changes no bit of
 * it. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/sim/balance.h"
#include "core/sim/sections.h"
#include "core/sim/sparse.h"
#include "tests/support/checkpoints.h"

/* Across the whole domain of 40 x 40 m, a staircase of cells; and a line that ends inside it. */
static const double FROM[2] = {-31, -14}, TO[2] = {33, 11};

static struct config config_with(const char *scheme, enum precision p)
{
    struct config c = config_of(scheme, p);
    char typed[128];
    snprintf(typed, sizeof typed, "across,%g,%g,%g,%g", FROM[0], FROM[1], TO[0], TO[1]);
    set(&c, "section", typed);
    set(&c, "section", "inside,-3,-2,2,9");
    return c;
}

/* Volume in cells to the left of the line, seen in its direction, m3. */
static double volume_to_the_left(struct run *r)
{
    const struct grid_info *g = &r->p.setup.grid;
    double sum = 0, *h = calloc(CELLS, sizeof *h);
    assert_non_null(h);
    fine(sim_depth(r->sim, h));
    for (int k = 0; k < CELLS; k++) {
        const double x = grid_x(g, k % NX) - FROM[0], y = grid_y(g, k / NX) - FROM[1];
        const double depth =
            r->sim->real_size == sizeof(double) ? h[k] : (double)((float *)(void *)h)[k];
        if ((TO[0] - FROM[0]) * y - (TO[1] - FROM[1]) * x >= 0)
            sum += depth * g->dx * g->dy;
    }
    free(h);
    return sum;
}

static double passed(struct run *r, int section)
{
    double volume[2];
    fine(sim_sections_volumes(r->sim, &r->p.sections, volume));
    return volume[section];
}

static void expect_change(const char *scheme, enum precision p, int sweep, double t)
{
    struct config c = config_with(scheme, p);
    struct balance b;
    struct run r;
    c.sweep = sweep;
    set(&c, "bc-west", "wall");
    set(&c, "bc-east", "wall");
    start(&r, &c);
    const double before = volume_to_the_left(&r);
    step_to(&r, t); /* a pause on the way counts nothing twice */
    step_to(&r, (double)INFINITY);
    fine(sim_balance(r.sim, &b));
    const double change = volume_to_the_left(&r) - before, all = r.sim->total0[0];
    const double rounding = (p == F64 ? 1e-12 : 2e-7) * all + b.clipped_in;
    if (!(fabs(passed(&r, 0) - change) <= rounding) || !(fabs(change) > 1e-2))
        fail_msg("%s: %.12g m3 have passed, and behind the line there are %.12g more (of %g)",
                 described(&c), passed(&r, 0), change, all);
    end(&r);
}

static void what_passes_a_line_lies_behind_it(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k)
        if (!schemes[k]->midpoint)
            expect_change(schemes[k]->name, F64, SWEEP_XY, 0.3);
    expect_change("rk2_fused", F32, SWEEP_XY, 0.2);
    expect_change("ds2", F64, SWEEP_YX, 0.2);
}

static void lines_along_edges_have_what_crosses_them(void **state)
{
    struct config c = config_of("rk2", F64);
    struct balance b;
    struct run r;
    (void)state;
    set(&c, "bc-east", "discharge:0.5");
    set(&c, "section", "west,-20,30,-20,-30");
    set(&c, "section", "east,20,30,20,-30");
    start(&r, &c);
    step_to(&r, (double)INFINITY);
    fine(sim_balance(r.sim, &b));
    if (!(fabs(passed(&r, 0) - b.in * 2 / 3) <= 1e-12 * b.in) ||
        !(fabs(passed(&r, 1) + b.in / 3) <= 1e-12 * b.in) || !(b.in > 1))
        fail_msg("%.17g and %.17g m3 have passed, %.17g came in", passed(&r, 0), passed(&r, 1),
                 b.in);
    end(&r);
}

static void expect_passed(struct run *want, struct run *have, const char *how)
{
    for (int k = 0; k < 2; k++)
        if (memcmp(&(double){passed(want, k)}, &(double){passed(have, k)}, sizeof(double)) != 0)
            fail_msg("%s: section %d has %.17g m3, not %.17g", how, k, passed(have, k),
                     passed(want, k));
}

static void expect_same_as(struct run *want, const struct config *c, const char *how)
{
    struct run r;
    start(&r, c);
    step_to(&r, (double)INFINITY);
    expect_passed(want, &r, how);
    end(&r);
}

static void parts_tiles_blocks_and_early_exit_change_no_bit(void **state)
{
    static const char *const others[][3] = {
        {"parts", "3x2", "parts"},
        {"tile", "12x9", "tiles"},
        {"domain", "sparse", "a sparse domain"},
        {"early-exit", "on", "early exit"},
        {"block", "sections=4x1", "blocks"},
        {"ranks", "2", "processes"},
    };
    struct config c = config_with("rk2", F32);
    struct run want;
    (void)state;
    start(&want, &c);
    step_to(&want, (double)INFINITY);
    assert_true(fabs(passed(&want, 0)) > 1e-2 && fabs(passed(&want, 1)) > 1e-2);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct config other = c;
        set(&other, others[k][0], others[k][1]);
        if (strcmp(others[k][0], "ranks") == 0)
            set(&other, "parts", "2x1");
        if (strcmp(others[k][0], "domain") == 0)
            set(&other, "tile", "6x4"); /* lines cross tiles that would not be stored */
        expect_same_as(&want, &other, others[k][2]);
    }
    end(&want);
    c = config_with("ds1", F64);
    start(&want, &c);
    step_to(&want, (double)INFINITY);
    set(&c, "parts", "2x2");
    expect_same_as(&want, &c, "parts that turn");
    end(&want);
}

/* It would be dropped: its places in memory are found once. */
static void a_tile_under_a_line_is_stored_for_ever(void **state)
{
    struct config c = config_of("rk2", F32);
    struct run r;
    (void)state;
    set(&c, "bc-west", "wall");
    set(&c, "bc-east", "wall");
    set(&c, "domain", "sparse");
    set(&c, "tile", "6x4");
    c.nx = c.ny = 2 * NX;
    set(&c, "section", "far,18,18,18,19.9");
    start(&r, &c);
    const struct section_face *f = &r.p.sections.place[0].face[0];
    const int tile = tiles_of_cell(&r.sim->tiles, f->i, f->j);
    step_to(&r, 1e-3);
    fine(sparse_tidy(r.sim));
    assert_true(r.sim->forest->slot[tile] >= 0 && r.sim->forest->slot[tile - 1] < 0);
    end(&r);
}

static void a_run_that_goes_on_counts_on(void **state)
{
    struct config c = config_with("rk2_fused", F32), cut;
    struct run straight, second;
    (void)state;
    run_straight(&straight, &c);
    cut = c;
    set(&cut, "parts", "2x2");
    keep_at(&cut, KEPT_AT);
    resume(&second, &c);
    expect_passed(&straight, &second, "restarted");
    end(&second);
    end(&straight);
    set(&c, "section", "more,0,0,1,9");
    start(&second, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(second.sim, &second.p, file, rows),
                   "--section was");
    end(&second);
}

static void expect_refused(const char *typed, const char *words)
{
    struct config c = config_of("rk2", F32);
    struct problem p = {0};
    enum err e = option_set(option_find(run_options, "section"), &c, typed);
    e = e ? e : problem_open(&p, &c);
    assert_int_equal(e, ERR_USAGE);
    if (!strstr(err_message(), words))
        fail_msg("%s: %s", typed, err_message());
    problem_close(&p);
}

static void what_is_no_line_is_refused_with_words(void **state)
{
    (void)state;
    expect_refused("a,1,2,3", "got 4 parts");
    expect_refused("a,1,2,3,4,5", "more than 5 parts");
    expect_refused(",1,2,3,4", "has no name");
    expect_refused("a,1,2,3,x", "'x' is not a number");
    expect_refused("a,1,2,3,nan", "'nan' is not a number");
    expect_refused("a,1,2,1,2", "begins and ends at (1, 2)");
    expect_refused("a,500,0,500,9", "crosses no face between cells; the domain is x = -20 to 20");
}

static void schemes_whose_fluxes_are_of_half_a_step_later_refuse_lines(void **state)
{
    (void)state;
    int seen = 0;
    FOR_SCHEMES_OF_WATER (k) {
        struct problem p;
        struct sim *s = NULL;
        if (!schemes[k]->midpoint)
            continue;
        const struct config c = config_with(schemes[k]->name, F32);
        fine(problem_open(&p, &c));
        assert_int_equal(sim_create(&s, &p.setup), ERR_USAGE);
        assert_non_null(strstr(err_message(), "choose another scheme, such as rk2_fused"));
        problem_close(&p);
        seen++;
    }
    assert_true(seen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(what_passes_a_line_lies_behind_it),
        IN_SCRATCH(lines_along_edges_have_what_crosses_them),
        IN_SCRATCH(parts_tiles_blocks_and_early_exit_change_no_bit),
        IN_SCRATCH(a_tile_under_a_line_is_stored_for_ever),
        IN_SCRATCH(a_run_that_goes_on_counts_on),
        IN_SCRATCH(what_is_no_line_is_refused_with_words),
        IN_SCRATCH(schemes_whose_fluxes_are_of_half_a_step_later_refuse_lines),
    };
    log_quiet(2);
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
