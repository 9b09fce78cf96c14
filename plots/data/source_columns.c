/* Columns that [data] adds to a figure's table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/key_value.h"
#include "core/base/sorted.h"
#include "plots/data/expression.h"
#include "plots/data/frame_group.h"
#include "plots/data/source_parts.h"

/* Adds the column that a text names before its colon; `rest` is what follows. */
static enum err begin_column(struct frame *f, char *text, int *column, char **rest)
{
    char *colon = strchr(text, ':');
    if (!colon)
        FAIL(USAGE, "NAME: and what it is are wanted, not '%s'", text);
    *colon = '\0';
    const char *name = keyvalue_trim(text);
    *rest = keyvalue_trim(colon + 1);
    if (*name < 'a' || *name > 'z' ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        FAIL(USAGE, "'%s' is no name of a column: a letter, then small letters, digits and _",
             name);
    return frame_add_column(f, name, "-", column);
}

struct row {
    const struct frame *frame;
    size_t number;
};

static enum err value_of_cell(void *context, const char *name, struct value *v)
{
    const struct row *row = context;
    int column;
    *v = (struct value){.number = (double)NAN};
    TRY(frame_find(row->frame, name, &column));
    const char *text = frame_at(row->frame, row->number, column);
    v->known = strcmp(text, "-") != 0;
    v->number = frame_number(row->frame, row->number, column);
    if (isnan(v->number))
        snprintf(v->text, sizeof v->text, "%s", text);
    return ERR_OK;
}

static enum err compute(struct frame *f, int column, const char *expression)
{
    for (size_t r = 0; r < f->rows; r++) {
        struct row row = {f, r};
        const struct expression_scope scope = {&row, value_of_cell, NULL};
        struct value v;
        TRY(expression_value(expression, &scope, &v));
        if (v.known && *v.text)
            TRY(frame_set(f, r, column, v.text));
        else if (v.known)
            TRY(frame_set_number(f, r, column, v.number));
    }
    return ERR_OK;
}

enum err source_add_computed(struct frame *f, const char *text)
{
    int column;
    char *copy = strdup(text), *expression;
    if (!copy)
        FAIL(MEMORY, "no memory for a column");
    enum err e = begin_column(f, copy, &column, &expression);
    if (!e)
        e = compute(f, column, expression);
    free(copy);
    return e;
}

/* cell over median, in rows that are the same but for what `base` asks */
struct relative {
    struct frame *frame;
    int to, of;
    struct frame_where base;
    struct frame_columns same;
    struct frame_groups groups;
    double *x;
};

static enum err find_same(struct relative *l)
{
    int column[GROUP_COLUMNS], device = frame_column(l->frame, "device");
    const int count = source_point_columns(l->frame, 1, column, GROUP_COLUMNS - 1);
    if (count < 0)
        FAIL(USAGE, "only what was measured has points that can be compared");
    l->same.count = 0;
    for (int k = 0; k < count; k++) {
        int asked = 0;
        for (int n = 0; n < l->base.count; n++)
            asked |= l->base.condition[n].column == column[k];
        if (!asked)
            l->same.at[l->same.count++] = column[k];
    }
    if (device >= 0)
        l->same.at[l->same.count++] = device;
    return ERR_OK;
}

static enum err divide(struct relative *l, size_t group)
{
    const struct frame_groups *g = &l->groups;
    size_t n = 0;
    for (size_t k = g->first[group]; k < g->first[group + 1]; k++) {
        const double x = frame_number(l->frame, g->row[k], l->of);
        if (frame_holds(l->frame, g->row[k], &l->base) && !isnan(x))
            l->x[n++] = x;
    }
    const double median = n ? sorted_median(l->x, n) : (double)NAN;
    for (size_t k = g->first[group]; k < g->first[group + 1]; k++)
        TRY(frame_set_number(l->frame, g->row[k], l->to,
                             frame_number(l->frame, g->row[k], l->of) / median));
    return ERR_OK;
}

static enum err relate(struct relative *l, char *text)
{
    const struct frame_where all = {0};
    char *rest, *bar;
    TRY(begin_column(l->frame, text, &l->to, &rest));
    bar = strchr(rest, '|');
    if (!bar)
        FAIL(USAGE, "NAME: COLUMN | setting=value is wanted, not '%s'", rest);
    *bar = '\0';
    TRY(frame_find(l->frame, keyvalue_trim(rest), &l->of));
    TRY(frame_where(l->frame, bar + 1, &l->base));
    TRY(find_same(l));
    TRY(frame_groups_create(l->frame, &l->same, &all, &l->groups));
    l->x = calloc(l->frame->rows + 1, sizeof *l->x);
    if (!l->x)
        FAIL(MEMORY, "no memory for a column");
    for (size_t k = 0; k < l->groups.count; k++)
        TRY(divide(l, k));
    return ERR_OK;
}

enum err source_add_relative(struct frame *f, const char *text)
{
    struct relative l = {.frame = f};
    char *copy = strdup(text);
    if (!copy)
        FAIL(MEMORY, "no memory for a column");
    const enum err e = relate(&l, copy);
    frame_groups_free(&l.groups);
    free(l.x);
    free(copy);
    return e;
}
