/* The state that a run starts with, from files of any supported kind. */
#include <stdlib.h>

#include "core/base/plane.h"
#include "core/netcdf/netcdf_file.h"

void nc_input_free(struct nc_input *in)
{
    free(in->wkt);
    plane_free(in->bed_corner);
    plane_free(in->w);
    for (int k = 0; k < UNKNOWNS; k++)
        plane_free(in->unknown[k]);
    plane_free(in->manning_of);
    plane_free((double *)(void *)in->wall);
    *in = (struct nc_input){0};
}
