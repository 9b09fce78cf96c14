/* Plug-ins as functions, for the program and for the code that it compiles around them: numbers are
 * doubles whatever the precision. Callers pass numbers that are exact in the precision, and get its
 * results exactly. */
#ifndef SHOAL_PLUGIN_CALLS_H
#define SHOAL_PLUGIN_CALLS_H

/* One side of a face, and the flux: see kernels/num/riemann.h. */
struct plain_side {
    double h, un, ut, b;
};

struct plain_flux {
    double h, n, t;
    double after; /* n as the cell behind the face sees it: differs only over a step in the bed */
};

/* A row of three cells, the levels at the faces of the middle one, and its depths and velocities at
 * those faces. */
struct plain_row {
    double w[3], n[3], t[3];  /* levels m, discharges across and along the faces m2/s */
    double b_low, b_high;     /* of the bed, m */
    double theta, kappa, dry; /* m */
};

struct plain_halves {
    double h[2], un[2], ut[2]; /* at the lower and at the higher face */
    double bed[2]; /* where the bed has steps, its level between the two, in either order */
    double depth;  /* of the middle cell */
};

/* The limited slope of n pairs of differences; the flux through n faces; the reconstruction of n
 * rows. */
typedef void limiter_call(const double *a, const double *b, double theta, double *slope, long n);
typedef void flux_call(const struct plain_side *l, const struct plain_side *r, double g,
                       struct plain_flux *f, long n);
typedef void rows_call(const struct plain_row *row, struct plain_halves *s, long n);

#endif
