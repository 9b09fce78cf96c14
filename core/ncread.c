/* Reading netCDF input: grid, bed and state of a file, checked, in double precision. */
#include "core/ncfile.h"

#ifdef HAVE_NETCDF

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/ncaccess.h"

int ncfile_available(void)
{
    return 1;
}

/* The file being read, and what must be known of it while the state is put together. Planes that
 * the file does not have are null. */
struct reading {
    struct ncaccess file;
    struct ncaxis x, y, xc, yc;
    struct nc_input *in;
    double *bed, *h; /* as given, at centres */
    int single;      /* some level in the file is float */
    double rounding; /* relative error of its levels */
};

static size_t cells(const struct reading *r)
{
    return r->x.n * r->y.n;
}

/* A coordinate may be float: it is then exact to FLT_EPSILON of its size only. */
static double slack(const struct ncaxis *a, double d)
{
    double largest = fmax(fabs(a->value[0]), fabs(a->value[a->n - 1]));
    return fmin(fmax(1e-4 * d, a->single ? 2 * (double)FLT_EPSILON * largest : 0), 0.1 * d);
}

static enum err check_spacing(const struct reading *r, const struct ncaxis *a, double d)
{
    for (size_t i = 1; i < a->n; i++) {
        double expected = a->value[0] + (double)i * d;
        if (fabs(a->value[i] - expected) > slack(a, d))
            FAIL(INPUT,
                 "%s: variable '%s' is not evenly spaced: value %zu is %.9g, but steps of %.9g "
                 "lead to %.9g",
                 r->file.path, a->name, i, a->value[i], d, expected);
    }
    return ERR_OK;
}

/* A single cell says nothing of its size: the corners do. */
static enum err single_cell(const struct reading *r, const struct ncaxis *a,
                            const struct ncaxis *corner, double *d, double *start)
{
    if (!corner->value || corner->n != 2)
        FAIL(INPUT,
             "%s: variable '%s' has one value: the cell's size must come from '%s', two "
             "values",
             r->file.path, a->name, corner->name);
    *start = corner->value[0];
    *d = corner->value[1] - corner->value[0];
    if (!(*d > 0))
        FAIL(INPUT, "%s: the two values of variable '%s' are equal", r->file.path, corner->name);
    return ERR_OK;
}

/* If the grid that wrote the file left its numbers in attributes, and they give these coordinates
 * exactly, they replace what can only be computed to rounding. */
static void exact_grid(const struct reading *r, const struct ncaxis *a, double *d, double *start)
{
    double lower, size;
    if (!ncaccess_number(&r->file, a->var, "lower_edge", &lower) ||
        !ncaccess_number(&r->file, a->var, "cell_size", &size) || !(size > 0))
        return;
    for (size_t i = 0; i < a->n; i++)
        if (grid_point(lower, (int)a->n, size, 2 * (long)i + 1 - (long)a->n) != a->value[i])
            return;
    *start = lower;
    *d = size;
}

/* Cell size and lower edge of the domain along one axis. */
static enum err find_cells(const struct reading *r, const struct ncaxis *a,
                           const struct ncaxis *corner, double *d, double *start)
{
    if (a->n > 1) {
        *d = (a->value[a->n - 1] - a->value[0]) / (double)(a->n - 1);
        if (!(*d > 0))
            FAIL(INPUT, "%s: variable '%s' does not change", r->file.path, a->name);
        TRY(check_spacing(r, a, *d));
        *start = a->value[0] - 0.5 * *d;
    } else {
        TRY(single_cell(r, a, corner, d, start));
    }
    exact_grid(r, a, d, start);
    return ERR_OK;
}

/* Corner coordinates, where the file has them, must be those of the grid. */
static enum err check_corners(const struct reading *r, const struct ncaxis *a,
                              const struct ncaxis *corner, double d, double start)
{
    if (corner->dim >= 0 && corner->n != a->n + 1)
        FAIL(INPUT, "%s: dimension '%s' has length %zu, but '%s' has %zu cells: it must be %zu",
             r->file.path, corner->name, corner->n, a->name, a->n, a->n + 1);
    for (size_t i = 0; corner->value && i < corner->n; i++) {
        double expected = start + (double)i * d;
        if (fabs(corner->value[i] - expected) > slack(corner, d) + slack(a, d))
            FAIL(INPUT,
                 "%s: variable '%s' does not fit to '%s': value %zu is %.9g, but the cells' "
                 "corner is at %.9g",
                 r->file.path, corner->name, a->name, i, corner->value[i], expected);
    }
    return ERR_OK;
}

static enum err read_grid(struct reading *r)
{
    struct grid_info *g = &r->in->grid;
    TRY(ncaccess_axis(&r->file, "x", 1, &r->x));
    TRY(ncaccess_axis(&r->file, "y", 1, &r->y));
    if (r->x.dim == r->y.dim)
        FAIL(INPUT, "%s: variables 'x' and 'y' have the same dimension", r->file.path);
    TRY(ncaccess_axis(&r->file, "x_corner", 0, &r->xc));
    TRY(ncaccess_axis(&r->file, "y_corner", 0, &r->yc));
    if (!r->xc.value)
        r->xc.flipped = r->x.flipped;
    if (!r->yc.value)
        r->yc.flipped = r->y.flipped;
    g->nx = (int)r->x.n;
    g->ny = (int)r->y.n;
    TRY(find_cells(r, &r->x, &r->xc, &g->dx, &g->x0));
    TRY(find_cells(r, &r->y, &r->yc, &g->dy, &g->y0));
    TRY(check_corners(r, &r->x, &r->xc, g->dx, g->x0));
    return check_corners(r, &r->y, &r->yc, g->dy, g->y0);
}

/* Reads a level or depth; notes the precision it comes in. */
static enum err read_metres(struct reading *r, const char *name, const struct ncaxis *x,
                            const struct ncaxis *y, double **p)
{
    int single = 0;
    TRY(ncaccess_metres(&r->file, name));
    TRY(ncaccess_plane(&r->file, name, x, y, p, &single));
    r->single |= single;
    return ERR_OK;
}

/* The bed at a centre (i,j), also one cell outside, by linear extrapolation. */
static double extended(const double *b, int nx, int ny, int i, int j)
{
    int ni = i < 0 ? 0 : i < nx ? i : nx - 1, nj = j < 0 ? 0 : j < ny ? j : ny - 1;
    int fi = 2 * ni - i, fj = 2 * nj - j; /* the next one inwards */
    fi = fi < 0 ? 0 : fi < nx ? fi : nx - 1;
    fj = fj < 0 ? 0 : fj < ny ? fj : ny - 1;
#define AT(i, j) b[(size_t)(j) * (size_t)nx + (size_t)(i)]
    double near = AT(ni, nj), far = AT(fi, fj), side_x = AT(fi, nj), side_y = AT(ni, fj);
#undef AT
    if (i == ni && j == nj)
        return near;
    if (i == ni || j == nj)
        return 2 * near - far;
    return (4 * near + far) - 2 * (side_x + side_y);
}

/* Corners from centres: bilinear, so each is the mean of the four cells around it; summed so that
 * mirroring or transposing the bed does the same to the corners, bit for bit. */
static void interpolate(const double *b, int nx, int ny, double *corner)
{
    for (int j = 0; j <= ny; j++) {
        for (int i = 0; i <= nx; i++) {
            double b00 = extended(b, nx, ny, i - 1, j - 1), b11 = extended(b, nx, ny, i, j);
            double b10 = extended(b, nx, ny, i, j - 1), b01 = extended(b, nx, ny, i - 1, j);
            corner[(size_t)j * (size_t)(nx + 1) + (size_t)i] = 0.25 * ((b00 + b11) + (b10 + b01));
        }
    }
}

static enum err read_bed(struct reading *r)
{
    if (ncaccess_has(&r->file, "bed_corner"))
        return read_metres(r, "bed_corner", &r->xc, &r->yc, &r->in->bed_corner);
    if (!ncaccess_has(&r->file, "bed"))
        FAIL(INPUT, "%s: there is neither 'bed_corner' (y_corner,x_corner) nor 'bed' (y,x)",
             r->file.path);
    TRY(read_metres(r, "bed", &r->x, &r->y, &r->bed));
    size_t n = (r->x.n + 1) * (r->y.n + 1);
    double *corner = malloc(n * sizeof *corner);
    if (!corner)
        FAIL(MEMORY, "%s: no memory for the bed at %zu corners", r->file.path, n);
    interpolate(r->bed, r->in->grid.nx, r->in->grid.ny, corner);
    r->in->bed_corner = corner;
    return ERR_OK;
}

/* Mean of the bed's corners in a cell. */
static double corner_mean(const struct reading *r, size_t i, size_t j)
{
    const size_t pitch = r->x.n + 1;
    const double *b = r->in->bed_corner + j * pitch + i;
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

/* The bed that the file's depths are above. */
static double ground(const struct reading *r, size_t i, size_t j)
{
    return r->bed ? r->bed[j * r->x.n + i] : corner_mean(r, i, j);
}

/* What rounding in the file can do to a depth. */
static double depth_error(const struct reading *r, double w, double b)
{
    return 4 * r->rounding * fmax(fabs(w), fabs(b));
}

static enum err read_level(struct reading *r)
{
    int has_w = ncaccess_has(&r->file, "w"), has_h = ncaccess_has(&r->file, "h");
    if (!has_w && !has_h)
        FAIL(INPUT, "%s: there is neither 'w' (surface level) nor 'h' (depth)", r->file.path);
    if (has_h)
        TRY(read_metres(r, "h", &r->x, &r->y, &r->h));
    if (has_w)
        TRY(read_metres(r, "w", &r->x, &r->y, &r->in->w));
    r->rounding = r->single ? (double)FLT_EPSILON : DBL_EPSILON;
    if (has_w)
        return ERR_OK;
    r->in->w = r->h; /* becomes the level, cell by cell */
    r->h = NULL;
    for (size_t j = 0; j < r->y.n; j++)
        for (size_t i = 0; i < r->x.n; i++)
            r->in->w[j * r->x.n + i] += ground(r, i, j);
    return ERR_OK;
}

static enum err check_depths(const struct reading *r, double deepest)
{
    const char *given = ncaccess_has(&r->file, "w") ? "w" : "h";
    for (size_t k = 0; k < cells(r); k++) {
        size_t i = k % r->x.n, j = k / r->x.n;
        double w = r->in->w[k], b = ground(r, i, j), h = w - b, error = depth_error(r, w, b);
        if (h < -1e-6 * deepest - error)
            FAIL(INPUT,
                 "%s: variable '%s': the depth in cell (%zu, %zu) is negative: %.6g m; where it "
                 "is dry the level must be the bed's, %.9g",
                 r->file.path, given, ncaxis_stored(&r->x, i), ncaxis_stored(&r->y, j), h, b);
        if (r->h && fabs(h - r->h[k]) > 1e-5 * deepest + error)
            FAIL(INPUT,
                 "%s: variables 'w' and 'h' disagree in cell (%zu, %zu): w minus the bed is %.9g, "
                 "h is %.9g; leave one of them out",
                 r->file.path, ncaxis_stored(&r->x, i), ncaxis_stored(&r->y, j), h, r->h[k]);
    }
    return ERR_OK;
}

/* Levels below the ground by more than rounding are put on the ground, without momentum. Within
 * rounding they stay as they are: a state that was written in float comes back with its bits. */
static void settle(struct reading *r)
{
    for (size_t k = 0; k < cells(r); k++) {
        size_t i = k % r->x.n, j = k / r->x.n;
        double w = r->in->w[k], mean = corner_mean(r, i, j);
        int wet = w > ground(r, i, j) && w > mean;
        if (!wet && fabs(w - mean) > depth_error(r, w, mean)) {
            r->in->w[k] = mean;
            r->in->hu[k] = r->in->hv[k] = 0;
        }
    }
}

static enum err read_discharge(struct reading *r, const char *name, double **p)
{
    int single;
    if (ncaccess_has(&r->file, name))
        return ncaccess_plane(&r->file, name, &r->x, &r->y, p, &single);
    double *still = calloc(cells(r), sizeof *still);
    if (!still)
        FAIL(MEMORY, "%s: no memory for %zu cells", r->file.path, cells(r));
    *p = still;
    return ERR_OK;
}

static enum err read_state(struct reading *r)
{
    TRY(read_level(r));
    TRY(read_discharge(r, "hu", &r->in->hu));
    TRY(read_discharge(r, "hv", &r->in->hv));
    double deepest = 0;
    for (size_t k = 0; k < cells(r); k++)
        deepest = fmax(deepest, r->in->w[k] - ground(r, k % r->x.n, k / r->x.n));
    TRY(check_depths(r, deepest));
    settle(r);
    return ERR_OK;
}

/* Manning's n: one number for the whole domain, however the file spells it. */
static enum err read_manning(struct reading *r)
{
    double *n = NULL, *value = &r->in->manning;
    int single;
    if (!ncaccess_has(&r->file, "manning")) {
        if (!ncaccess_number(&r->file, NC_GLOBAL, "manning", value))
            *value = (double)NAN;
    } else if (ncaccess_is_scalar(&r->file, "manning")) {
        TRY(ncaccess_scalar(&r->file, "manning", value));
    } else {
        TRY(ncaccess_plane(&r->file, "manning", &r->x, &r->y, &n, &single));
        size_t k = 0;
        while (k < cells(r) && n[k] == n[0])
            k++;
        double other = k < cells(r) ? n[k] : n[0];
        *value = n[0];
        free(n);
        if (k < cells(r))
            FAIL(INPUT,
                 "%s: variable 'manning' varies (%g in cell (0, 0), %g in cell (%zu, %zu)): "
                 "friction per cell is not supported yet; give one value",
                 r->file.path, *value, other, k % r->x.n, k / r->x.n);
    }
    if (*value < 0 || isinf(*value))
        FAIL(INPUT, "%s: 'manning' is %g: it must not be negative", r->file.path, *value);
    return ERR_OK;
}

static enum err read_all(struct reading *r)
{
    TRY(read_grid(r));
    TRY(read_bed(r));
    TRY(read_state(r));
    TRY(read_manning(r));
    if (!ncaccess_number(&r->file, NC_GLOBAL, "gravity", &r->in->gravity))
        r->in->gravity = (double)NAN;
    if (r->in->gravity <= 0 || isinf(r->in->gravity))
        FAIL(INPUT, "%s: the attribute 'gravity' is %g: it must be positive", r->file.path,
             r->in->gravity);
    return ncaccess_time(&r->file, &r->in->t);
}

enum err nc_read(const char *path, struct nc_input *in)
{
    enum err e = ERR_OK;
    struct reading r = {.in = in};
    *in = (struct nc_input){0};
    TRY(ncaccess_open(&r.file, path));
    TRY_OUT(read_all(&r));
out:
    free(r.h);
    free(r.bed);
    free(r.x.value);
    free(r.y.value);
    free(r.xc.value);
    free(r.yc.value);
    ncaccess_close(&r.file);
    if (e)
        nc_input_free(in);
    return e;
}

void nc_input_free(struct nc_input *in)
{
    free(in->bed_corner);
    free(in->w);
    free(in->hu);
    free(in->hv);
    *in = (struct nc_input){0};
}

#endif
