/* Tables of checks: a line for each question, a column for each scheme that it was put to. */
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"
#include "verification/run/verify.h"

static const char *text_at(const struct report *r, int row, int column)
{
    return table_at(&r->results, row, column);
}

static int same(const struct report *r, int a, int b, int column)
{
    return strcmp(text_at(r, a, column), text_at(r, b, column)) == 0;
}

int result_is(const struct report *r, int row, int column, const char *text)
{
    return strcmp(text_at(r, row, column), text) == 0;
}

int result_failed(const struct report *r, int row)
{
    return result_is(r, row, RESULT_VERDICT, "FAIL");
}

int result_published(const struct report *r, int row)
{
    return result_is(r, row, RESULT_KIND, "published");
}

const char *result_typical(const struct report *r, int column)
{
    return r->typical[column - RESULT_LIMITER];
}

/* When a flow becomes steady differs between schemes: there the end is one time. */
static int same_time(const struct report *r, int a, int b)
{
    if (same(r, a, b, RESULT_TIME))
        return 1;
    const struct flow_case *c = find_case(text_at(r, a, RESULT_CASE));
    return c && c->verify && c->verify->steady > 0 && !same(r, a, b, RESULT_SCHEME);
}

/* Is it the same question, whatever the scheme? Other codes' values are questions of their own. */
static int same_question(const struct report *r, int a, int b)
{
    static const int columns[] = {
        RESULT_N,         RESULT_NORM,    RESULT_LIMITER, RESULT_FLUX, RESULT_RECONSTRUCTION,
        RESULT_PRECISION, RESULT_BACKEND, RESULT_CASE};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        if (!same(r, a, b, columns[k]))
            return 0;
    if (!same_time(r, a, b) || result_published(r, a) != result_published(r, b))
        return 0;
    return !result_published(r, a) || same(r, a, b, RESULT_WHY);
}

static struct rows rows_of_same_case(const struct report *r, int row)
{
    return rows_with(&r->results, RESULT_CASE, text_at(r, row, RESULT_CASE));
}

int answer(const struct report *r, int row, const char *scheme)
{
    const struct rows of = rows_of_same_case(r, row);
    for (int k = of.first; k < of.end; k++)
        if (same_question(r, row, k) && result_is(r, k, RESULT_SCHEME, scheme))
            return k;
    return -1;
}

int order_beside(const struct report *r, int row)
{
    const struct rows of = rows_of_same_case(r, row);
    const char *norm = text_at(r, row, RESULT_NORM);
    const size_t n = strlen(norm);
    for (int k = of.first; k < of.end; k++) {
        const char *name = text_at(r, k, RESULT_NORM);
        if (strncmp(name, "order of ", 9) == 0 && strncmp(name + 9, norm, n) == 0 &&
            strncmp(name + 9 + n, " from ", 6) == 0 && same(r, row, k, RESULT_SCHEME) &&
            same(r, row, k, RESULT_N) && same(r, row, k, RESULT_TIME) &&
            same(r, row, k, RESULT_LIMITER) && same(r, row, k, RESULT_FLUX) &&
            same(r, row, k, RESULT_RECONSTRUCTION) && same(r, row, k, RESULT_PRECISION) &&
            same(r, row, k, RESULT_BACKEND))
            return k;
    }
    return -1;
}

/* First by what computed, then by what was asked, then coarse to fine. */
static int comes_before(const struct report *r, int a, int b)
{
    static const int numbers[] = {RESULT_TIME, RESULT_N};
    for (int k = 0; k < TYPICAL; k++) {
        const int column = RESULT_LIMITER + k,
                  order = strcmp(text_at(r, a, column), text_at(r, b, column));
        if (order && result_is(r, a, column, r->typical[k]))
            return 1;
        if (order)
            return order < 0 && !result_is(r, b, column, r->typical[k]);
    }
    const int order = strcmp(text_at(r, a, RESULT_KIND), text_at(r, b, RESULT_KIND));
    const int norm = strcmp(text_at(r, a, RESULT_NORM), text_at(r, b, RESULT_NORM));
    if (order || norm)
        return order ? order < 0 : norm < 0;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const double x = strtod(text_at(r, a, numbers[k]), NULL),
                     y = strtod(text_at(r, b, numbers[k]), NULL);
        if (x < y || x > y)
            return x < y;
    }
    return 0;
}

enum err questions_collect(const struct report *r, struct rows from,
                           int (*wanted)(const struct report *r, int row), struct questions *q)
{
    *q = (struct questions){0};
    q->row = calloc((size_t)from.end - (size_t)from.first + 1, sizeof *q->row);
    if (!q->row)
        FAIL(MEMORY, "no memory for a table of the report");
    for (int k = from.first, start = 0; k < from.end; k++) {
        int known = !wanted(r, k), m;
        if (k > from.first && !same(r, k, k - 1, RESULT_CASE))
            start = q->count;
        for (m = start; m < q->count && !known; m++)
            known = same_question(r, q->row[m], k);
        if (known)
            continue;
        for (m = q->count++; m > start && comes_before(r, k, q->row[m - 1]); m--)
            q->row[m] = q->row[m - 1];
        q->row[m] = k;
    }
    return ERR_OK;
}

static int has_limit(const struct report *r, int row)
{
    const char *limit = text_at(r, row, RESULT_LIMIT);
    return *limit && strcmp(limit, "nan") != 0;
}

static void write_limit(const struct report *r, int row)
{
    if (!has_limit(r, row))
        return;
    if (!result_published(r, row))
        fputs(result_is(r, row, RESULT_KIND, "order") ? "&ge;&nbsp;" : "&le;&nbsp;", r->out);
    html_number(r->out, text_at(r, row, RESULT_LIMIT));
}

static void write_value(const struct report *r, int row)
{
    const int failed = result_failed(r, row);
    fputs(failed ? "<b class=\"bad\">" : "", r->out);
    if (result_is(r, row, RESULT_KIND, "order"))
        fprintf(r->out, "%.2f", strtod(text_at(r, row, RESULT_VALUE), NULL));
    else
        html_number(r->out, text_at(r, row, RESULT_VALUE));
    fputs(failed ? "</b>" : "", r->out);
}

/* How many times another code's value ours is. */
static void write_factor(const struct report *r, int row)
{
    const double ours = strtod(text_at(r, row, RESULT_VALUE), NULL);
    const double theirs = strtod(text_at(r, row, RESULT_LIMIT), NULL);
    if (!(theirs > 0))
        return;
    char factor[32];
    snprintf(factor, sizeof factor, "%.2g", ours / theirs);
    fputs("<br/><small>&times;&nbsp;", r->out);
    html_number(r->out, factor);
    fputs("</small>", r->out);
}

static void write_answer(const struct report *r, int row, int same_limits, int with_orders)
{
    fprintf(r->out, "<td class=\"num%s\">", result_failed(r, row) ? " FAIL" : "");
    write_value(r, row);
    if (result_published(r, row))
        write_factor(r, row);
    const int order = with_orders ? order_beside(r, row) : -1;
    if (order >= 0) {
        fputs("<br/><small>order ", r->out);
        write_value(r, order);
        fputs("</small>", r->out);
    } else if (!same_limits && has_limit(r, row)) {
        fputs("<br/><small>", r->out);
        write_limit(r, row);
        fputs("</small>", r->out);
    }
    if (result_is(r, row, RESULT_VERDICT, "note") && !result_published(r, row) && has_limit(r, row))
        fputs("<br/><small>noted</small>", r->out);
    fputs("</td>", r->out);
}

void write_answers(const struct report *r, int row, int same_limits, int with_orders)
{
    for (int s = 0; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        if (k >= 0)
            write_answer(r, k, same_limits, with_orders);
        else
            fputs("<td></td>", r->out);
    }
}

void write_scheme_heads(const struct report *r)
{
    for (int s = 0; s < r->schemes; s++) {
        fputs("<th class=\"num\">", r->out);
        html_text(r->out, r->scheme[s]);
        fputs("</th>", r->out);
    }
}

void write_cell(const struct report *r, const char *text, int number)
{
    fputs(number ? "<td class=\"num\">" : "<td class=\"word\">", r->out);
    if (number)
        html_number(r->out, text);
    else
        html_text(r->out, text);
    fputs("</td>", r->out);
}

/* Are all schemes' answers to the row's question equal in the column? */
static int all_the_same(const struct report *r, int row, int column)
{
    for (int s = 0; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        if (k >= 0 && !same(r, row, k, column))
            return 0;
    }
    return 1;
}

void write_case_link(const struct report *r, const char *name)
{
    fputs("<td class=\"word\"><a href=\"#case-", r->out);
    html_text(r->out, name);
    fputs("\">", r->out);
    html_text(r->out, strcmp(name, "-") == 0 ? "every scheme" : name);
    fputs("</a></td>", r->out);
}

void write_plugins(const struct report *r, int row)
{
    html_text(r->out, text_at(r, row, RESULT_LIMITER));
    for (int column = RESULT_FLUX; column <= RESULT_RECONSTRUCTION; column++) {
        if (result_is(r, row, column, result_typical(r, column)))
            continue;
        fputc(' ', r->out);
        html_text(r->out, text_at(r, row, column));
    }
}

/* Plug-ins, precision, and the backend where it is not the usual one. */
static void write_variant(const struct report *r, int row)
{
    fputs("<td class=\"word\">", r->out);
    write_plugins(r, row);
    fputc(' ', r->out);
    html_text(r->out, text_at(r, row, RESULT_PRECISION));
    if (!result_is(r, row, RESULT_BACKEND, result_typical(r, RESULT_BACKEND))) {
        fputc(' ', r->out);
        html_text(r->out, text_at(r, row, RESULT_BACKEND));
    }
    fputs("</td>", r->out);
}

/* The schemes from number `first` on whose answers give the same reason as that one's. */
static void write_reason(const struct report *r, int row, int first)
{
    const int given = answer(r, row, r->scheme[first]);
    for (int s = first; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        if (k < 0 || !same(r, given, k, RESULT_WHY))
            continue;
        fputs(s > first ? ", " : "", r->out);
        html_text(r->out, r->scheme[s]);
    }
    fputs(": ", r->out);
    html_text(r->out, text_at(r, given, RESULT_WHY));
}

/* One reason, or one for each group of schemes. */
static void write_reasons(const struct report *r, int row)
{
    const char *before = "";
    if (all_the_same(r, row, RESULT_WHY)) {
        html_text(r->out, text_at(r, row, RESULT_WHY));
        return;
    }
    for (int s = 0; s < r->schemes; s++) {
        const int k = answer(r, row, r->scheme[s]);
        int known = k < 0;
        for (int m = 0; m < s && !known; m++) {
            const int other = answer(r, row, r->scheme[m]);
            known = other >= 0 && same(r, other, k, RESULT_WHY);
        }
        if (known)
            continue;
        fputs(before, r->out);
        before = "<br/>";
        write_reason(r, row, s);
    }
}

static void write_question(const struct report *r, int row, int with)
{
    const int same_limits = all_the_same(r, row, RESULT_LIMIT);
    fputs("<tr>", r->out);
    if (with & WITH_CASE)
        write_case_link(r, text_at(r, row, RESULT_CASE));
    write_cell(r, text_at(r, row, RESULT_NORM), 0);
    write_cell(r, text_at(r, row, RESULT_N), 1);
    write_cell(r, all_the_same(r, row, RESULT_TIME) ? text_at(r, row, RESULT_TIME) : "steady", 1);
    if (!(with & WITH_ORDERS))
        write_variant(r, row);
    write_answers(r, row, same_limits, with & WITH_ORDERS);
    fputs("<td class=\"num\">", r->out);
    if (same_limits)
        write_limit(r, row);
    fputs("</td><td class=\"why\">", r->out);
    write_reasons(r, row);
    fputs("</td></tr>\n", r->out);
}

void questions_write(const struct report *r, const struct questions *q, int with)
{
    fprintf(r->out,
            "<div class=\"wide\"><table>\n<tr>%s<th>what</th><th class=\"num\">cells</th>"
            "<th class=\"num\">time (s)</th>%s",
            with & WITH_CASE ? "<th>case</th>" : "", with & WITH_ORDERS ? "" : "<th></th>");
    write_scheme_heads(r);
    fprintf(r->out, "<th class=\"num\">%s</th><th>%s</th></tr>\n",
            with & WITH_CODES ? "theirs" : "limit", with & WITH_CODES ? "who" : "its reason");
    for (int k = 0; k < q->count; k++)
        write_question(r, q->row[k], with);
    fputs("</table></div>\n", r->out);
}
