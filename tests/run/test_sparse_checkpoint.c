/* Checkpoints of sparse runs: what they leave out, and what runs continue them. */
#include "tests/support/test.h"

#include "core/base/log.h"
#include "core/problem/initial_state.h"
#include "core/sim/sparse_parts.h"
#include "tests/support/checkpoints.h"

/* With kernels that the tests of sparse domains compile. */
static struct config with_tiles(const struct config *c, int w, int h)
{
    struct config some = *c;
    some.tile = (struct tile_size){w, h};
    some.domain = DOMAIN_SPARSE;
    some.early_exit = EARLY_EXIT_AUTO;
    configure_blocks(&some, (struct block){12, 5}, 0);
    return some;
}

static struct config flood(void)
{
    struct config c = config_of("rk2_fused", F32);
    c.maxima = 1;
    c.maxima_every = 3;
    return c;
}

static void any_division_and_number_of_threads_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    const struct config full = flood(), thin = with_tiles(&full, 6, 4);
    struct config wide = with_tiles(&full, 14, 5);
    wide.threads = 7;
    check_restart(&full, &thin, "full, restarted in thin tiles");
    check_restart(&thin, &thin, "in thin tiles");
    check_restart(&thin, &wide, "thin tiles, restarted in wide ones by 7 threads");
    check_restart(&wide, &full, "in tiles, restarted in a full domain");
}

/* The shore of a lake in a bowl advances and retreats: tiles become dry, and others are as at the start
 * again, after water was there. */
static void what_water_has_left_is_not_forgotten(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c, thin, wide;
        configure(&c, k ? "hancock" : "rk2_fused", F32);
        snprintf(c.input, sizeof c.input, "parabola-round");
        snprintf(c.output, sizeof c.output, "%s", output);
        c.nx = NX;
        c.ny = NY;
        c.maxima = 1;
        c.t_end = 3;
        thin = with_tiles(&c, 6, 4);
        wide = with_tiles(&c, 14, 5);
        check_restart(&thin, &wide, "a bowl, thin tiles first");
        check_restart(&wide, &thin, "a bowl, wide tiles first");
    }
}

/* A spring on the island of a lake, whose water is at rest elsewhere: only the start stores all of it. */
static void a_restart_stores_and_computes_what_the_run_would(void **state)
{
    (void)state;
    enum { MOST = 64 };
    static bits notes[2][MOST];
    struct config full = flood(), c;
    snprintf(full.input, sizeof full.input, "lake");
    set(&full, "reconstruction", "audusse");
    set(&full, "bc-west", "wall");
    set(&full, "bc-east", "wall");
    set(&full, "source", "spring,-18,-10,0.001,0.3");
    c = with_tiles(&full, 6, 4);
    struct run r;
    start(&r, &c);
    const int all = r.sim->forest->stored;
    assert_true(r.sim->forest->tiles <= MOST);
    step_to(&r, 0.1);
    fine(sparse_tidy(r.sim));
    keep(&r);
    const int stored = r.sim->forest->stored;
    assert_true(stored > 0 && stored < all);
    fine(sparse_note(r.sim, notes[0]));
    end(&r);
    restore(&r, &c);
    assert_int_equal(r.sim->forest->stored, stored);
    fine(sparse_note(r.sim, notes[1]));
    for (int k = 0; k < r.sim->forest->tiles; k++) /* what is stored is computed once */
        notes[0][k] |= r.sim->forest->slot[k] < 0 ? 0 : MOVES;
    assert_memory_equal(notes[0], notes[1], sizeof notes[0]);
    assert_true(notes[1][tiles_count(&r.sim->tiles) - 1] > 0);
    end(&r);
    const struct config others = with_tiles(&full, 8, 4); /* without the lake's wave speeds */
    restore(&r, &others);
    assert_int_equal(r.sim->forest->stored, r.sim->forest->tiles);
    end(&r);
    check_restart(&c, &c, "a lake with a spring");
}

/* A film too thin to move, far from the water, in a tile that no step computes before the checkpoint. */
static void what_lies_still_lies_still_after_a_restart(void **state)
{
    (void)state;
    static const char *const of[] = {"rk2", "rk2_fused", "hancock"};
    for (int k = 0; k < 3; k++) {
        struct config full = config_of(of[k], F32);
        const struct window cell = {10, 10, 1, 1};
        struct run r;
        float dry, film, now;
        snprintf(full.input, sizeof full.input, "circular-dam-100");
        full.nx = full.ny = 144;
        set(&full, "bc-west", "wall");
        set(&full, "bc-east", "wall");
        const struct config c = with_tiles(&full, 12, 6);
        start(&r, &c);
        step_to(&r, 0.05);
        fine(sim_read(r.sim, sim_unknown(r.sim, 0), &cell, &dry));
        film = dry + (float)r.sim->initial->dry / 4;
        assert_true(film > dry);
        fine(sim_write(r.sim, sim_unknown(r.sim, 0), &cell, &film));
        fine(sim_step_many(r.sim, 3));
        keep(&r);
        end(&r);
        restore(&r, &c);
        for (int n = 0; n < 3; n++) {
            fine(sim_step_many(r.sim, 1));
            fine(sim_read(r.sim, sim_unknown(r.sim, 0), &cell, &now));
            assert_true(now - film == 0);
        }
        end(&r);
    }
}

/* No number of a tile as at the start is in the file. */
static void a_checkpoint_leaves_out_what_is_as_at_the_start(void **state)
{
    (void)state;
    enum { SIDE = 144 }; /* three chunks */
    static float cells[SIDE * SIDE];
    struct config full = flood();
    snprintf(full.input, sizeof full.input, "circular-dam-100");
    full.nx = full.ny = SIDE;
    set(&full, "bc-west", "wall");
    set(&full, "bc-east", "wall");
    const struct config thin = with_tiles(&full, 6, 4);
    struct content c;
    struct run r;
    int left_out = 0, missing = 0;
    keep_at(&thin, 0.1);
    start(&r, &thin);
    fine(checkpoint_read(&c, r.sim->system, file));
    assert_non_null(c.state);
    assert_int_equal(tiles_count(&c.tiles), tiles_count(&r.sim->tiles));
    for (int k = 0; k < tiles_count(&c.tiles); k++)
        left_out += c.state[k] == TILE_INITIAL;
    assert_true(left_out > tiles_count(&c.tiles) / 2);
    for (int k = 1; k < c.count; k++) {
        const struct window all = {0, 0, SIDE, SIDE};
        if (c.array[k].bytes != sizeof cells)
            continue;
        fine(content_get_cells(&c, &c.array[k], &all, cells));
        int n = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            n += isnan(cells[i]) != 0;
        missing += n > SIDE * SIDE / 2;
    }
    assert_true(missing >= 3 + MAXIMA);
    content_free(&c);
    end(&r);
}

static void another_bed_is_refused(void **state)
{
    (void)state;
    const struct config full = flood(), thin = with_tiles(&full, 6, 4);
    struct run r;
    keep_at(&thin, 0.1);
    start(&r, &thin);
    r.sim->initial->bed_digest++;
    expect_refusal(ERR_USAGE, checkpoint_restore(r.sim, &r.p, file, rows), "the bed differs");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(any_division_and_number_of_threads_goes_on_with_the_same_bits),
        IN_SCRATCH(what_water_has_left_is_not_forgotten),
        IN_SCRATCH(a_restart_stores_and_computes_what_the_run_would),
        IN_SCRATCH(what_lies_still_lies_still_after_a_restart),
        IN_SCRATCH(a_checkpoint_leaves_out_what_is_as_at_the_start),
        IN_SCRATCH(another_bed_is_refused),
    };
    if (!ncfile_available()) {
        print_message("skipped: checkpoints: %s\n", err_message());
        return 0;
    }
    log_quiet(1);
    return cmocka_run_group_tests_name("sparse checkpoints", tests, NULL, NULL);
}
