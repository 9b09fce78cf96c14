/* The points of an experiment: the product of all lists in its [measure]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"
#include "experiments/measure/measure_parts.h"
#include "verification/run/verify.h"

/* Keys that may list several values, in the order of the columns: the last one varies fastest. One without a
 * default must be given. */
enum choice {
    BY_CASE,
    BY_SCHEME,
    BY_PRECISION,
    BY_MODE,
    BY_NX,
    BY_CFL,
    BY_DT_FACTOR,
    BY_LIMITER,
    BY_EARLY_EXIT,
    BY_BLOCKS,
    BY_DEFINE,
    BY_GRAPHS,
    BY_OPTIONS,
    CHOICES
};
enum { MOST_LISTED = 512, MOST_REPEATED = 1000 };

const struct option measure_common[] = {
    [BY_CASE] = {.name = "case"},
    [BY_SCHEME] = {.name = "scheme", .initial = "rk2"},
    [BY_PRECISION] = {.name = "precision", .initial = "f32"},
    [BY_MODE] = {.name = "mode", .initial = "fast"},
    [BY_NX] = {.name = "nx"},
    [BY_CFL] = {.name = "cfl", .initial = "claim"},
    [BY_DT_FACTOR] = {.name = "dt-factor", .initial = "default"},
    [BY_LIMITER] = {.name = "limiter", .initial = "minmod"},
    [BY_EARLY_EXIT] = {.name = "early-exit", .initial = "off"},
    [BY_BLOCKS] = {.name = "blocks", .initial = "tuned"},
    [BY_DEFINE] = {.name = "define", .initial = "-"},
    [BY_GRAPHS] = {.name = "graphs", .initial = "off"},
    [BY_OPTIONS] = {.name = "options", .initial = "-"},
    {.name = "t-end", NUMBER_IN(struct measure_common, t_end, 1e-9, 1e9)},
    {.name = "steps", COUNT_IN(struct measure_common, steps, 1, 1e7)},
    {.name = "enough", NUMBER_IN(struct measure_common, enough, 0, 1e6), .initial = "0"},
    {.name = "repeat", COUNT_IN(struct measure_common, repeat, 1, MOST_REPEATED), .initial = "3"},
    {.name = "unit-cells", FLAG_IN(struct measure_common, unit_cells)},
    {.name = "devices", COUNT_IN(struct measure_common, devices, 1, MOST_DEVICES), .initial = "1"},
    {.name = NULL},
};

struct words {
    char word[MOST_LISTED][EXPERIMENT_WORD + 1];
    int count;
    const char *value; /* the value in the file, for messages */
};

struct planning {
    const struct experiment *x;
    const struct section *wanted;
    const struct measure_setup *setup;
    const char *input; /* a file instead of a case; or NULL */
    struct measure_common common;
    int compared; /* with a solution */
    struct words list[CHOICES];
    struct config config; /* of the current combination */
    struct point *point;
    char (*cells)[POINT_CELLS];
    int count;
};

static const char *value_of(const struct experiment *x, enum backend_kind b, const char *key)
{
    return experiment_variant(x, experiment_section(x, "measure", 0), key, backends[b]->name);
}

enum err measure_options(const struct experiment *x, enum backend_kind backend,
                         const struct option *table, void *settings)
{
    for (const struct option *o = table; o->name; o++) {
        const char *text = value_of(x, backend, o->name);
        if (!o->type)
            continue;
        option_reset(o, settings);
        if (text && o->type->set(o, settings, text))
            return experiment_fault(x, text, "%s", err_message());
    }
    return ERR_OK;
}

enum err measure_backend_check(const struct experiment *x, enum backend_kind backend)
{
    const struct section *wanted = experiment_section(x, "measure", 0);
    const char *only = experiment_value(x, wanted, "backend");
    const char *needs = experiment_value(x, wanted, "needs");
    int known = 0;
    for (int b = 0; only && b < BACKENDS; b++)
        known |= strcmp(only, backends[b]->name) == 0;
    if (only && !known)
        return experiment_fault(x, only, "'%s' is neither cpu nor cuda", only);
    if (only && strcmp(only, backends[backend]->name) != 0)
        FAIL(ABSENT, "experiment %s is for --backend %s only; it needs %s", x->name, only,
             needs                       ? needs
             : strcmp(only, "cuda") == 0 ? "an Nvidia GPU"
                                         : "a CPU");
    return ERR_OK;
}

enum err measure_meant(const struct experiment *x, enum backend_kind backend, int devices,
                       int divided, int *meant)
{
    struct measure_common common;
    const enum err fits = measure_backend_check(x, backend);
    if (fits && fits != ERR_ABSENT)
        return fits;
    TRY(measure_options(x, backend, measure_common, &common));
    *meant = !fits && devices == common.devices && (devices > 1 || !divided);
    return ERR_OK;
}

/* A file has its own grid, but no case name and no end time. */
static enum err check_input(const struct planning *g)
{
    const enum backend_kind b = g->setup->backend;
    const char *flow_case = value_of(g->x, b, "case");
    if (!g->input)
        return ERR_OK;
    if (flow_case)
        return experiment_fault(g->x, flow_case,
                                "with input the flow comes from the file: leave out one");
    if (!value_of(g->x, b, "t-end"))
        return experiment_fault(g->x, g->input, "a file has no end time: add t-end");
    if (g->common.unit_cells)
        return experiment_fault(g->x, g->input, "a file has its own cells: leave out unit-cells");
    return ERR_OK;
}

/* Keys that exclude each other. */
static enum err check_common(const struct planning *g)
{
    const enum backend_kind b = g->setup->backend;
    const char *t_end = value_of(g->x, b, "t-end"), *error = value_of(g->x, b, "error");
    if (g->common.steps && t_end)
        return experiment_fault(g->x, t_end, "with steps a run has no end time: leave out one");
    if (g->compared && g->common.steps)
        return experiment_fault(g->x, error,
                                "a run of a number of steps has no end time for a comparison");
    if (g->compared && g->common.unit_cells)
        return experiment_fault(g->x, error,
                                "with cells of 1 m it is another flow than the case's solution");
    return check_input(g);
}

/* "all" and "split" stand for each scheme of that kind. */
static enum err expand_schemes(const struct experiment *x, struct words *w)
{
    const struct words typed = *w;
    w->count = 0;
    for (int k = 0; k < typed.count; k++) {
        const int all = strcmp(typed.word[k], "all") == 0;
        const int some = strcmp(typed.word[k], "split") == 0;
        for (int s = 0; s == 0 || ((all || some) && schemes[s]); s++) {
            if ((some && !schemes[s]->split) || (all && !scheme_moves_water(schemes[s])))
                continue;
            if (w->count == MOST_LISTED)
                return experiment_fault(x, w->value, "at most %d schemes", MOST_LISTED);
            snprintf(w->word[w->count++], sizeof w->word[0], "%s",
                     all || some ? schemes[s]->name : typed.word[k]);
        }
    }
    return ERR_OK;
}

static enum err read_list(struct planning *g, enum choice id)
{
    const char *key = measure_common[id].name, *backend = backends[g->setup->backend]->name;
    struct words *w = &g->list[id];
    w->value = value_of(g->x, g->setup->backend, key);
    w->count = 1;
    if (id == BY_NX && g->setup->nx > 0) {
        snprintf(w->word[0], sizeof w->word[0], "%d", g->setup->nx);
        return ERR_OK;
    }
    if (id == BY_PRECISION && g->setup->precision >= 0) {
        snprintf(w->word[0], sizeof w->word[0], "%s", precision_names[g->setup->precision]);
        return ERR_OK;
    }
    if (id == BY_CASE && g->input) {
        snprintf(w->word[0], sizeof w->word[0], "%s", g->x->name);
        return ERR_OK;
    }
    if (!w->value && !measure_common[id].initial)
        FAIL(INPUT, "%s:%d: [measure] must have '%s = ...'%s%s%s", g->x->file.path, g->wanted->line,
             key, id == BY_NX ? " or 'nx." : "", id == BY_NX ? backend : "",
             id == BY_NX ? " = ...', or give --nx" : "");
    w->count = experiment_words(g->x, w->value ? w->value : measure_common[id].initial, w->word,
                                MOST_LISTED);
    if (w->count < 0)
        return err_last();
    return id == BY_SCHEME ? expand_schemes(g->x, w) : ERR_OK;
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
    const struct verification *v = p->flow_case->verify;
    if (g->compared && !p->flow_case->exact && !(v && v->reference))
        FAIL(INPUT, "with 'error = yes' the case needs a solution to compare with; %s has none",
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
        strcmp(value_of(g->x, CPU, "kind"), "runs") != 0)
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

/* Otherwise replacements would be compared with the thesis's blocks. */
static enum err check_blocks(const struct planning *g, const struct point *p)
{
    const char *lacks = strcmp(p->blocks, "thesis") == 0 ? measure_thesis_lacks(p->scheme) : NULL;
    if (lacks)
        return experiment_fault(
            g->x, g->list[BY_BLOCKS].value,
            "the thesis has no block for %s, which %s launches: leave out that scheme", lacks,
            p->scheme->name);
    return ERR_OK;
}

static enum err too_many(const struct planning *g)
{
    FAIL(INPUT, "%s:%d: [measure] makes more than %d points with their repetitions",
         g->x->file.path, g->wanted->line, MOST_POINTS);
}

static void append_point(struct planning *g, const struct point *p)
{
    struct point *to = &g->point[g->count++];
    *to = *p;
    if (p->input)
        to->flow_case = &to->own;
}

/* Rows are told apart by the number of columns. */
static enum err check_size(const struct planning *g, const struct point *p)
{
    for (int k = 0; k < g->count; k++)
        if (g->point[k].nx == p->nx && g->point[k].ny != p->ny)
            return experiment_fault(g->x, g->list[BY_NX].value,
                                    "two sizes have %d cells from west to east: change one", p->nx);
    return ERR_OK;
}

static enum err add_point(struct planning *g, const int at[CHOICES])
{
    struct point p = {.run = 1};
    char cells[POINT_CELLS];
    config_case_defaults(&g->config);
    for (int id = 0; id < CHOICES; id++)
        TRY(set_choice(g, &p, (enum choice)id, g->list[id].word[at[id]]));
    take_options(g, &p);
    if (p.automatic && strcmp(p.blocks, "tuned") != 0) /* blocks given by hand belong to a scheme */
        return ERR_OK;
    TRY(check_blocks(g, &p));
    TRY(check_size(g, &p));
    measure_cells(&p, 0, cells);
    for (int k = 0; k < g->count; k++)
        if (strcmp(g->cells[k], cells) == 0)
            return ERR_OK;
    if ((g->count + 1) * g->common.repeat > MOST_POINTS)
        return too_many(g);
    memcpy(g->cells[g->count], cells, sizeof cells);
    append_point(g, &p);
    return ERR_OK;
}

/* The next combination; false after the last. */
static int advance(const struct planning *g, int at[CHOICES])
{
    for (int id = CHOICES - 1; id >= 0; id--) {
        if (++at[id] < g->list[id].count)
            return 1;
        at[id] = 0;
    }
    return 0;
}

/* Cells of 1 m: a square of them, if a size gives no other shape. */
static void take_unit_cells(struct point *p)
{
    p->own = *p->flow_case;
    p->own.nx = p->nx;
    p->own.ny = p->ny ? p->ny : p->nx;
    p->own.lx = p->own.nx;
    p->own.ly = p->own.ny;
    p->own.x0 = -0.5 * p->own.nx;
    p->own.y0 = -0.5 * p->own.ny;
    p->flow_case = &p->own;
}

static void add_repetitions(struct planning *g)
{
    const int each = g->count;
    for (int run = 2; run <= g->common.repeat; run++) {
        for (int k = 0; k < each; k++) {
            append_point(g, &g->point[k]);
            g->point[g->count - 1].run = run;
        }
    }
    for (int k = 0; g->common.unit_cells && k < g->count; k++)
        take_unit_cells(&g->point[k]);
}

static enum err make_points(struct planning *g)
{
    int at[CHOICES] = {0};
    TRY(measure_backend_check(g->x, g->setup->backend));
    g->input = value_of(g->x, g->setup->backend, "input");
    TRY(measure_options(g->x, g->setup->backend, measure_common, &g->common));
    TRY(measure_options(g->x, g->setup->backend, measure_runs_options, &g->compared));
    TRY(check_common(g));
    for (int id = 0; id < CHOICES; id++)
        TRY(read_list(g, (enum choice)id));
    do
        TRY(add_point(g, at));
    while (advance(g, at));
    add_repetitions(g);
    return ERR_OK;
}

enum err measure_plan(const struct experiment *x, const struct measure_setup *setup,
                      struct point **points, int *count)
{
    const struct section *wanted = experiment_section(x, "measure", 0);
    struct planning *g = calloc(1, sizeof *g);
    enum err e = ERR_OK;
    *points = NULL;
    *count = 0;
    if (!g || !wanted)
        goto out;
    g->x = x;
    g->wanted = wanted;
    g->setup = setup;
    g->point = calloc(MOST_POINTS, sizeof *g->point);
    g->cells = calloc(MOST_POINTS, sizeof *g->cells);
    if (!g->point || !g->cells)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the points of %s", x->name);
    if (!e)
        e = make_points(g);
    if (e)
        goto out;
    *points = g->point;
    *count = g->count;
    g->point = NULL;
out:
    if (g) {
        free(g->point);
        free(g->cells);
    }
    free(g);
    return e;
}
