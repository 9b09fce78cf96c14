/* Reads a checkpoint; trusts nothing before it has verified the seal. */
#include "core/run/checkpoint_parts.h"

#ifdef HAVE_NETCDF

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/mesh/forest.h"
#include "core/netcdf/variables.h"
#include "core/base/file_checksum.h"

/* What an intact checkpoint must have. */
static enum err damaged(const struct ncaccess *f, const char *what)
{
    FAIL(INPUT, "--restart %s: expected a checkpoint that Shoal wrote: %s", f->path, what);
}

/* Runs a netCDF call on file `f`; returns from the caller if it fails. */
#define NC(call)                                       \
    do {                                               \
        int nc_status = (call);                        \
        if (nc_status == NC_ENOMEM)                    \
            FAIL(MEMORY, "no memory for the file");    \
        if (nc_status != NC_NOERR)                     \
            return damaged(f, nc_strerror(nc_status)); \
    } while (0)

static enum err read_text(const struct ncaccess *f, const char *name, char **text)
{
    size_t n;
    nc_type type;
    NC(nc_inq_att(f->id, NC_GLOBAL, name, &type, &n));
    if (type != NC_CHAR)
        return damaged(f, "an attribute is not text");
    *text = calloc(n + 1, 1);
    if (!*text)
        FAIL(MEMORY, "no memory for %zu characters", n);
    NC(nc_get_att_text(f->id, NC_GLOBAL, name, *text));
    return ERR_OK;
}

static enum err read_text_if_there(const struct ncaccess *f, const char *name, char **text)
{
    int number;
    *text = NULL;
    return nc_inq_attid(f->id, NC_GLOBAL, name, &number) == NC_NOERR ? read_text(f, name, text)
                                                                     : ERR_OK;
}

static enum err check_layout(const struct ncaccess *f)
{
    double layout;
    if (!ncaccess_number(f, NC_GLOBAL, CHECKPOINT_VERSION, &layout))
        return damaged(f, "its layout is unknown");
    if ((int)layout != CHECKPOINT_LAYOUT && (int)layout != CHECKPOINT_TILED)
        FAIL(INPUT,
             "--restart %s: the checkpoint has layout %g, but this version of Shoal reads %d and "
             "%d: resume with the version that wrote it",
             f->path, layout, (int)CHECKPOINT_LAYOUT, (int)CHECKPOINT_TILED);
    return ERR_OK;
}

/* Variable `var`, whose memory stays where it is. */
static enum err add_array(const struct ncaccess *f, int var, struct content *c)
{
    char name[NC_MAX_NAME + 1];
    int dims, dim[NC_MAX_VAR_DIMS];
    size_t bytes, length, row, chunk[NC_MAX_VAR_DIMS];
    int storage = NC_CONTIGUOUS;
    nc_type type;
    NC(nc_inq_var(f->id, var, name, &type, &dims, dim, NULL));
    NC(nc_inq_type(f->id, type, NULL, &bytes));
    row = bytes;
    for (int k = 0; k < dims; k++) {
        NC(nc_inq_dimlen(f->id, dim[k], &length));
        if (length && bytes > SIZE_MAX / 2 / length)
            return damaged(f, "a variable is too large");
        if (k + 1 < dims && k + 2 < dims && length != 1)
            return damaged(f, "a variable has too many dimensions");
        bytes *= length;
        row *= dims > 1 && k + 1 == dims ? length : 1;
    }
    TRY(content_add(c, "", name, bytes));
    struct stored_array *a = &c->array[c->count - 1];
    a->var = var;
    a->row = row;
    NC(nc_inq_var_chunking(f->id, var, &storage, chunk));
    a->high = storage == NC_CHUNKED && dims > 1 ? chunk[dims - 2] : 1;
    return ERR_OK;
}

enum err content_get(const struct content *c, const struct stored_array *a, size_t first,
                     size_t bytes, void *to)
{
    const struct ncaccess file = {.path = "", .id = c->file}, *f = &file;
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS], each;
    int dims, dim[NC_MAX_VAR_DIMS];
    nc_type type;
    NC(nc_inq_var(f->id, a->var, NULL, &type, &dims, dim, NULL));
    NC(nc_inq_type(f->id, type, NULL, &each));
    for (int k = 0; k < dims; k++)
        NC(nc_inq_dimlen(f->id, dim[k], &count[k]));
    const int along = dims > 1 ? dims - 2 : 0;
    if (dims > 0) {
        start[along] = first / a->row;
        count[along] = bytes / a->row;
    }
    NC(nc_get_vara(f->id, a->var, start, count, to));
    return ERR_OK;
}

enum err content_get_cells(const struct content *c, const struct stored_array *a,
                           const struct window *w, void *to)
{
    const struct ncaccess file = {.path = "", .id = c->file}, *f = &file;
    const size_t cells[2][2] = {{(size_t)w->j0, (size_t)w->i0}, {(size_t)w->ny, (size_t)w->nx}};
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS];
    int dims;
    NC(nc_inq_varndims(f->id, a->var, &dims));
    for (int k = 0; k < dims; k++)
        count[k] = 1;
    if (dims < 2)
        return damaged(f, "a variable of cells has no rows");
    memcpy(start + dims - 2, cells[0], sizeof cells[0]);
    memcpy(count + dims - 2, cells[1], sizeof cells[1]);
    NC(nc_get_vara(f->id, a->var, start, count, to));
    return ERR_OK;
}

void content_close(struct content *c)
{
    struct ncaccess f = {.id = c->file};
    if (c->is_open)
        ncaccess_close(&f);
    c->is_open = 0;
}

static enum err add_named(const struct ncaccess *f, const char *name, struct content *c)
{
    int var;
    NC(nc_inq_varid(f->id, name, &var));
    return add_array(f, var, c);
}

static enum err add_arrays(const struct ncaccess *f, const struct system *system, struct content *c)
{
    char name[NC_MAX_NAME + 1];
    int count, var;
    if (system->over_bed)
        TRY(add_named(f, CHECKPOINT_BED, c));
    for (int k = 0; k < system->unknowns; k++)
        TRY(add_named(f, system->unknown[k].name, c));
    NC(nc_inq_nvars(f->id, &count));
    for (var = 0; var < count; var++) {
        NC(nc_inq_varname(f->id, var, name));
        if (strncmp(name, CHECKPOINT_STATE, strlen(CHECKPOINT_STATE)) == 0)
            TRY(add_array(f, var, c));
    }
    return ERR_OK;
}

static enum err read_numbers(const struct ncaccess *f, struct content *c)
{
    if (!ncaccess_number(f, NC_GLOBAL, CHECKPOINT_WALL, &c->wall))
        return damaged(f, "the run's duration is missing");
    for (int k = 0; k < SERIES; k++) {
        double rows = 0;
        const int there = ncaccess_number(f, NC_GLOBAL, checkpoint_rows[k], &rows);
        const int none = !there && k == SERIES_SECTIONS; /* older ones lack them */
        if ((!there && !none) || !(rows >= 0 && rows < 0x1p53))
            return damaged(f, "the number of rows written is missing");
        c->rows[k] = (size_t)rows;
    }
    return ERR_OK;
}

/* A checkpoint that names no system is of shallow water. */
static enum err check_system(const struct ncaccess *f, const struct system *system)
{
    char *name;
    enum err e = ERR_OK;
    TRY(read_text_if_there(f, CHECKPOINT_SYSTEM, &name));
    const char *theirs = name ? name : "shallow_water";
    if (strcmp(theirs, system->name) != 0)
        e = err_set(ERR_USAGE, __FILE__, __LINE__,
                    "--restart %s: its run has the system %s, but this run's is %s: give the same "
                    "command, or start afresh",
                    f->path, theirs, system->name);
    free(name);
    return e;
}

/* Columns and rows of cells. */
static enum err read_size(const struct ncaccess *f, const char *unknown, int size[2])
{
    int var, dims, dim[NC_MAX_VAR_DIMS];
    size_t length;
    NC(nc_inq_varid(f->id, unknown, &var));
    NC(nc_inq_var(f->id, var, NULL, NULL, &dims, dim, NULL));
    for (int k = 0; k < 2; k++) {
        if (dims < 2)
            return damaged(f, "a variable of cells has no rows");
        NC(nc_inq_dimlen(f->id, dim[dims - 1 - k], &length));
        if (length < 1 || length > INT_MAX)
            return damaged(f, "its number of cells is wrong");
        size[k] = (int)length;
    }
    return ERR_OK;
}

/* Which tiles the file has. */
static enum err read_tiles(const struct ncaccess *f, const struct system *system, struct content *c)
{
    struct content table = {.file = f->id};
    double layout = 0, side[2] = {0};
    int size[2];
    ncaccess_number(f, NC_GLOBAL, CHECKPOINT_VERSION, &layout);
    if ((int)layout != CHECKPOINT_TILED)
        return ERR_OK;
    TRY(read_text(f, CHECKPOINT_BED_SUM, &c->bed));
    TRY(read_size(f, system->unknown[0].name, size));
    for (int k = 0; k < 2; k++)
        if (!ncaccess_number(f, NC_GLOBAL, checkpoint_tile[k], &side[k]) ||
            !(side[k] >= 1 && side[k] <= MOST_TILE))
            return damaged(f, "the size of its tiles is missing");
    c->tiles = tiles_cut(size[0], size[1], (int)side[0], (int)side[1]);
    TRY(add_named(f, CHECKPOINT_TILES, &table));
    const size_t n = (size_t)c->tiles.columns * (size_t)c->tiles.rows;
    if (table.array[0].bytes != n || n > INT_MAX)
        return damaged(f, "its table of tiles has another size");
    c->state = malloc(n);
    if (!c->state)
        FAIL(MEMORY, "no memory for a table of %zu tiles", n);
    NC(nc_get_var(f->id, table.array[0].var, c->state));
    for (size_t k = 0; k < n; k++)
        if (c->state[k] > TILE_STORED)
            return damaged(f, "its table of tiles is wrong");
    return ERR_OK;
}

static enum err read_all(const struct ncaccess *f, const struct system *system, struct content *c)
{
    TRY(check_layout(f));
    TRY(read_text(f, CHECKPOINT_SETTINGS, &c->settings));
    TRY(read_numbers(f, c));
    TRY(check_system(f, system));
    TRY(read_text_if_there(f, CHECKPOINT_SOURCE, &c->source));
    TRY(read_tiles(f, system, c));
    return add_arrays(f, system, c);
}

static enum err check_seal(const char *path)
{
    switch (checksum_check(path, "")) {
    case CHECKSUM_GOOD:
        break;
    case CHECKSUM_MISSING:
        FAIL(INPUT,
             "--restart %s: this is not a checkpoint, or it is truncated: a run with --output "
             "FILE.nc writes FILE.nc" CHECKPOINT_ENDING,
             path);
    case CHECKSUM_WRONG:
        FAIL(INPUT,
             "--restart %s: the checkpoint is damaged: its content does not match its SHA-256; "
             "start afresh, or from another checkpoint",
             path);
    case CHECKSUM_UNREADABLE:
        FAIL(INPUT, "--restart %s: cannot be read: %s", path, strerror(errno));
    }
    return ERR_OK;
}

enum err checkpoint_read(struct content *c, const struct system *system, const char *path)
{
    struct ncaccess f;
    *c = (struct content){0};
    TRY(check_seal(path));
    enum err e = ncaccess_open(&f, path);
    if (e) {
        err_context("--restart");
        return e;
    }
    c->file = f.id;
    c->is_open = 1;
    e = read_all(&f, system, c);
    if (e)
        content_free(c);
    return e;
}

enum err checkpoint_read_settings(const char *path, char **settings)
{
    struct ncaccess f;
    *settings = NULL;
    TRY(check_seal(path));
    enum err e = ncaccess_open(&f, path);
    if (e) {
        err_context("--restart");
        return e;
    }
    e = check_layout(&f);
    if (!e)
        e = read_text(&f, CHECKPOINT_SETTINGS, settings);
    ncaccess_close(&f);
    return e;
}

#else

enum err checkpoint_read_settings(const char *path, char **settings)
{
    (void)path;
    *settings = NULL;
    FAIL(ABSENT, "--restart: " NCFILE_ABSENT);
}

enum err checkpoint_read(struct content *c, const struct system *system, const char *path)
{
    (void)system;
    (void)path;
    *c = (struct content){0};
    FAIL(ABSENT, "--restart: " NCFILE_ABSENT);
}

enum err content_get(const struct content *c, const struct stored_array *a, size_t first,
                     size_t bytes, void *to)
{
    (void)c, (void)a, (void)first, (void)bytes, (void)to;
    FAIL(ABSENT, "--restart: " NCFILE_ABSENT);
}

enum err content_get_cells(const struct content *c, const struct stored_array *a,
                           const struct window *w, void *to)
{
    (void)c, (void)a, (void)w, (void)to;
    FAIL(ABSENT, "--restart: " NCFILE_ABSENT);
}

void content_close(struct content *c)
{
    (void)c;
}

#endif
