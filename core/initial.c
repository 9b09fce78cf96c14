/* Sampling the initial state; the desingularisation depth where nobody chose it. */
#include "core/initial.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/shore.h"

long initial_pitch(int nx)
{
    return ((long)MARGIN + nx + GHOSTS + 1 + MARGIN - 1) / MARGIN * MARGIN;
}

long initial_rows(int ny)
{
    return (long)ny + 2L * GHOSTS + 1;
}

static size_t offset(const struct initial *in, int i, int j)
{
    return (size_t)((j + GHOSTS) * in->pitch + MARGIN + i);
}

static double get(const struct initial *in, const void *field, int i, int j)
{
    size_t k = offset(in, i, j);
    return in->precision == F64 ? ((const double *)field)[k] : (double)((const float *)field)[k];
}

static void put(const struct initial *in, void *field, int i, int j, double x)
{
    size_t k = offset(in, i, j);
    if (in->precision == F64)
        ((double *)field)[k] = x;
    else
        ((float *)field)[k] = (float)x;
}

double initial_bed(const struct initial *in, int i, int j)
{
    return get(in, in->bed, i, j);
}

/* In the run's precision and in the kernels' order (num/depth.h): the bits must be theirs. */
double initial_bed_centre(const struct initial *in, int i, int j)
{
    double b00 = initial_bed(in, i, j), b10 = initial_bed(in, i + 1, j);
    double b01 = initial_bed(in, i, j + 1), b11 = initial_bed(in, i + 1, j + 1);
    if (in->precision == F64)
        return 0.25 * ((b00 + b11) + (b10 + b01));
    float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

double initial_depth(const struct initial *in, int i, int j)
{
    return get(in, in->field[0], i, j) - initial_bed_centre(in, i, j);
}

static enum err allocate_one(const struct initial *in, void **field)
{
    *field = aligned_alloc(128, (in->field_bytes + 127) / 128 * 128);
    if (!*field)
        FAIL(MEMORY,
             "each field of the initial state of %d x %d cells needs %zu bytes of main memory",
             in->nx, in->ny, in->field_bytes);
    memset(*field, 0xff, in->field_bytes); /* NaN: nobody may read what nobody wrote */
    return ERR_OK;
}

static enum err allocate(struct initial *in, int forced)
{
    in->field_bytes = (size_t)(in->pitch * initial_rows(in->ny)) *
                      (in->precision == F64 ? sizeof(double) : sizeof(float));
    TRY(allocate_one(in, &in->bed));
    for (int k = 0; k < 3; k++)
        TRY(allocate_one(in, &in->field[k]));
    for (int k = 0; k < 3 && forced; k++)
        TRY(allocate_one(in, &in->force[k]));
    return ERR_OK;
}

/* The corner inside 0..n that corner i outside stands for. */
static int inside(int i, int n, int periodic)
{
    while (i < 0 || i > n) {
        if (periodic)
            i += i < 0 ? n : -n;
        else
            i = i < 0 ? -i : 2 * n - i;
    }
    return i;
}

/* Do all cells beside corner k of an edge impose something there? */
static int imposes_around(const struct setup *s, enum edge e, int k, int n)
{
    return (k <= 0 || edges_kind(s, e, (k < n ? k : n) - 1) > PERIODIC) &&
           (k >= n || edges_kind(s, e, k > 0 ? k : 0) > PERIODIC);
}

/* The bed at a corner outside: as a wall or an open edge mirrors it, as it comes round a periodic
 * domain; where an edge imposes something, that of the edge, so that there is as much water above it as
 * above the edge, however rough the bed is. (The level goes on as inside, see edges.cu.) */
static double bed_outside(const struct initial *in, const struct setup *s, int i, int j)
{
    const int x = inside(i, in->nx, s->boundary[WEST] == PERIODIC);
    const int y = inside(j, in->ny, s->boundary[SOUTH] == PERIODIC);
    if ((i < 0 || i > in->nx) && imposes_around(s, i < 0 ? WEST : EAST, j, in->ny))
        return initial_bed(in, i < 0 ? 0 : in->nx, y);
    if ((j < 0 || j > in->ny) && imposes_around(s, j < 0 ? SOUTH : NORTH, i, in->nx))
        return initial_bed(in, x, j < 0 ? 0 : in->ny);
    return initial_bed(in, x, y);
}

/* Numbers of a file may be too large for those of the run. */
static enum err not_finite(const struct initial *in, const char *what, int i, int j, double value)
{
    if (!isfinite(value))
        FAIL(INPUT, "the %s (%d, %d) is not a finite number", what, i, j);
    FAIL(INPUT, "the %s (%d, %d) is %g, and %s: correct it, or convert its unit%s", what, i, j,
         value,
         in->precision == F64 ? "sums of such numbers are too large for double precision"
                              : "single precision holds no sums of such numbers",
         in->precision == F64 ? "" : ", or choose --precision f64");
}

/* By magnitude; one that is not finite, if there is one. */
static double largest(struct flow f)
{
    const double x = fmax(fabs(f.w), fmax(fabs(f.u), fabs(f.v)));
    return isfinite(f.w + f.u + f.v) ? x : f.w + f.u + f.v;
}

static enum err sample_bed(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int nx = in->nx, ny = in->ny, bad = 0, bad_i = 0, bad_j = 0;
#pragma omp parallel for schedule(static)
    for (int j = 0; j <= ny; j++) {
        for (int i = 0; i <= nx; i++) {
            double b = src->bed(src->context, i, j);
            put(in, in->bed, i, j, b);
            if (!isfinite(initial_bed(in, i, j))) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        return not_finite(in, "bed at corner", bad_i, bad_j, src->bed(src->context, bad_i, bad_j));
    for (int j = -GHOSTS; j <= ny + GHOSTS; j++)
        for (int i = -GHOSTS; i <= nx + GHOSTS; i++)
            if (i < 0 || i > nx || j < 0 || j > ny)
                put(in, in->bed, i, j, bed_outside(in, setup, i, j));
    return ERR_OK;
}

/* A periodic domain's bed must be the same on both edges. */
static enum err check_periodic_bed(const struct initial *in, const struct setup *setup)
{
    double scale = 0, gap = 0;
    for (int j = 0; j <= in->ny; j++) {
        double west = initial_bed(in, 0, j), east = initial_bed(in, in->nx, j);
        scale = fmax(scale, fmax(fabs(west), fabs(east)));
        gap = setup->boundary[WEST] == PERIODIC ? fmax(gap, fabs(west - east)) : gap;
    }
    for (int i = 0; i <= in->nx; i++) {
        double south = initial_bed(in, i, 0), north = initial_bed(in, i, in->ny);
        scale = fmax(scale, fmax(fabs(south), fabs(north)));
        gap = setup->boundary[SOUTH] == PERIODIC ? fmax(gap, fabs(south - north)) : gap;
    }
    if (gap > 1e-6 * scale)
        FAIL(INPUT, "periodic edges need the same bed on both sides; here it differs by %g m", gap);
    return ERR_OK;
}

static enum err sample_water(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int nx = in->nx, ny = in->ny, bad = 0, bad_i = 0, bad_j = 0;
    double deepest = 0;
#pragma omp parallel for schedule(static) reduction(max : deepest)
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            struct flow f = src->water(src->context, i, j);
            put(in, in->field[0], i, j, f.w);
            put(in, in->field[1], i, j, f.u);
            put(in, in->field[2], i, j, f.v);
            deepest = fmax(deepest, f.w - initial_bed_centre(in, i, j));
            if (!isfinite(initial_depth(in, i, j)) || !isfinite(get(in, in->field[1], i, j)) ||
                !isfinite(get(in, in->field[2], i, j))) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        return not_finite(in, "initial state of cell", bad_i, bad_j,
                          largest(src->water(src->context, bad_i, bad_j)));
    in->depth_max = deepest;
    return ERR_OK;
}

/* NAN without memory. */
static double sum_over_cells(const struct initial *in, const void *field)
{
    double sum = 0, lost = 0; /* Kahan: rows in order, so that the sum has one value */
    double *row = calloc((size_t)in->ny, sizeof *row);
    if (!row)
        return (double)NAN;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        double s = 0, c = 0;
        for (int i = 0; i < in->nx; i++) {
            double y = get(in, field, i, j) - c, t = s + y;
            c = (t - s) - y;
            s = t;
        }
        row[j] = s;
    }
    for (int j = 0; j < in->ny; j++) {
        double y = row[j] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    free(row);
    return sum;
}

static enum err sample_force(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    if (!src->force)
        return ERR_OK;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            struct forcing f = src->force(src->context, i, j);
            put(in, in->force[0], i, j, f.w);
            put(in, in->force[1], i, j, f.hu);
            put(in, in->force[2], i, j, f.hv);
            if (!isfinite(f.w) || !isfinite(f.hu) || !isfinite(f.hv)) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        FAIL(INPUT, "the forcing of cell (%d, %d) is not finite", bad_i, bad_j);
    in->force_sum = sum_over_cells(in, in->force[0]);
    in->force_most = 0;
    for (int j = 0; j < in->ny; j++)
        for (int i = 0; i < in->nx; i++)
            in->force_most = fmax(in->force_most, get(in, in->force[0], i, j));
    if (!isfinite(in->force_sum))
        FAIL(MEMORY, "no memory to add up the forcing");
    return ERR_OK;
}

/* Becomes what kernels need of it, as set_physics of core/sim.c does with a common n. */
static enum err sample_manning(struct initial *in, const struct setup *setup)
{
    const struct source *src = &setup->source;
    int bad = 0, bad_i = 0, bad_j = 0;
    if (!src->manning)
        return ERR_OK;
    TRY(allocate_one(in, &in->roughness));
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const double n = src->manning(src->context, i, j);
            put(in, in->roughness, i, j, setup->gravity * n * n);
            if (!(n >= 0 && n <= DBL_MAX)) {
#pragma omp critical
                bad = 1, bad_i = i, bad_j = j;
            }
        }
    }
    if (bad)
        FAIL(INPUT, "Manning's n of cell (%d, %d) is not a number from 0 on", bad_i, bad_j);
    return ERR_OK;
}

/* A film that the rounding of the bed's levels can make is no water: it would spread over dry land. */
static double thinnest(const struct initial *in)
{
    double epsilon = in->precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    double share = in->precision == F64 ? 1e-12 : 1e-6;
    return fmax(share * (in->depth_max > 0 ? in->depth_max : 1), 2 * epsilon * in->bed_max);
}

static void find_bed_max(struct initial *in)
{
    for (int j = 0; j <= in->ny; j++)
        for (int i = 0; i <= in->nx; i++)
            in->bed_max = fmax(in->bed_max, fabs(initial_bed(in, i, j)));
}

/* Velocities become discharges; dry cells get the bed's level exactly. */
static void settle(struct initial *in, int discharges)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            double bed = initial_bed_centre(in, i, j), h = get(in, in->field[0], i, j) - bed;
            int wet = h >= in->dry;
            if (!wet)
                put(in, in->field[0], i, j, bed);
            for (int k = 1; k < 3; k++)
                if (!wet || !discharges)
                    put(in, in->field[k], i, j, wet ? h * get(in, in->field[k], i, j) : 0);
        }
    }
}

static enum err choose_kappa(struct initial *in, const struct setup *setup)
{
    in->kappa = setup->kappa;
    in->kappa_rule = "given";
    if (isnan(setup->kappa)) {
        double rise = shore_rise(in, &setup->source);
        if (rise < 0)
            FAIL(MEMORY, "no memory to measure the shoreline");
        in->kappa = rise > 0 ? 0.1 * rise : 1e-3 * in->depth_max;
        in->kappa_rule = rise > 0 ? "0.1 x median rise of the bed per cell along the shore"
                                  : "1e-3 x largest initial depth";
    }
    /* Its fourth power must be a normal number of the run's precision. */
    double least = in->precision == F64 ? 1e-70 : 1e-9;
    if (!(in->kappa >= least)) {
        in->kappa = in->depth_max > 0 ? least : 1e-3;
        in->kappa_rule = in->depth_max > 0 ? "the least there is" : "1 mm: there is no water yet";
    }
    return ERR_OK;
}

enum err initial_create(struct initial **out, const struct setup *setup, enum precision p)
{
    enum err e = ERR_OK;
    struct initial *in = calloc(1, sizeof *in);
    if (!in)
        FAIL(MEMORY, "no memory for the initial state");
    in->precision = p;
    in->nx = setup->grid.nx;
    in->ny = setup->grid.ny;
    in->pitch = initial_pitch(in->nx);
    TRY_OUT(allocate(in, setup->source.force != NULL));
    TRY_OUT(sample_bed(in, setup));
    TRY_OUT(check_periodic_bed(in, setup));
    TRY_OUT(sample_water(in, setup));
    TRY_OUT(sample_force(in, setup));
    find_bed_max(in);
    TRY_OUT(sample_manning(in, setup));
    in->dry = thinnest(in);
    if (in->depth_max < in->dry) { /* what rounding leaves above a dry bed is no water */
        in->depth_max = 0;
        in->dry = thinnest(in);
    }
    TRY_OUT(choose_kappa(in, setup));
    settle(in, setup->source.discharges);
    *out = in;
    return ERR_OK;
out:
    initial_destroy(in);
    return e;
}

void initial_drop_state(struct initial *in)
{
    for (int k = 0; k < 3; k++) {
        free(in->field[k]);
        free(in->force[k]);
        in->field[k] = in->force[k] = NULL;
    }
    free(in->roughness);
    in->roughness = NULL;
}

void initial_destroy(struct initial *in)
{
    if (!in)
        return;
    initial_drop_state(in);
    free(in->bed);
    free(in);
}
