/* Reads the settings of a run from the command line and from a run file. */
#include "core/options/run_config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/options/options.h"
#include "core/registry/registry.h"
#include "core/options/run_file.h"

/* Beyond the memory of any machine this can run on; the product of two large sides gets there. */
static const double MOST_CELLS = 1e10;

void config_defaults(struct config *c)
{
    memset(c, 0, sizeof *c);
    for (const struct option *o = run_options; o->name; o++)
        option_reset(o, c);
}

void config_case_defaults(struct config *c)
{
    config_defaults(c);
    snprintf(c->reconstruction, sizeof c->reconstruction, "%s", CASE_RECONSTRUCTION);
}

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static enum err set_input(struct config *c, const char *text)
{
    struct catalog known;
    struct stat s;
    if (strlen(text) >= FILE_LENGTH)
        FAIL(USAGE, "the name of a file may have at most %d characters", FILE_LENGTH - 1);
    if (!find_case(text) && !strpbrk(text, "/.") && stat(text, &s) != 0) {
        catalog_fill(&known, LIST_CASES);
        return catalog_unknown(&known, "case", text,
                               "`shoal list cases` lists them; there is no file of that name "
                               "either");
    }
    memcpy(c->input, text, strlen(text) + 1);
    return ERR_OK;
}

static enum err unknown_option(const char *name)
{
    struct catalog known = {0};
    char typed[NAME_LENGTH + 2], dashed[CATALOG_ENTRIES][NAME_LENGTH];
    for (const struct option *o = run_options; o->name && known.count < CATALOG_ENTRIES; o++) {
        snprintf(dashed[known.count], NAME_LENGTH, "--%s", o->name);
        catalog_add(&known, dashed[known.count]);
    }
    snprintf(typed, sizeof typed, "--%s", name);
    return catalog_unknown(&known, "option", typed, "`shoal run --help` explains them all");
}

/* One option of the command line; `next` is the argument after it or NULL. `used` says whether
 * that was its value. */
static enum err read_option(struct config *c, const char *argument, const char *next, int *used)
{
    char name[NAME_LENGTH];
    const char *typed = argument + 2, *equals = strchr(typed, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - typed : (long)strlen(typed)),
             typed);
    const struct option *o = option_find(name);
    *used = 0;
    if (!o)
        return unknown_option(name);
    const char *value = equals ? equals + 1 : next;
    if (!equals && o->kind == OPTION_FLAG) {
        value = "yes";
    } else if (!equals) {
        if (!value || strncmp(value, "--", 2) == 0)
            FAIL(USAGE, "--%s needs a value: --%s %s", name, name, o->value);
        *used = 1;
    }
    const enum err e = option_set(o, c, value);
    if (e)
        err_context("--%s", name);
    return e;
}

/* All arguments; `input` gets the one that is not an option, NULL if there is none. */
static enum err read_arguments(struct config *c, int argc, char **argv, const char **input)
{
    *input = NULL;
    for (int k = 0; k < argc; k++) {
        int used = 0;
        if (strncmp(argv[k], "--", 2) == 0) {
            TRY(read_option(c, argv[k], k + 1 < argc ? argv[k + 1] : NULL, &used));
            k += used;
        } else if (argv[k][0] == '-') {
            FAIL(USAGE,
                 "unknown option '%s': options begin with --; `shoal run --help` explains "
                 "them all",
                 argv[k]);
        } else if (*input) {
            FAIL(USAGE, "two inputs are given, '%s' and '%s': one case or file at a time", *input,
                 argv[k]);
        } else {
            *input = argv[k];
        }
    }
    return ERR_OK;
}

/* What would be written, if there were a file. */
static enum err check_nothing_to_write(const struct config *c)
{
    const struct {
        const char *option;
        int given;
    } wanted[] = {
        {"every", !isnan(c->every)},
        {"variables", *c->variables != '\0'},
        {"region", !isnan(c->region[0])},
        {"maxima", c->maxima},
        {"gauge", c->gauge_count > 0},
        {"gauges", *c->gauges_file != '\0'},
        {"balance-every", !isnan(c->balance_every)},
        {"checkpoint", !isnan(c->checkpoint)},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (wanted[k].given)
            FAIL(USAGE, "--%s: there is nothing to write to; add --output FILE.nc",
                 wanted[k].option);
    return ERR_OK;
}

static enum err check_output(const struct config *c)
{
    char folder[FILE_LENGTH];
    struct stat s, from;
    if (!*c->output)
        return check_nothing_to_write(c);
    const char *slash = strrchr(c->output, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->output) + 1 : 1,
             slash ? c->output : ".");
    if (stat(folder, &s) != 0 || !S_ISDIR(s.st_mode))
        FAIL(INPUT, "--output: '%s': there is no folder '%s'; create it first", c->output, folder);
    if (stat(c->output, &s) == 0 && S_ISDIR(s.st_mode))
        FAIL(INPUT, "--output: '%s' is a folder; add the name of a file", c->output);
    if (*c->restart && stat(c->output, &s) == 0 && stat(c->restart, &from) == 0 &&
        s.st_dev == from.st_dev && s.st_ino == from.st_ino)
        FAIL(USAGE, "--output: '%s' is the checkpoint that --restart reads; choose another name",
             c->output);
    return ERR_OK;
}

static enum err check_combinations(const struct config *c)
{
    if ((double)c->nx * c->ny > MOST_CELLS)
        FAIL(USAGE, "--nx %d --ny %d: a run may have at most %.0e cells", c->nx, c->ny, MOST_CELLS);
    if ((!isnan(c->level.number) || *c->level.file) && (!isnan(c->depth.number) || *c->depth.file))
        FAIL(USAGE, "--level and --depth both say where the water is: give one of them");
    if (c->order > 0 && strcmp(c->backend, "cuda") == 0)
        FAIL(USAGE, "--order: a GPU decides the order itself; use --backend cpu");
    return check_output(c);
}

enum err config_read(struct config *c, int argc, char **argv)
{
    const char *input;
    config_defaults(c);
    TRY(read_arguments(c, argc, argv, &input));
    if (!input)
        FAIL(USAGE,
             "nothing to run: name a case, such as `shoal run circular-dam`, terrain in a "
             "FILE, or a FILE.ini; `shoal list cases` lists the cases, `shoal run --help` explains "
             "the rest");
    if (ends_with(input, ".ini")) {
        const char *same;
        config_defaults(c);
        TRY(runfile_read(c, input));
        TRY(read_arguments(c, argc, argv, &same));
    } else {
        TRY(set_input(c, input));
    }
    return check_combinations(c);
}
