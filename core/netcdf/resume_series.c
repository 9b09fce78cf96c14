/* Keeps the rows of a file's series while the file is still being written, and takes them into
 * another file: a run that was killed and then resumed has all of them at its end. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/netcdf/write_parts.h"
#include "core/base/file_checksum.h"

enum { COPY_BYTES = 1 << 20, SLAB_BYTES = 1 << 24 };

static const char *const series_dims[SERIES] = {"time", "gauge_time", "balance_time",
                                                "section_time"};
static const char *const intervals[SERIES] = {"map_interval", "gauge_interval", "balance_interval",
                                              "section_interval"};

/* Copies a file's bytes. */
static int copy_all(int from, int to, char *buffer)
{
    ssize_t n = 0;
    while ((n = read(from, buffer, COPY_BYTES)) > 0)
        for (ssize_t done = 0, m; done < n; done += m) {
            m = write(to, buffer + done, (size_t)(n - done));
            if (m < 0)
                return errno;
        }
    return n < 0 ? errno : 0;
}

static enum err copy_file(const struct outfile *to, const char *path)
{
    char *buffer = malloc(COPY_BYTES);
    if (!buffer)
        FAIL(MEMORY, "no memory to copy '%s'", path);
    const int in = open(path, O_RDONLY | O_CLOEXEC);
    const int out = in < 0 ? -1 : open(to->temporary, O_WRONLY | O_TRUNC | O_CLOEXEC);
    int error = out < 0 ? errno : copy_all(in, out, buffer);
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && !error)
        error = errno;
    free(buffer);
    return error ? outfile_failed(to, error, "what was written so far cannot be copied") : ERR_OK;
}

/* A file that netCDF has open may lack some of its content, so it is closed for the copy. */
enum err ncwrite_keep(struct ncwriter *w, const char *path)
{
    struct outfile to;
    TRY(outfile_create(&to, path));
    enum err e = ncwrite_close(w);
    if (!e)
        e = copy_file(&to, w->file.temporary);
    if (!e)
        e = ncwrite_seal(&to);
    if (e)
        outfile_discard(&to);
    else
        e = outfile_publish(&to);
    TRY(e);
    NC(nc_open(w->file.temporary, NC_WRITE, &w->id));
    ncwrite_find_file(w);
    return ERR_OK;
}

/* A variable whose first dimension is that of a series, in the new file and in the old one. */
struct column {
    char name[NC_MAX_NAME + 1];
    enum series series;
    int to, from;
    nc_type type;
    int dims;
    size_t row_bytes, count[NC_MAX_VAR_DIMS]; /* of one row */
};

/* Is variable `var` a column? If so, fills `c` from file `id`. */
static int is_column(int id, int var, struct column *c)
{
    int dim[NC_MAX_VAR_DIMS];
    char name[NC_MAX_NAME + 1];
    if (nc_inq_var(id, var, c->name, &c->type, &c->dims, dim, NULL) || c->dims == 0 ||
        nc_inq_dimname(id, dim[0], name) || nc_inq_type(id, c->type, NULL, &c->row_bytes))
        return 0;
    c->count[0] = 1;
    for (int k = 1; k < c->dims; k++) {
        if (nc_inq_dimlen(id, dim[k], &c->count[k]))
            return 0;
        c->row_bytes *= c->count[k];
    }
    for (int s = 0; s < SERIES; s++) {
        c->series = (enum series)s;
        if (strcmp(name, series_dims[s]) == 0)
            return 1;
    }
    return 0;
}

/* Finds the same column in the old file, which must have the same shape and this many rows. */
static enum err find_old(int old, const char *path, struct column *c, size_t rows)
{
    struct column there;
    size_t length;
    int dim;
    if (nc_inq_varid(old, c->name, &c->from) || !is_column(old, c->from, &there) ||
        there.series != c->series || there.type != c->type || there.dims != c->dims ||
        memcmp(there.count, c->count, (size_t)c->dims * sizeof *c->count) != 0)
        FAIL(INPUT, "%s has no '%s' of this kind", path, c->name);
    if (nc_inq_dimid(old, series_dims[c->series], &dim) || nc_inq_dimlen(old, dim, &length) ||
        length < rows)
        FAIL(INPUT, "%s has too few rows of '%s'", path, c->name);
    return ERR_OK;
}

/* The bytes of a variable, to be freed; null: unreadable. */
static void *read_variable(int id, int var, size_t *bytes)
{
    struct column c;
    void *data = NULL;
    size_t length = 1;
    int dim[NC_MAX_VAR_DIMS];
    (void)is_column(id, var, &c);
    if (nc_inq_vardimid(id, var, dim) || nc_inq_type(id, c.type, NULL, bytes))
        return NULL;
    for (int k = 0; k < c.dims; k++) {
        if (nc_inq_dimlen(id, dim[k], &length))
            return NULL;
        *bytes *= length;
    }
    data = malloc(*bytes + 1);
    if (data && nc_get_var(id, var, data) == NC_NOERR)
        return data;
    free(data);
    return NULL;
}

/* Is a variable the same in both files? */
static int is_same(int id, int var, int old, const char *name)
{
    size_t n = 0, m = 0;
    int there;
    if (nc_inq_varid(old, name, &there))
        return 0;
    void *ours = read_variable(id, var, &n), *theirs = read_variable(old, there, &m);
    const int same = ours && theirs && n == m && memcmp(ours, theirs, n) == 0;
    free(ours);
    free(theirs);
    return same;
}

/* Do both files show the same cells and gauges? Compares axes and names. */
static enum err check_places(const struct ncwriter *w, int old, const char *path)
{
    int count;
    NC(nc_inq_nvars(w->id, &count));
    for (int var = 0; var < count; var++) {
        struct column c;
        if (is_column(w->id, var, &c) || (c.dims != 1 && c.type != NC_CHAR))
            continue;
        if (!is_same(w->id, var, old, c.name))
            FAIL(INPUT, "%s has another '%s'", path, c.name);
    }
    return ERR_OK;
}

/* How many rows of a series the file has up to time t; 0 if its times cannot be read. */
static size_t rows_until(int old, enum series series, double t)
{
    int var;
    size_t bytes = 0, rows = 0;
    double *times = nc_inq_varid(old, series_dims[series], &var) == NC_NOERR
                        ? read_variable(old, var, &bytes)
                        : NULL;
    while (times && (rows + 1) * sizeof *times <= bytes && times[rows] <= t)
        rows++;
    free(times);
    return rows;
}

static enum err check_rows(int old, const char *path, double t, const size_t rows[SERIES])
{
    for (int s = 0; s < SERIES; s++) {
        const size_t there = rows[s] ? rows_until(old, (enum series)s, t) : 0;
        if (there != rows[s])
            FAIL(INPUT, "%s has %zu rows of '%s' up to then, and the checkpoint counted %zu", path,
                 there, series_dims[s], rows[s]);
    }
    return ERR_OK;
}

static enum err copy_column(const struct ncwriter *w, int old, const char *path,
                            const struct column *c, size_t rows)
{
    size_t most = SLAB_BYTES / c->row_bytes, start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS];
    most = most > 0 ? most : 1;
    void *slab = malloc(most * c->row_bytes);
    if (!slab)
        FAIL(MEMORY, "no memory for rows of '%s'", c->name);
    memcpy(count, c->count, sizeof count);
    enum err e = ERR_OK;
    for (; start[0] < rows && !e; start[0] += count[0]) {
        count[0] = rows - start[0] < most ? rows - start[0] : most;
        errno = 0;
        if (nc_get_vara(old, c->from, start, count, slab))
            e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: '%s' is damaged", path, c->name);
        else if (nc_put_vara(w->id, c->to, start, count, slab))
            e = ncwrite_failed(w, NC_EHDFERR, errno);
    }
    free(slab);
    return e;
}

/* Checks everything first, then takes the rows. */
static enum err take_from(struct ncwriter *w, int old, const char *path, const size_t rows[SERIES])
{
    int count;
    NC(nc_inq_nvars(w->id, &count));
    for (int copying = 0; copying < 2; copying++)
        for (int var = 0; var < count; var++) {
            struct column c = {.to = var};
            if (!is_column(w->id, var, &c) || rows[c.series] == 0)
                continue;
            TRY(find_old(old, path, &c, rows[c.series]));
            if (copying)
                TRY(copy_column(w, old, path, &c, rows[c.series]));
        }
    ncwrite_set_rows(w, rows);
    return ERR_OK;
}

enum err ncwrite_intervals(struct ncwriter *w, const double every[SERIES])
{
    for (int s = 0; s < SERIES; s++) {
        const struct attribute interval = {intervals[s], ATTRIBUTE_DOUBLE, .number = every[s]};
        if (!isnan(every[s]))
            TRY(ncwrite_attributes(w, &interval, 1));
    }
    return ERR_OK;
}

enum err ncwrite_mark(struct ncwriter *w, const char *mark)
{
    snprintf(w->mark, sizeof w->mark, "%s", mark);
    return ncwrite_text(w, NC_GLOBAL, NCWRITE_MARK_NAME, w->mark);
}

/* Opens a file for reading if it is of the same run. */
static enum err open_marked(const struct ncwriter *w, const char *path, struct ncaccess *old)
{
    char there[NCWRITE_MARK + 1] = "";
    size_t n = 0;
    TRY(ncaccess_open(old, path));
    if (!nc_inq_attlen(old->id, NC_GLOBAL, NCWRITE_MARK_NAME, &n) && n == NCWRITE_MARK)
        nc_get_att_text(old->id, NC_GLOBAL, NCWRITE_MARK_NAME, there);
    if (strcmp(there, w->mark) == 0)
        return ERR_OK;
    ncaccess_close(old);
    FAIL(INPUT, "%s is of another run", path);
}

/* The same, if its seal is intact as well. */
static enum err open_old(const struct ncwriter *w, const char *path, struct ncaccess *old)
{
    if (checksum_check(path, "") == CHECKSUM_WRONG) /* a finished file has no seal */
        FAIL(INPUT, "%s is damaged", path);
    return open_marked(w, path, old);
}

int ncwrite_has_rows(const struct ncwriter *w, const char *path, double t,
                     const size_t rows[SERIES])
{
    struct ncaccess old;
    if (open_marked(w, path, &old))
        return 0;
    const int has = !check_places(w, old.id, path) && !check_rows(old.id, path, t, rows);
    ncaccess_close(&old);
    return has;
}

/* If the old rows are closer together than the new ones, the file's attributes say so. */
static enum err take_intervals(struct ncwriter *w, const struct ncaccess *old,
                               const size_t rows[SERIES])
{
    const struct ncaccess ours = {.id = w->id};
    double every[SERIES];
    for (int s = 0; s < SERIES; s++) {
        double mine = (double)INFINITY;
        every[s] = (double)NAN;
        ncaccess_number(&ours, NC_GLOBAL, intervals[s], &mine);
        if (!rows[s] || !ncaccess_number(old, NC_GLOBAL, intervals[s], &every[s]) ||
            every[s] >= mine)
            every[s] = (double)NAN;
    }
    return ncwrite_intervals(w, every);
}

enum err ncwrite_take(struct ncwriter *w, const char *path, double t, const size_t rows[SERIES])
{
    struct ncaccess old;
    enum err e;
    TRY(open_old(w, path, &old));
    TRY_OUT(check_places(w, old.id, path));
    TRY_OUT(check_rows(old.id, path, t, rows));
    TRY_OUT(take_from(w, old.id, path, rows));
    TRY_OUT(take_intervals(w, &old, rows));
out:
    ncaccess_close(&old);
    return e;
}

/* Does the writer have a column for each of the old file's? */
static int has_all_columns(const struct ncwriter *w, int old)
{
    struct column theirs, ours;
    int count, var;
    if (nc_inq_nvars(old, &count))
        return 0;
    for (int k = 0; k < count; k++)
        if (is_column(old, k, &theirs) &&
            (nc_inq_varid(w->id, theirs.name, &var) || !is_column(w->id, var, &ours)))
            return 0;
    return 1;
}

/* The last time of a series; NAN: none. */
static double last_time(int old, enum series series)
{
    int var;
    size_t bytes = 0;
    double last = (double)NAN;
    double *times = nc_inq_varid(old, series_dims[series], &var) == NC_NOERR
                        ? read_variable(old, var, &bytes)
                        : NULL;
    if (times && bytes >= sizeof *times)
        last = times[bytes / sizeof *times - 1];
    free(times);
    return last;
}

/* From the first cells of tiles; the first tile may begin before the maps. */
static int tile_side(int old, const char *firsts)
{
    int var, side = 0;
    size_t bytes;
    int *first =
        nc_inq_varid(old, firsts, &var) == NC_NOERR ? read_variable(old, var, &bytes) : NULL;
    if (first && bytes >= 2 * sizeof *first)
        side = first[1] - first[0];
    free(first);
    return side;
}

void ncwrite_look_at_end(const struct ncwriter *w, const char *path, struct ncwrite_end *end)
{
    struct ncaccess old;
    *end = (struct ncwrite_end){.t = (double)NAN};
    for (int s = 0; s < SERIES; s++)
        end->last[s] = end->every[s] = (double)NAN;
    if (open_old(w, path, &old))
        return;
    for (int s = 0; s < SERIES; s++) {
        end->last[s] = last_time(old.id, (enum series)s);
        ncaccess_number(&old, NC_GLOBAL, intervals[s], &end->every[s]);
    }
    end->t = end->last[SERIES_MAPS];
    end->maxima = ncwrite_has_maximum(old.id, OUTPUT_H_MAX);
    end->hazard = ncwrite_has_maximum(old.id, OUTPUT_HAZARD);
    ncaccess_number(&old, NC_GLOBAL, "steps", &end->steps);
    end->tile[0] = tile_side(old.id, "tile_column");
    end->tile[1] = tile_side(old.id, "tile_row");
    end->same = has_all_columns(w, old.id) && !check_places(w, old.id, path);
    ncaccess_close(&old);
}

#endif
