/* A step of a sparse domain launches no kernel that finds nothing to do. */
#include "tests/support/test.h"

#include "core/mesh/forest.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse_parts.h"
#include "core/sim/tiling.h"
#include "tests/support/quiet.h"
#include "tests/support/recorder.h"

/* Water in the middle of dry land, which comes to all edges. */
static struct scene middle(void)
{
    enum { ACROSS = 121, UP = 90 };
    struct scene s = new_scene(ACROSS, UP);
    s.kappa = 0.05;
    scene_random_bed(&s, 0, 0.1, 91);
    scene_level(&s, -1);
    scene_dam(&s, ACROSS / 2, UP / 2, 6, 3);
    scene_edges(&s, WALL, WALL);
    s.t_end = 3600;
    return s;
}

/* `ashore`: launches of a step once water has come to the edges. */
struct route {
    const char *scheme;
    int inland, ashore;
};

/* Of the recorded steps; what nothing has recorded anew since the last time is as it was then. */
static void expect_launches(struct sim *sim, const struct route *r)
{
    const int each = sim->inland ? r->inland : r->ashore;
    assert_non_null(sim->graph);
    if (recorder_launches != each * sim_graph_passes(sim))
        fail_msg("%s: %d launches in %d steps, expected %d a step: water %s", r->scheme,
                 recorder_launches, sim_graph_passes(sim), each,
                 sim->inland ? "is inland" : "is at an edge");
}

static void follow(const struct route *r)
{
    enum { LOOKS = 8, EACH = 2 * GRAPH_PASSES + 3 };
    struct scene s = middle();
    struct config c, some;
    int inland = 0;
    configure(&c, r->scheme, F32);
    c.early_exit = EARLY_EXIT_AUTO;
    some = c;
    some.domain = DOMAIN_SPARSE;
    some.tile = (struct tile_size){8, 6};
    configure_blocks(&some, (struct block){12, 5}, 0);
    struct sim *want = create(&c, &s), *have = create(&some, &s);
    recorder_attach(have);
    for (int k = 0; k < LOOKS; k++) {
        steps(&c, want, EACH);
        steps(&some, have, EACH);
        struct outcome o = outcome_of(&c, want, &s), own = outcome_of(&some, have, &s);
        expect_equal(&some, "steps without idle launches", &o, &own);
        outcome_free(&o);
        outcome_free(&own);
        expect_launches(have, r);
        inland += have->inland;
    }
    if (inland == 0 || inland == LOOKS)
        fail_msg("%s: water was inland at %d of %d looks", r->scheme, inland, LOOKS);
    sim_destroy(want);
    sim_destroy(have);
    scene_free(&s);
}

/* The list of tiles, the kernels of the substeps and of the clock, of `hancock` two of its own; at an edge what fills ghost
 * cells there for each substep. */
static void ghost_cells_are_filled_only_where_tiles_lie_at_an_edge(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"rk2_fused", 4, 6},
        {"rk2", 6, 8},
        {"hancock", 5, 6},
    };
    for (size_t k = 0; k < sizeof routes / sizeof *routes; k++)
        follow(&routes[k]);
}

/* A tile of a corner, in a slot that is free. */
static void a_recording_without_ghost_cells_is_forgotten_once_a_tile_lies_at_an_edge(void **state)
{
    (void)state;
    const int tile = 0;
    struct scene s = middle();
    struct config c;
    configure(&c, "rk2_fused", F32);
    c.domain = DOMAIN_SPARSE;
    c.early_exit = EARLY_EXIT_AUTO;
    c.tile = (struct tile_size){8, 6};
    configure_blocks(&c, (struct block){12, 5}, 0);
    struct sim *sim = create(&c, &s);
    recorder_attach(sim);
    steps(&c, sim, 1);
    const int slots = sim->forest->slots;
    sim_forget_graph(sim);
    assert_true(sim->graph && sim->inland);
    fine(sparse_store(sim, &tile, 1));
    sim_forget_graph(sim);
    assert_int_equal(sim->forest->slots, slots);
    assert_true(!sim->graph && !sim->inland);
    sim_destroy(sim);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghost_cells_are_filled_only_where_tiles_lie_at_an_edge),
        cmocka_unit_test(a_recording_without_ghost_cells_is_forgotten_once_a_tile_lies_at_an_edge),
    };
    return cmocka_run_group_tests_name("launches of sparse domains", tests, NULL, NULL);
}
