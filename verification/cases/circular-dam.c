/* Circular dam break onto wet ground: thesis 3.1.2, eq. 3.5 (the comparison of its schemes). */
#include "verification/references/dam.h"
#include "verification/references/line.h"

/* Along a radius, as far as the wave gets. */
enum { CELLS = 3000, TIMES = 4 };

static const struct line line = {.radial = 1,
                                 .length = 12,
                                 .cells = CELLS,
                                 .dam = 2.5,
                                 .behind = 2.5,
                                 .before = 0.5,
                                 .gravity = 9.81,
                                 .t_end = 2,
                                 .times = TIMES};

static struct flow initial(double x, double y)
{
    return line_start(&line, x, y);
}

static struct reference reference = {.title = "along a radius, 3000 cells",
                                     .doubles = LINE_DOUBLES(CELLS, TIMES),
                                     .of = &line,
                                     .compute = line_compute,
                                     .at = line_flow};

static const char measured[] =
    "1.3 to 1.5 times what an independent f64 code reached with this scheme";

static const char own[] = "1.5 times what rk2 reached in f64";
static const char shock[] = "first order behind a shock; an independent code: 0.93 to 1.0";
static const char conserved[] =
    "mass and momentum fix the front's speed; a cell for its place in one";

static const struct check checks[] = {
    {&norm_excess_h, .at = 1, .n = 100, .most = 0.15, .why = measured},
    {&norm_l1_q, .at = 1, .n = 100, .most = 0.12, .why = measured},
    {&norm_excess_h, .at = 4, .n = 100, .most = 0.15, .why = measured},
    {&norm_l1_q, .at = 4, .n = 100, .most = 0.12, .why = measured},
    {&norm_excess_h, .at = 1, .n = 200, .most = 0.08, .why = measured},
    {&norm_l1_q, .at = 1, .n = 200, .most = 0.065, .why = measured},
    {&norm_excess_h, .at = 4, .n = 200, .most = 0.08, .why = measured},
    {&norm_l1_q, .at = 4, .n = 200, .most = 0.065, .why = measured},
    {&norm_excess_h, .at = 4, .n = 500, .most = 0.031, .why = own},
    {&norm_l1_q, .at = 4, .n = 500, .most = 0.032, .why = own},
    {&norm_excess_h, .at = 4, .n = 1000, .most = 0.016, .why = own},
    {&norm_l1_q, .at = 4, .n = 1000, .most = 0.016, .why = own},
    {&norm_excess_h, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_l1_q, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_excess_h, .at = 4, .n = 1000, .order = 0.75, .why = shock},
    {&norm_l1_q, .at = 4, .n = 1000, .order = 0.75, .why = shock},
    {&norm_front, .at = LARGEST, .n = 100, .most = 1, .theory = 1, .why = conserved},
    {&norm_front, .at = LARGEST, .n = 200, .most = 1, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .reference = &reference,
    .ladder = {100, 200, 500, 1000}, /* the last two: figures 3.4 and 3.5 of the thesis */
    .quick = 2,
    .usual = 4,
    .snapshots = TIMES,
    .limiters = 1,
    .scatter = 1,
};

const struct flow_case case_circular_dam = {
    .name = "circular-dam",
    .title = "circular dam break onto 0.5 m of water",
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
