/* The report's sections of checks, orders and runs. */
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"
#include "verification/run/verify.h"

static const char *text_at(const struct report *r, int row, int column)
{
    return table_at(&r->results, row, column);
}

static struct rows all(const struct report *r)
{
    return (struct rows){0, r->results.rows};
}

static struct rows rows_of(const struct report *r, const char *name)
{
    return rows_with(&r->results, RESULT_CASE, name);
}

static int every(const struct report *r, int row)
{
    return row < r->results.rows;
}

static int is_order(const struct report *r, int row)
{
    return result_is(r, row, RESULT_KIND, "order");
}

/* By what stands for a scheme: the default plug-ins, in f64, on the CPU, where they were run. */
static int is_typical(const struct report *r, int row)
{
    for (int k = 0; k < TYPICAL; k++)
        if (!result_is(r, row, RESULT_LIMITER + k, r->typical[k]))
            return 0;
    return 1;
}

static int is_accuracy(const struct report *r, int row)
{
    return result_is(r, row, RESULT_KIND, "error") && is_typical(r, row);
}

static enum err write_all(const struct report *r, struct rows from,
                          int (*wanted)(const struct report *r, int row), int with)
{
    struct questions q;
    TRY(questions_collect(r, from, wanted, &q));
    questions_write(r, &q, with);
    free(q.row);
    return ERR_OK;
}

static int count(const struct report *r, struct rows from,
                 int (*wanted)(const struct report *r, int row))
{
    int n = 0;
    for (int k = from.first; k < from.end; k++)
        n += wanted(r, k);
    return n;
}

enum err checks_failed(const struct report *r)
{
    const int n = count(r, all(r), result_failed);
    if (n == 0)
        return ERR_OK;
    fprintf(r->out, "<h2 id=\"failed\" class=\"bad\">Failed: %d</h2>\n", n);
    return write_all(r, all(r), result_failed, WITH_CASE);
}

static int is_published(const struct report *r, int row)
{
    return result_published(r, row) && is_typical(r, row);
}

enum err checks_published(const struct report *r)
{
    if (count(r, all(r), is_published) == 0)
        return ERR_OK;
    fputs("<h2 id=\"published\">Beside other codes</h2>\n<p>What each scheme reaches, and how many "
          "times the other code's error that is; below 1 it is the better one. Nothing here is "
          "judged.</p>\n",
          r->out);
    return write_all(r, all(r), is_published, WITH_CASE | WITH_CODES);
}

/* How many schemes have answered the same question. */
static int answers(const struct report *r, int row)
{
    int n = 0;
    for (int s = 0; s < r->schemes; s++)
        n += answer(r, row, r->scheme[s]) >= 0;
    return n;
}

/* Is the grid the finest of those that most schemes have, for this norm and time? */
static int is_finest(const struct report *r, int row)
{
    if (!is_accuracy(r, row))
        return 0;
    const char *name = text_at(r, row, RESULT_CASE);
    const struct flow_case *c = find_case(name);
    const int steady = c && c->verify && c->verify->steady > 0;
    const struct rows of = rows_of(r, name);
    const int n = table_int(&r->results, row, RESULT_N), count_here = answers(r, row);
    for (int k = of.first; k < of.end; k++) {
        const int other = table_int(&r->results, k, RESULT_N);
        if (other == n || !result_is(r, k, RESULT_NORM, text_at(r, row, RESULT_NORM)) ||
            !(steady || result_is(r, k, RESULT_TIME, text_at(r, row, RESULT_TIME))) ||
            !is_accuracy(r, k))
            continue;
        const int more = answers(r, k) - count_here;
        if (more > 0 || (more == 0 && other > n))
            return 0;
    }
    return 1;
}

/* The line that stands for a case: with an order if there is one, rather not 0. -1: none. */
static int line_of_case(const struct report *r, struct rows of)
{
    int first = -1;
    for (int k = of.first; k < of.end; k++) {
        if (!is_finest(r, k))
            continue;
        if (order_beside(r, k) >= 0)
            return k;
        if (first < 0 || strtod(text_at(r, first, RESULT_VALUE), NULL) == 0)
            first = k;
    }
    return first;
}

static int verdicts(const struct report *r, struct rows of, const char *verdict)
{
    int n = 0;
    for (int k = of.first; k < of.end; k++)
        n += result_is(r, k, RESULT_VERDICT, verdict);
    return n;
}

static void write_contents_line(const struct report *r, const char *name)
{
    const struct rows of = rows_of(r, name);
    const int row = line_of_case(r, of), failed = verdicts(r, of, "FAIL");
    fputs("<tr>", r->out);
    write_case_link(r, name);
    if (row >= 0) {
        write_cell(r, text_at(r, row, RESULT_NORM), 0);
        write_cell(r, text_at(r, row, RESULT_N), 1);
        write_answers(r, row, 1, 1);
    } else {
        fprintf(r->out, "<td colspan=\"%d\"></td>", 2 + r->schemes);
    }
    fprintf(r->out, "<td class=\"num\">%d</td><td class=\"num%s\">%s%d%s</td></tr>\n",
            verdicts(r, of, "ok"), failed ? " FAIL" : "", failed ? "<b class=\"bad\">" : "", failed,
            failed ? "</b>" : "");
}

void checks_contents(const struct report *r)
{
    if (r->results.rows == 0)
        return;
    fputs("<h2 id=\"contents\">Cases</h2>\n<p>", r->out);
    if (*r->typical[0])
        fprintf(r->out,
                "One error of each case, with %s in %s on the finest grid that most schemes ran, "
                "and the order at which it falls; how many checks hold and fail. ",
                r->typical[0], result_typical(r, RESULT_PRECISION));
    fputs("The names lead to all else.</p>\n<div class=\"wide\"><table>\n"
          "<tr><th>case</th><th>error</th><th class=\"num\">cells</th>",
          r->out);
    write_scheme_heads(r);
    fputs("<th class=\"num\">hold</th><th class=\"num\">fail</th></tr>\n", r->out);
    for (int k = 0; k < r->results.rows; k = rows_of(r, text_at(r, k, RESULT_CASE)).end)
        write_contents_line(r, text_at(r, k, RESULT_CASE));
    fputs("</table></div>\n<p>Further: ", r->out);
    if (count(r, all(r), is_published))
        fputs("<a href=\"#published\">beside other codes</a>, ", r->out);
    fputs("<a href=\"#orders\">all orders of accuracy</a>, <a href=\"#kappa\">the influence of "
          "kappa</a>.</p>\n",
          r->out);
}

/* What the norms of a case's table mean. */
static void write_meanings(const struct report *r, const char *name)
{
    const struct flow_case *c = find_case(name);
    const struct rows of = rows_of(r, name);
    const char *before = "<p class=\"why\">";
    if (!c || !c->verify)
        return;
    for (const struct check *check = c->verify->checks; check->norm; check++) {
        int used = 0;
        for (const struct check *k = c->verify->checks; k < check && !used; k++)
            used = k->norm == check->norm;
        if (used)
            continue;
        for (int k = of.first; k < of.end && !used; k++)
            used = result_is(r, k, RESULT_NORM, check->norm->name) && is_finest(r, k);
        if (!used)
            continue;
        fprintf(r->out, "%s<i>", before);
        html_text(r->out, check->norm->name);
        fputs("</i>: ", r->out);
        html_text(r->out, check->norm->meaning);
        before = "; ";
    }
    fputs(*before == ';' ? ".</p>\n" : "", r->out);
}

enum err checks_accuracy(const struct report *r, const char *name)
{
    if (count(r, rows_of(r, name), is_finest) == 0)
        return ERR_OK;
    TRY(write_all(r, rows_of(r, name), is_finest, WITH_ORDERS));
    write_meanings(r, name);
    return ERR_OK;
}

enum err checks_of_case(const struct report *r, const char *name)
{
    const struct rows of = rows_of(r, name);
    const int failed = verdicts(r, of, "FAIL"), open = strcmp(name, "-") == 0;
    fprintf(r->out, "<details%s><summary>All %d lines", open ? " open" : "", of.end - of.first);
    if (failed)
        fprintf(r->out, ", <b class=\"bad\">%d failed</b>", failed);
    fputs("</summary>\n", r->out);
    TRY(write_all(r, of, every, 0));
    fputs("</details>\n", r->out);
    return ERR_OK;
}

enum err checks_orders(const struct report *r)
{
    const int n = count(r, all(r), is_order);
    fputs(
        "<h2 id=\"orders\">Orders of accuracy</h2>\n<p>The rate at which the error falls when the "
        "cells are made smaller, up to the number of cells named, and the least that is "
        "asked.</p>\n",
        r->out);
    if (n == 0) {
        fputs("<p class=\"left-out\">No order was measured in this run.</p>\n", r->out);
        return ERR_OK;
    }
    fprintf(r->out, "<details><summary>All %d orders</summary>\n", n);
    TRY(write_all(r, all(r), is_order, WITH_CASE));
    fputs("</details>\n", r->out);
    return ERR_OK;
}

static void write_run(const struct report *r, int row)
{
    static const int numbers[] = {RUN_NX,         RUN_NY,      RUN_KAPPA,       RUN_DRY,
                                  RUN_DT_MIN,     RUN_DT_MAX,  RUN_STEPS,       RUN_REDONE,
                                  RUN_MASS_ERROR, RUN_CLIPPED, RUN_LEAST_DEPTH, RUN_STEADY_AT,
                                  RUN_SECONDS};
    fputs("<tr>", r->out);
    for (int column = RUN_SCHEME; column <= RUN_BACKEND; column++)
        write_cell(r, table_at(&r->runs, row, column), 0);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        write_cell(r, table_at(&r->runs, row, numbers[k]), 1);
    fputs("</tr>\n", r->out);
}

void runs_of_case(const struct report *r, const char *name)
{
    static const char *const heads[] = {"nx",
                                        "ny",
                                        "kappa (m)",
                                        "dry below (m)",
                                        "least dt (s)",
                                        "largest dt (s)",
                                        "steps",
                                        "redone",
                                        "mass error",
                                        "clipped",
                                        "least depth (m)",
                                        "steady at (s)",
                                        "computing (s)"};
    const struct rows of = rows_with(&r->runs, RUN_CASE, name);
    if (of.end == of.first)
        return;
    fprintf(
        r->out,
        "<details><summary>How it was run &ndash; %d runs</summary>\n<div class=\"wide\"><table>"
        "\n<tr><th>scheme</th><th>limiter</th><th>flux</th><th>reconstruction</th><th></th><th></"
        "th>",
        of.end - of.first);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        fprintf(r->out, "<th class=\"num\">%s</th>", heads[k]);
    fputs("</tr>\n", r->out);
    for (int k = of.first; k < of.end; k++)
        write_run(r, k);
    fputs("</table></div>\n</details>\n", r->out);
}
