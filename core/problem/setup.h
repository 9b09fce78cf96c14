/* What a run needs beyond the configuration; the caller fills it from case or file. */
#ifndef SHOAL_SETUP_H
#define SHOAL_SETUP_H

#include "core/options/run_config.h"
#include "core/problem/edges.h"
#include "core/mesh/grid.h"
#include "core/registry/case.h"

/* Source of the initial state: formulas or a file. Indices as for cells and corners. Called from
 * any thread, for as long as the sim lives: it keeps no copy. */
struct source {
    void *context;
    double (*bed)(const void *context, int i, int j);        /* corner level, m */
    struct flow (*water)(const void *context, int i, int j); /* level and velocities in a cell */
    int discharges; /* u and v are discharges in m2/s, to be preserved to the last bit */
    /* Optional: source terms in a cell, m/s and m2/s2. */
    struct forcing (*force)(const void *context, int i, int j);
    /* Optional: Manning's n in a cell, s/m^(1/3), instead of the setup's. */
    double (*manning)(const void *context, int i, int j);
    /* For a system without a bed, instead of both: unknown number k in a cell. */
    double (*value)(const void *context, int k, int i, int j);
    /* For its system, in a cell: given field number k; optional, source term of conserved quantity
     * k. */
    double (*given)(const void *context, int k, int i, int j);
    double (*added)(const void *context, int k, int i, int j);
    /* Optional: the tracer's c in a cell. */
    double (*tracer)(const void *context, int i, int j);
    const char *tracer_file; /* that has it, for messages; may be null */
    /* Optional: the cell is, or rises to, a wall that stands for missing terrain: it has no shore. */
    int (*wall)(const void *context, int i, int j);
    int flat; /* only if the bed has the same level everywhere */
    /* Optional: true only if no cell of the window has water. */
    int (*is_dry)(const void *context, const struct window *w);
};

struct ranks; /* core/device/ranks.h */

struct setup {
    const struct config *config;
    struct ranks *ranks; /* the processes that compute it together; null: this one alone */
    struct grid_info grid;
    enum boundary boundary[EDGES];
    struct edge_state edge[EDGES];
    const struct edge_segment *segments; /* in addition; later ones override earlier ones */
    int segment_count;
    double t_end, gravity, manning, drag, kappa; /* kappa NAN: by initial_state.h's rule */
    double constant[CONSTANTS];                  /* of the system */
    double rise[2][UNKNOWNS];                    /* as in struct flow_case */
    struct source source;
    const struct rain *rain;             /* may be null; must outlive the sim */
    const struct soil *soil;             /* likewise */
    const struct spring_list *springs;   /* likewise */
    const struct section_list *sections; /* likewise */
    const struct system *system;         /* null: the scheme's own */
    const struct gauge_list *gauges;     /* may be null; must outlive the sim */
    double gauge_every;                  /* s */
    int exchanged; /* x and y are swapped, in all of this but what it points to from `rain` on */
};

#endif
