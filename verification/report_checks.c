/* The report's tables of checks, orders and runs. */
#include <stdlib.h>
#include <string.h>

#include "verification/report_parts.h"

/* A group of lines up to this length is shown open. */
enum { SHORT_LIST = 14 };

static const char *at(const struct report *r, int row, int column)
{
    return table_at(&r->results, row, column);
}

static int is(const struct report *r, int row, int column, const char *text)
{
    return strcmp(at(r, row, column), text) == 0;
}

int result_failed(const struct report *r, int row)
{
    return is(r, row, RESULT_VERDICT, "FAIL");
}

/* Are two rows equal in columns first to last? */
static int agree(const struct report *r, int a, int b, int first, int last)
{
    for (int k = first; k <= last; k++)
        if (strcmp(at(r, a, k), at(r, b, k)) != 0)
            return 0;
    return 1;
}

static int is_published(const struct report *r, int row)
{
    return is(r, row, RESULT_KIND, "published");
}

/* Published values stand beside the check of the same number, where there is one. */
static int beside(const struct report *r, int published, int row)
{
    return is_published(r, published) && is(r, row, RESULT_KIND, "error") &&
           agree(r, published, row, RESULT_CASE, RESULT_NORM);
}

static int stands_beside(const struct report *r, int row)
{
    for (int k = 0; is_published(r, row) && k < r->results.rows; k++)
        if (beside(r, row, k))
            return 1;
    return 0;
}

static void write_published(const struct report *r, int row)
{
    const double ours = strtod(at(r, row, RESULT_VALUE), NULL);
    const double theirs = strtod(at(r, row, RESULT_LIMIT), NULL);
    char ratio[32];
    html_number(r->out, at(r, row, RESULT_LIMIT));
    if (theirs > 0) {
        snprintf(ratio, sizeof ratio, "%.3g", ours / theirs);
        fputs(" (&times;", r->out);
        html_number(r->out, ratio);
        fputs(")", r->out);
    }
    fputs(" <span class=\"why\">", r->out);
    html_text(r->out, at(r, row, RESULT_WHY));
    fputs("</span>", r->out);
}

static void cell(const struct report *r, const char *text, int number)
{
    fputs(number ? "<td class=\"num\">" : "<td>", r->out);
    if (number)
        html_number(r->out, text);
    else
        html_text(r->out, text);
    fputs("</td>", r->out);
}

static void write_limit(const struct report *r, int row)
{
    const char *limit = at(r, row, RESULT_LIMIT);
    fputs("<td class=\"num\">", r->out);
    if (!is_published(r, row) && strcmp(limit, "nan") != 0 && *limit) {
        fputs(is(r, row, RESULT_KIND, "order") ? "&ge; " : "&le; ", r->out);
        html_number(r->out, limit);
    }
    fputs("</td>", r->out);
}

static const char *class_of(const char *verdict)
{
    return strcmp(verdict, "FAIL") == 0 ? "FAIL" : strcmp(verdict, "ok") == 0 ? "ok" : "note";
}

/* From the resolution on: what every table of checks shows. */
static void write_check(const struct report *r, int row)
{
    cell(r, at(r, row, RESULT_N), 1);
    cell(r, at(r, row, RESULT_TIME), 1);
    fputs("<td>", r->out);
    html_text(r->out, at(r, row, RESULT_NORM));
    fputs("</td>", r->out);
    cell(r, at(r, row, RESULT_VALUE), 1);
    write_limit(r, row);
    fputs("<td><b>", r->out);
    html_text(r->out, at(r, row, RESULT_VERDICT));
    fputs("</b></td><td>", r->out);
    if (is_published(r, row))
        write_published(r, row);
    for (int k = 0; k < r->results.rows; k++)
        if (beside(r, k, row))
            write_published(r, k);
    fputs("</td><td class=\"why\">", r->out);
    if (!is_published(r, row))
        html_text(r->out, at(r, row, RESULT_WHY));
    fputs("</td></tr>\n", r->out);
}

static const char check_head[] = "<th class=\"num\">cells</th><th class=\"num\">time (s)</th>"
                                 "<th>what</th><th class=\"num\">value</th>"
                                 "<th class=\"num\">limit</th><th>verdict</th>"
                                 "<th>published</th><th>the limit's reason</th></tr>\n";

void checks_failed(const struct report *r)
{
    int first = 1;
    for (int k = 0; k < r->results.rows; k++) {
        if (!result_failed(r, k))
            continue;
        if (first)
            fprintf(r->out,
                    "<h2 id=\"failed\" class=\"bad\">Failed</h2>\n<div class=\"wide\"><table>\n<tr>"
                    "<th>case</th><th>scheme</th><th>limiter</th><th>precision</th>"
                    "<th>backend</th>%s",
                    check_head);
        first = 0;
        fputs("<tr class=\"FAIL\">", r->out);
        for (int column = RESULT_CASE; column <= RESULT_BACKEND; column++)
            cell(r, at(r, k, column), 0);
        write_check(r, k);
    }
    if (!first)
        fputs("</table></div>\n", r->out);
}

/* The first row of its case, scheme, limiter, precision and backend. */
static int opens_group(const struct report *r, int row)
{
    for (int k = 0; k < row; k++)
        if (agree(r, k, row, RESULT_CASE, RESULT_BACKEND))
            return 0;
    return 1;
}

static void write_group(const struct report *r, int first, int open)
{
    int lines = 0, failed = 0;
    for (int k = first; k < r->results.rows; k++) {
        const int here = agree(r, k, first, RESULT_CASE, RESULT_BACKEND);
        lines += here && !stands_beside(r, k);
        failed += here && result_failed(r, k);
    }
    fprintf(r->out, "<details%s><summary>", open || failed ? " open" : "");
    for (int column = RESULT_SCHEME; column <= RESULT_BACKEND; column++) {
        fputs(column == RESULT_SCHEME ? "<b>" : " ", r->out);
        html_text(r->out, at(r, first, column));
        fputs(column == RESULT_SCHEME ? "</b>" : "", r->out);
    }
    fprintf(r->out, " &ndash; %d lines", lines);
    if (failed)
        fprintf(r->out, ", <b class=\"bad\">%d failed</b>", failed);
    fprintf(r->out, "</summary>\n<div class=\"wide\"><table>\n<tr>%s", check_head);
    for (int k = first; k < r->results.rows; k++) {
        if (!agree(r, k, first, RESULT_CASE, RESULT_BACKEND) || stands_beside(r, k))
            continue;
        fprintf(r->out, "<tr class=\"%s\">", class_of(at(r, k, RESULT_VERDICT)));
        write_check(r, k);
    }
    fputs("</table></div>\n</details>\n", r->out);
}

void checks_of_case(const struct report *r, const char *name)
{
    int lines = 0;
    for (int k = 0; k < r->results.rows; k++)
        lines += is(r, k, RESULT_CASE, name);
    for (int k = 0; k < r->results.rows; k++)
        if (is(r, k, RESULT_CASE, name) && opens_group(r, k))
            write_group(r, k, lines <= SHORT_LIST);
}

static int is_order(const struct report *r, int row)
{
    return is(r, row, RESULT_KIND, "order");
}

/* The same question put to another scheme. */
static int same_question(const struct report *r, int a, int b)
{
    return is(r, b, RESULT_CASE, at(r, a, RESULT_CASE)) &&
           agree(r, a, b, RESULT_LIMITER, RESULT_NORM) && is_order(r, b);
}

static int scheme_has_order(const struct report *r, int row)
{
    for (int k = 0; k <= row; k++)
        if (is_order(r, k) && is(r, k, RESULT_SCHEME, at(r, row, RESULT_SCHEME)))
            return k == row;
    return 0;
}

static void write_order_row(const struct report *r, int row)
{
    fputs("<tr>", r->out);
    cell(r, at(r, row, RESULT_CASE), 0);
    cell(r, at(r, row, RESULT_NORM), 0);
    cell(r, at(r, row, RESULT_N), 1);
    cell(r, at(r, row, RESULT_TIME), 1);
    cell(r, at(r, row, RESULT_LIMITER), 0);
    cell(r, at(r, row, RESULT_PRECISION), 0);
    cell(r, at(r, row, RESULT_BACKEND), 0);
    for (int s = 0; s < r->results.rows; s++) {
        if (!scheme_has_order(r, s))
            continue;
        fputs("<td class=\"num\">", r->out);
        for (int k = 0; k < r->results.rows; k++) {
            if (!same_question(r, row, k) || !is(r, k, RESULT_SCHEME, at(r, s, RESULT_SCHEME)))
                continue;
            fprintf(r->out,
                    "<span class=\"%s\">%s%.2f%s</span> <span class=\"why\">&ge;&nbsp;%.2g</span>",
                    class_of(at(r, k, RESULT_VERDICT)), result_failed(r, k) ? "<b>" : "",
                    strtod(at(r, k, RESULT_VALUE), NULL), result_failed(r, k) ? "</b>" : "",
                    strtod(at(r, k, RESULT_LIMIT), NULL));
            break;
        }
        fputs("</td>", r->out);
    }
    fputs("</tr>\n", r->out);
}

void checks_orders(const struct report *r)
{
    int any = 0;
    fputs(
        "<h2 id=\"orders\">Orders of accuracy</h2>\n<p>The rate at which the error falls when the "
        "cells are made smaller, up to the number of cells named, and the least that is "
        "asked.</p>\n",
        r->out);
    for (int row = 0; row < r->results.rows; row++) {
        int known = !is_order(r, row);
        for (int k = 0; k < row && !known; k++)
            known = same_question(r, row, k);
        if (known)
            continue;
        if (!any) {
            fputs(
                "<div class=\"wide\"><table>\n<tr><th>case</th><th>norm</th><th class=\"num\">cells"
                "</th><th class=\"num\">time (s)</th><th>limiter</th><th></th><th></th>",
                r->out);
            for (int s = 0; s < r->results.rows; s++)
                if (scheme_has_order(r, s)) {
                    fputs("<th class=\"num\">", r->out);
                    html_text(r->out, at(r, s, RESULT_SCHEME));
                    fputs("</th>", r->out);
                }
            fputs("</tr>\n", r->out);
        }
        any = 1;
        write_order_row(r, row);
    }
    fputs(any ? "</table></div>\n"
              : "<p class=\"left-out\">No order was measured in this run.</p>\n",
          r->out);
}

static void write_run(const struct report *r, int row)
{
    static const int numbers[] = {RUN_NX,      RUN_NY,          RUN_KAPPA,     RUN_DT_MIN,
                                  RUN_DT_MAX,  RUN_STEPS,       RUN_REDONE,    RUN_MASS_ERROR,
                                  RUN_CLIPPED, RUN_LEAST_DEPTH, RUN_STEADY_AT, RUN_SECONDS};
    fputs("<tr>", r->out);
    for (int column = RUN_SCHEME; column <= RUN_BACKEND; column++)
        cell(r, table_at(&r->runs, row, column), 0);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        cell(r, table_at(&r->runs, row, numbers[k]), 1);
    fputs("</tr>\n", r->out);
}

void runs_of_case(const struct report *r, const char *name)
{
    static const char *const heads[] = {
        "nx",     "ny",         "kappa (m)", "least dt (s)",    "largest dt (s)", "steps",
        "redone", "mass error", "clipped",   "least depth (m)", "steady at (s)",  "computing (s)"};
    int n = 0;
    for (int k = 0; k < r->runs.rows; k++)
        n += strcmp(table_at(&r->runs, k, RUN_CASE), name) == 0;
    if (n == 0)
        return;
    fprintf(
        r->out,
        "<details><summary>How it was run &ndash; %d runs</summary>\n<div class=\"wide\"><table>"
        "\n<tr><th>scheme</th><th>limiter</th><th></th><th></th>",
        n);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        fprintf(r->out, "<th class=\"num\">%s</th>", heads[k]);
    fputs("</tr>\n", r->out);
    for (int k = 0; k < r->runs.rows; k++)
        if (strcmp(table_at(&r->runs, k, RUN_CASE), name) == 0)
            write_run(r, k);
    fputs("</table></div>\n</details>\n", r->out);
}
