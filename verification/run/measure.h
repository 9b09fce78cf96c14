/* One run of a case: computed, compared with its reference, written down for figures. */
#ifndef SHOAL_MEASURE_H
#define SHOAL_MEASURE_H

#include "verification/run/invariant.h"
#include "verification/run/verify.h"

struct run {
    const struct flow_case *flow_case;
    struct variant variant;
    int n;        /* cells from west to east */
    double kappa; /* m; NAN: the case's */
};

/* Plain data: it is in memory that processes share. */
struct measured {
    double value[CASE_NORMS][SNAPSHOTS]; /* [norm of the case][snapshot - 1] */
    double t[SNAPSHOTS];                 /* s */
    int snapshots;                       /* taken */
    double steady_at;                    /* s; NAN: not reached, or not asked for */
    int nx, ny;
    double kappa, dry, dt_min, dt_max; /* m, m, s, s */
    unsigned long steps, redone;
    double mass_error, clipped; /* relative to the initial volume; the first without clipping */
    double stored_over_depth;   /* sum |eta| over sum h at the end */
    double least_depth;         /* over all snapshots, m */
    double excess;              /* largest excess of an unknown over its bounds, in all steps */
    char digest[65];            /* of bed and unknowns after every snapshot */
    double seconds;             /* of computing, references and files included */
};

/* The distinct norms of a case's checks and published values, in order; returns their number. */
int case_norms(const struct flow_case *c, const struct norm *list[CASE_NORMS]);

/* "circular-dam.rk2.minmod.f64.cpu.100": for file names and messages. A flux or reconstruction that
 * is not the default follows the limiter: "minmod+hll". */
void run_name(const struct run *r, char name[256]);

/* What is measured of an unknown: for water over a bed the depth, not the level. */
struct system_variable measured_variable(const struct system *system, int unknown);

/* Runs and measures. Every snapshot is met exactly in time. In `folder` (null: nowhere) it leaves,
 * for figures, tab separated with a header line:
 *   NAME.profile.tsv  t x bed w h hu hv rh rhu rhv: the middle row at every snapshot; of another system its unknowns,
 *                     and without a bed neither bed nor w
 *   NAME.series.tsv   t and the norms, at every snapshot
 *   NAME.cells.tsv    x y and the same: all cells of the last one, if the case asks
 * What has no reference is "nan". */
enum err run_measure(const struct run *r, const char *folder, struct measured *m);

#endif
