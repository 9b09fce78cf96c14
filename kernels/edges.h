/* Edges of the domain: what they may be, and the arguments of the kernels that fill ghost cells. Apart
 * from args.h, whose text is part of every kernel's hash. */
#ifndef SHOAL_EDGES_H
#define SHOAL_EDGES_H

/* Those up to PERIODIC take everything from cells; the others impose numbers, but for NEIGHBOUR: there another part of
 * the domain goes on, whose cells come by halo.cu. SUPPLY and LOSS are of sediment: what comes in of each, and how much
 * leaves of both together. WAVE feeds one and lets those out that come from inside. */
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

/* What the segments of edges impose, three numbers each: depth (of LEVEL: surface level above
 * the still level), m; discharges across and along the edge in the direction of the axes, m2/s. Of SUPPLY and LOSS
 * the second and the third are struct edge_state's `in`. Of WAVE: by how much the wave that comes in lies above still
 * water, and where that lies above the still level, m. */
enum { GIVEN_H, GIVEN_ACROSS, GIVEN_ALONG, GIVENS, GIVEN_CALM = GIVEN_ACROSS };

struct edges_args {
    struct span span; /* as above */
    long pitch, bed_pitch;
    int nx, ny;
    const long *where;                    /* as above */
    const unsigned short *segment[EDGES]; /* of every position along an edge, its segment */
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

/* A series, and which of the numbers given it is. */
struct edge_series {
    int first, rows; /* knots */
    int given;
    double
        inwards; /* of a discharge, 1 where a positive one comes in, -1 where it leaves; else 0 */
    double bed;  /* from which a level rises, the lowest there, m */
};

/* Which state ghost cells are for: that with which a step begins, before its length is known;
 * one in a step, or in the first of two equal ones, or in the second. */
enum moment { BEFORE_STEP, IN_STEP, IN_FIRST, IN_SECOND };

/* The rule by which a scheme's substeps integrate over a step what edges impose, by its order in time; or there is one flux, of
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
