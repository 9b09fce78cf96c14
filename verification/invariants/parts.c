/* A domain in parts, in several processes, and in tiles gives the bits of one piece. */
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"

#include "verification/certify/same_bits.h"
#include "verification/run/invariant.h"

static int applies(const struct variant *v)
{
    return v->mode == STRICT;
}

/* Cells of tiles; none of them, and no number of parts, divides the domain: 67 x 53 cells, or with --full 101 x 67,
 * which are primes. */
static const struct piece {
    const char *parts;
    struct tile_size tile;
    int ranks, exits; /* `exits`: with early exit */
    int steps;        /* an exchange once in so many; 0: before each substep */
} pieces[] = {{"3", {0, 0}, 2, 0, 0},   {"1", {28, 28}, 1, 0, 0},  {"2x2", {12, 9}, 1, 1, 0},
              {"3", {0, 0}, 1, 0, 2},   {"2x2", {0, 0}, 4, 0, 0},  {"1:3:2", {60, 7}, 3, 0, 0},
              {"7", {0, 0}, 1, 0, 0},   {"1", {6, 6}, 1, 1, 0},    {"1", {9, 11}, 1, 0, 0},
              {"2x2", {0, 0}, 2, 0, 2}, {"2", {0, 0}, 1, 0, 0},    {"4", {0, 0}, 1, 0, 0},
              {"3x2", {0, 0}, 1, 0, 0}, {"3x2", {28, 28}, 1, 0, 0}};
enum { PIECES = sizeof pieces / sizeof *pieces, USUAL = 4 };
_Static_assert(2 * PIECES <= FINDINGS, "findings of the water, and with a tracer once more");

static enum err compare(const struct config *c, const struct scene *s, const struct piece *p,
                        const struct outcome *plain, struct findings *f)
{
    char what[128], tiles[32] = "", processes[32] = "", seldom[48] = "";
    struct config other = *c;
    struct outcome o = {0};
    TRY(shares_read(p->parts, &other.parts));
    other.tile = p->tile;
    other.ranks = p->ranks;
    other.ghost_steps = p->steps;
    if (p->tile.w)
        snprintf(tiles, sizeof tiles, ", tiles of %d x %d", p->tile.w, p->tile.h);
    if (p->exits && s->system->over_bed)
        other.early_exit = EARLY_EXIT_ON;
    if (p->ranks > 1)
        snprintf(processes, sizeof processes, ", by %d processes", p->ranks);
    if (p->steps)
        snprintf(seldom, sizeof seldom, ", exchanged in %d steps", p->steps);
    snprintf(what, sizeof what, "in parts: %s%s%s%s", p->parts, tiles, processes, seldom);
    const enum err e = simulate(&other, s, &o);
    if (!e) {
        const int same = memcmp(&o.clock, &plain->clock, sizeof o.clock) == 0 &&
                         memcmp(&o.balance, &plain->balance, sizeof o.balance) == 0;
        found(f, what, s->nx, scene_gap(&plain->state, &o.state, 1).values + !same, 0,
              "strict mode: values of the state, clock and balance that differ");
    }
    outcome_free(&o);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct config c;
    struct scene s;
    struct outcome plain = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 400 : 50;
    const struct scheme *const scheme = find_scheme(c.scheme);
    const int tiles = !scheme->split, seldom = scheme->fills > 0;
    TRY(witness_flow(&s, variant_system(v), effort == 2 ? 101 : 67, effort == 2 ? 67 : 53));
    TRY_OUT(simulate(&c, &s, &plain));
    for (int k = 0; k < (effort == 2 ? (int)PIECES : (int)USUAL); k++)
        if ((tiles || !pieces[k].tile.w) && (seldom || !pieces[k].steps))
            TRY_OUT(compare(&c, &s, &pieces[k], &plain, f));
out:
    outcome_free(&plain);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_parts;
const struct invariant invariant_parts = {
    .name = "parts",
    .of = OF_ALL,
    .title = "a domain in parts, by processes, in tiles, and in one piece: the same bits",
    .why = "every part and tile computes what the whole would compute there: catches ghost cells "
           "that are late, wrong or missing, and decisions that a part makes alone",
    .applies = applies,
    .carried = CARRIED,
    .measure = measure,
};
