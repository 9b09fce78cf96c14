/* Converts between well-known text and the attributes of CF 1.8, appendix F. Programs of GDAL's
 * family read the text (`spatial_ref`, or `crs_wkt`), others the attributes. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/mapping.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mesh/crs.h"

enum { TEXT = 1 << 15, MOST_NUMBERS = 5 };

/* One attribute; the parallels are one or two numbers of the same attribute. */
struct attribute_of {
    const char *name;
    enum crs_number number;
};

#define OFFSETS                        \
    {"false_easting", CRS_EASTING},    \
    {                                  \
        "false_northing", CRS_NORTHING \
    }

static const struct {
    enum crs_method method;
    const char *name, *wkt; /* grid_mapping_name; PROJECTION */
    int parallels;
    struct attribute_of attribute[MOST_NUMBERS + 1];
} mappings[] = {
    {CRS_TRANSVERSE_MERCATOR,
     "transverse_mercator",
     "Transverse_Mercator",
     0,
     {{"latitude_of_projection_origin", CRS_LATITUDE},
      {"longitude_of_central_meridian", CRS_LONGITUDE},
      {"scale_factor_at_central_meridian", CRS_SCALE},
      OFFSETS}},
    {CRS_LAMBERT_CONFORMAL,
     "lambert_conformal_conic",
     "Lambert_Conformal_Conic_2SP",
     2,
     {{"latitude_of_projection_origin", CRS_LATITUDE},
      {"longitude_of_central_meridian", CRS_LONGITUDE},
      OFFSETS}},
    {CRS_ALBERS,
     "albers_conical_equal_area",
     "Albers_Conic_Equal_Area",
     2,
     {{"latitude_of_projection_origin", CRS_LATITUDE},
      {"longitude_of_central_meridian", CRS_LONGITUDE},
      OFFSETS}},
    {CRS_LAMBERT_AZIMUTHAL,
     "lambert_azimuthal_equal_area",
     "Lambert_Azimuthal_Equal_Area",
     0,
     {{"latitude_of_projection_origin", CRS_LATITUDE},
      {"longitude_of_projection_origin", CRS_LONGITUDE},
      OFFSETS}},
};
enum { MAPPINGS = sizeof mappings / sizeof *mappings };

static const struct attribute_of ellipsoid[] = {
    {"semi_major_axis", 0}, {"inverse_flattening", 1}, {"longitude_of_prime_meridian", 2}};

static void put_number(int id, int var, const char *name, size_t n, const double *x, int *status)
{
    if (*status == NC_NOERR)
        *status = nc_put_att_double(id, var, name, NC_DOUBLE, n, x);
}

static void put_text(int id, int var, const char *name, const char *text, int *status)
{
    if (*status == NC_NOERR)
        *status = nc_put_att_text(id, var, name, strlen(text), text);
}

/* Can the attributes express all of the text? */
static int is_expressible(const struct crs *c, int k)
{
    return c->method == mappings[k].method && !c->others && (isnan(c->metres) || c->metres == 1) &&
           !isnan(c->semi_major) && !isnan(c->inverse_flattening) &&
           (mappings[k].parallels == 0 || c->number[CRS_SCALE] == 1);
}

static void put_parameters(int id, int var, const struct crs *c, int k, int *status)
{
    const double figure[] = {c->semi_major, c->inverse_flattening, c->prime_meridian};
    const double parallel[] = {c->number[CRS_PARALLEL_1], c->number[CRS_PARALLEL_2]};
    put_text(id, var, "grid_mapping_name", mappings[k].name, status);
    for (const struct attribute_of *a = mappings[k].attribute; a->name; a++)
        put_number(id, var, a->name, 1, &c->number[a->number], status);
    if (mappings[k].parallels)
        put_number(id, var, "standard_parallel", parallel[0] == parallel[1] ? 1 : 2, parallel,
                   status);
    for (size_t n = 0; n < sizeof figure / sizeof *figure; n++)
        put_number(id, var, ellipsoid[n].name, 1, &figure[n], status);
}

void ncmapping_define(int id, const char *wkt, int *status)
{
    struct crs c;
    int var = -1;
    *status = nc_def_var(id, NCMAPPING_NAME, NC_INT, 0, NULL, &var);
    put_text(id, var, "long_name", "system of the coordinates", status);
    crs_read(wkt, &c);
    for (int k = 0; k < MAPPINGS; k++)
        if (is_expressible(&c, k))
            put_parameters(id, var, &c, k, status);
    put_text(id, var, "crs_wkt", wkt, status);
    put_text(id, var, "spatial_ref", wkt, status);
}

/* The attributes of a mapping, as parameters of a system; 0: missing. */
static int read_parameters(const struct ncaccess *f, int var, int k, struct crs *c)
{
    double figure[3] = {0, 0, 0}, parallel[2];
    size_t n = 0;
    for (const struct attribute_of *a = mappings[k].attribute; a->name; a++)
        if (!ncaccess_number(f, var, a->name, &c->number[a->number])) {
            if (a->number == CRS_LATITUDE || a->number == CRS_LONGITUDE)
                return 0;
            c->number[a->number] = a->number == CRS_SCALE;
        }
    if (mappings[k].parallels) {
        if (nc_inq_attlen(f->id, var, "standard_parallel", &n) != NC_NOERR || n < 1 || n > 2 ||
            nc_get_att_double(f->id, var, "standard_parallel", parallel) != NC_NOERR)
            return 0;
        c->number[CRS_PARALLEL_1] = parallel[0];
        c->number[CRS_PARALLEL_2] = parallel[n - 1];
    }
    for (size_t m = 0; m < 3; m++)
        if (!ncaccess_number(f, var, ellipsoid[m].name, &figure[m]) && m < 2)
            return 0;
    c->semi_major = figure[0];
    c->inverse_flattening = figure[1];
    c->prime_meridian = figure[2];
    return 1;
}

static void write_wkt(const struct crs *c, int k, char text[TEXT])
{
    static const char *const names[CRS_NUMBERS] = {[CRS_LATITUDE] = "latitude_of_origin",
                                                   [CRS_LONGITUDE] = "central_meridian",
                                                   [CRS_PARALLEL_1] = "standard_parallel_1",
                                                   [CRS_PARALLEL_2] = "standard_parallel_2",
                                                   [CRS_SCALE] = "scale_factor",
                                                   [CRS_EASTING] = "false_easting",
                                                   [CRS_NORTHING] = "false_northing"};
    static const char *const azimuthal[] = {"latitude_of_center", "longitude_of_center"};
    const int of_centre =
        c->method != CRS_TRANSVERSE_MERCATOR && c->method != CRS_LAMBERT_CONFORMAL;
    int used = snprintf(text, TEXT,
                        "PROJCS[\"unknown\",GEOGCS[\"unknown\",DATUM[\"unknown\",SPHEROID["
                        "\"unknown\",%.15g,%.15g]],PRIMEM[\"unknown\",%.15g],UNIT[\"degree\","
                        "0.0174532925199433]],PROJECTION[\"%s\"]",
                        c->semi_major, c->inverse_flattening, c->prime_meridian, mappings[k].wkt);
    for (int n = 0; n < CRS_NUMBERS; n++) {
        const int parallel = n == CRS_PARALLEL_1 || n == CRS_PARALLEL_2;
        if ((parallel && !mappings[k].parallels) ||
            (n == CRS_SCALE && c->method != CRS_TRANSVERSE_MERCATOR))
            continue;
        used += snprintf(text + used, TEXT - (size_t)used, ",PARAMETER[\"%s\",%.15g]",
                         of_centre && n <= CRS_LONGITUDE ? azimuthal[n] : names[n], c->number[n]);
    }
    snprintf(text + used, TEXT - (size_t)used, ",UNIT[\"metre\",1]]");
}

static void read_mapping(const struct ncaccess *f, int var, char text[TEXT])
{
    char name[NCACCESS_TEXT];
    struct crs c;
    ncaccess_text(f, var, "crs_wkt", text, TEXT);
    if (!*text)
        ncaccess_text(f, var, "spatial_ref", text, TEXT);
    ncaccess_text(f, var, "grid_mapping_name", name, sizeof name);
    for (int k = 0; k < MAPPINGS && !*text; k++) {
        if (strcmp(name, mappings[k].name) != 0)
            continue;
        crs_read("", &c);
        c.method = mappings[k].method;
        if (read_parameters(f, var, k, &c))
            write_wkt(&c, k, text);
    }
}

enum err ncmapping_read(const struct ncaccess *f, int var, char **wkt)
{
    char name[NCACCESS_TEXT], text[TEXT];
    int mapping;
    *wkt = NULL;
    ncaccess_text(f, var, "grid_mapping", name, sizeof name);
    name[strcspn(name, ": ")] = '\0'; /* "crs: x y" */
    if (!*name || nc_inq_varid(f->id, name, &mapping) != NC_NOERR)
        return ERR_OK;
    read_mapping(f, mapping, text);
    if (!*text)
        return ERR_OK;
    *wkt = strdup(text);
    if (!*wkt)
        FAIL(MEMORY, "%s: no memory for its system of coordinates", f->path);
    return ERR_OK;
}

#endif
