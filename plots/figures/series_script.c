/* Gnuplot's variables about series of points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figures/series.h"

enum { LETTER = 7, SMALL_LETTER = 6, NAMES = 96 /* pixels */ };

/* The blocks of the file that a panel of the data has, counted from 1. */
static void find_blocks(const struct series *s, int panel, int *first, int *last)
{
    int blocks = 0;
    *first = *last = 0;
    for (size_t k = 0; k < s->count; k++) {
        const struct series_point *p = &s->point[k];
        blocks += k == 0 || p->panel != p[-1].panel || p->curve != p[-1].curve;
        if (p->panel == panel) {
            *first = *first ? *first : blocks;
            *last = blocks;
        }
    }
}

/* Which blocks of the file a panel has, and which curve a block is. */
static void write_blocks(const struct series_picture *p, FILE *script)
{
    const struct series *s = p->s;
    int blocks = 0;
    fprintf(script, "array first[%d]\narray last[%d]\narray block_curve[%d]\n", p->panels,
            p->panels, s->panel.count * s->curve.count);
    for (int panel = 0; panel < p->panels; panel++) {
        int first, last;
        find_blocks(s, series_panel(p, panel), &first, &last);
        fprintf(script, "first[%d] = %d; last[%d] = %d\n", panel + 1, first, panel + 1, last);
    }
    for (size_t k = 0; k < s->count; k++) {
        const struct series_point *q = &s->point[k];
        if (k == 0 || q->panel != q[-1].panel || q->curve != q[-1].curve)
            fprintf(script, "block_curve[%d] = %d\n", ++blocks, q->curve + 1);
    }
}

static void write_titles(const struct series_picture *p, FILE *script, const char *variable,
                         const char *key, const struct series_names *names)
{
    script_array(script, variable, names->count);
    for (int k = 0; k < names->count; k++) {
        char title[SCRIPT_TEXT];
        snprintf(title, sizeof title, "%s", names->name[k]);
        if (key)
            draw_title(p->f, key, names->name[k], title);
        script_entry(script, variable, k + 1, title);
    }
}

static void write_names(const struct series_picture *p, FILE *script)
{
    write_titles(p, script, "curve_title", "series-titles", &p->s->curve);
    write_titles(p, script, "x_name", NULL, &p->s->x);
    write_titles(p, script, "x_title", "x-titles", &p->s->x);
    script_array(script, "panel_title", p->panels);
    for (int panel = 0; panel < p->panels; panel++) {
        const char *name = p->s->panel.name[series_panel(p, panel)];
        char title[SCRIPT_TEXT], text[2 * SCRIPT_TEXT];
        draw_title(p->f, "panel-titles", name, title);
        if (series_is_below(p, panel))
            *title = '\0';
        snprintf(text, sizeof text, "%s%s%s", title,
                 series_enlarged(p, panel) && *title ? ", " : "",
                 !series_enlarged(p, panel) ? ""
                 : p->zoom == 1             ? "the front"
                                            : "enlarged");
        script_entry(script, "panel_title", panel + 1, text);
    }
    fprintf(script, "panels = panel_titles\ncurves = curve_titles\nacross = %d\n", p->across);
    fprintf(script, "array enlarged[%d]\n", p->panels);
    for (int panel = 0; panel < p->panels; panel++)
        fprintf(script, "enlarged[%d] = %d\n", panel + 1, series_enlarged(p, panel));
}

/* Names that do not fit side by side are slanted; the room they need below, pixels. */
static int tilt(const struct series_picture *p)
{
    const int longest = series_longest_title(p, "x-titles", &p->s->x);
    return (longest + 1) * LETTER * p->s->x.count > p->panel_width ? 10 + longest * 3 : 0;
}

/* A style for each curve: the last given one counts for the rest. */
static enum err write_styles(const struct series_picture *p, FILE *script)
{
    static const char *const known[] = {"linespoints", "points", "lines", "band", "cells"};
    char word[SERIES_STYLES][EXPERIMENT_WORD + 1] = {"linespoints"};
    const char *value = draw_value(p->f, "style", NULL);
    const int words = value ? experiment_words(&p->f->experiment, value, word, SERIES_STYLES) : 1;
    if (words < 0)
        return err_last();
    for (int k = 0; k < words; k++) {
        size_t m = 0;
        while (m < sizeof known / sizeof *known && strcmp(word[k], known[m]) != 0)
            m++;
        if (m == sizeof known / sizeof *known)
            return draw_fault(p->f, "style", "is of linespoints, points, lines and band, or cells");
    }
    fprintf(script, "array curve_style[%d]\n", p->s->curve.count);
    for (int k = 1; k <= p->s->curve.count; k++)
        script_entry(script, "curve_style", k,
                     k == p->s->exact    ? "exact"
                     : k == p->s->second ? "second"
                                         : word[k < words ? k - 1 : words - 1]);
    return ERR_OK;
}

static enum err write_label(const struct series_picture *p, const char *axis, FILE *script)
{
    char key[16], text[SCRIPT_TEXT];
    snprintf(key, sizeof key, "%s-label", axis);
    if (!draw_value(p->f, key, NULL))
        return draw_fault(p->f, key, "every axis has one, with its unit");
    TRY(draw_text(p->f, key, NULL, text));
    snprintf(key, sizeof key, "%s_label", axis);
    script_text(script, key, text);
    return ERR_OK;
}

/* Beside the panels: for the names of a roofline's points, or of lines across. */
static int name_room(const struct series_picture *p, int named)
{
    int longest = 0;
    for (int k = 0; k < p->marks && strcmp(p->template, "roofline") != 0; k++)
        if (isnan(p->mark[k].x) && isnan(p->mark[k].slope))
            longest = (int)fmax(longest, (double)strlen(p->mark[k].label));
    return named ? NAMES : longest * SMALL_LETTER;
}

/* Where the axis at the right ends: a round number above all that it shows. */
static double second_end(const struct series *s)
{
    double most = 0;
    for (size_t k = 0; k < s->count; k++)
        if (s->point[k].curve + 1 == s->second)
            most = fmax(most, s->point[k].y);
    const double unit = most > 0 ? pow(10, floor(log10(most))) : 1;
    return fmax(1, ceil(most / unit)) * unit;
}

static enum err write_texts(const struct series_picture *p, FILE *script)
{
    const int named = p->s->labels && strcmp(p->template, "roofline") == 0;
    TRY(write_label(p, "x", script));
    TRY(write_label(p, "y", script));
    if (p->s->second)
        TRY(write_label(p, "y2", script));
    if (p->s->below)
        TRY(write_label(p, "below", script));
    script_text(script, "key", series_key_place(p));
    fprintf(script,
            "name_room = %d\nx_log = %d\ny_log = %d\nx_tilt = %d\nintervals = %d\nlabels = %d\n"
            "stacked = %d\nsecond = %d\nbelow = %d\nsecond_end = %g\n",
            name_room(p, named), p->x.log, p->y.log, tilt(p), p->s->intervals, p->s->labels,
            p->s->stacked, p->s->second, p->s->below, second_end(p->s));
    return ERR_OK;
}

static void declare_axes(const struct series_picture *p, FILE *script)
{
    static const char *const parts[] = {"range", "tics", "low", "high"};
    for (int k = 0; k < 4; k++)
        fprintf(script, "array x_%s[%d]\narray y_%s[%d]\n", parts[k], p->panels, parts[k],
                p->panels);
}

enum err series_script(const struct series *s, const struct figure *f,
                       const struct drawing_files *files)
{
    struct series_picture *p = calloc(1, sizeof *p);
    enum err e = ERR_OK;
    if (!p)
        FAIL(MEMORY, "no memory for a figure");
    p->s = s;
    p->f = f;
    TRY_OUT(series_read_axes(p));
    TRY_OUT(series_read_marks(p));
    script_begin(f, files, p->width, p->height);
    write_names(p, files->script);
    write_blocks(p, files->script);
    TRY_OUT(write_styles(p, files->script));
    TRY_OUT(write_texts(p, files->script));
    declare_axes(p, files->script);
    TRY_OUT(series_write_axes(p, files->script));
    series_write_marks(p, files->script);
out:
    free(p);
    return e;
}
