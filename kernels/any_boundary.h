/* Arguments of the kernel that fills the ghost cells of any unknowns. */
#ifndef SHOAL_ANY_BOUNDARY_ARGS_H
#define SHOAL_ANY_BOUNDARY_ARGS_H

enum { ANY_UNKNOWNS = 4 }; /* as many as a system may have */

struct any_boundary_args {
    struct span span; /* one position on the domain's rim each: west, east, south, north */
    long pitch;
    int nx, ny;
    const long *where; /* as in struct boundary_args */
    int kind[EDGES];   /* enum boundary, up to PERIODIC, or NEIGHBOUR */
    int unknowns;
    real *unknown[ANY_UNKNOWNS];
    const real *
        rise; /* [2][ANY_UNKNOWNS], from west to east, from south to north, across periodic edges; or null */
    int mirror_x[ANY_UNKNOWNS],
        mirror_y[ANY_UNKNOWNS]; /* signs that walls give them: struct unknown */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
