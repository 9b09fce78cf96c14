/* The forest finds the slots that a list of pairs would find. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "core/mesh/forest.h"

enum { TILES = 40, ACTIONS = 20000 };

/* A list of tiles, searched plainly, to compare with. */
struct twin {
    int slot[TILES];
    enum tile_state state[TILES];
};

static int is_taken(const struct twin *t, int slot)
{
    for (int k = 0; k < TILES; k++)
        if (t->slot[k] == slot)
            return 1;
    return 0;
}

static int count(const struct twin *t)
{
    int n = 0;
    for (int k = 0; k < TILES; k++)
        n += t->slot[k] >= 0;
    return n;
}

static void expect_twins(const struct forest *f, const struct twin *t)
{
    assert_int_equal(f->stored, count(t));
    for (int k = 0; k < TILES; k++) {
        assert_int_equal(f->slot[k], t->slot[k]);
        assert_int_equal(f->state[k], t->state[k]);
    }
    for (int k = 0; k < f->slots; k++)
        assert_int_equal(f->tile[k] >= 0, is_taken(t, k));
}

static void act(struct forest *f, struct twin *t, int tile)
{
    if (t->slot[tile] >= 0) {
        const enum tile_state state = rand() % 2 ? TILE_DRY : TILE_INITIAL;
        assert_int_equal(forest_drop(f, tile, state), t->slot[tile]);
        t->slot[tile] = -1;
        t->state[tile] = state;
        return;
    }
    if (f->stored == f->slots)
        fine(forest_grow(f, f->slots + 1 + rand() % 3));
    int first = 0;
    while (is_taken(t, first))
        first++;
    t->slot[tile] = first;
    t->state[tile] = TILE_STORED;
    assert_int_equal(forest_store(f, tile), first);
}

static void any_sequence_leaves_tiles_where_a_list_has_them(void **state)
{
    (void)state;
    struct forest f;
    struct twin t;
    int most = 0;
    srand(7);
    fine(forest_create(&f, TILES));
    for (int k = 0; k < TILES; k++)
        t.slot[k] = -1, t.state[k] = TILE_INITIAL;
    for (int n = 0; n < ACTIONS; n++) {
        act(&f, &t, rand() % TILES);
        most = count(&t) > most ? count(&t) : most;
        expect_twins(&f, &t);
    }
    assert_int_equal(f.most, most);
    forest_destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_sequence_leaves_tiles_where_a_list_has_them),
    };
    return cmocka_run_group_tests_name("forest", tests, NULL, NULL);
}
