/* Names of the items of a file's series. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/netcdf/write_parts.h"

/* Names as rows of characters, which every reader can read. CF's discrete sampling geometries
 * require the global attribute featureType, and a file with nothing but series; series that
 * share their times, as here, do not need them, and this file has maps as well. */
enum err ncwrite_names(const struct ncwriter *w, const struct names *n, int dim, int count)
{
    char variable[64], dimension[64];
    size_t length = 1;
    for (int k = 0; k < count; k++) {
        const size_t own = strlen(n->name(n->context, k));
        length = own > length ? own : length;
    }
    int dims[2] = {dim, -1}, var;
    snprintf(variable, sizeof variable, "%s_name", n->what);
    snprintf(dimension, sizeof dimension, "%s_name_length", n->what);
    NC(nc_def_dim(w->id, dimension, length, &dims[1]));
    NC(nc_def_var(w->id, variable, NC_CHAR, 2, dims, &var));
    TRY(ncwrite_text(w, var, "long_name", n->title));
    TRY(ncwrite_text(w, var, "cf_role", "timeseries_id"));
    TRY(ncwrite_text(w, var, "_Encoding", "utf-8"));
    char *text = calloc((size_t)count, length + 1);
    if (!text)
        FAIL(MEMORY, "no memory for %d names", count);
    for (int k = 0; k < count; k++)
        memcpy(text + (size_t)k * length, n->name(n->context, k), strlen(n->name(n->context, k)));
    errno = 0;
    const int status = nc_put_var_text(w->id, var, text), error = errno;
    free(text);
    return status ? ncwrite_failed(w, status, error) : ERR_OK;
}

#endif
