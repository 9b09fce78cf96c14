/* The settings of a run as a run file, and the help text of `shoal run`. */
#include "core/options/run_config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/options/edge_option.h"
#include "core/registry/registry.h"

static const char *const group_titles[GROUPS] = {
    [GROUP_FLOW] = "The flow",
    [GROUP_METHOD] = "The method",
    [GROUP_MACHINE] = "The machine",
    [GROUP_OUTPUT] = "What is written",
    [GROUP_AUTHORS] = "For kernel authors",
};

/* Quoted where a run file would take it for something else. */
static void print_value(const char *text)
{
    if (!strpbrk(text, " \t#\"")) {
        puts(text);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    puts("\"");
}

/* Run files are moved about: only a full path still means the same file then. */
static void full_path(const char *path, char *full, size_t n)
{
    char folder[FILE_LENGTH];
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    if (*path == '/' || !getcwd(folder, sizeof folder))
        snprintf(full, n, "%s", path);
    else
        snprintf(full, n, "%s/%s", folder, path);
}

static void print_path(const char *path)
{
    char full[2 * FILE_LENGTH];
    full_path(path, full, sizeof full);
    print_value(full);
}

/* The file that an edge's value may name is a path, too. */
static void print_edge(const char *value)
{
    char name[FILE_LENGTH], full[2 * FILE_LENGTH], text[3 * FILE_LENGTH];
    size_t begin, length;
    if (!edge_option_file(value, &begin, &length)) {
        print_value(value);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, value + begin);
    full_path(name, full, sizeof full);
    snprintf(text, sizeof text, "%.*s%s%s", (int)begin, value, full, value + begin + length);
    print_value(text);
}

static void print_option(const struct option *o, const struct config *c)
{
    char text[FILE_LENGTH];
    if (!option_format(o, c, 0, text)) {
        printf("# %s: %s\n", o->name, o->unset);
        return;
    }
    for (int k = 0; option_format(o, c, k, text); k++) {
        printf("%s = ", o->name);
        if (option_is_file(o, text))
            print_path(text);
        else if (o->kind == OPTION_EDGE)
            print_edge(text);
        else
            print_value(text);
    }
}

void config_print(const struct config *c)
{
    puts("# Settings of `shoal run`: save them as FILE.ini, then `shoal run FILE.ini`.");
    printf(find_case(c->input) ? "case = " : "input = ");
    if (find_case(c->input))
        print_value(c->input);
    else
        print_path(c->input);
    for (int group = 0; group < GROUPS; group++) {
        printf("\n# %s\n", group_titles[group]);
        for (const struct option *o = run_options; o->name; o++) {
            if ((int)o->group == group && !o->only_command_line)
                print_option(o, c);
        }
    }
}

static void help_option(const struct option *o)
{
    char left[64];
    const char *initial = o->kind == OPTION_FLAG ? NULL : o->initial;
    snprintf(left, sizeof left, "--%s %s", o->name, o->value ? o->value : "");
    printf("  %-21s %s", left, o->help);
    if (initial || o->unset)
        printf(" (%s)", initial ? initial : o->unset);
    putchar('\n');
}

void config_help(void)
{
    puts(
        "usage: shoal run CASE|FILE|FILE.ini [options]\n"
        "\n"
        "Computes the flow of a case (`shoal list cases`), of the state in a netCDF file, or over\n"
        "the terrain in a FILE: netCDF, an ESRI ASCII grid, or what GDAL reads, such as GeoTIFF. "
        "The\n"
        "last line on stdout is a summary, `run: case=... scheme=...`; all else goes to stderr.\n"
        "Defaults are in parentheses.");
    for (int group = 0; group < GROUPS; group++) {
        printf("\n%s:\n", group_titles[group]);
        for (const struct option *o = run_options; o->name; o++) {
            if ((int)o->group == group)
                help_option(o);
        }
    }
    puts("\n"
         "An edge is one of wall, open, periodic, discharge:Q (m2/s, per metre of the edge),\n"
         "inflow:Q (m3/s in all), depth:H and level:W (metres, of the water and of its surface).\n"
         "Discharges are positive into the domain. Instead of a number a FILE with two columns,\n"
         "time in seconds and value, gives what changes with time, linear between its rows. With\n"
         "@FROM..TO (metres, y of a western or eastern edge, x of the others) it is a segment of\n"
         "the edge; the option may repeat, and later ones win where they overlap.\n"
         "\n"
         "A run file holds the same options, one `key = value` per line, without the dashes; also\n"
         "`case = NAME` or `input = FILE`. # begins a comment. Paths start at the run file's\n"
         "folder. block and bc-west and so on may repeat. The command line wins.\n"
         "\n"
         "A run with --output FILE.nc that Ctrl-C or another signal stops leaves its state in\n"
         "FILE.nc" CHECKPOINT_ENDING ", as --checkpoint does at intervals. The same command with\n"
         "--restart and that file goes on: in strict mode to the same bits.\n"
         "\n"
         "Exit status: 0 fine, 2 wrong usage or bad input, 3 the machine failed, 4 the solution\n"
         "broke down, 5 stopped by a signal.\n"
         "\n"
         "Examples:\n"
         "  shoal run circular-dam\n"
         "  shoal run circular-dam --nx 1024 --ny 1024 --backend cuda --output dam.nc --every 0.5\n"
         "  shoal run gauss --scheme euler --limiter mc --precision f64 --mode strict\n"
         "  shoal run dam.nc --t-end 20 --bc-east open --output later.nc\n"
         "  shoal run valley.nc --t-end 7200 --bc-west inflow:river.txt@120..180 --bc-east "
         "level:3.2\n"
         "  shoal run valley.tif --level 431.5 --manning 0.035 --t-end 3600 --output flood.nc\n"
         "  shoal run lake --print-config > lake.ini; shoal run lake.ini --nx 400");
}
