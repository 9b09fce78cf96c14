/* Rasters that GDAL reads: the same field from any format, and no files left behind. */
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "core/base/plane.h"
#include "core/base/signals.h"
#include "core/raster/readers.h"
#include "tests/support/raster_field.h"
#include "tests/support/scratch.h"

static void require_gdal(void)
{
    char version[64];
    if (raster_gdal_version(version)) {
        print_message("skipped: %s\n", err_message());
        skip();
    }
}

/* GDAL's own format for a raster composed of others: its content is text. */
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
        {.says = "its position is missing"},
        {.transform = "100, 10, 1, 260, 1, -20", .says = "is rotated"},
        {.transform = "7, 0.01, 0, 45, 0, -0.01",
         .reference = "<SRS>EPSG:4326</SRS>",
         .says = "gdalwarp -t_srs EPSG:32632"},
        {.transform = "-70, 0.01, 0, -33, 0, -0.01",
         .reference = "<SRS>EPSG:4326</SRS>",
         .says = "gdalwarp -t_srs EPSG:32719"},
        {.transform = NORTH_UP,
         .reference = "<SRS>EPSG:4326</SRS>",
         .says = ") are not: write it again"},
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

/* The temporary folder for GDAL's numbers. */
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

/* Names that a shell, an option parser or GDAL itself would misunderstand. */
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

/* A gdal_translate that begins to write and then does `what`; "say ID" stores which process must have ended. */
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
        pid_t ended; /* our child once its parent has ended */
        while ((ended = waitpid(other, &status, 0)) < 0 && errno == ECHILD && kill(other, 0) == 0)
            nanosleep(&moment, NULL);
        assert_true(ended == other ? WIFSIGNALED(status) : kill(other, 0) < 0 && errno == ESRCH);
    }
    setenv("PATH", before, 1);
    unsetenv("TMPDIR");
}

int main(void)
{
    planes_in_files_from(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gdal_the_message_says_what_to_install),
        cmocka_unit_test(what_gdal_reads_gives_the_same_field),
        cmocka_unit_test(gdals_system_of_coordinates_is_kept),
        cmocka_unit_test(what_is_wrong_in_what_gdal_reads_is_named),
        cmocka_unit_test(any_name_is_a_file_s),
        cmocka_unit_test(what_gdal_wrote_is_gone_whatever_ends_the_reading),
    };
    return cmocka_run_group_tests_name("gdal", tests, scratch_setup, scratch_remove);
}
