/* One row along x, one column along y and many equal rows are the same flow; and a periodic domain
 * has no special place. */
#include <string.h>

#include "core/registry.h"
#include "verification/patch.h"

static const char *const ROWS = "the same operations on the same numbers: the same bits";
static const char *const PLACE = "no cell knows where it lies: the same bits";

static enum err one_row(struct patch *p)
{
    TRY(patch_rough(p, 61, 1));
    memcpy(p->bed + p->nx + 1, p->bed, ((size_t)p->nx + 1) * sizeof *p->bed);
    memset(p->field[2], 0, (size_t)p->nx * sizeof *p->field[2]);
    return ERR_OK;
}

static enum err along_y(const struct variant *v, const struct config *c, const struct patch *row,
                        const struct outcome *ran, long steps, struct findings *f)
{
    enum err e = ERR_OK;
    struct config other = *c;
    struct patch seen = {0}, expected = {0};
    struct outcome o = {0};
    other.sweep = find_scheme(c->scheme)->split ? SWEEP_YX : SWEEP_XY;
    TRY_OUT(patch_seen(&seen, row, EXCHANGE));
    TRY_OUT(patch_seen(&expected, &ran->state, EXCHANGE));
    TRY_OUT(patch_run(&other, &seen, steps, &o));
    struct gap gap = patch_gap(&expected, &o.state);
    found_gap(f, v, "a row along x and one along y", row->nx, &gap, 1.5, ROWS);
out:
    patch_outcome_free(&o);
    patch_free(&expected);
    patch_free(&seen);
    return e;
}

static enum err as_a_strip(const struct variant *v, const struct config *c, const struct patch *row,
                           const struct outcome *ran, long steps, struct findings *f)
{
    enum { ROWS_OF_STRIP = 9 };
    enum err e = ERR_OK;
    struct patch wide = {0}, expected = {0};
    struct outcome o = {0};
    TRY_OUT(patch_widened(&wide, row, ROWS_OF_STRIP));
    TRY_OUT(patch_widened(&expected, &ran->state, ROWS_OF_STRIP));
    TRY_OUT(patch_run(c, &wide, steps, &o));
    struct gap gap = patch_gap(&expected, &o.state);
    found_gap(f, v, "a row and a strip of equal rows", row->nx, &gap, 1.5, ROWS);
out:
    patch_outcome_free(&o);
    patch_free(&expected);
    patch_free(&wide);
    return e;
}

static enum err moved(const struct variant *v, const struct config *c, long steps,
                      struct findings *f)
{
    enum err e = ERR_OK;
    enum { EASTWARDS = 17, NORTHWARDS = 29 };
    struct patch p = {0}, closed = {0}, shifted = {0}, expected = {0};
    struct outcome o = {0}, of_shifted = {0};
    TRY_OUT(patch_rough(&p, 45, 38));
    for (int k = 0; k < EDGES; k++)
        p.boundary[k] = PERIODIC;
    TRY_OUT(patch_shifted(&closed, &p, 0, 0));
    TRY_OUT(patch_shifted(&shifted, &closed, EASTWARDS, NORTHWARDS));
    TRY_OUT(patch_run(c, &closed, steps, &o));
    TRY_OUT(patch_run(c, &shifted, steps, &of_shifted));
    TRY_OUT(patch_shifted(&expected, &o.state, EASTWARDS, NORTHWARDS));
    struct gap gap = patch_gap(&expected, &of_shifted.state);
    found_gap(f, v, "moved round a periodic domain", p.nx, &gap, 1.5, PLACE);
out:
    patch_outcome_free(&o);
    patch_outcome_free(&of_shifted);
    patch_free(&p);
    patch_free(&closed);
    patch_free(&shifted);
    patch_free(&expected);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    const long steps = effort == 2 ? 1000 : 100;
    struct config c;
    struct patch row;
    struct outcome ran = {0};
    variant_configure(&c, v);
    TRY(one_row(&row));
    TRY_OUT(patch_run(&c, &row, steps, &ran));
    TRY_OUT(along_y(v, &c, &row, &ran, steps, f));
    TRY_OUT(as_a_strip(v, &c, &row, &ran, steps, f));
    TRY_OUT(moved(v, &c, effort == 2 ? 300 : 60, f));
out:
    patch_outcome_free(&ran);
    patch_free(&row);
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
