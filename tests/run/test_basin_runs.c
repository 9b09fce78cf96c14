/* `shoal run` of sediment: files, options, restarts, and what is refused. */
#include "tests/support/test.h"

#include <math.h>

#include "core/netcdf/netcdf_file.h"
#include "core/registry/registry.h"
#include "tests/support/need_gnuplot.h"
#include "tests/support/program.h"

#define QUIET "--quiet", "--backend=cpu", "--threads=1", "--mode=strict"
#define BASIN                                                                             \
    "run", "floor.asc", QUIET, "--t-end=2e5", "--alpha=sand.asc", "--beta=1e-3*(1+x/40)", \
        "--layer=0.5"

static void write_text(const char *name, const char *text)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define HEAD "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n"

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    write_text("floor.asc", HEAD "-3 -2 3 4\n-1 2 3 5\n1 2 4 4\n");
    write_text("sand.asc", HEAD "1e-3 2e-3 1e-3 1e-3\n1e-3 1e-3 3e-3 1e-3\n1e-3 1e-3 1e-3 1e-3\n");
    write_text("bad.asc", HEAD "1e-3 2e-3 1e-3 1e-3\n1e-3 1e-3 -3e-3 1e-3\n1e-3 1e-3 1e-3 1e-3\n");
    write_text("holes.asc", HEAD "NODATA_value -9\n1 -9 1 1\n1 1 1 1\n1 1 1 1\n");
    write_text("river.txt", "0 0\n1e5 2e-5\n3e5 1e-5\n");
    write_text("drain.txt", "0 0\n1e5 -2e-5\n3e5 -1e-5\n");
    return 0;
}

static double number_behind(const char *key)
{
    const char *at = strstr(result.out, key);
    if (!at)
        fail_msg("no %s in %s", key, result.out);
    return strtod(at + strlen(key), NULL);
}

static void read_result(const char *name, struct nc_input *in)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    if (nc_read(path, find_system("sediment"), in))
        fail_msg("%s", err_message());
}

static void a_restart_goes_on_with_the_same_bits(void **state)
{
    static const char *const schemes_of_it[] = {"--scheme=basin_cons", "--scheme=basin"};
    static const char *const alpha[] = {"--alpha=sand.asc", "--alpha=1e-3"};
    static const char *const beta[] = {"--beta=1e-3*(1+x/40)", "--beta=1e-3"};
    (void)state;
    if (!ncfile_available())
        skip();
    for (int k = 0; k < 2; k++) {
        struct nc_input whole, parted;
#define RUN                                                                                        \
    BASIN, schemes_of_it[k], alpha[k], beta[k], "--sand=0.4", "--bc-west=sand:river.txt,mud:5e-6", \
        "--bc-east=sediment:drain.txt@0..20"
        SHOAL(RUN, "--output=whole.nc");
        ASSERT_STATUS(0);
        char summary[512];
        snprintf(summary, sizeof summary, "%s", strstr(result.out, " steps="));
        assert_true(number_behind("volume_in=") > 0 && number_behind("volume_out=") > 0);
        SHOAL(RUN, "--output=half.nc", "--checkpoint=2e4", "--steps=20");
        ASSERT_STATUS(0);
        SHOAL(RUN, "--output=rest.nc", "--restart=half.nc.checkpoint.nc");
        ASSERT_STATUS(0);
        assert_true(strncmp(strstr(result.out, " steps="), summary, 12) == 0);
        ASSERT_HAS(summary, strstr(result.out, " volume_in="));
        read_result("whole.nc", &whole);
        read_result("rest.nc", &parted);
        for (int u = 0; u < 2; u++)
            if (memcmp(whole.unknown[u], parted.unknown[u], 12 * sizeof(double)) != 0)
                fail_msg("unknown %d differs", u);
        nc_input_free(&whole);
        nc_input_free(&parted);
        SHOAL(RUN, "--output=rest.nc", "--restart=half.nc.checkpoint.nc", "--layer=0.6");
        ASSERT_STATUS(2);
        ASSERT_HAS(result.err, "--layer was '0.5'");
    }
}

/* Status and a part of the message. */
static void refused(int status, const char *part)
{
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, part);
    assert_null(strstr(result.err, "BUG"));
}

static void expect_same_results(const char *one, const char *other, size_t cells)
{
    struct nc_input a, b;
    read_result(one, &a);
    read_result(other, &b);
    for (int u = 0; u < 2; u++)
        if (memcmp(a.unknown[u], b.unknown[u], cells * sizeof(double)) != 0)
            fail_msg("unknown %d of %s is another one in %s", u, one, other);
    nc_input_free(&a);
    nc_input_free(&b);
}

/* The same bits however the domain is cut, whoever computes it, and after a restart with another number of parts. */
static void parts_tiles_and_processes_come_to_the_same_bits(void **state)
{
#define DELTA "run", "delta", QUIET, "--nx=14"
    static const char *const how[][2] = {{"--parts=3x2", "--tile=14"},
                                         {"--tile=6x5", "--parts=2"},
                                         {"--ranks=2", "--parts=2"},
                                         {"--ranks=3", "--parts=3x1"}};
    (void)state;
    if (!ncfile_available())
        skip();
    SHOAL(DELTA, "--steps=12", "--output=plain.nc");
    ASSERT_STATUS(0);
    for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
        SHOAL(DELTA, "--steps=12", "--output=other.nc", how[k][0], how[k][1]);
        ASSERT_STATUS(0);
        expect_same_results("plain.nc", "other.nc", 14 * 14);
    }
    SHOAL(DELTA, "--steps=7", "--checkpoint=1", "--output=half.nc", "--ranks=2", "--parts=2");
    ASSERT_STATUS(0);
    SHOAL(DELTA, "--steps=12", "--restart=half.nc.checkpoint.nc", "--output=other.nc",
          "--parts=1x3");
    ASSERT_STATUS(0);
    expect_same_results("plain.nc", "other.nc", 14 * 14);
    SHOAL(DELTA, "--domain=sparse");
    refused(2, "the system sediment has no dry or resting state: leave it out");
}

static void f64_is_the_default_of_this_system(void **state)
{
    (void)state;
    SHOAL("run", "delta", QUIET, "--nx=20", "--steps=3");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " scheme=basin_cons ");
    ASSERT_HAS(result.out, " precision=f64 ");
    ASSERT_HAS(result.out, " excess=0.000e+00");
    SHOAL("run", "delta", QUIET, "--nx=20", "--steps=3", "--precision=f32");
    ASSERT_HAS(result.out, " precision=f32 ");
    SHOAL("run", "stoker", QUIET, "--nx=20", "--steps=3");
    ASSERT_HAS(result.out, " precision=f32 ");
    assert_null(strstr(result.out, "excess"));
    SHOAL("run", "delta", "--nx", "20", "--steps", "1", "--scheme", "auto");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "scheme basin_cons, the default of the system sediment");
    ASSERT_HAS(result.out, "scheme=basin_cons");
}

/* Its h is not a depth of water. */
static void a_picture_is_of_what_the_system_has(void **state)
{
    (void)state;
    need_gnuplot();
    if (!ncfile_available())
        skip();
    SHOAL("run", "delta", QUIET, "--nx=20", "--steps=3", "--output=delta.nc");
    ASSERT_STATUS(0);
    SHOAL("render", "delta.nc", "--output=h.png");
    ASSERT_STATUS(0);
    SHOAL("render", "delta.nc", "--variable=depth", "--output=depth.png");
    refused(2, "depth needs h, or w and bed: expected one of h, s");
}

/* A pass of two steps would skip some of them. */
static void gauges_have_all_rows_with_a_fixed_step(void **state)
{
    (void)state;
    if (!ncfile_available())
        skip();
    SHOAL("run", "delta", "--backend=cpu", "--nx=20", "--dt=3", "--t-end=1000", "--gauge=P,50,0",
          "--gauge-every=100", "--output=gauge.nc");
    ASSERT_STATUS(0);
    SHOAL("export", "gauge.nc", "--variable", "gauge_h", "--format", "csv");
    ASSERT_STATUS(0);
    char path[PATH_LENGTH], *text;
    size_t n;
    int lines = 0;
    scratch_path(path, "gauge-gauge_h.csv");
    if (whole_file_read(path, WHOLE_TEXT, &text, &n))
        fail_msg("%s", err_message());
    for (size_t k = 0; k < n; k++)
        lines += text[k] == '\n';
    free(text);
    assert_true(lines >= 12);
}

static void settings_survive_a_run_file(void **state)
{
    (void)state;
    SHOAL("run", "delta", "--nx=20", "--steps=3", "--print-config");
    ASSERT_STATUS(0);
    write_text("delta.ini", result.out);
    SHOAL("run", "delta.ini", "--quiet");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " precision=f64 ");
}

static void what_means_nothing_is_refused_by_name(void **state)
{
    (void)state;
    SHOAL(BASIN, "--scheme=basin");
    refused(2, "--sand is missing: a run of the system sediment needs the share of sand");
    SHOAL(BASIN, "--scheme=basin", "--sand=1.2");
    refused(2, "--sand: expected 0 to 1, got 1.2");
    SHOAL(BASIN, "--scheme=basin", "--sand=x/30");
    refused(2, "cell (3, 0), at x = 35, y = 5, has 1.16666667: expected a number from 0 to 1");
    SHOAL(BASIN, "--scheme=basin", "--sand=0.4", "--alpha=bad.asc");
    refused(2, "--alpha: bad.asc: cell (2, 1), at x = 25, y = 15, has -0.003: expected a number "
               "from 0 on");
    SHOAL(BASIN, "--scheme=basin", "--sand=0.4", "--alpha=holes.asc");
    refused(2, "holes.asc: cell (1, 2), at x = 15, y = 25, has no value: expected a number from 0");
    SHOAL("run", "holes.asc", "--scheme=basin", "--t-end=1", "--layer=1", "--alpha=1", "--beta=1",
          "--sand=1");
    refused(2, "holes.asc: cell (1, 2), at x = 15, y = 25, has no value: expected the height");
    SHOAL(BASIN, "--scheme=basin", "--sand=0.4", "--compaction=0.6,-1");
    refused(2, "--compaction: '0.6,-1': expected two numbers above 0");
    SHOAL(BASIN, "--scheme=basin", "--sand=0.4", "--layer=0");
    refused(2, "--layer: expected more than 0, got 0");
    SHOAL("run", "floor.asc", "--scheme=basin", "--t-end=1", "--layer=1", "--alpha=1");
    refused(2, "--beta is missing");
    SHOAL("run", "delta", "--scheme=rk2");
    refused(2, "scheme rk2 solves the system shallow_water, but this run's is sediment");
    SHOAL("run", "stoker", "--scheme=basin");
    refused(2, "scheme basin solves the system sediment, but this run's is "
               "shallow_water");
    SHOAL("run", "delta", "--limiter=mc");
    refused(2, "--limiter applies to the system shallow_water");
    SHOAL("run", "delta", "--flux=hll");
    refused(2, "--flux applies to the system shallow_water");
    SHOAL("run", "delta", "--manning=0.03");
    refused(2, "--manning applies to the system shallow_water");
    SHOAL("run", "delta", "--early-exit=on");
    refused(2, "--early-exit applies to the system shallow_water");
    SHOAL("run", "delta", "--limiter=minmod");
    refused(2, "--limiter applies to the system shallow_water");
    SHOAL("run", "delta", "--early-exit=auto");
    refused(2, "--early-exit applies to the system shallow_water");
    SHOAL("run", "delta", "--reconstruction=kp");
    refused(2, "--reconstruction applies to the system shallow_water");
    SHOAL("run", "stoker", "--alpha=1");
    refused(2, "--alpha applies to the system sediment");
}

static void rungs_that_a_scheme_lacks_are_refused(void **state)
{
    (void)state;
    SHOAL("run", "delta", "--define=ONE_KERNEL=1");
    refused(2, "belongs to the kernels of --scheme basin");
    SHOAL("run", "delta", "--scheme=basin", "--define=HALO_THREADS=2");
    refused(2, "--define HALO_THREADS=2: its values are 0 and 1");
    SHOAL("run", "delta", "--scheme=basin", "--define=POINTS=40");
    refused(2, "--define POINTS=40: its values are 1 and 4");
    SHOAL("run", "delta", "--scheme=basin", "--define=ONE_KERNEL=1", "--parts=2");
    refused(2, "leave out --parts");
    SHOAL("run", "delta", "--scheme=basin", "--define=ONE_KERNEL=1", "--tile=20");
    refused(2, "leave out --parts");
}

static void edges_of_the_other_system_are_refused(void **state)
{
    (void)state;
    SHOAL("run", "delta", "--bc-east=open");
    refused(2, "this edge applies to the system shallow_water, but the run's is sediment");
    SHOAL("run", "stoker", "--bc-east=sand:1");
    refused(2, "this edge applies to the system sediment, but the run's is shallow_water");
    SHOAL("run", "delta", "--bc-east=sand:-1e-3");
    refused(2, "may drain a cell of it");
    SHOAL("run", "delta", "--bc-east=sediment:1e-3");
    refused(2, "expected a flux below 0");
    SHOAL("run", "delta", "--t-end=1e5", "--bc-east=sand:drain.txt");
    refused(2, "drain.txt: at 100000 s the flux is -2e-05 m2/s: expected a number from 0 on");
    SHOAL("run", "delta", "--bc-east=mud:1e-6,mud:2");
    refused(2, "gives mud twice: expected sand:Q,mud:Q");
    SHOAL("run", "delta", "--bc-east=sediment:-1e-6", "--alpha=0", "--sand=1");
    refused(2, "--bc-east: sediment leaves through the edge of cell (");
    SHOAL("run", "delta", "--bc-east=sediment:-1,mud:1");
    refused(2, "sediment takes one number");
}

static void a_fixed_step_that_is_too_long_is_refused_at_the_start(void **state)
{
    (void)state;
    SHOAL("run", "delta", "--nx=20", "--dt=500");
    refused(2, "--dt 500 is too long: scheme basin_cons is stable for steps of up to ");
    SHOAL("run", "delta", "--nx=20", "--dt=500", "--parts=2x2");
    refused(2, "--dt 500 is too long");
}

static void files_of_the_other_system_are_refused(void **state)
{
    (void)state;
    if (!ncfile_available())
        skip();
    SHOAL("run", "stoker", QUIET, "--nx=20", "--steps=2", "--output=water.nc");
    ASSERT_STATUS(0);
    SHOAL("run", "water.nc", "--scheme=basin", "--t-end=1", "--alpha=1", "--beta=1", "--layer=1",
          "--sand=0.5");
    refused(2, "has the state of the system shallow_water, but the run's is sediment");
    SHOAL("run", "delta", QUIET, "--nx=20", "--steps=2", "--output=basin.nc");
    ASSERT_STATUS(0);
    SHOAL("run", "basin.nc", "--t-end=1");
    refused(2, "has the state of the system sediment, but the run's is shallow_water");
    SHOAL("run", "basin.nc", QUIET, "--scheme=basin", "--t-end=100", "--alpha=0.01", "--beta=0.01",
          "--layer=1");
    ASSERT_STATUS(0);
}

/* Heights count from anywhere: an error is a share of what may move. In f32 it shows, below the datum as above. */
static void the_error_of_the_volume_does_not_depend_on_where_heights_begin(void **state)
{
    enum { COLUMNS = 8, ROWS = 4 };
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double level = k < 2 ? -1000 : 1000;
        char text[1024];
        int n =
            snprintf(text, sizeof text,
                     "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\n", COLUMNS, ROWS);
        for (int c = 0; c < ROWS * COLUMNS; c++) {
            const int i = c % COLUMNS;
            n += snprintf(text + n, sizeof text - (size_t)n, "%g%c", level + 0.37 * i * i,
                          i + 1 < COLUMNS ? ' ' : '\n');
        }
        write_text("high.asc", text);
        SHOAL("run", "high.asc", "--scheme", "basin_cons", "--alpha", "1e-3", "--beta", "1e-3",
              "--layer", "0.5", "--sand", "0.4", "--t-end", "1e6", "--precision",
              k % 2 ? "f32" : "f64");
        ASSERT_STATUS(0);
        const double error = atof(strstr(result.out, "mass_error=") + strlen("mass_error="));
        assert_true(k % 2 ? fabs(error) > 1e-5 : fabs(error) < 1e-10);
        assert_int_equal(strstr(result.err, "the volume is off by ") != NULL, k % 2);
    }
}

static void the_published_scheme_ends_with_status_4(void **state)
{
    (void)state;
    SHOAL("run", "delta", QUIET, "--nx=50", "--scheme=basin");
    refused(4, "the share of sand, s, is ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_goes_on_with_the_same_bits),
        cmocka_unit_test(parts_tiles_and_processes_come_to_the_same_bits),
        cmocka_unit_test(f64_is_the_default_of_this_system),
        cmocka_unit_test(a_picture_is_of_what_the_system_has),
        cmocka_unit_test(gauges_have_all_rows_with_a_fixed_step),
        cmocka_unit_test(settings_survive_a_run_file),
        cmocka_unit_test(what_means_nothing_is_refused_by_name),
        cmocka_unit_test(rungs_that_a_scheme_lacks_are_refused),
        cmocka_unit_test(edges_of_the_other_system_are_refused),
        cmocka_unit_test(a_fixed_step_that_is_too_long_is_refused_at_the_start),
        cmocka_unit_test(files_of_the_other_system_are_refused),
        cmocka_unit_test(the_error_of_the_volume_does_not_depend_on_where_heights_begin),
        cmocka_unit_test(the_published_scheme_ends_with_status_4),
    };
    if (program_find())
        return 1;
    return cmocka_run_group_tests_name("basin_runs", tests, set_up, scratch_remove);
}
