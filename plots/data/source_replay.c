/* How search strategies come closer to the best block, by replays of stored spaces. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"
#include "experiments/tuner/replay.h"
#include "experiments/tuner/seeds.h"
#include "plots/data/kernel_tables.h"

#define COLUMN_TABLE(X)           \
    X(KERNEL, "kernel")           \
    X(NX, "nx")                   \
    X(PRECISION, "precision")     \
    X(STRATEGY, "strategy")       \
    X(EVALUATIONS, "evaluations") \
    X(Q1, "q1")                   \
    X(MEDIAN, "median")           \
    X(Q3, "q3")

enum column {
#define COLUMN_ENUM(id, name) AT_##id,
    COLUMN_TABLE(COLUMN_ENUM) COLUMNS
};
#define COLUMN_NAME(id, name) "\t" name
static const char names[] = COLUMN_TABLE(COLUMN_NAME);

/* Each of the first evaluations is a row, then every STEPth. */
enum { REPEATS = 40, MOST_REPEATS = 10000, DENSE = 64, STEP = 32 };

struct replays {
    const struct source_request *request;
    struct kernel_tables tables;
    int strategy[STRATEGIES]; /* is it wanted? */
    int repeats;
    struct replay_space *space; /* of each table; without blocks where it is not complete */
    int length;                 /* of a trace, evaluations */
    double *trace;              /* of each table, strategy and repeat, see trace_of */
    double *value;              /* room for one evaluation's of all tables and repeats */
};

static double *trace_of(const struct replays *a, int table, int strategy, int repeat)
{
    const size_t place = ((size_t)table * STRATEGIES + (size_t)strategy) * (size_t)a->repeats;
    return a->trace + (place + (size_t)repeat) * (size_t)a->length;
}

static enum err read_strategies(struct replays *a)
{
    const struct experiment *x = a->request->experiment;
    const char *value = experiment_value(x, a->request->data, "strategy");
    char word[STRATEGIES][EXPERIMENT_WORD + 1];
    const int count = value ? experiment_words(x, value, word, STRATEGIES) : 0;
    if (count < 0)
        return err_last();
    for (int k = 0; k < STRATEGIES; k++)
        a->strategy[k] = !value && k != SEARCH_EXHAUSTIVE;
    for (int n = 0; n < count; n++) {
        int k = 0;
        while (k < STRATEGIES && strcmp(word[n], strategy_names[k]) != 0)
            k++;
        if (k == STRATEGIES)
            return experiment_fault(x, value, "no strategy '%s'; `shoal tune --help` lists them",
                                    word[n]);
        a->strategy[k] = 1;
    }
    return ERR_OK;
}

static enum err read_repeats(struct replays *a)
{
    const struct experiment *x = a->request->experiment;
    const char *value = experiment_value(x, a->request->data, "repeats");
    char *end;
    const long repeats = value ? strtol(value, &end, 10) : REPEATS;
    if (value && (end == value || *end || repeats < 1 || repeats > MOST_REPEATS))
        return experiment_fault(x, value, "'%s': a number from 1 to %d is wanted", value,
                                MOST_REPEATS);
    a->repeats = (int)repeats;
    return ERR_OK;
}

static enum err load_spaces(struct replays *a)
{
    const enum backend_kind backend = a->request->device->backend;
    const size_t count = (size_t)a->tables.count;
    a->length = DENSE;
    a->space = calloc(count + 1, sizeof *a->space);
    if (!a->space)
        FAIL(MEMORY, "no memory for %zu spaces", count);
    for (size_t k = 0; k < count; k++) {
        const struct kernel_rows *rows = &a->tables.at[k];
        if (rows->complete)
            TRY(replay_load(&a->space[k], rows->kernel, backend, &rows->group));
        while (a->length < a->space[k].count)
            a->length += STEP;
    }
    const size_t searches = count * (size_t)a->repeats;
    a->trace = calloc(searches * STRATEGIES * (size_t)a->length + 1, sizeof *a->trace);
    a->value = calloc(searches + 1, sizeof *a->value);
    if (!a->trace || !a->value)
        FAIL(MEMORY, "no memory for %zu replays", searches * STRATEGIES);
    return ERR_OK;
}

static enum err run_search(const struct replays *a, int table, const struct search_setup *setup,
                           double *fraction)
{
    struct search *s;
    struct replay_result result;
    TRY(search_create(&s, setup));
    replay_follow(&a->space[table], s, &result, fraction, a->length);
    search_destroy(s);
    return ERR_OK;
}

/* Only seeded searches begin with what is stored for other sizes and devices. */
static enum err run_searches(const struct replays *a, int table)
{
    const struct plot_device *d = a->request->device;
    const struct kernel_rows *rows = &a->tables.at[table];
    struct block seed[MOST_SEEDS];
    int seeds = 0;
    const struct seeds_query q = {
        .kernel = rows->kernel,
        .backend = d->backend,
        .device = d->device,
        .capability = db_manifest_get(&d->manifest, "environment", "compute_capability"),
        .precision = rows->place.precision,
        .nx = rows->place.nx,
        .ny = rows->place.ny,
        .except = rows->file};
    if (a->strategy[SEARCH_SEEDED])
        TRY(seeds_find(a->request->database, &q, seed, &seeds));
    for (int k = 0; k < STRATEGIES; k++)
        for (int n = 0; n < a->repeats && a->strategy[k]; n++) {
            const struct search_setup setup = {.kernel = rows->kernel,
                                               .backend = d->backend,
                                               .strategy = (enum strategy)k,
                                               .seeds = seed,
                                               .seed_count = k == SEARCH_SEEDED ? seeds : 0,
                                               .random = (unsigned)n + 1};
            TRY(run_search(a, table, &setup, trace_of(a, table, k, n)));
        }
    return ERR_OK;
}

static int is_same_size(const struct replays *a, int one, int other)
{
    const struct db_place *p = &a->tables.at[one].place, *q = &a->tables.at[other].place;
    return p->nx == q->nx && p->ny == q->ny && p->precision == q->precision;
}

/* What all searches with a strategy in a space, or in all of its size, had after so many evaluations;
 * sorted. How many. */
static size_t gather(const struct replays *a, int table, int all, int strategy, int evaluations)
{
    size_t count = 0;
    for (int t = 0; t < a->tables.count; t++)
        for (int n = 0; n < a->repeats; n++)
            if (a->space[t].count && (all ? is_same_size(a, t, table) : t == table))
                a->value[count++] = trace_of(a, t, strategy, n)[evaluations - 1];
    qsort(a->value, count, sizeof *a->value, sorted_before);
    return count;
}

/* Interpolated between the two nearest (definition 7 of Hyndman and Fan, Sample quantiles in
 * statistical packages, 1996). */
static double quantile(const double *sorted, size_t n, double share)
{
    const double at = share * (double)(n - 1);
    const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static enum err add_curves(const struct replays *a, struct frame *f, int table, int all)
{
    const struct kernel_rows *rows = &a->tables.at[table];
    for (int k = 0; k < STRATEGIES; k++)
        for (int n = 1; a->strategy[k] && n <= a->length; n += n < DENSE ? 1 : STEP) {
            const size_t count = gather(a, table, all, k, n);
            const char *text[COLUMNS] = {[AT_KERNEL] = all ? "all" : rows->kernel->name,
                                         [AT_PRECISION] = precision_names[rows->place.precision],
                                         [AT_STRATEGY] = strategy_names[k]};
            const double number[COLUMNS] = {[AT_NX] = rows->place.nx,
                                            [AT_EVALUATIONS] = n,
                                            [AT_Q1] = quantile(a->value, count, 0.25),
                                            [AT_MEDIAN] = quantile(a->value, count, 0.5),
                                            [AT_Q3] = quantile(a->value, count, 0.75)};
            TRY(kernel_tables_add(f, text, number));
        }
    return ERR_OK;
}

/* Is it the first of several spaces of its size, which stands for them all? */
static int stands_for_all(const struct replays *a, int table)
{
    int count = 0;
    for (int t = 0; t < a->tables.count; t++) {
        const int same = a->space[t].count && is_same_size(a, t, table);
        if (same && t < table)
            return 0;
        count += same;
    }
    return a->space[table].count && count > 1;
}

static enum err fill(struct replays *a, struct frame *f)
{
    TRY(read_strategies(a));
    TRY(read_repeats(a));
    TRY(kernel_tables_read(&a->tables, a->request, WHOLE_SPACES));
    TRY(load_spaces(a));
    TRY(frame_create(f, names + 1));
    for (int t = 0; t < a->tables.count; t++) {
        if (!a->space[t].count)
            continue;
        TRY(run_searches(a, t));
        TRY(add_curves(a, f, t, 0));
    }
    for (int t = 0; t < a->tables.count; t++)
        if (stands_for_all(a, t))
            TRY(add_curves(a, f, t, 1));
    return ERR_OK;
}

enum err source_replay(const struct source_request *r, struct plot_table *t)
{
    struct replays a = {.request = r};
    const enum err e = fill(&a, &t->frame);
    if (e)
        frame_free(&t->frame);
    else
        kernel_tables_describe(&a.tables, r, t);
    for (int k = 0; a.space && k < a.tables.count; k++)
        replay_free(&a.space[k]);
    free(a.space);
    free(a.trace);
    free(a.value);
    kernel_tables_free(&a.tables);
    return e;
}
