/* Reads the settings of a run from the command line and from a run file. */
#include "core/options/run_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/registry/registry.h"

/* Some more than 131072 x 131072: beyond that even the tiles of a sparse domain are too many for an int. */
static const double MOST_CELLS = 2e10;

void config_defaults(struct config *c)
{
    memset(c, 0, sizeof *c);
    options_reset(run_options, c);
}

int config_changes(const struct config *c, const char *name)
{
    static struct config usual;
    const struct option *o = option_find(run_options, name);
    char own[FILE_LENGTH], other[FILE_LENGTH];
    config_defaults(&usual);
    const int has = option_format(o, c, 0, own), had = option_format(o, &usual, 0, other);
    return has != had || (has && strcmp(own, other) != 0);
}

const struct system *config_system(const struct config *c, const struct flow_case *f)
{
    const struct scheme *scheme = *c->scheme ? find_scheme(c->scheme) : NULL;
    return f ? case_system(f) : find_system(scheme ? scheme->system : "shallow_water");
}

enum err config_check_row(const struct option *o, const struct system *system)
{
    const struct system *own = o->system ? find_system(o->system) : NULL;
    if (!own || own == system || (system->extends && strcmp(system->extends, own->name) == 0))
        return ERR_OK;
    FAIL(USAGE,
         "--%s applies to the system %s, but the run's is %s: omit it, or choose a scheme or a "
         "case of %s, such as --scheme %s",
         o->name, own->name, system->name, own->name, own->scheme);
}

void config_case_defaults(struct config *c)
{
    config_defaults(c);
    snprintf(c->reconstruction, sizeof c->reconstruction, "%s", CASE_RECONSTRUCTION);
    snprintf(c->scheme, sizeof c->scheme, "%s", CASE_SCHEME);
}

static int is_run_file(const char *name)
{
    const size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".ini") == 0;
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
                               "`shoal list cases` lists them; there is no such file either");
    }
    if (!find_case(text) && stat(text, &s) == 0 && S_ISDIR(s.st_mode))
        FAIL(INPUT, "'%s' is a folder: name a case (`shoal list cases`) or a file", text);
    memcpy(c->input, text, strlen(text) + 1);
    return ERR_OK;
}

/* Which rows of run_options are in `typed`. A run file may also have others at their defaults,
 * because --print-config writes all. */
static enum err check_typed(const struct config *c, const char *typed)
{
    const struct system *system = config_system(c, find_case(c->input));
    for (int k = 0; run_options[k].name; k++)
        if (typed[k] && system)
            TRY(config_check_row(&run_options[k], system));
    return ERR_OK;
}

/* All arguments; sets `input` to the one that is not an option, or NULL. */
static enum err read_arguments(struct config *c, int argc, char **argv, const char **input,
                               char *typed)
{
    const char *word[2] = {NULL, NULL};
    struct arguments a = {.command = "run",
                          .options = run_options,
                          .word = word,
                          .most = 2,
                          .takes = "one input",
                          .typed = typed};
    TRY(options_read(&a, argc, argv, c));
    if (a.words > 1)
        FAIL(USAGE, "expected one case or file, got '%s' and '%s'", word[0], word[1]);
    *input = word[0];
    return ERR_OK;
}

/* An option that says what to write, given without --output. */
static enum err check_nothing_to_write(const struct config *c)
{
    const struct {
        const char *option;
        int given;
    } wanted[] = {
        {"every", !isnan(c->every)},
        {"variables", *c->variables != '\0'},
        {"region", !isnan(c->region[0])},
        {"start", *c->start != '\0' && !*c->rain.file}, /* else the rain's times may be dates */
        {"maxima", c->maxima},
        {"hazard", c->hazard},
        {"gauge", c->gauge_count > 0},
        {"gauges", *c->gauges_file != '\0'},
        {"section", c->sections.count > 0},
        {"balance-every", !isnan(c->balance_every)},
        {"checkpoint", !isnan(c->checkpoint)},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (wanted[k].given)
            FAIL(USAGE, "--%s: there is nothing to write to; add --output FILE.nc",
                 wanted[k].option);
    return ERR_OK;
}

enum err config_check_ending(const char *output)
{
    static const struct {
        const char *ending, *command;
    } others[] = {
        {".tif", "export FILE.nc --variable h_max --format gtiff"},
        {".tiff", "export FILE.nc --variable h_max --format gtiff"},
        {".asc", "export FILE.nc --variable h_max --format asc"},
        {".csv", "export FILE.nc --variable gauge_h --format csv"},
        {".png", "render FILE.nc"},
        {".mp4", "render FILE.nc"},
    };
    const size_t n = strlen(output);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const size_t m = strlen(others[k].ending);
        if (n > m && strcasecmp(output + n - m, others[k].ending) == 0)
            FAIL(USAGE,
                 "--output: '%s': a run writes netCDF: name it FILE.nc, and then `shoal %s "
                 "--output %s`",
                 output, others[k].command, output);
    }
    return ERR_OK;
}

static enum err check_output(const struct config *c)
{
    char folder[FILE_LENGTH];
    struct stat s, from;
    if (!*c->output)
        return check_nothing_to_write(c);
    if (stat(c->output, &s) != 0) /* it may be the run's input, which gives a better message */
        TRY(config_check_ending(c->output));
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
        FAIL(USAGE, "--nx %d --ny %d: expected at most %.0e cells", c->nx, c->ny, MOST_CELLS);
    if ((!isnan(c->level.number) || *c->level.file) && (!isnan(c->depth.number) || *c->depth.file))
        FAIL(USAGE, "--level and --depth exclude each other: give one of them");
    if (c->order > 0 && strcmp(c->backend, "cuda") == 0)
        FAIL(USAGE, "--order: a GPU chooses the order itself; use --backend cpu");
    return check_output(c);
}

/* Runs before the options are read; later the scheme is known, which may have a Courant number of
 * its own. With --scheme auto it is not known before the device is. */
static void await_settings(struct config *c)
{
    config_defaults(c);
    c->cfl = (double)NAN;
}

double config_courant(const struct config *c, const struct scheme *scheme)
{
    struct config usual;
    const double own = c->positivity == BY_DRAINING ? scheme->drained_cfl : scheme->usual_cfl;
    if (!isnan(c->cfl))
        return c->cfl;
    config_defaults(&usual);
    return courant_with(c->flux, own > 0 ? own : usual.cfl);
}

/* By the given scheme, or the default for the case's equations. */
static void choose_courant(struct config *c)
{
    const struct system *system = config_system(c, find_case(c->input));
    const struct scheme *scheme = find_scheme(*c->scheme ? c->scheme
                                              : system   ? system->scheme
                                                         : "");
    if (scheme)
        c->cfl = config_courant(c, scheme);
}

enum err config_read(struct config *c, int argc, char **argv)
{
    const char *input;
    char typed[CATALOG_ENTRIES] = {0};
    await_settings(c);
    TRY(read_arguments(c, argc, argv, &input, typed));
    if (!input && *c->restart)
        FAIL(
            USAGE,
            "--restart %s: expected the case or FILE of the checkpoint's run as well: give it, and "
            "the same options",
            c->restart);
    if (!input)
        FAIL(USAGE,
             "nothing to run: name a case, such as `shoal run circular-dam`, terrain in a "
             "FILE, or a FILE.ini; `shoal list cases` lists the cases, `shoal run --help` explains "
             "the rest");
    if (is_run_file(input)) {
        const char *same;
        await_settings(c);
        TRY(runfile_read(c, input));
        TRY(read_arguments(c, argc, argv, &same, typed));
    } else {
        TRY(set_input(c, input));
    }
    choose_courant(c);
    TRY(check_typed(c, typed));
    return check_combinations(c);
}
