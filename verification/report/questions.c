/* Tables of checks: a row for each check, a column for each scheme that ran it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"
#include "verification/run/verify.h"

enum { CELL = 160 };

static int same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

int alike_but_for_scheme(const struct variant *a, const struct variant *b)
{
    struct variant like = *b;
    memcpy(like.scheme, a->scheme, sizeof like.scheme);
    return variant_is(a, &like);
}

/* Flows become steady at different times in different schemes: the end counts as one time. */
static int same_time(const struct line *a, const struct line *b)
{
    const struct flow_case *c = find_case(a->case_name);
    return same_text(a->time, b->time) || (c && c->verify && c->verify->steady > 0 &&
                                           !same_text(a->variant.scheme, b->variant.scheme));
}

/* Is it the same check, whatever the scheme? Other codes' values are separate checks. */
static int same_question(const struct line *a, const struct line *b)
{
    const int published = a->kind == LINE_PUBLISHED;
    return a->n == b->n && same_text(a->what, b->what) && same_text(a->case_name, b->case_name) &&
           published == (b->kind == LINE_PUBLISHED) &&
           alike_but_for_scheme(&a->variant, &b->variant) && same_time(a, b) &&
           (!published || same_text(a->why, b->why));
}

/* The lines of the case that a line belongs to. */
static struct rows rows_around(const struct report *r, int row)
{
    struct rows of = {row, row + 1};
    while (of.first > 0 && same_text(r->line[of.first - 1]->case_name, r->line[row]->case_name))
        of.first--;
    while (of.end < r->lines && same_text(r->line[of.end]->case_name, r->line[row]->case_name))
        of.end++;
    return of;
}

int answer(const struct report *r, int row, const char *scheme)
{
    const struct rows of = rows_around(r, row);
    for (int k = of.first; k < of.end; k++)
        if (same_text(r->line[k]->variant.scheme, scheme) &&
            same_question(r->line[row], r->line[k]))
            return k;
    return -1;
}

const struct line *order_beside(const struct report *r, const struct line *l)
{
    char order[80];
    snprintf(order, sizeof order, "order of %s from ", l->what);
    for (int k = 0; k < r->lines; k++) {
        const struct line *o = r->line[k];
        if (o->kind == LINE_ORDER && o->n == l->n && strncmp(o->what, order, strlen(order)) == 0 &&
            same_text(o->case_name, l->case_name) && same_text(o->time, l->time) &&
            variant_is(&o->variant, &l->variant))
            return o;
    }
    return NULL;
}

/* The variant, in a form that sorts typical ones first. */
static void variant_key(const struct report *r, const struct variant *v, char key[VARIANT_TEXT])
{
    const struct variant *t = &r->typical;
    snprintf(key, VARIANT_TEXT, "%s\t%s\t%s\t%s\t%s",
             same_text(v->limiter, t->limiter) ? "" : v->limiter,
             same_text(variant_flux(v), variant_flux(t)) ? "" : variant_flux(v),
             same_text(variant_reconstruction(v), variant_reconstruction(t))
                 ? ""
                 : variant_reconstruction(v),
             v->precision == t->precision ? "" : variant_precision(v),
             v->backend == t->backend ? "" : variant_backend(v));
}

/* By variant, then by check, then coarse to fine. */
static int comes_before(const struct report *r, const struct line *a, const struct line *b)
{
    char of_a[VARIANT_TEXT], of_b[VARIANT_TEXT];
    variant_key(r, &a->variant, of_a);
    variant_key(r, &b->variant, of_b);
    int order = strcmp(of_a, of_b);
    if (!order)
        order = (int)a->kind - (int)b->kind;
    if (!order)
        order = strcmp(a->what, b->what);
    if (order)
        return order < 0;
    const double x = strtod(a->time, NULL), y = strtod(b->time, NULL);
    return x < y || (!(x > y) && a->n < b->n);
}

/* A line for each check, in `row`, which has room for all lines. */
static int collect(const struct report *r, struct rows from, wanted_lines *wanted, int *row)
{
    int count = 0;
    for (int k = from.first, start = 0; k < from.end; k++) {
        int known = !wanted(r, k), m;
        if (k > from.first && !same_text(r->line[k]->case_name, r->line[k - 1]->case_name))
            start = count;
        for (m = start; m < count && !known; m++)
            known = same_question(r->line[row[m]], r->line[k]);
        if (known)
            continue;
        for (m = count++; m > start && comes_before(r, r->line[k], r->line[row[m - 1]]); m--)
            row[m] = row[m - 1];
        row[m] = k;
    }
    return count;
}

static const char *limit_text(const struct line *l, char text[CELL])
{
    char number[24];
    *text = '\0';
    if (!isnan(l->limit))
        snprintf(text, CELL, "%s%s",
                 l->kind == LINE_PUBLISHED ? ""
                 : l->kind == LINE_ORDER   ? "≥ "
                                           : "≤ ",
                 number_text(l->limit, number));
    return text;
}

static const char *value_text(const struct line *l, char text[24])
{
    if (l->kind == LINE_ORDER)
        snprintf(text, 24, "%.2f", l->value);
    else
        number_text(l->value, text);
    return text;
}

/* The remark after a value: its ratio to another code's, its order, its limit, or that it is only
 * noted. */
static void remarks_on(const struct report *r, const struct line *l, int same_limits,
                       int with_orders, char text[CELL])
{
    const struct line *order = with_orders ? order_beside(r, l) : NULL;
    char number[24], limit[CELL];
    int n = 0;
    *text = '\0';
    if (l->kind == LINE_PUBLISHED && l->limit > 0)
        n += snprintf(text, CELL, ", × %.2g", l->value / l->limit);
    if (order)
        n += snprintf(text + n, CELL - (size_t)n, ", order %s%s", value_text(order, number),
                      order->verdict == VERDICT_FAIL ? " FAIL" : "");
    else if (!same_limits && !isnan(l->limit))
        n += snprintf(text + n, CELL - (size_t)n, ", %s", limit_text(l, limit));
    if (l->verdict == VERDICT_NOTE && l->kind != LINE_PUBLISHED && !isnan(l->limit))
        snprintf(text + n, CELL - (size_t)n, ", noted");
}

static void answer_cell(const struct report *r, struct markdown_table *t, const struct line *l,
                        int same_limits, int with_orders)
{
    char value[24], behind[CELL];
    value_text(l, value);
    remarks_on(r, l, same_limits, with_orders, behind);
    const char *after = *behind ? behind + 2 : "", *open = *behind ? " (" : "",
               *close = *behind ? ")" : "";
    if (l->verdict == VERDICT_FAIL || strstr(behind, "FAIL"))
        markdown_cell(t, "**%s%s**%s%s%s", value, l->verdict == VERDICT_FAIL ? " FAIL" : "", open,
                      after, close);
    else
        markdown_cell(t, "%s%s%s%s", value, open, after, close);
}

void answer_cells(const struct report *r, struct markdown_table *t, int row, int same_limits,
                  int with_orders)
{
    for (int s = 0; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        if (k >= 0)
            answer_cell(r, t, r->line[k], same_limits, with_orders);
        else
            markdown_cell(t, "%s", "");
    }
}

void scheme_columns(const struct report *r, struct markdown_table *t)
{
    for (int s = 0; s < r->schemes; s++)
        markdown_column(t, 1, "%s", r->scheme[s]);
}

const char every_scheme[] = "Every scheme";

void case_cell(const struct report *r, struct markdown_table *t, const char *name)
{
    const char *heading = same_text(name, "-") ? every_scheme : name;
    char anchor[300];
    markdown_anchor(heading, anchor, sizeof anchor);
    markdown_cell(t, r->linked ? "[%s](#%s)" : "%s", heading, anchor);
}

/* The schemes from number `first` on that have the same reason as that one, and the reason. */
static int add_reason(const struct report *r, int row, int first, char *text, size_t n)
{
    const struct line *given = r->line[answer(r, row, r->scheme[first])];
    int used = 0;
    for (int s = first; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        if (k >= 0 && same_text(given->why, r->line[k]->why))
            used += snprintf(text + used, n - (size_t)used, "%s%s", used ? ", " : "", r->scheme[s]);
    }
    return used + snprintf(text + used, n - (size_t)used, ": %s", given->why);
}

/* One reason, or one for each group of schemes. */
static void reasons_cell(const struct report *r, struct markdown_table *t, int row, int all_same)
{
    enum { ROOM = SCHEMES_SHOWN * 512 };
    char text[ROOM];
    int n = 0;
    if (all_same)
        snprintf(text, sizeof text, "%s", r->line[row]->why);
    for (int s = 0; !all_same && s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        int known = k < 0;
        for (int m = 0; m < s && !known; m++) {
            const int other = answer(r, row, r->scheme[m]);
            known = other >= 0 && same_text(r->line[other]->why, r->line[k]->why);
        }
        if (known)
            continue;
        n += snprintf(text + n, ROOM - (size_t)n, "%s", n ? "; " : "");
        n += add_reason(r, row, s, text + n, ROOM - (size_t)n);
    }
    markdown_cell(t, "%s", text);
}

/* In which of these columns all schemes' results for a line's check are equal. */
struct agreement {
    int limits, times, reasons;
};

static struct agreement agreement_on(const struct report *r, int row)
{
    struct agreement a = {1, 1, 1};
    const struct line *l = r->line[row];
    for (int s = 0; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        const struct line *o = k >= 0 ? r->line[k] : l;
        a.limits &=
            (isnan(o->limit) && isnan(l->limit)) ||
            !(o->limit < l->limit || o->limit > l->limit || isnan(o->limit) != isnan(l->limit));
        a.times &= same_text(o->time, l->time);
        a.reasons &= same_text(o->why, l->why);
    }
    return a;
}

static void question_cells(const struct report *r, struct markdown_table *t, int row, int with)
{
    const struct line *l = r->line[row];
    const struct agreement same = agreement_on(r, row);
    char text[CELL], plugins[PLUGINS_TEXT];
    if (with & WITH_CASE)
        case_cell(r, t, l->case_name);
    markdown_cell(t, "%s", l->what);
    markdown_cell(t, "%d", l->n);
    markdown_cell(t, "%s", same.times ? l->time : "steady");
    if (!(with & WITH_ORDERS))
        markdown_cell(t, "%s %s%s%s", variant_plugins(&l->variant, plugins),
                      variant_precision(&l->variant),
                      l->variant.backend == r->typical.backend ? "" : " ",
                      l->variant.backend == r->typical.backend ? "" : variant_backend(&l->variant));
    answer_cells(r, t, row, same.limits, with & WITH_ORDERS);
    markdown_cell(t, "%s", same.limits ? limit_text(l, text) : "");
    reasons_cell(r, t, row, same.reasons);
}

enum err questions_write(const struct report *r, struct rows from, wanted_lines *wanted, int with,
                         FILE *f)
{
    struct markdown_table t = {0};
    int *row = calloc((size_t)(from.end - from.first) + 1, sizeof *row);
    if (!row)
        FAIL(MEMORY, "no memory for a table of the report");
    const int count = collect(r, from, wanted, row);
    if (with & WITH_CASE)
        markdown_column(&t, 0, "case");
    markdown_column(&t, 0, "what");
    markdown_column(&t, 1, "cells");
    markdown_column(&t, 1, "time (s)");
    if (!(with & WITH_ORDERS))
        markdown_column(&t, 0, "with");
    scheme_columns(r, &t);
    markdown_column(&t, 1, with & WITH_CODES ? "theirs" : "limit");
    markdown_column(&t, 0, with & WITH_CODES ? "who" : "its reason");
    for (int k = 0; k < count; k++)
        question_cells(r, &t, row[k], with);
    markdown_table_end(&t, f);
    free(row);
    return ERR_OK;
}
