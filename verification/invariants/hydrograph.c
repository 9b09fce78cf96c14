/* A flood enters a dry plain: all of it, and in time. */
#include <math.h>
#include <string.h>

#include "core/problem/time_series.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

/* Cells of the plain, and the two in the west through which the flood comes. */
enum { NX = 24, NY = 12, FIRST = 5, END = 7, ROWS = 5, FLOODS = 3 };

static const double CELL = 10;      /* m */
static const double EVERY = 15;     /* s, between samples */
static const double ARRIVED = 0.01; /* m */

/* Discharges per metre, m2/s, at times in s: after a pause, at once, after a trickle. */
struct flood {
    const char *volume, *mass;
    double time[ROWS], value[ROWS];
};

static const struct flood floods[FLOODS] = {
    {"volume missing, after a pause",
     "mass error, after a pause",
     {0, 300, 900, 1200, 1500},
     {0, 0, 0.4, 0.4, 0}},
    {"volume missing, at once",
     "mass error, at once",
     {0, 600, 900, 1200, 1500},
     {0, 0.4, 0.4, 0, 0}},
    {"volume missing, after a trickle",
     "mass error, after a trickle",
     {0, 300, 900, 1200, 1500},
     {1e-5, 1e-5, 0.4, 0.4, 0}},
};

static int has_arrived(const struct outcome *o)
{
    for (int j = 0; j < NY; j++)
        if (outcome_depth(o, NX - 2, j) > ARRIVED)
            return 1;
    return 0;
}

/* When water was seen in the east, s, and how deep it was anywhere, m. */
struct seen {
    double arrival, depth;
};

static void look_at_flood(const struct outcome *o, double t, void *context)
{
    struct seen *seen = context;
    seen->depth = fmax(seen->depth, outcome_deepest(o));
    if (isinf(seen->arrival) && has_arrived(o))
        seen->arrival = t;
}

/* This flux is so diffusive that the face beside dry ground carries more than the given discharge,
 * before there is water. */
static int damps_too_much(const struct variant *v)
{
    return strcmp(variant_flux(v), "lax_friedrichs") == 0;
}

static void judge(const struct variant *v, const struct flood *flood, const struct timeseries *q,
                  const struct outcome *o, struct findings *f)
{
    const double most = v->precision == F64 ? 1e-9 : 5e-6;
    const double enters = damps_too_much(v) ? 1e-5 : most;
    const double announced = timeseries_integral(q, 0, o->state.t_end) * (END - FIRST) * CELL;
    const struct balance *b = &o->balance;
    const double missing = fabs(b->in / announced - 1);
    const double error = fabs(b->volume - b->inflow - b->clipped_in) / announced;
    const int broken = o->broken;
    found(f, flood->volume, NX, broken ? (double)INFINITY : missing, enters,
          "the inflow is the integral of the series, whatever the steps are: rounding");
    found(f, flood->mass, NX, broken ? (double)INFINITY : error,
          variant_is_symmetric(v) ? most : LEAK, "all inflow is accounted for: rounding");
}

static enum err run(const struct variant *v, const struct flood *flood, struct seen *seen,
                    struct findings *f)
{
    struct config c;
    struct scene s;
    struct sim *sim = NULL;
    struct outcome o = {0};
    double time[ROWS], value[ROWS];
    enum err e = ERR_OK;
    for (int k = 0; k < ROWS; k++)
        time[k] = flood->time[k], value[k] = flood->value[k];
    const struct timeseries q = {.time = time, .value = value, .rows = ROWS};
    const struct edge_segment west = {
        .edge = WEST, .first = FIRST, .end = END, .kind = DISCHARGE, .series = &q, .scale = 1};
    variant_configure(&c, v);
    TRY(scene_create(&s, NX, NY));
    s.dx = s.dy = CELL;
    s.manning = 0.05;
    s.t_end = time[ROWS - 1];
    s.segments = &west;
    s.segment_count = 1;
    TRY_OUT(simulation_create(&sim, &c, &s));
    *seen = (struct seen){.arrival = (double)INFINITY};
    TRY_OUT(simulation_watch(sim, &s, EVERY, look_at_flood, seen, &o));
    judge(v, flood, &q, &o, f);
out:
    sim_destroy(sim);
    outcome_free(&o);
    scene_free(&s);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    struct seen seen[FLOODS];
    double depth = 0;
    (void)effort;
    for (int k = 0; k < FLOODS; k++) {
        TRY(run(v, &floods[k], &seen[k], f));
        depth = fmax(depth, seen[k].depth);
    }
    const double apart = fabs(seen[0].arrival - seen[2].arrival);
    found(f, "deepest water, m", NX, depth, 1,
          "a wall of water comes with a step that is too long");
    found(f, "arrivals with and without a trickle apart, s", NX,
          isfinite(apart) ? apart : (double)INFINITY, EVERY, "a trickle moves nothing: one sample");
    return ERR_OK;
}

extern const struct invariant invariant_hydrograph;
const struct invariant invariant_hydrograph = {
    .name = "hydrograph",
    .title = "a flood onto a dry plain brings its volume, in time",
    .why = "where nothing moves yet, waves do not limit the time step, so the inflow must",
    .quick = 1,
    .measure = measure,
};
