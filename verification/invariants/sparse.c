/* A sparse domain gives the bits of a full one. */
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "core/sim/active_tiles.h"
#include "verification/certify/same_bits.h"
#include "verification/run/invariant.h"

static int applies(const struct variant *v)
{
    const struct scheme *s = variant_scheme(v);
    return v->mode == STRICT && s && !s->split && !active_tiles_stranger(s);
}

/* A pond that runs out over dry, rough ground; a lake with a column of water, whose waves reach its islands. */
static enum err flow(struct scene *s, int lake)
{
    enum { WIDTH = 97, HEIGHT = 61 };
    TRY(scene_rough(s, WIDTH, HEIGHT));
    scene_edges(s, WALL, lake ? WALL : OPEN);
    scene_stir(s, 0, 1);
    scene_level(s, lake ? 0.5 : -2);
    scene_dam(s, 0.2 * WIDTH, 0.3 * HEIGHT, 0.1 * WIDTH, lake ? 0.8 : 1.5);
    return ERR_OK;
}

static enum err compare(const struct config *c, const struct scene *s, struct tile_size tile,
                        const struct outcome *full, struct findings *f)
{
    char what[64];
    struct config other = *c;
    struct outcome o = {0};
    other.domain = DOMAIN_SPARSE;
    other.tile = tile;
    snprintf(what, sizeof what, "sparse: tiles of %d x %d", tile.w, tile.h);
    const enum err e = simulate(&other, s, &o);
    if (!e) {
        const int same = memcmp(&o.clock, &full->clock, sizeof o.clock) == 0 &&
                         memcmp(&o.balance, &full->balance, sizeof o.balance) == 0;
        found(f, what, s->nx, scene_gap(&full->state, &o.state, 1).values + !same, 0,
              "strict mode: values of the state, clock and balance that differ");
    }
    outcome_free(&o);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    static const struct tile_size tiles[] = {{28, 28}, {12, 5}, {60, 7}};
    enum err e = ERR_OK;
    for (int lake = 0; lake < 2 && !e; lake++) {
        struct config c;
        struct scene s = {0};
        struct outcome full = {0};
        variant_configure(&c, v);
        c.early_exit = EARLY_EXIT_OFF;
        c.steps = effort == 2 ? 400 : 50;
        TRY_OUT(flow(&s, lake));
        TRY_OUT(simulate(&c, &s, &full));
        c.early_exit = EARLY_EXIT_AUTO;
        for (int k = 0; k < (effort == 2 ? 3 : 1); k++)
            TRY_OUT(compare(&c, &s, tiles[(k + lake) % 3], &full, f));
    out:
        outcome_free(&full);
        scene_free(&s);
    }
    return e;
}

extern const struct invariant invariant_sparse;
const struct invariant invariant_sparse = {
    .name = "sparse",
    .title = "a sparse domain and a full one: the same bits",
    .why = "tiles that are not stored do not change: catches tiles that are added too late, wrong "
           "ghost cells beside absent tiles, and lost wave speeds and water of absent tiles",
    .applies = applies,
    .carried = CARRIED,
    .measure = measure,
};
