/* The settings of a run as a run file, and the help text of `shoal run`. */
#include "core/options/run_config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/sha256.h"
#include "core/base/signals.h"
#include "core/registry/registry.h"

static const char *const group_titles[GROUPS] = {
    [GROUP_FLOW] = "The flow",
    [GROUP_METHOD] = "The method",
    [GROUP_MACHINE] = "The machine",
    [GROUP_OUTPUT] = "Output",
    [GROUP_AUTHORS] = "For kernel authors",
};

/* Quoted if a run file would read it as something else. */
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

/* Run files move around: only a full path still means the same file then. A folder: the program's. */
static enum err full_path(const char *path, const char *folder, char full[FILE_LENGTH])
{
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    const int n = *path == '/' || !*folder ? snprintf(full, FILE_LENGTH, "%s", path)
                                           : snprintf(full, FILE_LENGTH, "%s/%s", folder, path);
    if (n >= FILE_LENGTH)
        FAIL(USAGE, "a path may have at most %d characters", FILE_LENGTH - 1);
    return ERR_OK;
}

/* The value with the full paths of its files; unchanged if these are too long. */
static void print_moved(const struct option *o, const char *value, const char *folder)
{
    char moved[FILE_LENGTH];
    print_value(option_move_files(o, value, full_path, folder, moved) ? value : moved);
}

static void print_option(const struct option *o, const struct config *c, const char *folder)
{
    char text[FILE_LENGTH];
    int k = 0;
    for (; option_format(o, c, k, text); k++) {
        printf("%s = ", o->name);
        print_moved(o, text, folder);
    }
    if (k == 0)
        printf("# %s: %s\n", o->name, o->unset);
}

void config_print(const struct config *c)
{
    char folder[FILE_LENGTH], full[FILE_LENGTH];
    if (!getcwd(folder, sizeof folder))
        *folder = '\0';
    puts("# Settings of `shoal run`: save them as FILE.ini, then `shoal run FILE.ini`.");
    printf(find_case(c->input) ? "case = " : "input = ");
    print_value(find_case(c->input) || full_path(c->input, folder, full) ? c->input : full);
    for (int group = 0; group < GROUPS; group++) {
        printf("\n# %s\n", group_titles[group]);
        for (const struct option *o = run_options; o->name; o++) {
            if ((int)o->group == group && !o->only_command_line)
                print_option(o, c, folder);
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
    fprintf(
        f,
        "\n"
        "An edge is one of wall, open, periodic, discharge:Q (m2/s, per metre of the edge),\n"
        "inflow:Q (m3/s in all), depth:H and level:W (metres, of the water and of its surface),\n"
        "wave:E (metres above still water, of an incoming wave; outgoing ones leave).\n"
        "Of sediment: sand:Q,mud:Q comes in, sediment:Q leaves (below 0), m2/s.\n"
        "Discharges are positive into the domain. Instead of a number a FILE with two columns,\n"
        "time in seconds and value, gives values that change with time, linear between rows. With\n"
        "@FROM..TO (metres, y of a western or eastern edge, x of the others) it is a segment of\n"
        "the edge; the option may repeat, and later ones win where they overlap.\n"
        "\n"
        "A run file holds the same options, one `key = value` per line, without the dashes; also\n"
        "`case = NAME` or `input = FILE`. # begins a comment. Paths start at the run file's\n"
        "folder. block, bc-west and the like may repeat. The command line wins.\n"
        "\n"
        "A run with --output FILE.nc that Ctrl-C or another signal stops leaves its state in\n"
        "FILE.nc" CHECKPOINT_ENDING ", as --checkpoint does at intervals. The same command with\n"
        "--restart and that file resumes the run: in strict mode with the same bits. The signals\n"
        "are %s.\n"
        "\n"
        "Exit status: 0 fine, 1 an edge admitted less water than its series specifies, 2 wrong\n"
        "usage or bad input, 3 the machine failed, 4 the solution broke down, 5 stopped by a\n"
        "signal.\n",
        signals_names);
}
