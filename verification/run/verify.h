/* The checks of a case: which runs, what is measured, and the limits. Cases have this as data,
 * which the drivers of `shoal verify` process. */
#ifndef SHOAL_VERIFY_H
#define SHOAL_VERIFY_H

#include <stddef.h>

#include "core/registry/case.h"
#include "core/base/err.h"
#include "core/mesh/grid.h"

/* The state of a run at one moment beside its reference. Arrays of ny rows of nx means over cells. */
struct snapshot {
    const struct flow_case *flow_case;
    struct grid_info grid;
    double t;          /* s */
    double kappa, dry; /* m */
    const double *bed,
        *w; /* of water: level of the bed at the centre, as the kernels see it, and of the surface, m */
    /* The run's unknowns; for water over a bed the first is the depth. Norms of water use the
     * names: m, m2/s, m2/s. */
    union {
        const double *of[UNKNOWNS];
        struct {
            const double *h, *hu, *hv;
        };
    };
    /* The reference, likewise (at centres for a system without a bed, and of a tracer); null if the case has
     * none. */
    union {
        const double *reference[UNKNOWNS];
        struct {
            const double *rh, *rhu, *rhv;
        };
    };
    double gained[CONSERVED]; /* of each conserved quantity, beyond the inflow */
};

/* A number that is measured in a snapshot. */
struct norm {
    const char *name;    /* "L1 h": no tab */
    const char *meaning; /* for the report: a formula in words */
    double (*of)(const struct snapshot *s);
};

/* The common ones, verification/run/norms.c. */
extern const struct norm norm_l1_h;   /* sum |h - ref| / sum ref */
extern const struct norm norm_l1_q;   /* sum |hu - ref| + |hv - ref| over sum |ref hu| + |ref hv| */
extern const struct norm norm_l2_h;   /* root mean square of h - ref over that of ref */
extern const struct norm norm_max_q;  /* max |q - ref q| / max |ref q|, q the two components */
extern const struct norm norm_mean_w; /* mean |h - ref|, m */
extern const struct norm norm_mean_hu; /* mean |hu - ref|, m2/s */
extern const struct norm norm_mean_hv; /* mean |hv - ref|, m2/s */
extern const struct norm
    norm_level; /* max |w - exact w at the centre| over wet cells, m: for lakes */
extern const struct norm norm_height;    /* mean |h - ref| of sediment, m */
extern const struct norm norm_share;     /* mean |s - ref| */
extern const struct norm norm_mean_c;    /* mean |c - ref| of a tracer */
extern const struct norm norm_gained;    /* |sand| gained beyond the inflow, per width, m2 */
extern const struct norm norm_discharge; /* max of |hu| and |hv|, m2/s: for lakes */

/* Which snapshot a check looks at: its number from 1 on, or one of these. */
enum { LAST = 0, MEAN = -1, LARGEST = -2 };

/* One check. With `order` the norm must fall at least at that order from the run of `from` cells
 * (0: the one before on the ladder) to that of n. Otherwise the norm of the run of n cells may be
 * at most `most`. */
struct check {
    const struct norm *norm;
    int at;          /* snapshot */
    int n, from;     /* cells from west to east */
    double most;     /* in f64, and in f32 unless: */
    double most_f32; /* 0: the same */
    double first;    /* `most` is larger by this factor for schemes of first order in time; 0: 1 */
    double split;    /* the same for dimensionally split schemes; 0: 1 */
    int f64_only;    /* rounding dominates in f32 */
    double fast;     /* `most` in fast mode, in roots of the precision's epsilon; 0: the same */
    int theory;      /* `most` follows from theory or rounding: no factor for other limiters */
    double order;    /* or CLAIMED: the lower one of the scheme's two claims, less 0.1 */
    double split_order; /* the order for dimensionally split schemes; 0: the same */
    const char *why;    /* where the number comes from */
    const char *scheme; /* for this one only; null: for all */
};
#define CLAIMED (-1.0)

/* What another code reached: printed beside, never judged. */
struct published {
    const char *who; /* "ryujin" and where it is published */
    const struct norm *norm;
    int at, n;
    double value;
};

/* A computed reference: made once, in memory that all workers share. */
struct reference {
    size_t doubles; /* room it needs */
    const void *of; /* what it is computed for: struct line, say */
    enum err (*compute)(const void *of, double *table); /* fills it */
    struct flow (*at)(const void *of, const double *table, double x, double y, double t);
    double *table; /* set by the driver */
};

enum { LADDER = 8, SNAPSHOTS = 64, CASE_NORMS = 8 };

struct verification {
    const struct check *checks;        /* ends with a null norm */
    const struct published *published; /* ends with a null norm; may be null */
    struct reference *reference;       /* instead of the case's exact solution; may be null */
    /* Cells from west to east, coarse to fine, ending with 0. The default scheme in f64 runs the first
     * `quick` (0: none), `usual`, or with --full all of them; others the first two, or all. */
    int ladder[LADDER];
    int quick, usual;
    double t_end;  /* s; 0: the case's */
    int snapshots; /* at equal intervals up to then; 0: one at the end. At most SNAPSHOTS */
    /* Not 0: the flow becomes steady. A run ends at the first snapshot at which the relative change
     * of h and q per second is below this, and must get there before the end. */
    double steady;
    double
        dt_per_area; /* of fixed steps, over the square of the cells' width, s/m2; 0: by the Courant number */
    int bounded;  /* too hard for schemes that do not claim to keep bounds: they do not run it */
    int limiters; /* every limiter runs it, not only the default one */
    int scatter;  /* keep all cells of the last snapshot, not only the middle row, for figures */
};

/* The time at which a verification of the case ends, s. */
static inline double verify_end(const struct flow_case *c)
{
    return c->verify && c->verify->t_end > 0 ? c->verify->t_end : c->t_end;
}

#endif
