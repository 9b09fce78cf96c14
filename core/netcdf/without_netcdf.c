/* Replaces the netCDF functions in a build without netCDF. */
#include <math.h>

#include "core/netcdf/netcdf_file.h"
#include "core/netcdf/read_records.h"
#include "core/netcdf/read_table.h"
#include "core/netcdf/read_tiles.h"

#ifndef HAVE_NETCDF

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A function without output arguments. */
#define FAILS(...) enum err __VA_ARGS__ { FAIL(ABSENT, NCFILE_ABSENT); }

FAILS(ncwrite_manning(const struct ncwriter *writer, const double *n, long pitch))
FAILS(ncwrite_attributes(struct ncwriter *writer, const struct attribute *list, size_t n))
FAILS(ncwrite_record(struct ncwriter *writer, const struct ncwrite_record *record))
FAILS(ncwrite_maxima(struct ncwriter *writer, double t))
FAILS(ncwrite_maximum(struct ncwriter *writer, enum output_maximum which,
                      const struct ncwrite_rows *rows))
FAILS(ncwrite_gauge_maximum(struct ncwriter *writer, enum output_maximum which, void *values))
FAILS(ncwrite_gauges(struct ncwriter *writer, const struct gauge_list *list, const double *bed))
FAILS(ncwrite_gauge_rows(struct ncwriter *writer, size_t count, const double *t,
                         const void *values))
FAILS(ncwrite_sections(struct ncwriter *writer, const struct section_line *const *line, int count))
FAILS(ncwrite_section_row(struct ncwriter *writer, double t, const double *volume))
FAILS(ncwrite_balance(struct ncwriter *writer, double t, const double volumes[CONSERVED][VOLUMES]))
FAILS(ncwrite_bytes(struct ncwriter *writer, const char *name, const void *data, size_t n))
FAILS(ncwrite_more_bytes(struct ncwriter *writer, const char *name, size_t first, const void *data,
                         size_t n))
FAILS(ncwrite_cells(struct ncwriter *writer, const char *name, const struct ncwrite_rows *rows))
FAILS(ncwrite_keep(struct ncwriter *writer, const char *path))
FAILS(ncwrite_mark(struct ncwriter *writer, const char *mark))
FAILS(ncwrite_take(struct ncwriter *writer, const char *path, double t, const size_t rows[SERIES]))
FAILS(nctiles_open(struct nctiles *t, const struct ncrecords *file))
FAILS(nctiles_read(struct nctiles *t, size_t record))
FAILS(ncrecords_read(const struct ncrecords *r, const struct ncvariable *v, size_t record,
                     struct ncwindow window, float *to))

enum err ncfile_ready(void)
{
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncfile_quiet_thread(void)
{
}

enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info)
{
    *writer = NULL;
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncwrite_rows(const struct ncwriter *writer, size_t rows[SERIES])
{
    for (int k = 0; k < SERIES; k++)
        rows[k] = 0;
}

int ncwrite_has_rows(const struct ncwriter *writer, const char *path, double t,
                     const size_t rows[SERIES])
{
    return 0;
}

void ncwrite_look_at_end(const struct ncwriter *writer, const char *path, struct ncwrite_end *end)
{
    *end = (struct ncwrite_end){.t = (double)NAN};
    for (int s = 0; s < SERIES; s++)
        end->last[s] = end->every[s] = (double)NAN;
}

enum err ncwrite_intervals(struct ncwriter *writer, const double every[SERIES])
{
    return ERR_OK;
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

enum err nc_read(const char *path, const struct system *system, struct nc_input *in)
{
    *in = (struct nc_input){0};
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err nc_has(const char *path, const char *variable, int *yes)
{
    *yes = 0;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err nc_has_state(const char *path, int *yes)
{
    *yes = 0;
    FAIL(ABSENT, NCFILE_ABSENT);
}

enum err nc_read_constants(const char *path, struct nc_input *in, int *by_cell)
{
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
}

enum err nctable_read(struct nctable *t, const char *path, const char *name)
{
    *t = (struct nctable){0};
    FAIL(ABSENT, NCFILE_ABSENT);
}

void nctable_list(const char *path, char *text, size_t room)
{
    text[0] = 0;
}

int nctable_has(const char *path, const char *name)
{
    return 0;
}

enum err ncrecords_system(const struct ncrecords *r, char **wkt)
{
    *wkt = NULL;
    FAIL(ABSENT, NCFILE_ABSENT);
}

void ncrecords_text(const struct ncrecords *r, const char *name, char *text, size_t n)
{
    if (n)
        *text = 0;
}

#endif
