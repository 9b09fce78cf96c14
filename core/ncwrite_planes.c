/* Maps of a file: how they are cut into chunks, and what their numbers are made of. */
#include "core/ncfile.h"

#ifdef HAVE_NETCDF

#include <string.h>

#include "core/ncwrite_parts.h"

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

static void chunk_sides(size_t nx, size_t ny, size_t *cx, size_t *cy)
{
    *cx = chunk(nx, ny < CHUNK_SIDE ? CHUNK_VALUES / ny : CHUNK_SIDE);
    *cy = chunk(ny, CHUNK_VALUES / *cx);
}

/* On a smooth wave of 2048x2048 cells level 1 with shuffling halves the file; without shuffling it
 * saves a fifth, and level 9 takes three times as long for 5 % less. */
enum err ncwrite_define_plane(const struct ncwriter *w, const struct label *l, const int dims[3],
                              const size_t n[2], int timed, int *var)
{
    size_t chunks[3] = {1, 0, 0};
    chunk_sides(n[1], n[0], &chunks[2], &chunks[1]);
    NC(nc_def_var(w->id, l->name, ncwrite_real(w), 2 + timed, dims + !timed, var));
    NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, chunks + !timed));
    if (w->info.deflate > 0)
        NC(nc_def_var_deflate(w->id, *var, 1, 1, w->info.deflate));
    return ncwrite_label(w, *var, l);
}

/* The bed at a centre, with the operations and their order of the kernels (num/depth.h): a dry cell
 * has depth zero exactly. `b` is the lower left corner. */
static float mean_f32(const float *b, long pitch)
{
    return 0.25f * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

static double mean_f64(const double *b, long pitch)
{
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

/* n values of row j from column i on, into `to`. */
#define ROW_OF(name, number, mean)                                                        \
    static void name(const struct ncwriter *w, const struct plane *p, size_t i, size_t j, \
                     size_t n, number *to)                                                \
    {                                                                                     \
        const number *from = p->data, *corner = w->info.bed;                              \
        const long first = (long)j * p->row + (long)i * p->column, step = p->column;      \
        const long below = (long)j * w->info.bed_pitch + (long)i;                         \
        if (p->content != BED_MEAN && step == 1)                                          \
            memcpy(to, from + first, n * sizeof *to);                                     \
        for (long k = 0; p->content != BED_MEAN && step != 1 && k < (long)n; k++)         \
            to[k] = from[first + k * step];                                               \
        for (long k = 0; p->content != COPY && k < (long)n; k++) {                        \
            const number bed = mean(corner + below + k, w->info.bed_pitch);               \
            const number level = p->content == WITH_BED ? to[k] + bed : bed;              \
            to[k] = p->content == ABOVE_BED ? to[k] - bed : level;                        \
        }                                                                                 \
    }
ROW_OF(row_f32, float, mean_f32)
ROW_OF(row_f64, double, mean_f64)

static void fill_tile(const struct ncwriter *w, const struct plane *p, const size_t start[2],
                      const size_t count[2])
{
    for (size_t row = 0; row < count[0]; row++) {
        const size_t j = start[0] + row, at = row * count[1];
        if (w->info.precision == F64)
            row_f64(w, p, start[1], j, count[1], (double *)w->tile + at);
        else
            row_f32(w, p, start[1], j, count[1], (float *)w->tile + at);
    }
}

/* Chunk by chunk, so that netCDF compresses each one once. */
enum err ncwrite_plane(const struct ncwriter *w, const struct plane *p)
{
    size_t cx, cy;
    chunk_sides(p->nx, p->ny, &cx, &cy);
    for (size_t j = 0; j < p->ny; j += cy) {
        for (size_t i = 0; i < p->nx; i += cx) {
            size_t start[3] = {w->records, j, i}, count[3] = {1, cy, cx};
            count[1] = p->ny - j < cy ? p->ny - j : cy;
            count[2] = p->nx - i < cx ? p->nx - i : cx;
            fill_tile(w, p, start + 1, count + 1);
            NC(nc_put_vara(w->id, p->var, start + !p->timed, count + !p->timed, w->tile));
        }
    }
    return ERR_OK;
}

#endif
