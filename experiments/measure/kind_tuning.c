/* Tunes kernels for an experiment: each size and precision is a separate tuning. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/own.h"
#include "core/options/options.h"
#include "core/base/log.h"
#include "core/registry/registry.h"
#include "experiments/measure/measure.h"
#include "experiments/tuner/tune.h"

enum { MOST_WORDS = 64 };

static const struct option options[] = {
    {.name = "case"},   {.name = "nx"},       {.name = "precision"},
    {.name = "kernel"}, {.name = "strategy"}, {.name = NULL},
};

/* The settings of [measure]. */
struct wanted {
    const struct experiment *x;
    const struct measure_setup *narrowed;
    struct tune_setup setup; /* of the current size and precision */
    char standard[16];       /* the default size */
};

/* The words of a key. */
struct words {
    char word[MOST_WORDS][EXPERIMENT_WORD + 1];
    int count;
    const char *value; /* NULL: not given */
};

/* Its default words, or NULL to ignore it. */
static enum err words_of(const struct wanted *w, const char *key, const char *standard,
                         struct words *to)
{
    const struct section *measure = experiment_section(w->x, "measure", 0);
    const char *backend = backends[w->narrowed->backend]->name;
    to->value = key ? experiment_variant(w->x, measure, key, backend) : NULL;
    to->count = experiment_words(w->x, to->value ? to->value : standard, to->word, MOST_WORDS);
    return to->count < 0 ? err_last() : ERR_OK;
}

static enum err read_kernels(struct wanted *w)
{
    struct words words;
    char list[1024] = "";
    size_t used = 0;
    TRY(words_of(w, "kernel", "all", &words));
    for (int k = 0; k < words.count && used < sizeof list; k++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? "," : "", words.word[k]);
    if (tune_choose(&w->setup, strcmp(list, "all") == 0 ? "" : list))
        return experiment_fault(w->x, words.value, "%s", err_message());
    return ERR_OK;
}

static enum err read_words(struct wanted *w)
{
    struct words words;
    char *input = w->setup.config.input;
    int strategy;
    TRY(words_of(w, "strategy", strategy_names[SEARCH_EXHAUSTIVE], &words));
    if (words.count != 1)
        return experiment_fault(w->x, words.value, "one strategy, please");
    if (option_find_word("strategy", words.word[0], strategy_names, &strategy))
        return experiment_fault(w->x, words.value, "%s", err_message());
    w->setup.strategy = (enum strategy)strategy;
    TRY(words_of(w, "case", input, &words));
    if (words.count != 1 || !find_case(words.word[0]))
        return experiment_fault(w->x, words.value,
                                "expected a single case, got '%s'; `shoal list cases` lists them",
                                words.value);
    snprintf(input, sizeof w->setup.config.input, "%s", words.word[0]);
    return ERR_OK;
}

/* Parses a word like the option of `shoal run` of that name. */
static enum err set_option(struct wanted *w, const char *option, const struct words *words, int k)
{
    const struct option *o = option_find(run_options, option);
    if (o->type->set(o, &w->setup.config, words->word[k]))
        return experiment_fault(w->x, words->value, "%s", err_message());
    return ERR_OK;
}

/* Calls `each`, unless it is NULL, with every size in every precision. */
static enum err for_each(struct wanted *w, enum err (*each)(struct wanted *w, void *context),
                         void *context)
{
    const struct measure_setup *n = w->narrowed;
    struct words precision, nx;
    TRY(words_of(w, n->precision < 0 ? "precision" : NULL,
                 precision_names[n->precision < 0 ? F32 : n->precision], &precision));
    TRY(words_of(w, n->nx ? NULL : "nx", w->standard, &nx));
    for (int p = 0; p < precision.count; p++)
        for (int k = 0; k < nx.count; k++) {
            TRY(set_option(w, "precision", &precision, p));
            TRY(set_option(w, "nx", &nx, k));
            w->setup.config.ny = w->setup.config.nx;
            if (each)
                TRY(each(w, context));
        }
    return ERR_OK;
}

static enum err read_wanted(struct wanted *w, const struct experiment *x,
                            const struct measure_setup *s)
{
    memset(w, 0, sizeof *w);
    w->x = x;
    w->narrowed = s;
    tune_defaults(&w->setup, s->backend);
    snprintf(w->standard, sizeof w->standard, "%d", s->nx ? s->nx : w->setup.config.nx);
    w->setup.config.device = s->device;
    w->setup.config.threads = s->threads;
    w->setup.resume = 1;
    TRY(read_kernels(w));
    TRY(read_words(w));
    return for_each(w, NULL, NULL);
}

static enum err table_of(const struct tune_setup *t, const struct kernel *k, const char *folder,
                         char path[PATH_LENGTH])
{
    char name[DB_FILE + 1];
    const struct config *c = &t->config;
    snprintf(name, sizeof name, "%s/%s-%dx%d-%s.tsv", k->name, c->input, c->nx, c->ny,
             precision_names[c->precision]);
    return db_path(folder, name, path);
}

/* Empty if there is no such table. */
static enum err read_table(const struct tune_setup *t, const struct kernel *k, const char *folder,
                           struct db_table *table)
{
    char path[PATH_LENGTH];
    *table = (struct db_table){0};
    TRY(table_of(t, k, folder, path));
    return access(path, F_OK) != 0 && errno == ENOENT ? ERR_OK : db_read(path, NULL, NULL, table);
}

/* Were there final rounds; and, in an exhaustive search, is there a row for each block? */
static enum err group_suffices(const struct tune_setup *t, const struct kernel *k,
                               const struct db_group *g, int *enough)
{
    struct blocks all;
    *enough = 0;
    for (size_t n = 0; n < g->ok; n++)
        *enough |= g->row[n].number[DB_KEPT] + g->row[n].number[DB_DROPPED] > LEAST_TIMINGS;
    if (t->strategy != SEARCH_EXHAUSTIVE)
        return ERR_OK;
    TRY(space_list(k, t->backend, &all));
    for (int b = 0; b < all.count; b++)
        *enough = *enough && db_group_row(g, all.at[b]);
    blocks_free(&all);
    return ERR_OK;
}

/* What rows of the current text have in common; rows of another text, or with other flags, do not
 * count. */
struct identity {
    char flags[DB_FLAGS + 1];
    struct text_digests digests;
};

static enum err identify(const struct tune_setup *t, const struct kernel *k, const char *folder,
                         struct identity *id)
{
    struct recipe r;
    char flags[RECIPE_FLAGS];
    const struct stage_setup stage = {.config = t->config};
    TRY(stage_recipe(&stage, k, k->block[t->backend], &r));
    TRY(recipe_digests(&r, &id->digests));
    TRY(recipe_flags(&r, flags));
    return environment_flags(folder, flags, id->flags);
}

static int is_of(const struct identity *id, const struct db_manifest *m, const struct db_row *row)
{
    return strcmp(row->flags, id->flags) == 0 &&
           db_same_code(m, row->source, id->digests.text, id->digests.code);
}

/* Does the environment's folder have the results of tuning a kernel: of the current text (`only`),
 * or of any (NULL)? */
static enum err is_stored(const struct tune_setup *t, const struct kernel *k, const char *folder,
                          const struct identity *only, int *stored)
{
    char path[PATH_LENGTH];
    struct db_table table = {0};
    struct db_manifest m = {0};
    struct db_group g = {.count = 1};
    enum err e = ERR_OK;
    *stored = 0;
    TRY(db_path(folder, "manifest.json", path));
    TRY_OUT(db_manifest_read(path, &m));
    TRY_OUT(read_table(t, k, folder, &table));
    db_sort(&table);
    for (size_t next = 0; !e && g.count && !*stored;) {
        e = db_group_next(&table, &next, &g);
        if (!e && g.count && (!only || is_of(only, &m, &g.row[0])))
            e = group_suffices(t, k, &g, stored);
        const size_t count = g.count;
        db_group_free(&g);
        g.count = count;
    }
out:
    db_free(&table);
    db_manifest_free(&m);
    return e;
}

/* Skips a size with all rows; otherwise tunes all its kernels together, as before the
 * interruption. */
static enum err tune_size(struct wanted *w, void *context)
{
    const struct measure *m = context;
    const struct config *c = &w->setup.config;
    int stored = !m->setup.again;
    for (int k = 0; stored && w->setup.kernel[k]; k++) {
        struct identity present;
        TRY(identify(&w->setup, w->setup.kernel[k], m->folder, &present));
        TRY(is_stored(&w->setup, w->setup.kernel[k], m->folder, &present, &stored));
    }
    log_info("%s: %s, %d x %d, %s%s", m->experiment->name, c->input, c->nx, c->ny,
             precision_names[c->precision], stored ? ": is stored" : "");
    return stored ? ERR_OK : tune_run(&w->setup);
}

/* Without opening the device here: tunings fork. */
static enum err find_folder(const struct wanted *w, struct measure *m)
{
    char database[PATH_LENGTH];
    struct environment *e = malloc(sizeof *e);
    if (!e)
        FAIL(MEMORY, "no memory for the environment");
    enum err failed = tune_environment(&w->setup, e);
    if (!failed)
        failed = db_own(database);
    if (!failed)
        failed = environment_folder(e, database, m->folder);
    free(e);
    return failed;
}

static enum err whole(struct measure *m)
{
    struct wanted *w = malloc(sizeof *w);
    if (!w)
        FAIL(MEMORY, "no memory for what %s asks for", m->experiment->name);
    enum err e = read_wanted(w, m->experiment, &m->setup);
    if (!e)
        e = find_folder(w, m);
    if (!e)
        e = for_each(w, tune_size, m);
    free(w);
    return e;
}

struct lack {
    const char *folder;
    int *missing;
    char *first;
};

static enum err count_lacking(struct wanted *w, void *context)
{
    const struct lack *l = context;
    const struct config *c = &w->setup.config;
    for (int k = 0; w->setup.kernel[k]; k++) {
        int stored;
        TRY(is_stored(&w->setup, w->setup.kernel[k], l->folder, NULL, &stored));
        if (!stored && (*l->missing)++ == 0)
            snprintf(l->first, 256, "%s, %s %d x %d, %s", w->setup.kernel[k]->name, c->input, c->nx,
                     c->ny, precision_names[c->precision]);
    }
    return ERR_OK;
}

static enum err missing(const struct experiment *x, enum backend_kind backend, const char *folder,
                        int *count, char first[256])
{
    const struct measure_setup setup = {.backend = backend, .precision = -1};
    struct lack lack = {folder, count, first};
    struct wanted *w = malloc(sizeof *w);
    if (!w)
        FAIL(MEMORY, "no memory for what %s asks for", x->name);
    *count = 0;
    first[0] = '\0';
    enum err e = read_wanted(w, x, &setup);
    if (!e)
        e = for_each(w, count_lacking, &lack);
    free(w);
    return e;
}

const struct measure_kind kind_tuning = {
    .name = "tuning",
    .title = "kernels are tuned, each size and precision for itself",
    .options = options,
    .row_columns = "",
    .columns = "",
    .how = "",
    .whole = whole,
    .missing = missing,
};
