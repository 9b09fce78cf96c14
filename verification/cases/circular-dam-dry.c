/* Circular dam break onto dry ground: thesis 3.1.2, figure 3.2 (the choice of the time step factor). */
#include "verification/references/dam.h"
#include "verification/references/line.h"

/* Along a radius, as far as the wave gets. */
enum { CELLS = 4000, TIMES = 3 };

static const struct line line = {.radial = 1,
                                 .length = 24,
                                 .cells = CELLS,
                                 .dam = 2.5,
                                 .behind = 2.5,
                                 .gravity = 9.81,
                                 .t_end = 1.5,
                                 .times = TIMES};

static struct flow initial(double x, double y)
{
    return line_start(&line, x, y);
}

static struct reference reference = {.title = "along a radius, 4000 cells",
                                     .doubles = LINE_DOUBLES(CELLS, TIMES),
                                     .of = &line,
                                     .compute = line_compute,
                                     .at = line_flow};

static const char measured[] = "1.5 times what rk2 reached in f64";
static const char kinks[] = "the solution has kinks and a bore: first order, less a margin";
static const char conserved[] =
    "mass and momentum fix the front's speed; a cell and a half for its place";

static const struct check checks[] = {
    {&norm_excess_h, .at = 2, .n = 100, .most = 0.085, .why = measured},
    {&norm_l1_q, .at = 2, .n = 100, .most = 0.12, .why = measured},
    {&norm_excess_h, .at = 3, .n = 100, .most = 0.12, .why = measured},
    {&norm_l1_q, .at = 3, .n = 100, .most = 0.135, .why = measured},
    {&norm_excess_h, .at = 3, .n = 200, .most = 0.056, .why = measured},
    {&norm_l1_q, .at = 3, .n = 200, .most = 0.066, .why = measured},
    {&norm_excess_h, .at = 3, .n = 200, .order = 0.75, .why = kinks},
    {&norm_l1_q, .at = 3, .n = 200, .order = 0.75, .why = kinks},
    {&norm_front, .at = 3, .n = 100, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {&norm_front, .at = 3, .n = 200, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .reference = &reference,
    .ladder = {100, 200, 400},
    .quick = 1,
    .usual = 2,
    .t_end = 1.5, /* soon after, the thin front meets the walls */
    .snapshots = TIMES,
    .scatter = 1,
};

const struct flow_case case_circular_dam_dry = {
    .name = "circular-dam-dry",
    .title = "circular dam break onto dry ground",
    .cite = "Amundsen 2014, section 3.1.2",
    .nx = 500,
    .ny = 500,
    .lx = 40,
    .ly = 40,
    .x0 = -20,
    .y0 = -20,
    .t_end = 2,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = flat_bed,
    .jumps = 1,
    .initial = initial,
    .verify = &verify,
};
