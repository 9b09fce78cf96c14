/* Reading netCDF input: grid, bed and state of a file, checked, in double precision. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/mesh/corner_means.h"
#include "core/base/plane.h"
#include "core/netcdf/mapping.h"
#include "core/netcdf/read_grid.h"

/* The file being read, and what assembling the state needs of it. Planes that the file lacks are
 * null. */
struct reading {
    struct ncaccess file;
    struct ncaxis x, y, xc, yc;
    const struct system *system;
    struct nc_input *in;
    double *bed, *h; /* as given, at centres */
    int single;      /* some level in the file is float */
    double rounding; /* relative error of its levels */
};

static size_t cells(const struct reading *r)
{
    return r->x.n * r->y.n;
}

static enum err read_grid(struct reading *r)
{
    struct ncgrid x, y;
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
    TRY(ncgrid_from_centres(&r->file, &r->x, &r->xc, &x));
    TRY(ncgrid_from_centres(&r->file, &r->y, &r->yc, &y));
    r->in->grid = (struct grid_info){(int)x.n, (int)y.n, x.start, y.start, x.d, y.d};
    return ERR_OK;
}

/* Reads a level or depth; notes its precision. */
static enum err read_metres(struct reading *r, const char *name, const struct ncaxis *x,
                            const struct ncaxis *y, double **p)
{
    int single = 0;
    TRY(ncaccess_metres(&r->file, name));
    TRY(ncaccess_plane(&r->file, name, x, y, p, &single));
    r->single |= single;
    return ERR_OK;
}

static enum err read_bed(struct reading *r)
{
    if (ncaccess_has(&r->file, "bed_corner"))
        return read_metres(r, "bed_corner", &r->xc, &r->yc, &r->in->bed_corner);
    if (!ncaccess_has(&r->file, "bed"))
        FAIL(INPUT,
             "%s: expected a variable 'bed_corner' (y_corner,x_corner) or 'bed' (y,x), got neither",
             r->file.path);
    TRY(read_metres(r, "bed", &r->x, &r->y, &r->bed));
    TRY(plane_new(r->file.path, r->x.n + 1, r->y.n + 1, &r->in->bed_corner));
    corners_from_centres(r->bed, r->in->grid.nx, r->in->grid.ny, r->in->bed_corner);
    return ERR_OK;
}

/* Mean of the bed's corners in a cell. */
static double corner_mean(const struct reading *r, size_t i, size_t j)
{
    const size_t pitch = r->x.n + 1;
    return corners_mean(r->in->bed_corner + j * pitch + i, (long)pitch);
}

/* The bed below the file's depths. */
static double ground(const struct reading *r, size_t i, size_t j)
{
    return r->bed ? r->bed[j * r->x.n + i] : corner_mean(r, i, j);
}

/* The largest error of a depth due to rounding in the file. */
static double depth_error(const struct reading *r, double w, double b)
{
    return 4 * r->rounding * fmax(fabs(w), fabs(b));
}

static enum err read_level(struct reading *r)
{
    int has_w = ncaccess_has(&r->file, "w"), has_h = ncaccess_has(&r->file, "h");
    if (!has_w && !has_h)
        FAIL(INPUT, "%s: expected a variable 'w' (surface level) or 'h' (depth), got neither",
             r->file.path);
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
        for (size_t i = 0; i < r->x.n; i++) {
            r->in->w[j * r->x.n + i] += ground(r, i, j);
            plane_passes(j * r->x.n + i);
        }
    return ERR_OK;
}

/* Of a float level and a float depth that agree but for rounding, the smaller number has the
 * smaller error: on high ground, and in thin water, that is the depth. */
static void take_finer(struct reading *r)
{
    for (size_t k = 0; r->single && r->h && k < cells(r); k++) {
        const double b = ground(r, k % r->x.n, k / r->x.n), w = r->in->w[k], h = r->h[k];
        if (fabs(h) < fabs(w) && fabs(w - (b + h)) <= depth_error(r, w, b))
            r->in->w[k] = b + h;
        plane_passes(k);
    }
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
        plane_passes(k);
    }
    return ERR_OK;
}

/* Is the unknown a component of momentum, which a mirror reverses? */
static int is_momentum(const struct reading *r, int unknown)
{
    const struct unknown *u = &r->system->unknown[unknown];
    return u->mirror_x < 0 || u->mirror_y < 0;
}

static int stands(const struct reading *r, size_t k)
{
    int still = 1;
    for (int u = 0; u < r->system->unknowns; u++)
        still &= !is_momentum(r, u) || r->in->unknown[u][k] == 0;
    return still;
}

/* A depth no larger than the rounding of the file's levels, without momentum, is dry. */
static int is_film(const struct reading *r, size_t k, double mean)
{
    const double w = r->in->w[k];
    return !r->h && stands(r, k) && w - mean <= r->rounding * fmax(fabs(w), fabs(mean));
}

static void put_on_ground(struct reading *r, size_t k, double mean)
{
    r->in->w[k] = mean;
    for (int u = 0; u < r->system->unknowns; u++)
        if (is_momentum(r, u))
            r->in->unknown[u][k] = 0;
}

/* Raises levels below the ground to it, and removes momentum there. */
static void settle(struct reading *r)
{
    for (size_t k = 0; k < cells(r); k++) {
        const size_t i = k % r->x.n, j = k / r->x.n;
        const double w = r->in->w[k], mean = corner_mean(r, i, j);
        const int wet = w > ground(r, i, j) && w > mean;
        if (!wet || is_film(r, k, mean))
            put_on_ground(r, k, mean);
        plane_passes(k);
    }
}

/* An unknown other than the level, from the file; else zero. */
static enum err read_unknown(struct reading *r, int unknown)
{
    const char *name = unknown_name(r->system, unknown);
    double **p = &r->in->unknown[unknown];
    int single;
    if (ncaccess_has(&r->file, name) && unknown == r->system->carried)
        return ncaccess_plane_with_holes(&r->file, name, &r->x, &r->y, p, &single);
    if (ncaccess_has(&r->file, name))
        return ncaccess_plane(&r->file, name, &r->x, &r->y, p, &single);
    return plane_new(r->file.path, r->x.n, r->y.n, p);
}

static enum err read_state(struct reading *r)
{
    TRY(read_level(r));
    for (int u = 1; u < r->system->unknowns; u++)
        TRY(read_unknown(r, u));
    double deepest = 0;
    for (size_t k = 0; k < cells(r); k++) {
        deepest = fmax(deepest, r->in->w[k] - ground(r, k % r->x.n, k / r->x.n));
        plane_passes(k);
    }
    TRY(check_depths(r, deepest));
    take_finer(r);
    settle(r);
    return ERR_OK;
}

/* Gravity, and Manning's n if it is one number, in any known spelling. */
static enum err read_constants(const struct ncaccess *f, struct nc_input *in, int *by_cell)
{
    *by_cell = ncaccess_has(f, "manning") && !ncaccess_is_scalar(f, "manning");
    in->manning = (double)NAN;
    if (ncaccess_is_scalar(f, "manning"))
        TRY(ncaccess_scalar(f, "manning", &in->manning));
    else if (!*by_cell && !ncaccess_number(f, NC_GLOBAL, "manning", &in->manning))
        in->manning = (double)NAN;
    if (!ncaccess_number(f, NC_GLOBAL, "gravity", &in->gravity))
        in->gravity = (double)NAN;
    if (in->gravity <= 0 || isinf(in->gravity))
        FAIL(INPUT, "%s: the attribute 'gravity': expected a number above 0, got %g", f->path,
             in->gravity);
    return ERR_OK;
}

/* For a system without a bed the file must have all unknowns. */
static enum err read_unknowns(struct reading *r)
{
    int single;
    for (int u = 0; u < r->system->unknowns; u++) {
        const char *name = unknown_name(r->system, u);
        if (!ncaccess_has(&r->file, name) && r->system->unknown[u].option)
            continue;
        if (!ncaccess_has(&r->file, name))
            FAIL(INPUT,
                 "%s: expected a variable '%s' (y,x), from which a run of the system %s starts",
                 r->file.path, name, r->system->name);
        TRY(ncaccess_plane(&r->file, name, &r->x, &r->y, &r->in->unknown[u], &single));
    }
    r->in->gravity = r->in->manning = (double)NAN;
    return ncaccess_time(&r->file, &r->in->t);
}

static enum err read_system(struct reading *r)
{
    int var = -1;
    const char *name = ncaccess_has(&r->file, "bed_corner") ? "bed_corner" : "bed";
    TRY(ncaccess_find(&r->file, name, &var));
    return ncmapping_read(&r->file, var, &r->in->wkt);
}

static enum err read_all(struct reading *r)
{
    int by_cell, single;
    TRY(read_grid(r));
    if (!r->system->over_bed)
        return read_unknowns(r);
    TRY(read_bed(r));
    TRY(read_system(r));
    TRY(read_state(r));
    TRY(read_constants(&r->file, r->in, &by_cell));
    if (by_cell)
        TRY(ncaccess_plane(&r->file, "manning", &r->x, &r->y, &r->in->manning_of, &single));
    return ncaccess_time(&r->file, &r->in->t);
}

enum err nc_read(const char *path, const struct system *system, struct nc_input *in)
{
    enum err e = ERR_OK;
    struct reading r = {.system = system, .in = in};
    *in = (struct nc_input){0};
    TRY(ncaccess_open(&r.file, path));
    TRY_OUT(read_all(&r));
out:
    plane_free(r.h);
    plane_free(r.bed);
    free(r.x.value);
    free(r.y.value);
    free(r.xc.value);
    free(r.yc.value);
    ncaccess_close(&r.file);
    if (e)
        nc_input_free(in);
    return e;
}

enum err nc_has(const char *path, const char *variable, int *yes)
{
    struct ncaccess f;
    TRY(ncaccess_open(&f, path));
    *yes = ncaccess_has(&f, variable);
    ncaccess_close(&f);
    return ERR_OK;
}

enum err nc_has_state(const char *path, int *yes)
{
    struct ncaccess f;
    TRY(ncaccess_open(&f, path));
    *yes = (ncaccess_has(&f, "bed") || ncaccess_has(&f, "bed_corner")) &&
           (ncaccess_has(&f, "w") || ncaccess_has(&f, "h"));
    ncaccess_close(&f);
    return ERR_OK;
}

enum err nc_read_constants(const char *path, struct nc_input *in, int *by_cell)
{
    struct ncaccess f;
    TRY(ncaccess_open(&f, path));
    const enum err e = read_constants(&f, in, by_cell);
    ncaccess_close(&f);
    return e;
}

#endif
