/* Rasters in netCDF and in what GDAL reads: any order and direction of axes, units, packing and gaps give
 * the same field. */
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "core/base/signals.h"
#include "core/raster/readers.h"
#include "tests/support/scratch.h"

/* 4 x 3 values of 10 x 20 m from (100, 200): value (i,j) is 1 + i + 10 j, and with `hole` value (1,2) is
 * missing. */
enum { NX = 4, NY = 3, HOLE = 2 * NX + 1 };

static void assert_field(const char *what, const struct raster *r, int hole, int corners)
{
    const struct grid_info *g = &r->grid;
    const double x0 = corners ? 105 : 100, y0 = corners ? 210 : 200;
    if (g->nx != NX - corners || g->ny != NY - corners || !(fabs(g->x0 - x0) <= 1e-9) ||
        !(fabs(g->y0 - y0) <= 1e-9) || !(fabs(g->dx - 10) <= 1e-9) || !(fabs(g->dy - 20) <= 1e-9))
        fail_msg("%s: %d x %d cells of %.17g x %.17g from (%.17g, %.17g)", what, g->nx, g->ny,
                 g->dx, g->dy, g->x0, g->y0);
    for (int k = 0; k < NX * NY; k++) {
        const int i = k % NX, j = k / NX;
        const double want = 1 + i + 10.0 * j;
        if (hole && k == HOLE ? !isnan(r->value[k]) : !(fabs(r->value[k] - want) <= 1e-9))
            fail_msg("%s: value %d is %.17g", what, k, r->value[k]);
    }
    assert_int_equal(r->corners, corners);
}

static void assert_says(const char *what, enum err e, const char *part)
{
    if (e != ERR_INPUT || !strstr(err_message(), part))
        fail_msg("%s: error %d, and '%s' is not in '%s'", what, e, part, e ? err_message() : "");
}

#ifdef HAVE_NETCDF

#include <netcdf.h>

#define CHECK(call) assert_int_equal(call, NC_NOERR)

/* A file, by what is unusual about it. */
struct layout {
    const char *field, *x, *y;   /* names; null: z, x, y */
    const char *attributes[4];   /* "variable:name=text" */
    int x_first, y_down, x_left; /* order and directions */
    int times;                   /* a further dimension of this length */
    nc_type type;                /* of the field; 0: double */
    double packed, fill;         /* scale_factor, with add_offset 100; _FillValue */
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
    const double offset = 100;
    if (l->fill != 0)
        CHECK(nc_put_att_double(id, var, "_FillValue", l->type ? l->type : NC_DOUBLE, 1, &l->fill));
    if (l->packed > 0) {
        CHECK(nc_put_att_double(id, var, "scale_factor", NC_DOUBLE, 1, &l->packed));
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
        {.attributes = {"x:units=furlong"}, .says = "'x' has units 'furlong'"},
        {.attributes = {"z:units=fathom"}, .says = "'z' has units 'fathom'"},
        {.unit = 0.3048, .attributes = {"x:units=ft", "y:units=ft"}, .says = "'z' has no units"},
        {.attributes = {"z:positive=down"}, .says = "counts downwards"},
        {.attributes = {"z:scale_factor=0.01"}, .says = "scale_factor is not one number"},
        {.attributes = {"z:add_offset=none"}, .says = "add_offset is not one number"},
        {.field = "one", .other = "two", .says = "There are 'one', 'two'"},
        {.field = "w", .says = "which of its variables is the terrain? There are 'w'"},
        {.x = "a", .y = "b", .says = "no field over x and y"},
        {.bend = 0.1, .says = "not evenly spaced"},
        {.times = 3, .says = "3 records"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        check_layout(k, &bad[k], QUANTITY_TERRAIN);
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

#endif

static void require_gdal(void)
{
    char version[64];
    if (raster_gdal_version(version)) {
        print_message("skipped: %s\n", err_message());
        skip();
    }
}

/* GDAL's own format for a raster put together of others: what is in it is all text. */
struct virtual_raster {
    const char *transform, *reference, *band, *bands; /* parts of it */
    int hole;
    const char *says;
};

#define NORTH_UP "100, 10, 0, 260, 0, -20"
#define METRES   "<SRS>LOCAL_CS[\"m\",UNIT[\"metre\",1]]</SRS>"

static enum err read_virtual(const struct virtual_raster *v, struct raster *r)
{
    char text[2048], path[PATH_LENGTH];
    const int up = v->transform && strstr(v->transform, "200, 0, 20") != NULL;
    scratch_write("raw.asc", "w", "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
    for (int k = 0; k < NY; k++) {
        const int j = up ? k : NY - 1 - k;
        snprintf(text, sizeof text, "%d %d %d %d\n", 1 + 10 * j,
                 v->hole && j == 2 ? -7 : 2 + 10 * j, 3 + 10 * j, 4 + 10 * j);
        scratch_write("raw.asc", "a", text);
    }
    snprintf(
        text, sizeof text,
        "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\">%s%s%s%s"
        "<VRTRasterBand dataType=\"Float32\" band=\"1\">%s<SimpleSource>"
        "<SourceFilename relativeToVRT=\"1\">raw.asc</SourceFilename><SourceBand>1</SourceBand>"
        "</SimpleSource></VRTRasterBand>%s</VRTDataset>",
        v->reference ? v->reference : "", v->transform ? "<GeoTransform>" : "",
        v->transform ? v->transform : "", v->transform ? "</GeoTransform>" : "",
        v->band ? v->band : "", v->bands ? v->bands : "");
    scratch_write("field.vrt", "w", text);
    scratch_path(path, "field.vrt");
    return raster_read(path, QUANTITY_TERRAIN, r);
}

static void what_gdal_reads_gives_the_same_field(void **state)
{
    (void)state;
    static const struct virtual_raster rasters[] = {
        {.transform = NORTH_UP},
        {.transform = "100, 10, 0, 200, 0, 20"},
        {.transform = NORTH_UP, .reference = METRES},
        {.transform = NORTH_UP, .band = "<UnitType>m</UnitType>"},
        {.transform = NORTH_UP, .band = "<Scale>3.280839895013123</Scale><UnitType>ft</UnitType>"},
        {.transform = NORTH_UP, .hole = 1, .band = "<NoDataValue>-7</NoDataValue>"},
        {.transform = NORTH_UP, .band = "<Description>H\xf6he</Description>"},
    };
    require_gdal();
    for (size_t k = 0; k < sizeof rasters / sizeof *rasters; k++) {
        struct raster r;
        if (read_virtual(&rasters[k], &r))
            fail_msg("%zu: %s", k, err_message());
        assert_field("by GDAL", &r, rasters[k].hole, 0);
        raster_free(&r);
    }
}

static void gdals_system_of_coordinates_is_kept(void **state)
{
    (void)state;
    const struct virtual_raster placed = {.transform = NORTH_UP,
                                          .reference = "<SRS>EPSG:32632</SRS>"};
    const struct virtual_raster metres = {.transform = NORTH_UP, .reference = METRES};
    struct raster r;
    require_gdal();
    assert_int_equal(read_virtual(&placed, &r), ERR_OK);
    assert_non_null(r.wkt);
    assert_non_null(strstr(r.wkt, "AUTHORITY[\"EPSG\",\"32632\"]]"));
    assert_null(strchr(r.wkt, '\n'));
    raster_free(&r);
    assert_int_equal(read_virtual(&metres, &r), ERR_OK);
    assert_null(r.wkt);
    raster_free(&r);
}

static void what_is_wrong_in_what_gdal_reads_is_named(void **state)
{
    (void)state;
    static const struct virtual_raster bad[] = {
        {.says = "does not say where it lies"},
        {.transform = "100, 10, 1, 260, 1, -20", .says = "is rotated"},
        {.transform = "7, 0.01, 0, 45, 0, -0.01",
         .reference = "<SRS>EPSG:4326</SRS>",
         .says = "gdalwarp -t_srs EPSG:32632"},
        {.transform = "-70, 0.01, 0, -33, 0, -0.01",
         .reference = "<SRS>EPSG:4326</SRS>",
         .says = "gdalwarp -t_srs EPSG:32719"},
        {.transform = NORTH_UP, .reference = "<SRS>EPSG:4326</SRS>", .says = "are none"},
        {.transform = NORTH_UP,
         .reference = "<SRS>LOCAL_CS[\"f\",UNIT[\"foot\",0.3048]]</SRS>",
         .says = "'foot'"},
        {.transform = NORTH_UP, .band = "<UnitType>fathom</UnitType>", .says = "'fathom'"},
        {.transform = NORTH_UP,
         .bands = "<VRTRasterBand dataType=\"Byte\" band=\"2\"/>",
         .says = "has 2 bands"},
    };
    char path[PATH_LENGTH];
    struct raster r;
    require_gdal();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_says("by GDAL", read_virtual(&bad[k], &r), bad[k].says);
    scratch_write("letter.txt", "w", "Dear Sir or Madam,\n");
    scratch_path(path, "letter.txt");
    assert_says("a letter", raster_read(path, QUANTITY_TERRAIN, &r), "GDAL");
}

static void without_gdal_the_message_says_what_to_install(void **state)
{
    (void)state;
    char path[PATH_LENGTH], before[PATH_LENGTH];
    struct raster r;
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    scratch_write("field.tif", "w", "II*\n");
    scratch_path(path, "field.tif");
    setenv("PATH", "/nowhere", 1);
    const enum err e = raster_read(path, QUANTITY_TERRAIN, &r);
    setenv("PATH", before, 1);
    assert_int_equal(e, ERR_ABSENT);
    assert_non_null(strstr(err_message(), "the package gdal-bin"));
}

/* Where GDAL's numbers lie for a while. */
static void enter_temporary(char path[PATH_LENGTH])
{
    scratch_path(path, "temporary");
    mkdir(path, 0700);
    setenv("TMPDIR", path, 1);
}

static int entries(const char *folder)
{
    int n = -2; /* . and .. */
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

/* Names that a shell, an option parser or GDAL itself would take for something else. */
static void any_name_is_a_file_s(void **state)
{
    (void)state;
    static const char *const names[] = {"-of.vrt", "a b.vrt", "quo'te\".vrt", "HTTP:x.vrt",
                                        "caf\xe9.vrt"};
    char from[PATH_LENGTH], to[PATH_LENGTH], before[PATH_LENGTH], temporary[PATH_LENGTH];
    struct raster r;
    require_gdal();
    enter_temporary(temporary);
    if (read_virtual(&(struct virtual_raster){.transform = NORTH_UP}, &r))
        fail_msg("%s", err_message());
    raster_free(&r);
    scratch_path(from, "field.vrt");
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch), 0);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        scratch_path(to, names[k]);
        assert_int_equal(link(from, to), 0);
        const enum err e = raster_read(names[k], QUANTITY_TERRAIN, &r);
        if (e)
            fail_msg("%s: %s", names[k], err_message());
        assert_field(names[k], &r, 0, 0);
        raster_free(&r);
        assert_int_equal(entries(temporary), 0);
    }
    assert_int_equal(mkdir("-relative", 0700), 0);
    setenv("TMPDIR", "-relative", 1);
    if (raster_read(names[0], QUANTITY_TERRAIN, &r))
        fail_msg("%s", err_message());
    raster_free(&r);
    assert_int_equal(entries("-relative"), 0);
    assert_int_equal(chdir(before), 0);
    unsetenv("TMPDIR");
}

enum { LONG_PATH = 2 * PATH_LENGTH };

/* A gdal_translate that begins to write and then does `what`; "say ID" says who is to be gone. */
static void stand_in(const char *what, char path[LONG_PATH])
{
    char folder[PATH_LENGTH], file[PATH_LENGTH];
    scratch_path(folder, "stand-in");
    mkdir(folder, 0700);
    scratch_path(file, "stand-in/gdal_translate");
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/sh\nfor to; do :; done\necho x >\"$to\"\necho x >\"$to.hdr\"\n"
            "say() { echo $1 >'%s/pid.tmp'; mv '%s/pid.tmp' '%s/pid'; }\n%s\n",
            scratch, scratch, scratch, what);
    fclose(f);
    assert_int_equal(chmod(file, 0700), 0);
    snprintf(path, LONG_PATH, "%s:%s", folder, getenv("PATH"));
}

static void what_gdal_wrote_is_gone_whatever_ends_the_reading(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    static const char *const waits[] = {"say $$; exec sleep 100", "sleep 100 & say $!; wait"};
    const struct timespec moment = {0, 10000000};
    char temporary[PATH_LENGTH], path[LONG_PATH], before[PATH_LENGTH], file[PATH_LENGTH];
    struct raster r;
    require_gdal();
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    enter_temporary(temporary);
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    stand_in("echo disk full >&2; exit 1", path);
    setenv("PATH", path, 1);
    assert_says("no disk", read_virtual(&(struct virtual_raster){.transform = NORTH_UP}, &r),
                "disk full");
    assert_int_equal(entries(temporary), 0);
    scratch_path(file, "pid");
    for (size_t k = 0; k < 2 * sizeof numbers / sizeof *numbers; k++) {
        const int signal_number = numbers[k / 2];
        int status = 0;
        char number[32];
        stand_in(waits[k % 2], path);
        remove(file);
        const pid_t child = fork();
        if (child == 0) {
            signals_catch(NULL, 0);
            (void)read_virtual(&(struct virtual_raster){.transform = NORTH_UP}, &r);
            _exit(0);
        }
        while (access(file, R_OK) != 0)
            nanosleep(&moment, NULL);
        assert_int_equal(entries(temporary), 1);
        kill(child, signal_number);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
        assert_int_equal(entries(temporary), 0);
        FILE *f = fopen(file, "r");
        assert_non_null(f);
        assert_non_null(fgets(number, sizeof number, f));
        fclose(f);
        const pid_t other = (pid_t)strtol(number, NULL, 10);
        pid_t ended; /* it becomes ours once its parent has ended */
        while ((ended = waitpid(other, &status, 0)) < 0 && errno == ECHILD)
            nanosleep(&moment, NULL);
        assert_int_equal(ended, other);
        assert_true(WIFSIGNALED(status));
    }
    setenv("PATH", before, 1);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gdal_the_message_says_what_to_install),
        cmocka_unit_test(every_netcdf_layout_gives_the_same_field),
        cmocka_unit_test(what_is_wrong_in_a_netcdf_terrain_is_named),
        cmocka_unit_test(what_gdal_reads_gives_the_same_field),
        cmocka_unit_test(gdals_system_of_coordinates_is_kept),
        cmocka_unit_test(what_is_wrong_in_what_gdal_reads_is_named),
        cmocka_unit_test(any_name_is_a_file_s),
        cmocka_unit_test(what_gdal_wrote_is_gone_whatever_ends_the_reading),
    };
    return cmocka_run_group_tests_name("raster formats", tests, scratch_setup, scratch_remove);
}
