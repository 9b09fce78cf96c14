/* The sea rises over a dry shore into a closed, flat basin, no higher than its own level. */
#include <math.h>

#include "core/problem/time_series.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

enum { NX = 40, NY = 2, ROWS = 3, LOOKS = 120 };

static const double CELL = 50, HIGH = 1, GRAVITY = 9.81; /* m, m, m/s2 */

static void look_at_highest(const struct outcome *o, double t, void *most)
{
    (void)t;
    *(double *)most = fmax(*(double *)most, outcome_deepest(o));
}

/* From -1 m it reaches the shore in the middle of its rise, and 1 m after as long as a wave there would take to
 * cross the basin 20 times; friction takes what sloshes. */
static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const double rise = 20 * NX * CELL / sqrt(GRAVITY * HIGH);
    double time[ROWS] = {0, 2 * rise, 3 * rise}, value[ROWS] = {-HIGH, HIGH, HIGH}, most = 0;
    const struct timeseries tide = {.time = time, .value = value, .rows = ROWS};
    const struct edge_segment west = {
        .edge = WEST, .first = 0, .end = NY, .kind = LEVEL, .series = &tide, .scale = 1};
    struct config c;
    struct scene s;
    struct sim *sim = NULL;
    struct outcome o = {0};
    enum err e = ERR_OK;
    (void)effort;
    variant_configure(&c, v);
    TRY(scene_create(&s, NX, NY));
    s.dx = s.dy = CELL;
    s.manning = 0.03;
    s.t_end = time[ROWS - 1];
    s.segments = &west;
    s.segment_count = 1;
    TRY_OUT(simulation_create(&sim, &c, &s));
    TRY_OUT(simulation_watch(sim, &s, s.t_end / LOOKS, look_at_highest, &most, &o));
    const double room = NX * NY * CELL * CELL * HIGH;
    found(f, "highest water, m", NX, o.broken ? (double)INFINITY : most, 1.05 * HIGH,
          "it rises slowly: sloshing is small");
    found(f, "volume apart from the full basin's", NX,
          o.broken ? (double)INFINITY : fabs(o.balance.volume / room - 1), 0.01,
          "the sea fills the basin to its level");
out:
    sim_destroy(sim);
    outcome_free(&o);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_tide;
const struct invariant invariant_tide = {
    .name = "tide",
    .title = "a tide over a dry shore fills the basin behind it, and no more",
    .why = "a time step that ignores the rise of the sea lets in a wall of water",
    .quick = 1,
    .measure = measure,
};
