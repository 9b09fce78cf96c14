/* Parts of tiles on two GPUs, stood in for: recorded steps of one fit those of the other. */
#include "tests/support/test.h"

#include "core/sim/parts.h"
#include "tests/support/parts.h"
#include "tests/support/stand_in.h"

static int use_gpus(void **state)
{
    (void)state;
    return stand_in_use() || setenv("FAKE_DEVICES", "2", 1);
}

/* Water in the east of dry land. */
static struct scene dry_in_the_west(void)
{
    enum { ACROSS = 112, UP = 60 };
    struct scene s = new_scene(ACROSS, UP);
    s.kappa = 0.05;
    scene_random_bed(&s, 0, 0.1, 91);
    scene_level(&s, -1);
    scene_dam(&s, ACROSS * 3 / 4, UP / 2, 6, 3);
    s.t_end = 3600;
    return s;
}

/* The west computes half of its tiles once steps have paused, the east all: in one piece it would take other strips then, and
 * record its steps anew, alone. */
static void parts_that_compute_other_tiles_keep_their_recordings(void **state)
{
    (void)state;
    struct scene s = dry_in_the_west();
    struct config c;
    configure(&c, "rk2_fused", F32);
    c = in_parts(&c, "2x1");
    c.tile = (struct tile_size){28, 15};
    c.early_exit = EARLY_EXIT_ON;
    c.graphs = GRAPHS_ON;
    c.exchange_timeout = 5;
    c.devices = (struct device_list){.count = 2, .of = {0, 1}};
    strcpy(c.backend, "cuda");
    struct sim *sim = create(&c, &s);
    const struct graph *recorded[2];
    assert_int_equal(sim->parts->waiting, IN_KERNELS);
    fine(sim_step_many(sim, GRAPH_PASSES));
    for (int k = 0; k < 2; k++) {
        recorded[k] = sim->parts->sim[k]->graph;
        assert_non_null(recorded[k]);
    }
    fine(sim_step_many(sim, GRAPH_PASSES));
    for (int k = 0; k < 2; k++)
        assert_ptr_equal(sim->parts->sim[k]->graph, recorded[k]);
    sim_destroy(sim);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_that_compute_other_tiles_keep_their_recordings,
                                        use_gpus, scratch_remove),
    };
    return cmocka_run_group_tests_name("strips of parts", tests, NULL, NULL);
}
