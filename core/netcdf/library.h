/* Opens netCDF on first use; loading it takes 25 ms (with HDF5, curl, TLS), ten times as long as the start of a
 * command. Include this in place of netcdf.h. */
#ifndef SHOAL_NETCDF_LIBRARY_H
#define SHOAL_NETCDF_LIBRARY_H

#include <netcdf.h>

#include "core/base/err.h"

/* Names without nc_. */
/* clang-format off */
#define NETCDF_FUNCTIONS(X) \
    X(close) X(create) X(def_dim) X(def_var) X(def_var_chunking) X(def_var_deflate) \
    X(def_var_fill) X(enddef) X(free_string) X(get_att_double) X(get_att_string) \
    X(get_att_text) X(get_var) X(get_var1_double) X(get_var_double) X(get_var_int) \
    X(get_vara) X(get_vara_double) X(get_vara_float) X(get_vara_text) X(get_vara_uchar) \
    X(inq_att) X(inq_attid) X(inq_attlen) X(inq_attname) X(inq_dim) X(inq_dimid) \
    X(inq_dimlen) X(inq_dimname) X(inq_libvers) X(inq_ndims) X(inq_nvars) X(inq_type) \
    X(inq_var) X(inq_var_chunking) X(inq_vardimid) X(inq_varid) X(inq_varname) \
    X(inq_varnatts) X(inq_varndims) X(inq_vartype) X(open) X(put_att_double) \
    X(put_att_float) X(put_att_long) X(put_att_schar) X(put_att_text) X(put_var) \
    X(put_var1_double) X(put_var1_int) X(put_var_double) X(put_var_text) X(put_vara) \
    X(put_vara_double) X(put_vara_uchar) X(strerror) X(sync)
/* clang-format on */

struct netcdf {
#define NETCDF_MEMBER(name) __typeof__(nc_##name) *name;
    NETCDF_FUNCTIONS(NETCDF_MEMBER)
#undef NETCDF_MEMBER
};

/* The process's only netCDF. Usable once the function below has succeeded; it stays open until the process ends. */
extern struct netcdf netcdf;

/* Opens the library once. Fails with ERR_ABSENT if it is not installed. Thread safe. */
enum err netcdf_open(void);

/* As the library calls them. One that the linker misses is missing here and above. */
#define nc_close            netcdf.close
#define nc_create           netcdf.create
#define nc_def_dim          netcdf.def_dim
#define nc_def_var          netcdf.def_var
#define nc_def_var_chunking netcdf.def_var_chunking
#define nc_def_var_deflate  netcdf.def_var_deflate
#define nc_def_var_fill     netcdf.def_var_fill
#define nc_enddef           netcdf.enddef
#define nc_free_string      netcdf.free_string
#define nc_get_att_double   netcdf.get_att_double
#define nc_get_att_string   netcdf.get_att_string
#define nc_get_att_text     netcdf.get_att_text
#define nc_get_var          netcdf.get_var
#define nc_get_var1_double  netcdf.get_var1_double
#define nc_get_var_double   netcdf.get_var_double
#define nc_get_var_int      netcdf.get_var_int
#define nc_get_vara         netcdf.get_vara
#define nc_get_vara_double  netcdf.get_vara_double
#define nc_get_vara_float   netcdf.get_vara_float
#define nc_get_vara_text    netcdf.get_vara_text
#define nc_get_vara_uchar   netcdf.get_vara_uchar
#define nc_inq_att          netcdf.inq_att
#define nc_inq_attid        netcdf.inq_attid
#define nc_inq_attlen       netcdf.inq_attlen
#define nc_inq_attname      netcdf.inq_attname
#define nc_inq_dim          netcdf.inq_dim
#define nc_inq_dimid        netcdf.inq_dimid
#define nc_inq_dimlen       netcdf.inq_dimlen
#define nc_inq_dimname      netcdf.inq_dimname
#define nc_inq_libvers      netcdf.inq_libvers
#define nc_inq_ndims        netcdf.inq_ndims
#define nc_inq_nvars        netcdf.inq_nvars
#define nc_inq_type         netcdf.inq_type
#define nc_inq_var          netcdf.inq_var
#define nc_inq_var_chunking netcdf.inq_var_chunking
#define nc_inq_vardimid     netcdf.inq_vardimid
#define nc_inq_varid        netcdf.inq_varid
#define nc_inq_varname      netcdf.inq_varname
#define nc_inq_varnatts     netcdf.inq_varnatts
#define nc_inq_varndims     netcdf.inq_varndims
#define nc_inq_vartype      netcdf.inq_vartype
#define nc_open             netcdf.open
#define nc_put_att_double   netcdf.put_att_double
#define nc_put_att_float    netcdf.put_att_float
#define nc_put_att_long     netcdf.put_att_long
#define nc_put_att_schar    netcdf.put_att_schar
#define nc_put_att_text     netcdf.put_att_text
#define nc_put_var          netcdf.put_var
#define nc_put_var1_double  netcdf.put_var1_double
#define nc_put_var1_int     netcdf.put_var1_int
#define nc_put_var_double   netcdf.put_var_double
#define nc_put_var_text     netcdf.put_var_text
#define nc_put_vara         netcdf.put_vara
#define nc_put_vara_double  netcdf.put_vara_double
#define nc_put_vara_uchar   netcdf.put_vara_uchar
#define nc_strerror         netcdf.strerror
#define nc_sync             netcdf.sync

#endif
