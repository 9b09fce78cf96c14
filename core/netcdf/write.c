/* Writing netCDF: into a temporary file, record by record, moved to its place when complete. */
#include "core/netcdf/netcdf_file.h"

#include <stdio.h>
#include <string.h>

/* The names, with commas between them. */
static const char *choices(const struct system *system, char text[256])
{
    size_t used = 0;
    for (int k = 0; k < system->variables && used < 256; k++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%s", k ? "," : "",
                                 system->variable[k].name);
    return text;
}

static int find_variable(const struct system *system, const char *name, size_t n)
{
    for (int k = 0; k < system->variables; k++)
        if (strlen(system->variable[k].name) == n && memcmp(system->variable[k].name, name, n) == 0)
            return k;
    return -1;
}

enum err ncwrite_variables(const struct system *system, const char *list, unsigned *set)
{
    char all[256];
    *set = 0;
    for (int k = 0; !*list && k < system->variables; k++)
        *set |= system->variable[k].on_request ? 0 : 1u << k;
    for (const char *name = list; *name;) {
        const size_t n = strcspn(name, ",");
        const int k = find_variable(system, name, n);
        if (k < 0)
            FAIL(USAGE, "unknown variable '%.*s' in '%s': %s has %s", (int)n, name, list,
                 system->name, choices(system, all));
        *set |= 1u << k;
        name += n;
        if (*name && !*++name)
            FAIL(USAGE, "'%s' ends with a comma: choose from %s", list, choices(system, all));
    }
    return ERR_OK;
}

#ifdef HAVE_NETCDF

#include <limits.h>
#include <stdlib.h>

#include "core/netcdf/close_guard.h"
#include "core/netcdf/mapping.h"
#include "core/netcdf/write_parts.h"
#include "core/base/file_checksum.h"

enum err ncwrite_failed(const struct ncwriter *w, int status, int error)
{
    if (status == NC_ENOMEM)
        FAIL(MEMORY, "cannot write '%s': netCDF is out of memory", w->file.path);
    const int refused = outfile_refusal(&w->file);
    if (refused)
        error = refused;
    return outfile_failed(&w->file, error, error ? "writing failed" : nc_strerror(status));
}

enum err ncwrite_text(const struct ncwriter *w, int var, const char *name, const char *text)
{
    NC(nc_put_att_text(w->id, var, name, strlen(text), text));
    return ERR_OK;
}

enum err ncwrite_label(const struct ncwriter *w, int var, const struct label *l)
{
    TRY(ncwrite_text(w, var, "long_name", l->title));
    if (l->standard)
        TRY(ncwrite_text(w, var, "standard_name", l->standard));
    if (l->units)
        TRY(ncwrite_text(w, var, "units", l->units));
    if (l->axis)
        TRY(ncwrite_text(w, var, "axis", l->axis));
    return ERR_OK;
}

enum err ncwrite_define(const struct ncwriter *w, const struct label *l, nc_type type, int dims,
                        const int *dim, int *var)
{
    NC(nc_def_var(w->id, l->name, type, dims, dim, var));
    return ncwrite_label(w, *var, l);
}

struct ncwriter ncwrite_in_double(const struct ncwriter *w)
{
    struct ncwriter other = *w;
    other.info.precision = F64;
    return other;
}

static enum err define_planes(struct ncwriter *w)
{
    const struct label bed = {"bed", "bed level at cell centres", NULL, "m", NULL};
    const struct label bed_corner = {"bed_corner", "bed level at cell corners", NULL, "m", NULL};
    const struct system *system = w->info.system;
    const size_t nx = (size_t)w->info.window.nx, ny = (size_t)w->info.window.ny;
    const size_t cells[2] = {ny, nx}, corners[2] = {ny + 1, nx + 1};
    const int dims[3] = {w->dim_time, w->dim_y, w->dim_x};
    const int corner_dims[3] = {w->dim_time, w->dim_yc, w->dim_xc};
    const struct ncwriter in_double = ncwrite_in_double(w);
    if (system->over_bed) {
        TRY(ncwrite_define_plane(&in_double, &bed, dims, cells, 0, &w->bed));
        TRY(ncwrite_define_plane(&in_double, &bed_corner, corner_dims, corners, 0, &w->bed_corner));
    }
    if (system->over_bed && w->info.held) {
        TRY(ncwrite_missing(w, w->bed));
        TRY(ncwrite_missing(w, w->bed_corner));
    }
    for (int k = 0; k < system->variables; k++) {
        const struct system_variable *v = &system->variable[k];
        const struct label label = {v->name, v->title, v->standard, v->units, NULL};
        if (w->info.variables >> k & 1)
            TRY(ncwrite_define_plane(w, &label, dims, cells, 1, &w->fields[k]));
        if ((w->info.variables >> k & 1) && (v->as == AS_CARRIED || w->info.tiles.columns))
            TRY(ncwrite_missing(w, w->fields[k]));
    }
    return ERR_OK;
}

static enum err put_bed(const struct ncwriter *w)
{
    const size_t nx = (size_t)w->info.window.nx, ny = (size_t)w->info.window.ny;
    const struct plane corner = {.var = w->bed_corner,
                                 .content = BED_CORNER,
                                 .nx = nx + 1,
                                 .ny = ny + 1,
                                 .tile_state = w->info.held};
    const struct plane centre = {
        .var = w->bed, .content = BED_MEAN, .nx = nx, .ny = ny, .tile_state = w->info.held};
    const struct ncwriter in_double = ncwrite_in_double(w);
    if (!w->info.system->over_bed)
        return ERR_OK;
    TRY(ncwrite_plane(&in_double, &corner));
    return ncwrite_plane(&in_double, &centre);
}

static enum err define_mapping(const struct ncwriter *w)
{
    int status = NC_NOERR;
    if (w->info.wkt)
        ncmapping_define(w->id, w->info.wkt, &status);
    NC(status);
    return ERR_OK;
}

static enum err open_writer(struct ncwriter *w)
{
    TRY(ncaccess_start(w->info.path));
    TRY(outfile_create(&w->file, w->info.path));
    w->tile = malloc(CHUNK_VALUES * sizeof(double));
    if (!w->tile)
        FAIL(MEMORY, "no memory to write '%s'", w->file.path);
    int id;
    NC(nc_create(w->file.temporary, NC_NETCDF4 | NC_CLOBBER, &id));
    w->id = id;
    TRY(ncwrite_open_planes(w));
    TRY(ncwrite_text(w, NC_GLOBAL, "Conventions", "CF-1.8"));
    TRY(ncwrite_axes(w));
    TRY(define_mapping(w));
    TRY(define_planes(w));
    TRY(ncwrite_define_tiles(w));
    return put_bed(w);
}

/* In double in every run, so that a run which reads it has the same bits; without units, as
 * those of netCDF have no powers of thirds. */
enum err ncwrite_manning(const struct ncwriter *writer, const double *n, long pitch)
{
    static const struct label label = {"manning", "Manning's n of the bed, in s/m^(1/3)", NULL,
                                       NULL, NULL};
    const struct ncwriter w = ncwrite_in_double(writer);
    const size_t cells[2] = {(size_t)w.info.window.ny, (size_t)w.info.window.nx};
    const int dims[3] = {w.dim_time, w.dim_y, w.dim_x};
    struct plane p = {
        .content = COPY, .data = n, .row = pitch, .column = 1, .nx = cells[1], .ny = cells[0]};
    TRY(ncwrite_define_plane(&w, &label, dims, cells, 0, &p.var));
    return ncwrite_plane(&w, &p);
}

enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info)
{
    enum err e = ERR_OK;
    struct ncwriter *w = calloc(1, sizeof *w);
    *writer = NULL;
    if (!w)
        FAIL(MEMORY, "no memory to write '%s'", info->path);
    w->info = *info;
    if (w->info.window.nx == 0)
        w->info.window = (struct window){0, 0, info->grid.nx, info->grid.ny};
    w->id = -1;
    TRY_OUT(open_writer(w));
    *writer = w;
    return ERR_OK;
out:
    ncwrite_discard(&w);
    return e;
}

enum err ncwrite_attributes(struct ncwriter *w, const struct attribute *list, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const struct attribute *a = &list[k];
        if (a->kind == ATTRIBUTE_TEXT)
            TRY(ncwrite_text(w, NC_GLOBAL, a->name, a->text));
        else if (a->kind == ATTRIBUTE_DOUBLE)
            NC(nc_put_att_double(w->id, NC_GLOBAL, a->name, NC_DOUBLE, 1, &a->number));
        else
            NC(nc_put_att_long(w->id, NC_GLOBAL, a->name,
                               a->integer < INT_MIN || a->integer > INT_MAX ? NC_INT64 : NC_INT, 1,
                               &a->integer));
    }
    return ERR_OK;
}

enum err ncwrite_record(struct ncwriter *w, const struct ncwrite_record *r)
{
    const size_t nx = (size_t)w->info.window.nx, ny = (size_t)w->info.window.ny;
    static const enum content content[] = {
        [AS_STORED] = COPY, [AS_LEVEL] = ETA_LEVEL, [AS_DEPTH] = ETA_DEPTH, [AS_CARRIED] = CARRIED};
    const struct system *system = w->info.system;
    struct plane plane[SYSTEM_VARIABLES];
    size_t n = 0;
    for (int k = 0; k < system->variables; k++)
        if (w->info.variables >> k & 1)
            plane[n++] = (struct plane){.var = w->fields[k],
                                        .content = content[system->variable[k].as],
                                        .data = r->unknown[system->variable[k].of],
                                        .level = r->unknown[0],
                                        .row = r->pitch,
                                        .column = r->column ? r->column : 1,
                                        .nx = nx,
                                        .ny = ny,
                                        .timed = 1,
                                        .tile_state = w->info.tiles.columns ? r->tile_state : NULL,
                                        .number = system->variable[k].of};
    TRY(r->rows ? ncwrite_fetched(w, plane, n, r->rows) : ncwrite_planes(w, plane, n));
    TRY(ncwrite_put_tiles(w, r->tile_state));
    NC(nc_put_var1_double(w->id, w->time, &w->records, &r->t));
    w->records++;
    return ERR_OK;
}

enum err ncwrite_cells(struct ncwriter *w, const char *name, const struct ncwrite_rows *rows)
{
    const size_t cells[2] = {(size_t)w->info.window.ny, (size_t)w->info.window.nx};
    const int dims[3] = {w->dim_time, w->dim_y, w->dim_x};
    const struct label label = {name, "a number in each cell", NULL, NULL, NULL};
    struct plane p = {.content = COPY, .nx = cells[1], .ny = cells[0], .tile_state = w->info.held};
    TRY(ncwrite_define_plane(w, &label, dims, cells, 0, &p.var));
    TRY(ncwrite_missing(w, p.var));
    return ncwrite_fetched(w, &p, 1, rows);
}

enum err ncwrite_bytes(struct ncwriter *w, const char *name, const void *data, size_t n)
{
    char dimension[NC_MAX_NAME + 1];
    int dim, var;
    snprintf(dimension, sizeof dimension, "%s_bytes", name);
    NC(nc_def_dim(w->id, dimension, n, &dim));
    NC(nc_def_var(w->id, name, NC_UBYTE, 1, &dim, &var));
    if (data)
        NC(nc_put_var(w->id, var, data));
    return ERR_OK;
}

enum err ncwrite_more_bytes(struct ncwriter *w, const char *name, size_t first, const void *data,
                            size_t n)
{
    int var;
    NC(nc_inq_varid(w->id, name, &var));
    NC(nc_put_vara(w->id, var, &first, &n, data));
    return ERR_OK;
}

enum err ncwrite_close(struct ncwriter *w)
{
    const int id = w->id;
    w->id = -1;
    ncguard_begin(w->info.path);
    NC(nc_sync(id));
    TRY(outfile_flush(&w->file));
    NC(nc_close(id));
    ncguard_end();
    return ERR_OK;
}

enum err ncwrite_seal(const struct outfile *f)
{
    const int error = checksum_append(f->temporary, "");
    return error ? outfile_failed(f, error, "its digest cannot be added") : ERR_OK;
}

enum err ncwrite_finish(struct ncwriter **writer)
{
    enum err e = ERR_OK;
    TRY_OUT(ncwrite_close(*writer));
    if ((*writer)->info.sealed)
        TRY_OUT(ncwrite_seal(&(*writer)->file));
    TRY_OUT(outfile_publish(&(*writer)->file));
out:
    ncwrite_discard(writer);
    return e;
}

void ncwrite_discard(struct ncwriter **writer)
{
    struct ncwriter *w = *writer;
    *writer = NULL;
    if (!w)
        return;
    outfile_discard(&w->file);
    ncwrite_free_tables(w);
    ncwrite_free_planes(w);
    free(w->tile);
    free(w);
}

#endif
