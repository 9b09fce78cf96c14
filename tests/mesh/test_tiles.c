/* A domain in tiles, and which are neighbours. */
#include "tests/support/test.h"

#include "core/mesh/tiles.h"

static void tiles_have_every_cell_once_and_all_but_the_last_are_whole(void **state)
{
    (void)state;
    for (int nx = 1; nx < 60; nx++)
        for (int w = LEAST_TILE; w < 13; w++) {
            const struct tiles t = tiles_cut(nx, 2 * nx + 1, w, w + 3);
            int cells = 0;
            for (int k = 0; k < t.columns * t.rows; k++) {
                const struct window v = tiles_window(&t, k);
                assert_true(v.nx <= w && v.ny <= w + 3);
                const int left = t.columns - 1 - k % t.columns;
                assert_true(v.nx == t.w || left == 0 || (left == 1 && nx % w == 1));
                assert_true(v.nx % 2 == t.w % 2 || left == 0 || w < 6);
                assert_true(t.columns == 1 || v.nx >= 2); /* as many as there are ghosts */
                assert_true(t.rows == 1 || v.ny >= 2);
                cells += v.nx * v.ny;
                for (int j = v.j0; j < v.j0 + v.ny; j++)
                    for (int i = v.i0; i < v.i0 + v.nx; i++)
                        if (tiles_of_cell(&t, i, j) != k)
                            fail_msg("%d cells in tiles of %d: cell (%d, %d) is of tile %d, not %d",
                                     nx, w, i, j, tiles_of_cell(&t, i, j), k);
            }
            assert_int_equal(cells, nx * (2 * nx + 1));
        }
}

static void a_cell_outside_is_a_ghost_of_the_tile_nearest_to_it(void **state)
{
    (void)state;
    const struct tiles t = tiles_cut(20, 20, 10, 10);
    assert_int_equal(tiles_of_cell(&t, -2, -1), 0);
    assert_int_equal(tiles_of_cell(&t, 21, -2), 1);
    assert_int_equal(tiles_of_cell(&t, -1, 20), 2);
    assert_int_equal(tiles_of_cell(&t, 21, 21), 3);
}

static void neighbours_are_found_round_a_periodic_domain(void **state)
{
    (void)state;
    static const int walls[2] = {0, 0}, round[2] = {1, 1}, round_x[2] = {1, 0};
    const struct tiles t = tiles_cut(30, 20, 10, 10), strip = tiles_cut(10, 30, 10, 10);
    assert_int_equal(tiles_beside(&t, walls, 0, 1, 1), 4);
    assert_int_equal(tiles_beside(&t, walls, 0, -1, 0), -1);
    assert_int_equal(tiles_beside(&t, walls, 2, 1, 1), -1);
    assert_int_equal(tiles_beside(&t, round, 0, -1, -1), 5);
    assert_int_equal(tiles_beside(&t, round_x, 0, -1, -1), -1);
    assert_int_equal(tiles_beside(&t, round_x, 3, -1, 0), 5);
    assert_int_equal(tiles_beside(&strip, round, 0, 1, 0),
                     -1); /* a column is no neighbour of itself */
    assert_int_equal(tiles_beside(&strip, round, 0, 0, -1), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_have_every_cell_once_and_all_but_the_last_are_whole),
        cmocka_unit_test(a_cell_outside_is_a_ghost_of_the_tile_nearest_to_it),
        cmocka_unit_test(neighbours_are_found_round_a_periodic_domain),
    };
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
