/* The state that a run begins with, from whatever files. */
#include <stdlib.h>

#include "core/netcdf/netcdf_file.h"

void nc_input_free(struct nc_input *in)
{
    free(in->wkt);
    free(in->bed_corner);
    free(in->w);
    for (int k = 0; k < UNKNOWNS; k++)
        free(in->unknown[k]);
    free(in->manning_of);
    free(in->wall);
    *in = (struct nc_input){0};
}
