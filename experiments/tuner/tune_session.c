/* Opens and closes a tuning: its environment, what it resumes, its kernels, its processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/forked_child.h"
#include "core/base/log.h"
#include "core/base/provenance.h"
#include "core/db/own.h"
#include "experiments/tuner/seeds.h"
#include "experiments/tuner/tune.h"

/* A child's findings about the device. */
struct question {
    enum backend_kind backend;
    struct device_options options;
    struct environment answer;
};

static int ask(void *context)
{
    struct question *q = context;
    environment_probe(&q->answer, q->backend, &q->options);
    return 0;
}

static struct device_options device_options(const struct config *c)
{
    return (struct device_options){.device = c->device, .threads = c->threads, .march = c->march};
}

enum err tune_environment(const struct tune_setup *setup, struct environment *e)
{
    struct question *q = forked_child_share(sizeof *q);
    if (!q)
        FAIL(MEMORY, "no shared memory to query the device");
    q->backend = setup->backend;
    q->options = device_options(&setup->config);
    const int asked = forked_child_ask(ask, q);
    *e = q->answer;
    forked_child_unshare(q, sizeof *q);
    if (asked != 0)
        FAIL(MACHINE, "querying the device crashed; see `shoal info`");
    if (!e->here)
        FAIL(ABSENT, "backend %s: %s", backends[setup->backend]->name, e->why);
    return ERR_OK;
}

/* One line that is equal for tunings that may share a journal. */
static void describe(const struct tuning *t, const char *program, char text[DB_VALUE + 1])
{
    const struct config *c = &t->setup->config;
    int n = snprintf(text, DB_VALUE, "%s %s%s %s %dx%d %s %s %s %s %s %s %d:", program,
                     strategy_names[t->setup->strategy], t->setup->dense ? " dense" : "", c->input,
                     c->nx, c->ny, precision_names[c->precision], mode_names[c->mode], c->limiter,
                     c->flux, c->reconstruction, positivity_names[c->positivity],
                     t->environment.info.units);
    for (int k = 0; t->setup->kernel[k] && n < DB_VALUE; k++)
        n += snprintf(text + n, (size_t)(DB_VALUE - n), " %s", t->setup->kernel[k]->name);
}

/* Resumes an earlier journal, or begins one. */
static enum err open_journal(struct tuning *t)
{
    struct provenance p;
    memcpy(t->head.environment, t->environment.hash, sizeof t->head.environment);
    TRY(provenance_find(&p));
    describe(t, p.program, t->head.what);
    if (t->setup->resume) {
        TRY(journal_resume(&t->journal, &t->head));
        if (!t->journal)
            log_info("nothing to resume: no such tuning was interrupted here; starting a new one");
    }
    if (!t->journal) {
        db_time(time(NULL), t->started);
        return journal_create(&t->journal, &t->head);
    }
    t->restored = malloc(MOST_TRIALS * sizeof *t->restored);
    if (!t->restored)
        FAIL(MEMORY, "no memory for the trials of an earlier tuning");
    TRY(journal_read(t->journal, t->restored, MOST_TRIALS, &t->restored_count));
    log_info("resuming session %s with %d blocks", t->head.session, t->restored_count);
    return ERR_OK;
}

const struct trial *tune_restored(const struct tuning *t, const struct kernel *k, struct block b)
{
    for (int n = 0; n < t->restored_count; n++) {
        const struct recipe *r = &t->restored[n].recipe;
        if (r->kernel == k && r->block.w == b.w && r->block.h == b.h)
            return &t->restored[n];
    }
    return NULL;
}

/* How the tuning measures, and the device's initial state. */
static enum err enter_session(const struct tuning *t)
{
    static const char state[] = "state/";
    const struct tune_setup *s = t->setup;
    char strategy[64];
    snprintf(strategy, sizeof strategy, "%s%s", strategy_names[s->strategy],
             s->dense ? " of every width and height" : "");
    struct db_pair pairs[ENVIRONMENT_ENTRIES + 9] = {
        {"strategy", strategy},
        {"warm_up", "one launch of each configuration in each round, not counted"},
        {"rounds", "random order over all configurations of a round"},
        {"timings", s->backend == CUDA ? "5 each; in contention 20, 50, then 100 for the first 8"
                                       : "5 each; in contention 15, then 50"},
        {"answers", "compared with the kernel in strict mode with its default block"},
    };
    int n = 0;
    while (pairs[n].name)
        n++;
    for (int k = 0; k < t->environment.count; k++)
        if (strncmp(t->environment.entry[k].key, state, sizeof state - 1) == 0)
            pairs[n++] = (struct db_pair){t->environment.entry[k].key + sizeof state - 1,
                                          t->environment.entry[k].value};
    if (*t->started)
        pairs[n++] = (struct db_pair){"started", t->started};
    return environment_session(t->folder, t->head.session, pairs, n);
}

static enum err enter_stage(const struct tuning *t, int stage)
{
    char name[3 * NAME_LENGTH];
    const struct stage_setup *s = &t->stage[stage];
    snprintf(name, sizeof name, "stage %s%s%s%s%s", s->scheme,
             s->early_exit ? " with early exit" : "", s->fixed ? " with equal steps" : "",
             *s->config.define ? " with " : "", s->config.define);
    const struct db_pair pair = {name, t->note[stage]};
    return environment_session(t->folder, t->head.session, &pair, 1);
}

enum err tune_note_stage(struct tuning *t)
{
    if (!t->journal)
        return ERR_OK;
    snprintf(t->note[t->now], sizeof t->note[t->now], "%s", workers_stage(t->workers));
    return t->begun ? enter_stage(t, t->now) : ERR_OK;
}

enum err tune_begin(struct tuning *t)
{
    if (t->begun)
        return ERR_OK;
    TRY(enter_session(t));
    for (int k = 0; k < t->stages; k++)
        if (*t->note[k])
            TRY(enter_stage(t, k));
    t->begun = 1;
    return ERR_OK;
}

/* Which stages there are, and which of them launches each kernel. */
struct staging {
    const struct tune_setup *setup;
    struct stage_setup stage[MOST_STAGES];
    int stages, stage_of[MOST_SUBJECTS];
    char message[1024];
};

static int find_stages(void *context)
{
    struct staging *s = context;
    s->stages = stages_for(s->setup->kernel, &s->setup->config, s->stage);
    if (s->stages < 0)
        snprintf(s->message, sizeof s->message, "%s", err_message());
    for (int k = 0; s->setup->kernel[k]; k++)
        for (int n = s->stages - 1; n >= 0; n--)
            if (stage_launches(&s->stage[n], s->setup->kernel[k]))
                s->stage_of[k] = n;
    return 0;
}

/* In a child: schemes may start threads, and a process with threads must not be forked. */
static enum err choose_stages(struct tuning *t)
{
    struct staging *s = forked_child_share(sizeof *s);
    if (!s)
        FAIL(MEMORY, "no shared memory to choose stages");
    s->setup = t->setup;
    snprintf(s->message, sizeof s->message, "choosing stages crashed");
    const int asked = forked_child_ask(find_stages, s);
    t->stages = asked == 0 ? s->stages : -1;
    memcpy(t->stage, s->stage, sizeof t->stage);
    for (int k = 0; k < MOST_SUBJECTS; k++)
        t->subject[k].stage = s->stage_of[k];
    char message[sizeof s->message];
    memcpy(message, s->message, sizeof message);
    forked_child_unshare(s, sizeof *s);
    if (t->stages < 0)
        FAIL(KERNEL, "%s", message);
    return ERR_OK;
}

static enum err table_of(const struct tuning *t, struct subject *s)
{
    const struct config *c = &t->stage[s->stage].config;
    char name[FILE_LENGTH + NAME_LENGTH];
    snprintf(name, sizeof name, "%s-%dx%d-%s", c->input, c->nx, c->ny,
             precision_names[c->precision]);
    if (snprintf(s->table, sizeof s->table, "%s/%s/%s.tsv", t->folder, s->kernel->name, name) >=
        PATH_LENGTH)
        FAIL(INPUT, "%s: too long a path for the tuning database", t->folder);
    return ERR_OK;
}

/* What the rows of a kernel have in common. */
static enum err identify(const struct tuning *t, struct subject *s)
{
    struct recipe r;
    char flags[RECIPE_FLAGS];
    struct text_digests digests;
    TRY(stage_recipe(&t->stage[s->stage], s->kernel, s->kernel->block[t->setup->backend], &r));
    TRY(recipe_digests(&r, &digests));
    snprintf(s->source, sizeof s->source, "%.*s", DB_HASH, digests.text);
    TRY(recipe_flags(&r, flags));
    TRY(environment_flags(t->folder, flags, s->flags));
    TRY(environment_source(t->folder, &digests, s->kernel->file));
    return table_of(t, s);
}

/* Other strategies try no more seeds. */
enum { OLD_WINNERS = 2 };

static enum err find_seeds(const struct tuning *t, const struct subject *s,
                           struct block seed[MOST_SEEDS], int *count)
{
    const struct kernel *k = s->kernel;
    const struct config *c = &t->stage[s->stage].config;
    char database[PATH_LENGTH], device[DB_NAME + 1];
    struct seeds_query q = {.kernel = k,
                            .backend = t->setup->backend,
                            .device = device,
                            .precision = (enum precision)c->precision,
                            .nx = c->nx,
                            .ny = c->ny};
    db_device_folder(t->environment.info.name, device);
    for (int n = 0; n < t->environment.count; n++)
        if (strcmp(t->environment.entry[n].key, "environment/compute_capability") == 0)
            q.capability = t->environment.entry[n].value;
    TRY(paths_database(database));
    TRY(seeds_find(database, &q, seed, count));
    if (t->setup->strategy != SEARCH_SEEDED && *count > OLD_WINNERS)
        *count = OLD_WINNERS;
    if (t->setup->strategy == SEARCH_SEEDED && *count == 0)
        log_info("%s: the database has no seeds; using guided search", k->name);
    return ERR_OK;
}

static enum err add_subject(struct tuning *t, const struct kernel *k)
{
    struct subject *s = &t->subject[t->subjects];
    struct block seed[MOST_SEEDS];
    struct search_setup setup = {.kernel = k,
                                 .backend = t->setup->backend,
                                 .strategy = t->setup->strategy,
                                 .dense = t->setup->dense,
                                 .seeds = seed,
                                 .random = (unsigned)strtoul(t->head.session, NULL, 16)};
    s->kernel = k;
    s->best = (double)INFINITY;
    if (t->journal)
        TRY(identify(t, s));
    if (!t->setup->prove)
        TRY(find_seeds(t, s, seed, &setup.seed_count));
    TRY(search_create(&s->search, &setup));
    t->subjects++;
    return ERR_OK;
}

static enum err start_workers(struct tuning *t)
{
    const struct workers_setup w = {
        .trial = t->trial,
        .stage = t->stage,
        .backend = t->setup->backend,
        .device = device_options(&t->setup->config),
        .target = t->environment.info.target,
        .compilers = t->setup->compilers,
        .patience = t->setup->patience,
    };
    return workers_start(&t->workers, &w);
}

enum err tune_open(struct tuning *t)
{
    const struct tune_setup *s = t->setup;
    char database[PATH_LENGTH];
    TRY(tune_environment(s, &t->environment));
    log_info("tuning on %s (%s), %s by %s, %d processes compile", t->environment.info.name,
             t->environment.info.target, backends[s->backend]->name, t->environment.info.compiler,
             s->compilers);
    TRY(choose_stages(t));
    if (!s->prove) {
        TRY(db_own(database));
        TRY(environment_folder(&t->environment, database, t->folder));
        TRY(open_journal(t));
    }
    t->random = t->journal ? (unsigned)strtoul(t->head.session, NULL, 16) | 1 : 1;
    for (int k = 0; s->kernel[k]; k++)
        TRY(add_subject(t, s->kernel[k]));
    return start_workers(t);
}

/* Is there something to resume? An empty journal would hide an earlier useful one. */
static int knows_something(const struct tuning *t)
{
    int known = t->restored_count;
    for (int k = 0; k < t->trials; k++)
        known += t->known[k].step == TOLD || t->trial[k].timings > 0;
    return known > 0;
}

void tune_close(struct tuning *t, int finished)
{
    workers_stop(t->workers);
    journal_close(t->journal, finished || !knows_something(t));
    for (int k = 0; k < t->subjects; k++)
        search_destroy(t->subject[k].search);
    free(t->restored);
}
