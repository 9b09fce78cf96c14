/* Edges of the domain: their kinds, and the arguments of the kernels that fill ghost cells. Separate from
 * args.h, whose text is part of every kernel's hash. */
#ifndef SHOAL_EDGES_H
#define SHOAL_EDGES_H

/* Those up to PERIODIC copy cells; the others impose values, except NEIGHBOUR, where another part of the
 * domain continues and halo.cu brings its cells. SUPPLY and LOSS are for sediment: the inflow of each, and
 * the total outflow of both. WAVE lets a given wave in and those from inside out. */
enum boundary {
    WALL,
    OPEN,
    PERIODIC,
    DISCHARGE,
    DEPTH,
    LEVEL,
    STATE,
    NEIGHBOUR,
    SUPPLY,
    LOSS,
    WAVE
};

struct boundary_args {
    struct span span; /* one position on the domain's rim each: west, east, south, north */
    long pitch, bed_pitch;
    int nx, ny;
    const long *
        where; /* offset of the cell at each position, where cells lie in tiles, -1 in an absent one; else null */
    int kind[EDGES]; /* enum boundary, up to PERIODIC, or NEIGHBOUR */
    struct fields q;
    const real *centre; /* bed at the cells' centres, m */
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

/* The values that the segments of edges impose, three numbers each: depth (LEVEL: surface level above the
 * still level), m; discharges across and along the edge in the direction of the axes, m2/s. SUPPLY and LOSS:
 * the second and the third are struct edge_state's `in`. WAVE: the height of the incoming wave above still
 * water, and that of still water above the still level, m. */
enum { GIVEN_H, GIVEN_ACROSS, GIVEN_ALONG, GIVENS, GIVEN_CALM = GIVEN_ACROSS };

struct edges_args {
    struct span span; /* as above */
    long pitch, bed_pitch;
    int nx, ny;
    const long *where;                    /* as above */
    const unsigned short *segment[EDGES]; /* segment of every position along an edge */
    const int *kind;                      /* of every segment, enum boundary */
    const real *given;                    /* [GIVENS] of every segment */
    struct fields q;
    struct ground ground;
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

/* A row of a series: until the next row's time the value is `value + (t - time) / slowness`. */
struct knot {
    double time, value; /* s, and the unit of what is imposed */
    double slowness;    /* s per unit; infinite where the value stays */
    double before;      /* integral over time from the first row to this one */
};

/* A series, and which of the given numbers it is. */
struct edge_series {
    int first, rows; /* knots */
    int given;
    double
        inwards; /* of a discharge, 1 where a positive one comes in, -1 where it leaves; else 0 */
    double bed;  /* lowest bed under a level, m */
};

/* The state that ghost cells are for: the one at the start of a step, before its length is known; one within a
 * step, or within the first or the second of two equal ones. */
enum moment { BEFORE_STEP, IN_STEP, IN_FIRST, IN_SECOND };

/* How a scheme's substeps integrate imposed values over a step, by its order in time; MIDPOINT: one flux, in
 * the middle of the step. */
enum quadrature { AT_START = 1, TRAPEZOID, SIMPSON, MIDPOINT };

struct series_args {
    struct span span; /* one block */
    int count;        /* series */
    const struct edge_series *series;
    const struct knot *knots;
    double *longest; /* scratch, two arrays of a number for each series */
    real *given;     /* out */
    double back;     /* time steps by which the state lies behind the clock's time */
    double cell;     /* the shorter side of a cell, m */
    int moment, quadrature;
    int steps;           /* that the pass makes */
    struct ahead *ahead; /* of a scheme that tries its steps, else null */
    struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
