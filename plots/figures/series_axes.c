/* The axes of series of points, and how panels are arranged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"
#include "plots/figures/series.h"

enum { LEFT = 86, RIGHT = 20, GAP = 64, FEW = 10 };

static enum err read_axis(const struct figure *f, char name, struct axis *a)
{
    /* A roofline has two logarithmic axes. */
    const int roof = strcmp(draw_value(f, "template", ""), "roofline") == 0;
    static const char *const scales[] = {"linear", "log", NULL}, *const logs[] = {"log", "log",
                                                                                  NULL};
    char key[16];
    *a = (struct axis){.name = name, .tics = ""};
    snprintf(key, sizeof key, "%c-scale", name);
    TRY(draw_word(f, key, roof ? logs : scales, &a->log));
    a->log |= roof;
    snprintf(key, sizeof key, "%c-low", name);
    TRY(draw_number(f, key, (double)NAN, &a->low));
    snprintf(key, sizeof key, "%c-high", name);
    TRY(draw_number(f, key, (double)NAN, &a->high));
    snprintf(key, sizeof key, "%c-tics", name);
    a->tics = draw_value(f, key, "");
    return ERR_OK;
}

int series_panel(const struct series_picture *p, int panel)
{
    return p->zoom ? panel / 2 : panel;
}

int series_enlarged(const struct series_picture *p, int panel)
{
    return p->zoom && panel % 2;
}

int series_is_below(const struct series_picture *p, int panel)
{
    return p->s->below && panel >= p->s->below;
}

/* "front", or the ends of the enlarged panel. */
static enum err read_zoom(struct series_picture *p)
{
    char word[2][EXPERIMENT_WORD + 1], *end[2];
    const char *value = draw_value(p->f, "zoom", NULL);
    if (!value)
        return ERR_OK;
    const int words = experiment_words(&p->f->experiment, value, word, 2);
    if (words < 0)
        return err_last();
    if (words == 1 && strcmp(word[0], "front") == 0) {
        p->zoom = 1;
        return ERR_OK;
    }
    p->zoom = 2;
    p->zoom_low = strtod(word[0], &end[0]);
    p->zoom_high = words == 2 ? strtod(word[1], &end[1]) : p->zoom_low;
    if (*end[0] || words != 2 || *end[1] || !(p->zoom_low < p->zoom_high))
        return draw_fault(p->f, "zoom", "is 'front', or two values of x");
    return ERR_OK;
}

const char *series_key_place(const struct series_picture *p)
{
    const int many = p->s->curve.count > 8;
    const int told = p->s->labels && (p->s->stacked || strcmp(p->template, "roofline") == 0);
    return draw_value(p->f, "key", told ? "none" : many ? "right" : "top");
}

int series_longest_title(const struct series_picture *p, const char *key,
                         const struct series_names *names)
{
    int longest = 0;
    for (int k = 0; k < names->count; k++) {
        char title[SCRIPT_TEXT];
        draw_title(p->f, key, names->name[k], title);
        const int n = (int)strlen(title);
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* As in plots/panels.gp: pixels. */
static int room_at_right(const struct series_picture *p)
{
    enum { LINE = 84, KEY_LETTER = 8 };
    if (strcmp(series_key_place(p), "right") != 0)
        return RIGHT;
    return LINE + KEY_LETTER * series_longest_title(p, "series-titles", &p->s->curve);
}

enum err series_read_axes(struct series_picture *p)
{
    static const char *const ranges[] = {"own", "same", NULL};
    double across;
    TRY(read_axis(p->f, 'x', &p->x));
    TRY(read_axis(p->f, 'y', &p->y));
    TRY(draw_word(p->f, "y-range", ranges, &p->shared));
    TRY(read_zoom(p));
    const int panels = p->s->panel.count * (p->zoom ? 2 : 1);
    const int roof = strcmp(draw_value(p->f, "template", ""), "roofline") == 0;
    const int usual = p->s->below              ? p->s->below
                      : roof                   ? 1
                      : panels == 4 || p->zoom ? 2
                      : panels < 4             ? panels
                                               : 3;
    TRY(draw_number(p->f, "columns", usual, &across));
    if (!(across >= 1 && across <= 8))
        return draw_fault(p->f, "columns", "is how many panels stand side by side, 1 to 8");
    p->panels = panels;
    p->across = (int)fmin(across, panels);
    const int down = (panels + p->across - 1) / p->across;
    p->width = p->across > 1 ? 900 : 760;
    p->height = 120 + down * (roof ? 380 : p->s->below ? 215 : down > 1 ? 250 : 290);
    TRY(draw_size(p->f, &p->width, &p->height));
    p->template = draw_value(p->f, "template", "lines");
    p->panel_width = (p->width - LEFT - room_at_right(p) - (p->across - 1) * GAP) / p->across;
    p->y.zero = strcmp(p->template, "bars") == 0;
    return ERR_OK;
}

static void widen(struct axis *a, double value)
{
    if (isnan(value) || (a->log && value <= 0))
        return;
    a->least = fmin(a->least, value);
    a->most = fmax(a->most, value);
}

static void widen_by_marks(const struct series_picture *p, int panel, struct axis *x,
                           struct axis *y)
{
    for (int k = 0; k < p->marks; k++)
        if (p->mark[k].panel == 0 || p->mark[k].panel == panel + 1 || panel < 0) {
            widen(x, p->mark[k].x);
            if (!series_is_below(p, panel))
                widen(y, p->mark[k].y);
        }
}

/* The range of a panel of the picture (-1: any), between the set ends of x. */
static void find_extent(const struct series_picture *p, int panel, struct axis *x, struct axis *y)
{
    x->least = y->least = HUGE_VAL;
    x->most = y->most = -HUGE_VAL;
    for (size_t k = 0; k < p->s->count; k++) {
        const struct series_point *q = &p->s->point[k];
        if ((panel >= 0 && q->panel != series_panel(p, panel)) || q->x < x->low || q->x > x->high)
            continue;
        if (panel < 0 && series_is_below(p, q->panel))
            continue;
        widen(x, q->x);
        if (q->curve + 1 == p->s->second)
            continue;
        widen(y, q->y);
        widen(y, q->low);
        widen(y, q->high);
    }
    if (panel < 0 || !series_enlarged(p, panel))
        widen_by_marks(p, panel, x, y);
    for (int k = 0; k < 2; k++) {
        struct axis *a = k ? y : x;
        if (!(a->least <= a->most)) {
            a->least = a->log ? 1 : 0;
            a->most = a->log ? 10 : 1;
        }
    }
    if (strcmp(p->template, "scatter") == 0) { /* one diagonal, whatever the panel's shape */
        x->least = y->least = fmin(x->least, y->least);
        x->most = y->most = fmax(x->most, y->most);
    }
}

/* The distinct values of x in a panel of the data, for numbers at its axis. */
static int distinct(const struct series_picture *p, int panel, double *value)
{
    size_t n = 0;
    int kept = 0;
    for (size_t k = 0; k < p->s->count; k++)
        if (p->s->point[k].panel == panel)
            value[n++] = p->s->point[k].x;
    qsort(value, n, sizeof *value, sorted_before);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || value[k] > value[kept - 1])
            value[kept++] = value[k];
    return kept;
}

/* Is a point on the curve that locates the front: the exact one, else the first? */
static int leads(const struct series_picture *p, int panel, const struct series_point *q)
{
    return q->panel == panel && q->curve == (p->s->exact ? p->s->exact - 1 : 0);
}

/* The surroundings of the outermost point whose y differs from that at the outer end. */
static void find_front(const struct series_picture *p, int panel, struct axis *x)
{
    double outside = 0, swing = 0, begin = HUGE_VAL, front = -HUGE_VAL, end = -HUGE_VAL;
    for (size_t k = 0; k < p->s->count; k++)
        if (leads(p, panel, &p->s->point[k])) {
            begin = fmin(begin, p->s->point[k].x);
            if (p->s->point[k].x >= end) {
                end = p->s->point[k].x;
                outside = p->s->point[k].y;
            }
        }
    for (size_t k = 0; k < p->s->count; k++)
        if (leads(p, panel, &p->s->point[k]))
            swing = fmax(swing, fabs(p->s->point[k].y - outside));
    for (size_t k = 0; k < p->s->count; k++)
        if (leads(p, panel, &p->s->point[k]) && fabs(p->s->point[k].y - outside) > 0.02 * swing)
            front = fmax(front, p->s->point[k].x);
    const double reach = fmin(end, end - begin);
    x->low = fmax(begin, front - 0.12 * reach);
    x->high = fmin(end, front + 0.08 * reach);
}

static void enlarge(const struct series_picture *p, int panel, struct axis *x, struct axis *y)
{
    x->low = p->zoom_low;
    x->high = p->zoom_high;
    if (p->zoom == 1)
        find_front(p, series_panel(p, panel), x);
    find_extent(p, panel, x, y);
    const double room = 0.06 * (y->most - y->least);
    if (!y->log && room > 0) {
        y->low = y->least - room;
        y->high = y->most + 2 * room;
    }
}

/* About: pixels. */
static int panel_height(const struct series_picture *p)
{
    const int down = (p->panels + p->across - 1) / p->across;
    return (p->height - 100 - (down - 1) * GAP) / down;
}

enum err series_write_axes(const struct series_picture *p, FILE *script)
{
    double *value = malloc((p->s->count + 1) * sizeof *value);
    if (!value)
        FAIL(MEMORY, "no memory for %zu points", p->s->count);
    for (int panel = 0; panel < p->panels; panel++) {
        struct axis x = p->x, y = p->y, unused = p->x;
        x.names = p->s->x.count;
        x.pixels = p->panel_width;
        x.value = value;
        x.values = distinct(p, series_panel(p, panel), value);
        if (x.log && !*x.tics && x.values <= FEW)
            x.tics = "values";
        y.pixels = panel_height(p);
        if (series_is_below(p, panel))
            y = (struct axis){
                .name = 'y', .tics = "", .low = 0, .high = (double)NAN, .pixels = y.pixels};
        const int shared = p->shared && !series_is_below(p, panel);
        if (series_enlarged(p, panel))
            enlarge(p, panel, &x, &y);
        else
            find_extent(p, shared ? -1 : panel, shared ? &unused : &x, &y);
        if (shared && !series_enlarged(p, panel)) {
            struct axis own = p->y;
            find_extent(p, panel, &x, &own);
        }
        if (strcmp(p->template, "scatter") == 0) {
            y.low = isnan(y.low) ? x.low : y.low;
            y.high = isnan(y.high) ? x.high : y.high;
        }
        script_axis(script, panel + 1, &x);
        script_axis(script, panel + 1, &y);
    }
    free(value);
    return ERR_OK;
}
