/* `shoal db replay`: how quickly each strategy finds the best block in stored spaces. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/options/options.h"
#include "core/registry/catalog.h"
#include "core/registry/command.h"
#include "experiments/tuner/replay.h"
#include "experiments/tuner/seeds.h"
#include "plots/data/load.h"

struct settings {
    char device[DB_NAME + 1];
    int repeats, tsv;
    int only; /* this strategy; -1: all */
};

struct replay {
    const struct settings *asked;
    struct database *d;
    int spaces;
};

static const struct option options[] = {
    {"device", "DEVICE", "only spaces in this folder of the database",
     TEXT_IN(struct settings, device)},
    {"strategy", "NAME", "this strategy only", CHOICE_IN(struct settings, only, strategy_names)},
    {"repeats", "N", "searches of each space, each in another random order",
     COUNT_IN(struct settings, repeats, 1, 100000), .initial = "200"},
    {"tsv", NULL, "one line for each strategy and space, tab separated",
     FLAG_IN(struct settings, tsv)},
    {.name = NULL},
};

/* A row for each search; what a search never reached is infinite. */
static const char searches[] =
    "CREATE TEMP TABLE searches (space, device, environment, kernel, \"case\", nx, ny, precision, "
    "flags, place, strategy, near, near_s, evaluations, total_s, fraction, unknown)";
enum { COLUMNS = 17 };

/* Statistics of a strategy, over searches in all spaces or in one. */
#define SUMMARY                                                                           \
    "strategy, count(*) AS repeats, median(near) AS near_median, quantile(near, 0.9) AS " \
    "near_p90, median(near_s) AS near_s, avg(near < 1e300) AS share_near, "               \
    "median(evaluations) AS evaluations, median(total_s) AS total_s, "                    \
    "median(fraction) AS fraction_median, min(fraction) AS fraction_least, "              \
    "median(unknown) AS unknown FROM searches "

static enum err add_searches(const struct replay *r, const struct stored_space *s,
                             const struct replay_space *space, struct search_setup *setup)
{
    const int place = (int)setup->strategy;
    enum err e = sql_into(r->d->sql, "temp.searches", COLUMNS);
    for (int k = 0; k < r->asked->repeats && !e; k++) {
        struct replay_result found;
        setup->random = (unsigned)k + 1;
        e = replay_search(space, setup, &found);
        const struct sql_value v[COLUMNS] = {{NULL, r->spaces},
                                             {s->device->device, 0},
                                             {s->device->environment, 0},
                                             {s->kernel->name, 0},
                                             {s->flow, 0},
                                             {NULL, s->nx},
                                             {NULL, s->ny},
                                             {precision_names[s->precision], 0},
                                             {s->flags, 0},
                                             {NULL, place},
                                             {strategy_names[place], 0},
                                             {NULL, found.near},
                                             {NULL, found.near_seconds},
                                             {NULL, found.evaluations},
                                             {NULL, found.seconds},
                                             {NULL, found.fraction},
                                             {NULL, found.unknown}};
        if (!e)
            e = sql_add(r->d->sql, v);
    }
    return sql_done(r->d->sql, e);
}

/* "-" for what never happened. */
static const char *figure(char text[32], double x, int decimals)
{
    if (isfinite(x))
        snprintf(text, 32, "%.*f", decimals, x);
    else
        snprintf(text, 32, "-");
    return text;
}

static void print_head(void)
{
    printf("  %-10s  %-30s  %-15s  %-14s\n", "", "within 5 % of the best", "in all", "best found");
    printf("  %-10s  %6s %6s  %7s  %6s  %6s  %7s  %6s  %6s  %7s\n", "strategy", "median", "90 %",
           "s", "share", "blocks", "s", "median", "least", "unknown");
}

static double number(const struct rowset *a, size_t row, const char *column)
{
    return rowset_number(a, row, rowset_column(a, column));
}

/* Of one space, or of all: 0. */
static enum err print_summaries(const struct replay *r, int space)
{
    struct rowset a;
    char query[1024], text[3][32];
    snprintf(query, sizeof query,
             "SELECT " SUMMARY "WHERE space = %d OR %d = 0 GROUP BY place ORDER BY place", space,
             space);
    TRY(database_ask(r->d, query, NULL, &a));
    print_head();
    for (size_t k = 0; k < a.rows; k++)
        printf("  %-10s  %6s %6s  %7s  %6.3f  %6.0f  %7.2f  %6.3f  %6.3f  %7.0f\n",
               rowset_text(&a, k, "strategy"), figure(text[0], number(&a, k, "near_median"), 0),
               figure(text[1], number(&a, k, "near_p90"), 0),
               figure(text[2], number(&a, k, "near_s"), 2), number(&a, k, "share_near"),
               number(&a, k, "evaluations"), number(&a, k, "total_s"),
               number(&a, k, "fraction_median"), number(&a, k, "fraction_least"),
               number(&a, k, "unknown"));
    rowset_free(&a);
    return ERR_OK;
}

static enum err run_space(struct replay *r, const struct stored_space *s,
                          const struct replay_space *space)
{
    struct block seed[MOST_SEEDS];
    struct search_setup setup = {.kernel = s->kernel, .backend = space->backend, .seeds = seed};
    int seeds;
    TRY(stored_seeds(r->d, s, seed, &seeds));
    r->spaces++;
    for (int k = 0; k < STRATEGIES; k++) {
        setup.strategy = (enum strategy)k;
        setup.seed_count = k == SEARCH_SEEDED ? seeds : 0; /* the others start from nothing */
        if (r->asked->only < 0 || r->asked->only == k)
            TRY(add_searches(r, s, space, &setup));
    }
    if (r->asked->tsv)
        return ERR_OK;
    printf("%s %s: %s %s %dx%d %s %s: %d blocks, the best %.3f us; %d seeds\n", s->device->device,
           s->device->environment, s->kernel->name, s->flow, s->nx, s->ny,
           precision_names[s->precision], s->flags, space->count, space->best, seeds);
    return print_summaries(r, r->spaces);
}

static enum err use(void *context, const struct stored_space *s)
{
    struct replay *r = context;
    struct replay_space space;
    enum err e = ERR_OK;
    TRY(replay_load(&space, s->kernel, s->device->backend, &s->group));
    if (replay_complete(&space))
        e = run_space(r, s, &space);
    else
        log_info("%s, flags %s: %d of %d blocks are not stored, or none is ok: skipped", s->file,
                 s->flags, space.absent, space.listed);
    replay_free(&space);
    return e;
}

static enum err print_all(const struct replay *r)
{
    struct rowset a;
    if (!r->spaces)
        FAIL(INPUT,
             "%s has no complete space to replay; `shoal tune --strategy exhaustive` measures one",
             r->d->all->folder);
    if (!r->asked->tsv && r->spaces > 1) {
        printf("all %d spaces\n", r->spaces);
        return print_summaries(r, 0);
    }
    if (!r->asked->tsv)
        return ERR_OK;
    TRY(database_ask(r->d,
                     "SELECT device, environment, kernel, \"case\", nx, ny, precision, "
                     "flags, " SUMMARY "GROUP BY space, place ORDER BY space, place",
                     NULL, &a));
    rowset_write(&a, stdout);
    rowset_free(&a);
    return ERR_OK;
}

static enum err cmd_replay(const struct call *call)
{
    struct replay r = {.asked = call->settings};
    const struct kernel *kernel = NULL;
    struct plot_devices all;
    char rows[256];
    if (call->words)
        TRY(catalog_kernel(call->word[0], &kernel));
    const char *name = kernel ? kernel->name : "";
    snprintf(rows, sizeof rows, "newest_kernel_rows WHERE kernel = '%s' OR '%s' = ''", name, name);
    TRY(plot_devices_read(&all, r.asked->device));
    r.d = all.database;
    enum err e = sql_run(r.d->sql, searches);
    if (!e)
        e = stored_spaces(r.d, rows, use, &r);
    if (!e)
        e = print_all(&r);
    plot_devices_free(&all);
    return e;
}

const struct command db_action_replay = {
    .name = "replay",
    .arguments = "[KERNEL]",
    .title = "tests search strategies on stored spaces",
    .place = 8,
    .about = "Runs the tuner's strategies on the complete spaces in the database: needs no\n"
             "device, and a search takes less than a millisecond. For each space, and for all\n"
             "of them: how many blocks a strategy tried until it had one within 5 % of the\n"
             "best, how many in all, and the time that measuring them one after the other took.\n"
             "Seeded searches begin with blocks stored for other sizes and devices.",
    .examples = "  shoal db replay\n"
                "  shoal db replay flux_fgh0 --strategy guided\n"
                "  shoal db replay --device nvidia-h200 --tsv > replay.tsv",
    .options = options,
    .settings = sizeof(struct settings),
    .most = 1,
    .run = cmd_replay,
};
