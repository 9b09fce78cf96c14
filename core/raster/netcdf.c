/* Fields of netCDF files, found by the names of the CF conventions and common usage. */
#include "core/raster/readers.h"

#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/plane.h"
#include "core/netcdf/mapping.h"
#include "core/netcdf/read_grid.h"
#include "core/raster/length_units.h"

enum { NAMES = 16, AXIS_NAMES = 8 };

/* In order of preference. */
static const struct {
    const char *standard[NAMES], *name[NAMES];
    int metres; /* a length; else any units */
} known[QUANTITIES] = {
    [QUANTITY_TERRAIN] = {{"surface_altitude", "bedrock_altitude", "ground_level_altitude",
                           "height_above_reference_ellipsoid", "height_above_geopotential_datum",
                           "height_above_mean_sea_level", "altitude"},
                          {"bed_corner", "bed", "z", "elevation", "topography", "topo", "dem",
                           "dtm", "terrain", "altitude", "height", "zb", "b", "Band1"},
                          1},
    [QUANTITY_LEVEL] = {{"water_surface_height_above_reference_datum",
                         "sea_surface_height_above_geoid",
                         "sea_surface_height_above_mean_sea_level", "sea_surface_height"},
                        {"w", "level", "water_level", "eta", "zeta", "stage", "wse", "Band1"},
                        1},
    [QUANTITY_DEPTH] = {{"flood_water_thickness"}, {"h", "depth", "water_depth", "Band1"}, 1},
    [QUANTITY_MANNING] = {{NULL}, {"manning", "n", "roughness", "friction", "Band1"}, 0},
    [QUANTITY_RAIN] = {{"rainfall_rate", "rainfall_flux", "lwe_precipitation_rate",
                        "precipitation_flux"},
                       {"rain", "rainfall", "rain_rate", "rainfall_rate", "precipitation", "pr",
                        "RR", "Band1"},
                       0},
    [QUANTITY_SOIL] = {{NULL},
                       {"infiltration", "conductivity", "ksat", "suction", "psi", "deficit",
                        "moisture_deficit", "Band1"},
                       0},
    [QUANTITY_SEDIMENT] = {{NULL}, {"alpha", "beta", "s", "sand", "diffusivity", "Band1"}, 0},
    [QUANTITY_TRACER] = {{NULL}, {"c", "tracer", "dye", "concentration", "Band1"}, 0},
};

static const char *const x_names[AXIS_NAMES] = {"x",   "x_corner", "easting",   "eastings",
                                                "lon", "long",     "longitude", "rlon"};
static const char *const y_names[AXIS_NAMES] = {"y",   "y_corner", "northing", "northings",
                                                "lat", "latitude", "rlat"};

/* A possible axis, with its name. */
struct axis {
    struct ncaxis a;
    char name[NC_MAX_NAME + 1];
    int degrees;
};

struct search {
    struct ncaccess file;
    enum quantity q;
    int var; /* the field */
    char name[NC_MAX_NAME + 1];
    struct axis x, y;
    double factor; /* metres in a unit of the field */
};

static int among(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count && names[k]; k++)
        if (strcasecmp(names[k], name) == 0)
            return k;
    return -1;
}

static int is_degrees(const struct ncaccess *f, int var, const char *name)
{
    char units[NCACCESS_TEXT], standard[NCACCESS_TEXT];
    ncaccess_text(f, var, "units", units, sizeof units);
    ncaccess_text(f, var, "standard_name", standard, sizeof standard);
    if (*units)
        return strncasecmp(units, "degree", 6) == 0;
    return strstr(standard, "longitude") || strstr(standard, "latitude") ||
           strncasecmp(name, "lon", 3) == 0 || strncasecmp(name, "lat", 3) == 0;
}

/* Is a one-dimensional variable the coordinate x, or with `along_y` the coordinate y? */
static int is_axis(const struct ncaccess *f, int var, const char *name, int along_y)
{
    static const char *const names[2][4] = {
        {"projection_x_coordinate", "longitude", "grid_longitude"},
        {"projection_y_coordinate", "latitude", "grid_latitude"}};
    char axis[NCACCESS_TEXT], standard[NCACCESS_TEXT];
    ncaccess_text(f, var, "axis", axis, sizeof axis);
    if (*axis)
        return strcasecmp(axis, along_y ? "Y" : "X") == 0;
    ncaccess_text(f, var, "standard_name", standard, sizeof standard);
    if (*standard)
        return among(names[along_y], 4, standard) >= 0;
    return among(along_y ? y_names : x_names, AXIS_NAMES, name) >= 0;
}

/* The coordinate x or y along one dimension, if a variable is one; prefers that of the dimension's
 * own name. */
static int find_axis(const struct ncaccess *f, int dim, int along_y, struct axis *found)
{
    char own[NC_MAX_NAME + 1] = "";
    int vars = 0, first = -1;
    nc_inq_dimname(f->id, dim, own);
    nc_inq_varid(f->id, own, &first);
    nc_inq_nvars(f->id, &vars);
    for (int k = first >= 0 ? -1 : 0; k < vars; k++) {
        const int var = k < 0 ? first : k;
        int dims, over;
        if (nc_inq_varndims(f->id, var, &dims) != NC_NOERR || dims != 1 ||
            nc_inq_vardimid(f->id, var, &over) != NC_NOERR || over != dim ||
            nc_inq_varname(f->id, var, found->name) != NC_NOERR ||
            !is_axis(f, var, found->name, along_y))
            continue;
        found->a = (struct ncaxis){.name = found->name, .var = var, .dim = dim};
        found->degrees = is_degrees(f, var, found->name);
        return 1;
    }
    return 0;
}

/* Does a variable lie over x and y? */
static int has_axes(const struct ncaccess *f, int var, struct axis *x, struct axis *y)
{
    int dims, dim[NC_MAX_VAR_DIMS], found_x = 0, found_y = 0;
    if (nc_inq_varndims(f->id, var, &dims) != NC_NOERR || dims < 2 ||
        nc_inq_vardimid(f->id, var, dim) != NC_NOERR)
        return 0;
    for (int k = dims - 1; k >= 0; k--) {
        found_x = found_x || find_axis(f, dim[k], 0, x);
        found_y = found_y || find_axis(f, dim[k], 1, y);
    }
    return found_x && found_y;
}

/* How well a variable's names fit, the smaller the better. Names of something else do not fit. */
enum { ONLY_ONE = 3 * NAMES, UNFIT };
static int rank(const struct search *s, int var, const char *name)
{
    char standard[NCACCESS_TEXT];
    ncaccess_text(&s->file, var, "standard_name", standard, sizeof standard);
    const int by_name = among(known[s->q].name, NAMES, name);
    const int by_standard = among(known[s->q].standard, NAMES, standard);
    if (by_standard >= 0 && by_name >= 0)
        return by_name;
    if (by_standard >= 0 || by_name >= 0)
        return by_standard >= 0 ? NAMES + by_standard : 2 * NAMES + by_name;
    for (int q = 0; q < QUANTITIES; q++)
        if (among(known[q].standard, NAMES, standard) >= 0 ||
            among(known[q].name, NAMES, name) >= 0)
            return UNFIT;
    return ONLY_ONE;
}

static enum err none_found(const struct search *s, const char *fields)
{
    if (!*fields)
        FAIL(INPUT,
             "%s: there is no field over x and y: a variable with two dimensions, each with "
             "coordinates of the dimension's name, in metres",
             s->file.path);
    FAIL(INPUT, "%s: which of its variables is the %s? Candidates are %s; give it the name '%s'",
         s->file.path, quantity_names[s->q], fields, known[s->q].name[s->q == QUANTITY_TERRAIN]);
}

/* The variable to read: the one whose names fit best, or the only one there is. */
static enum err find_field(struct search *s)
{
    char fields[512] = "", name[NC_MAX_NAME + 1];
    int vars = 0, best = UNFIT, equal = 0;
    nc_inq_nvars(s->file.id, &vars);
    for (int var = 0; var < vars; var++) {
        struct axis x, y;
        if (nc_inq_varname(s->file.id, var, name) != NC_NOERR || !has_axes(&s->file, var, &x, &y))
            continue;
        const size_t used = strlen(fields);
        snprintf(fields + used, sizeof fields - used, "%s'%.60s'", used ? ", " : "", name);
        const int r = rank(s, var, name);
        equal = r < best ? 1 : equal + (r == best);
        if (r >= best)
            continue;
        best = r;
        s->var = var;
        memcpy(s->name, name, sizeof name);
    }
    if (best == UNFIT || equal != 1)
        return none_found(s, fields);
    has_axes(&s->file, s->var, &s->x, &s->y);
    return ERR_OK;
}

static enum err length_unit(const struct search *s, int var, const char *name, double *factor,
                            int *given)
{
    char units[NCACCESS_TEXT];
    ncaccess_text(&s->file, var, "units", units, sizeof units);
    *given = *units != '\0';
    *factor = *given ? units_metres(units) : 1;
    if (!(*factor > 0))
        FAIL(INPUT,
             "%s: variable '%s': expected units of length (m, km, cm, mm, ft, US survey foot), got "
             "'%s'",
             s->file.path, name, units);
    return ERR_OK;
}

/* Coordinates in metres. */
static enum err read_axis(const struct search *s, struct axis *x, double *factor)
{
    int given;
    TRY(length_unit(s, x->a.var, x->name, factor, &given));
    x->a.name = x->name;
    TRY(ncaccess_points(&s->file, &x->a));
    for (size_t k = 0; *factor != 1 && k < x->a.n; k++)
        x->a.value[k] *= *factor;
    return ERR_OK;
}

/* mm/h in a unit of rain; a kilogram of water on a square metre is a millimetre. */
static enum err rain_unit(const struct search *s, double *factor)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1},
                 {"mm/h", 1},
                 {"mm h-1", 1},
                 {"mm/hr", 1},
                 {"mm hr-1", 1},
                 {"mm/hour", 1},
                 {"mm hour-1", 1},
                 {"kg m-2 h-1", 1},
                 {"mm/s", 3600},
                 {"mm s-1", 3600},
                 {"kg m-2 s-1", 3600},
                 {"kg/m2/s", 3600},
                 {"m/s", 3.6e6},
                 {"m s-1", 3.6e6},
                 {"m/h", 1000},
                 {"m h-1", 1000},
                 {"mm/day", 1. / 24},
                 {"mm day-1", 1. / 24},
                 {"mm d-1", 1. / 24},
                 {"kg m-2 day-1", 1. / 24}};
    char text[NCACCESS_TEXT];
    ncaccess_text(&s->file, s->var, "units", text, sizeof text);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(units[k].unit, text) == 0) {
            *factor = units[k].factor;
            return ERR_OK;
        }
    FAIL(INPUT,
         "%s: variable '%s': expected units of rain (mm/h, mm s-1, kg m-2 s-1, m s-1 or mm day-1), "
         "got '%s'",
         s->file.path, s->name, text);
}

/* Horizontal feet with heights in an unknown unit are a trap. */
static enum err read_units(struct search *s, double along_x, double along_y)
{
    char positive[NCACCESS_TEXT];
    int given;
    s->factor = 1;
    if (s->q == QUANTITY_RAIN)
        return rain_unit(s, &s->factor);
    if (!known[s->q].metres)
        return ERR_OK;
    TRY(length_unit(s, s->var, s->name, &s->factor, &given));
    if (!given && (along_x != 1 || along_y != 1))
        FAIL(INPUT,
             "%s: the coordinates are not in metres, and variable '%s' has no units: say which, "
             "by an attribute such as units = \"m\"",
             s->file.path, s->name);
    ncaccess_text(&s->file, s->var, "positive", positive, sizeof positive);
    if (s->q == QUANTITY_TERRAIN && strcasecmp(positive, "down") == 0)
        FAIL(INPUT,
             "%s: variable '%s' counts downwards (positive = \"down\"): turn its sign, such as by "
             "`ncap2 -s '%s=-%s' %s heights.nc`, and drop that attribute",
             s->file.path, s->name, s->name, s->name, s->file.path);
    return ERR_OK;
}

static int ends_in_corner(const char *name)
{
    const size_t n = strlen(name);
    return n > 7 && strcmp(name + n - 7, "_corner") == 0;
}

static enum err find_grid(struct search *s, struct raster *r)
{
    const struct ncaxis none = {.name = "its corners", .dim = -1, .var = -1};
    struct ncgrid x, y;
    r->corners = r->certain = ends_in_corner(s->x.name) && ends_in_corner(s->y.name);
    if (r->corners) {
        int vx = -1, vy = -1;
        nc_inq_varid(s->file.id, "x", &vx);
        nc_inq_varid(s->file.id, "y", &vy);
        TRY(ncgrid_from_corners(&s->file, &s->x.a, vx, &x));
        TRY(ncgrid_from_corners(&s->file, &s->y.a, vy, &y));
    } else {
        TRY(ncgrid_from_centres(&s->file, &s->x.a, &none, &x));
        TRY(ncgrid_from_centres(&s->file, &s->y.a, &none, &y));
    }
    r->grid = (struct grid_info){(int)x.n, (int)y.n, x.start, y.start, x.d, y.d};
    return ERR_OK;
}

static double middle(const struct ncaxis *a)
{
    return 0.5 * (a->value[0] + a->value[a->n - 1]);
}

static enum err read_reference(const struct search *s, struct raster *r)
{
    char *wkt;
    TRY(ncmapping_read(&s->file, s->var, &wkt));
    const enum err e = wkt ? raster_keep_reference(s->file.path, wkt, r) : ERR_OK;
    free(wkt);
    return e;
}

/* Fields in time, one after the other. */
static enum err read_records(const struct search *s, int dim, struct raster *r)
{
    const size_t cells = s->x.a.n * s->y.a.n;
    size_t n = 0;
    TRY(ncaccess_record_times(&s->file, dim, &r->time, &r->since));
    nc_inq_dimlen(s->file.id, dim, &n);
    TRY(plane_new(s->file.path, cells, n, &r->value));
    for (size_t k = 0; k < n; k++)
        TRY(ncaccess_record(&s->file, s->name, &s->x.a, &s->y.a, dim, k, r->value + k * cells));
    r->records = (int)n;
    return ERR_OK;
}

static enum err read_values(const struct search *s, struct raster *r)
{
    int single, dim = -1;
    if (s->q == QUANTITY_RAIN)
        TRY(ncaccess_record_dim(&s->file, s->name, &s->x.a, &s->y.a, &dim));
    if (dim >= 0)
        TRY(read_records(s, dim, r));
    else
        TRY(ncaccess_plane_with_holes(&s->file, s->name, &s->x.a, &s->y.a, &r->value, &single));
    const size_t n = s->x.a.n * s->y.a.n * (size_t)(dim >= 0 ? r->records : 1);
    for (size_t k = 0; s->factor != 1 && k < n; k++) {
        r->value[k] *= s->factor;
        plane_passes(k);
    }
    return ERR_OK;
}

static enum err read_field(struct search *s, struct raster *r)
{
    double along_x = 1, along_y = 1;
    TRY(find_field(s));
    if (s->x.degrees || s->y.degrees) {
        TRY(ncaccess_points(&s->file, &s->x.a));
        TRY(ncaccess_points(&s->file, &s->y.a));
        return raster_in_degrees(s->file.path, 1, middle(&s->x.a), middle(&s->y.a));
    }
    TRY(read_axis(s, &s->x, &along_x));
    TRY(read_axis(s, &s->y, &along_y));
    TRY(read_units(s, along_x, along_y));
    if (along_x == 1 && along_y == 1) /* otherwise it belongs to other numbers */
        TRY(read_reference(s, r));
    TRY(find_grid(s, r));
    return read_values(s, r);
}

enum err raster_read_netcdf(const char *path, enum quantity q, struct raster *r)
{
    struct search s = {.q = q};
    TRY(ncaccess_open(&s.file, path));
    const enum err e = read_field(&s, r);
    free(s.x.a.value);
    free(s.y.a.value);
    ncaccess_close(&s.file);
    return e;
}

#else

enum err raster_read_netcdf(const char *path, enum quantity q, struct raster *r)
{
    (void)q, (void)r;
    FAIL(ABSENT, "%s: " NCFILE_ABSENT, path);
}

#endif
