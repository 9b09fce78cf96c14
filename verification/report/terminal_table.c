/* The table on the terminal. */
#include "verification/report/terminal_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"

const char *number_text(double x, char text[24])
{
    if (isnan(x))
        snprintf(text, 24, "-");
    else if (x != 0 && (fabs(x) < 1e-3 || fabs(x) >= 1e5))
        snprintf(text, 24, "%.2e", x);
    else
        snprintf(text, 24, "%.4g", x);
    return text;
}

void table_head(void)
{
    printf("%-23s %-6s %-10s %-4s %-4s %5s %8s  %-40s %9s    %9s  %s\n", "case", "scheme",
           "limiter", "prec", "on", "n", "t", "what", "value", "limit", "verdict");
}

static void print_line(const struct line *l)
{
    static const char *const relation[] = {"<=", ">=", "<=", "~ "};
    char value[24], limit[24];
    char plugins[PLUGINS_TEXT];
    const int broken = l->verdict == VERDICT_FAIL && isnan(l->limit);
    printf("%-23s %-6s %-10s %-4s %-4s %5d %8s  %-40s %9s %s %9s  %s%s%s\n", l->case_name,
           l->variant.scheme, variant_plugins(&l->variant, plugins), variant_precision(&l->variant),
           variant_backend(&l->variant), l->n, l->time, l->what, number_text(l->value, value),
           isnan(l->limit) ? "  " : relation[l->kind],
           isnan(l->limit) ? "" : number_text(l->limit, limit), verdict_names[l->verdict],
           l->kind == LINE_PUBLISHED || broken ? ": " : "",
           l->kind == LINE_PUBLISHED || broken ? l->why : "");
}

void table_line(const struct line *l)
{
    const int of_every_run = l->kind == LINE_INVARIANT && strcmp(l->case_name, "-") != 0;
    if (l->verdict == VERDICT_FAIL || !of_every_run)
        print_line(l);
}

/* How near a variant is to the default one, in f64. */
static int rank(const struct variant *v)
{
    return 4 * variant_has_default_scheme(v) + 2 * variant_has_default_plugins(v) +
           (v->precision == F64);
}

/* Of the default variant if it was asked, on the finest grid, at the latest moment. */
static int tells_more(const struct line *l, const struct line *than)
{
    if (rank(&l->variant) != rank(&than->variant))
        return rank(&l->variant) > rank(&than->variant);
    return l->n != than->n ? l->n > than->n : strcmp(l->what, than->what) == 0;
}

/* The error that a row of the summary names. */
static const struct line *error_of(const struct verdicts *v, const char *case_name)
{
    const struct line *best = NULL;
    for (int k = 0; k < v->count; k++) {
        const struct line *l = &v->line[k];
        if (l->kind == LINE_ERROR && strcmp(l->case_name, case_name) == 0 &&
            (!best || tells_more(l, best)))
            best = l;
    }
    return best;
}

/* The order at which it has fallen, if that was asked. */
static const struct line *order_of(const struct verdicts *v, const struct line *error)
{
    const struct line *best = NULL;
    char norm[80];
    snprintf(norm, sizeof norm, "order of %s from", error->what);
    for (int k = 0; k < v->count; k++) {
        const struct line *l = &v->line[k];
        if (l->kind == LINE_ORDER && strcmp(l->case_name, error->case_name) == 0 &&
            strncmp(l->what, norm, strlen(norm)) == 0 &&
            strcmp(l->variant.scheme, error->variant.scheme) == 0 &&
            rank(&l->variant) == rank(&error->variant) && l->n == error->n &&
            strcmp(l->time, error->time) == 0)
            best = l;
    }
    return best;
}

/* "12", or "11/12" where one failed; "" where the scheme was not asked. */
static void tally(const struct verdicts *v, const char *case_name, const char *scheme,
                  char text[16])
{
    int held = 0, asked = 0;
    for (int k = 0; k < v->count; k++) {
        const struct line *l = &v->line[k];
        if (strcmp(l->case_name, case_name) == 0 && strcmp(l->variant.scheme, scheme) == 0 &&
            l->verdict != VERDICT_NOTE) {
            asked++;
            held += l->verdict == VERDICT_OK;
        }
    }
    if (held < asked)
        snprintf(text, 16, "%d/%d", held, asked);
    else if (asked)
        snprintf(text, 16, "%d", asked);
    else
        snprintf(text, 16, "%s", "");
}

static void print_row(const struct verdicts *v, const char *case_name)
{
    char text[24];
    const struct line *error = error_of(v, case_name);
    const struct line *order = error ? order_of(v, error) : NULL;
    printf("%-23s", strcmp(case_name, "-") == 0 ? "(every scheme)" : case_name);
    if (error)
        printf(" %5d  %-16.16s %9s", error->n, error->what, number_text(error->value, text));
    else
        printf(" %5s  %-16s %9s", "", "", "");
    printf("  %6s ", order ? number_text(order->value, text) : "");
    for (int k = 0; schemes[k]; k++) {
        char count[16];
        tally(v, case_name, schemes[k]->name, count);
        printf(" %7s", count);
    }
    printf("\n");
}

/* The worst value of something that holds of every run, in one precision. */
static void print_worst(const struct verdicts *v, const char *what, enum precision p)
{
    int runs = 0, of[VERDICTS] = {0};
    double worst = 0;
    char text[24];
    for (int k = 0; k < v->count; k++) {
        const struct line *l = &v->line[k];
        if (strcmp(l->what, what) != 0 || l->variant.precision != p)
            continue;
        runs++;
        of[l->verdict]++;
        worst = l->value > worst || isnan(l->value) ? l->value : worst;
    }
    if (!runs)
        return;
    printf("%s in %s: at most %s in %d runs", what, precision_names[p], number_text(worst, text),
           runs);
    if (of[VERDICT_OK] && of[VERDICT_NOTE])
        printf("; beyond the limit, but within rounding, in %d", of[VERDICT_NOTE]);
    printf("%s\n", of[VERDICT_FAIL] ? "; too much" : "");
}

static int has_lines(const struct verdicts *v, const char *case_name)
{
    for (int k = 0; k < v->count; k++)
        if (strcmp(v->line[k].case_name, case_name) == 0)
            return 1;
    return 0;
}

void table_summary(const struct verdicts *v)
{
    static const char *const of_every_run[] = {"mass error", "negative depth", "clipped volume"};
    printf("\n%-23s %5s  %-16s %9s  %6s  checks that hold\n%-23s %5s  %-16s %9s  %6s ", "",
           "finest", "", "", "", "case", "n", "norm", "value", "order");
    for (int k = 0; schemes[k]; k++)
        printf(" %7s", schemes[k]->name);
    printf("\n");
    for (int k = 0; cases[k]; k++)
        if (has_lines(v, cases[k]->name))
            print_row(v, cases[k]->name);
    if (has_lines(v, "-"))
        print_row(v, "-");
    for (size_t k = 0; k < sizeof of_every_run / sizeof *of_every_run; k++)
        for (int p = PRECISIONS - 1; p >= 0; p--)
            print_worst(v, of_every_run[k], (enum precision)p);
    if (!verdicts_count(v, VERDICT_FAIL))
        return;
    printf("\nfailed:\n");
    for (int k = 0; k < v->count; k++)
        if (v->line[k].verdict == VERDICT_FAIL)
            print_line(&v->line[k]);
}
