/* Which runs' kernels fill the ghost cells of the states that they write and move the clock on, so that no launches of
 * their own do. */
#include "core/sim/own_ghosts.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "kernels/own_ghosts.h"

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

/* The same of the clock. */
static const char *why_not_clock(const struct sim *s)
{
    if (!s->own_ghosts)
        return "kernels do not fill ghost cells";
    if (s->added[SECTIONS_KERNEL])
        return "sections look at the step between its kernels";
    return NULL;
}

int own_ghosts_switch(const char *name)
{
    return strcmp(name, OWN_GHOSTS_SWITCH) == 0 || strcmp(name, OWN_CLOCK_SWITCH) == 0;
}

/* The value of a switch; -1 if there is none. */
static int chosen(const struct config *c, const char *name)
{
    const size_t n = strlen(name);
    int value = -1;
    for (const char *at = c->define; *at; at += *at == ',') {
        if (strncmp(at, name, n) == 0 && at[n] == '=')
            value = at[n + 1] != '0';
        at += strcspn(at, ",");
    }
    return value;
}

/* The schemes whose kernels can, with commas. */
static void list_schemes(char *text, size_t room)
{
    size_t used = 0;
    *text = '\0';
    for (int k = 0; schemes[k] && used < room; k++)
        if (schemes[k]->begin)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "",
                                     schemes[k]->name);
}

static enum err choose(const struct sim *s, const char *name, const char *what, const char *why,
                       int usual, int *use)
{
    const int choice = chosen(s->config, name);
    char able[8 * NAME_LENGTH];
    list_schemes(able, sizeof able);
    if (choice >= 0 && !s->scheme->begin)
        FAIL(USAGE, "--define %s=%d: kernels of scheme %s never %s, those of %s can: leave it out",
             name, choice, s->scheme->name, what, able);
    if (choice > 0 && why)
        FAIL(USAGE, "--define %s=1: kernels cannot %s here: %s", name, what, why);
    *use = !why && (choice < 0 ? usual : choice);
    return ERR_OK;
}

/* On a GPU three launches are a good part of a small grid's step, and large ones lose nothing (kernels/SPEED.md). */
enum err own_ghosts_choose(struct sim *s)
{
    const int usual = s->backend == &backend_cuda;
    TRY(choose(s, OWN_GHOSTS_SWITCH, "fill ghost cells", why_not(s), usual, &s->own_ghosts));
    return choose(s, OWN_CLOCK_SWITCH, "move the clock on", why_not_clock(s), 1, &s->own_clock);
}

enum err own_clock_create(struct sim *s)
{
    static const struct trial none;
    return s->own_clock ? sim_constant(s, "trial", &none, sizeof none, &s->trial) : ERR_OK;
}

struct own_ghosts own_ghosts_of(const struct sim *s)
{
    struct own_ghosts own = {
        .trial = s->trial,
        .clock = s->clock,
        .ahead = s->ahead,
        .counters = s->counters,
        .clipped = s->tracer.clipped,
        .rims = {.flux = {s->rim, s->linked.odd_rim},
                 .sum = s->rim_sum,
                 .lost = s->rim_sum ? s->rim_sum + sim_rim_length(s) : NULL,
                 .nx = s->grid.nx,
                 .ny = s->grid.ny},
    };
    for (int e = 0; e < EDGES; e++)
        own.kind[e] = (int)s->boundary[e];
    return own;
}

enum err own_ghosts_begin(struct sim *s)
{
    return s->own_ghosts ? s->scheme->begin(s) : ERR_OK;
}
