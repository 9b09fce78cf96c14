/* Files of sparse domains: what they omit, what the rest contains, and what can be done with them. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>

#include "core/options/run_config.h"
#include "core/picture/gnuplot.h"
#include "tests/support/program.h"
#include "tests/support/variables.h"

enum { NX = 211, NY = 163, RECORDS = 4, CELLS = RECORDS * NX * NY };

#define FLOOD                                                                                      \
    "run", "circular-dam-100", "--nx", "211", "--ny", "163", "--every", "0.1", "--backend", "cpu", \
        "--mode", "strict", "--maxima", "--quiet"
#define SPARSE "--domain", "sparse", "--tile", "28"

static int build(void **state)
{
    (void)state;
    scratch_create();
    return program_find();
}

static int open_result(const char *name)
{
    char path[PATH_LENGTH];
    int id;
    scratch_path(path, name);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    return id;
}

static void read_floats(const char *file, const char *name, float *to)
{
    const int id = open_result(file);
    int var;
    size_t records;
    assert_int_equal(nc_inq_dimid(id, "time", &var), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, var, &records), NC_NOERR);
    assert_int_equal(records, RECORDS);
    assert_int_equal(nc_inq_varid(id, name, &var), NC_NOERR);
    assert_int_equal(nc_get_var_float(id, var, to), NC_NOERR);
    nc_close(id);
}

/* Which cells of a record have no value; all others equal those of the full run, to the bit. */
static long gaps(const char *file, const char *name)
{
    static float want[CELLS], have[CELLS];
    long n = 0;
    read_floats("full.nc", name, want);
    read_floats(file, name, have);
    for (long k = 0; k < CELLS; k++) {
        n += isnan(have[k]) != 0;
        if (!isnan(have[k]) && memcmp(&have[k], &want[k], sizeof *want) != 0)
            fail_msg("%s: %s of cell %ld is %.9g, not %.9g", file, name, k, (double)have[k],
                     (double)want[k]);
    }
    return n;
}

static void check_gaps(const char *file, int filled)
{
    static const char *const names[] = {"w", "h", "hu", "hv"};
    for (int k = 0; k < 4; k++) {
        const long n = gaps(file, names[k]);
        if (filled ? n != 0 : n < CELLS / 8 || n > CELLS - 200)
            fail_msg("%s: %s has %ld gaps in %d numbers", file, names[k], n, (int)CELLS);
    }
}

/* A cell of the maps, which have `nx` columns, in a tile that is stored has a value. The maps begin in the first tile, and
 * the second one begins at `second`. */
static void check_maps_table(const char *file, size_t nx, size_t ny, const size_t tiles[2],
                             const int second[2])
{
    static float h[CELLS];
    static signed char state[RECORDS * 64];
    int column[16], row[16], var;
    size_t columns, rows;
    const int id = open_result(file);
    read_floats(file, "h", h);
    assert_int_equal(nc_inq_dimid(id, "tile_column", &var), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, var, &columns), NC_NOERR);
    assert_int_equal(nc_inq_dimid(id, "tile_row", &var), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, var, &rows), NC_NOERR);
    assert_true(columns == tiles[0] && rows == tiles[1]);
    assert_int_equal(nc_inq_varid(id, "tile_column", &var), NC_NOERR);
    assert_int_equal(nc_get_var_int(id, var, column), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "tile_row", &var), NC_NOERR);
    assert_int_equal(nc_get_var_int(id, var, row), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "tile_state", &var), NC_NOERR);
    assert_int_equal(nc_get_var_schar(id, var, state), NC_NOERR);
    assert_true(column[0] == second[0] - 28 && column[1] == second[0]);
    assert_true(row[0] == second[1] - 28 && row[1] == second[1]);
    column[0] = row[0] = 0;
    int stored = 0;
    for (size_t r = 0; r < RECORDS; r++)
        for (size_t j = 0; j < rows; j++)
            for (size_t i = 0; i < columns; i++) {
                if (state[(r * rows + j) * columns + i] != 2)
                    continue;
                stored++;
                if (isnan(h[(r * ny + (size_t)row[j]) * nx + (size_t)column[i]]))
                    fail_msg("%s: record %zu: tile %zu, %zu is stored and has no value", file, r, i,
                             j);
            }
    assert_true(stored > 0);
    nc_close(id);
}

static void check_table(const char *file)
{
    check_maps_table(file, NX, NY, (const size_t[]){8, 6}, (const int[]){28, 28});
}

static void what_is_not_stored_is_left_out_and_the_rest_is_that_of_a_full_run(void **state)
{
    (void)state;
    static const char *const deflate[] = {"0", "1"};
    SHOAL(FLOOD, "--t-end", "0.25", "--output", "full.nc");
    ASSERT_STATUS(0);
    for (int k = 0; k < 2; k++) {
        SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "gaps.nc", "--deflate", deflate[k]);
        ASSERT_STATUS(0);
        ASSERT_HAS(result.out, " tiles=");
        check_gaps("gaps.nc", 0);
        check_table("gaps.nc");
    }
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "filled.nc", "--fill-absent");
    ASSERT_STATUS(0);
    check_gaps("filled.nc", 1);
}

/* The colours of a picture of FILE with --tiles and without. */
static void pictures_differ(const char *file)
{
    static unsigned char bytes[2][1 << 20];
    size_t n[2];
    for (int k = 0; k < 2; k++) {
        char path[PATH_LENGTH];
        SHOAL("render", file, "--size", "320x240", "--output", "map.png", k ? "--tiles" : "--cells",
              "--cells");
        ASSERT_STATUS(0);
        scratch_path(path, "map.png");
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        n[k] = fread(bytes[k], 1, sizeof bytes[k], f);
        fclose(f);
    }
    assert_true(n[0] != n[1] || memcmp(bytes[0], bytes[1], n[0]) != 0);
}

/* Columns 30 to 149 and rows 20 to 99. */
static void maps_of_a_region_have_the_table_of_its_tiles(void **state)
{
    char full[PATH_LENGTH], filled[PATH_LENGTH], which[NC_MAX_NAME + 1];
    (void)state;
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--region=-35.7,-37.5,20.9,11.1", "--output", "a.nc");
    ASSERT_STATUS(0);
    check_maps_table("a.nc", 120, 80, (const size_t[]){5, 4}, (const int[]){26, 8});
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--region=-35.7,-37.5,20.9,11.1", "--output",
          "filled.nc", "--fill-absent");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.25", "--region=-35.7,-37.5,20.9,11.1", "--output", "full.nc");
    ASSERT_STATUS(0);
    scratch_path(full, "full.nc");
    scratch_path(filled, "filled.nc");
    if (!same_variables(full, filled, which))
        fail_msg("%s differs from that of a full run", which);
    if (gnuplot_present())
        pictures_differ("a.nc");
}

static void a_run_that_goes_on_has_the_same_records(void **state)
{
    (void)state;
    SHOAL(FLOOD, "--t-end", "0.25", "--output", "full.nc");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.15", SPARSE, "--output", "a.nc", "--checkpoint", "0.12");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "b.nc", "--restart", "a.nc.checkpoint.nc");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.25", "--domain", "sparse", "--tile", "14", "--output", "a.nc",
          "--restart", "a.nc.checkpoint.nc");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, " gauges and --tile (its tiles have 28x28 cells),");
    SHOAL(FLOOD, "--t-end", "0.25", "--output", "a.nc", "--restart", "a.nc.checkpoint.nc");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, " gauges and --domain (its tiles have 28x28 cells),");
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "a.nc", "--restart", "a.nc.checkpoint.nc");
    ASSERT_STATUS(0);
    check_gaps("a.nc", 0);
    check_table("a.nc");
}

static void a_file_with_gaps_is_no_input(void **state)
{
    (void)state;
    SHOAL("run", "circular-dam-100", "--nx", "211", "--t-end", "0.1", "--backend", "cpu",
          "--domain", "sparse", "--tile", "14", "--quiet", "--output", "one.nc");
    ASSERT_STATUS(0);
    SHOAL("run", "one.nc", "--t-end", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--fill-absent");
    SHOAL(FLOOD, "--t-end", "0.1", "--every", "0.05", "--domain", "sparse", "--tile", "14",
          "--checkpoint", "0.05", "--output", "many.nc");
    ASSERT_STATUS(0);
    SHOAL("run", "many.nc", "--t-end", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--fill-absent");
    SHOAL("run", "many.nc" CHECKPOINT_ENDING, "--t-end", "0.1");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--restart");
}

static void a_run_out_of_tiles_leaves_a_checkpoint_to_go_on_from(void **state)
{
    char most[32];
    (void)state;
    SHOAL(FLOOD, "--t-end", "0.25", "--output", "full.nc");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "a.nc", "--tiles-most", "1");
    ASSERT_STATUS(2);
    const char *need = strstr(result.err, " need ");
    assert_non_null(need);
    snprintf(most, sizeof most, "%ld", strtol(need + 6, NULL, 10));
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "a.nc", "--tiles-most", most);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "tiles of 28 x 28 cells are needed, and --tiles-most allows");
    ASSERT_HAS(result.err, "--restart ");
    ASSERT_HAS(result.err, "a.nc" CHECKPOINT_ENDING);
    assert_true(scratch_has("a.nc" CHECKPOINT_ENDING));
    SHOAL("run", "circular-dam-100", "--nx", "211", "--ny", "163", "--backend", "cpu", "--mode",
          "strict", "--quiet", "--t-end", "0.25", SPARSE, "--tiles-most", most);
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "without a checkpoint: --output FILE.nc would keep one");
    SHOAL(FLOOD, "--t-end", "0.25", "--domain", "sparse", "--tile", "14", "--output", "b.nc",
          "--tiles-most", "1", "--restart", "a.nc" CHECKPOINT_ENDING);
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "--tiles-most 1: the start and the checkpoint together need ");
    SHOAL(FLOOD, "--t-end", "0.25", SPARSE, "--output", "a.nc", "--restart",
          "a.nc" CHECKPOINT_ENDING);
    ASSERT_STATUS(0);
    check_gaps("a.nc", 0);
    check_table("a.nc");
}

static void pictures_outline_the_tiles_of_a_sparse_domain_alone(void **state)
{
    (void)state;
    SHOAL(FLOOD, "--t-end", "0.1", "--output", "full.nc");
    ASSERT_STATUS(0);
    SHOAL(FLOOD, "--t-end", "0.1", SPARSE, "--output", "gaps.nc");
    ASSERT_STATUS(0);
    SHOAL("render", "full.nc", "--tiles", "--output", "map.png");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "full.nc has no table of tiles");
    SHOAL("render", "gaps.nc", "--tiles", "--view", "3d", "--output", "map.png");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "maps only");
    if (gnuplot_present()) {
        pictures_differ("gaps.nc");
    } else {
        print_message("skipped: there is no gnuplot\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_is_not_stored_is_left_out_and_the_rest_is_that_of_a_full_run, build,
            scratch_remove),
        cmocka_unit_test_setup_teardown(maps_of_a_region_have_the_table_of_its_tiles, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_run_that_goes_on_has_the_same_records, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_file_with_gaps_is_no_input, build, scratch_remove),
        cmocka_unit_test_setup_teardown(a_run_out_of_tiles_leaves_a_checkpoint_to_go_on_from, build,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(pictures_outline_the_tiles_of_a_sparse_domain_alone, build,
                                        scratch_remove),
    };
    return cmocka_run_group_tests_name("files of sparse domains", tests, NULL, NULL);
}

#else

SKIPPED_WITHOUT_NETCDF

#endif
