/* What a run writes, as a user gets it: maps, a part of them, gauges, maxima and volumes in one file. */
#include "tests/support/test.h"

#include <math.h>
#include <sys/resource.h>

#include "core/netcdf/netcdf_file.h"
#include "tests/support/output.h"
#include "tests/support/program.h"

#define RUN "run", "circular-dam-dry", "--nx", "40", "--ny", "36", "--mode", "strict", "--quiet"
#define DAM RUN, "--t-end", "0.6", "--bc-east", "open"

#ifdef HAVE_NETCDF

#include <netcdf.h>

static int open_file(const char *name)
{
    char path[PATH_LENGTH];
    int id;
    scratch_path(path, name);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    return id;
}

/* All values of a variable, and how many. The caller frees. */
static double *values(int id, const char *name, size_t *n)
{
    int var, dims, dim[NC_MAX_VAR_DIMS];
    if (nc_inq_varid(id, name, &var) != NC_NOERR)
        fail_msg("there is no variable %s", name);
    assert_int_equal(nc_inq_var(id, var, NULL, NULL, &dims, dim, NULL), NC_NOERR);
    *n = 1;
    for (int k = 0; k < dims; k++) {
        size_t length;
        assert_int_equal(nc_inq_dimlen(id, dim[k], &length), NC_NOERR);
        *n *= length;
    }
    double *x = calloc(*n + 1, sizeof *x);
    assert_non_null(x);
    assert_int_equal(nc_get_var_double(id, var, x), NC_NOERR);
    return x;
}

static int has(int id, const char *name)
{
    int var;
    return nc_inq_varid(id, name, &var) == NC_NOERR;
}

/* The cells of 40 x 36 over 40 m x 40 m that contain (-3, 2) and (3.3, -2). */
enum { NX = 40, NY = 36, CELLS = NX * NY, A = 19 * NX + 17, B = 16 * NX + 23 };

static void gauges_show_what_maps_do_at_the_same_times(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"gauge_time", "time"},
                                           {"gauge_w", "w"},
                                           {"gauge_h", "h"},
                                           {"gauge_hu", "hu"},
                                           {"gauge_hv", "hv"}};
    SHOAL(DAM, "--output", "a.nc", "--every", "0.1", "--gauge", "a,-3,2", "--gauge=b b,3.3,-2");
    ASSERT_STATUS(0);
    const int id = open_file("a.nc");
    size_t times, n, cells;
    free(values(id, "time", &times));
    assert_int_equal(times, 7);
    for (int k = 0; k < 5; k++) {
        double *gauge = values(id, pairs[k][0], &n), *map = values(id, pairs[k][1], &cells);
        assert_int_equal(n, k == 0 ? times : 2 * times);
        for (size_t t = 0; t < times; t++) {
            assert_true(k > 0 || gauge[t] == map[t]);
            assert_true(k == 0 || gauge[2 * t] == map[t * CELLS + A]);
            assert_true(k == 0 || gauge[2 * t + 1] == map[t * CELLS + B]);
        }
        free(gauge);
        free(map);
    }
    char names[2][3];
    int var;
    assert_int_equal(nc_inq_varid(id, "gauge_name", &var), NC_NOERR);
    assert_int_equal(nc_get_var_text(id, var, names[0]), NC_NOERR);
    assert_memory_equal(names, "a\0\0b b", sizeof names);
    nc_close(id);
}

static void ten_thousand_gauges_are_one_table(void **state)
{
    (void)state;
    enum { SIDE = 100, MANY = SIDE * SIDE };
    char path[PATH_LENGTH];
    scratch_path(path, "list");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            fprintf(f, "g%d %.17g %.17g\n", SIDE * row + column, -20 + 0.4 * (column + 0.5),
                    -20 + 0.4 * (row + 0.5));
    fclose(f);
    SHOAL(DAM, "--output", "many.nc", "--gauges", "list", "--gauge-every", "0.05", "--variables",
          "h");
    ASSERT_STATUS(0);
    const int id = open_file("many.nc");
    size_t n, cells, rows;
    free(values(id, "gauge_time", &rows));
    double *h = values(id, "gauge_h", &n), *map = values(id, "h", &cells);
    assert_true(rows >= 12 && n == rows * MANY && cells == CELLS);
    for (size_t k = 0; k < MANY; k++) {
        const size_t i = (k % SIDE * 2 + 1) * NX / 200, j = (k / SIDE * 2 + 1) * NY / 200;
        assert_true(h[(rows - 1) * MANY + k] == map[j * NX + i]);
    }
    free(h);
    free(map);
    nc_close(id);
}

/* x from -7.5 to 3.5, y from 0 on: columns 12..23 of 1 m, rows 18..35 of 40/36 m. */
static void a_region_is_a_part_of_the_whole_to_the_bit(void **state)
{
    (void)state;
    static const char *const maps[] = {
        "w", "h", "hu", "hv", "bed", "h_max", "w_max", "speed_max", "arrival_time", "wet_duration"};
    enum { I0 = 12, J0 = 18, W = 12, H = 18 };
    SHOAL(DAM, "--output", "whole.nc", "--maxima");
    ASSERT_STATUS(0);
    SHOAL(DAM, "--output", "part.nc", "--maxima", "--region=-7.5,0,3.5,99");
    ASSERT_STATUS(0);
    const int whole = open_file("whole.nc"), part = open_file("part.nc");
    size_t n, all;
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        double *a = values(whole, maps[k], &all), *b = values(part, maps[k], &n);
        assert_true(all == CELLS && n == (size_t)W * H);
        for (size_t m = 0; m < n; m++)
            assert_memory_equal(&b[m], &a[(J0 + m / W) * NX + I0 + m % W], sizeof *b);
        free(a);
        free(b);
    }
    static const char *const axes[] = {"x", "y", "x_corner", "y_corner"};
    for (int k = 0; k < 4; k++) {
        double *a = values(whole, axes[k], &all), *b = values(part, axes[k], &n);
        assert_int_equal(n, (k % 2 ? H : W) + k / 2);
        assert_memory_equal(b, a + (k % 2 ? J0 : I0), n * sizeof *b);
        free(a);
        free(b);
    }
    for (int k = 0; k < 2; k++) {
        double edge, *corner = values(part, axes[k + 2], &n);
        int var;
        assert_int_equal(nc_inq_varid(part, axes[k], &var), NC_NOERR);
        assert_int_equal(nc_get_att_double(part, var, "lower_edge", &edge), NC_NOERR);
        assert_true(edge == corner[0]);
        free(corner);
    }
    nc_close(whole);
    nc_close(part);
    SHOAL("run", "part.nc", "--t-end", "0.1", "--quiet");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " cells=216 ");
}

/* The part alone is fetched from the device, too. */
static void each_variable_alone_is_what_it_is_among_all(void **state)
{
    (void)state;
    static const char *const maps[] = {"w", "h", "hu", "hv"};
    SHOAL(DAM, "--output", "all.nc", "--variables", "w,h,hu,hv");
    ASSERT_STATUS(0);
    const int all = open_file("all.nc");
    for (int k = 0; k < 4; k++) {
        size_t n, m;
        SHOAL(DAM, "--output", "one.nc", "--variables", maps[k]);
        ASSERT_STATUS(0);
        const int one = open_file("one.nc");
        double *a = values(all, maps[k], &n), *b = values(one, maps[k], &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n * sizeof *a);
        for (int other = 0; other < 4; other++)
            assert_int_equal(has(one, maps[other]), other == k);
        free(a);
        free(b);
        nc_close(one);
    }
    nc_close(all);
}

/* With sweeps that begin in y the problem is solved with x and y exchanged: files do not show it. */
static void a_turned_problem_is_written_the_right_way_round(void **state)
{
    (void)state;
    static const char *const same[] = {"bed", "h", "hu", "h_max", "arrival_time", "gauge_hu"};
    SHOAL(DAM, "--output", "xy.nc", "--maxima", "--region=-9,0,12,99", "--gauge=a,-3,2");
    ASSERT_STATUS(0);
    SHOAL(DAM, "--output", "yx.nc", "--maxima", "--region=-9,0,12,99", "--gauge=a,-3,2", "--sweep",
          "yx");
    ASSERT_STATUS(0);
    const int xy = open_file("xy.nc"), yx = open_file("yx.nc");
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        size_t n, m;
        double *a = values(xy, same[k], &n), *b = values(yx, same[k], &m);
        assert_int_equal(n, m);
        for (size_t i = 0; i < n; i++)
            if (!(fabs(a[i] - b[i]) <= 1e-3) && !(isnan(a[i]) && isnan(b[i])))
                fail_msg("%s: value %zu is %g, not %g", same[k], i, b[i], a[i]);
        free(a);
        free(b);
    }
    nc_close(xy);
    nc_close(yx);
}

static void maxima_fit_the_maps_that_are_written_on_the_way(void **state)
{
    (void)state;
    SHOAL(DAM, "--output", "m.nc", "--maxima", "--maxima-every", "1", "--every", "1e-9",
          "--wet-depth", "0.02", "--gauge", "b,3.3,-2");
    ASSERT_STATUS(0);
    const int id = open_file("m.nc");
    size_t n, all, times;
    double *h = values(id, "h", &all), *most = values(id, "h_max", &n),
           *t = values(id, "time", &times);
    double *arrival = values(id, "arrival_time", &n), *level = values(id, "w_max", &n);
    double *bed = values(id, "bed", &n), *at_gauge = values(id, "gauge_arrival_time", &n);
    double *speed = values(id, "speed_max", &n), *high = values(id, "gauge_w_max", &n);
    for (size_t k = 0; k < CELLS; k++) {
        double deepest = 0, first = (double)NAN;
        for (size_t r = times; r-- > 0;) {
            deepest = fmax(deepest, h[r * CELLS + k]);
            first = h[r * CELLS + k] > (double)0.02f ? t[r] : first;
        }
        if (isnan(first))
            assert_true(isnan(most[k]) && isnan(level[k]) && isnan(speed[k]));
        else
            assert_true(most[k] == deepest && level[k] == (double)(float)(bed[k] + deepest));
        assert_true(isnan(first) ? isnan(arrival[k]) : arrival[k] == (double)(float)first);
    }
    assert_true(n == 1 && at_gauge[0] == arrival[B] && high[0] == level[B]);
    assert_true(has(id, "momentum_flux_max") && has(id, "gauge_wet_duration"));
    free(h), free(most), free(t), free(arrival), free(level), free(bed), free(at_gauge);
    free(speed), free(high);
    nc_close(id);
}

/* The value at one moment, which the product of the maxima is not. */
static void the_hazard_is_the_largest_of_any_moment(void **state)
{
    (void)state;
    SHOAL(DAM, "--precision=f64", "--output=z.nc", "--hazard", "--debris=0.5", "--maxima-every=1",
          "--every=1e-9", "--kappa=1e-6", "--gauge=b,3.3,-2");
    ASSERT_STATUS(0);
    const int id = open_file("z.nc");
    size_t n, all, times;
    double *h = values(id, "h", &all), *hu = values(id, "hu", &all), *hv = values(id, "hv", &all);
    double *hazard = values(id, "hazard_max", &n), *class = values(id, "hazard_class", &n);
    double *at_gauge = values(id, "gauge_hazard_max", &n), *t = values(id, "time", &times);
    int classes[5] = {0}, shallow = 0;
    for (size_t k = 0; k < CELLS; k++) {
        double most = 0;
        for (size_t m = k; m < all; m += CELLS)
            if (h[m] > 0.01) {
                const double speed = hypot(hu[m], hv[m]) / h[m];
                const int debris = h[m] > 0.25 || speed > 2;
                shallow += speed > 2 && h[m] <= 0.25;
                most = fmax(most, h[m] * (speed + 0.5) + (debris ? 0.5 : 0));
            }
        const int wanted = most >= 2 ? 4 : most >= 1.25 ? 3 : most >= 0.75 ? 2 : 1;
        if (most > 0 ? !(fabs(hazard[k] - most) <= 1e-9) : !isnan(hazard[k]))
            fail_msg("cell %zu: %.9g, not %.9g", k, hazard[k], most);
        assert_true(most > 0 ? class[k] == wanted : isnan(class[k]));
        classes[most > 0 ? wanted : 0]++;
    }
    assert_true(classes[0] > 0 && classes[1] > 0 && classes[2] > 0 && classes[3] > 0);
    assert_true(shallow > 0);
    assert_true(at_gauge[0] == hazard[B] && !has(id, "h_max"));
    free(h), free(hu), free(hv), free(hazard), free(class), free(at_gauge), free(t);
    nc_close(id);
}

/* In a file whose name is a letter. */
static void the_series_of_volumes_closes_to_round_off(void **state)
{
    (void)state;
    SHOAL(RUN, "--precision", "f64", "--t-end", "3", "--bc-east", "open", "--output", "v",
          "--balance-every", "0.5");
    ASSERT_STATUS(0);
    static const char *const names[] = {"balance_volume",  "balance_inflow", "balance_outflow",
                                        "balance_clipped", "balance_error",  "balance_forced"};
    const int id = open_file("v");
    size_t n, times;
    double *t = values(id, "balance_time", &times), *v[6];
    for (int k = 0; k < 6; k++)
        v[k] = values(id, names[k], &n);
    assert_true(times == 7 && t[0] == 0 && t[6] == 3 && n == times);
    for (size_t k = 0; k < times; k++) {
        const double net = v[1][k] - v[2][k] + v[5][k], gained = v[0][k] - v[0][0] - net;
        assert_true(t[k] >= 0.5 * (double)k && v[5][k] == 0);
        assert_true(fabs(gained - v[4][k]) <= 1e-12 * v[0][0]);
        assert_true(fabs(v[4][k] - v[3][k]) <= 1e-12 * v[0][0]);
    }
    assert_true(v[2][6] > 1e-3 * v[0][0]);
    for (int k = 0; k < 6; k++)
        free(v[k]);
    free(t);
    free(values(id, "time", &times));
    assert_int_equal(times, 1);
    nc_close(id);
}

static void compression_changes_the_size_only(void **state)
{
    (void)state;
    static const char *const levels[] = {"0", "1", "9"};
    long size[3];
    double *first = NULL;
    for (int k = 0; k < 3; k++) {
        struct stat s;
        char path[PATH_LENGTH];
        size_t n;
        SHOAL(DAM, "--output", "d.nc", "--deflate", levels[k], "--nx", "200", "--ny", "200",
              "--steps", "3");
        ASSERT_STATUS(0);
        scratch_path(path, "d.nc");
        assert_int_equal(stat(path, &s), 0);
        size[k] = (long)s.st_size;
        const int id = open_file("d.nc");
        size_t chunk[3];
        int var, storage;
        assert_int_equal(nc_inq_varid(id, "w", &var), NC_NOERR);
        assert_int_equal(nc_inq_var_chunking(id, var, &storage, chunk), NC_NOERR);
        assert_int_equal(chunk[1], 200);
        assert_int_equal(chunk[2], k == 0 ? 200 : 100); /* smaller where threads compress them */
        double *w = values(id, "w", &n);
        assert_true(!first || memcmp(w, first, n * sizeof *w) == 0);
        free(first);
        first = w;
        nc_close(id);
    }
    free(first);
    assert_true(size[0] > 960000 && size[1] < size[0] / 4 && size[2] <= size[1]);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The thread that writes reaches the end of the disk long before the run ends. */
static void a_full_disk_ends_the_run_and_leaves_the_older_file(void **state)
{
    (void)state;
    scratch_write("old.nc", "w", "older");
    limit_files(300000);
    SHOAL(RUN, "--t-end", "1e6", "--every", "1e-3", "--deflate", "0", "--output", "old.nc",
          "--maxima", "--gauge", "a,0,0");
    limit_files(RLIM_INFINITY);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "cannot write 'old.nc': file too large");
    assert_int_equal(files(0), 3); /* old.nc, stdout and stderr */
    static char text[MOST_TEXT];
    program_read("old.nc", text);
    assert_string_equal(text, "older");
}

/* A checkpoint is larger than a map that compresses well, where there is a flow. */
static void records_whose_first_checkpoint_failed_go(void **state)
{
    (void)state;
    limit_files(90000);
    SHOAL(DAM, "--precision=f64", "--variables=h", "--deflate=9", "--checkpoint=.1",
          "--output=r.nc");
    limit_files(RLIM_INFINITY);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "cannot write 'r.nc.checkpoint.nc': file too large");
    assert_int_equal(files(0), 2); /* stdout and stderr */
    SHOAL(DAM, "--precision=f64", "--variables=h", "--deflate=9", "--steps=20", "--checkpoint=.1",
          "--output=r.nc");
    ASSERT_STATUS(0);
}

static void what_cannot_be_written_is_refused_before_the_run(void **state)
{
    (void)state;
    SHOAL(DAM, "--output", "x.nc", "--gauge", "far,21,0");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "gauge 'far' at (21, 0) lies outside the domain, x = -20 to 20");
    SHOAL(DAM, "--output", "x.nc", "--region", "30,0,40,1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "contains no cell's centre; the domain is x = -20 to 20");
    SHOAL(DAM, "--output", "x.nc", "--gauge-every", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "there are no gauges");
    assert_int_equal(files(0), 2);
}

int main(void)
{
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(gauges_show_what_maps_do_at_the_same_times),
        HERE(ten_thousand_gauges_are_one_table),
        HERE(a_region_is_a_part_of_the_whole_to_the_bit),
        HERE(each_variable_alone_is_what_it_is_among_all),
        HERE(a_turned_problem_is_written_the_right_way_round),
        HERE(maxima_fit_the_maps_that_are_written_on_the_way),
        HERE(the_hazard_is_the_largest_of_any_moment),
        HERE(the_series_of_volumes_closes_to_round_off),
        HERE(compression_changes_the_size_only),
        HERE(a_full_disk_ends_the_run_and_leaves_the_older_file),
        HERE(records_whose_first_checkpoint_failed_go),
        HERE(what_cannot_be_written_is_refused_before_the_run),
    };
    if (program_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void without_netcdf_output_names_the_package(void **state)
{
    (void)state;
    SHOAL(DAM, "--output", "x.nc", "--maxima");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "libnetcdf-dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        without_netcdf_output_names_the_package, scratch_setup, scratch_remove)};
    if (program_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
