/* `shoal db`: checks the database of measurements, and shows what it has about a kernel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/command/find_command.h"
#include "core/options/options.h"
#include "core/registry/catalog.h"
#include "core/registry/command.h"
#include "core/db/git_history.h"
#include "core/db/terminal_heatmap.h"
#include "core/picture/terminal.h"
#include "core/db/tuning_db.h"

enum { TIES_SHOWN = 8 };

struct checking {
    int history;
};

static const struct option check_options[] = {
    {"history", NULL, "and everything ever committed, by asking git",
     FLAG_IN(struct checking, history)},
    {.name = NULL},
};

static void print_fault(void *context, const char *path, int line, const char *fault)
{
    (void)context;
    if (line > 0)
        printf("%s:%d: %s\n", path, line, fault);
    else
        printf("%s: %s\n", path, fault);
}

static enum err check_database(const struct call *call)
{
    char database[PATH_LENGTH];
    const struct checking *s = call->settings;
    const char *folder = call->words ? call->word[0] : database;
    struct db_checked sum;
    if (!call->words)
        TRY(paths_database(database));
    TRY(db_check(folder, print_fault, NULL, &sum));
    if (s->history)
        TRY(db_history_check(folder, print_fault, NULL, &sum));
    printf("db: files=%d rows=%d bytes=%.0f records=%d open=%d history=%s faults=%d\n", sum.files,
           sum.rows, sum.bytes, sum.records, sum.open, s->history ? "yes" : "no", sum.faults);
    if (sum.faults)
        FAIL(CHECK, "the tuning database has %d fault%s, listed above", sum.faults,
             sum.faults == 1 ? "" : "s");
    return ERR_OK;
}

struct show {
    const char *folder;
    const struct kernel *kernel;
    char device[DB_NAME + 1]; /* "": any */
    int heatmap, colour;
};

static const struct option show_options[] = {
    {"device", "DEVICE", "a folder of the database", TEXT_IN(struct show, device), .unset = "any"},
    {"heatmap", NULL, "draws the blocks", FLAG_IN(struct show, heatmap)},
    {.name = NULL},
};

static void print_outcomes(const struct db_group *g)
{
    size_t counts[DB_OUTCOMES] = {0};
    for (size_t k = 0; k < g->count; k++)
        counts[g->row[k].outcome]++;
    printf("  blocks   %zu:", g->count);
    for (int k = 0, first = 1; k < DB_OUTCOMES; k++) {
        if (counts[k] == 0)
            continue;
        printf("%s %zu %s", first ? "" : ",", counts[k], db_outcomes[k]);
        first = 0;
    }
    putchar('\n');
}

static void print_best(const struct db_row *row)
{
    double low, high;
    db_interval(row, &low, &high);
    printf("  best     %dx%d: %.3f us (%.3f to %.3f), %.0f timings by %s", row->block.w,
           row->block.h, row->number[DB_MEDIAN], low, high,
           row->number[DB_KEPT] + row->number[DB_DROPPED], row->method);
    if (!isnan(row->number[DB_REGISTERS]))
        printf(", %.0f registers", row->number[DB_REGISTERS]);
    if (!isnan(row->number[DB_OCCUPANCY]))
        printf(", occupancy %.3f", row->number[DB_OCCUPANCY]);
    putchar('\n');
}

static void print_ties(const struct db_group *g)
{
    size_t ties = 0;
    for (size_t k = 0; k < g->ok; k++)
        ties += db_tied(&g->row[0], &g->row[k]) != 0;
    printf("  ties     %zu:", ties);
    for (size_t k = 0, shown = 0; k < g->ok && shown < TIES_SHOWN; k++) {
        if (!db_tied(&g->row[0], &g->row[k]))
            continue;
        printf(" %dx%d", g->row[k].block.w, g->row[k].block.h);
        shown++;
    }
    puts(ties > TIES_SHOWN ? " ..." : "");
}

static void print_default(const struct db_group *g, struct block block)
{
    const struct db_row *best = &g->row[0];
    printf("  default  %dx%d: ", block.w, block.h);
    for (size_t k = 0; k < g->count; k++) {
        const struct db_row *row = &g->row[k];
        if (row->block.w != block.w || row->block.h != block.h)
            continue;
        if (row->outcome != DB_OK)
            printf("%s: %s\n", db_outcomes[row->outcome], row->reason);
        else
            printf("%.3f us, loses %.1f %%%s\n", row->number[DB_MEDIAN],
                   100 * (row->number[DB_MEDIAN] / best->number[DB_MEDIAN] - 1),
                   db_tied(best, row) ? " (tied with the best)" : "");
        return;
    }
    puts("not measured");
}

static enum err print_group(void *context, const struct db_seen *seen)
{
    const struct show *s = context;
    const struct db_place *place = seen->place;
    const struct db_group *g = seen->group;
    const char *flags = db_manifest_get(seen->manifest, "flags", g->row->flags);
    const struct block usual = s->kernel->block[db_manifest_backend(seen->manifest)];
    printf("%s %s: %s %s %dx%d %s\n", place->device, place->environment, place->kernel, place->flow,
           place->nx, place->ny, precision_names[place->precision]);
    printf("  flags    %s: %s; source %s\n", g->row->flags, flags ? flags : "not in the manifest",
           g->row->source);
    print_outcomes(g);
    if (g->ok == 0) {
        puts("  best     none: every block failed");
    } else {
        print_best(g->row);
        print_ties(g);
        print_default(g, usual);
    }
    if (s->heatmap)
        heatmap_print(stdout, g, usual, s->colour);
    return ERR_OK;
}

/* Shows each file of the kernel; counts these, and the files of the device. */
static enum err show_list(struct show *s, const struct db_list *list)
{
    const char *device = *s->device ? s->device : NULL;
    int shown = 0, known = device == NULL;
    for (size_t k = 0; k < list->count; k++) {
        struct db_place place;
        db_place_parse(list->path[k], &place);
        if (device && strcmp(place.device, device) != 0)
            continue;
        known = 1;
        if (place.kind != DB_KERNEL || strcmp(place.kernel, s->kernel->name) != 0)
            continue;
        TRY(db_groups(s->folder, list->path[k], print_group, s));
        shown++;
    }
    if (!known)
        FAIL(USAGE, "no device '%s' in %s: --device takes the name of a folder there", device,
             s->folder);
    if (!shown)
        printf("%s: no measurements%s%s\n", s->kernel->name, device ? " on " : "",
               device ? device : "");
    return ERR_OK;
}

static enum err show_kernel(const struct call *call)
{
    char folder[PATH_LENGTH];
    struct db_list list;
    struct show *s = call->settings;
    s->folder = folder;
    s->colour = terminal_in_colour();
    TRY(catalog_kernel(call->word[0], &s->kernel));
    TRY(paths_database(folder));
    TRY(db_list_read(folder, &list));
    const enum err e = show_list(s, &list);
    db_list_free(&list);
    return e;
}

const struct command db_action_check = {
    .name = "check",
    .arguments = "[FOLDER]",
    .title = "checks the whole database against its rules",
    .place = 1,
    .about = "Reads the whole database, or FOLDER, and prints each fault with its file, line and\n"
             "remedy; status 1 if there is one. tuning_db/README.md lists the rules.",
    .examples = "  shoal db check\n"
                "  shoal db check --history\n"
                "  shoal db check results/tuning_db",
    .options = check_options,
    .settings = sizeof(struct checking),
    .most = 1,
    .run = check_database,
};

const struct command db_action_show = {
    .name = "show",
    .arguments = "KERNEL",
    .title = "best block, ties, what the default loses, a heat map",
    .place = 2,
    .about = "For each device, size and precision: the fastest block of a kernel, the blocks\n"
             "tied with it, what the default block loses, how many blocks failed and why. The heat "
             "map is in colour on a terminal, unless NO_COLOR is set.",
    .examples = "  shoal db show flux_fgh0\n"
                "  shoal db show rk1 --device nvidia-h200 --heatmap",
    .options = show_options,
    .settings = sizeof(struct show),
    .least = 1,
    .most = 1,
    .missing = "db show needs a kernel: shoal db show flux_fgh0",
    .run = show_kernel,
};

static void print_help(void)
{
    puts("usage: shoal db ACTION [arguments]\n"
         "\n"
         "The database of measurements, tuning_db/, is text; tuning_db/README.md describes it.\n"
         "SHOAL_DB names another folder to use instead.\n");
    for (const struct command *c = commands_next(db_actions, NULL); c;
         c = commands_next(db_actions, c))
        printf("  shoal db %-6s %-25s %s\n", c->name, c->arguments, c->title);
    puts("\n  shoal db ACTION --help   explains an action, with examples");
}

static enum err cmd_db(const struct call *call)
{
    if (call->argc == 0)
        FAIL(USAGE, "db needs an action, check for example: see shoal db --help");
    const struct command *action = commands_find(db_actions, call->argv[0]);
    if (action)
        return commands_run(action, "db ", call->argc - 1, call->argv + 1);
    if (!commands_want_help(call->argc, call->argv)) {
        struct catalog known;
        commands_names(db_actions, &known);
        return catalog_unknown(&known, "action of db", call->argv[0], NULL);
    }
    print_help();
    return ERR_OK;
}

const struct command command_db = {
    .name = "db",
    .arguments = "check|show|sql|...",
    .title = "the database of measurements",
    .place = 13,
    .run = cmd_db,
};
