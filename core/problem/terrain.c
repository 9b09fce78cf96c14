/* From rasters of terrain and water to the bed and the initial state. */
#include "core/problem/terrain.h"

#include <math.h>
#include <stdio.h>

#include "core/mesh/corner_means.h"
#include "core/mesh/crs.h"
#include "core/base/log.h"
#include "core/problem/field_formula.h"
#include "core/problem/manning.h"
#include "core/base/plane.h"
#include "core/raster/raster.h"

static const double WALL_HEIGHT = 100; /* how far terrain without data rises above the rest, m */

/* The terrain while the problem is being set up. */
struct terrain {
    const struct config *c;
    struct raster r;
    size_t nx, ny; /* of its values */
    size_t holes;  /* values that are missing */
    double lowest, highest;
    unsigned char *wall; /* of the input, which frees it; null where nothing is missing */
    struct nc_input *in;
};

static size_t cells(const struct nc_input *in)
{
    return (size_t)in->grid.nx * (size_t)in->grid.ny;
}

/* The position of value (i,j) of the terrain, m. */
static double x_of(const struct terrain *t, size_t i)
{
    const struct grid_info *g = &t->r.grid;
    return t->r.corners ? grid_xc(g, (int)i) : grid_x(g, (int)i);
}

static double y_of(const struct terrain *t, size_t j)
{
    const struct grid_info *g = &t->r.grid;
    return t->r.corners ? grid_yc(g, (int)j) : grid_y(g, (int)j);
}

static enum err choose_points(struct terrain *t)
{
    const int at = t->c->terrain_at;
    if (at == TERRAIN_AT_CENTRES && t->r.corners)
        FAIL(USAGE, "--terrain-at centres: %s says that its values belong to the corners of cells",
             t->c->input);
    if (at == TERRAIN_AT_CORNERS && !t->r.corners)
        TRY(raster_take_for_corners(t->c->input, &t->r));
    t->nx = (size_t)t->r.grid.nx + (size_t)t->r.corners;
    t->ny = (size_t)t->r.grid.ny + (size_t)t->r.corners;
    t->in->grid = t->r.grid;
    t->in->wkt = t->r.wkt;
    t->r.wkt = NULL;
    return ERR_OK;
}

static enum err find_range(struct terrain *t)
{
    t->lowest = (double)INFINITY;
    t->highest = -(double)INFINITY;
    for (size_t k = 0; k < t->nx * t->ny; k++) {
        const double b = t->r.value[k];
        t->holes += isnan(b) ? 1 : 0;
        t->lowest = b < t->lowest ? b : t->lowest;
        t->highest = b > t->highest ? b : t->highest;
        plane_passes(k);
    }
    if (t->holes == t->nx * t->ny)
        FAIL(INPUT, "%s: all of its %zu values are missing", t->c->input, t->holes);
    return ERR_OK;
}

/* Warns of what is allowed but surely not meant. */
static void warn(const struct terrain *t)
{
    struct crs crs;
    static const double marks[] = {-9999, -99999, -32768, -32767, 9999, 99999};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        size_t n = 0;
        if (marks[m] != t->lowest && marks[m] != t->highest)
            continue;
        for (size_t k = 0; k < t->nx * t->ny; k++) {
            n += t->r.value[k] == marks[m];
            plane_passes(k);
        }
        log_warning("%s: %zu of its heights are %g m: if that stands for missing data, the file "
                    "does not say so (`gdal_translate -a_nodata %g` adds it)",
                    t->c->input, n, marks[m], marks[m]);
    }
    crs_read(t->in->wkt ? t->in->wkt : "", &crs);
    if (crs.method == CRS_WEB_MERCATOR)
        log_warning(
            "%s: Web Mercator's metres are longer than a metre, 1.6 times at 50 degrees: project "
            "it to a local system, such as by `gdalwarp -t_srs EPSG:...`",
            t->c->input);
    if (t->r.grid.dx < 1e-3 || t->r.grid.dy < 1e-3)
        log_warning("%s: cells of %g x %g m: are these degrees? A run needs metres", t->c->input,
                    t->r.grid.dx, t->r.grid.dy);
}

/* Degrees that the file does not declare: terrain that rises ten times as far as it is long, on
 * cells of less than 0.1. */
static enum err check_degrees(const struct terrain *t)
{
    const struct grid_info *g = &t->r.grid;
    const double wide = g->nx * g->dx, deep = g->ny * g->dy, x = g->x0 + 0.5 * wide,
                 y = g->y0 + 0.5 * deep;
    if (t->in->wkt && g->dx < 0.01 && g->dy < 0.01 && fabs(x) <= 360 && fabs(y) <= 90) {
        char label[CRS_LABEL];
        crs_label(t->in->wkt, label);
        FAIL(INPUT,
             "%s: its coordinate system, %s, is in metres, but cells of %g x %g at (%.9g, %.9g) "
             "are degrees: correct the system, such as its .prj",
             t->c->input, label, g->dx, g->dy, x, y);
    }
    if (g->dx >= 0.1 || g->dy >= 0.1 || !(fabs(x) <= 360 && fabs(y) <= 90) ||
        t->highest - t->lowest <= 10 * fmax(wide, deep))
        return ERR_OK;
    return raster_in_degrees(t->c->input, 0, x, y);
}

/* Counts holes; finds the first and their extent. */
static enum err holes_found(const struct terrain *t)
{
    size_t first = t->nx * t->ny, west = t->nx, east = 0, south = t->ny, north = 0;
    for (size_t k = 0; k < t->nx * t->ny; k++) {
        const size_t i = k % t->nx, j = k / t->nx;
        plane_passes(k);
        if (!isnan(t->r.value[k]))
            continue;
        first = k < first ? k : first;
        west = i < west ? i : west;
        east = i > east ? i : east;
        south = j < south ? j : south;
        north = j;
    }
    FAIL(INPUT,
         "%s: %zu of its %zu heights are missing, the first, from the south-west, at x = %.9g, y = "
         "%.9g; all lie in x = %.9g to %.9g, y = %.9g to %.9g. Run with --holes wall to make a "
         "wall of them, cut the terrain to where it has data (`gdalwarp -te`), or fill small "
         "holes (`gdal_fillnodata.py`)",
         t->c->input, t->holes, t->nx * t->ny, x_of(t, first % t->nx), y_of(t, first / t->nx),
         x_of(t, west), x_of(t, east), y_of(t, south), y_of(t, north));
}

static int is_hole(const struct terrain *t, long i, long j)
{
    return i >= 0 && j >= 0 && i < (long)t->nx && j < (long)t->ny &&
           isnan(t->r.value[(size_t)j * t->nx + (size_t)i]);
}

/* 2 for a cell without terrain of its own, 1 for one with a corner that rises to such a cell. */
static unsigned char wall_of(const struct terrain *t, long i, long j)
{
    int around = 0;
    if (!t->r.corners) {
        for (long dj = -1; dj <= 1; dj++)
            for (long di = -1; di <= 1; di++)
                around |= is_hole(t, i + di, j + dj);
        return is_hole(t, i, j) ? 2 : (unsigned char)around;
    }
    for (int k = 0; k < 4; k++)
        around += is_hole(t, i + k % 2, j + k / 2);
    return around == 4 ? 2 : around > 0;
}

static enum err find_walls(struct terrain *t)
{
    const struct nc_input *in = t->in;
    double *room;
    TRY(plane_new(t->c->input, (cells(in) + sizeof *room - 1) / sizeof *room, 1, &room));
    t->wall = (unsigned char *)room;
    for (int j = 0; j < in->grid.ny; j++) {
        for (int i = 0; i < in->grid.nx; i++)
            t->wall[(size_t)j * (size_t)in->grid.nx + (size_t)i] = wall_of(t, i, j);
        planes_touched(t->nx);
    }
    return ERR_OK;
}

static void build_walls(struct terrain *t)
{
    const double top = t->highest + WALL_HEIGHT;
    for (size_t k = 0; k < t->nx * t->ny; k++) {
        plane_passes(k);
        if (isnan(t->r.value[k]))
            t->r.value[k] = top;
    }
    log_info("%s: %zu of its %zu heights are missing: a wall, as high as %g m, stands there",
             t->c->input, t->holes, t->nx * t->ny, top);
}

/* The given terrain in a cell, from which depths count; NAN if it has none. */
static double ground(const struct terrain *t, size_t i, size_t j)
{
    const double *b = t->r.value + j * t->nx + i;
    if (!t->r.corners)
        return *b;
    const double mean = corners_mean(b, (long)t->nx);
    if (!isnan(mean))
        return mean;
    double sum = 0;
    int n = 0;
    for (size_t k = 0; k < 4; k++) {
        const double corner = b[k / 2 * t->nx + k % 2];
        sum += isnan(corner) ? 0 : corner;
        n += !isnan(corner);
    }
    return n ? sum / n : (double)NAN;
}

static double ground_at(const void *terrain, size_t i, size_t j)
{
    return ground(terrain, i, j);
}

/* A raster, or a formula, becomes in->w. */
static enum err read_water(const struct terrain *t, const char *option,
                           const struct field_choice *from, enum quantity q)
{
    const struct field_bed bed = {t, ground_at};
    const char *path = from->file;
    struct raster w;
    if (from->formula)
        return field_formula(option, path, &t->in->grid, &bed, &t->in->w);
    TRY(raster_read_option(option, path, q, &w));
    enum err e = raster_check_system(path, &w, t->in->wkt, t->c->input);
    if (!e)
        e = raster_fit(path, &w, &t->in->grid, "the terrain", q);
    if (!e) {
        t->in->w = w.value;
        w.value = NULL;
    }
    raster_free(&w);
    return e;
}

/* Rejects a level or depth of cell k, from a raster. */
static enum err bad_water(const struct terrain *t, const char *path, size_t k, const char *why)
{
    const struct grid_info *g = &t->in->grid;
    FAIL(INPUT, "%s: the value at x = %.9g, y = %.9g %s", path, grid_x(g, (int)(k % (size_t)g->nx)),
         grid_y(g, (int)(k / (size_t)g->nx)), why);
}

static enum err check_depth(const struct terrain *t, size_t k, double h, double deepest)
{
    const char *path = t->c->depth.file;
    const int hole = t->wall && t->wall[k] == 2;
    char why[96];
    if (isnan(h) && !(t->wall && t->wall[k]))
        return bad_water(t, path, k, "is missing: where it is dry the depth must be 0");
    snprintf(why, sizeof why, "is %.9g: a depth must not be negative", h);
    if (h < -1e-6 * deepest)
        return bad_water(t, path, k, why);
    if (h > 0 && hole)
        return bad_water(t, path, k, "is water where the terrain is missing");
    return ERR_OK;
}

/* Depths become levels; NAN: dry. */
static enum err raise_depths(const struct terrain *t, double *h)
{
    const size_t nx = (size_t)t->in->grid.nx;
    double deepest = 0;
    for (size_t k = 0; k < cells(t->in); k++) {
        deepest = h[k] > deepest ? h[k] : deepest;
        plane_passes(k);
    }
    for (size_t k = 0; k < cells(t->in); k++) {
        TRY(check_depth(t, k, h[k], deepest));
        h[k] = h[k] > 0 ? h[k] + ground(t, k % nx, k / nx) : (double)NAN;
        plane_passes(k);
    }
    return ERR_OK;
}

static enum err check_levels(const struct terrain *t, const double *w)
{
    for (size_t k = 0; k < cells(t->in); k++) {
        plane_passes(k);
        if (isnan(w[k]) && !(t->wall && t->wall[k]))
            return bad_water(t, t->c->level.file, k,
                             "is missing: where it is dry the level must be any below the terrain");
    }
    return ERR_OK;
}

/* The same number in all cells: a level, or a depth to add to the bed. */
static enum err same_water(const struct terrain *t, double number)
{
    struct nc_input *in = t->in;
    const int is_depth = !isnan(t->c->depth.number);
    const size_t nx = (size_t)in->grid.nx;
    TRY(plane_new(t->c->input, nx, (size_t)in->grid.ny, &in->w));
    for (size_t k = 0; k < cells(in); k++) {
        const int hole = t->wall && t->wall[k] == 2;
        in->w[k] = hole ? (double)NAN : is_depth ? number + ground(t, k % nx, k / nx) : number;
        plane_passes(k);
    }
    return ERR_OK;
}

/* Levels, NAN where it is certainly dry; the terrain still has its holes. */
static enum err find_water(const struct terrain *t)
{
    const struct config *c = t->c;
    if (*c->level.file) {
        TRY(read_water(t, "level", &c->level, QUANTITY_LEVEL));
        return check_levels(t, t->in->w);
    }
    if (*c->depth.file) {
        TRY(read_water(t, "depth", &c->depth, QUANTITY_DEPTH));
        return raise_depths(t, t->in->w);
    }
    const double number = isnan(c->depth.number) ? c->level.number : c->depth.number;
    return same_water(t, c->depth.number == 0 ? (double)NAN : number);
}

static enum err find_bed(struct terrain *t)
{
    struct nc_input *in = t->in;
    if (t->r.corners) {
        in->bed_corner = t->r.value;
        t->r.value = NULL;
        return ERR_OK;
    }
    TRY(plane_new(t->c->input, t->nx + 1, t->ny + 1, &in->bed_corner));
    corners_from_centres(t->r.value, in->grid.nx, in->grid.ny, in->bed_corner);
    return ERR_OK;
}

/* Where the level is not above the terrain, as averaged from its corners, it becomes the bed's.
 * Likewise where it is not above the given terrain, unless the level is one number: a result's
 * level is the ground's where it is dry, but a lake has no holes. */
static void settle(const struct terrain *t)
{
    struct nc_input *in = t->in;
    const size_t nx = (size_t)in->grid.nx;
    const int lake = !isnan(t->c->level.number);
    for (size_t k = 0; k < cells(in); k++) {
        const double mean = corners_mean(in->bed_corner + k / nx * (nx + 1) + k % nx, (long)nx + 1);
        const double given = t->r.value && !lake ? t->r.value[k] : mean;
        if (!(in->w[k] > mean && in->w[k] > given))
            in->w[k] = mean;
        plane_passes(k);
    }
}

static enum err build(struct terrain *t)
{
    TRY(choose_points(t));
    TRY(find_range(t));
    warn(t);
    TRY(check_degrees(t));
    if (t->holes && t->c->holes == HOLES_ERROR)
        return holes_found(t);
    if (t->holes)
        TRY(find_walls(t));
    TRY(find_water(t));
    if (t->holes)
        build_walls(t);
    TRY(find_bed(t));
    settle(t);
    log_info("terrain: %d x %d cells of %g x %g m from (%.9g, %.9g), %g to %g m high, given at %s",
             t->in->grid.nx, t->in->grid.ny, t->in->grid.dx, t->in->grid.dy, t->in->grid.x0,
             t->in->grid.y0, t->lowest, t->highest, t->r.corners ? "corners" : "centres");
    return ERR_OK;
}

/* What else a netCDF file provides. */
static enum err read_rest(const struct config *c, struct nc_input *in)
{
    int netcdf = 0, by_cell = 0;
    in->gravity = in->manning = (double)NAN;
    TRY(raster_is_netcdf(c->input, &netcdf));
    if (netcdf)
        TRY(nc_read_constants(c->input, in, &by_cell));
    if (by_cell && isnan(c->manning.number) && !*c->manning.file)
        TRY(manning_read(c->input, &in->grid, in));
    return ERR_OK;
}

static void turn_over(struct raster *r)
{
    const size_t nx = (size_t)r->grid.nx + (size_t)r->corners;
    const size_t ny = (size_t)r->grid.ny + (size_t)r->corners;
    for (size_t k = 0; k < nx * ny; k++) {
        r->value[k] = -r->value[k];
        plane_passes(k);
    }
}

enum err terrain_read(const struct config *c, struct nc_input *in)
{
    struct terrain t = {.c = c, .in = in};
    *in = (struct nc_input){0};
    TRY(raster_read(c->input, QUANTITY_TERRAIN, &t.r));
    if (c->positive == POSITIVE_DOWN)
        turn_over(&t.r);
    enum err e = build(&t);
    in->wall = t.wall;
    raster_free(&t.r);
    e = e ? e : read_rest(c, in);
    if (e)
        nc_input_free(in);
    return e;
}
