/* Schemes whose parts exchange more of a cell than its state, and read corners: such runs have the bits of an
 * undivided one, too. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

static struct config configured(const char *scheme)
{
    struct config c;
    configure(&c, scheme, F32);
    c.steps = STEPS;
    return c;
}

#define FOR_EXCHANGING_SCHEMES(k)    \
    for (int k = 0; schemes[k]; k++) \
        if (schemes[k]->exchanged)

static void any_cut_does(void **state)
{
    (void)state;
    static const char *const cuts[] = {"14",       "1:2:1",      "18x1",        "any by 3",
                                       "2x2 by 4", "3x2 staged", "2 every 3",   "2x2 every 2 by 2",
                                       "1 in 4x4", "1 in 60x60", "1 in 13x100", "2x2 in 5x7"};
    struct scene s = new_shore();
    s.manning = 0; /* as in the other scenes: fewer kernels */
    FOR_EXCHANGING_SCHEMES (k)
        for (size_t n = 0; n < sizeof cuts / sizeof *cuts; n++) {
            const struct config c = configured(schemes[k]->name);
            expect_same_run(&c, &s, cuts[n]);
        }
    scene_free(&s);
}

/* Forcing and roughness of a neighbour across a periodic edge. */
static void periodic_edges_may_be_cut(void **state)
{
    (void)state;
    static const char *const cuts[] = {"2",         "2x1",       "3x2 by 2",
                                       "1 in 12x9", "1 in 60x9", "2x1 in 6x7"};
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, PERIODIC, PERIODIC);
    scene_force(&s, 0.01, 0.05, 7);
    s.per_cell = 1;
    for (int n = 0; n < CELLS; n++)
        s.rough[n] = 0.01 + 0.002 * (n % 37);
    FOR_EXCHANGING_SCHEMES (k)
        for (size_t n = 0; n < sizeof cuts / sizeof *cuts; n++) {
            const struct config c = configured(schemes[k]->name);
            expect_same_run(&c, &s, cuts[n]);
        }
    scene_free(&s);
}

/* Walls of which a part has the end, and its neighbour what is beside that. */
static struct scene new_gates(void)
{
    static const struct edge_segment gates[] = {
        {.edge = WEST, .first = 9, .end = 17, .kind = LEVEL, .given = {.of = {1.2}}},
        {.edge = EAST, .first = 9, .end = 17, .kind = OPEN},
        {.edge = SOUTH, .first = 12, .end = 25, .kind = STATE, .given = {.of = {0.5, 0.1, 0.4}}},
        {.edge = NORTH, .first = 12, .end = 25, .kind = DISCHARGE, .given = {.of = {0, 0, -0.3}}}};
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, WALL, WALL);
    scene_level(&s, 1);
    scene_stir(&s, 0.4, 3);
    s.segments = gates;
    s.segment_count = sizeof gates / sizeof *gates;
    return s;
}

static void walls_may_end_where_parts_do(void **state)
{
    (void)state;
    static const char *const cuts[] = {"9:8:12",       "12:13:12x1", "12:13:12x9:8:12 by 2",
                                       "9:20 every 2", "1 in 9x9",   "12:13:12x9:8:12 in 6x4"};
    struct scene s = new_gates();
    FOR_EXCHANGING_SCHEMES (k)
        for (size_t n = 0; n < sizeof cuts / sizeof *cuts; n++) {
            const struct config c = configured(schemes[k]->name);
            expect_same_run(&c, &s, cuts[n]);
        }
    scene_free(&s);
}

/* Beyond a corner on a periodic edge is what the other edge does where that one ends. */
static void segments_may_end_at_periodic_edges(void **state)
{
    (void)state;
    static const char *const cuts[] = {"2x2", "1 in 12x9"};
    static const struct edge_segment along_x[] = {
        {.edge = SOUTH, .first = 0, .end = 12, .kind = LEVEL, .given = {.of = {1.2}}},
        {.edge = NORTH, .first = 25, .end = NX, .kind = OPEN}};
    static const struct edge_segment along_y[] = {
        {.edge = WEST, .first = 0, .end = 9, .kind = DISCHARGE, .given = {.of = {0, 0.3}}},
        {.edge = EAST, .first = 17, .end = NY, .kind = LEVEL, .given = {.of = {0.9}}}};
    struct scene s = new_gates();
    s.segment_count = 2;
    FOR_EXCHANGING_SCHEMES (k)
        for (int n = 0; n < 4; n++) {
            const struct config c = configured(schemes[k]->name);
            scene_edges(&s, n % 2 ? WALL : PERIODIC, n % 2 ? PERIODIC : WALL);
            s.segments = n % 2 ? along_y : along_x;
            expect_same_run(&c, &s, cuts[n / 2]);
        }
    scene_free(&s);
}

/* A flood whose front stops and goes on: rates of the step before last must not come back. */
static struct scene new_pond(void)
{
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, WALL, WALL);
    scene_stir(&s, 0, 1);
    scene_level(&s, 0.5);
    scene_dam(&s, 8, 9, 3, 0.9);
    return s;
}

/* As the threads of a GPU compute them, with a map of those that may change. */
static void tiles_may_be_computed_in_any_order(void **state)
{
    (void)state;
    struct scene s = new_pond();
    for (int order = 1; order < 3; order++) {
        struct config c = configured("hancock");
        c.order = order;
        struct config other = in_parts(&c, "1 in 9x7");
        other.early_exit = EARLY_EXIT_ON;
        struct outcome want = simulated_steps(&c, &s, 8), have = simulated_steps(&other, &s, 8);
        expect_same_outcome(&c, &want, &have, "1 in 9x7");
        outcome_free(&want);
        outcome_free(&have);
    }
    scene_free(&s);
}

/* Does a run in these parts differ from an undivided one? */
static int is_noticed(const struct scene *s, const char *scheme, const char *parts)
{
    char text[256];
    const struct config c = configured(scheme);
    struct config other = in_parts(&c, parts);
    other.early_exit = other.tile.w ? EARLY_EXIT_ON : EARLY_EXIT_AUTO;
    struct outcome want = simulated(&c, s), have = {0};
    int noticed = simulate(&other, s, &have) || have.broken;
    noticed = noticed || differ(&want.state, &have.state, 1, text, sizeof text);
    outcome_free(&want);
    outcome_free(&have);
    return noticed;
}

/* Every other one, unless SHOAL_TEST_FULL. */
static void planted_mistakes_are_noticed(void **state)
{
    (void)state;
    static const struct {
        int in; /* 0: parts, 1: tiles */
        const char *what, *file, *right, *wrong;
    } mistakes[] = {
        {0, "a corner that is not filled", "halo_cells.h", "a->unknown[u][at.cell] = q;",
         "if (rect->n > GHOSTS * GHOSTS) a->unknown[u][at.cell] = q;"},
        {0, "rates that stay behind", "halo_cells.h", "bits_of(q[u])", "u > 2 ? 0 : bits_of(q[u])"},
        {0, "a corner that two parts fill", "corners.cu",
         "along_x == NEIGHBOUR || along_y == NEIGHBOUR", "0"},
        {0, "an edge that continues as it ends", "hancock_edges.h", "here[-1]",
         "here[s > 0 ? -1 : 0]"},
        {0, "a neighbour that imposes something", "hancock_edges.h", "&& kind != NEIGHBOUR", ""},
    };
    static const char *const cuts[] = {"12:13:12x9:8:12", "1 in 6x4"};
    struct scene scenes[] = {new_gates(), new_pond()};
    for (int k = 0; k < 2; k++)
        assert_false(is_noticed(&scenes[k], "hancock", cuts[k]));
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k += everything() ? 1 : 2) {
        kernel_copy(scratch);
        kernel_plant(mistakes[k].file, mistakes[k].right, mistakes[k].wrong);
        if (!is_noticed(&scenes[mistakes[k].in], "hancock", cuts[mistakes[k].in]))
            fail_msg("%s is not noticed", mistakes[k].what);
    }
    for (int k = 0; k < 2; k++)
        scene_free(&scenes[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_cut_does),
        cmocka_unit_test(periodic_edges_may_be_cut),
        cmocka_unit_test(walls_may_end_where_parts_do),
        cmocka_unit_test(segments_may_end_at_periodic_edges),
        cmocka_unit_test(tiles_may_be_computed_in_any_order),
        ON_COPY(planted_mistakes_are_noticed),
    };
    if (kernel_home_find())
        return 1;
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("exchanged_rates", tests, kernel_home_keep, NULL);
}
