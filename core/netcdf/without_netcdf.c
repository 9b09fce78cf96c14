/* What stands in for the netCDF functions in a build without netCDF. */
#include <math.h>

#include "core/netcdf/netcdf_file.h"
#include "core/netcdf/read_records.h"

#ifndef HAVE_NETCDF

int ncfile_available(void)
{
    return 0;
}

void ncfile_quiet_thread(void)
{
}

enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info)
{
    (void)info;
    *writer = NULL;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_manning(const struct ncwriter *writer, const double *n, long pitch)
{
    (void)writer, (void)n, (void)pitch;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_attributes(struct ncwriter *writer, const struct attribute *list, size_t n)
{
    (void)writer, (void)list, (void)n;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_record(struct ncwriter *writer, const struct ncwrite_record *record)
{
    (void)writer, (void)record;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_maxima(struct ncwriter *writer, double t)
{
    (void)writer, (void)t;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_maximum(struct ncwriter *writer, enum output_maximum which, const void *data,
                         long pitch)
{
    (void)writer, (void)which, (void)data, (void)pitch;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_gauge_maximum(struct ncwriter *writer, enum output_maximum which,
                               const void *values)
{
    (void)writer, (void)which, (void)values;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_gauges(struct ncwriter *writer, const struct gauge_list *list, const double *bed)
{
    (void)writer, (void)list, (void)bed;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_gauge_rows(struct ncwriter *writer, size_t count, const double *t,
                            const void *values)
{
    (void)writer, (void)count, (void)t, (void)values;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_balance(struct ncwriter *writer, double t, const double volumes[VOLUMES])
{
    (void)writer, (void)t, (void)volumes;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_bytes(struct ncwriter *writer, const char *name, const void *data, size_t n)
{
    (void)writer, (void)name, (void)data, (void)n;
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncwrite_rows(const struct ncwriter *writer, size_t rows[SERIES])
{
    (void)writer;
    for (int k = 0; k < SERIES; k++)
        rows[k] = 0;
}

enum err ncwrite_keep(struct ncwriter *writer, const char *path)
{
    (void)writer, (void)path;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_mark(struct ncwriter *writer, const char *mark)
{
    (void)writer, (void)mark;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncwrite_take(struct ncwriter *writer, const char *path, double t,
                      const size_t rows[SERIES])
{
    (void)writer, (void)path, (void)t, (void)rows;
    FAIL(ABSENT, NCFILE_ABSENT);
}

int ncwrite_has_rows(const struct ncwriter *writer, const char *path, double t,
                     const size_t rows[SERIES])
{
    (void)writer, (void)path, (void)t, (void)rows;
    return 0;
}

void ncwrite_look_at_end(const struct ncwriter *writer, const char *path, struct ncwrite_end *end)
{
    (void)writer, (void)path;
    *end = (struct ncwrite_end){.t = (double)NAN, .last = (double)NAN};
}

enum err ncwrite_finish(struct ncwriter **writer)
{
    *writer = NULL;
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncwrite_discard(struct ncwriter **writer)
{
    *writer = NULL;
}

enum err nc_read(const char *path, struct nc_input *in)
{
    (void)path;
    *in = (struct nc_input){0};
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err nc_has_state(const char *path, int *yes)
{
    (void)path;
    *yes = 0;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err nc_read_constants(const char *path, struct nc_input *in, int *by_cell)
{
    (void)path, (void)in;
    *by_cell = 0;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err ncrecords_open(struct ncrecords *r, const char *path)
{
    *r = (struct ncrecords){.path = path};
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncrecords_close(struct ncrecords *r)
{
    (void)r;
}

enum err ncrecords_read(const struct ncrecords *r, const struct ncvariable *v, size_t record,
                        struct ncwindow window, float *to)
{
    (void)r, (void)v, (void)record, (void)window, (void)to;
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncrecords_text(const struct ncrecords *r, const char *name, char *text, size_t n)
{
    (void)r, (void)name;
    if (n)
        *text = 0;
}

#endif
