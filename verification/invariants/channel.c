/* One row along x, one column along y and many equal rows are the same flow; and a periodic domain
 * has no special place. */
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static const char *const ROWS = "the same operations on the same numbers: the same bits";
static const char *const PLACE = "no cell knows where it lies: the same bits";

static enum err one_row(struct scene *s)
{
    TRY(scene_rough(s, 61, 1));
    memcpy(s->bed + scene_corner(s, 0, 1), s->bed, scene_corner(s, 0, 1) * sizeof *s->bed);
    memset(s->field[2], 0, scene_cell(s, 0, 1) * sizeof *s->field[2]);
    return ERR_OK;
}

static enum err along_y(const struct variant *v, const struct config *c, const struct scene *row,
                        const struct outcome *ran, struct findings *f)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct scene seen = {0}, expected = {0};
    struct outcome o = {0};
    other.sweep = find_scheme(c->scheme)->split ? SWEEP_YX : SWEEP_XY;
    TRY_OUT(scene_seen(&seen, row, EXCHANGE));
    TRY_OUT(scene_seen(&expected, &ran->state, EXCHANGE));
    TRY_OUT(simulate(&other, &seen, &o));
    struct gap gap = scene_gap(&expected, &o.state, 0);
    found_gap(f, v, "a row along x and one along y", row->nx, &gap, 1.5, ROWS);
out:
    outcome_free(&o);
    scene_free(&expected);
    scene_free(&seen);
    return e;
}

static enum err as_a_strip(const struct variant *v, const struct config *c, const struct scene *row,
                           const struct outcome *ran, struct findings *f)
{
    enum { ROWS_OF_STRIP = 9 };
    enum err e = ERR_OK;
    struct scene wide = {0}, expected = {0};
    struct outcome o = {0};
    TRY_OUT(scene_widened(&wide, row, ROWS_OF_STRIP));
    TRY_OUT(scene_widened(&expected, &ran->state, ROWS_OF_STRIP));
    TRY_OUT(simulate(c, &wide, &o));
    struct gap gap = scene_gap(&expected, &o.state, 0);
    found_gap(f, v, "a row and a strip of equal rows", row->nx, &gap, 1.5, ROWS);
out:
    outcome_free(&o);
    scene_free(&expected);
    scene_free(&wide);
    return e;
}

static enum err moved(const struct variant *v, const struct config *c, struct findings *f)
{
    enum err e = ERR_OK;
    enum { EASTWARDS = 17, NORTHWARDS = 29 };
    struct scene s = {0}, shifted = {0}, expected = {0};
    struct outcome o = {0}, of_shifted = {0};
    TRY_OUT(scene_rough(&s, 45, 38));
    scene_edges(&s, PERIODIC, PERIODIC);
    TRY_OUT(scene_shifted(&shifted, &s, EASTWARDS, NORTHWARDS));
    TRY_OUT(simulate(c, &s, &o));
    TRY_OUT(simulate(c, &shifted, &of_shifted));
    TRY_OUT(scene_shifted(&expected, &o.state, EASTWARDS, NORTHWARDS));
    struct gap gap = scene_gap(&expected, &of_shifted.state, 0);
    found_gap(f, v, "moved round a periodic domain", s.nx, &gap, 1.5, PLACE);
out:
    outcome_free(&o);
    outcome_free(&of_shifted);
    scene_free(&s);
    scene_free(&shifted);
    scene_free(&expected);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct config c;
    struct scene row;
    struct outcome ran = {0};
    variant_configure(&c, v);
    c.steps = effort == 2 ? 1000 : 100;
    TRY(one_row(&row));
    TRY_OUT(simulate(&c, &row, &ran));
    TRY_OUT(along_y(v, &c, &row, &ran, f));
    TRY_OUT(as_a_strip(v, &c, &row, &ran, f));
    c.steps = effort == 2 ? 300 : 60;
    TRY_OUT(moved(v, &c, f));
out:
    outcome_free(&ran);
    scene_free(&row);
    return e;
}

extern const struct invariant invariant_channel;
const struct invariant invariant_channel = {
    .name = "channel",
    .title = "flow along x, along y and in a strip is the same, wherever it is",
    .why = "one-dimensional flow has no second dimension: catches exchanged indices and what goes "
           "wrong between tiles",
    .quick = 1,
    .measure = measure,
};
