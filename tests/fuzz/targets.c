/* The readers that are fuzzed. Those that need a path get one. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/checkpoint_parts.h"
#include "core/command/find_command.h"
#include "core/options/gauge_option.h"
#include "core/netcdf/netcdf_file.h"
#include "core/netcdf/read_records.h"
#include "core/base/calendar.h"
#include "core/base/formula.h"
#include "core/base/input_files.h"
#include "core/mesh/crs.h"
#include "core/raster/raster.h"
#include "core/raster/readers.h"
#include "core/options/run_config.h"
#include "core/problem/soil.h"
#include "core/problem/springs.h"
#include "core/problem/time_series.h"
#include "core/db/tuning_db.h"
#include "tests/fuzz/fuzz.h"

enum { PATH = 64, MOST_WORDS = 32 };

/* A file with these bytes, in memory if possible, always of the same name; `done` deletes it. HDF5 needs a path that
 * can be resolved, so memfd_create is no use. */
static void make_file(const uint8_t *data, size_t size, char path[PATH])
{
    snprintf(path, PATH, "%s/shoal-fuzz-%d", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid());
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0)
        abort();
}

/* Nothing remembers the file either: what is remembered of each input grows without end, and to the fuzzer looks like
 * a leak, for which it searches all memory. */
static enum err done(const char *path, enum err e)
{
    if (unlink(path) != 0)
        abort();
    input_files_forget();
    return e;
}

/* Counts faults in rows, where a command would print them. */
static void count_fault(void *context, const char *path, int line, const char *fault)
{
    (void)path, (void)line;
    *(size_t *)context += strlen(fault) > 0;
}

static enum err take_rows(const uint8_t *data, size_t size)
{
    char path[PATH];
    size_t faults = 0;
    struct db_table t = {0};
    make_file(data, size, path);
    const enum err e = db_read(path, count_fault, &faults, &t);
    if (!e)
        db_sort(&t);
    db_free(&t);
    return done(path, e);
}

static enum err take_cells(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct db_cells t = {0};
    make_file(data, size, path);
    const enum err e = db_cells_read(path, &t);
    db_cells_free(&t);
    return done(path, e);
}

static enum err take_manifest(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct db_manifest m = {0};
    make_file(data, size, path);
    const enum err e = db_manifest_read(path, &m);
    db_manifest_free(&m);
    return done(path, e);
}

/* Kernel Tuner's cache files: they are read and counted, but nothing is stored. */
static enum err take_import(const uint8_t *data, size_t size)
{
    extern const struct command db_action_import;
    char path[PATH];
    char *words[] = {path, NULL};
    make_file(data, size, path);
    const enum err e = commands_run(&db_action_import, "db ", 1, words);
    return done(path, e);
}

static enum err take_run_file(const uint8_t *data, size_t size)
{
    static struct config c;
    char path[PATH];
    make_file(data, size, path);
    config_defaults(&c);
    const enum err e = runfile_read(&c, path);
    return done(path, e);
}

/* The words of `shoal run`, one a line. */
static enum err take_command_line(const uint8_t *data, size_t size)
{
    static struct config c;
    char *words[MOST_WORDS + 1], *text = malloc(size + 1);
    int count = 0;
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    for (char *rest = text, *word; count < MOST_WORDS && (word = strsep(&rest, "\n"));)
        words[count++] = word;
    words[count] = NULL;
    config_defaults(&c);
    const enum err e = config_read(&c, count, words);
    free(text);
    return e;
}

/* Fields of rain in time, and, as a text, the date that times count from. */
static enum err take_rain(const uint8_t *data, size_t size)
{
    char path[PATH], text[64];
    struct raster r;
    snprintf(text, sizeof text, "%.*s", (int)(size < 63 ? size : 63), (const char *)data);
    calendar_seconds(text);
    make_file(data, size, path);
    const enum err e = raster_read(path, QUANTITY_RAIN, &r);
    raster_free(&r);
    return done(path, e);
}

/* A file that --rain, then --source, or --infiltration names. */
static enum err take_water(const uint8_t *data, size_t size)
{
    static struct config c;
    const struct water_setting from = {
        .config = &c, .grid = {.nx = 6, .ny = 4, .dx = 1, .dy = 1}, .t_end = 10};
    char path[PATH], rain_word[PATH + 8], soil_word[PATH + 16], source_word[PATH + 16];
    char *words[] = {"lake", rain_word, soil_word, source_word, NULL};
    struct rain rain = {0};
    struct soil soil = {0};
    struct spring_list springs = {0};
    int given;
    make_file(data, size, path);
    snprintf(rain_word, sizeof rain_word, "--rain=%s", path);
    snprintf(soil_word, sizeof soil_word, "--infiltration=%s", path);
    snprintf(source_word, sizeof source_word, "--source=s,2,2,%s", path);
    if (strcmp(c.rain.file, path) != 0 && config_read(&c, 4, words)) /* once will do */
        abort();
    enum err e = rain_choose(&rain, &from, &given);
    if (!e && rain.fields == 0)
        e = springs_choose(&springs, &from);
    else if (!e)
        e = soil_choose(&soil, &from, &given);
    rain_free(&rain);
    soil_free(&soil);
    springs_free(&springs);
    return done(path, e);
}

static enum err take_netcdf(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct nc_input in = {0};
    make_file(data, size, path);
    const enum err e = nc_read(path, find_system("shallow_water"), &in);
    nc_input_free(&in);
    return done(path, e);
}

/* ESRI ASCII grids; netCDF and what GDAL reads pass through other libraries first. */
static enum err take_grid(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct raster r = {0};
    make_file(data, size, path);
    const enum err e = raster_read(path, QUANTITY_TERRAIN, &r);
    raster_free(&r);
    return done(path, e);
}

/* From memory: a million of them a minute. */
static enum err take_xyz(const uint8_t *data, size_t size)
{
    struct raster r = {0};
    FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (!f)
        return ERR_OK;
    const enum err e = raster_parse_xyz(f, "input", &r);
    raster_free(&r);
    fclose(f);
    return e;
}

static enum err take_formula(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x", "y", "bed", NULL};
    static const double values[] = {1, -2, 0.5};
    struct formula f;
    char *text = strndup((const char *)data, size);
    const enum err e = text ? formula_read(&f, text, names) : ERR_OK;
    if (text && !e)
        formula_value(&f, values);
    free(text);
    return e;
}

/* A text, compared with another one. */
static enum err take_crs(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size), label[CRS_LABEL];
    if (!text)
        return ERR_OK;
    crs_label(text, label);
    crs_compare(text,
                "PROJCS[\"a\",GEOGCS[\"b\",DATUM[\"d\",SPHEROID[\"s\",6378137,298]]],PROJECTION["
                "\"Transverse_Mercator\"],UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"1\"]]");
    free(text);
    return ERR_OK;
}

static enum err take_hydrograph(const uint8_t *data, size_t size)
{
    struct timeseries s = {0};
    enum err e = timeseries_parse(&s, (const char *)data, size, "input");
    if (!e)
        e = timeseries_covers(&s, s.time[0], s.time[s.rows - 1], "input");
    timeseries_free(&s);
    return e;
}

static enum err take_gauges(const uint8_t *data, size_t size)
{
    static struct config c;
    const struct grid_info g = {.nx = 10, .ny = 10, .dx = 1, .dy = 1};
    struct gauge_list list = {0};
    char path[PATH];
    make_file(data, size, path);
    config_defaults(&c);
    snprintf(c.gauges_file, sizeof c.gauges_file, "%s", path);
    const enum err e = gauges_read(&c, &g, &list);
    gauges_free(&list);
    return done(path, e);
}

static enum err take_checkpoint(const uint8_t *data, size_t size)
{
    struct content content = {0};
    char path[PATH];
    make_file(data, size, path);
    const enum err e = checkpoint_read(&content, find_system("shallow_water"), path);
    content_free(&content);
    return done(path, e);
}

/* What `shoal render` reads, to its last value. */
static enum err take_result(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 16 };
    static float row[MOST];
    struct ncrecords r = {0};
    char path[PATH];
    make_file(data, size, path);
    enum err e = ncrecords_open(&r, path);
    for (int v = 0; !e && v < r.variables; v++)
        for (int j = 0; !e && j < r.grid.ny && r.grid.nx <= MOST; j++)
            e = ncrecords_read(&r, &r.variable[v], 0, (struct ncwindow){0, j, r.grid.nx, 1}, row);
    ncrecords_close(&r);
    return done(path, e);
}

/* netCDF-4 files, read as input, as a result and as terrain: separate from classic files, as looking through each in
 * a child process takes a hundred times as long. */
static enum err take_hdf5(const uint8_t *data, size_t size)
{
    enum err e = take_netcdf(data, size);
    if (!e)
        e = take_result(data, size);
    return e ? e : take_grid(data, size);
}

const struct fuzz_target fuzz_targets[] = {
    {"rows", take_rows},
    {"cells", take_cells},
    {"manifest", take_manifest},
    {"import", take_import},
    {"run-file", take_run_file},
    {"command-line", take_command_line},
    {"netcdf", take_netcdf},
    {"rain", take_rain},
    {"water", take_water},
    {"grid", take_grid},
    {"xyz", take_xyz},
    {"formula", take_formula},
    {"crs", take_crs},
    {"hydrograph", take_hydrograph},
    {"gauges", take_gauges},
    {"checkpoint", take_checkpoint},
    {"result", take_result},
    {"hdf5", take_hdf5},
    {0},
};
