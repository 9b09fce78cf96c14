/* From the chosen edges to the edges of the run. */
#include "core/problem/edges_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/options/edge_option.h"
#include "core/base/log.h"
#include "core/problem/setup.h"
#include "core/registry/registry.h"
#include "kernels/system.h"

enum { CHOICE_TEXT = 2 * FILE_LENGTH };
static const double MOST_MISSING = 1e-4; /* of the total that a series announces */

static double cell_along(const struct setup *s, enum edge e)
{
    return edge_is_vertical(e) ? s->grid.dy : s->grid.dx;
}

static double centre(const struct setup *s, enum edge e, int k)
{
    return edge_is_vertical(e) ? grid_y(&s->grid, k) : grid_x(&s->grid, k);
}

static void set_across(struct edge_state *q, enum edge e, double x)
{
    if (edge_is_vertical(e))
        q->hu = x;
    else
        q->hv = x;
}

static int is_whole(const struct boundary_choice *b)
{
    return isnan(b->from);
}

static void say(const struct setup *s, const struct boundary_choice *b, char *text, size_t n)
{
    const int used = snprintf(text, n, "--bc-%s ", edge_names[b->edge]);
    edge_option_print(s->config, b, text + used, n - (size_t)used);
}

/* The cells along an edge whose centres lie between two coordinates. */
static void cells_between(const struct setup *s, enum edge e, double from, double to, int *first,
                          int *end)
{
    const int n = edge_length(s, e);
    *first = 0;
    *end = n;
    while (*first < n && centre(s, e, *first) < from)
        ++*first;
    while (*end > *first && centre(s, e, *end - 1) > to)
        --*end;
}

/* The cells of a choice: those with their centres in it. */
static enum err find_cells(const struct setup *s, const struct boundary_choice *b, int *first,
                           int *end)
{
    const enum edge e = (enum edge)b->edge;
    const int n = edge_length(s, e);
    *first = 0;
    *end = n;
    if (is_whole(b))
        return ERR_OK;
    cells_between(s, e, b->from, b->to, first, end);
    if (*first < *end)
        return ERR_OK;
    char text[CHOICE_TEXT];
    const double size = cell_along(s, e), half = 0.5 * size;
    say(s, b, text, sizeof text);
    FAIL(USAGE,
         "%s: no cell has its centre there; the edge runs from %s = %.10g to %.10g m, in cells of "
         "%.6g m",
         text, edge_is_vertical(e) ? "y" : "x", centre(s, e, 0) - half, centre(s, e, n - 1) + half,
         size);
}

/* The number of a choice's cells that no later one takes. */
static int cells_left(const struct setup *s, int choice, int first, int end)
{
    const struct boundary_choice *const all = s->config->boundary.of;
    int n = 0;
    for (int k = first; k < end; k++) {
        const double x = centre(s, (enum edge)all[choice].edge, k);
        int taken = 0;
        for (int m = choice + 1; m < s->config->boundary.count && !taken; m++)
            taken = all[m].edge == all[choice].edge &&
                    (is_whole(&all[m]) || (x >= all[m].from && x <= all[m].to));
        n += !taken;
    }
    return n;
}

static enum err check_values(const struct timeseries *series, enum boundary kind, const char *name)
{
    for (int k = 0; k < series->rows && kind == DEPTH; k++)
        if (series->value[k] < 0)
            FAIL(INPUT, "%s: at %.15g s the depth is %.15g m: expected 0 or more", name,
                 series->time[k], series->value[k]);
    for (int k = 0; k < series->rows && (kind == SUPPLY || kind == LOSS); k++)
        if (kind == SUPPLY ? series->value[k] < 0 : series->value[k] > 0)
            FAIL(INPUT, "%s: at %.15g s the flux is %.15g m2/s: expected a number %s, %s", name,
                 series->time[k], series->value[k], kind == SUPPLY ? "from 0 on" : "up to 0",
                 kind == SUPPLY ? "because sediment comes in here: if it leaves, give the flux of "
                                  "both together, sediment:Q"
                                : "because sediment leaves here: give an inflow as sand:Q,mud:Q");
    return ERR_OK;
}

/* Reads a series of a choice, whose name begins so far in `files`, and logs its content. */
static enum err read_series(const struct setup *s, const struct boundary_choice *b, int file,
                            struct timeseries *series, double width)
{
    char text[CHOICE_TEXT];
    const char *const name = s->config->boundary.files + file;
    say(s, b, text, sizeof text);
    if (access(name, R_OK) != 0)
        FAIL(INPUT, "%s: expected a number or a readable file, got '%s' (%s)%s", text, name,
             strerror(errno), strchr(name, '@') ? "; a segment is @FROM..TO, in metres" : "");
    enum err e = timeseries_read(series, name);
    if (!e)
        e = timeseries_covers(series, 0, s->t_end, name);
    if (!e)
        e = check_values(series, (enum boundary)b->kind, name);
    if (e) {
        err_context("%s", text);
        return e;
    }
    if (b->kind == DISCHARGE)
        log_info("%s: %d rows, %.6g m3 by the end, through %.6g m", text, series->rows,
                 timeseries_integral(series, 0, s->t_end) * (b->total ? 1 : width), width);
    else
        log_info("%s: %d rows, over %.6g m", text, series->rows, width);
    return ERR_OK;
}

/* The system decides which kinds of edges are possible. */
static enum err check_kind(const struct setup *s, const struct boundary_choice *b)
{
    const struct system *system = s->system;
    const int of_sediment = b->kind == SUPPLY || b->kind == LOSS;
    char text[CHOICE_TEXT];
    if (!system || b->kind == WALL || b->kind == PERIODIC)
        return ERR_OK;
    say(s, b, text, sizeof text);
    if (of_sediment && !system->supplied)
        FAIL(USAGE,
             "%s: this edge applies to the system sediment, but the run's is %s: choose another "
             "kind of edge, or --scheme %s",
             text, system->name, find_system("sediment")->scheme);
    if (!of_sediment && system->supplied)
        FAIL(USAGE,
             "%s: this edge applies to the system shallow_water, but the run's is %s, whose edges "
             "are wall, periodic, sand:Q,mud:Q or sediment:Q",
             text, system->name);
    if (!of_sediment && !system->over_bed && b->kind != OPEN)
        FAIL(USAGE, "%s: the run's system, %s, has no water over a bed: omit this option", text,
             system->name);
    return ERR_OK;
}

/* The series of sand and of mud, or the one that other kinds have. */
static enum err read_all_series(const struct setup *s, const struct boundary_choice *b,
                                struct edge_plan *plan, struct edge_segment *g, double width)
{
    struct timeseries *const own = plan->series + 2 * (size_t)plan->count;
    if (b->file >= 0) {
        TRY(read_series(s, b, b->file, own, width));
        g->series = own;
    }
    if (b->mud_file >= 0) {
        TRY(read_series(s, b, b->mud_file, own + 1, width));
        g->mud = own + 1;
    }
    return ERR_OK;
}

/* How much higher h is beyond the eastern, or northern, of two periodic edges; either option may
 * give it. */
static enum err set_rise(struct setup *s, const struct boundary_choice *b)
{
    const enum edge e = (enum edge)b->edge;
    double *const rise = &s->rise[edge_is_vertical(e) ? 0 : 1][0];
    const double step = edge_sign(e) * b->value;
    if (b->kind != PERIODIC) {
        memset(s->rise[edge_is_vertical(e) ? 0 : 1], 0, sizeof s->rise[0]);
        return ERR_OK;
    }
    if (!(step < 0 || step > 0))
        return ERR_OK;
    if (!s->system || s->system->over_bed)
        FAIL(USAGE,
             "--bc-%s periodic:%g: only systems without a bed have a step across periodic edges: "
             "omit it",
             edge_names[e], b->value);
    if ((*rise < 0 || *rise > 0) && (*rise < step || *rise > step) && s->config->boundary.count > 1)
        FAIL(USAGE,
             "--bc-%s periodic:%g: the other edge gives %g: give the step at one of them, or the "
             "negative one here",
             edge_names[e], b->value, -edge_sign(e) * *rise);
    *rise = step;
    return ERR_OK;
}

static enum err apply(struct setup *s, struct edge_plan *plan, int choice)
{
    const struct boundary_choice *const b = &s->config->boundary.of[choice];
    const enum edge e = (enum edge)b->edge;
    struct edge_segment g = {.edge = e, .kind = (enum boundary)b->kind, .choice = choice};
    char text[CHOICE_TEXT];
    TRY(check_kind(s, b));
    TRY(find_cells(s, b, &g.first, &g.end));
    const int left = cells_left(s, choice, g.first, g.end);
    const double width = left * cell_along(s, e), share = b->total ? 1 / width : 1;
    if (left == 0)
        return ERR_OK;
    g.given.c = b->c;
    if (b->c > 0 && (!s->system || !s->system->carried))
        FAIL(USAGE,
             "--bc-%s: ,c= gives a tracer's concentration, but this run has no tracer: add "
             "--tracer 0",
             edge_names[e]);
    g.scale = b->kind == DISCHARGE ? edge_sign(e) * share : 1;
    if (b->kind == DISCHARGE)
        set_across(&g.given, e, g.scale * b->value);
    else if (b->kind == SUPPLY || b->kind == LOSS)
        memcpy(g.given.in, (double[]){b->value, b->mud}, sizeof g.given.in);
    else
        g.given.h = b->value;
    say(s, b, text, sizeof text);
    if (b->kind == WAVE)
        TRY(edge_find_calm(s, &g, text));
    if (is_whole(b)) {
        s->boundary[e] = g.kind;
        s->edge[e] = g.given;
        TRY(set_rise(s, b));
    }
    TRY(read_all_series(s, b, plan, &g, width));
    if (b->kind == WAVE)
        edge_warn_of_wave(s, &g, text);
    if (!g.series && !g.mud && is_whole(b))
        return ERR_OK;
    plan->segment[plan->count++] = g;
    return ERR_OK;
}

static enum err check_periodic(const struct setup *s)
{
    for (int e = 0; e < EDGES; e += 2)
        if ((s->boundary[e] == PERIODIC) != (s->boundary[e + 1] == PERIODIC))
            FAIL(USAGE, "periodic edges come in pairs: --bc-%s and --bc-%s must both be periodic",
                 edge_names[e], edge_names[e + 1]);
    for (int k = 0; k < s->segment_count; k++)
        if (s->boundary[s->segments[k].edge] == PERIODIC)
            FAIL(USAGE, "periodic applies to a whole edge, but --bc-%s also has segments",
                 edge_names[s->segments[k].edge]);
    return ERR_OK;
}

/* A case's edge whose condition covers only a part becomes a segment of a wall. */
static enum err divide(struct setup *s, const struct flow_case *f, enum edge e,
                       struct edge_plan *plan)
{
    struct edge_segment g = {.edge = e, .kind = s->boundary[e], .given = s->edge[e], .choice = -1};
    if (!(f->reach[e].from < f->reach[e].to))
        return ERR_OK;
    cells_between(s, e, f->reach[e].from, f->reach[e].to, &g.first, &g.end);
    if (g.first >= g.end) { /* cells are wider than the segment: the one or two that it lies in */
        const double middle = 0.5 * (f->reach[e].from + f->reach[e].to);
        const double half = 0.5 * cell_along(s, e);
        cells_between(s, e, middle - half, middle + half, &g.first, &g.end);
    }
    s->boundary[e] = WALL;
    s->edge[e] = (struct edge_state){0};
    plan->segment[plan->count++] = g;
    return ERR_OK;
}

enum err edges_choose(struct setup *s, const struct flow_case *f, struct edge_plan *plan)
{
    const int n = s->config->boundary.count;
    *plan = (struct edge_plan){.room = n + EDGES};
    plan->segment = calloc((size_t)plan->room, sizeof *plan->segment);
    plan->series = calloc(2 * (size_t)plan->room, sizeof *plan->series);
    if (!plan->segment || !plan->series)
        FAIL(MEMORY, "no memory for %d segments of edges", n);
    for (int e = 0; e < EDGES && f; e++)
        TRY(divide(s, f, (enum edge)e, plan));
    for (int k = 0; k < n; k++)
        TRY(apply(s, plan, k));
    s->segments = plan->segment;
    s->segment_count = plan->count;
    TRY(check_periodic(s));
    return edges_check_losses(s);
}

void edge_plan_free(struct edge_plan *plan)
{
    for (int k = 0; plan->series && k < 2 * plan->room; k++)
        timeseries_free(&plan->series[k]);
    free(plan->series);
    free(plan->segment);
    *plan = (struct edge_plan){0};
}

const struct edge_segment *edge_segment_at(const struct setup *s, enum edge e, int k)
{
    for (int m = s->segment_count - 1; m >= 0; m--) {
        const struct edge_segment *const g = &s->segments[m];
        if (g->edge == e && k >= g->first && k < g->end)
            return g;
    }
    return NULL;
}

enum boundary edges_kind(const struct setup *s, enum edge e, int k)
{
    const struct edge_segment *const g = edge_segment_at(s, e, k);
    return g ? g->kind : s->boundary[e];
}

int edges_impose(const struct setup *s)
{
    for (int e = 0; e < EDGES; e++)
        if (s->boundary[e] > PERIODIC)
            return 1;
    return s->segment_count > 0;
}

int edges_series(const struct setup *s)
{
    int n = 0;
    for (int k = 0; k < s->segment_count; k++)
        n += (s->segments[k].series != NULL) + (s->segments[k].mud != NULL);
    return n;
}

int edges_let_water_through(const struct setup *s)
{
    for (int e = 0; e < EDGES; e++)
        if (s->boundary[e] != WALL && s->boundary[e] != PERIODIC)
            return 1;
    for (int k = 0; k < s->segment_count; k++)
        if (s->segments[k].kind != WALL)
            return 1;
    return 0;
}

/* The volumes, m3, that the series of a segment announces up to now, and that came in; through so
 * many metres, or, if the series covers the whole segment, the part that others leave. */
struct delivery {
    double announced, crossed, width;
};

static struct delivery delivered(const struct setup *s, const struct edge_segment *g, double t,
                                 const double *crossed)
{
    const double side = cell_along(s, g->edge), inwards = fabs(g->scale);
    struct delivery d = {0};
    for (int k = g->first; k < g->end; k++)
        if (edge_segment_at(s, g->edge, k) == g) {
            d.width += inwards * side;
            d.crossed += crossed[k] * side;
        }
    d.announced = d.width * timeseries_integral(g->series, 0, t);
    return d;
}

static enum err check_delivery(const struct setup *s, const struct edge_segment *g, double t,
                               const double *crossed)
{
    const struct delivery d = delivered(s, g, t, crossed);
    const double all = d.width * timeseries_size(g->series, 0, t);
    const double missing = d.announced - d.crossed, most = MOST_MISSING * all;
    const int sink = d.announced < all * (1 - 1e-12);
    char text[CHOICE_TEXT];
    if (!(missing > most) && !(missing < -most && !sink))
        return ERR_OK;
    say(s, &s->config->boundary.of[g->choice], text, sizeof text);
    FAIL(CHECK,
         "%s: by t = %.6g s expected an inflow of %.6g m3, got %.6g m3: do not trust this run; try "
         "a smaller --cfl, or a wider segment (what it wrote is kept)",
         text, t, d.announced, d.crossed);
}

enum err edges_check(const struct setup *s, double t, const double *const crossed[EDGES])
{
    for (int k = 0; k < s->segment_count; k++) {
        const struct edge_segment *const g = &s->segments[k];
        if (g->series && g->kind == DISCHARGE)
            TRY(check_delivery(s, g, t, crossed[g->edge]));
    }
    return ERR_OK;
}
