/* The times of records, converted from any unit. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/calendar.h"
#include "core/base/plane.h"
#include "core/netcdf/variables.h"

/* Seconds in a unit whose name is n letters long; 0: not a unit. */
static double seconds_in(const char *unit, size_t n)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1},       {"sec", 1},     {"secs", 1},    {"second", 1},   {"seconds", 1},
                 {"min", 60},    {"mins", 60},   {"minute", 60}, {"minutes", 60}, {"h", 3600},
                 {"hr", 3600},   {"hrs", 3600},  {"hour", 3600}, {"hours", 3600}, {"d", 86400},
                 {"day", 86400}, {"days", 86400}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strlen(units[k].name) == n && strncasecmp(units[k].name, unit, n) == 0)
            return units[k].seconds;
    return 0;
}

static enum err read_units(const struct ncaccess *f, const char *name, int var, double *unit,
                           double *since)
{
    char units[NCACCESS_TEXT];
    ncaccess_text(f, var, "units", units, sizeof units);
    const size_t n = strcspn(units, " \t");
    const char *date = strstr(units, "since ");
    *unit = seconds_in(units, n);
    *since = date ? calendar_seconds(date + strlen("since ")) : (double)NAN;
    if (!(*unit > 0) || (date && isnan(*since)))
        FAIL(INPUT,
             "%s: variable '%s' has units '%s': expected s, min, h or days, alone or as in 'hours "
             "since 2026-11-22 06:00:00'",
             f->path, name, units);
    return ERR_OK;
}

enum err ncaccess_record_times(const struct ncaccess *f, int dim, double **time, double *since)
{
    char name[NC_MAX_NAME + 1] = "";
    int var, dims, over;
    size_t n;
    double unit;
    *time = NULL;
    NC_READ(nc_inq_dim(f->id, dim, name, &n));
    if (n == 0)
        return ncaccess_records(f, name, dim, n);
    TRY(ncaccess_find(f, name, &var));
    NC_READ(nc_inq_varndims(f->id, var, &dims));
    if (dims == 1)
        NC_READ(nc_inq_vardimid(f->id, var, &over));
    if (dims != 1 || over != dim)
        FAIL(INPUT, "%s: variable '%s' must have one value for each record along '%s'", f->path,
             name, name);
    TRY(read_units(f, name, var, &unit, since));
    TRY(plane_new(f->path, n, 1, time));
    NC_READ(nc_get_var_double(f->id, var, *time));
    for (size_t k = 0; k < n; k++) {
        (*time)[k] *= unit;
        if (!isfinite((*time)[k]))
            FAIL(INPUT, "%s: variable '%s': value %zu is no time", f->path, name, k);
    }
    return ERR_OK;
}

#endif
