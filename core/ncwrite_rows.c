/* The rows of a file's series, kept while the file is still written, and taken into another one: so a run
 * that was killed and goes on has all of them at its end. */
#include "core/ncfile.h"

#ifdef HAVE_NETCDF

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/ncwrite_parts.h"
#include "core/seal.h"

enum { COPY_BYTES = 1 << 20, SLAB_BYTES = 1 << 24 };

static const char *const series_dims[SERIES] = {"time", "gauge_time", "balance_time"};

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

/* A file that netCDF has open may lack some of its content: it is closed for as long. */
enum err ncwrite_keep(struct ncwriter *w, const char *path)
{
    struct outfile to;
    TRY(outfile_create(&to, path));
    enum err e = ncwrite_close(w);
    if (!e)
        e = copy_file(&to, w->file.temporary);
    const int error = e ? 0 : seal_file(to.temporary);
    if (error)
        e = outfile_failed(&to, error, "its digest cannot be added");
    if (e)
        outfile_discard(&to);
    else
        e = outfile_publish(&to);
    TRY(e);
    NC(nc_open(w->file.temporary, NC_WRITE, &w->id));
    ncwrite_find_file(w);
    return ERR_OK;
}

/* A variable whose first dimension is that of a series, in the file that is written and in the old one. */
struct column {
    char name[NC_MAX_NAME + 1];
    enum series series;
    int to, from;
    nc_type type;
    int dims;
    size_t row_bytes, count[NC_MAX_VAR_DIMS]; /* of one row */
};

/* Is variable `var` such a one? Then what is known of it from file `id`. */
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

/* The same column of the old file, which must be alike and have so many rows. */
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

/* First all that could be wrong, then the rows. */
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

enum err ncwrite_take(struct ncwriter *w, const char *path, const char *mark,
                      const size_t rows[SERIES])
{
    struct ncaccess old;
    char there[NCWRITE_MARK + 1] = "";
    size_t n = 0;
    if (seal_check(path) == SEAL_WRONG) /* a finished file has none */
        FAIL(INPUT, "%s is damaged", path);
    TRY(ncaccess_open(&old, path));
    if (!nc_inq_attlen(old.id, NC_GLOBAL, NCWRITE_MARK_NAME, &n) && n == NCWRITE_MARK)
        nc_get_att_text(old.id, NC_GLOBAL, NCWRITE_MARK_NAME, there);
    enum err e = ERR_OK;
    if (strncmp(there, mark, NCWRITE_MARK) != 0)
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s is of another run", path);
    else
        e = take_from(w, old.id, path, rows);
    ncaccess_close(&old);
    return e;
}

#endif
