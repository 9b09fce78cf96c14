/* A result of several records with everything that `shoal render` draws, in the scratch folder;
 * include after cmocka.h. */
#ifndef SHOAL_TEST_FILM_H
#define SHOAL_TEST_FILM_H

#include <math.h>

#include <netcdf.h>

#include "tests/support/program.h"

enum { NX = 24, NY = 12, RECORDS = 3, CELLS = NX * NY };

#define CHECK(call) assert_int_equal(call, NC_NOERR)

/* How a file differs from the usual one; "": no difference. */
struct film_file {
    const char *name;      /* result.nc */
    const char *flow_case; /* attribute `case` */
    const char *title;     /* long_name and units of variable `extra` */
    int upside_down;       /* y descends in the file */
    int maxima_only;
};

/* The bed rises to the east; a pool at the west whose level rises by 1 m a record, 2 m above the lowest
 * bed at first. Cells of 10 m. */
static inline double bed_at(int i)
{
    return 0.5 * i;
}

static inline double depth_at(int i, int record)
{
    return fmax(2 + record - bed_at(i), 0);
}

/* Writes a plane; `of` computes it from column, row and record. */
static inline void put_plane(int id, const char *name, const struct film_file *f, int record,
                             double (*of)(int i, int j, int record))
{
    int var;
    float value[CELLS];
    const size_t start[3] = {(size_t)(record < 0 ? 0 : record), 0, 0}, count[3] = {1, NY, NX};
    CHECK(nc_inq_varid(id, name, &var));
    for (int k = 0; k < CELLS; k++) {
        const int j = f->upside_down ? NY - 1 - k / NX : k / NX;
        value[k] = (float)of(k % NX, j, record);
    }
    CHECK(nc_put_vara_float(id, var, start + (record < 0), count + (record < 0), value));
}

static inline double plane_bed(int i, int j, int record)
{
    (void)j, (void)record;
    return bed_at(i);
}

static inline double plane_h(int i, int j, int record)
{
    (void)j;
    return depth_at(i, record < 0 ? RECORDS - 1 : record);
}

/* 1 m/s to the east in the south, 2 m/s to the north in the north. */
static inline double plane_hu(int i, int j, int record)
{
    return j < NY / 2 ? plane_h(i, j, record) : 0;
}

static inline double plane_hv(int i, int j, int record)
{
    return j < NY / 2 ? 0 : 2 * plane_h(i, j, record);
}

static inline double plane_extra(int i, int j, int record)
{
    (void)record;
    return i + 100 * j;
}

/* NaN where water never came: missing in the file. */
static inline double plane_arrival(int i, int j, int record)
{
    return plane_h(i, j, -1) > 0 ? 10.0 * i : (double)NC_FILL_FLOAT + 0 * record;
}

static inline void put_axis(int id, const char *name, size_t n, int down)
{
    double value[NX];
    int dim, var;
    CHECK(nc_def_dim(id, name, n, &dim));
    CHECK(nc_def_var(id, name, NC_DOUBLE, 1, &dim, &var));
    CHECK(nc_put_att_text(id, var, "units", 1, "m"));
    for (size_t k = 0; k < n; k++)
        value[k] = 5 + 10 * (double)(down ? n - 1 - k : k);
    CHECK(nc_put_var_double(id, var, value));
}

static inline void text_attribute(int id, const char *variable, const char *name, const char *text)
{
    int var = NC_GLOBAL;
    if (variable)
        CHECK(nc_inq_varid(id, variable, &var));
    CHECK(nc_put_att_text(id, var, name, strlen(text), text));
}

static inline void write_records(int id, const struct film_file *f)
{
    static const char *const timed[] = {"h", "hu", "hv"};
    double (*const of[])(int, int, int) = {plane_h, plane_hu, plane_hv};
    int dims[3], var;
    CHECK(nc_def_dim(id, "time", NC_UNLIMITED, &dims[0]));
    CHECK(nc_inq_dimid(id, "y", &dims[1]));
    CHECK(nc_inq_dimid(id, "x", &dims[2]));
    CHECK(nc_def_var(id, "time", NC_DOUBLE, 1, dims, &var));
    CHECK(nc_put_att_text(id, var, "units", 7, "seconds"));
    for (size_t k = 0; k < RECORDS; k++) {
        const double t = 60.0 * (double)k;
        CHECK(nc_put_var1_double(id, var, &k, &t));
    }
    for (int m = 0; m < 3; m++) {
        CHECK(nc_def_var(id, timed[m], NC_FLOAT, 3, dims, &var));
        for (int k = 0; k < RECORDS; k++)
            put_plane(id, timed[m], f, k, of[m]);
    }
}

static inline void write_film(struct film_file f)
{
    static const char *const planes[] = {"bed", "extra", "h_max", "arrival_time"};
    double (*const of[])(int, int, int) = {plane_bed, plane_extra, plane_h, plane_arrival};
    char path[PATH_LENGTH];
    int id, dims[2], var;
    scratch_path(path, f.name ? f.name : "result.nc");
    CHECK(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id));
    put_axis(id, "x", NX, 0);
    put_axis(id, "y", NY, f.upside_down);
    CHECK(nc_inq_dimid(id, "y", &dims[0]));
    CHECK(nc_inq_dimid(id, "x", &dims[1]));
    for (int m = 0; m < 4; m++) {
        CHECK(nc_def_var(id, planes[m], NC_FLOAT, 2, dims, &var));
        put_plane(id, planes[m], &f, -1, of[m]);
    }
    if (!f.maxima_only)
        write_records(id, &f);
    text_attribute(id, NULL, "case", f.flow_case ? f.flow_case : "made up");
    text_attribute(id, "arrival_time", "units", "s");
    text_attribute(id, "extra", "long_name", f.title ? f.title : "something else");
    text_attribute(id, "extra", "units", f.title ? f.title : "kg m-3");
    CHECK(nc_close(id));
}

#endif
