/* `shoal db replay`: how quickly each strategy finds the best block, by the spaces that are
 * stored. */
#include "experiments/tuner/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/registry/catalog.h"
#include "core/base/log.h"
#include "core/registry/registry.h"
#include "core/base/sorted.h"
#include "experiments/tuner/seeds.h"

struct settings {
    char device[DB_NAME + 1];
    int repeats, tsv;
    int only; /* this strategy; -1: all */
};

struct replay {
    const struct settings *asked;
    const struct kernel *kernel; /* NULL: all */
    char folder[PATH_LENGTH];
    int spaces;
    /* Of every search in any space, strategy by strategy. */
    struct replay_result *result[STRATEGIES];
    size_t count[STRATEGIES];
};

static const struct option options[] = {
    {"device", "DEVICE", "the spaces in this folder of the database only",
     TEXT_IN(struct settings, device)},
    {"strategy", "NAME", "this strategy only", CHOICE_IN(struct settings, only, strategy_names)},
    {"repeats", "N", "searches of each space, each in another random order",
     COUNT_IN(struct settings, repeats, 1, 100000), .initial = "200"},
    {"tsv", NULL, "one line for each strategy and space, tab separated",
     FLAG_IN(struct settings, tsv)},
    {.name = NULL},
};

/* What is said of a strategy. */
struct summary {
    double near, near_most, near_seconds, reached; /* near_most: in nine of ten searches */
    double evaluations, seconds, fraction, fraction_least, unknown;
};

static double quantile(const struct replay_result *r, size_t n, size_t member, double share)
{
    double *x = malloc(n * sizeof *x);
    if (!x)
        return (double)NAN;
    for (size_t k = 0; k < n; k++)
        memcpy(&x[k], (const char *)&r[k] + member, sizeof *x);
    qsort(x, n, sizeof *x, sorted_before);
    const double found = x[(size_t)(share * (double)(n - 1) + 0.5)];
    free(x);
    return found;
}

#define QUANTILE(member, share) quantile(r, n, offsetof(struct replay_result, member), share)

static struct summary summarise(const struct replay_result *r, size_t n)
{
    double reached = 0;
    for (size_t k = 0; k < n; k++)
        reached += isfinite(r[k].near) ? 1 : 0;
    return (struct summary){.near = QUANTILE(near, 0.5),
                            .near_most = QUANTILE(near, 0.9),
                            .near_seconds = QUANTILE(near_seconds, 0.5),
                            .reached = reached / (double)n,
                            .evaluations = QUANTILE(evaluations, 0.5),
                            .seconds = QUANTILE(seconds, 0.5),
                            .fraction = QUANTILE(fraction, 0.5),
                            .fraction_least = QUANTILE(fraction, 0),
                            .unknown = QUANTILE(unknown, 0.5)};
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

static void print_summary(const char *name, const struct summary *s)
{
    char text[3][32];
    printf("  %-10s  %6s %6s  %7s  %6.3f  %6.0f  %7.2f  %6.3f  %6.3f  %7.0f\n", name,
           figure(text[0], s->near, 0), figure(text[1], s->near_most, 0),
           figure(text[2], s->near_seconds, 2), s->reached, s->evaluations, s->seconds, s->fraction,
           s->fraction_least, s->unknown);
}

/* A space, and where it is from. */
struct subject {
    struct replay_space space;
    const struct db_seen *seen;
};

static void print_origin(const struct db_seen *seen, const char *format)
{
    const struct db_place *p = seen->place;
    printf(format, p->device, p->environment, p->kernel, p->flow, p->nx, p->ny,
           precision_names[p->precision], seen->group->row->flags);
}

static void print_tsv(const struct subject *a, const char *name, int repeats,
                      const struct summary *s)
{
    char text[3][32];
    print_origin(a->seen, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s");
    printf("\t%s\t%d\t%s\t%s\t%s\t%.3f\t%.0f\t%.3f\t%.4f\t%.4f\t%.0f\n", name, repeats,
           figure(text[0], s->near, 0), figure(text[1], s->near_most, 0),
           figure(text[2], s->near_seconds, 3), s->reached, s->evaluations, s->seconds, s->fraction,
           s->fraction_least, s->unknown);
}

static const char tsv_head[] =
    "device\tenvironment\tkernel\tcase\tnx\tny\tprecision\tflags\tstrategy\trepeats\tnear_median\t"
    "near_p90\tnear_s\tshare_near\tevaluations\ttotal_s\tfraction_median\tfraction_least\tunknown";

static enum err run_strategy(struct replay *r, const struct subject *a, struct search_setup *setup)
{
    const size_t repeats = (size_t)r->asked->repeats;
    const int which = (int)setup->strategy;
    struct replay_result *all =
        realloc(r->result[which], (r->count[which] + repeats) * sizeof *all);
    if (!all)
        FAIL(MEMORY, "no memory for %zu replays", r->count[which] + repeats);
    r->result[which] = all;
    struct replay_result *new = &all[r->count[which]];
    for (int k = 0; k < r->asked->repeats; k++) {
        setup->random = (unsigned)k + 1;
        TRY(replay_search(&a->space, setup, &new[k]));
    }
    r->count[which] += repeats;
    const struct summary s = summarise(new, repeats);
    if (r->asked->tsv)
        print_tsv(a, strategy_names[which], r->asked->repeats, &s);
    else
        print_summary(strategy_names[which], &s);
    return ERR_OK;
}

static enum err run_space(struct replay *r, const struct subject *a)
{
    struct block seed[MOST_SEEDS];
    struct search_setup setup = {
        .kernel = a->space.kernel, .backend = a->space.backend, .seeds = seed};
    const struct db_place *place = a->seen->place;
    const struct seeds_query q = {
        .kernel = a->space.kernel,
        .backend = a->space.backend,
        .device = place->device,
        .capability = db_manifest_get(a->seen->manifest, "environment", "compute_capability"),
        .precision = place->precision,
        .nx = place->nx,
        .ny = place->ny,
        .except = a->seen->path};
    TRY(seeds_find(r->folder, &q, seed, &setup.seed_count));
    if (!r->asked->tsv) {
        print_origin(a->seen, "%s %s: %s %s %dx%d %s %s");
        printf(": %d blocks, the best %.3f us; %d seeds\n", a->space.count, a->space.best,
               setup.seed_count);
        print_head();
    }
    const int seeds = setup.seed_count;
    for (int k = 0; k < STRATEGIES; k++) {
        setup.strategy = (enum strategy)k;
        setup.seed_count = k == SEARCH_SEEDED ? seeds : 0; /* the others start from nothing */
        if (r->asked->only < 0 || r->asked->only == k)
            TRY(run_strategy(r, a, &setup));
    }
    r->spaces++;
    return ERR_OK;
}

static enum err run_group(void *context, const struct db_seen *seen)
{
    struct subject a = {.seen = seen};
    enum err e = ERR_OK;
    TRY(replay_load(&a.space, find_kernel(seen->place->kernel), db_manifest_backend(seen->manifest),
                    seen->group));
    if (replay_complete(&a.space))
        e = run_space(context, &a);
    else
        log_info("%s, flags %s: %d of %d blocks are not stored, or none is ok: passed over",
                 seen->path, seen->group->row->flags, a.space.absent, a.space.listed);
    replay_free(&a.space);
    return e;
}

static enum err run_list(struct replay *r, const struct db_list *list)
{
    int known = !r->asked->device[0];
    for (size_t n = 0; n < list->count; n++) {
        struct db_place place;
        db_place_parse(list->path[n], &place);
        if (r->asked->device[0] && strcmp(r->asked->device, place.device) != 0)
            continue;
        known = 1;
        const struct kernel *k = place.kind == DB_KERNEL ? find_kernel(place.kernel) : NULL;
        if (!k || !k->tuned || (r->kernel && r->kernel != k))
            continue;
        const enum err e = db_groups(r->folder, list->path[n], run_group, r);
        if (e == ERR_INPUT)
            log_warning("%s; passed over", err_message());
        else if (e)
            return e;
    }
    if (!known)
        FAIL(USAGE, "no device '%s' in %s: --device takes the name of a folder there",
             r->asked->device, r->folder);
    if (!r->spaces)
        FAIL(INPUT,
             "%s has no complete space to replay; `shoal tune --strategy exhaustive` "
             "measures one",
             r->folder);
    return ERR_OK;
}

static void print_all(const struct replay *r)
{
    printf("all %d spaces\n", r->spaces);
    print_head();
    for (int k = 0; k < STRATEGIES; k++) {
        const struct summary s =
            r->count[k] ? summarise(r->result[k], r->count[k]) : (struct summary){0};
        if (r->count[k])
            print_summary(strategy_names[k], &s);
    }
}

static enum err cmd_replay(const struct call *call)
{
    struct replay r = {.asked = call->settings};
    struct db_list list = {0};
    enum err e = ERR_OK;
    if (call->words)
        TRY(catalog_kernel(call->word[0], &r.kernel));
    TRY_OUT(paths_database(r.folder));
    TRY_OUT(db_list_read(r.folder, &list));
    if (r.asked->tsv)
        puts(tsv_head);
    TRY_OUT(run_list(&r, &list));
    if (!r.asked->tsv && r.spaces > 1)
        print_all(&r);
out:
    for (int k = 0; k < STRATEGIES; k++)
        free(r.result[k]);
    db_list_free(&list);
    return e;
}

const struct command db_action_replay = {
    .name = "replay",
    .arguments = "[KERNEL]",
    .title = "search strategies against stored spaces",
    .place = 8,
    .about = "Runs the tuner's strategies against the complete spaces that the database has\n"
             "stored: no device is needed, and a search takes less than a millisecond. For\n"
             "each space, and for all of them: how many blocks a strategy tried until it had\n"
             "one within 5 % of the best, how many in all, and what that cost when it was\n"
             "measured, one block after the other. Seeded searches begin with what is stored\n"
             "for other sizes and devices.",
    .examples = "  shoal db replay\n"
                "  shoal db replay flux_fgh0 --strategy guided\n"
                "  shoal db replay --device nvidia-h200 --tsv > replay.tsv",
    .options = options,
    .settings = sizeof(struct settings),
    .most = 1,
    .run = cmd_replay,
};
