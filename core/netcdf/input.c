/* The state that a run begins with, from whatever files. */
#include <stdlib.h>

#include "core/netcdf/netcdf_file.h"

void nc_input_free(struct nc_input *in)
{
    free(in->bed_corner);
    free(in->w);
    free(in->hu);
    free(in->hv);
    free(in->manning_of);
    free(in->wall);
    *in = (struct nc_input){0};
}
