/* `shoal measure`, kinds timeline, section, profile and tuning. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "tests/support/measured.h"
#include "tests/support/missing.h"
#include "verification/run/verify.h"

static void a_timeline_cuts_the_run_into_pieces_that_add_up(void **state)
{
    double steps = 0, t = 0, dry = 1;
    char said[32], end[32];
    (void)state;
    struct db_cells all =
        measured("kind = timeline\ncase = circular-dam-dry\nnx = 32\nrecords = 4\nrepeat = 1\n");
    assert_int_equal(all.rows, 1 + 4);
    for (size_t row = 1; row <= 4; row++) {
        assert_int_equal(number_of(&all, row, "record"), row);
        assert_true(number_of(&all, row, "t") > t && number_of(&all, row, "dry") < dry);
        t = number_of(&all, row, "t");
        dry = number_of(&all, row, "dry");
        steps += number_of(&all, row, "steps");
        ASSERT_NEAR(number_of(&all, row, "mcells_per_s") * number_of(&all, row, "wall_s"),
                    32 * 32 * number_of(&all, row, "steps") / 1e6, 0.01);
        ASSERT_NEAR(number_of(&all, row, "left_out"), 0, 0); /* too small for early exit */
    }
    ASSERT_NEAR(t, verify_end(find_case("circular-dam-dry")), 0);
    assert_true(dry > 0);
    db_cells_free(&all);
    snprintf(end, sizeof end, "%g", t);
    SHOAL("run", "circular-dam-dry", "--nx", "32", "--t-end", end, "--cfl", "0.25", ON_CPU);
    ASSERT_STATUS(0);
    snprintf(said, sizeof said, " steps=%.0f ", steps + 2); /* that warm up */
    ASSERT_HAS(result.out, said);
}

static void a_timeline_tells_how_many_steps_left_blocks_out(void **state)
{
    (void)state;
    struct db_cells all =
        measured("kind = timeline\ncase = circular-dam-dry\nnx = 32\nrecords = 2\nrepeat = 1\n"
                 "early-exit = on\n");
    assert_int_equal(all.rows, 1 + 2);
    for (size_t row = 1; row <= 2; row++)
        ASSERT_NEAR(number_of(&all, row, "left_out"), 1, 0);
    db_cells_free(&all);
}

/* All rows are near the exact solution: mean of |w - exact_w| over them, m. */
static double mean_error(const struct db_cells *all, const char *t, size_t *count)
{
    double sum = 0;
    *count = 0;
    for (size_t row = 1; row < all->rows; row++) {
        if (strcmp(cell(all, row, "t"), t) != 0)
            continue;
        sum += fabs(number_of(all, row, "w") - number_of(all, row, "exact_w"));
        ++*count;
        ASSERT_NEAR(number_of(all, row, "h"), number_of(all, row, "w") - number_of(all, row, "bed"),
                    1e-5);
    }
    assert_true(*count > 0);
    return sum / (double)*count;
}

/* The row of a wet share, with these options and with early exit or without. */
static size_t row_for(const struct db_cells *all, const char *options, const char *exit,
                      const char *wet)
{
    for (size_t row = 1; row < all->rows; row++)
        if (strcmp(cell(all, row, "options"), options) == 0 &&
            strcmp(cell(all, row, "early_exit"), exit) == 0 &&
            strcmp(cell(all, row, "wet_percent"), wet) == 0)
            return row;
    fail_msg("no row of %s, %s, %s", options, exit, wet);
    return 0;
}

/* 100 tiles; the disc of 1 % covers parts of four of them, a step of rk2 computes their neighbours as well, and
 * the neighbours of these are made ahead. */
static void sparse_domains_and_full_ones_are_measured_beside_each_other(void **state)
{
    (void)state;
    struct db_cells all =
        measured("kind = tiles\ncase = circular-dam-100\nnx = 280\nsteps = 2\nrepeat = 1\n"
                 "wet = 1 100\nearly-exit = off on\nscheme = rk2\n"
                 "options = - tile=28 tile=28,domain=sparse\n");
    assert_int_equal(all.rows, 1 + 5 * 2); /* sparse domains always have early exit */
    const size_t plain = row_for(&all, "-", "off", "1"),
                 tiled = row_for(&all, "tile=28", "off", "1"),
                 listed = row_for(&all, "tile=28", "on", "1"),
                 sparse = row_for(&all, "tile=28,domain=sparse", "on", "1"),
                 flooded = row_for(&all, "tile=28,domain=sparse", "on", "100");
    assert_true(number_of(&all, plain, "wet") > 0.01 && number_of(&all, plain, "wet") < 0.1);
    assert_true(number_of(&all, sparse, "wet") == number_of(&all, plain, "wet"));
    assert_true(number_of(&all, flooded, "wet") == 1);
    assert_true(number_of(&all, tiled, "tiles") == 100 && number_of(&all, tiled, "share") == 1);
    assert_true(number_of(&all, sparse, "tiles") == 36);
    assert_true(number_of(&all, sparse, "share") > 4 / 100. &&
                number_of(&all, sparse, "share") < 0.1601);
    ASSERT_NEAR(number_of(&all, listed, "share"), 16 / 100., 1e-4);
    assert_true(number_of(&all, flooded, "tiles") == 100 && number_of(&all, flooded, "share") == 1);
    assert_true(number_of(&all, sparse, "device_b") < 0.6 * number_of(&all, tiled, "device_b"));
    db_cells_free(&all);
}

/* On a CPU the arrays are main memory, too, and the fields of the whole domain would be more than this. */
static void a_start_is_measured_with_its_time_and_its_main_memory(void **state)
{
    (void)state;
    struct db_cells all = measured(
        "kind = tiles-start\ncase = circular-dam-100\nnx = 64 4096\nsteps = 2\nrepeat = 1\n"
        "wet = 0.5\nscheme = rk2_fused\noptions = tile=60,domain=sparse\n");
    assert_int_equal(all.rows, 1 + 2);
    for (size_t row = 1; row <= 2; row++) {
        const double nx = number_of(&all, row, "nx"), host = number_of(&all, row, "host_b");
        assert_true(number_of(&all, row, "start_s") > 0);
        assert_true(host > number_of(&all, row, "device_b") && host > 1e6);
        if (nx > 64)
            assert_true(host < 4 * nx * nx && number_of(&all, row, "wet") > 0.005 &&
                        number_of(&all, row, "wet") < 0.006);
    }
    db_cells_free(&all);
}

static void a_share_that_is_none_is_refused_by_file_and_line(void **state)
{
    (void)state;
    assert_refused_as("kind = tiles\ncase = sine\nnx = 16\nsteps = 2\nwet = 5 120\n", 2,
                      "it.ini:10: wet: '120' is no share in per cent");
}

static void a_map_of_tiles_has_a_row_for_each_that_is_stored(void **state)
{
    (void)state;
    size_t count[3] = {0};
    double stored[3] = {0};
    struct db_cells all =
        measured("kind = tile-map\ncase = circular-dam-dry\nnx = 96\nt-end = 2\nrepeat = 1\n"
                 "records = 2\noptions = tile=8,domain=sparse\n");
    for (size_t row = 1; row < all.rows; row++) {
        const int record = (int)number_of(&all, row, "record");
        assert_in_range(record, 1, 2);
        count[record]++;
        stored[record] = number_of(&all, row, "stored");
        assert_true(fabs(number_of(&all, row, "x")) < 50 && number_of(&all, row, "tiles") == 144);
    }
    assert_true(count[1] > 0 && count[1] == (size_t)stored[1] && count[2] == (size_t)stored[2]);
    assert_true(count[2] > count[1]); /* it spreads */
    db_cells_free(&all);
}

static void a_section_meets_its_times_exactly_and_stands_beside_what_is_exact(void **state)
{
    size_t count;
    const struct flow_case *c = find_case("vortex");
    (void)state;
    struct db_cells all =
        measured("kind = section\ncase = vortex\nprecision = f64\nmode = strict\nnx = 32\n"
                 "at = 0 0.05 end\nrepeat = 1\n");
    assert_int_equal(all.rows, 1 + 3 * 32);
    /* Six digits at time 0; later a sixth of the vortex's depth, with so few cells. */
    assert_true(mean_error(&all, "0", &count) <= 1e-5);
    assert_int_equal(count, 32);
    assert_true(mean_error(&all, "0.05", &count) < 0.08);
    assert_true(mean_error(&all, "end", &count) < 0.08);
    const size_t row = row_with(&all, "t", "0");
    const double x = number_of(&all, row, "x"), y = c->y0 + (16 + 0.5) * c->ly / 32;
    const struct flow exact = c->exact(x, y, 0);
    ASSERT_NEAR(number_of(&all, row, "exact_w"), exact.w, 1e-5 * fabs(exact.w));
    ASSERT_NEAR(number_of(&all, row, "exact_hu"), (exact.w - c->bed(x, y)) * exact.u, 1e-3);
    db_cells_free(&all);
}

static void a_section_is_that_of_a_run_that_ends_at_its_time(void **state)
{
    char w[32];
    (void)state;
    struct db_cells all =
        measured("kind = section\ncase = vortex\nmode = strict\nnx = 32\nrepeat = 1\n"
                 "at = 0 0.05\n");
    const size_t row = row_with(&all, "t", "0.05");
    snprintf(w, sizeof w, "%s", cell(&all, row, "w"));
    const double x = number_of(&all, row, "x");
    db_cells_free(&all);
    all = measured("kind = section\ncase = vortex\nmode = strict\nnx = 32\nrepeat = 1\n"
                   "at = end\nt-end = 0.05\n");
    for (size_t k = 1; k < all.rows; k++)
        if (strcmp(cell(&all, k, "t"), "end") == 0 && fabs(number_of(&all, k, "x") - x) < 1e-9)
            assert_string_equal(cell(&all, k, "w"), w);
    row_with(&all, "t", "end");
    db_cells_free(&all);
}

static void a_section_ends_where_it_was_told_to(void **state)
{
    (void)state;
    struct db_cells all =
        measured("kind = section\ncase = three-humps\nnx = 40\nat = 0.5\nfrom-x = 10\n"
                 "to-x = 20\nrepeat = 1\n");
    assert_true(all.rows > 1 && all.rows < 41);
    for (size_t row = 1; row < all.rows; row++) {
        assert_true(number_of(&all, row, "x") >= 10 && number_of(&all, row, "x") <= 20);
        assert_string_equal(cell(&all, row, "exact_w"), "-"); /* it is unknown */
    }
    db_cells_free(&all);
}

static void a_section_at_times_that_make_no_sense_is_refused_by_file_and_line(void **state)
{
    (void)state;
    assert_refused_as("kind = section\ncase = sine\nnx = 16\nat = 1 0.5\nrepeat = 1\n", 2,
                      "it.ini:9: at: 0.5 is not after 1");
    assert_refused_as("kind = section\ncase = sine\nnx = 16\nat = soon\nrepeat = 1\n", 2,
                      "expected a time in seconds or 'end', got 'soon'");
    assert_refused_as("kind = section\ncase = sine\nnx = 16\nrepeat = 1\n", 2, "at = end");
}

/* A GPU's driver reports these; of a CPU nothing is known. */
static void of_kernels_it_is_said_what_they_take_of_a_multiprocessor(void **state)
{
    static const char *const columns[] = {"registers", "shared_b", "occupancy"};
    (void)state;
    struct db_cells all = measured(
        "kind = kernels\ncase = basin-hills\nscheme = basin\nprecision = f64\nnx = 16\n"
        "steps = 1\nafter = 1\nrepeat = 1\nblocks = default\ndefine = - ONE_KERNEL=1,PAIRS=0\n");
    assert_true(number_of(&all, row_with(&all, "kernel", "basin_h"), "us") > 0);
    assert_true(number_of(&all, row_with(&all, "kernel", "basin_one"), "us") > 0);
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(cell(&all, 1, columns[k]), "-");
    db_cells_free(&all);
}

/* The bytes for each real that a kernel moves in its time at this speed, by its row. */
static double bytes_of_a_number(const struct db_cells *all, size_t row, double gb_per_s)
{
    return gb_per_s * 1e3 * number_of(all, row, "us") /
           (number_of(all, row, "reals") * number_of(all, row, "nx") * number_of(all, row, "ny"));
}

/* Although sediment is computed in f64 by default. */
static void a_row_in_single_precision_is_of_numbers_of_four_bytes(void **state)
{
    (void)state;
    struct db_cells all = measured("kind = kernels\ncase = basin-hills\nscheme = basin\nnx = 64\n"
                                   "precision = f32 f64\nsteps = 2\nafter = 1\nrepeat = 1\n");
    for (size_t row = 1; row < all.rows; row++)
        if (strcmp(cell(&all, row, "kernel"), "basin_h") == 0)
            ASSERT_NEAR(bytes_of_a_number(&all, row, number_of(&all, row, "gb_per_s")),
                        strcmp(cell(&all, row, "precision"), "f32") == 0 ? 4 : 8,
                        0.01 + bytes_of_a_number(&all, row, 0.05)); /* of a rounded speed */
    db_cells_free(&all);
}

static void a_profile_shares_the_time_out_among_the_kernels(void **state)
{
    double sum = 0;
    (void)state;
    struct db_cells all =
        measured("kind = profile\ncase = circular-dam\nnx = 32\nsteps = 3\nafter = 2\n"
                 "repeat = 1\nblocks = default\n");
    for (size_t row = 1; row < all.rows; row++) {
        const struct kernel *k = find_kernel(cell(&all, row, "kernel"));
        assert_non_null(k);
        sum += number_of(&all, row, "share");
        assert_int_equal(number_of(&all, row, "reals"), k->reals);
        assert_string_equal(cell(&all, row, "method"), "clock");
        assert_string_equal(cell(&all, row, "from"), "default");
        assert_int_equal(number_of(&all, row, "width"), k->block[CPU].w);
        if (k->reals)
            ASSERT_NEAR(number_of(&all, row, "gb_per_s") * number_of(&all, row, "us"),
                        k->reals * 4 * 32 * 32 / 1e3,
                        0.05 * number_of(&all, row, "us") + 0.001); /* of a rounded quotient */
        else
            assert_string_equal(cell(&all, row, "gb_per_s"), "-");
    }
    ASSERT_NEAR(sum, 1, 1e-4);
    /* One substep each; the boundary is filled after both. */
    static const char *const once[] = {"flux_fgh0", "flux_fgh1", "rk0", "rk1", "clock"};
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        ASSERT_NEAR(number_of(&all, row_with(&all, "kernel", once[k]), "launches"), 1, 0);
    ASSERT_NEAR(number_of(&all, row_with(&all, "kernel", "boundary"), "launches"), 2, 0);
    db_cells_free(&all);
}

/* The last block of the only table of rk0. */
static void lose_a_block(void)
{
    char folder[PATH_LENGTH], path[PATH_LENGTH], line[DB_LINE + 2];
    long last = 0, end = 0;
    find_environment(folder);
    assert_int_equal(db_path(folder, "rk0/circular-dam-16x16-f32.tsv", path), ERR_OK);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (; fgets(line, sizeof line, f); end = ftell(f))
        last = end;
    fclose(f);
    assert_int_equal(truncate(path, last), 0);
}

static void sizes_that_are_tuned_already_are_left_out(void **state)
{
    (void)state;
    write_experiment("kind = tuning\nkernel = rk0\nnx = 16\n");
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "tune: kernels=1 ");
    assert_int_equal(missing_of_it(NULL), 0);
    lose_a_block();
    assert_int_equal(missing_of_it(NULL), 1);
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    assert_int_equal(missing_of_it(NULL), 0);
    write_experiment("kind = tuning\nkernel = rk0\nnx = 16 24\nstrategy = pruned\n");
    assert_int_equal(missing_of_it(NULL), 1);
    ASSERT_HAS(first_missing, "rk0, circular-dam 24 x 24, f32");
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "16 x 16, f32: is stored");
    ASSERT_HAS(result.out, "tune: kernels=1 ");
    assert_int_equal(missing_of_it(NULL), 0);
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "");
    MEASURE_IT(ON_CPU, "--again", "--nx", "16");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "tune: kernels=1 ");
}

static void a_tuning_of_what_there_is_not_is_refused_by_file_and_line(void **state)
{
    (void)state;
    assert_refused_as("kind = tuning\nkernel = rk0 flix\n", 2, "it.ini:7: kernel: ");
    ASSERT_HAS(result.err, "flix");
    assert_refused_as("kind = tuning\nkernel = rk0\nstrategy = guess\n", 2, "it.ini:8: strategy: ");
    assert_refused_as("kind = tuning\nkernel = rk0\nnx = 1e3\n", 2,
                      "it.ini:8: nx: expected a whole number, got '1e3'");
    assert_refused_as("kind = tuning\nkernel = rk0\ncase = sine vortex\n", 2,
                      "expected a single case");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PREPARED(a_timeline_cuts_the_run_into_pieces_that_add_up),
        PREPARED(a_timeline_tells_how_many_steps_left_blocks_out),
        PREPARED(sparse_domains_and_full_ones_are_measured_beside_each_other),
        PREPARED(a_start_is_measured_with_its_time_and_its_main_memory),
        PREPARED(a_share_that_is_none_is_refused_by_file_and_line),
        PREPARED(a_map_of_tiles_has_a_row_for_each_that_is_stored),
        PREPARED(a_section_meets_its_times_exactly_and_stands_beside_what_is_exact),
        PREPARED(a_section_is_that_of_a_run_that_ends_at_its_time),
        PREPARED(a_section_ends_where_it_was_told_to),
        PREPARED(a_section_at_times_that_make_no_sense_is_refused_by_file_and_line),
        PREPARED(a_profile_shares_the_time_out_among_the_kernels),
        PREPARED(of_kernels_it_is_said_what_they_take_of_a_multiprocessor),
        PREPARED(a_row_in_single_precision_is_of_numbers_of_four_bytes),
        PREPARED(sizes_that_are_tuned_already_are_left_out),
        PREPARED(a_tuning_of_what_there_is_not_is_refused_by_file_and_line),
    };
    return cmocka_run_group_tests_name("measure_kinds", tests, NULL, NULL);
}
