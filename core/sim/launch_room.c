/* The tiles that launches of a full domain have blocks for. */
#include "core/sim/launch_room.h"

#include <stdlib.h>

#include "core/sim/active_tiles.h"
#include "core/sim/tiling.h"

/* Parts must not halt alone; and a step that halts must not be timed. */
static int is_limited(const struct sim *s)
{
    return s->active && !s->forest && !s->whole && !active_tiles_timed(s);
}

/* Tiles that the next step computes, from the map. */
static enum err count_next(struct sim *s, int *count)
{
    const int n = tiles_count(&s->tiles);
    bits *moved = malloc((size_t)n * sizeof *moved);
    unsigned char *reached = malloc((size_t)n);
    enum err e = moved && reached ? active_tiles_moved(s, moved)
                                  : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                            "no memory for a table of %d tiles", n);
    if (!e)
        active_tiles_reach(s, NULL, moved, 1, reached);
    *count = 0;
    for (int k = 0; k < n && !e; k++)
        *count += reached[k];
    free(moved);
    free(reached);
    return e;
}

/* A quarter more than now, so that the clock seldom halts; another room is another recording of steps. */
enum err launch_room_choose(struct sim *s)
{
    enum { LEAST = 16 };
    int next, all = tiles_count(&s->tiles);
    if (!is_limited(s) || s->now.steps == 0)
        return ERR_OK;
    TRY(count_next(s, &next));
    const int wish = next + next / 4 + LEAST, room = tiles_launched(s);
    if (next > room || wish + wish / 2 < room)
        s->launch_room = wish < all ? wish : all;
    return ERR_OK;
}

int tiles_launched(const struct sim *s)
{
    return s->launch_room ? s->launch_room : tiling_slots(s);
}

int launch_room_halts(const struct sim *s)
{
    return s->forest != NULL || is_limited(s);
}
