/* Maps of a file: their division into chunks, and the computation of their numbers. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/netcdf/mapping.h"
#include "core/netcdf/write_parts.h"

nc_type ncwrite_real(const struct ncwriter *w)
{
    return w->info.precision == F64 ? NC_DOUBLE : NC_FLOAT;
}

/* Side of the chunks of n values: nearly equal parts of at most `most`. */
static size_t chunk(size_t n, size_t most)
{
    size_t parts = (n + most - 1) / most;
    return (n + parts - 1) / parts;
}

/* For compressed chunks: small enough that the maps of a small grid keep many threads busy and
 * that a chunk stays in a core's cache, though a single chunk of all 482,461 cells of the case
 * `valley` makes a file 3 % smaller. But each chunk costs the writing thread some 10 us: chunks
 * without compression are larger. */
static size_t most_side(const struct ncwriter *w)
{
    return w->info.deflate > 0 ? 192 : 1024;
}

/* For a sparse domain: enough tiles for a chunk that is worth its cost, if they fit. */
static size_t tiled_side(const struct ncwriter *w, size_t n, size_t tile)
{
    enum { LEAST = 48 };
    const size_t side = (LEAST + tile - 1) / tile * tile, most = most_side(w);
    return n < side ? n : side < most ? side : most;
}

static void chunk_sides(const struct ncwriter *w, size_t nx, size_t ny, size_t *cx, size_t *cy)
{
    if (w->info.tiles.columns) {
        *cx = tiled_side(w, nx, (size_t)w->info.tiles.w);
        *cy = tiled_side(w, ny, (size_t)w->info.tiles.h);
        return;
    }
    const size_t side = most_side(w), values = side * side;
    *cx = chunk(nx, ny < side ? values / ny : side);
    *cy = chunk(ny, values / *cx);
}

/* On a smooth wave of 2048x2048 cells level 1 with shuffling halves the file; without shuffling
 * it saves a fifth, and level 9 takes three times as long for 5 % less. core/netcdf/compress.c
 * implements these two filters. */
enum err ncwrite_define_plane(const struct ncwriter *w, const struct label *l, const int dims[3],
                              const size_t n[2], int timed, int *var)
{
    size_t chunks[3] = {1, 0, 0};
    chunk_sides(w, n[1], n[0], &chunks[2], &chunks[1]);
    NC(nc_def_var(w->id, l->name, ncwrite_real(w), 2 + timed, dims + !timed, var));
    NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, chunks + !timed));
    if (w->info.deflate > 0 || ncwrite_packs_uniform(w))
        NC(nc_def_var_deflate(w->id, *var, 1, 1, w->info.deflate > 0 ? w->info.deflate : 1));
    if (w->info.wkt)
        TRY(ncwrite_text(w, *var, "grid_mapping", NCMAPPING_NAME));
    return ncwrite_label(w, *var, l);
}

enum err ncwrite_missing(const struct ncwriter *w, int var)
{
    const double none = (double)NAN;
    const float single = (float)NAN;
    nc_type type;
    NC(nc_inq_vartype(w->id, var, &type)); /* discharges are doubles in each precision */
    NC(nc_def_var_fill(w->id, var, NC_FILL,
                       type == NC_DOUBLE ? (const void *)&none : (const void *)&single));
    return ERR_OK;
}

/* The bed at a centre, with the kernels' operations in their order (num/depth.h): a dry cell has
 * depth zero exactly. `b` is the lower left corner. */
static float mean_f32(const double *b, long pitch)
{
    const float b00 = (float)b[0], b10 = (float)b[1];
    const float b01 = (float)b[pitch], b11 = (float)b[pitch + 1];
    return 0.25f * ((b00 + b11) + (b10 + b01));
}

static double mean_f64(const double *b, long pitch)
{
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

/* A number of a map, from the stored value and the ground in its cell. */
#define VALUE_OF(name, number)                                                               \
    static number name(const struct ncwriter *w, enum content content, number x, number bed) \
    {                                                                                        \
        const number still = (number)w->info.still, rest = bed > still ? bed : still;        \
        if (content == ETA_DEPTH)                                                            \
            return x - (bed - rest);                                                         \
        if (content == ETA_LEVEL)                                                            \
            return (number)(w->info.datum + ((double)rest + (double)x));                     \
        if (content == DEPTH_LEVEL)                                                          \
            return (number)(w->info.datum + ((double)bed + (double)x));                      \
        return (number)(w->info.datum + (double)bed);                                        \
    }
VALUE_OF(value_f32, float)
VALUE_OF(value_f64, double)

/* The corners south of a row of cells, and those north of it. */
struct corners {
    const double *south;
    long pitch;
};

/* n values of row j from column i on, into `to`; the corners begin at the same column. */
#define ROW_OF(name, number, mean, value)                                                      \
    static void name(const struct ncwriter *w, const struct plane *p, const struct corners *c, \
                     size_t i, size_t j, size_t n, number *to)                                 \
    {                                                                                          \
        const number *from = p->data;                                                          \
        const long first = ((long)j - p->south) * p->row + ((long)i - p->west) * p->column;    \
        const long step = p->column;                                                           \
        if (from && step == 1)                                                                 \
            memcpy(to, from + first, n * sizeof *to);                                          \
        for (long k = 0; from && step != 1 && k < (long)n; k++)                                \
            to[k] = from[first + k * step];                                                    \
        for (long k = 0; p->content == CARRIED && k < (long)n; k++)                            \
            if (!(value(w, ETA_DEPTH, ((const number *)p->level)[first + k * step],            \
                        mean(c->south + k, c->pitch)) > 0))                                    \
                to[k] = (number)NAN;                                                           \
        for (long k = 0; p->content == BED_CORNER && k < (long)n; k++)                         \
            to[k] = (number)(w->info.datum + c->south[k]);                                     \
        for (long k = 0; p->content > BED_CORNER && k < (long)n; k++)                          \
            to[k] = value(w, p->content, from ? to[k] : 0, mean(c->south + k, c->pitch));      \
    }
ROW_OF(row_f32, float, mean_f32, value_f32)
ROW_OF(row_f64, double, mean_f64, value_f64)

/* Row j of the corners of a piece, n of them from column i on. */
static void ask_corners(const struct ncwriter *w, size_t i, size_t j, size_t n, double *to)
{
    const struct window cells = {w->info.window.i0 + (int)i, w->info.window.j0 + (int)j, (int)n - 1,
                                 0};
    w->info.corners(w->info.context, &cells, to);
}

/* The piece's numbers, in rows of `width` values. If the bed is needed, `room` has two rows of
 * corners: a row's northern corners are the next row's southern ones. */
static void fill_rows(const struct ncwriter *w, const struct plane *p, const struct piece *c,
                      size_t width, double *room, void *to)
{
    const size_t i = c->start[1], n = c->count[1] + (p->content != BED_CORNER);
    for (size_t row = 0; row < c->count[0]; row++) {
        const size_t j = c->start[0] + row, at = row * width;
        struct corners corners = {room, (long)n};
        if (!room && w->info.bed) {
            corners.south = w->info.bed + (long)j * w->info.bed_pitch + (long)i;
            corners.pitch = w->info.bed_pitch;
        } else if (room) {
            if (row == 0 || p->content == BED_CORNER)
                ask_corners(w, i, j, n, room);
            else
                memcpy(room, room + n, n * sizeof *room);
            if (p->content != BED_CORNER)
                ask_corners(w, i, j + 1, n, room + n);
        }
        if (w->info.precision == F64)
            row_f64(w, p, &corners, i, j, c->count[1], (double *)to + at);
        else
            row_f32(w, p, &corners, i, j, c->count[1], (float *)to + at);
    }
}

static enum err fill_piece(const struct ncwriter *w, const struct plane *p, const struct piece *c,
                           size_t width, void *to)
{
    double *room = NULL;
    if (!w->info.bed && p->content != COPY) {
        room = malloc(2 * (c->count[1] + 1) * sizeof *room);
        if (!room)
            FAIL(MEMORY, "no memory to write '%s'", w->file.path);
    }
    fill_rows(w, p, c, width, room, to);
    free(room);
    return ERR_OK;
}

/* Maps of one size that are being written. */
struct planes {
    const struct ncwriter *w;
    const struct plane *plane;
    size_t side[2], across, each; /* of a chunk; chunks in a row of them, and in a map */
    size_t first;                 /* the job's first chunk, in the first map */
    struct ncpacked *packed;      /* null: netCDF compresses */
};

static struct piece piece_of(const struct planes *m, size_t number)
{
    const size_t chunk = number % m->each, all[2] = {m->plane->ny, m->plane->nx};
    struct piece c = {.start = {chunk / m->across * m->side[0], chunk % m->across * m->side[1]}};
    for (int k = 0; k < 2; k++) {
        const size_t left = all[k] - c.start[k];
        c.count[k] = left < m->side[k] ? left : m->side[k];
    }
    return c;
}

static enum err prepare(void *context, size_t job, size_t place)
{
    const struct planes *m = context;
    const size_t number = m->first + job;
    const struct piece c = piece_of(m, number);
    struct ncbuffer *to = &m->w->buffer[place];
    const size_t width = m->packed ? m->side[1] : c.count[1];
    if (ncwrite_is_gap(m->w, &m->plane[number / m->each], &c))
        return ERR_OK;
    if (m->packed && (c.count[0] < m->side[0] || c.count[1] < m->side[1]))
        ncpack_blank(m->w, to, m->side[0] * m->side[1]);
    TRY(fill_piece(m->w, &m->plane[number / m->each], &c, width, to->values));
    return m->packed ? ncpack(m->w, to, &c, width, m->side[0] * m->side[1]) : ERR_OK;
}

static enum err take_chunk(void *context, size_t job, size_t place)
{
    const struct planes *m = context;
    const size_t number = m->first + job;
    const struct ncwriter *w = m->w;
    const struct plane *p = &m->plane[number / m->each];
    const struct piece c = piece_of(m, number);
    if (ncwrite_is_gap(w, p, &c))
        return ERR_OK;
    ncfile_quiet_thread(); /* again for each piece; it takes a microsecond */
    if (m->packed)
        return ncpack_write(w, m->packed, number / m->each, &c, &w->buffer[place]);
    const size_t start[3] = {w->records, c.start[0], c.start[1]};
    const size_t count[3] = {1, c.count[0], c.count[1]};
    NC(nc_put_vara(w->id, p->var, start + !p->timed, count + !p->timed, w->buffer[place].values));
    return ERR_OK;
}

static struct planes planes_of(const struct ncwriter *w, const struct plane *p)
{
    struct planes m = {.w = w, .plane = p};
    chunk_sides(w, p->nx, p->ny, &m.side[1], &m.side[0]);
    m.across = (p->nx + m.side[1] - 1) / m.side[1];
    m.each = m.across * ((p->ny + m.side[0] - 1) / m.side[0]);
    return m;
}

/* Chunks without compression are large, and so are the buffers of each thread: as many as a map has. */
static int helpers(const struct ncwriter *w)
{
    const struct window *c = &w->info.window;
    const struct plane corners = {.nx = (size_t)c->nx + 1, .ny = (size_t)c->ny + 1};
    const int chunks = (int)planes_of(w, &corners).each, most = w->info.helpers;
    const int few = ncwrite_packs_uniform(w) ? chunks - 1 : 0;
    return w->info.deflate > 0 || most < few ? most : few;
}

/* Chunk by chunk, so that each is compressed once. */
static enum err write_chunks(struct planes *m, size_t n)
{
    const struct ordered_job job = {n, prepare, take_chunk, m, helpers(m->w)};
    return ordered_workers_do(&job);
}

enum err ncwrite_planes(const struct ncwriter *w, const struct plane *p, size_t n)
{
    struct planes m = planes_of(w, p);
    struct ncpacked packed;
    if (w->packs) {
        TRY(ncpack_open(w, p, n, &packed));
        m.packed = &packed;
    }
    const enum err e = write_chunks(&m, n * m.each);
    if (m.packed)
        ncpack_close(w, &packed);
    return e;
}

/* Values in a band: enough that many threads have chunks to pack. */
enum { BAND_VALUES = 1 << 21 };

/* Cells that several threads fetch, some rows each. */
struct fetching {
    const struct ncwrite_rows *rows;
    int which, high;
    struct window cells;
    char *to;
    size_t row; /* bytes */
};

static enum err fetch_rows(void *context, size_t piece, size_t place)
{
    const struct fetching *f = context;
    const int j = (int)piece * f->high, left = f->cells.ny - j;
    const struct window w = {f->cells.i0, f->cells.j0 + j, f->cells.nx,
                             left < f->high ? left : f->high};
    (void)place;
    return f->rows->get(f->rows->context, f->which, &w, f->to + (size_t)j * f->row);
}

static enum err have_rows(void *context, size_t piece, size_t place)
{
    (void)context, (void)piece, (void)place;
    return ERR_OK;
}

static enum err fetch(const struct planes *m, const struct ncwrite_rows *rows, int which,
                      const struct window *cells, char *to)
{
    enum { VALUES = 1 << 20 };
    struct fetching f = {
        .rows = rows, .which = which, .high = VALUES / cells->nx + 1, .cells = *cells, .to = to};
    f.row = (size_t)cells->nx * precision_size(m->w->info.precision);
    const int pieces = (cells->ny + f.high - 1) / f.high, most = m->w->info.helpers;
    const struct ordered_job job = {(size_t)pieces, fetch_rows, have_rows, &f,
                                    most < pieces ? most : pieces - 1};
    return rows->shared ? ordered_workers_do(&job) : rows->get(rows->context, which, cells, to);
}

/* Some consecutive chunks; `room` is for two of a band's planes. */
static enum err write_piece(struct planes *m, struct plane *p, const struct piece *c,
                            const struct ncwrite_rows *rows, char *room)
{
    const struct window w = {(int)c->start[1], (int)c->start[0], (int)c->count[1],
                             (int)c->count[0]};
    char *const level = room + c->count[0] * c->count[1] * precision_size(m->w->info.precision);
    TRY(fetch(m, rows, p->number, &w, room));
    if (p->content == CARRIED)
        TRY(fetch(m, rows, 0, &w, level));
    p->data = room;
    p->level = level;
    p->row = w.nx;
    p->column = 1;
    p->west = w.i0;
    p->south = w.j0;
    return write_chunks(m, (c->count[0] + m->side[0] - 1) / m->side[0] *
                               ((c->count[1] + m->side[1] - 1) / m->side[1]));
}

/* A row of chunks of map number `which`, without gaps. */
static enum err write_between_gaps(struct planes *m, size_t which, struct plane *p,
                                   const struct piece *row, const struct ncwrite_rows *rows,
                                   char *room)
{
    const size_t first = which * m->each + row->start[0] / m->side[0] * m->across;
    struct piece c = *row;
    for (size_t end, k = 0; k < m->across; k = end) {
        for (end = k; end < m->across; end++) {
            const struct piece chunk = piece_of(m, first + end);
            if (ncwrite_is_gap(m->w, p, &chunk))
                break;
        }
        m->first = first + k;
        c.start[1] = k * m->side[1];
        c.count[1] = (end * m->side[1] < p->nx ? end * m->side[1] : p->nx) - c.start[1];
        if (end > k)
            TRY(write_piece(m, p, &c, rows, room));
        end += end == k;
    }
    return ERR_OK;
}

/* A map with gaps a row of chunks at a time, others a band at a time. */
static enum err write_bands(struct planes *m, size_t which, struct plane *p,
                            const struct ncwrite_rows *rows)
{
    const size_t fit = p->tile_state ? 0 : BAND_VALUES / (m->side[0] * p->nx);
    const size_t side = m->side[0] * (fit + !fit);
    char *room = malloc(2 * side * p->nx * precision_size(m->w->info.precision));
    enum err e = ERR_OK;
    if (!room)
        FAIL(MEMORY, "no memory to write '%s'", m->w->file.path);
    for (size_t j = 0; j < p->ny && !e; j += side) {
        const struct piece band = {.start = {j, 0},
                                   .count = {p->ny - j < side ? p->ny - j : side, p->nx}};
        m->first = which * m->each + j / m->side[0] * m->across;
        e = p->tile_state ? write_between_gaps(m, which, p, &band, rows, room)
                          : write_piece(m, p, &band, rows, room);
    }
    free(room);
    return e;
}

enum err ncwrite_fetched(const struct ncwriter *w, const struct plane *p, size_t n,
                         const struct ncwrite_rows *rows)
{
    struct plane plane[SYSTEM_VARIABLES];
    struct planes m = planes_of(w, p);
    struct ncpacked packed;
    enum err e = ERR_OK;
    memcpy(plane, p, n * sizeof *p);
    m.plane = plane;
    if (w->packs) {
        TRY(ncpack_open(w, plane, n, &packed));
        m.packed = &packed;
    }
    for (size_t k = 0; k < n && !e; k++)
        e = write_bands(&m, k, &plane[k], rows);
    if (m.packed)
        ncpack_close(w, &packed);
    return e;
}

enum err ncwrite_plane(const struct ncwriter *w, const struct plane *p)
{
    return ncwrite_planes(w, p, 1);
}

int ncwrite_packs_uniform(const struct ncwriter *w)
{
    return w->info.uniform && w->packs;
}

void ncwrite_find_file(struct ncwriter *w)
{
    w->packs = hdf5_find(&w->hdf5, w->file.temporary);
}

enum err ncwrite_open_planes(struct ncwriter *w)
{
    ncwrite_find_file(w);
    const size_t n = ordered_workers_places(helpers(w));
    w->buffer = calloc(n, sizeof *w->buffer);
    /* Double precision, and the overhead if nothing shrinks. */
    const size_t bytes = most_side(w) * most_side(w) * sizeof(double) + 4096;
    w->buffers = malloc(n * 2 * bytes);
    if (!w->buffer || !w->buffers)
        FAIL(MEMORY, "no memory to write '%s'", w->file.path);
    for (size_t k = 0; k < n; k++)
        w->buffer[k] = (struct ncbuffer){.room = bytes,
                                         .values = w->buffers + 2 * k * bytes,
                                         .packed = w->buffers + (2 * k + 1) * bytes};
    return ERR_OK;
}

void ncwrite_free_planes(struct ncwriter *w)
{
    for (size_t k = 0; w->buffer && k < ordered_workers_places(helpers(w)); k++)
        free(w->buffer[k].uniform.packed);
    free(w->buffer);
    free(w->buffers);
}

#endif
