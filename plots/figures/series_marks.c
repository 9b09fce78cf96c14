/* Published values beside series of points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figures/series.h"

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

/* A mark with unknown facts is left out. */
static enum err read_mark(struct series_picture *p, const char *value)
{
    char text[2 * SCRIPT_TEXT], *part[4];
    struct series_mark *m = &p->mark[p->marks];
    TRY(facts_fill(&p->f->facts, value, text, sizeof text));
    if (strstr(text, "not measured"))
        return ERR_OK;
    const int n = cut(text, part);
    if (n < 3)
        return mark_fault(p->f, value);
    *m = (struct series_mark){.slope = (double)NAN};
    snprintf(m->label, sizeof m->label, "%s", part[0]);
    for (int k = 0; n == 4 && k < p->s->panel.count; k++)
        if (strcmp(p->s->panel.name[k], part[1]) == 0)
            m->panel = p->zoom ? 2 * k + 1 : k + 1;
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

enum err series_read_marks(struct series_picture *p)
{
    const struct experiment *x = &p->f->experiment;
    const char *value;
    for (int k = 0; (value = experiment_value_at(x, experiment_section(x, "draw", 0), "mark", k));
         k++) {
        if (p->marks == SERIES_MARKS)
            return experiment_fault(x, value, "a figure has at most %d marks", SERIES_MARKS);
        TRY(read_mark(p, value));
    }
    return ERR_OK;
}

void series_write_marks(const struct series_picture *p, FILE *script)
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
