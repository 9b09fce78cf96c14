/* `shoal export`: maps and tables of a result for other programs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/input_files.h"
#include "core/base/output_file.h"
#include "core/netcdf/netcdf_file.h"
#include "core/netcdf/read_table.h"
#include "core/options/options.h"
#include "core/registry/command.h"
#include "plots/export/export.h"

const char *const export_endings[] = {
    [EXPORT_GTIFF] = ".tif", [EXPORT_ASC] = ".asc", [EXPORT_CSV] = ".csv", NULL};

static const char *const format_words[] = {
    [EXPORT_GTIFF] = "gtiff", [EXPORT_ASC] = "asc", [EXPORT_CSV] = "csv", NULL};

static const struct option options[] = {
    {"variable", "NAME", "a map (depth, level, speed, h_max), a table (gauges, balance)",
     TEXT_IN(struct export_settings, variable), .unset = "depth"},
    {"format", "FORMAT", "gtiff, asc (ESRI ASCII grid) or csv",
     CHOICE_IN(struct export_settings, format, format_words),
     .unset = "by --output, else gtiff; csv"},
    {"time", "SECONDS", "which record of a map: the nearest, or last",
     TEXT_IN(struct export_settings, time), .unset = "last"},
    {"dry", "METRES", "shallower cells of a map have no value",
     NUMBER_IN(struct export_settings, dry, 0, 1e6), .unset = "0.01, speeds 0.05; or less"},
    {"output", "FILE", "the file to write", PATH_IN(struct export_settings, output),
     .unset = "FILE-VARIABLE.tif and so on, here"},
    {.name = NULL},
};

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcasecmp(text + n - m, end) == 0;
}

/* The format of a name's ending, -1 for an unknown one. */
static int format_of(const char *name)
{
    for (int k = 0; export_endings[k]; k++)
        if (ends_with(name, export_endings[k]))
            return k;
    return ends_with(name, ".tiff") ? EXPORT_GTIFF : -1;
}

static enum err choose_format(struct export_settings *s, int is_table)
{
    const int named = format_of(s->output);
    if (s->format >= 0 && named >= 0 && s->format != named)
        FAIL(USAGE, "--output %s has the ending of %s, and --format is %s: leave one out",
             s->output, format_words[named], format_words[s->format]);
    if (s->format < 0 && *s->output && named < 0)
        FAIL(USAGE,
             "--output %s: the format is unknown: add --format gtiff, asc or csv, or name it "
             "FILE.tif, FILE.asc or FILE.csv",
             s->output);
    if (s->format < 0)
        s->format = named >= 0 ? named : is_table ? EXPORT_CSV : EXPORT_GTIFF;
    if (is_table && s->format != EXPORT_CSV)
        FAIL(USAGE, "--variable %s is a table, and --format %s is for maps: choose csv",
             s->variable, format_words[s->format]);
    if (is_table && *s->time)
        FAIL(USAGE, "--time is for maps: the table %s has all times", s->variable);
    return ERR_OK;
}

/* FILE-VARIABLE.tif, here. */
static enum err choose_output(struct export_settings *s, const char *from)
{
    const char *slash = strrchr(from, '/'), *name = slash ? slash + 1 : from;
    if (*s->output)
        return ERR_OK;
    const size_t n = strlen(name) - (ends_with(name, ".nc") ? 3 : 0);
    if ((size_t)snprintf(s->output, sizeof s->output, "%.*s-%s%s", (int)n, name,
                         *s->variable ? s->variable : "depth",
                         export_endings[s->format]) >= sizeof s->output)
        FAIL(USAGE, "'%s': too long a name", from);
    return ERR_OK;
}

static enum err cmd_export(const struct call *call)
{
    struct export_settings *s = call->settings;
    const char *from = call->word[0];
    if (!ncfile_available()) {
        err_context("export");
        return err_last();
    }
    if (access(from, R_OK) != 0)
        FAIL(INPUT, "%s: cannot be read: %s", from, strerror(errno));
    input_files_note(from);
    const int is_table = *s->variable && nctable_has(from, s->variable);
    TRY(choose_format(s, is_table));
    TRY(choose_output(s, from));
    TRY(outfile_check(s->output));
    TRY(is_table ? export_table(s, from, s->output) : export_map(s, from, s->output));
    printf("%s\n", s->output);
    return ERR_OK;
}

const struct command command_export = {
    .name = "export",
    .arguments = "FILE.nc",
    .title = "maps and tables of a result for other programs",
    .place = 12,
    .about =
        "Writes a map from a result of `shoal run --output FILE.nc` as GeoTIFF, with GDAL's\n"
        "tools, or as ESRI ASCII grid: in its coordinate system, without values where it is\n"
        "dry; or a table as CSV. Prints the name of the file.\n"
        "\n"
        "Tables: gauges is a row for each gauge, with its maxima; gauge_h (gauge_w, gauge_hu,\n"
        "gauge_hv) a row for each time and a column for each gauge; section_discharge and\n"
        "section_volume likewise; balance the volumes. A map as CSV is x, y and value of each\n"
        "cell that has one.",
    .examples = "  shoal export flood.nc --variable h_max --format gtiff\n"
                "  shoal export flood.nc --variable depth --time 3600 --output hour.tif\n"
                "  shoal export flood.nc --variable arrival_time --format asc\n"
                "  shoal export flood.nc --variable gauge_h --output depths.csv\n"
                "  shoal export flood.nc --variable balance --format csv",
    .options = options,
    .settings = sizeof(struct export_settings),
    .least = 1,
    .most = 1,
    .missing = "export needs a file that `shoal run --output` wrote; see `shoal export --help`",
    .run = cmd_export,
};
