/* What gnuplot is told about series of points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sorted.h"
#include "plots/series.h"

enum { MARKS = 64, LEFT = 76, RIGHT = 20, NAMES = 110, LETTER = 7 /* pixels */ };

/* A published value; or a line through the origin, where `slope` is a number. */
struct mark {
    char label[SCRIPT_TEXT];
    int panel; /* from 1; 0: all */
    double x, y, slope;
};

struct picture {
    const struct series *s;
    const struct figure *f;
    const char *template, *tics;
    struct axis x, y; /* what is the same for all panels */
    int width, height, across, panel_width, shared;
    struct mark mark[MARKS];
    int marks;
};

static enum err mark_fault(const struct figure *f, const char *value)
{
    return experiment_fault(
        &f->experiment, value,
        "a mark is: label | x | y, or label | panel | x | y; '-' instead of x or "
        "y makes a line, 'slope' instead of x one through the origin");
}

/* A coordinate: a number, a name of x, or '-'. */
static int read_place(const struct series *s, const char *text, int is_x, double *place)
{
    char *end;
    *place = (double)NAN;
    if (strcmp(text, "-") == 0)
        return 1;
    for (int k = 0; is_x && k < s->x.count; k++)
        if (strcmp(s->x.name[k], text) == 0) {
            *place = k + 1;
            return 1;
        }
    *place = strtod(text, &end);
    return end != text && !*end;
}

static int cut(char *text, char *part[4])
{
    int n = 0;
    for (char *rest = NULL, *p = strtok_r(text, "|", &rest); p; p = strtok_r(NULL, "|", &rest)) {
        if (n == 4)
            return 0;
        p += strspn(p, " \t");
        char *end = p + strlen(p);
        while (end > p && strchr(" \t", end[-1]))
            *--end = '\0';
        part[n++] = p;
    }
    return n;
}

/* A mark of facts that are not known is left out. */
static enum err read_mark(struct picture *p, const char *value)
{
    char text[2 * SCRIPT_TEXT], *part[4];
    struct mark *m = &p->mark[p->marks];
    TRY(facts_fill(&p->f->facts, value, text, sizeof text));
    if (strstr(text, "not measured"))
        return ERR_OK;
    const int n = cut(text, part);
    if (n < 3)
        return mark_fault(p->f, value);
    *m = (struct mark){.slope = (double)NAN};
    snprintf(m->label, sizeof m->label, "%s", part[0]);
    for (int k = 0; n == 4 && k < p->s->panel.count; k++)
        if (strcmp(p->s->panel.name[k], part[1]) == 0)
            m->panel = k + 1;
    const int slope = strcmp(part[n - 2], "slope") == 0;
    if (!read_place(p->s, slope ? "-" : part[n - 2], 1, &m->x) ||
        !read_place(p->s, part[n - 1], 0, &m->y) || (isnan(m->x) && isnan(m->y)))
        return mark_fault(p->f, value);
    if (slope) {
        m->slope = m->y;
        m->y = (double)NAN;
    }
    /* This device may lack the panel. */
    p->marks += n == 3 || m->panel > 0;
    return ERR_OK;
}

static enum err read_marks(struct picture *p)
{
    const struct experiment *x = &p->f->experiment;
    const char *value;
    for (int k = 0; (value = experiment_value_at(x, experiment_section(x, "draw", 0), "mark", k));
         k++) {
        if (p->marks == MARKS)
            return experiment_fault(x, value, "a figure has at most %d marks", MARKS);
        TRY(read_mark(p, value));
    }
    return ERR_OK;
}

static enum err read_axis(const struct figure *f, char name, struct axis *a)
{
    static const char *const scales[] = {"linear", "log", NULL};
    char key[16];
    *a = (struct axis){.name = name, .tics = ""};
    snprintf(key, sizeof key, "%c-scale", name);
    TRY(draw_word(f, key, scales, &a->log));
    snprintf(key, sizeof key, "%c-low", name);
    TRY(draw_number(f, key, (double)NAN, &a->low));
    snprintf(key, sizeof key, "%c-high", name);
    TRY(draw_number(f, key, (double)NAN, &a->high));
    snprintf(key, sizeof key, "%c-tics", name);
    a->tics = draw_value(f, key, "");
    return ERR_OK;
}

static enum err read_picture(struct picture *p)
{
    static const char *const ranges[] = {"own", "same", NULL};
    const int panels = p->s->panel.count;
    double across;
    TRY(read_axis(p->f, 'x', &p->x));
    TRY(read_axis(p->f, 'y', &p->y));
    TRY(draw_word(p->f, "y-range", ranges, &p->shared));
    TRY(draw_number(p->f, "columns", panels < 4 ? panels : panels == 4 ? 2 : 3, &across));
    if (!(across >= 1 && across <= 8))
        return draw_fault(p->f, "columns", "is how many panels stand side by side, 1 to 8");
    p->across = (int)fmin(across, panels);
    const int down = (panels + p->across - 1) / p->across;
    p->width = p->across > 1 ? 900 : 760;
    p->height = 120 + down * (down > 1 ? 262 : 300);
    TRY(draw_size(p->f, &p->width, &p->height));
    p->panel_width = (p->width - LEFT - RIGHT - (p->across - 1) * 64) / p->across;
    p->template = draw_value(p->f, "template", "lines");
    p->y.zero = strcmp(p->template, "bars") == 0;
    if (strcmp(p->template, "roofline") == 0 && !(p->x.log && p->y.log))
        return draw_fault(p->f, "template", "a roofline needs x-scale = log and y-scale = log");
    return read_marks(p);
}

static int in_panel(const struct picture *p, int panel, const struct series_point *q)
{
    return q->panel == panel || (p->shared && panel < 0);
}

static void widen(struct axis *a, double value)
{
    if (isnan(value) || (a->log && value <= 0))
        return;
    a->least = fmin(a->least, value);
    a->most = fmax(a->most, value);
}

/* What a panel (-1: any) has to show. */
static void find_extent(const struct picture *p, int panel, struct axis *x, struct axis *y)
{
    x->least = y->least = HUGE_VAL;
    x->most = y->most = -HUGE_VAL;
    for (size_t k = 0; k < p->s->count; k++) {
        const struct series_point *q = &p->s->point[k];
        if (!in_panel(p, panel, q))
            continue;
        widen(x, q->x);
        widen(y, q->y);
        widen(y, q->low);
        widen(y, q->high);
    }
    for (int k = 0; k < p->marks; k++)
        if (p->mark[k].panel == 0 || p->mark[k].panel == panel + 1 || panel < 0) {
            widen(x, p->mark[k].x);
            widen(y, p->mark[k].y);
        }
    for (int k = 0; k < 2; k++) {
        struct axis *a = k ? y : x;
        if (!(a->least <= a->most))
            a->least = a->log ? 1 : 0, a->most = a->log ? 10 : 1;
    }
    if (strcmp(p->template, "scatter") == 0) { /* one diagonal, whatever the panel's shape */
        x->least = y->least = fmin(x->least, y->least);
        x->most = y->most = fmax(x->most, y->most);
    }
}

/* The distinct values of x in a panel, for numbers at its axis. */
static int distinct(const struct picture *p, int panel, double *value)
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

static enum err write_axes(const struct picture *p, FILE *script)
{
    double *value = malloc((p->s->count + 1) * sizeof *value);
    if (!value)
        FAIL(MEMORY, "no memory for %zu points", p->s->count);
    for (int panel = 0; panel < p->s->panel.count; panel++) {
        struct axis x = p->x, y = p->y, unused = p->x;
        x.names = p->s->x.count;
        x.pixels = p->panel_width;
        x.value = value;
        x.values = distinct(p, panel, value);
        y.pixels = 250;
        find_extent(p, panel, &x, &y);
        if (p->shared)
            find_extent(p, -1, &unused, &y);
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

/* Which of the file's blocks a panel has, and which curve a block is. */
static void write_blocks(const struct series *s, FILE *script)
{
    int blocks = 0;
    fprintf(script, "array first[%d]\narray last[%d]\narray block_curve[%d]\n", s->panel.count,
            s->panel.count, s->panel.count * s->curve.count);
    for (size_t k = 0; k < s->count; k++) {
        const struct series_point *p = &s->point[k];
        if (k && p->panel == p[-1].panel && p->curve == p[-1].curve)
            continue;
        blocks++;
        if (k == 0 || p->panel != p[-1].panel)
            fprintf(script, "first[%d] = %d\n", p->panel + 1, blocks);
        fprintf(script, "block_curve[%d] = %d\nlast[%d] = %d\n", blocks, p->curve + 1, p->panel + 1,
                blocks);
    }
}

static void write_names(const struct picture *p, FILE *script)
{
    const struct {
        const char *variable, *key;
        const struct series_names *names;
    } lists[] = {{"panel_title", "panel-titles", &p->s->panel},
                 {"curve_title", "series-titles", &p->s->curve},
                 {"x_name", NULL, &p->s->x},
                 {"x_title", "x-titles", &p->s->x}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        script_array(script, lists[k].variable, lists[k].names->count);
        for (int m = 0; m < lists[k].names->count; m++) {
            char title[SCRIPT_TEXT];
            snprintf(title, sizeof title, "%s", lists[k].names->name[m]);
            if (lists[k].key)
                draw_title(p->f, lists[k].key, lists[k].names->name[m], title);
            script_entry(script, lists[k].variable, m + 1, title);
        }
    }
    fprintf(script, "panels = panel_titles\ncurves = curve_titles\nacross = %d\n", p->across);
}

/* Names that do not fit side by side lean; the room they need below, pixels. */
static int tilt(const struct picture *p)
{
    int longest = 0;
    for (int k = 0; k < p->s->x.count; k++) {
        char title[SCRIPT_TEXT];
        draw_title(p->f, "x-titles", p->s->x.name[k], title);
        const int n = (int)strlen(title);
        longest = n > longest ? n : longest;
    }
    return (longest + 1) * LETTER * p->s->x.count > p->panel_width ? 10 + longest * 3 : 0;
}

static void write_marks(const struct picture *p, FILE *script)
{
    script_array(script, "mark_label", p->marks);
    fputs("marks = mark_labels\n", script);
    for (int k = 0; k < 4; k++) {
        static const char *const more[] = {"panel", "x", "y", "slope"};
        fprintf(script, "array mark_%s[%d]\n", more[k], p->marks ? p->marks : 1);
    }
    for (int k = 0; k < p->marks; k++) {
        script_entry(script, "mark_label", k + 1, p->mark[k].label);
        script_entry_number(script, "mark_panel", k + 1, p->mark[k].panel);
        script_entry_number(script, "mark_x", k + 1, p->mark[k].x);
        script_entry_number(script, "mark_y", k + 1, p->mark[k].y);
        script_entry_number(script, "mark_slope", k + 1, p->mark[k].slope);
    }
}

static enum err write_texts(const struct picture *p, FILE *script)
{
    static const char *const styles[] = {"linespoints", "points", "lines", NULL};
    static const char *const labels[] = {"x", "y"};
    char text[SCRIPT_TEXT];
    int style;
    TRY(draw_word(p->f, "style", styles, &style));
    script_text(script, "style", styles[style]);
    for (int k = 0; k < 2; k++) {
        char key[16];
        snprintf(key, sizeof key, "%s-label", labels[k]);
        if (!draw_value(p->f, key, NULL))
            return draw_fault(p->f, key, "every axis has one, with its unit");
        TRY(draw_text(p->f, key, NULL, text));
        snprintf(key, sizeof key, "%s_label", labels[k]);
        script_text(script, key, text);
    }
    const int many = p->s->curve.count > 8;
    script_text(script, "key", draw_value(p->f, "key", many ? "right" : "top"));
    const int named = p->s->labels && strcmp(p->template, "roofline") == 0;
    fprintf(script,
            "name_room = %d\nx_log = %d\ny_log = %d\nx_tilt = %d\nintervals = %d\nlabels = %d\n",
            named ? NAMES : 0, p->x.log, p->y.log, tilt(p), p->s->intervals, p->s->labels);
    return ERR_OK;
}

enum err series_script(const struct series *s, const struct figure *f,
                       const struct drawing_files *files)
{
    struct picture *p = calloc(1, sizeof *p);
    enum err e = ERR_OK;
    if (!p)
        FAIL(MEMORY, "no memory for a figure");
    p->s = s;
    p->f = f;
    TRY_OUT(read_picture(p));
    script_begin(f, files, p->width, p->height);
    write_names(p, files->script);
    write_blocks(s, files->script);
    TRY_OUT(write_texts(p, files->script));
    for (int k = 0; k < 8; k++)
        fprintf(
            files->script, "array %c_%s[%d]\n", "xy" [k / 4],
            (const char *const[]) { "range", "tics", "low", "high" }[k % 4], s->panel.count);
    TRY_OUT(write_axes(p, files->script));
    write_marks(p, files->script);
out:
    free(p);
    return e;
}
