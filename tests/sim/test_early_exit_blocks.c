/* Early exit skips the blocks in which nothing can move, and no others. */
#include "tests/support/test.h"

#include "core/problem/initial_state.h"
#include "tests/support/quiet.h"

struct shape {
    int w, h;
};

/* Larger and smaller than the reach of a step. */
static const struct shape shapes[] = {{16, 12}, {3, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Finds the cells that one more step computes: only the flux kernels write R, and only in blocks that they do not
 * skip. 1 if R was written. */
static char *computed(const struct config *c, struct sim *sim)
{
    const struct backend *b = sim->backend;
    const int nx = sim->grid.nx, ny = sim->grid.ny;
    void *r = sim->rate[0][0]->memory, *copy = malloc(sim->field_bytes);
    char *seen = calloc((size_t)nx * (size_t)ny, 1);
    assert_true(copy && seen);
    assert_int_equal(b->fill(sim->device, r, 0xff, sim->field_bytes), ERR_OK);
    steps(c, sim, 1);
    assert_int_equal(b->download(sim->device, copy, r, sim->field_bytes), ERR_OK);
    for (int k = 0; k < nx * ny; k++) {
        const size_t at =
            (size_t)((k / nx + GHOSTS) * sim->pitch[PLAIN] + MARGIN + k % nx) * sim->real_size;
        for (size_t byte = 0; byte < sim->real_size; byte++)
            if (((unsigned char *)copy)[at + byte] != 0xff)
                seen[k] = 1;
    }
    free(copy);
    return seen;
}

static int count(const struct sim *sim, const char *seen)
{
    int n = 0;
    for (int k = 0; k < sim->grid.nx * sim->grid.ny; k++)
        n += seen[k];
    return n;
}

/* Cells that one more step computes. */
static int cells_computed(const struct config *c, struct sim *sim)
{
    char *seen = computed(c, sim);
    const int n = count(sim, seen);
    free(seen);
    return n;
}

static void check_rest(const struct config *c)
{
    struct scene dry = new_scene(NX, NY), lake = new_scene(NX, NY);
    scene_random_bed(&dry, 0, 1, 3);
    scene_level(&dry, -1);
    scene_random_bed(&lake, -3, -1, 4);
    const struct scene *still[] = {&dry, &lake};
    for (int k = 0; k < 2; k++) {
        struct config some = cut(c, 16, 12), off = some;
        off.early_exit = EARLY_EXIT_OFF;
        off.dt = some.dt = 0.1;
        struct sim *sim = create(&some, still[k]), *plain = create(&off, still[k]);
        assert_int_equal(cells_computed(&some, sim), NX * NY);
        for (int n = 0; n < 3; n++) {
            const int cells = cells_computed(&some, sim);
            if (cells != 0)
                fail_msg("%s: %d cells of %s are computed", described(&some), cells,
                         k ? "a lake at rest" : "dry land");
            assert_int_equal(cells_computed(&off, plain), NX * NY);
        }
        assert_int_equal(sim->now.early_exits, 4);
        assert_int_equal(plain->now.early_exits, 0);
        sim_destroy(sim);
        sim_destroy(plain);
    }
    scene_free(&dry);
    scene_free(&lake);
}

static void nothing_of_dry_land_or_a_lake_at_rest_is_computed(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_rest);
}

/* Blocks are computed or skipped as a whole; all changes are in computed blocks; blocks far from them are skipped. */
static void check_left_out(const struct config *c)
{
    const int w = 7, h = 5;
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    struct config some = cut(c, w, h);
    struct sim *sim = create(&some, &s);
    steps(&some, sim, 3);
    for (int n = 0; n < 3; n++) {
        struct outcome before = outcome_of(&some, sim, &s);
        char *seen = computed(&some, sim);
        struct outcome after = outcome_of(&some, sim, &s);
        for (int k = 0; k < NX * NY; k++) {
            const int first = k / NX / h * h * NX + k % NX / w * w;
            if (seen[k] != seen[first])
                fail_msg("%s: a part of a block is computed", described(&some));
            for (int f = 0; f < 3; f++)
                if (!seen[k] && !(before.state.field[f][k] - after.state.field[f][k] == 0))
                    fail_msg("%s: cell (%d, %d) changed and is not computed", described(&some),
                             k % NX, k / NX);
        }
        const int cells = count(sim, seen);
        if (cells == 0 || cells > NX * NY / 2 || seen[NX - 1])
            fail_msg("%s: %d of %d cells are computed near a small wave", described(&some), cells,
                     NX * NY);
        free(seen);
        outcome_free(&before);
        outcome_free(&after);
    }
    sim_destroy(sim);
    scene_free(&s);
}

static void quiet_blocks_are_left_out_and_those_that_change_are_not(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_left_out);
}

/* Is block (x, y) within `reach` cells, in x and in y, of one with a cell that changed? */
static int near_a_change(const struct outcome *before, const struct outcome *after,
                         struct shape block, int x, int y, int reach)
{
    for (int k = 0; k < NX * NY; k++) {
        const int x0 = k % NX / block.w * block.w, y0 = k / NX / block.h * block.h;
        int changed = 0;
        for (int f = 0; f < 3; f++)
            changed |= !(before->state.field[f][k] - after->state.field[f][k] == 0);
        if (changed && x0 <= (x + 1) * block.w - 1 + reach && x * block.w - reach < x0 + block.w &&
            y0 <= (y + 1) * block.h - 1 + reach && y * block.h - reach < y0 + block.h)
            return 1;
    }
    return 0;
}

/* A map that is `age` steps old. */
static void check_neighbours(const struct config *c, struct shape block, int age)
{
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    struct config some = cut(c, block.w, block.h);
    struct sim *sim = create(&some, &s);
    steps(&some, sim, 4);
    struct outcome before = outcome_of(&some, sim, &s);
    steps(&some, sim, 1);
    struct outcome after = outcome_of(&some, sim, &s);
    sim->now.map_age = (unsigned long)age;
    char *seen = computed(&some, sim);
    for (int k = 0; k < NX * NY; k++) {
        const int x = k % NX / block.w, y = k / NX / block.h;
        if (!seen[k] && (age > 1 || near_a_change(&before, &after, block, x, y, REACH * (1 + age))))
            fail_msg("%s: block (%d, %d) is left out and near one where water moved; map %d steps "
                     "old",
                     described(&some), x, y, age);
    }
    if (age <= 1 && seen[NX - 1])
        fail_msg("%s: nothing is left out, map %d steps old", described(&some), age);
    free(seen);
    outcome_free(&before);
    outcome_free(&after);
    sim_destroy(sim);
    scene_free(&s);
}

static void check_all_neighbours(const struct config *c)
{
    for (int k = 0; k < SHAPES; k++)
        for (int age = 0; age <= 2; age++)
            check_neighbours(c, shapes[k], age);
}

static void blocks_near_enough_to_be_felt_are_computed(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_all_neighbours);
}

static void check_edge_blocks(const struct config *c)
{
    for (int e = 0; e < EDGES; e++)
        for (int kind = OPEN; kind <= PERIODIC; kind++) {
            struct scene s = new_scene(NX, NY);
            s.boundary[e] = (enum boundary)kind;
            if (kind == PERIODIC)
                s.boundary[e ^ 1] = PERIODIC;
            scene_random_bed(&s, 0, 1, 3);
            scene_level(&s, -1);
            struct config some = cut(c, 3, 2);
            some.dt = 0.1;
            struct sim *sim = create(&some, &s);
            steps(&some, sim, 2);
            char *seen = computed(&some, sim);
            for (int k = 0; k < NX * NY; k++) {
                const int i = k % NX, j = k / NX;
                const int distance[EDGES] = {i, NX - 1 - i, j, NY - 1 - j};
                int near = 0, far = 1;
                for (int b = 0; b < EDGES; b++) {
                    near |= s.boundary[b] != WALL && distance[b] < REACH;
                    far &= s.boundary[b] == WALL || distance[b] >= REACH + 3;
                }
                if ((near && !seen[k]) || (far && seen[k]))
                    fail_msg("%s: dry cell (%d, %d), %d cells from an edge of kind %d: %s",
                             described(&some), i, j, distance[e], kind,
                             seen[k] ? "computed" : "left out");
            }
            free(seen);
            sim_destroy(sim);
            scene_free(&s);
        }
}

static void blocks_beside_open_and_periodic_edges_are_never_left_out(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        configure(&c, schemes[k]->name, F32);
        c.early_exit = EARLY_EXIT_ON;
        if (schemes[k]->on_demand)
            check_edge_blocks(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_dry_land_or_a_lake_at_rest_is_computed),
        cmocka_unit_test(quiet_blocks_are_left_out_and_those_that_change_are_not),
        cmocka_unit_test(blocks_near_enough_to_be_felt_are_computed),
        cmocka_unit_test(blocks_beside_open_and_periodic_edges_are_never_left_out),
    };
    return cmocka_run_group_tests_name("early exit, blocks", tests, NULL, NULL);
}
