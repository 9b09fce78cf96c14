/* The points of an experiment: the product of all lists in its [measure]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/run_config.h"
#include "core/registry/registry.h"
#include "experiments/measure/own_words.h"
#include "experiments/measure/planning.h"

enum { MOST_REPEATED = 1000 };

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
    {.name = "t-end"},
    {.name = "steps", COUNT_IN(struct measure_common, steps, 1, 1e7)},
    {.name = "enough", NUMBER_IN(struct measure_common, enough, 0, 1e6), .initial = "0"},
    {.name = "repeat", COUNT_IN(struct measure_common, repeat, 1, MOST_REPEATED), .initial = "3"},
    {.name = "unit-cells", FLAG_IN(struct measure_common, unit_cells)},
    {.name = "devices", COUNT_IN(struct measure_common, devices, 1, MOST_DEVICES), .initial = "1"},
    {.name = NULL},
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
    if (g->compared.error && g->common.steps)
        return experiment_fault(g->x, error,
                                "a run of a number of steps has no end time for a comparison");
    if (g->compared.error && g->common.unit_cells)
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

/* Rows of a case are told apart by the number of columns. */
static enum err check_size(const struct planning *g, const struct point *p)
{
    for (int k = 0; k < g->count; k++)
        if (strcmp(g->point[k].flow_case->name, p->flow_case->name) == 0 &&
            g->point[k].nx == p->nx && g->point[k].ny != p->ny)
            return experiment_fault(g->x, g->list[BY_NX].value,
                                    "two sizes have %d cells from west to east: change one", p->nx);
    return ERR_OK;
}

static enum err add_point(struct planning *g, const int at[CHOICES])
{
    struct point p;
    char cells[POINT_CELLS];
    if (!planning_fits(g, at))
        return ERR_OK;
    TRY(planning_point(g, at, &p));
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
    double t_end;
    TRY(measure_backend_check(g->x, g->setup->backend));
    g->input = value_of(g->x, g->setup->backend, "input");
    TRY(measure_options(g->x, g->setup->backend, measure_common, &g->common));
    TRY(measure_options(g->x, g->setup->backend, measure_runs_options, &g->compared));
    TRY(check_common(g));
    for (int id = 0; id < CHOICES; id++)
        TRY(read_list(g, (enum choice)id));
    TRY(planning_check_words(g));
    do
        TRY(add_point(g, at));
    while (advance(g, at));
    for (int k = 0; k < g->count; k++)
        TRY(measure_end_of(g->x, g->setup->backend, g->point[k].flow_case, &t_end));
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
