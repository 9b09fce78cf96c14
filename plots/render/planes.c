/* Reads a record band by band and averages over squares of cells. */
#include "plots/render/planes.h"

#include <math.h>
#include <stdlib.h>

/* Buffers of a band, and the two sums of a row of squares with the number of terms. */
enum { PLAIN_VALUES, H, W, BED, HU, HV, BUFFERS };
enum { VALUE, VALUES, DEEP, DEPTHS, SUMS };

static int parts(int n, int step)
{
    return (n + step - 1) / step;
}

/* Rows to read at once: whole squares, and whole chunks of the file if that is not too much. */
static int band_rows(const struct planes *p)
{
    enum { MOST_CELLS = 1 << 24 };
    int rows = p->file->rows > 64 ? p->file->rows : 64;
    if ((long)rows * p->window.nx > MOST_CELLS)
        rows = MOST_CELLS / p->window.nx;
    rows = rows / p->step * p->step;
    return rows > p->step ? rows : p->step;
}

enum err planes_open(struct planes *p, int most_x, int most_y)
{
    const int sx = parts(p->window.nx, most_x), sy = parts(p->window.ny, most_y);
    p->step = sx > sy ? sx : sy;
    p->nx = parts(p->window.nx, p->step);
    p->ny = parts(p->window.ny, p->step);
    const size_t cells = (size_t)band_rows(p) * (size_t)p->window.nx;
    p->sum = malloc((size_t)p->nx * SUMS * sizeof *p->sum);
    int good = p->sum != NULL;
    for (int k = 0; k < BUFFERS; k++) {
        p->row[k] = malloc(cells * sizeof **p->row);
        good &= p->row[k] != NULL;
    }
    if (good)
        return ERR_OK;
    planes_close(p);
    FAIL(MEMORY, "no memory to read %s", p->file->path);
}

void planes_close(struct planes *p)
{
    for (int k = 0; k < BUFFERS; k++) {
        free(p->row[k]);
        p->row[k] = NULL;
    }
    free(p->sum);
    p->sum = NULL;
}

static enum err read(const struct planes *p, const struct ncvariable *v, size_t record,
                     struct ncwindow band, int buffer)
{
    return v ? ncrecords_read(p->file, v, v->timed ? record : 0, band, p->row[buffer]) : ERR_OK;
}

/* The variable that the depth comes from, if any, is in the buffer H; otherwise the depth is W -
 * BED. */
static const struct ncvariable *depth_from(const struct shown *s)
{
    return s->wet ? s->wet : s->kind == SHOW_PLAIN && !s->timed ? NULL : s->h;
}

static int needs_level(const struct shown *s)
{
    return s->kind == SHOW_LEVEL || (!depth_from(s) && (s->kind != SHOW_PLAIN || s->timed));
}

static enum err read_band(const struct planes *p, size_t record, struct ncwindow band)
{
    const struct shown *s = p->shown;
    TRY(read(p, s->kind == SHOW_PLAIN ? s->plain : NULL, record, band, PLAIN_VALUES));
    TRY(read(p, depth_from(s), record, band, H));
    if (needs_level(s)) {
        TRY(read(p, s->w, record, band, W));
        TRY(read(p, s->bed, record, band, BED));
    }
    if (s->kind == SHOW_SPEED) {
        TRY(read(p, s->hu, record, band, HU));
        TRY(read(p, s->hv, record, band, HV));
    }
    return ERR_OK;
}

static float depth_at(const struct planes *p, size_t k)
{
    const struct shown *s = p->shown;
    if (depth_from(s)) /* a maximum is missing in cells that were never wet */
        return s->wet && isnan(p->row[H][k]) ? 0 : p->row[H][k];
    return needs_level(s) && s->w && s->bed ? p->row[W][k] - p->row[BED][k] : NAN;
}

static float value_at(const struct planes *p, size_t k, float depth)
{
    const struct shown *s = p->shown;
    switch (s->kind) {
    case SHOW_DEPTH:
        return depth;
    case SHOW_LEVEL:
        return s->w ? p->row[W][k] : p->row[BED][k] + depth;
    case SHOW_SPEED:
        return hypotf(p->row[HU][k], p->row[HV][k]) / depth;
    case SHOW_PLAIN:
        break;
    }
    return p->row[PLAIN_VALUES][k];
}

/* A variable without depths is shown where it has values. */
static int is_shown(const struct planes *p, float value, float depth)
{
    if (isnan(value) || isinf(value))
        return 0;
    if (isnan(depth))
        return !p->shown->from_zero || value > 0;
    return (double)depth >= p->dry;
}

static void add_value(const struct planes *p, size_t k, int i)
{
    const float depth = depth_at(p, k), value = value_at(p, k, depth);
    float *sum = p->sum + (size_t)(i / p->step) * SUMS;
    if (is_shown(p, value, depth)) {
        sum[VALUE] += value;
        sum[VALUES]++;
    }
    if (!isnan(depth)) {
        sum[DEEP] += depth > 0 ? depth : 0;
        sum[DEPTHS]++;
    }
}

/* A row of squares of which the buffers have `rows` rows of cells, from `first` on. */
static void reduce(const struct planes *p, int first, int rows, float *value, float *depth)
{
    for (int k = 0; k < p->nx * SUMS; k++)
        p->sum[k] = 0;
    for (int j = first; j < first + rows; j++)
        for (int i = 0; i < p->window.nx; i++)
            add_value(p, (size_t)j * (size_t)p->window.nx + (size_t)i, i);
    for (int i = 0; i < p->nx; i++) {
        const float *sum = p->sum + (size_t)i * SUMS;
        value[i] = sum[VALUES] > 0 ? sum[VALUE] / sum[VALUES] : NAN;
        if (depth)
            depth[i] = sum[DEPTHS] > 0 ? sum[DEEP] / sum[DEPTHS] : NAN;
    }
}

enum err planes_read(const struct planes *p, size_t record, float *value, float *depth)
{
    const int rows = band_rows(p);
    for (int j = 0; j < p->window.ny; j += rows) {
        const int left = p->window.ny - j, n = left < rows ? left : rows;
        TRY(read_band(p, record, (struct ncwindow){p->window.i, p->window.j + j, p->window.nx, n}));
        for (int k = 0; k < n; k += p->step) {
            const size_t to = (size_t)((j + k) / p->step) * (size_t)p->nx;
            reduce(p, k, n - k < p->step ? n - k : p->step, value + to, depth ? depth + to : NULL);
        }
    }
    return ERR_OK;
}

enum err planes_bed(const struct planes *p, float *bed)
{
    const struct shown plain = {.kind = SHOW_PLAIN, .plain = p->shown->bed};
    struct planes only = *p;
    only.shown = &plain;
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    for (size_t k = 0; k < n; k++)
        bed[k] = NAN;
    if (!p->shown->bed)
        return ERR_OK;
    return planes_read(&only, 0, bed, NULL);
}

enum err planes_choose_dry(struct planes *p, double given, size_t record, float *value,
                           float *depth)
{
    const int of_speed =
        p->shown->map == MAP_SPEED; /* which is arbitrary, and meaningless, in thin water */
    const double share = of_speed ? 0.01 : 0.005, most = of_speed ? 0.05 : 0.01;
    float deepest = 0;
    p->dry = given;
    if (!isnan(given))
        return ERR_OK;
    p->dry = 0;
    TRY(planes_read(p, record, value, depth));
    for (size_t k = 0; k < (size_t)p->nx * (size_t)p->ny; k++)
        deepest = depth[k] > deepest ? depth[k] : deepest;
    p->dry = deepest > 0 ? fmin(most, share * (double)deepest) : most;
    return ERR_OK;
}
