/* For reconstructions over a bed that steps at the faces: each cell has its own bed. */
#ifndef SHOAL_STEPPED_H
#define SHOAL_STEPPED_H

#include "num/more_registers.h"
#include "num/riemann.h"

#define STEPPED_BED 1

/* Also fewer warps (rows.h) than usual. */
#ifdef USUAL_WARPS
#undef USUAL_WARPS
#if PRECISION == 64
#define USUAL_WARPS (WIDTH < 64 ? 16 : WIDTH < 96 ? 8 : 4)
#else
#define USUAL_WARPS (WIDTH < 64 ? 18 : WIDTH < 96 ? 16 : 12)
#endif
#endif

#endif
