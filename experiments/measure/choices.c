/* A point of an experiment from one word of each list of its [measure]. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"
#include "experiments/measure/own_words.h"
#include "experiments/measure/planning.h"

/* What a list's words may be about; CHOICES: all that they say holds for all. */
static enum choice subject_of(enum choice id)
{
    return id == BY_NX ? BY_CASE : id == BY_CFL ? BY_SCHEME : CHOICES;
}

static const char *word_at(const struct planning *g, enum choice id, const int at[CHOICES])
{
    const enum choice subject = subject_of(id);
    const struct words *w = &g->list[id];
    return subject == CHOICES
               ? w->word[at[id]]
               : own_word(w->word, w->count, at[id], g->list[subject].word[at[subject]]);
}

int planning_fits(const struct planning *g, const int at[CHOICES])
{
    for (int id = 0; id < CHOICES; id++)
        if (!word_at(g, (enum choice)id, at))
            return 0;
    return 1;
}

static int has_word(const struct words *w, const char *word, size_t n)
{
    for (int k = 0; k < w->count; k++)
        if (strlen(w->word[k]) == n && strncmp(w->word[k], word, n) == 0)
            return 1;
    return 0;
}

static enum err check_word(const struct planning *g, enum choice about, const char *word,
                           const char *value)
{
    const size_t n = own_word_subject(word);
    if (!n || has_word(&g->list[about], word, n))
        return ERR_OK;
    return experiment_fault(g->x, value, "'%s' is about %.*s, which is no %s of this experiment",
                            word, (int)n, word, measure_common[about].name);
}

enum err planning_check_words(const struct planning *g)
{
    char end[MOST_ENDS][EXPERIMENT_WORD + 1];
    const char *value;
    const int ends = measure_end_words(g->x, g->setup->backend, &value, end);
    if (ends < 0)
        return err_last();
    for (int k = 0; k < ends; k++)
        TRY(check_word(g, BY_CASE, end[k], value));
    for (int id = 0; id < CHOICES; id++) {
        const struct words *w = &g->list[id];
        const enum choice about = subject_of((enum choice)id);
        for (int k = 0; about != CHOICES && k < w->count; k++)
            TRY(check_word(g, about, w->word[k], w->value));
    }
    return ERR_OK;
}

static enum err set_case(const struct planning *g, struct point *p, const char *word)
{
    struct catalog known;
    if (g->input) {
        p->input = g->input;
        p->own = (struct flow_case){.name = g->x->name};
        p->flow_case = &p->own;
        return ERR_OK;
    }
    p->flow_case = find_case(word);
    if (!p->flow_case) {
        catalog_fill(&known, LIST_CASES);
        return catalog_unknown(&known, "case", word, "`shoal list cases` lists them");
    }
    if (g->compared.error && !g->compared.finer && !measure_solved(p->flow_case))
        FAIL(INPUT,
             "with 'error = yes' the case needs a solution to compare with; %s has none: add "
             "'finer = 4' for a run with so many times the cells along each side",
             word);
    return ERR_OK;
}

/* Named by size ("16x16"), or by origin. */
static enum err set_blocks(struct point *p, const char *word)
{
    struct block block;
    const int named =
        strcmp(word, "tuned") == 0 || strcmp(word, "default") == 0 || strcmp(word, "thesis") == 0;
    if (!named && !measure_block(word, &block))
        FAIL(INPUT, "expected tuned, default, thesis or WxH, such as 16x16, got '%s'", word);
    snprintf(p->blocks, sizeof p->blocks, "%s", word);
    return ERR_OK;
}

/* All others are options of `shoal run`, with their checks. */
static enum err set_option(struct planning *g, enum choice id, const char *word)
{
    const struct option *o = option_find(run_options, measure_common[id].name);
    const int plain = strcmp(word, "default") == 0 || (id == BY_DEFINE && strcmp(word, "-") == 0);
    if (plain)
        return ERR_OK;
    if (id == BY_CFL && strcmp(word, "claim") == 0) {
        g->config.cfl = (double)NAN;
        return ERR_OK;
    }
    if (id == BY_SCHEME && strcmp(word, "auto") == 0 &&
        strcmp(experiment_value(g->x, g->wanted, "kind"), "runs") != 0)
        FAIL(INPUT,
             "'auto' depends on what is stored, and its rows say what it took in experiments "
             "of kind 'runs' only: name schemes, or all, or split");
    return o->type->set(o, &g->config, word);
}

/* 4096, and as many from south to north as the case's shape gives; or 4096x8192. */
static enum err set_size(struct planning *g, const char *word)
{
    char nx[EXPERIMENT_WORD + 1];
    const size_t n = strcspn(word, "x");
    snprintf(nx, sizeof nx, "%.*s", (int)n, word);
    if (word[n])
        TRY(option_set(option_find(run_options, "ny"), &g->config, word + n + 1));
    return set_option(g, BY_NX, nx);
}

/* Checks that a run accepts these options; the point's run gets them last. */
static enum err set_options(struct planning *g, struct point *p, const char *word)
{
    struct config scratch;
    config_case_defaults(&scratch);
    if (strlen(word) >= sizeof p->options)
        FAIL(INPUT, "'%s' is longer than %zu characters", word, sizeof p->options - 1);
    snprintf(p->options, sizeof p->options, "%s", word);
    TRY(measure_set_options(&scratch, word));
    g->config.domain = scratch.domain;
    g->config.tile = scratch.tile;
    return ERR_OK;
}

static enum err set_choice(struct planning *g, struct point *p, enum choice id, const char *word)
{
    enum err e;
    if (id == BY_CASE)
        e = set_case(g, p, word);
    else if (id == BY_NX)
        e = set_size(g, word);
    else if (id == BY_BLOCKS)
        e = set_blocks(p, word);
    else if (id == BY_OPTIONS)
        e = set_options(g, p, word);
    else
        e = set_option(g, id, word);
    return e ? experiment_fault(g->x, g->list[id].value, "%s", err_message()) : ERR_OK;
}

/* Rows of split schemes always have a factor, those of schemes whose clock runs ahead only if
 * the experiment lists any. */
static int takes_factor(const struct planning *g, const struct scheme *s)
{
    const int ahead = s->clock && strcmp(s->clock, "ahead") == 0;
    return s->split || (ahead && g->list[BY_DT_FACTOR].value);
}

/* A choice that has no effect for a scheme or backend gets one value, so that equal points look
 * equal. */
static void take_options(const struct planning *g, struct point *p)
{
    const struct config *c = &g->config;
    p->automatic = strcmp(c->scheme, "auto") == 0;
    p->scheme = find_scheme(p->automatic ? CASE_SCHEME : c->scheme);
    p->precision = (enum precision)c->precision;
    p->mode = (enum mode)c->mode;
    p->nx = c->nx;
    p->ny = c->ny;
    p->cfl = c->cfl;
    p->dt_factor = takes_factor(g, p->scheme) ? c->dt_factor : (double)NAN;
    p->early_exit = c->domain == DOMAIN_SPARSE          ? EARLY_EXIT_ON
                    : p->scheme->on_demand || c->tile.w ? c->early_exit
                                                        : EARLY_EXIT_OFF;
    p->graphs = backends[g->setup->backend]->record_begin ? c->graphs : GRAPHS_OFF;
    p->told = measure_told(g->x);
    memcpy(p->limiter, c->limiter, sizeof p->limiter);
    snprintf(p->define, sizeof p->define, "%s", *c->define ? c->define : "-");
    p->run = 1;
}

enum err planning_point(struct planning *g, const int at[CHOICES], struct point *p)
{
    *p = (struct point){.run = 1};
    config_case_defaults(&g->config);
    for (int id = 0; id < CHOICES; id++)
        TRY(set_choice(g, p, (enum choice)id, word_at(g, (enum choice)id, at)));
    take_options(g, p);
    return ERR_OK;
}
