/* What parts and tiles have in common: cells that several compute are counted once, all parts enqueue as many passes
 * and take the same step, and corners are filled, too. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "core/sim/balance.h"
#include "core/sim/parts.h"
#include "core/sim/tiling.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

/* Where a bed and a flux have steps water is clipped beside islands, and a tracer with it. */
static struct config clipping(void)
{
    struct config c;
    configure(&c, "rk2", F32);
    strcpy(c.reconstruction, "steps");
    strcpy(c.flux, "fwave");
    c.steps = STEPS;
    return c;
}

static void what_is_clipped_in_an_overlap_counts_once(void **state)
{
    (void)state;
    const struct config c = clipping();
    struct balance amount;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    struct sim *sim = create(&c, &s);
    fine(sim_run(sim, (double)INFINITY, NULL));
    fine(sim_balance_of(sim, 1, &amount));
    assert_true(amount.clipped_in > 0);
    sim_destroy(sim);
    expect_same_run(&c, &s, "2x2 every 2");
    scene_free(&s);
    scene_solve(NULL);
}

/* Threads that wait for their cores measure other times. */
static void parts_that_take_longer_enqueue_as_many_passes(void **state)
{
    (void)state;
    scene_solve(find_system("tracer"));
    struct scene s = new_shore();
    const struct config c = clipping(), other = in_parts(&c, "2x2");
    struct sim *plain = create(&c, &s), *cut = create(&other, &s);
    for (int k = 0; k < 4; k++)
        cut->parts->sim[k]->per_step = k == 2 ? 1 : 1e-6; /* s */
    fine(sim_run(plain, (double)INFINITY, NULL));
    fine(sim_run(cut, (double)INFINITY, NULL));
    struct outcome want = outcome_of(&c, plain, &s), have = outcome_of(&other, cut, &s);
    expect_same_outcome(&c, &want, &have, "2x2");
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(plain);
    sim_destroy(cut);
    scene_free(&s);
    scene_solve(NULL);
}

/* Also the one whose water is slow. */
static void all_parts_take_the_same_step(void **state)
{
    (void)state;
    struct scene s = new_shore();
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = 3;
    const struct config other = in_parts(&c, "3");
    struct sim *sim = create(&other, &s);
    fine(sim_run(sim, (double)INFINITY, NULL));
    const struct clock *const first = &sim->parts->sim[0]->now;
    for (int k = 1; k < 3; k++) {
        const struct clock *const now = &sim->parts->sim[k]->now;
        if (now->dt != first->dt || now->t != first->t)
            fail_msg("part %d took a step of its own: its last one is %.9g s and ends at %.9g s, "
                     "that of part 0 is %.9g s and ends at %.9g s",
                     k, now->dt, now->t, first->dt, first->t);
    }
    sim_destroy(sim);
    scene_free(&s);
}

/* A part or a tile: its cells in the domain, and where an unknown of the first of them is stored. */
struct piece {
    struct window cells;
    const char *first;
    long pitch;
};

static struct piece piece_of(const struct sim *whole, int k, int unknown)
{
    const struct sim *const s = whole->parts ? whole->parts->sim[k] : whole;
    const struct array *const a = sim_unknown(s, unknown);
    if (whole->parts)
        return (struct piece){s->window, (char *)array_first(s, a, PLAIN), s->pitch[PLAIN]};
    const size_t at = (size_t)tiling_slot(s, k) * tiling_slot_bytes(s);
    return (struct piece){tiles_window(&s->tiles, k),
                          (char *)a->memory + at + tiling_cell(s, 0, 0) * s->real_size,
                          (long)(tiling_cell(s, 0, 1) - tiling_cell(s, 0, 0))};
}

enum beside { AT_SIDES = 1, AT_CORNERS = 2 };

struct ghosts_seen {
    int seen, wrong;
    char first[96]; /* wrong one */
};

static void compare_ghosts(const struct piece *p, int which, const float *cells,
                           struct ghosts_seen *g)
{
    const int nx = p->cells.nx, ny = p->cells.ny;
    for (int j = -GHOSTS; j < ny + GHOSTS; j++)
        for (int i = -GHOSTS; i < nx + GHOSTS; i++) {
            const int beyond = (i < 0 || i >= nx) + (j < 0 || j >= ny);
            const int x = p->cells.i0 + i, y = p->cells.j0 + j;
            if (!(beyond & which) || x < 0 || y < 0 || x >= NX || y >= NY)
                continue;
            float have, want = cells[y * NX + x];
            memcpy(&have, p->first + (j * p->pitch + i) * (long)sizeof have, sizeof have);
            g->seen++;
            if (memcmp(&have, &want, sizeof want) != 0 && g->wrong++ == 0)
                snprintf(g->first, sizeof g->first, "ghost cell (%d, %d) has %.9g, the cell %.9g",
                         i, j, (double)have, (double)want);
        }
}

/* How many ghost cells do not hold what the cells there do. `text` says where one is. After two steps: the
 * solution may have broken down, as those that are never filled are NaN. */
static int wrong_ghosts(const char *scheme, const char *parts, int which, char text[160])
{
    static float cells[CELLS];
    int wrong = 0;
    struct scene s = new_shore();
    struct config c;
    configure(&c, scheme, F32);
    c.steps = 2;
    c = in_parts(&c, parts);
    struct sim *sim = create(&c, &s);
    const enum err e = sim_run(sim, (double)INFINITY, NULL);
    assert_true(e == ERR_OK || e == ERR_BROKEN);
    const int pieces = sim->parts ? sim->parts->count : tiles_count(&sim->tiles);
    for (int n = 0; n < 3 * pieces; n++) {
        const int unknown = n / pieces, k = n % pieces;
        const struct piece p = piece_of(sim, k, unknown);
        struct ghosts_seen g = {0};
        fine(sim_read(sim, sim_unknown(sim, unknown), NULL, cells));
        compare_ghosts(&p, which, cells, &g);
        assert_true(g.seen > 0);
        if (g.wrong && !wrong)
            snprintf(text, 160, "of unknown %d of %s %d %s", unknown, sim->parts ? "part" : "tile",
                     k, g.first);
        wrong += g.wrong;
    }
    sim_destroy(sim);
    scene_free(&s);
    return wrong;
}

static void expect_ghosts(const char *scheme, const char *parts, int which)
{
    char text[160];
    const int wrong = wrong_ghosts(scheme, parts, which, text);
    if (wrong)
        fail_msg("%s, %s: %s; %d are wrong", scheme, parts, text, wrong);
}

static void ghost_cells_between_parts_are_the_cells_there(void **state)
{
    (void)state;
    expect_ghosts("rk2", "3", AT_SIDES);
    expect_ghosts("rk2", "2x3", AT_SIDES); /* corners: tests/mesh/test_partition.c */
}

/* Those that a substep pushes, and those that a launch of their own fills. */
static void ghost_cells_of_tiles_are_as_new_as_the_cells_there(void **state)
{
    (void)state;
    expect_ghosts("rk2_fused", "any in 12x9", AT_SIDES);
    expect_ghosts("rk2", "any in 12x9", AT_SIDES | AT_CORNERS);
    expect_ghosts("rk2_fused", "any in 11x9", AT_SIDES | AT_CORNERS); /* odd: by a launch */
}

/* No scheme with tiles reads them; a predictor (kernels/num/predictor.h) does. */
static void a_corner_of_a_tile_that_is_not_filled_is_noticed(void **state)
{
    char text[160];
    (void)state;
    kernel_plant("tile_push.h", "side == TILE_SIDES / 2 ||", "side % 2 == 0 ||");
    assert_true(wrong_ghosts("rk2", "any in 12x9", AT_CORNERS, text) > 0);
    kernel_plant("tile_ghosts.cu", "if ((!dx && !dy) ||", "if ((!dx && !dy) || (dx && dy) ||");
    assert_true(wrong_ghosts("rk2_fused", "any in 11x9", AT_CORNERS, text) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_clipped_in_an_overlap_counts_once),
        cmocka_unit_test(parts_that_take_longer_enqueue_as_many_passes),
        cmocka_unit_test(all_parts_take_the_same_step),
        cmocka_unit_test(ghost_cells_between_parts_are_the_cells_there),
        cmocka_unit_test(ghost_cells_of_tiles_are_as_new_as_the_cells_there),
        ON_COPY(a_corner_of_a_tile_that_is_not_filled_is_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("overlap", tests, kernel_home_keep, NULL);
}
