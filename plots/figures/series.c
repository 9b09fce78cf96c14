/* Makes series of points from a table. */
#include "plots/figures/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"

static enum err add_name(struct series_names *names, const char *name, const char *what, int *place)
{
    for (*place = 0; *place < names->count; (*place)++)
        if (strcmp(names->name[*place], name) == 0)
            return ERR_OK;
    if (names->count == SERIES_NAMES)
        FAIL(INPUT,
             "[draw] makes more than %d %s: select rows with WHERE, or choose another column",
             SERIES_NAMES, what);
    names->name[names->count] = strdup(name);
    if (!names->name[names->count])
        FAIL(MEMORY, "no memory for a figure's names");
    names->count++;
    return ERR_OK;
}

static enum err read_y(const struct figure *f, struct series_plan *plan)
{
    char word[SERIES_COLUMNS][EXPERIMENT_WORD + 1];
    const char *value = draw_value(f, "y", NULL);
    if (!value)
        return draw_fault(f, "y", "name the column of the y axis, or several");
    plan->ys = experiment_words(&f->experiment, value, word, SERIES_COLUMNS);
    if (plan->ys < 0)
        return err_last();
    for (int k = 0; k < plan->ys; k++) {
        plan->y[k] = rowset_column(plan->table, word[k]);
        if (plan->y[k] < 0)
            return experiment_fault(&f->experiment, value, "there is no column '%s'", word[k]);
    }
    return ERR_OK;
}

static enum err read_plan(const struct figure *f, struct series_plan *plan)
{
    static const char *const yes[] = {"no", "yes", NULL};
    const struct plot_table *table;
    TRY(draw_table(f, &table));
    plan->table = &table->answer;
    if (!draw_value(f, "x", NULL))
        return draw_fault(f, "x", "name the column of the x axis");
    TRY(draw_column(f, plan->table, "x", &plan->x));
    TRY(draw_column(f, plan->table, "panel", &plan->panel));
    TRY(draw_column(f, plan->table, "series", &plan->series));
    TRY(draw_column(f, plan->table, "low", &plan->low));
    TRY(draw_column(f, plan->table, "high", &plan->high));
    TRY(draw_column(f, plan->table, "label", &plan->label));
    TRY(draw_column(f, plan->table, "by", &plan->by));
    TRY(draw_column(f, plan->table, "exact", &plan->exact));
    TRY(draw_column(f, plan->table, "y2", &plan->second));
    TRY(draw_column(f, plan->table, "below", &plan->below));
    if (plan->below >= 0 && draw_value(f, "zoom", NULL))
        return draw_fault(f, "below", "cannot go with zoom");
    plan->bars = strcmp(draw_value(f, "template", ""), "bars") == 0;
    TRY(draw_word(f, "stack", yes, &plan->stack));
    if (plan->stack && !plan->bars)
        return draw_fault(f, "stack", "only bars can be stacked (template = bars)");
    /* A roofline's points have names; without a column for them, that of their series. */
    if (strcmp(draw_value(f, "template", ""), "roofline") == 0) {
        plan->label = plan->label < 0 ? plan->series : plan->label;
        plan->by = plan->by < 0 ? plan->label : plan->by;
    }
    return read_y(f, plan);
}

/* A curve is a text of `series`, a column of `y`, or both. */
static void curve_name(const struct series_plan *plan, size_t row, int y, char name[SCRIPT_TEXT])
{
    const char *of = plan->series >= 0 ? rowset_at(plan->table, row, plan->series) : "";
    const char *column = plan->ys > 1 ? plan->table->name[plan->y[y]] : "";
    snprintf(name, SCRIPT_TEXT, "%s%s%s", of, *of && *column ? " " : "", column);
}

static int x_is_names(const struct series_plan *plan)
{
    for (size_t row = 0; row < plan->table->rows; row++)
        if (strcmp(rowset_at(plan->table, row, plan->x), "-") != 0 &&
            isnan(rowset_number(plan->table, row, plan->x)))
            return 1;
    return 0;
}

/* A panel is a text of `panel`; of those below, with the column's name. */
static void panel_name(const struct series_plan *plan, size_t row, int y, char name[SCRIPT_TEXT])
{
    const char *of = plan->panel >= 0 ? rowset_at(plan->table, row, plan->panel) : "";
    const char *column = y >= 0 && y == plan->below ? plan->table->name[y] : "";
    snprintf(name, SCRIPT_TEXT, "%s%s%s", of, *of && *column ? " " : "", column);
}

static enum err add_point(struct series *s, const struct series_plan *plan, size_t row, int y,
                          const char *curve)
{
    struct series_point *p = &s->point[s->count];
    char panel[SCRIPT_TEXT];
    panel_name(plan, row, y, panel);
    const char *x = rowset_at(plan->table, row, plan->x);
    *p = (struct series_point){.x = rowset_number(plan->table, row, plan->x),
                               .y = rowset_number(plan->table, row, y),
                               .low = rowset_number(plan->table, row, plan->low),
                               .high = rowset_number(plan->table, row, plan->high),
                               .label =
                                   plan->label < 0 ? "" : rowset_at(plan->table, row, plan->label),
                               .same = plan->by < 0 ? "" : rowset_at(plan->table, row, plan->by),
                               .row = row};
    if (isnan(p->y) || strcmp(x, "-") == 0)
        return ERR_OK;
    TRY(add_name(&s->panel, panel, "panels", &p->panel));
    TRY(add_name(&s->curve, curve, "series", &p->curve));
    if (plan->names) {
        TRY(add_name(&s->x, x, "names of x", &p->place));
        p->x = ++p->place;
    }
    s->labels |= plan->label >= 0;
    s->count++;
    return ERR_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct series_point *p = a, *q = b;
    if (p->panel != q->panel)
        return p->panel - q->panel;
    if (p->curve != q->curve)
        return p->curve - q->curve;
    if (p->x < q->x || p->x > q->x)
        return p->x < q->x ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

/* Sorts points so that those that are merged are adjacent. */
static int by_text(const void *a, const void *b)
{
    const struct series_point *p = a, *q = b;
    if (p->panel != q->panel)
        return p->panel - q->panel;
    if (p->curve != q->curve)
        return p->curve - q->curve;
    const int order = strcmp(p->same, q->same);
    return order ? order : (p->row > q->row) - (p->row < q->row);
}

/* Points merged by `by` are joined in its order: a finer grid comes after a coarser one even if it
 * took less time. */
static int by_number(const void *a, const void *b)
{
    const struct series_point *p = a, *q = b;
    const double m = strtod(p->same, NULL), n = strtod(q->same, NULL);
    const int other = p->panel != q->panel || p->curve != q->curve;
    return other || !(m < n || m > n) ? by_place(a, b) : m < n ? -1 : 1;
}

static int is_numbers(const struct series_plan *plan, int column)
{
    for (size_t row = 0; row < plan->table->rows; row++)
        if (isnan(rowset_number(plan->table, row, column)))
            return 0;
    return 1;
}

static int same_curve(const struct series_point *p, const struct series_point *q)
{
    return p->panel == q->panel && p->curve == q->curve;
}

static int same_point(const struct series_point *p, const struct series_point *q)
{
    return same_curve(p, q) && strcmp(p->same, q->same) == 0 &&
           (*p->same || !(p->x < q->x || p->x > q->x));
}

/* Merges the rows of a point: the median, and the range of y. */
static enum err take_medians(struct series *s)
{
    double *y = malloc((2 * s->count + 1) * sizeof *y), *x = y ? y + s->count : NULL;
    size_t kept = 0;
    if (!y)
        FAIL(MEMORY, "no memory for %zu points", s->count);
    for (size_t k = 0, end; k < s->count; k = end) {
        struct series_point p = s->point[k];
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (end = k; end < s->count && same_point(&s->point[end], &p); end++) {
            const struct series_point *q = &s->point[end];
            y[end - k] = q->y;
            x[end - k] = q->x;
            low = fmin(low, isnan(q->low) ? q->y : q->low);
            high = fmax(high, isnan(q->high) ? q->y : q->high);
        }
        p.y = sorted_median(y, end - k);
        p.x = sorted_median(x, end - k);
        p.low = low < high ? low : (double)NAN;
        p.high = low < high ? high : (double)NAN;
        s->point[kept++] = p;
    }
    s->count = kept;
    free(y);
    return ERR_OK;
}

/* A column that makes one extra curve of all rows, after the others; returns its number, from 1; 0:
 * none. */
static enum err collect_one(struct series *s, struct series_plan *plan, int column, int *curve)
{
    const size_t before = s->count;
    *curve = 0;
    if (column < 0)
        return ERR_OK;
    plan->low = plan->high = -1;
    for (size_t row = 0; row < plan->table->rows; row++)
        TRY(add_point(s, plan, row, column, plan->table->name[column]));
    if (s->count > before)
        *curve = s->point[before].curve + 1;
    return ERR_OK;
}

/* The panels below: the same series, of another column. */
static enum err collect_below(struct series *s, struct series_plan *plan)
{
    if (plan->below < 0)
        return ERR_OK;
    s->below = s->panel.count;
    plan->low = plan->high = -1;
    for (size_t row = 0; row < plan->table->rows; row++) {
        const char *curve = plan->series >= 0 ? rowset_at(plan->table, row, plan->series) : "";
        TRY(add_point(s, plan, row, plan->below, curve));
    }
    return ERR_OK;
}

static enum err collect(struct series *s, struct series_plan *plan)
{
    s->point = malloc((plan->table->rows * ((size_t)plan->ys + 3) + 1) * sizeof *s->point);
    if (!s->point)
        FAIL(MEMORY, "no memory for %zu points", plan->table->rows);
    for (size_t row = 0; row < plan->table->rows; row++)
        for (int y = 0; y < plan->ys; y++) {
            char curve[SCRIPT_TEXT];
            curve_name(plan, row, y, curve);
            TRY(add_point(s, plan, row, plan->y[y], curve));
        }
    TRY(collect_below(s, plan));
    TRY(collect_one(s, plan, plan->exact, &s->exact));
    return collect_one(s, plan, plan->second, &s->second);
}

/* low and high become the ends of a part of a bar. */
static void stack(struct series *s)
{
    for (size_t k = 0; k < s->count; k++) {
        struct series_point *p = &s->point[k];
        p->low = 0;
        for (size_t m = 0; m < k; m++)
            if (s->point[m].panel == p->panel && s->point[m].place == p->place)
                p->low += s->point[m].y;
        p->high = p->low + p->y;
    }
}

enum err series_create(struct series *s, const struct figure *f)
{
    struct series_plan plan = {.table = NULL};
    *s = (struct series){0};
    TRY(read_plan(f, &plan));
    plan.names = plan.bars || x_is_names(&plan);
    TRY(collect(s, &plan));
    if (s->count == 0)
        FAIL(INPUT, "%s: [draw] finds no points: no row has both x and y", f->experiment.file.path);
    qsort(s->point, s->count, sizeof *s->point, plan.by >= 0 ? by_text : by_place);
    TRY(take_medians(s));
    if (plan.by >= 0)
        qsort(s->point, s->count, sizeof *s->point,
              is_numbers(&plan, plan.by) ? by_number : by_place);
    if (plan.stack)
        stack(s);
    s->stacked = plan.stack;
    for (size_t k = 0; k < s->count; k++)
        s->intervals |= !isnan(s->point[k].low) && !isnan(s->point[k].high);
    return ERR_OK;
}

static void free_names(struct series_names *names)
{
    for (int k = 0; k < names->count; k++)
        free(names->name[k]);
}

void series_free(struct series *s)
{
    free_names(&s->panel);
    free_names(&s->curve);
    free_names(&s->x);
    free(s->point);
    *s = (struct series){0};
}

static void write_number(FILE *to, double x)
{
    if (isnan(x))
        fputs("\t-", to);
    else
        fprintf(to, "\t%.9g", x);
}

void series_write(const struct series *s, FILE *to)
{
    fprintf(to, "panel\tseries\tx\ty\tlow\thigh%s\n", s->labels ? "\tlabel" : "");
    for (size_t k = 0; k < s->count; k++) {
        const struct series_point *p = &s->point[k];
        if (k && !same_curve(p, p - 1))
            fputs("\n\n", to);
        const char *panel = s->panel.name[p->panel], *curve = s->curve.name[p->curve];
        fprintf(to, "%s\t%s", *panel ? panel : "-", *curve ? curve : "-");
        if (p->place)
            fprintf(to, "\t%s", s->x.name[p->place - 1]);
        else
            write_number(to, p->x);
        write_number(to, p->y);
        write_number(to, p->low);
        write_number(to, p->high);
        if (s->labels)
            fprintf(to, "\t%s", p->label);
        fputc('\n', to);
    }
}
