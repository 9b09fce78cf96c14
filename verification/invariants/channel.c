/* One row along x, one column along y and many equal rows are the same flow; and a periodic domain
 * has no special position. */
#include <string.h>

#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static const char *const ROWS = "the same operations on the same numbers: the same bits";
static const char *const PLACE = "no cell depends on its position: the same bits";

static enum err one_row(const struct variant *v, struct scene *s)
{
    TRY(scene_walled(s, variant_system(v), 61, 1));
    if (!s->system->over_bed)
        return ERR_OK;
    memcpy(s->bed + scene_corner(s, 0, 1), s->bed, scene_corner(s, 0, 1) * sizeof *s->bed);
    memset(s->field[2], 0, scene_cell(s, 0, 1) * sizeof *s->field[2]);
    return ERR_OK;
}

/* A row along x, along y and as a strip of equal rows. */
static enum err one_dimension(const struct variant *v, const struct config *c, struct findings *f)
{
    static const struct aspect along_y = {.how = EXCHANGE}, strip = {.rows = 9};
    enum err e = ERR_OK;
    struct scene row;
    struct outcome o = {0};
    TRY(one_row(v, &row));
    TRY_OUT(simulate(c, &row, &o));
    TRY_OUT(
        found_otherwise(f, v, "a row along x and one along y", c, &row, &o.state, &along_y, ROWS));
    TRY_OUT(
        found_otherwise(f, v, "a row and a strip of equal rows", c, &row, &o.state, &strip, ROWS));
out:
    outcome_free(&o);
    scene_free(&row);
    return e;
}

static enum err moved(const struct variant *v, const struct config *c, struct findings *f)
{
    static const struct aspect elsewhere = {.di = 17, .dj = 29};
    enum err e = ERR_OK;
    struct scene s;
    struct outcome o = {0};
    TRY(scene_walled(&s, variant_system(v), 45, 38));
    scene_edges(&s, PERIODIC, PERIODIC);
    TRY_OUT(simulate(c, &s, &o));
    TRY_OUT(
        found_otherwise(f, v, "moved round a periodic domain", c, &s, &o.state, &elsewhere, PLACE));
out:
    outcome_free(&o);
    scene_free(&s);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    struct config c;
    variant_configure(&c, v);
    c.steps = effort == 2 ? 1000 : 100;
    TRY(one_dimension(v, &c, f));
    c.steps = effort == 2 ? 300 : 60;
    return moved(v, &c, f);
}

extern const struct invariant invariant_channel;
const struct invariant invariant_channel = {
    .name = "channel",
    .of = OF_ALL,
    .title = "flow along x, along y and in a strip is the same, wherever it is",
    .why = "one-dimensional flow has no second dimension: catches exchanged indices and errors "
           "between tiles",
    .quick = 1,
    .measure = measure,
};
