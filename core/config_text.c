/* The settings of a run as a run file, and the help text of `shoal run`. */
#include "core/config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/options.h"
#include "core/registry.h"

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
static void print_path(const char *path)
{
    char folder[FILE_LENGTH], full[2 * FILE_LENGTH];
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    if (*path == '/' || !getcwd(folder, sizeof folder)) {
        print_value(path);
        return;
    }
    snprintf(full, sizeof full, "%s/%s", folder, path);
    print_value(full);
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
        if (o->kind == OPTION_PATH)
            print_path(text);
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
    puts("usage: shoal run CASE|FILE.nc|FILE.ini [options]\n"
         "\n"
         "Computes the flow of a case (`shoal list cases`) or of the state in a netCDF file. The\n"
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
         "An edge is a wall, open, periodic, discharge:Q (m2/s, positive into the domain) or "
         "depth:H\n"
         "(metres).\n"
         "\n"
         "A run file holds the same options, one `key = value` per line, without the dashes; also\n"
         "`case = NAME` or `input = FILE.nc`. # begins a comment. Paths start at the run file's\n"
         "folder. block may repeat. The command line wins.\n"
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
         "  shoal run lake --print-config > lake.ini; shoal run lake.ini --nx 400");
}
