/* What stands in for the netCDF functions in a build without netCDF. */
#include "core/ncfile.h"

#ifndef HAVE_NETCDF

int ncfile_available(void)
{
    return 0;
}

enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info)
{
    (void)info;
    *writer = NULL;
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

void nc_input_free(struct nc_input *in)
{
    *in = (struct nc_input){0};
}

#endif
