/* Which pieces of a map a sparse domain's file omits. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/mesh/forest.h"
#include "core/netcdf/write_parts.h"

enum { NX = 23, NY = 14 };

/* Whether some cell of a piece of the maps is in a tile whose state is `least` or above it. */
static int holds(const struct ncwriter *w, const unsigned char *state, const struct piece *c,
                 int least)
{
    int held = 0;
    for (size_t j = 0; j < c->count[0]; j++)
        for (size_t i = 0; i < c->count[1]; i++) {
            const int x = w->info.window.i0 + (int)(c->start[1] + i);
            const int y = w->info.window.j0 + (int)(c->start[0] + j);
            held |= state[tiles_of_cell(&w->info.tiles, x, y)] >= least;
        }
    return held;
}

static void check_pieces(const struct ncwriter *w, const struct plane *p, int least)
{
    struct piece c;
    const size_t nx = (size_t)w->info.window.nx, ny = (size_t)w->info.window.ny;
    for (c.start[0] = 0; c.start[0] < ny; c.start[0]++)
        for (c.start[1] = 0; c.start[1] < nx; c.start[1]++)
            for (c.count[0] = 1; c.start[0] + c.count[0] <= ny; c.count[0]++)
                for (c.count[1] = 1; c.start[1] + c.count[1] <= nx; c.count[1]++)
                    if (ncwrite_is_gap(w, p, &c) == holds(w, p->tile_state, &c, least))
                        fail_msg("%zu x %zu cells from (%zu, %zu) on are %sa gap", c.count[1],
                                 c.count[0], c.start[1], c.start[0],
                                 ncwrite_is_gap(w, p, &c) ? "" : "no ");
}

/* Maps of the domain and of a region; checkpoints hold dry tiles as well. */
static void a_piece_without_a_held_cell_is_a_gap(void **state)
{
    (void)state;
    static const unsigned char of[] = {TILE_INITIAL, TILE_DRY,     TILE_INITIAL, TILE_STORED,
                                       TILE_STORED,  TILE_INITIAL, TILE_DRY,     TILE_INITIAL,
                                       TILE_DRY,     TILE_STORED,  TILE_INITIAL, TILE_INITIAL};
    static const struct window windows[] = {{0, 0, NX, NY}, {5, 3, 16, 9}};
    const struct plane p = {.tile_state = of};
    for (int k = 0; k < 4; k++) {
        struct ncwriter w = {.info = {.tiles = tiles_cut(NX, NY, 6, 5)}};
        assert_int_equal(tiles_count(&w.info.tiles), sizeof of);
        w.info.window = windows[k / 2];
        w.info.held = k % 2 ? of : NULL;
        check_pieces(&w, &p, k % 2 ? TILE_DRY : TILE_STORED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_without_a_held_cell_is_a_gap),
    };
    return cmocka_run_group_tests_name("gaps in maps", tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
