/* Results read record by record: windows, missing values, means over squares of cells, ranges of colours. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <netcdf.h>
#include <stdlib.h>

#include "core/mesh/section_line.h"
#include "plots/render/scale.h"
#include "tests/support/film.h"
#include "tests/support/near.h"
#include "tests/support/output.h"

static char file[PATH_LENGTH];

static int build(void **state)
{
    (void)state;
    scratch_create();
    scratch_path(file, "result.nc");
    return 0;
}

static void a_window_comes_in_ascending_order_whatever_the_files(void **state)
{
    (void)state;
    for (int down = 0; down < 2; down++) {
        struct ncrecords r;
        float got[6];
        write_film((struct film_file){.upside_down = down});
        fine(ncrecords_open(&r, file));
        assert_int_equal(r.records, RECORDS);
        assert_int_equal(r.grid.nx, NX);
        ASSERT_NEAR(r.grid.y0, 0, 0);
        ASSERT_NEAR(r.grid.dx, 10, 0);
        fine(
            ncrecords_read(&r, ncrecords_find(&r, "extra"), 0, (struct ncwindow){4, 7, 3, 2}, got));
        for (int k = 0; k < 6; k++)
            ASSERT_NEAR((double)got[k], 704 + k % 3 + (k < 3 ? 0 : 100), 0);
        fine(ncrecords_read(&r, ncrecords_find(&r, "h"), 1, (struct ncwindow){2, 0, 1, 1}, got));
        ASSERT_NEAR((double)got[0], depth_at(2, 1), 0);
        ncrecords_close(&r);
    }
}

static void a_missing_value_is_none(void **state)
{
    struct ncrecords r;
    float got[NX];
    (void)state;
    write_film((struct film_file){0});
    fine(ncrecords_open(&r, file));
    fine(ncrecords_read(&r, ncrecords_find(&r, "arrival_time"), 0, (struct ncwindow){0, 0, NX, 1},
                        got));
    ncrecords_close(&r);
    for (int i = 0; i < NX; i++)
        if (depth_at(i, RECORDS - 1) > 0)
            ASSERT_NEAR((double)got[i], 10 * i, 0);
        else
            assert_true(isnan(got[i]));
}

static void squares_of_cells_have_the_mean_of_what_is_wet(void **state)
{
    struct ncrecords r;
    struct shown shown;
    struct planes p = {.file = &r, .shown = &shown, .window = {0, 0, NX, NY}, .dry = 0.01};
    float speed[CELLS], depth[CELLS];
    (void)state;
    write_film((struct film_file){0});
    fine(ncrecords_open(&r, file));
    fine(shown_choose(&shown, &r, "speed"));
    fine(planes_open(&p, 5, 100)); /* 24 cells in 5 pixels: squares of 5 */
    assert_int_equal(p.step, 5);
    assert_int_equal(p.nx, 5);
    assert_int_equal(p.ny, 3);
    fine(planes_read(&p, 0, speed, depth));
    ASSERT_NEAR((double)speed[0], 1, 1e-6);
    ASSERT_NEAR((double)speed[5], 0.2 * 1 + 0.8 * 2, 1e-6); /* rows 5 to 9; the north begins at 6 */
    assert_true(isnan(speed[1]));
    ASSERT_NEAR((double)depth[0], (2 + 1.5 + 1 + 0.5 + 0) / 5, 1e-6);
    ASSERT_NEAR((double)depth[1], 0, 0);
    planes_close(&p);
    ncrecords_close(&r);
}

struct ends {
    const char *variable;
    double low, high, above;
};

static void colours_end_at_round_numbers_that_hold_for_all_records(void **state)
{
    static const struct ends all[] = {
        {"depth", 0, 4, 0},         {"h", 0, 4, 0},   {"speed", 0, 2, 0},    {"level", 2, 4, 0},
        {"arrival_time", 0, 80, 0}, {"hu", -4, 4, 0}, {"extra", 0, 1200, 0},
    };
    float value[CELLS], depth[CELLS];
    size_t record[] = {0, 1, 2};
    const struct chosen chosen = {record, RECORDS, 0};
    (void)state;
    write_film((struct film_file){0});
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct ncrecords r;
        struct shown shown;
        struct scale s;
        struct planes p = {.file = &r, .shown = &shown, .window = {0, 0, NX, NY}, .dry = 0.01};
        fine(ncrecords_open(&r, file));
        fine(shown_choose(&shown, &r, all[k].variable));
        fine(planes_open(&p, NX, NY));
        fine(scale_find(&s, &p, &chosen, value, depth));
        if (s.low != all[k].low || s.high != all[k].high || s.above != all[k].above)
            fail_msg("%s: %g to %g (%g), not %g to %g", all[k].variable, s.low, s.high, s.above,
                     all[k].low, all[k].high);
        planes_close(&p);
        ncrecords_close(&r);
    }
}

/* Before the first row nothing has passed, so that there is no discharge yet. Discharges are doubles in
 * each precision, and so is the number that stands for a missing one. */
static void the_first_discharge_of_a_section_is_missing_in_each_precision(void **state)
{
    static const struct section_line line = {"gate", {1, 1}, {0, 5}};
    static const struct section_line *const lines[] = {&line};
    (void)state;
    for (int p = F32; p <= F64; p++) {
        struct output s = make_output("sections.nc", 6, 5, (enum precision)p, OUTPUT_ALL);
        struct ncwriter *w = NULL;
        double none = 0, q[2] = {0};
        nc_type type;
        int id, var;
        s.info.path = s.target;
        fine(ncwrite_create(&w, &s.info));
        fine(ncwrite_sections(w, lines, 1));
        fine(ncwrite_section_row(w, 0, &(double){0}));
        fine(ncwrite_section_row(w, 2, &(double){3}));
        fine(ncwrite_finish(&w));
        assert_int_equal(nc_open(s.target, NC_NOWRITE, &id), NC_NOERR);
        assert_int_equal(nc_inq_varid(id, "section_discharge", &var), NC_NOERR);
        assert_int_equal(nc_inq_atttype(id, var, "_FillValue", &type), NC_NOERR);
        assert_int_equal(type, NC_DOUBLE);
        assert_int_equal(nc_get_att_double(id, var, "_FillValue", &none), NC_NOERR);
        assert_int_equal(nc_get_var_double(id, var, q), NC_NOERR);
        nc_close(id);
        if (!isnan(none) || memcmp(&none, q, sizeof none) != 0)
            fail_msg("%s: a missing discharge is %g, the first is %g", p == F64 ? "f64" : "f32",
                     none, q[0]);
        ASSERT_NEAR(q[1], 1.5, 0);
        free_output(&s);
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, build, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_window_comes_in_ascending_order_whatever_the_files),
        IN_SCRATCH(a_missing_value_is_none),
        IN_SCRATCH(squares_of_cells_have_the_mean_of_what_is_wet),
        IN_SCRATCH(the_first_discharge_of_a_section_is_missing_in_each_precision),
        IN_SCRATCH(colours_end_at_round_numbers_that_hold_for_all_records),
    };
    return cmocka_run_group_tests_name("netcdf_records", tests, NULL, NULL);
}

#else

#include "core/netcdf/read_records.h"

static void nothing_can_be_read_without_netcdf(void **state)
{
    struct ncrecords r;
    (void)state;
    assert_int_equal(ncrecords_open(&r, "any.nc"), ERR_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_can_be_read_without_netcdf)};
    return cmocka_run_group_tests_name("netcdf_records", tests, NULL, NULL);
}

#endif
