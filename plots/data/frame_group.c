/* Groups the rows of a table, for medians and ranges. */
#include "plots/data/frame_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"

static enum err no_memory(void)
{
    FAIL(MEMORY, "no memory to group the rows of a table");
}

enum err frame_columns(const struct frame *f, const char *names, struct frame_columns *columns)
{
    char *words = strdup(names), *next = words;
    enum err e = words ? ERR_OK : no_memory();
    columns->count = 0;
    for (char *word = strsep(&next, " \t"); word && !e; word = strsep(&next, " \t")) {
        if (!*word)
            continue;
        if (columns->count == GROUP_COLUMNS)
            e = err_set(ERR_USAGE, __FILE__, __LINE__, "more than %d columns", GROUP_COLUMNS);
        else
            e = frame_find(f, word, &columns->at[columns->count++]);
    }
    free(words);
    if (!e && columns->count == 0)
        FAIL(USAGE, "names of columns are wanted");
    return e;
}

struct order {
    const struct frame *frame;
    const struct frame_columns *by;
};

static int compare(const struct order *o, size_t a, size_t b)
{
    for (int k = 0; k < o->by->count; k++) {
        const int order =
            strcmp(frame_at(o->frame, a, o->by->at[k]), frame_at(o->frame, b, o->by->at[k]));
        if (order)
            return order;
    }
    return 0;
}

static int by_texts(const void *a, const void *b, void *context)
{
    const size_t l = *(const size_t *)a, r = *(const size_t *)b;
    const int order = compare(context, l, r);
    return order ? order : (l > r) - (l < r);
}

/* A group on its way to its place: which rows it has in the list sorted by text. */
struct span {
    size_t first_row, begin, end;
};

static int by_first_row(const void *a, const void *b)
{
    const struct span *l = a, *r = b;
    return (l->first_row > r->first_row) - (l->first_row < r->first_row);
}

static void arrange(const size_t *sorted, struct span *span, struct frame_groups *g)
{
    size_t n = 0;
    qsort(span, g->count, sizeof *span, by_first_row);
    for (size_t k = 0; k < g->count; k++) {
        g->first[k] = n;
        for (size_t r = span[k].begin; r < span[k].end; r++)
            g->row[n++] = sorted[r];
    }
    g->first[g->count] = n;
}

enum err frame_groups_create(const struct frame *f, const struct frame_columns *by,
                             const struct frame_where *where, struct frame_groups *g)
{
    struct order order = {f, by};
    size_t rows = 0;
    enum err e = ERR_OK;
    *g = (struct frame_groups){0};
    size_t *sorted = calloc(f->rows + 1, sizeof *sorted);
    struct span *span = calloc(f->rows + 1, sizeof *span);
    g->row = calloc(f->rows + 1, sizeof *g->row);
    g->first = calloc(f->rows + 1, sizeof *g->first);
    if (!sorted || !span || !g->row || !g->first) {
        e = no_memory();
        goto out;
    }
    for (size_t r = 0; r < f->rows; r++)
        if (frame_holds(f, r, where))
            sorted[rows++] = r;
    qsort_r(sorted, rows, sizeof *sorted, by_texts, &order);
    for (size_t r = 0; r < rows; r++) {
        if (r == 0 || compare(&order, sorted[r - 1], sorted[r]) != 0)
            span[g->count++] = (struct span){.first_row = sorted[r], .begin = r};
        span[g->count - 1].end = r + 1;
    }
    arrange(sorted, span, g);
out:
    free(sorted);
    free(span);
    if (e)
        frame_groups_free(g);
    return e;
}

void frame_groups_free(struct frame_groups *g)
{
    free(g->row);
    free(g->first);
    *g = (struct frame_groups){0};
}

size_t frame_group_numbers(const struct frame *f, const struct frame_groups *g, size_t group,
                           int column, double *x)
{
    size_t n = 0;
    for (size_t k = g->first[group]; k < g->first[group + 1]; k++) {
        const double number = frame_number(f, g->row[k], column);
        if (!isnan(number))
            x[n++] = number;
    }
    return n;
}

/* A table, its groups, room for the numbers of one, and what is made of them. */
struct grouped {
    const struct frame *frame;
    struct frame_columns by;
    struct frame_groups groups;
    double *x;
    struct frame *out;
};

static enum err grouped_create(struct grouped *g, const char *by)
{
    const struct frame_where all = {0};
    TRY(frame_columns(g->frame, by, &g->by));
    TRY(frame_groups_create(g->frame, &g->by, &all, &g->groups));
    g->x = calloc(g->frame->rows + 1, sizeof *g->x);
    return g->x ? ERR_OK : no_memory();
}

static void grouped_free(struct grouped *g, enum err e)
{
    frame_groups_free(&g->groups);
    free(g->x);
    if (e)
        frame_free(g->out);
}

/* The text that the rows of a group agree in, where it is known; NULL: they do not. */
static const char *common_text(const struct grouped *g, size_t group, int column)
{
    const char *text = "-";
    for (size_t k = g->groups.first[group]; k < g->groups.first[group + 1]; k++) {
        const char *cell = frame_at(g->frame, g->groups.row[k], column);
        if (strcmp(cell, "-") == 0)
            continue;
        if (strcmp(text, "-") != 0 && strcmp(text, cell) != 0)
            return NULL;
        text = cell;
    }
    return text;
}

static size_t known(const struct grouped *g, size_t group, int column)
{
    size_t n = 0;
    for (size_t k = g->groups.first[group]; k < g->groups.first[group + 1]; k++)
        n += strcmp(frame_at(g->frame, g->groups.row[k], column), "-") != 0;
    return n;
}

static enum err set_median(const struct grouped *g, size_t group, int column)
{
    const char *text = common_text(g, group, column);
    if (text)
        return frame_set(g->out, group, column, text);
    const size_t n = frame_group_numbers(g->frame, &g->groups, group, column, g->x);
    if (n < known(g, group, column))
        return ERR_OK;
    return frame_set_number(g->out, group, column, sorted_median(g->x, n));
}

enum err frame_medians(const struct frame *f, const char *columns, struct frame *out)
{
    struct grouped g = {.frame = f, .out = out};
    enum err e;
    *out = (struct frame){0};
    TRY_OUT(grouped_create(&g, columns));
    for (int k = 0; k < f->columns; k++)
        TRY_OUT(frame_add_column(out, f->name[k], "-", NULL));
    for (size_t group = 0; group < g.groups.count; group++) {
        TRY_OUT(frame_add_row(out));
        for (int k = 0; k < f->columns; k++)
            TRY_OUT(set_median(&g, group, k));
    }
out:
    grouped_free(&g, e);
    return e;
}
