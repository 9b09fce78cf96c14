/* Plug-ins: limiters, fluxes and reconstructions, with the properties that they declare. A plug-in
 * is one header in kernels/limiters, kernels/fluxes or kernels/reconstructions. */
#ifndef SHOAL_PLUGIN_H
#define SHOAL_PLUGIN_H

enum property {
    SYMMETRIC = 1 << 0,     /* mirroring the arguments mirrors the result, bit for bit */
    TVD = 1 << 1,           /* limiter: inside Sweby's region */
    SECOND_ORDER = 1 << 2,  /* limiter: exact on straight lines */
    POSITIVE = 1 << 3,      /* keeps depths non-negative */
    WELL_BALANCED = 1 << 4, /* a lake with dry islands stays at rest */
    BED_STEP = 1 << 5,      /* flux: handles a step of the bed; reconstruction: needs such a flux */
    QUARTER = 1 << 7,       /* flux: unstable beyond a Courant number of 1/4 */
    CELL_BEDS = 1 << 6, /* reconstruction: each cell has a bed of its own (kernels/num/stepped.h) */
};

struct plugin {
    const char *name, *title, *cite;
    unsigned properties;
};

#endif
