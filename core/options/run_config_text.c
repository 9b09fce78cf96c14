/* The settings of a run as a run file, and the help text of `shoal run`. */
#include "core/options/run_config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/sha256.h"
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

/* A file that the value names, with its full path. */
static void print_moved(const struct option *o, const char *value)
{
    char name[FILE_LENGTH], full[2 * FILE_LENGTH], text[3 * FILE_LENGTH];
    size_t begin, length;
    if (!o->type->file || !o->type->file(value, &begin, &length)) {
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
    int k = 0;
    for (; option_format(o, c, k, text); k++) {
        printf("%s = ", o->name);
        print_moved(o, text);
    }
    if (k == 0)
        printf("# %s: %s\n", o->name, o->unset);
}

void config_print(const struct config *c)
{
    char full[2 * FILE_LENGTH];
    puts("# Settings of `shoal run`: save them as FILE.ini, then `shoal run FILE.ini`.");
    printf(find_case(c->input) ? "case = " : "input = ");
    full_path(c->input, full, sizeof full);
    print_value(find_case(c->input) ? c->input : full);
    for (int group = 0; group < GROUPS; group++) {
        printf("\n# %s\n", group_titles[group]);
        for (const struct option *o = run_options; o->name; o++) {
            if ((int)o->group == group && !o->only_command_line)
                print_option(o, c);
        }
    }
}

void config_digest(const struct config *c, char hex[65])
{
    struct sha256 s;
    char text[FILE_LENGTH];
    sha256_init(&s);
    sha256_update(&s, c->input, strlen(c->input) + 1);
    for (const struct option *o = run_options; o->name; o++) {
        sha256_update(&s, o->name, strlen(o->name) + 1);
        for (int k = 0; option_format(o, c, k, text); k++)
            sha256_update(&s, text, strlen(text) + 1);
    }
    sha256_final(&s, hex);
}

void config_help(FILE *f)
{
    for (int group = 0; group < GROUPS; group++) {
        fprintf(f, "\n%s:\n", group_titles[group]);
        options_help(f, run_options, group);
    }
    fputs(
        "\n"
        "An edge is one of wall, open, periodic, discharge:Q (m2/s, per metre of the edge),\n"
        "inflow:Q (m3/s in all), depth:H and level:W (metres, of the water and of its surface),\n"
        "wave:E (metres above still water, of a wave that comes in; others are let out).\n"
        "Of sediment: sand:Q,mud:Q that come in, sediment:Q that leaves (below 0), m2/s.\n"
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
        "broke down, 5 stopped by a signal.\n",
        f);
}
