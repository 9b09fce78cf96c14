/* How a result describes its numbers: dimensions, types, chunks and attributes of every variable, as other programs
 * read them. A line that changes here changes for every reader: keep CF's names and units. */
#include "tests/support/test.h"

#include "core/netcdf/netcdf_file.h"
#include "tests/support/output.h"
#include "tests/support/program.h"

#ifdef HAVE_NETCDF

#include <netcdf.h>

static void good(int status)
{
    if (status)
        fail_msg("%s", nc_strerror(status));
}

/* An attribute's text, or its number. */
static void print_attribute(FILE *f, int id, int var, const char *name)
{
    nc_type type;
    size_t n;
    good(nc_inq_att(id, var, name, &type, &n));
    if (type == NC_CHAR) {
        char *text = calloc(n + 1, 1);
        assert_non_null(text);
        good(nc_get_att_text(id, var, name, text));
        fprintf(f, " %s='%s'", name, text);
        free(text);
    } else {
        double x;
        assert_int_equal(n, 1);
        good(nc_get_att_double(id, var, name, &x));
        fprintf(f, " %s=%g%s", name, x,
                type == NC_DOUBLE  ? " in double"
                : type == NC_FLOAT ? " in float"
                                   : "");
    }
}

static void print_shape(FILE *f, int id, int var)
{
    int dims, dim[NC_MAX_VAR_DIMS], storage, shuffle, deflate, level;
    size_t chunk[NC_MAX_VAR_DIMS];
    char name[NC_MAX_NAME + 1];
    good(nc_inq_var(id, var, NULL, NULL, &dims, dim, NULL));
    good(nc_inq_var_chunking(id, var, &storage, chunk));
    good(nc_inq_var_deflate(id, var, &shuffle, &deflate, &level));
    for (int k = 0; k < dims; k++) {
        good(nc_inq_dimname(id, dim[k], name));
        fprintf(f, "%s%s", k ? "," : "(", name);
        if (storage == NC_CHUNKED)
            fprintf(f, "/%zu", chunk[k]);
    }
    fprintf(f, "%s%s", dims ? ")" : "", shuffle ? " shuffled" : "");
    if (deflate)
        fprintf(f, " deflated by %d", level);
}

static void print_variable(FILE *f, int id, int var)
{
    char name[NC_MAX_NAME + 1], type_name[NC_MAX_NAME + 1];
    nc_type type;
    int count;
    good(nc_inq_var(id, var, name, &type, NULL, NULL, &count));
    good(nc_inq_type(id, type, type_name, NULL));
    fprintf(f, "%s %s", type_name, name);
    print_shape(f, id, var);
    for (int k = 0; k < count; k++) {
        good(nc_inq_attname(id, var, k, name));
        print_attribute(f, id, var, name);
    }
}

#define TIME " standard_name='time' units='s'"
#define LOOKED                                                                                 \
    " comment='over the whole run, looked at every 10 steps; missing where never wet: deeper " \
    "than 0.01 m'"
#define PLACE     " coordinates='gauge_x gauge_y gauge_name'"
#define MEAN      " comment='the mean of the cell that contains the point'"
#define RECORDS   "(time/1,y/36,x/40) shuffled deflated by 1"
#define MAP       "(y/36,x/40) shuffled deflated by 1"
#define ROWS      "(gauge_time/64,gauge/2) shuffled deflated by 1"
#define LEVEL     " standard_name='water_surface_height_above_reference_datum'"
#define RUN_TIME  " coordinates='maxima_time'"
#define RUN_PLACE " coordinates='maxima_time gauge_x gauge_y gauge_name'"

static const char *const variables[] = {
    "double x(x) long_name='x of cell centres' standard_name='projection_x_coordinate' units='m' "
    "axis='X' lower_edge=-20 in double cell_size=1 in double",
    "double y(y) long_name='y of cell centres' standard_name='projection_y_coordinate' units='m' "
    "axis='Y' lower_edge=-20 in double cell_size=1.11111 in double",
    "double x_corner(x_corner) long_name='x of cell corners' "
    "standard_name='projection_x_coordinate' units='m' axis='X'",
    "double y_corner(y_corner) long_name='y of cell corners' "
    "standard_name='projection_y_coordinate' units='m' axis='Y'",
    "double time(time/512) long_name='simulated time'" TIME " axis='T'",
    "double bed" MAP " long_name='bed level at cell centres' units='m'",
    "double bed_corner(y_corner/37,x_corner/41) shuffled deflated by 1 long_name='bed level at "
    "cell corners' units='m'",
    "float w" RECORDS " long_name='level of the water surface'" LEVEL " units='m'",
    "float h" RECORDS " long_name='depth of the water' units='m'",
    "float hu" RECORDS " long_name='discharge per unit width along x' units='m2 s-1'",
    "float hv" RECORDS " long_name='discharge per unit width along y' units='m2 s-1'",
    "char gauge_name(gauge,gauge_name_length) long_name='name of the gauge' "
    "cf_role='timeseries_id' _Encoding='utf-8'",
    "double gauge_x(gauge) long_name='x of the gauge' standard_name='projection_x_coordinate' "
    "units='m'",
    "double gauge_y(gauge) long_name='y of the gauge' standard_name='projection_y_coordinate' "
    "units='m'",
    "double gauge_bed(gauge) long_name='bed level at the gauge' units='m'" PLACE,
    "double gauge_time(gauge_time/64) long_name='simulated time of the gauges' rows'" TIME
    " axis='T'",
    "float gauge_w" ROWS " long_name='level of the water surface at the gauge'" LEVEL
    " units='m'" PLACE MEAN,
    "float gauge_h" ROWS " long_name='depth of the water at the gauge' units='m'" PLACE MEAN,
    "float gauge_hu" ROWS
    " long_name='discharge per unit width along x at the gauge' units='m2 s-1'" PLACE MEAN,
    "float gauge_hv" ROWS
    " long_name='discharge per unit width along y at the gauge' units='m2 s-1'" PLACE MEAN,
    "double balance_time(balance_time/64) long_name='simulated time of the volumes'" TIME
    " axis='T'",
    "double balance_volume(balance_time/64) long_name='volume of the water' units='m3'",
    "double balance_inflow(balance_time/64) long_name='volume that came in through edges' "
    "units='m3'",
    "double balance_outflow(balance_time/64) long_name='volume that left through edges' units='m3'",
    "double balance_forced(balance_time/64) long_name='volume that the forcing added' units='m3'",
    "double balance_clipped(balance_time/64) long_name='volume added where the level fell below "
    "the bed' units='m3'",
    "double balance_error(balance_time/64) long_name='volume gained other than through edges and "
    "forcing' units='m3'",
    "double maxima_time long_name='time over which maxima were kept'" TIME
    " bounds='maxima_time_bounds'",
    "double maxima_time_bounds(bounds)",
    "float h_max" MAP " long_name='largest depth of the water' units='m' _FillValue=nan in float "
    "cell_methods='time: maximum'" RUN_TIME LOOKED,
    "float gauge_h_max(gauge) long_name='largest depth of the water' units='m' _FillValue=nan in "
    "float cell_methods='time: maximum'" RUN_PLACE LOOKED,
    "float w_max" MAP " long_name='highest level of the water surface'" LEVEL
    " units='m' _FillValue=nan in float cell_methods='time: maximum'" RUN_TIME LOOKED,
    "float gauge_w_max(gauge) long_name='highest level of the water surface'" LEVEL
    " units='m' _FillValue=nan in float cell_methods='time: maximum'" RUN_PLACE LOOKED,
    "float speed_max" MAP " long_name='largest speed of the water while wet' units='m s-1' "
    "_FillValue=nan in float cell_methods='time: maximum'" RUN_TIME LOOKED,
    "float gauge_speed_max(gauge) long_name='largest speed of the water while wet' units='m s-1' "
    "_FillValue=nan in float cell_methods='time: maximum'" RUN_PLACE LOOKED,
    "float momentum_flux_max" MAP
    " long_name='largest depth times speed squared while wet' units='m3 s-2' _FillValue=nan in "
    "float cell_methods='time: maximum'" RUN_TIME LOOKED,
    "float gauge_momentum_flux_max(gauge) long_name='largest depth times speed squared while wet' "
    "units='m3 s-2' _FillValue=nan in float cell_methods='time: maximum'" RUN_PLACE LOOKED,
    "float arrival_time" MAP
    " long_name='time from the start until first wet' units='s' _FillValue=nan in float" RUN_TIME
        LOOKED,
    "float gauge_arrival_time(gauge) long_name='time from the start until first wet' units='s' "
    "_FillValue=nan in float" RUN_PLACE LOOKED,
    "float wet_duration" MAP
    " long_name='time for which it was wet' units='s' _FillValue=nan in float" RUN_TIME LOOKED,
    "float gauge_wet_duration(gauge) long_name='time for which it was wet' units='s' "
    "_FillValue=nan in float" RUN_PLACE LOOKED,
};

/* The attributes of the file that are the same on every machine. */
static const char *const attributes[] = {
    "Conventions='CF-1.8'",
    "datum=0 in double",
    "still_level=0 in double",
    "bc_west='wall'",
    "bc_east='wall'",
    "bc_south='wall'",
    "bc_north='wall'",
    "title='circular-dam-dry, computed by Shoal'",
    "case='circular-dam-dry'",
    "system='shallow_water'",
    "scheme='rk2'",
    "limiter='minmod'",
    "flux='central_upwind'",
    "reconstruction='kp'",
    "precision='f32'",
    "mode='strict'",
    "backend='cpu'",
    "dt_factor=0.95 in double",
    "positivity='courant'",
    "sweep='xy'",
    "theta=1.3 in double",
    "courant_number=0.25 in double",
    "gravity=9.81 in double",
    "drag=0 in double",
    "kappa=0.0025 in double",
    "kappa_rule='1e-3 x largest initial depth'",
    "dry_depth=1e-06 in double",
    "manning=0 in double",
    "steps=5",
    "redone_steps=0",
    "early_exit_steps=0",
    "graphs='off'",
    "volume_inflow=0 in double",
    "volume_in=0 in double",
    "volume_out=0 in double",
    ("mass_error_is='(volume_final - volume_initial - volume_inflow) / (volume_initial + "
     "volume_in)'"),
    "volume_clipped_in=0 in double",
};

static const char *const dimensions[] = {
    "x = 40",           "y = 36",     "x_corner = 41",         "y_corner = 37",
    "time = 1",         "gauge = 2",  "gauge_name_length = 3", "gauge_time = 6",
    "balance_time = 2", "bounds = 2",
};

static int compute(void **state)
{
    scratch_setup(state);
    SHOAL("run", "circular-dam-dry", "--nx", "40", "--ny", "36", "--mode", "strict", "--quiet",
          "--backend", "cpu", "--t-end", "0.2", "--maxima", "--gauge=a,-3,2", "--gauge=b b,3.3,-2",
          "--output", "a.nc");
    ASSERT_STATUS(0);
    return 0;
}

static int open_result(void)
{
    char path[PATH_LENGTH];
    int id;
    scratch_path(path, "a.nc");
    good(nc_open(path, NC_NOWRITE, &id));
    return id;
}

static void every_variable_says_what_it_is(void **state)
{
    const size_t count = sizeof variables / sizeof *variables;
    const int id = open_result();
    int found;
    (void)state;
    good(nc_inq_nvars(id, &found));
    for (int var = 0; var < found; var++) {
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);
        assert_non_null(f);
        print_variable(f, id, var);
        fclose(f);
        assert_string_equal(text, (size_t)var < count ? variables[var] : "nothing more");
        free(text);
    }
    assert_int_equal(found, count);
    nc_close(id);
}

static void with_a_start_times_have_a_calendar(void **state)
{
    static const char *const times[] = {"time", "gauge_time", "balance_time", "maxima_time"};
    char path[PATH_LENGTH], text[128] = "";
    int id, var;
    (void)state;
    SHOAL("run", "circular-dam", "--nx", "20", "--steps", "2", "--maxima", "--gauge=a,0,0",
          "--quiet", "--start", "2026-11-22T06:00", "--output", "dated.nc");
    ASSERT_STATUS(0);
    scratch_path(path, "dated.nc");
    good(nc_open(path, NC_NOWRITE, &id));
    for (size_t k = 0; k < 4; k++) {
        good(nc_inq_varid(id, times[k], &var));
        good(nc_get_att_text(id, var, "units", text));
        assert_string_equal(text, "seconds since 2026-11-22 06:00:00");
        memset(text, 0, sizeof text);
        good(nc_get_att_text(id, var, "calendar", text));
        assert_string_equal(text, "standard");
        memset(text, 0, sizeof text);
    }
    nc_close(id);
    SHOAL("run", "dated.nc", "--t-end", "0.1", "--quiet"); /* it is an input like any other */
    ASSERT_STATUS(0);
}

static void the_file_says_how_it_was_computed(void **state)
{
    const int id = open_result();
    (void)state;
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++) {
        char name[NC_MAX_NAME + 1], *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);
        assert_non_null(f);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(attributes[k], "="), attributes[k]);
        print_attribute(f, id, NC_GLOBAL, name);
        fclose(f);
        assert_string_equal(text + 1, attributes[k]);
        free(text);
    }
    nc_close(id);
}

static void dimensions_are_those_of_grid_gauges_and_series(void **state)
{
    const size_t count = sizeof dimensions / sizeof *dimensions;
    const int id = open_result();
    int found;
    (void)state;
    good(nc_inq_ndims(id, &found));
    assert_int_equal(found, count);
    for (int dim = 0; dim < found; dim++) {
        char name[NC_MAX_NAME + 1], text[NC_MAX_NAME + 32];
        size_t n;
        good(nc_inq_dim(id, dim, name, &n));
        snprintf(text, sizeof text, "%s = %zu", name, n);
        assert_string_equal(text, dimensions[dim]);
    }
    nc_close(id);
}

static void maxima_are_of_the_time_from_the_start_to_the_end(void **state)
{
    const int id = open_result();
    double t, ends[2];
    int var;
    (void)state;
    good(nc_inq_varid(id, "maxima_time", &var));
    good(nc_get_var_double(id, var, &t));
    good(nc_inq_varid(id, "maxima_time_bounds", &var));
    good(nc_get_var_double(id, var, ends));
    assert_true(t == 0.2 && ends[0] == 0 && ends[1] == t);
    nc_close(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variable_says_what_it_is),
        cmocka_unit_test(with_a_start_times_have_a_calendar),
        cmocka_unit_test(the_file_says_how_it_was_computed),
        cmocka_unit_test(dimensions_are_those_of_grid_gauges_and_series),
        cmocka_unit_test(maxima_are_of_the_time_from_the_start_to_the_end),
    };
    return program_find() || cmocka_run_group_tests_name("header", tests, compute, scratch_remove);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
