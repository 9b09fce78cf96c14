/* Which runs' kernels fill the ghost cells of the states that they write, so that no launch of its own does. */
#include "core/sim/own_ghosts.h"

#include <string.h>

#include "kernels/own_ghosts.h"

/* On a GPU two launches a step are much of the time of a small grid. More cells leave little to gain. */
enum { MOST_CELLS = 2048 * 2048 };

/* Why its kernels cannot; null if they can. */
static const char *why_not(const struct sim *s)
{
    if (!s->scheme->begin)
        return "its scheme's kernels cannot";
    if (s->whole || s->parts || s->tiles.columns || s->forest)
        return "the run is in parts or tiles";
    if (s->imposing)
        return "edges impose numbers, or have segments";
    if (s->alternation)
        return "another scheme makes some of the steps";
    if (s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] || s->added[SPRINGS_KERNEL])
        return "rain, infiltration or sources change the water behind a step";
    /* Where a row has an odd number of cells, storing its last pair also writes the ghost cell behind it, which
     * another block fills (rows_warp.h). */
    if (s->boundary[EAST] == PERIODIC && s->grid.nx % 2)
        return "a periodic edge ends rows with an odd number of cells";
    return NULL;
}

/* The value of the switch; -1 if there is none. */
static int chosen(const struct config *c)
{
    static const char name[] = OWN_GHOSTS_SWITCH "=";
    int value = -1;
    for (const char *at = c->define; *at; at += *at == ',') {
        if (strncmp(at, name, sizeof name - 1) == 0)
            value = at[sizeof name - 1] != '0';
        at += strcspn(at, ",");
    }
    return value;
}

enum err own_ghosts_choose(struct sim *s)
{
    const char *why = why_not(s);
    const int choice = chosen(s->config);
    if (choice > 0 && why)
        FAIL(USAGE, "--define " OWN_GHOSTS_SWITCH "=1: kernels cannot fill ghost cells here: %s",
             why);
    s->own_ghosts =
        !why &&
        (choice > 0 || (choice < 0 && s->backend == &backend_cuda && sim_cells(s) <= MOST_CELLS));
    return ERR_OK;
}

struct own_ghosts own_ghosts_of(const struct sim *s)
{
    struct own_ghosts own;
    for (int e = 0; e < EDGES; e++)
        own.kind[e] = (int)s->boundary[e];
    return own;
}

enum err own_ghosts_begin(struct sim *s)
{
    return s->own_ghosts ? s->scheme->begin(s) : ERR_OK;
}
