/* What --rain accepts, and the messages about what cannot be rain. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/calendar.h"
#include "core/base/log.h"
#include "core/problem/problem.h"
#include "tests/support/refused.h"
#include "tests/support/scratch.h"

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

/* A run of 4 x 3 cells of 10 x 10 m from (0, 0), for 1000 s. */
static struct problem p;

static enum err open_with(const char *rain, const char *start)
{
    static struct config c;
    char path[PATH_LENGTH];
    config_defaults(&c);
    scratch_write("plane.asc", "w",
                  "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
                  "0 1 2 3\n0 1 2 3\n0 1 2 3\n");
    scratch_path(c.input, "plane.asc");
    c.t_end = 1000;
    if (*start)
        fine(option_set(option_find(run_options, "start"), &c, start));
    if (scratch_has(rain)) {
        scratch_path(path, rain);
        rain = path;
    }
    const enum err e = option_set(option_find(run_options, "rain"), &c, rain);
    return e ? e : problem_open(&p, &c);
}

static double at_cell(int field, int i, int j)
{
    const struct rain *r = &p.rain;
    return r->value[(field * r->ny + r->row[j]) * r->nx + r->column[i]] * 3.6e6;
}

static void numbers_formulas_and_series_are_rain_in_mm_per_hour(void **state)
{
    (void)state;
    fine(open_with("36", ""));
    assert_true(fabs(timeseries_integral(&p.rain.series, 0, 1000) - 1e-2) <= 1e-16);
    problem_close(&p);
    fine(open_with("iif(x < 15, 2, 0)", ""));
    assert_true(fabs(at_cell(0, 0, 2) - 2) < 1e-12 && fabs(at_cell(0, 2, 2)) < 1e-12);
    problem_close(&p);
    scratch_write("storm.txt", "w", "t,mm/h\n0,0\n1000,72\n");
    fine(open_with("storm.txt", ""));
    assert_true(fabs(timeseries_integral(&p.rain.series, 0, 1000) - 1e-2) <= 1e-16);
    problem_close(&p);
    fine(open_with("0", ""));
    problem_close(&p);
}

static void a_raster_of_other_cells_rains_on_those_below(void **state)
{
    (void)state;
    scratch_write("rain.asc", "w",
                  "ncols 2\nnrows 2\nxllcorner -5\nyllcorner -5\ncellsize 25\n3 4\n1 2\n");
    fine(open_with("rain.asc", ""));
    assert_int_equal(p.rain.fields, 1);
    assert_true(fabs(at_cell(0, 0, 0) - 1) < 1e-12 && fabs(at_cell(0, 2, 0) - 2) < 1e-12);
    assert_true(fabs(at_cell(0, 0, 2) - 3) < 1e-12 && fabs(at_cell(0, 3, 2) - 4) < 1e-12);
    problem_close(&p);
}

static void what_cannot_be_rain_is_refused_with_its_place(void **state)
{
    (void)state;
    scratch_write("negative.txt", "w", "0 1\n500 -2\n1000 1\n");
    scratch_write("back.txt", "w", "0 1\n500 2\n400 3\n1000 1\n");
    scratch_write("hours.txt", "w", "0 1\n1 2\n6 0\n");
    scratch_write("minutes.txt", "w", "0 1\n17 0\n");
    scratch_write("late.txt", "w", "10 1\n1000 2\n");
    scratch_write("text.txt", "w", "it rains cats and dogs\n");
    scratch_write("small.asc", "w",
                  "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n");
    scratch_write(
        "hole.asc", "w",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 20\nNODATA_value -1\n1 2\n3 -1\n");
    scratch_write("below.asc", "w",
                  "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 20\n1 2\n-3 1\n");
    expect_refused(open_with("-1", ""), &p, "at least 0");
    expect_refused(open_with("nan", ""), &p, "finite");
    expect_refused(open_with("negative.txt", ""), &p, "negative.txt: at 500 s the rain is -2 mm/h");
    expect_refused(open_with("back.txt", ""), &p,
                   "back.txt:3: time 400 s comes after 500 s on line 2");
    expect_refused(open_with("hours.txt", ""), &p, "ends at 1000 s: add a row");
    expect_refused(open_with("hours.txt", ""), &p, "are these minutes or hours?");
    expect_refused(open_with("minutes.txt", ""), &p, "are these minutes or hours?");
    expect_refused(open_with("late.txt", ""), &p,
                   "the first row is at 10 s, but the run starts at 0 s");
    expect_refused(open_with("text.txt", ""), &p, "text.txt");
    expect_refused(open_with("small.asc", ""), &p, "83.3 % of its cells have no value");
    expect_refused(open_with("hole.asc", ""), &p,
                   "field 0 of the rain has no value at x = 25, y = 5");
    expect_refused(open_with("below.asc", ""), &p,
                   "field 0 of the rain is -3 mm/h at x = 5, y = 5");
    expect_refused(open_with("nowhere.nc", ""), &p,
                   "expected a number, a formula of x and y or a readable file");
    expect_refused(open_with("z + 1", ""), &p, "z");
}

static void dates_are_seconds_since_1970(void **state)
{
    (void)state;
    assert_true(fabs(calendar_seconds("1970-01-01T00:00:00")) <= 0);
    assert_true(fabs(calendar_seconds("1970-1-2") - 86400) <= 0);
    assert_true(fabs(calendar_seconds("2000-03-01 06:30:15.5 UTC") - 951892215.5) <= 0);
    assert_true(fabs(calendar_seconds("2026-11-22T06:00:00Z") - 1795327200) <= 0);
    assert_true(isnan(calendar_seconds("yesterday")) && isnan(calendar_seconds("2026-13-01")));
    assert_true(fabs(calendar_seconds("2026-11-22 06:00 +05:30") - 1795307400) <= 0);
    assert_true(fabs(calendar_seconds("2026-11-22T06:00-6") - 1795348800) <= 0);
    assert_true(fabs(calendar_seconds("2026-11-22 06:00:00 +0100") - 1795323600) <= 0);
    assert_true(fabs(calendar_seconds("2026-11-22  06:00") - 1795327200) <= 0);
    static const char *const no_dates[] = {
        "2026-11-22 06:00 CET", "2026-11-22T06", "2026-11-22T06:00:", "2026-11-22T06:00:0x1f",
        "2026-11-22T06:00+05:", "2026-11-22T",   "2026-11",           "2026-11-22 24:00"};
    for (size_t k = 0; k < sizeof no_dates / sizeof *no_dates; k++)
        if (!isnan(calendar_seconds(no_dates[k])))
            fail_msg("'%s' is taken for a date", no_dates[k]);
    assert_true(isnan(calendar_seconds("2026-11-22 06:00 +99:00")));
    assert_true(isnan(calendar_seconds("2026-11-22 06:00 +01:5")));
}

#ifdef HAVE_NETCDF

static void nc(int status)
{
    if (status)
        fail_msg("%s", nc_strerror(status));
}

/* Fields on 2 x 2 cells of 25 m, from north to south, over x, y and time as radars store them: cell (i, j), j from
 * the south, of field k has 10 k + 2 j + i. */
static void write_fields(const char *time_units, const char *units, const double *time, int count)
{
    int id, dim[3], var[4];
    char path[PATH_LENGTH];
    const double x[] = {7.5, 32.5}, y[] = {32.5, 7.5};
    scratch_path(path, "radar.nc");
    nc(nc_create(path, NC_CLOBBER, &id));
    nc(nc_def_dim(id, "time", (size_t)count, &dim[0]));
    nc(nc_def_dim(id, "y", 2, &dim[1]));
    nc(nc_def_dim(id, "x", 2, &dim[2]));
    nc(nc_def_var(id, "time", NC_DOUBLE, 1, &dim[0], &var[0]));
    nc(nc_def_var(id, "y", NC_DOUBLE, 1, &dim[1], &var[1]));
    nc(nc_def_var(id, "x", NC_DOUBLE, 1, &dim[2], &var[2]));
    nc(nc_def_var(id, "rainfall_rate", NC_FLOAT, 3, dim, &var[3]));
    nc(nc_put_att_text(id, var[0], "units", strlen(time_units), time_units));
    nc(nc_put_att_text(id, var[3], "units", strlen(units), units));
    nc(nc_enddef(id));
    nc(nc_put_var_double(id, var[0], time));
    nc(nc_put_var_double(id, var[1], y));
    nc(nc_put_var_double(id, var[2], x));
    for (size_t k = 0; k < (size_t)count; k++) {
        const float value[] = {(float)(10 * k + 2), (float)(10 * k + 3), (float)(10 * k),
                               (float)(10 * k + 1)};
        const size_t begin[] = {k, 0, 0}, size[] = {1, 2, 2};
        nc(nc_put_vara_float(id, var[3], begin, size, value));
    }
    nc(nc_close(id));
}

static void fields_in_hours_of_a_calendar_find_their_times(void **state)
{
    (void)state;
    const double hours[] = {5, 5.25, 5.5};
    write_fields("hours since 2026-11-22 01:00:00", "mm h-1", hours, 3);
    fine(open_with("radar.nc", "2026-11-22T06:00"));
    assert_int_equal(p.rain.fields, 3);
    assert_true(fabs(p.rain.begin[0]) <= 0 && fabs(p.rain.begin[1] - 900) <= 0);
    assert_true(fabs(p.rain.begin[3] - 2700) <= 0); /* as long as the one before it */
    assert_true(fabs(at_cell(2, 0, 0) - 20) < 1e-9 && fabs(at_cell(2, 3, 2) - 23) < 1e-9);
    problem_close(&p);
    expect_refused(open_with("radar.nc", ""), &p, "give --start DATE");
}

static void units_of_rain_and_time_are_converted_or_refused(void **state)
{
    (void)state;
    const double minutes[] = {0, 10}, back[] = {0, -10, 30};
    write_fields("min", "kg m-2 s-1", minutes, 2);
    fine(open_with("radar.nc", ""));
    assert_true(fabs(at_cell(0, 3, 0) - 3600) < 1e-6 && fabs(p.rain.begin[1] - 600) <= 0);
    problem_close(&p);
    write_fields("s", "mm", minutes, 2);
    expect_refused(open_with("radar.nc", ""), &p, "expected units of rain");
    write_fields("fortnights", "mm/h", minutes, 2);
    expect_refused(open_with("radar.nc", ""), &p, "'time' has units 'fortnights'");
    write_fields("min", "mm/h", back, 3);
    expect_refused(open_with("radar.nc", ""), &p,
                   "field 1 has the time -600 s, after field 0 with 0 s");
    write_fields("s", "mm/h", minutes, 2);
    expect_refused(open_with("radar.nc", ""), &p, "lasts until 20 s");
}

#endif

static int quiet_scratch(void **state)
{
    log_quiet(2);
    return scratch_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_formulas_and_series_are_rain_in_mm_per_hour),
        cmocka_unit_test(a_raster_of_other_cells_rains_on_those_below),
        cmocka_unit_test(what_cannot_be_rain_is_refused_with_its_place),
        cmocka_unit_test(dates_are_seconds_since_1970),
#ifdef HAVE_NETCDF
        cmocka_unit_test(fields_in_hours_of_a_calendar_find_their_times),
        cmocka_unit_test(units_of_rain_and_time_are_converted_or_refused),
#endif
    };
    return cmocka_run_group_tests_name("rain input", tests, quiet_scratch, scratch_remove);
}
