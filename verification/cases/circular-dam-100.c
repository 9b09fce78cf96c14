/* Circular dam break that floods a dry square of 100 m: thesis 4.5, eq. 4.1 (complete auto-tuning). */
#include "verification/references/dam.h"
#include "verification/references/line.h"

/* Along a radius, as far as the wave gets. */
enum { CELLS = 4000, TIMES = 2 };

static const struct line line = {.radial = 1,
                                 .length = 90,
                                 .cells = CELLS,
                                 .dam = 6.5,
                                 .behind = 10,
                                 .gravity = 9.81,
                                 .t_end = 2,
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

static const char measured[] =
    "1.3 to 1.5 times what an independent f64 code reached with this scheme";

static const char kinks[] = "the solution has kinks and a bore: first order, less a margin";
static const char conserved[] =
    "mass and momentum fix the front's speed; a cell and a half for its place";

static const struct check checks[] = {
    {&norm_excess_h, .at = 1, .n = 100, .most = 0.086, .why = measured},
    {&norm_l1_q, .at = 1, .n = 100, .most = 0.13, .why = measured},
    {&norm_excess_h, .at = 1, .n = 200, .most = 0.048, .why = measured},
    {&norm_l1_q, .at = 1, .n = 200, .most = 0.066, .why = measured},
    {&norm_excess_h, .at = 2, .n = 100, .most = 0.115, .why = measured},
    {&norm_l1_q, .at = 2, .n = 100, .most = 0.13, .why = measured},
    {&norm_excess_h, .at = 2, .n = 200, .most = 0.056, .why = measured},
    {&norm_l1_q, .at = 2, .n = 200, .most = 0.066, .why = measured},
    {&norm_excess_h, .at = 2, .n = 200, .order = 0.75, .why = kinks},
    {&norm_l1_q, .at = 2, .n = 200, .order = 0.75, .why = kinks},
    {&norm_front, .at = 2, .n = 100, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {&norm_front, .at = 2, .n = 200, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .reference = &reference,
    .ladder = {100, 200, 400, 500},
    .quick = 1,
    .usual = 2,
    .t_end = 2, /* soon after, the front meets the walls */
    .snapshots = TIMES,
    .scatter = 1,
};

const struct flow_case case_circular_dam_100 = {
    .name = "circular-dam-100",
    .title = "circular dam break that floods a dry square of 100 m",
    .cite = "Amundsen 2014, section 4.5",
    .nx = 500,
    .ny = 500,
    .lx = 100,
    .ly = 100,
    .x0 = -50,
    .y0 = -50,
    .t_end = 4,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = flat_bed,
    .jumps = 1,
    .initial = initial,
    .verify = &verify,
};
