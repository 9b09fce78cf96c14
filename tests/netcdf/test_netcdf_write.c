/* netCDF output: what is written comes back, bit for bit. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/netcdf/netcdf_file.h"
#include "tests/support/output.h"

static void the_list_of_variables_is_checked(void **state)
{
    (void)state;
    unsigned set = 0;
    assert_int_equal(ncwrite_variables(&system_shallow_water, "", &set), ERR_OK);
    assert_int_equal(set, OUTPUT_ALL);
    assert_int_equal(ncwrite_variables(&system_shallow_water, "hv,w,eta", &set), ERR_OK);
    assert_int_equal(set, 1 << OUTPUT_HV | 1 << OUTPUT_W | 1 << OUTPUT_ETA);
    static const char *const wrong[] = {"w,q", "W", "w,,h", "w,", "w h", "hu2", ","};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(ncwrite_variables(&system_shallow_water, wrong[k], &set), ERR_USAGE);
        assert_non_null(strstr(err_message(), wrong[k]));
    }
}

static void coordinates_are_antisymmetric_about_the_centre(void **state)
{
    (void)state;
    static const struct grid_info grids[] = {{7, 10, -20, -1.5, 40.0 / 7, 0.3},
                                             {1000, 1, -0.05 * 1000, -0.35, 0.1, 0.7}};
    for (size_t k = 0; k < 2; k++) {
        const struct grid_info *g = &grids[k];
        double x = g->x0 + g->nx * (0.5 * g->dx), y = g->y0 + g->ny * (0.5 * g->dy);
        assert_true(x == 0 && y == 0); /* otherwise adding the centre may round */
        for (int i = 0; i < g->nx; i++)
            assert_true(grid_x(g, i) == -grid_x(g, g->nx - 1 - i));
        for (int i = 0; i <= g->nx; i++)
            assert_true(grid_xc(g, i) == -grid_xc(g, g->nx - i));
        for (int j = 0; j < g->ny; j++)
            assert_true(grid_y(g, j) == -grid_y(g, g->ny - 1 - j));
        for (int j = 0; j <= g->ny; j++)
            assert_true(grid_yc(g, j) == -grid_yc(g, g->ny - j));
        assert_true(fabs(grid_xc(g, 0) - g->x0) < 1e-12 && fabs(grid_yc(g, 0) - g->y0) < 1e-12);
        assert_true(fabs(grid_xc(g, 1) - grid_xc(g, 0) - g->dx) < 1e-12);
    }
}

#ifdef HAVE_NETCDF

#include <netcdf.h>

static void write_output(struct output *s, int records)
{
    static const struct attribute a[] = {{"gravity", ATTRIBUTE_DOUBLE, NULL, 9.80665, 0},
                                         {"scheme", ATTRIBUTE_TEXT, "rk2", 0, 0},
                                         {"steps", ATTRIBUTE_INT, NULL, 0, 1L << 40}};
    struct ncwriter *writer = NULL;
    s->info.path = s->target;
    assert_int_equal(ncwrite_create(&writer, &s->info), ERR_OK);
    for (int k = 0; k < records; k++)
        assert_int_equal(ncwrite_record(writer, &s->record), ERR_OK);
    assert_int_equal(ncwrite_attributes(writer, a, 3), ERR_OK);
    assert_int_equal(ncwrite_finish(&writer), ERR_OK);
    assert_null(writer);
}

static void assert_same(const struct output *s, const struct nc_input *in, int discharges)
{
    const enum precision p = s->info.precision;
    const size_t nx = (size_t)s->info.grid.nx, ny = (size_t)s->info.grid.ny;
    assert_memory_equal(&in->grid, &s->info.grid, sizeof in->grid);
    size_t different = 0;
    for (size_t j = 0; j <= ny; j++)
        for (size_t i = 0; i <= nx; i++)
            different += in->bed_corner[j * (nx + 1) + i] !=
                         s->info.datum + s->bed[j * (size_t)s->info.bed_pitch + i];
    for (size_t j = 0; j < ny; j++) {
        for (size_t i = 0; i < nx; i++) {
            size_t k = j * (size_t)s->record.pitch + i, m = j * nx + i;
            const double b = s->info.datum + mean(s, i, j);
            const int finer = p == F32 && (s->info.variables >> OUTPUT_H & 1) != 0;
            /* A depth below the rounding of a level counts as dry. */
            const int rough = p == F32 && !(s->info.variables >> OUTPUT_H & 1);
            const int dry = depth(s, i, j) <= 0 ||
                            (rough && level(s, i, j) - b <= (double)FLT_EPSILON * level(s, i, j));
            different += in->w[m] != (dry ? b : finer ? b + depth(s, i, j) : level(s, i, j));
            different += in->unknown[1][m] != (discharges ? fetch(p, s->field[1], k) : 0);
            different += in->unknown[2][m] != (discharges ? fetch(p, s->field[2], k) : 0);
        }
    }
    assert_int_equal(different, 0);
}

static void round_trip(int nx, int ny, enum precision p, unsigned variables, int discharges)
{
    struct output s = make_output("trip.nc", nx, ny, p, variables);
    struct nc_input in;
    write_output(&s, 1);
    assert_int_equal(nc_read(s.target, &system_shallow_water, &in), ERR_OK);
    assert_same(&s, &in, discharges);
    assert_true(in.t == 0.1 && in.gravity == 9.80665 && isnan(in.manning));
    nc_input_free(&in);
    free_output(&s);
    assert_int_equal(files(1), 1);
}

static void one_record_comes_back_bit_for_bit_in_f32(void **state)
{
    (void)state;
    round_trip(37, 22, F32, OUTPUT_ALL, 1);
    round_trip(1, 1, F32, OUTPUT_ALL, 1);
}

static void one_record_comes_back_bit_for_bit_in_f64(void **state)
{
    (void)state;
    round_trip(37, 22, F64, OUTPUT_ALL, 1);
    round_trip(1, 9, F64, OUTPUT_ALL, 1);
}

static void a_file_of_several_chunks_and_one_variable_comes_back(void **state)
{
    (void)state;
    round_trip(1100, 1000, F32, 1 << OUTPUT_W, 0);
}

/* Requests rows, like a run that has no copy of its fields. */
static enum err field_rows(void *context, int unknown, const struct window *cells, void *to)
{
    const struct output *s = context;
    const size_t size = precision_size(s->info.precision), row = (size_t)cells->nx * size;
    for (long k = 0; k < cells->ny; k++)
        memcpy((char *)to + (size_t)k * row,
               (const char *)s->field[unknown] +
                   (size_t)((cells->j0 + k) * s->record.pitch + cells->i0) * size,
               row);
    return ERR_OK;
}

static void bed_corners(const void *context, const struct window *cells, double *to)
{
    const struct output *s = context;
    for (int j = cells->j0; j <= cells->j0 + cells->ny; j++)
        for (int i = cells->i0; i <= cells->i0 + cells->nx; i++)
            *to++ = s->bed[(long)j * s->info.bed_pitch + i];
}

/* Water everywhere, unlike in all other rows. */
static void flood(struct output *s)
{
    for (long k = 0; k < (s->info.grid.ny + 1L) * s->info.bed_pitch; k++)
        s->bed[k] -= 2;
    for (long k = 0; k < s->info.grid.ny * s->record.pitch; k++)
        for (int n = 0; n < 3; n++)
            store(s->info.precision, s->field[n], (size_t)k, ldexp((double)(k % 65521), -20));
}

static void round_trip_by_rows(int nx, int ny, enum precision p)
{
    struct output s = make_output("rows.nc", nx, ny, p, OUTPUT_ALL), asked = s;
    const struct ncwrite_rows rows = {field_rows, &s, 0};
    struct nc_input in;
    flood(&s);
    asked.info.bed = NULL;
    asked.info.corners = bed_corners;
    asked.info.context = &s;
    asked.record = (struct ncwrite_record){.t = s.record.t, .rows = &rows};
    write_output(&asked, 1);
    assert_int_equal(nc_read(s.target, &system_shallow_water, &in), ERR_OK);
    assert_same(&s, &in, 1);
    nc_input_free(&in);
    free_output(&s);
    assert_int_equal(files(1), 1);
}

/* The second has more numbers than are fetched at once. */
static void a_record_that_is_fetched_by_rows_is_the_same(void **state)
{
    (void)state;
    round_trip_by_rows(37, 22, F64);
    round_trip_by_rows(8, 300000, F32);
}

static void depth_is_exact_and_attributes_keep_their_type(void **state)
{
    (void)state;
    struct output s = make_output("h.nc", 12, 8, F32, 1 << OUTPUT_H);
    write_output(&s, 3);
    int id, var, dim;
    size_t times = 0;
    float h[8][12];
    const size_t start[3] = {2, 0, 0}, count[3] = {1, 8, 12};
    char text[8] = "";
    long long steps = 0;
    assert_int_equal(nc_open(s.target, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_dimid(id, "time", &dim), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, dim, &times), NC_NOERR);
    assert_int_equal(times, 3);
    assert_int_not_equal(nc_inq_varid(id, "w", &var), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "h", &var), NC_NOERR);
    assert_int_equal(nc_get_vara_float(id, var, start, count, &h[0][0]), NC_NOERR);
    assert_int_equal(nc_get_att_text(id, NC_GLOBAL, "scheme", text), NC_NOERR);
    assert_string_equal(text, "rk2");
    assert_int_equal(nc_get_att_longlong(id, NC_GLOBAL, "steps", &steps), NC_NOERR);
    assert_true(steps == 1LL << 40);
    nc_close(id);
    int dry = 0;
    for (size_t j = 0; j < 8; j++) {
        for (size_t i = 0; i < 12; i++) {
            assert_true((double)h[j][i] == depth(&s, i, j));
            dry += h[j][i] == 0;
        }
    }
    assert_true(dry > 0 && dry < 96);
    free_output(&s);
    files(1);
}

static void several_records_are_refused_as_input_with_the_remedy(void **state)
{
    (void)state;
    struct output s = make_output("many.nc", 5, 4, F32, OUTPUT_ALL);
    struct nc_input in;
    write_output(&s, 2);
    assert_int_equal(nc_read(s.target, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "2 records along 'time'"));
    assert_non_null(strstr(err_message(), "ncks -d time,-1"));
    write_output(&s, 0);
    assert_int_equal(nc_read(s.target, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "no record"));
    free_output(&s);
    files(1);
}

int main(void)
{
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_variables_is_checked),
        cmocka_unit_test(coordinates_are_antisymmetric_about_the_centre),
        HERE(one_record_comes_back_bit_for_bit_in_f32),
        HERE(one_record_comes_back_bit_for_bit_in_f64),
        HERE(a_file_of_several_chunks_and_one_variable_comes_back),
        HERE(a_record_that_is_fetched_by_rows_is_the_same),
        HERE(depth_is_exact_and_attributes_keep_their_type),
        HERE(several_records_are_refused_as_input_with_the_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void without_netcdf_every_function_names_the_package(void **state)
{
    (void)state;
    struct ncwriter *writer;
    struct nc_input in;
    const struct ncwrite_info info = {.path = "x.nc"};
    assert_int_equal(ncfile_available(), 0);
    assert_int_equal(ncwrite_create(&writer, &info), ERR_ABSENT);
    assert_null(writer);
    assert_non_null(strstr(err_message(), "install libnetcdf-dev and run make again"));
    assert_int_equal(nc_read("x.nc", &system_shallow_water, &in), ERR_ABSENT);
    assert_int_equal(err_status(ERR_ABSENT), 3);
    nc_input_free(&in);
    ncwrite_discard(&writer);
}

static void round_trips(void **state)
{
    (void)state;
    print_message("round_trips: skipped, this build has no netCDF\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_variables_is_checked),
        cmocka_unit_test(coordinates_are_antisymmetric_about_the_centre),
        cmocka_unit_test(without_netcdf_every_function_names_the_package),
        cmocka_unit_test(round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
