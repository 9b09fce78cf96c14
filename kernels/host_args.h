/* kernels/args.h for the host: the same structs, with numbers in double precision. */
#ifndef SHOAL_HOST_ARGS_H
#define SHOAL_HOST_ARGS_H

#define PRECISION   64
#define WITH_TRACER 1 /* sim_launch leaves out what a kernel does not know */
#define BW          1
#define BH          1
#include "kernels/args.h"
#undef BW
#undef BH
#undef X0
#undef Y0

#endif
