/* Rasters in netCDF: any order and direction of axes, units, packing and gaps give the same field. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/plane.h"
#include "core/netcdf/variables.h"
#include "core/raster/readers.h"
#include "tests/support/raster_field.h"
#include "tests/support/scratch.h"

#ifdef HAVE_NETCDF

#define CHECK(call) assert_int_equal(call, NC_NOERR)

/* A file, described by what is unusual about it. */
struct layout {
    const char *field, *x, *y;   /* names; null: z, x, y */
    const char *attributes[4];   /* "variable:name=text" */
    int x_first, y_down, x_left; /* order and directions */
    int times;                   /* a further dimension of this length */
    nc_type type;                /* of the field; 0: double */
    double packed, fill;         /* scale_factor (below 0: 0), with add_offset 100; _FillValue */
    double unit;                 /* of coordinates, m; 0: 1 */
    double in;                   /* unit of the field, m; 0: 1 */
    int hole, corners;
    const char *other; /* a second field */
    double bend;       /* added to the last x */
    const char *says;  /* the error; null: there is none */
};

static void put_attributes(int id, const struct layout *l)
{
    for (int k = 0; k < 4 && l->attributes[k]; k++) {
        char name[32], attribute[32], text[64];
        int var;
        assert_int_equal(
            sscanf(l->attributes[k], "%31[^:]:%31[^=]=%63[^\n]", name, attribute, text), 3);
        CHECK(nc_inq_varid(id, name, &var));
        CHECK(nc_put_att_text(id, var, attribute, strlen(text), text));
    }
    int var;
    CHECK(nc_inq_varid(id, l->field ? l->field : "z", &var));
    const double offset = 100, scale = fmax(0, l->packed);
    if (l->fill != 0)
        CHECK(nc_put_att_double(id, var, "_FillValue", l->type ? l->type : NC_DOUBLE, 1, &l->fill));
    if (l->packed != 0) {
        CHECK(nc_put_att_double(id, var, "scale_factor", NC_DOUBLE, 1, &scale));
        CHECK(nc_put_att_double(id, var, "add_offset", NC_DOUBLE, 1, &offset));
    }
}

static double stored(const struct layout *l, int i, int j)
{
    const double value = 1 + i + 10.0 * j;
    if (l->hole && j * NX + i == HOLE)
        return l->fill != 0 ? l->fill : (double)NAN;
    if (l->in > 0)
        return value / l->in;
    return l->packed > 0 ? (value - 100) / l->packed : value;
}

static void put_values(int id, const struct layout *l, const int var[3])
{
    const double unit = l->unit > 0 ? l->unit : 1;
    double x[NX], y[NY], v[NX * NY];
    for (int i = 0; i < NX; i++)
        x[l->x_left ? NX - 1 - i : i] = (105 + 10 * i + (i == NX - 1 ? l->bend : 0)) / unit;
    for (int j = 0; j < NY; j++)
        y[l->y_down ? NY - 1 - j : j] = (210 + 20 * j) / unit;
    for (int k = 0; k < NX * NY; k++) {
        const int i = l->x_first ? k / NY : k % NX, j = l->x_first ? k % NY : k / NX;
        v[k] = stored(l, l->x_left ? NX - 1 - i : i, l->y_down ? NY - 1 - j : j);
    }
    CHECK(nc_put_var_double(id, var[0], x));
    CHECK(nc_put_var_double(id, var[1], y));
    if (l->times < 2)
        CHECK(nc_put_var_double(id, var[2], v));
}

static void write_netcdf(const struct layout *l, const char *path)
{
    const char *const names[] = {l->x ? l->x : "x", l->y ? l->y : "y", l->field ? l->field : "z"};
    const int skipped = l->times ? 0 : 1;
    int id, dim[3], var[3], other;
    CHECK(nc_create(path, NC_CLOBBER | NC_NETCDF4, &id));
    CHECK(nc_def_dim(id, "time", l->times ? (size_t)l->times : 1, &dim[0]));
    CHECK(nc_def_dim(id, names[!l->x_first], l->x_first ? NX : NY, &dim[1]));
    CHECK(nc_def_dim(id, names[l->x_first], l->x_first ? NY : NX, &dim[2]));
    CHECK(nc_def_var(id, names[0], NC_DOUBLE, 1, &dim[l->x_first ? 1 : 2], &var[0]));
    CHECK(nc_def_var(id, names[1], NC_DOUBLE, 1, &dim[l->x_first ? 2 : 1], &var[1]));
    CHECK(nc_def_var(id, names[2], l->type ? l->type : NC_DOUBLE, 3 - skipped, dim + skipped,
                     &var[2]));
    if (l->other)
        CHECK(nc_def_var(id, l->other, NC_FLOAT, 2, dim + 1, &other));
    put_attributes(id, l);
    CHECK(nc_enddef(id));
    put_values(id, l, var);
    CHECK(nc_close(id));
}

static void check_layout(size_t number, const struct layout *l, enum quantity q)
{
    char path[PATH_LENGTH], what[64];
    struct raster r;
    snprintf(what, sizeof what, "layout %zu", number);
    scratch_path(path, "field.nc");
    write_netcdf(l, path);
    const enum err e = raster_read(path, q, &r);
    if (l->says) {
        assert_says(what, e, l->says);
        assert_null(r.value);
    } else if (e) {
        fail_msg("%s: %s", what, err_message());
    } else {
        assert_field(what, &r, l->hole, l->corners);
    }
    raster_free(&r);
}

static void every_netcdf_layout_gives_the_same_field(void **state)
{
    (void)state;
    static const struct layout layouts[] = {
        {.field = "z"},
        {.x_first = 1},
        {.y_down = 1, .x_left = 1},
        {.x_first = 1, .y_down = 1, .times = 1},
        {.field = "anything"},
        {.field = "anything", .other = "w"},
        {.other = "elevation2"},
        {.field = "q", .other = "z", .attributes = {"q:standard_name=surface_altitude"}},
        {.x = "east",
         .y = "north",
         .attributes = {"east:standard_name=projection_x_coordinate", "north:axis=Y"}},
        {.x = "Easting", .y = "Northing", .field = "Band1"},
        {.x = "x_corner", .y = "y_corner", .field = "bed", .corners = 1, .y_down = 1},
        {.type = NC_SHORT, .packed = 0.25, .fill = -32768, .hole = 1},
        {.type = NC_FLOAT, .hole = 1, .y_down = 1},
        {.fill = -9999, .hole = 1, .x_first = 1, .x_left = 1},
        {.unit = 1000, .attributes = {"x:units=km", "y:units=kilometers", "z:units=m"}},
        {.in = 0.01, .attributes = {"z:units=cm"}},
        {.in = 0.3048, .attributes = {"z:units=ft"}},
    };
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        check_layout(k, &layouts[k], QUANTITY_TERRAIN);
    check_layout(100, &(struct layout){.field = "h", .other = "bed"}, QUANTITY_DEPTH);
    check_layout(101,
                 &(struct layout){.field = "w",
                                  .other = "w_max",
                                  .attributes = {"w:standard_name=sea_surface_height",
                                                 "w_max:standard_name=sea_surface_height"}},
                 QUANTITY_LEVEL);
    check_layout(102, &(struct layout){.field = "eta", .other = "bed"}, QUANTITY_LEVEL);
    check_layout(103, &(struct layout){.field = "n", .attributes = {"n:units=s m-1/3"}},
                 QUANTITY_MANNING);
}

static void what_is_wrong_in_a_netcdf_terrain_is_named(void **state)
{
    (void)state;
    static const struct layout bad[] = {
        {.x = "lon", .y = "lat", .says = "EPSG:"},
        {.attributes = {"x:units=degrees_east"}, .says = "degrees"},
        {.attributes = {"x:units=furlong"},
         .says =
             "'x': expected units of length (m, km, cm, mm, ft, US survey foot), got 'furlong'"},
        {.attributes = {"z:units=fathom"},
         .says = "'z': expected units of length (m, km, cm, mm, ft, US survey foot), got 'fathom'"},
        {.unit = 0.3048, .attributes = {"x:units=ft", "y:units=ft"}, .says = "'z' has no units"},
        {.attributes = {"z:positive=down"}, .says = "counts downwards"},
        {.attributes = {"z:scale_factor=0.01"}, .says = "scale_factor is not one number"},
        {.packed = -1, .says = "scale_factor is 0"},
        {.attributes = {"z:add_offset=none"}, .says = "add_offset is not one number"},
        {.field = "one", .other = "two", .says = "Candidates are 'one', 'two'"},
        {.field = "w", .says = "which of its variables is the terrain? Candidates are 'w'"},
        {.x = "a", .y = "b", .says = "no field over x and y"},
        {.bend = 0.1, .says = "not evenly spaced"},
        {.times = 3, .says = "3 records"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        check_layout(k, &bad[k], QUANTITY_TERRAIN);
}

/* Read in several slabs. */
enum { COLUMNS = 1700, ROWS = 1500 };

static void write_chunked(const char *path, const size_t chunk[2], const float *z)
{
    int id, dim[2], var[3];
    double at[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        at[k] = 2 * k;
    CHECK(nc_create(path, NC_CLOBBER | NC_NETCDF4, &id));
    CHECK(nc_def_dim(id, "y", ROWS, &dim[0]));
    CHECK(nc_def_dim(id, "x", COLUMNS, &dim[1]));
    CHECK(nc_def_var(id, "x", NC_DOUBLE, 1, &dim[1], &var[0]));
    CHECK(nc_def_var(id, "y", NC_DOUBLE, 1, &dim[0], &var[1]));
    CHECK(nc_def_var(id, "z", NC_FLOAT, 2, dim, &var[2]));
    CHECK(nc_def_var_chunking(id, var[2], chunk ? NC_CHUNKED : NC_CONTIGUOUS, chunk));
    CHECK(nc_enddef(id));
    CHECK(nc_put_var_double(id, var[0], at));
    CHECK(nc_put_var_double(id, var[1], at));
    CHECK(nc_put_var_float(id, var[2], z));
    CHECK(nc_close(id));
}

static void chunks_of_any_shape_give_the_same_field(void **state)
{
    (void)state;
    static const size_t chunks[][2] = {{400, 300}, {ROWS, 20}, {1, COLUMNS}, {1300, COLUMNS}};
    const size_t n = (size_t)COLUMNS * ROWS;
    char path[PATH_LENGTH];
    float *z = malloc(n * sizeof *z);
    assert_non_null(z);
    for (size_t k = 0; k < n; k++)
        z[k] = (float)(k % 5003);
    scratch_path(path, "chunked.nc");
    for (size_t c = 0; c <= sizeof chunks / sizeof *chunks; c++) {
        struct raster r;
        write_chunked(path, c < sizeof chunks / sizeof *chunks ? chunks[c] : NULL, z);
        assert_int_equal(raster_read(path, QUANTITY_TERRAIN, &r), ERR_OK);
        for (size_t k = 0; k < n; k++)
            if (r.value[k] != (double)z[k])
                fail_msg("chunks %zu: value %zu is %g", c, k, r.value[k]);
        raster_free(&r);
    }
    free(z);
}

/* Whole chunks at a time, up to 128 MiB; beyond that each is decompressed several times. */
static void slabs_have_whole_chunks_where_they_can(void **state)
{
    (void)state;
    static const struct {
        size_t high, outer, inner, rows, unpacked;
    } of[] = {
        {1, 100, 100, 100, 1},          {1, 4096, 4096, 512, 1},     {500, 4096, 4096, 500, 1},
        {3000, 4096, 4096, 3000, 1},    {4096, 4096, 4096, 4096, 1}, {5000, 4096, 4096, 4096, 2},
        {65536, 65536, 4096, 4096, 16}, {256, 65536, 65536, 256, 1}, {257, 65536, 65536, 256, 2},
        {9, 10, 1 << 25, 1, 9},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        size_t unpacked;
        assert_int_equal(ncaccess_slab(of[k].high, of[k].outer, of[k].inner, &unpacked),
                         of[k].rows);
        assert_int_equal(unpacked, of[k].unpacked);
    }
}

#else

static void every_netcdf_layout_gives_the_same_field(void **state)
{
    (void)state;
    print_message("skipped: this build has no netCDF\n");
    skip();
}

static void what_is_wrong_in_a_netcdf_terrain_is_named(void **state)
{
    every_netcdf_layout_gives_the_same_field(state);
}

static void chunks_of_any_shape_give_the_same_field(void **state)
{
    every_netcdf_layout_gives_the_same_field(state);
}

static void slabs_have_whole_chunks_where_they_can(void **state)
{
    every_netcdf_layout_gives_the_same_field(state);
}

#endif

/* The tests themselves write files by the functions that the program found. */
static int set_up(void **state)
{
    return netcdf_open() == ERR_OK ? scratch_setup(state) : -1;
}

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_netcdf_layout_gives_the_same_field),
        cmocka_unit_test(what_is_wrong_in_a_netcdf_terrain_is_named),
        cmocka_unit_test(chunks_of_any_shape_give_the_same_field),
        cmocka_unit_test(slabs_have_whole_chunks_where_they_can),
    };
    return cmocka_run_group_tests_name("raster netcdf", tests, set_up, scratch_remove);
}
