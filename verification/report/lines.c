/* A line on the terminal for each check. */
#include "verification/report/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_text(double x, char text[24])
{
    if (isnan(x)) {
        snprintf(text, 24, "-");
    } else if (fabs(x) >= 1000 && fabs(x) < 1e6) {
        snprintf(text, 24, "%.0f", x);
    } else {
        snprintf(text, 24, x != 0 && fabs(x) < 1e-3 ? "%.3e" : "%.4g", x);
        char *e = strchr(text, 'e'), *digit = e;
        if (!e)
            return text;
        const int power = (int)strtol(e + 1, NULL, 10);
        while (digit[-1] == '0' && memchr(text, '.', (size_t)(digit - text)))
            digit--;
        digit -= digit[-1] == '.';
        snprintf(digit, 24 - (size_t)(digit - text), "e%d", power);
    }
    return text;
}

void lines_head(void)
{
    printf("%-23s %-6s %-10s %-4s %-4s %5s %8s  %-40s %9s    %9s  %s\n", "case", "scheme",
           "limiter", "prec", "on", "n", "t", "what", "value", "limit", "verdict");
}

void lines_print(const struct line *l)
{
    static const char *const relation[] = {"<=", ">=", "<=", "~ "};
    char value[24], limit[24], plugins[PLUGINS_TEXT];
    const int of_every_run = l->kind == LINE_INVARIANT && strcmp(l->case_name, "-") != 0;
    const int broken = l->verdict == VERDICT_FAIL && isnan(l->limit);
    if (l->verdict != VERDICT_FAIL && of_every_run)
        return;
    printf("%-23s %-6s %-10s %-4s %-4s %5d %8s  %-40s %9s %s %9s  %s%s%s\n", l->case_name,
           l->variant.scheme, variant_plugins(&l->variant, plugins), variant_precision(&l->variant),
           variant_backend(&l->variant), l->n, l->time, l->what, number_text(l->value, value),
           isnan(l->limit) ? "  " : relation[l->kind],
           isnan(l->limit) ? "" : number_text(l->limit, limit), verdict_names[l->verdict],
           l->kind == LINE_PUBLISHED || broken ? ": " : "",
           l->kind == LINE_PUBLISHED || broken ? l->why : "");
}
