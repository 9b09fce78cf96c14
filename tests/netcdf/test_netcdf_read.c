/* netCDF input: every layout that the format allows gives the same state; messages name what is wrong. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/plane.h"
#include "core/netcdf/netcdf_file.h"

extern const struct system system_shallow_water;

#ifdef HAVE_NETCDF

#include <unistd.h>

#include <netcdf.h>

#include "tests/support/scratch.h"

enum { NX = 6, NY = 4, FORMAT = NC_CLOBBER | NC_NETCDF4, DIMENSIONS = 10 };

/* A file to be written, described by what is unusual about it. */
struct layout {
    const char *variables; /* space before and after each */
    int x_first, y_down;   /* order of the axes; y descending */
    int format;            /* 0: netCDF-4 */
    size_t times;          /* length of a dimension `time` of w; 0: no such dimension */
    const char *units_of, *units;
    const char *flat;    /* this variable has x as its only dimension */
    const char *text;    /* this one has characters */
    const char *changed; /* in this one one value is replaced ... */
    size_t at;           /* ... this one, in the order of the file */
    double value;
    nc_type type;          /* of fields; 0: double */
    const char *attribute; /* a global attribute with `value` */
    const char *named[2];  /* what the error must say */
};

#define USUAL " x y bed_corner w hu hv "

static int has(const struct layout *l, const char *name)
{
    char word[32];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(l->variables, word) != NULL;
}

/* The fields at a point; the bed is a plane, so that interpolation is exact. Water at the east. */
static double field(const char *name, double x, double y)
{
    double bed = 4 - 0.5 * x + 0.25 * y, w = bed > 3 ? bed : 3;
    if (strcmp(name, "bed") == 0 || strcmp(name, "bed_corner") == 0)
        return bed;
    if (strcmp(name, "w") == 0)
        return w;
    if (strcmp(name, "h") == 0)
        return w - bed;
    if (strcmp(name, "manning") == 0)
        return 0.03 + 0.001 * x;
    return w > bed ? (strcmp(name, "hu") == 0 ? x : x * y) : 0;
}

/* Centres at 0.5 .. 5.5 and at 2, 4 .. 8: dx = 1, dy = 2. */
static double x_of(size_t i, int corner)
{
    return (double)i + (corner ? 0 : 0.5);
}

static double y_of(const struct layout *l, size_t j, int corner)
{
    double k = l->y_down ? (corner ? NY : NY - 1) - (double)j : (double)j;
    return 2 * k + (corner ? 1 : 2);
}

#define CHECK(call) assert_int_equal(call, NC_NOERR)

/* The dimensions of a file. */
struct dims {
    int x, y, xc, yc, time;
};

static void define(int id, const struct layout *l, const struct dims *d, const char *name)
{
    int var, corner = strcmp(name, "bed_corner") == 0;
    int x = corner ? d->xc : d->x, y = corner ? d->yc : d->y;
    int dim[3] = {d->time, l->x_first ? x : y, l->x_first ? y : x}, skipped = 1, dims = 2;
    nc_type type = l->type ? l->type : NC_DOUBLE;
    if (strcmp(name, "w") == 0 && l->times)
        skipped = 0, dims = 3;
    if (strcmp(name, "x") == 0 || strcmp(name, "x_corner") == 0 ||
        (l->flat && strcmp(l->flat, name) == 0))
        dim[1] = strcmp(name, "x_corner") == 0 ? d->xc : d->x, dims = 1;
    if (strcmp(name, "y") == 0)
        dim[1] = d->y, dims = 1;
    if (l->text && strcmp(l->text, name) == 0)
        type = NC_CHAR;
    CHECK(nc_def_var(id, name, type, dims, dim + skipped, &var));
    if (l->units && strcmp(l->units_of, name) == 0)
        CHECK(nc_put_att_text(id, var, "units", strlen(l->units), l->units));
}

/* All values of a variable, in the order of the file. */
static size_t values(const struct layout *l, const char *name, double *v)
{
    size_t corner = strcmp(name, "bed_corner") == 0, nx = NX + corner, ny = NY + corner, n = 0;
    if (strcmp(name, "x") == 0 || strcmp(name, "x_corner") == 0) {
        for (size_t i = 0; i < NX + (size_t)(name[1] == '_'); i++)
            v[n++] = x_of(i, name[1] == '_');
    } else if (strcmp(name, "y") == 0) {
        for (size_t j = 0; j < NY; j++)
            v[n++] = y_of(l, j, 0);
    } else {
        for (size_t k = 0; k < nx * ny; k++) {
            size_t i = l->x_first ? k / ny : k % nx, j = l->x_first ? k % ny : k / nx;
            v[n++] = field(name, x_of(i, (int)corner), y_of(l, j, (int)corner));
        }
    }
    if (l->changed && strcmp(l->changed, name) == 0)
        v[l->at] = l->value;
    return n;
}

static void put(int id, const struct layout *l, const char *name)
{
    int var;
    double v[(NX + 1) * (NY + 1)] = {0};
    const size_t start[3] = {0}, count[3] = {1, l->x_first ? NX : NY, l->x_first ? NY : NX};
    values(l, name, v);
    CHECK(nc_inq_varid(id, name, &var));
    if ((l->text && strcmp(l->text, name) == 0) || (l->flat && strcmp(l->flat, name) == 0))
        return;
    if (strcmp(name, "w") == 0 && l->times)
        CHECK(nc_put_vara_double(id, var, start, count, v));
    else
        CHECK(nc_put_var_double(id, var, v));
}

static void write_input(const struct layout *l, const char *path)
{
    static const char *const names[] = {"x", "y", "x_corner", "bed", "bed_corner",
                                        "w", "h", "hu",       "hv",  "manning"};
    int id, count = (int)(sizeof names / sizeof *names);
    struct dims d = {0};
    CHECK(nc_create(path, l->format ? l->format : FORMAT, &id));
    CHECK(nc_def_dim(id, "x", NX, &d.x));
    CHECK(nc_def_dim(id, "y", NY, &d.y));
    CHECK(nc_def_dim(id, "x_corner", NX + 1, &d.xc));
    CHECK(nc_def_dim(id, "y_corner", NY + 1, &d.yc));
    if (l->times)
        CHECK(nc_def_dim(id, "time", l->times, &d.time));
    for (int k = 0; k < count; k++)
        if (has(l, names[k]))
            define(id, l, &d, names[k]);
    if (l->attribute)
        CHECK(nc_put_att_double(id, NC_GLOBAL, l->attribute, NC_DOUBLE, 1, &l->value));
    CHECK(nc_enddef(id));
    for (int k = 0; k < count; k++)
        if (has(l, names[k]))
            put(id, l, names[k]);
    CHECK(nc_close(id));
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12))
        fail_msg("%.17g is not %.17g", a, b);
}

/* Every layout describes the same flow. */
static void assert_flow(const struct layout *l)
{
    static const struct layout plain = {.variables = USUAL};
    struct nc_input in;
    char path[PATH_LENGTH];
    scratch_path(path, "in.nc");
    write_input(l, path);
    if (nc_read(path, &system_shallow_water, &in) != ERR_OK)
        fail_msg("%s", err_message());
    assert_int_equal(in.grid.nx, NX);
    assert_int_equal(in.grid.ny, NY);
    assert_true(in.grid.x0 == 0 && in.grid.y0 == 1 && in.grid.dx == 1 && in.grid.dy == 2);
    for (size_t j = 0; j <= NY; j++)
        for (size_t i = 0; i <= NX; i++)
            assert_near(in.bed_corner[j * (NX + 1) + i],
                        field("bed", x_of(i, 1), y_of(&plain, j, 1)));
    for (size_t j = 0; j < NY; j++) {
        for (size_t i = 0; i < NX; i++) {
            double x = x_of(i, 0), y = y_of(&plain, j, 0);
            assert_near(in.w[j * NX + i], field("w", x, y));
            assert_near(in.unknown[1][j * NX + i], has(l, "hu") ? field("hu", x, y) : 0);
            assert_near(in.unknown[2][j * NX + i], has(l, "hv") ? field("hv", x, y) : 0);
            if (has(l, "manning"))
                assert_near(in.manning_of[j * NX + i], field("manning", x, y));
        }
    }
    assert_true(!in.manning_of == !has(l, "manning"));
    assert_true(isnan(in.manning) && isnan(in.gravity) && in.t == 0);
    nc_input_free(&in);
    nc_input_free(&in);
}

static void every_allowed_layout_gives_the_same_flow(void **state)
{
    (void)state;
    static const struct layout layouts[] = {
        {.variables = USUAL},
        {.variables = USUAL, .x_first = 1},
        {.variables = USUAL, .y_down = 1},
        {.variables = USUAL, .x_first = 1, .y_down = 1},
        {.variables = USUAL, .times = 1},
        {.variables = USUAL, .format = NC_CLOBBER},
        {.variables = USUAL, .format = NC_CLOBBER | NC_64BIT_DATA, .times = 1, .x_first = 1},
        {.variables = USUAL, .type = NC_FLOAT},
        {.variables = USUAL "x_corner ", .units_of = "x", .units = "metres"},
        {.variables = USUAL "h manning ", .units_of = "w", .units = "m"},
        {.variables = " x y bed w hu hv ", .y_down = 1},
        {.variables = " x y bed h hu hv ", .x_first = 1},
        {.variables = " x y bed_corner h hu "},
        {.variables = " x y bed bed_corner w "},
    };
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        assert_flow(&layouts[k]);
}

static void what_is_wrong_in_a_file_is_named(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const struct layout bad[] = {
        {.variables = " y bed_corner w ", .named = {"'x'", "no variable"}},
        {.variables = " x bed_corner w ", .named = {"'y'", "no variable"}},
        {.variables = " x y w ", .named = {"'bed_corner'", "'bed'"}},
        {.variables = " x y bed ", .named = {"'w'", "'h'"}},
        {.variables = USUAL, .changed = "x", .at = 2, .value = 2.51, .named = {"'x'", "spaced"}},
        {.variables = USUAL, .changed = "y", .at = 3, .value = 2, .named = {"'y'", "not change"}},
        {.variables = USUAL, .changed = "y", .at = 0, .value = nan, .named = {"'y'", "value 0"}},
        {.variables = USUAL "x_corner ",
         .changed = "x_corner",
         .at = 1,
         .value = 1.2,
         .named = {"'x_corner'", "does not match"}},
        {.variables = USUAL, .flat = "w", .named = {"'w'", "(y,x)"}},
        {.variables = USUAL,
         .flat = "bed_corner",
         .named = {"'bed_corner'", "(y_corner,x_corner)"}},
        {.variables = USUAL, .text = "w", .named = {"'w'", "numbers"}},
        {.variables = USUAL, .text = "x", .named = {"'x'", "numbers"}},
        {.variables = USUAL, .times = 3, .named = {"'w'", "3 records"}},
        {.variables = USUAL, .units_of = "x", .units = "degrees_east", .named = {"'x'", "degrees"}},
        {.variables = USUAL, .units_of = "w", .units = "ft", .named = {"'w'", "'ft'"}},
        {.variables = USUAL,
         .units_of = "bed_corner",
         .units = "km",
         .named = {"'bed_corner'", "'km'"}},
        {.variables = USUAL,
         .changed = "bed_corner",
         .at = 9,
         .value = nan,
         .named = {"'bed_corner'", "(2, 1)"}},
        {.variables = " x y bed w ",
         .changed = "bed",
         .at = 8,
         .value = NC_FILL_DOUBLE,
         .named = {"'bed'", "(2, 1), counted from 0 along x and y, is missing"}},
        {.variables = USUAL,
         .changed = "w",
         .at = 23,
         .value = HUGE_VAL,
         .named = {"'w'", "(5, 3)"}},
        {.variables = USUAL, .changed = "hv", .at = 0, .value = nan, .named = {"'hv'", "(0, 0)"}},
        {.variables = USUAL,
         .x_first = 1,
         .changed = "hu",
         .at = 6,
         .value = nan,
         .named = {"'hu'", "(1, 2)"}},
        {.variables = USUAL, .changed = "w", .at = 5, .value = 1, .named = {"'w'", "(5, 0)"}},
        {.variables = " x y bed h ",
         .changed = "h",
         .at = 7,
         .value = -0.1,
         .named = {"'h'", "(1, 1)"}},
        {.variables = USUAL "h ",
         .changed = "h",
         .at = 5,
         .value = 1.2501,
         .named = {"disagree", "(5, 0)"}},
        {.variables = USUAL "manning ",
         .changed = "manning",
         .at = 2,
         .value = nan,
         .named = {"'manning'", "(2, 0)"}},
        {.variables = USUAL, .attribute = "gravity", .value = 0, .named = {"'gravity'", "0"}},
    };
    char path[PATH_LENGTH];
    scratch_path(path, "bad.nc");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct nc_input in;
        write_input(&bad[k], path);
        assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
        assert_null(in.bed_corner);
        assert_null(in.w);
        for (int n = 0; n < 2; n++)
            if (!strstr(err_message(), bad[k].named[n]) || !strstr(err_message(), path))
                fail_msg("%zu: '%s' is not in '%s'", k, bad[k].named[n], err_message());
    }
}

static void a_depth_that_is_negative_by_rounding_counts_as_zero(void **state)
{
    (void)state;
    const struct layout l = {
        .variables = " x y bed_corner h ", .changed = "h", .at = 0, .value = -1e-7};
    char path[PATH_LENGTH];
    struct nc_input in;
    scratch_path(path, "in.nc");
    write_input(&l, path);
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_OK);
    assert_near(in.w[0], field("bed", 0.5, 2));
    nc_input_free(&in);
}

static void what_is_not_a_netcdf_file_is_refused(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    struct nc_input in;
    scratch_path(path, "missing.nc");
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "No such file"));
    assert_int_equal(nc_read(scratch, &system_shallow_water, &in), ERR_INPUT);
    scratch_write("missing.nc", "w", "");
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "empty"));
    scratch_write("missing.nc", "w", "Hello, world. This is not what you are looking for.\n");
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "not a netCDF file"));
}

/* The netCDF library itself reads zeros beyond the end of a classic file. */
static void a_truncated_file_is_refused_at_every_length(void **state)
{
    (void)state;
    static const int formats[] = {NC_CLOBBER, NC_CLOBBER | NC_64BIT_OFFSET,
                                  NC_CLOBBER | NC_64BIT_DATA, FORMAT};
    char path[PATH_LENGTH];
    scratch_path(path, "short.nc");
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        const struct layout l = {.variables = USUAL, .format = formats[k]};
        struct stat s;
        write_input(&l, path);
        assert_int_equal(stat(path, &s), 0);
        for (off_t n = s.st_size - 4; n >= 0; n -= 1 + s.st_size / 100) {
            struct nc_input in;
            assert_int_equal(truncate(path, n), 0);
            assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
            assert_non_null(strstr(err_message(), path));
        }
    }
}

static void put_count(FILE *f, size_t n)
{
    for (int k = 24; k >= 0; k -= 8)
        putc((int)(n >> k & 255), f);
}

/* The library would write it beyond the end of its buffers. */
static void a_name_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static const size_t lengths[] = {257, 3000, 0xffffffff};
    char path[PATH_LENGTH];
    struct nc_input in;
    scratch_path(path, "name.nc");
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs("CDF\001", f);
        put_count(f, 0);
        put_count(f, DIMENSIONS);
        put_count(f, 1);
        put_count(f, lengths[k]);
        for (int n = 0; n < 4000; n++)
            putc('x', f);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
        assert_non_null(strstr(err_message(), "a name in it is too long"));
    }
}

/* The library would divide by the size of its values. */
static void a_type_that_is_none_is_refused(void **state)
{
    (void)state;
    /* no records, dimensions or attributes; one variable, "z", of no dimensions or attributes */
    static const size_t words[] = {0, 0, 0, 0, 0, 11, 1, 1, 'z' << 24, 0, 0, 0, 12, 4, 100};
    char path[PATH_LENGTH];
    struct nc_input in;
    scratch_path(path, "type.nc");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("CDF\001", f);
    for (size_t k = 0; k < sizeof words / sizeof *words + 100; k++)
        put_count(f, k < sizeof words / sizeof *words ? words[k] : 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(nc_read(path, &system_shallow_water, &in), ERR_INPUT);
    assert_non_null(strstr(err_message(), "a type in it is none"));
}

int main(void)
{
    planes_in_files_from(0);
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(every_allowed_layout_gives_the_same_flow),
        HERE(what_is_wrong_in_a_file_is_named),
        HERE(a_depth_that_is_negative_by_rounding_counts_as_zero),
        HERE(what_is_not_a_netcdf_file_is_refused),
        HERE(a_truncated_file_is_refused_at_every_length),
        HERE(a_name_that_is_too_long_is_refused),
        HERE(a_type_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
