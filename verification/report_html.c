/* The page around the report's sections, and how text and numbers are written into it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verification/report_parts.h"

void html_text(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '>')
            fputs("&gt;", out);
        else if (*s == '&')
            fputs("&amp;", out);
        else if (*s == '"')
            fputs("&quot;", out);
        else
            fputc(*s, out);
    }
}

void html_number(FILE *out, const char *s)
{
    char *end, text[32];
    const double x = strtod(s, &end);
    if (end == s || *end) {
        html_text(out, s);
        return;
    }
    if (isnan(x)) {
        fputs("&ndash;", out);
        return;
    }
    if (fabs(x) >= 1000 && fabs(x) < 1e6) {
        fprintf(out, "%.0f", x);
        return;
    }
    snprintf(text, sizeof text, "%.3g", x);
    char *e = strchr(text, 'e');
    if (e)
        fprintf(out, "%.*se%d", (int)(e - text), text, (int)strtol(e + 1, NULL, 10));
    else
        fputs(text, out);
}

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--paper:#fff;"
    "--wash:#f6f8fa;--bad:#b3261e;--badwash:#fdeceb;--good:#1a7f37;--link:#0b5cad}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa4af;--line:#343b43;"
    "--paper:#15181c;--wash:#1e2328;--bad:#ff8a80;--badwash:#3a1d1b;--good:#6fd08c;"
    "--link:#7ab8f5}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem;margin:0 0 .5rem}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .3rem;border-bottom:1px solid var(--line)}\n"
    "h2 small{font-weight:normal;color:var(--soft)}\n"
    "p{margin:.4rem 0}a{color:var(--link)}\n"
    ".cite,.why,figcaption,.left-out{color:var(--soft);font-size:.87rem}\n"
    "table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums;"
    "margin:.5rem 0}\n"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top}\n"
    "th{font-weight:600;background:var(--wash)}\n"
    ".num{text-align:right;white-space:nowrap}\n"
    "tr.FAIL td{background:var(--badwash)}.FAIL b,.bad{color:var(--bad)}.ok b{color:var(--good)}\n"
    "b{font-weight:600}.wide{overflow-x:auto}\n"
    "details{margin:.3rem 0}summary{cursor:pointer}\n"
    "figure{margin:1.2rem 0}figure svg{display:block;width:100%;height:auto;background:#fff;"
    "border-radius:4px}\n"
    "figcaption{margin-top:.4rem;max-width:50rem}\n"
    "pre{background:var(--wash);padding:.6rem;overflow-x:auto;font-size:.8rem;"
    "white-space:pre-wrap}\n"
    "@media print{body{max-width:none;margin:0;font-size:10pt}figure,tr{break-inside:avoid}"
    "h2{break-after:avoid}}\n";

static int verdicts(const struct report *r, const char *name, const char *verdict)
{
    int n = 0;
    for (int k = 0; k < r->results.rows; k++)
        n += (!name || strcmp(table_at(&r->results, k, RESULT_CASE), name) == 0) &&
             strcmp(table_at(&r->results, k, RESULT_VERDICT), verdict) == 0;
    return n;
}

static void write_counts(const struct report *r)
{
    const int failed = verdicts(r, NULL, "FAIL"), fine = verdicts(r, NULL, "ok");
    fprintf(r->out, "<p>%d checks: <b class=\"%s\">%d failed</b>, %d fine", failed + fine,
            failed ? "bad" : "", failed, fine);
    fprintf(r->out, "; %d more values are printed and not judged.</p>\n",
            r->results.rows - failed - fine);
}

static void write_environment(const struct report *r)
{
    if (r->environment.rows == 0)
        return;
    fputs("<table>\n", r->out);
    for (int k = 0; k < r->environment.rows; k++) {
        fputs("<tr><th>", r->out);
        html_text(r->out, table_at(&r->environment, k, 0));
        fputs("</th><td>", r->out);
        html_text(r->out, table_at(&r->environment, k, 1));
        fputs("</td></tr>\n", r->out);
    }
    fputs("</table>\n", r->out);
}

/* The contents, which are also the summary: a line for each case. */
static void write_contents(const struct report *r)
{
    const struct table *t = &r->results;
    fputs("<h2 id=\"contents\">Cases</h2>\n<table>\n<tr><th>case</th><th class=\"num\">fine</th>"
          "<th class=\"num\">failed</th><th class=\"num\">notes</th></tr>\n",
          r->out);
    for (int k = 0; k < t->rows; k++) {
        const char *name = table_at(t, k, RESULT_CASE);
        if (!table_first(t, k, RESULT_CASE))
            continue;
        const int failed = verdicts(r, name, "FAIL");
        fprintf(r->out, "<tr class=\"%s\"><td><a href=\"#case-", failed ? "FAIL" : "ok");
        html_text(r->out, name);
        fputs("\">", r->out);
        html_text(r->out, strcmp(name, "-") == 0 ? "every scheme" : name);
        fprintf(r->out,
                "</a></td><td class=\"num\">%d</td><td class=\"num\">%s%d%s</td>"
                "<td class=\"num\">%d</td></tr>\n",
                verdicts(r, name, "ok"), failed ? "<b>" : "", failed, failed ? "</b>" : "",
                verdicts(r, name, "note"));
    }
    fputs("</table>\n<p>Further: <a href=\"#orders\">orders of accuracy</a>, "
          "<a href=\"#kappa\">the influence of kappa</a>.</p>\n",
          r->out);
}

void html_head(const struct report *r)
{
    fprintf(r->out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>Shoal: verification</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<h1>Shoal: verification</h1>\n",
            style);
    write_counts(r);
    write_environment(r);
    if (r->no_gnuplot)
        fputs("<p class=\"bad\">There is no gnuplot on this machine, so the figures are missing: "
              "install it (on Debian or Ubuntu the package gnuplot-nox) and run "
              "<code>shoal verify</code> again.</p>\n",
              r->out);
    checks_failed(r);
    write_contents(r);
}

void html_tail(const struct report *r)
{
    fputs("<p class=\"why\">A value is the run's, a limit is what it may be at most (an order: at "
          "least). Published values are what other codes reached on the same problem; the factor "
          "is ours over theirs.",
          r->out);
    if (r->figures)
        fputs(" The scripts of the figures lie in <code>figures/</code> beside this page: "
              "<code>gnuplot -e \"picture='a.pdf'\" figures/NAME.gp</code> draws one for a paper.",
              r->out);
    fputs("</p>\n</body>\n</html>\n", r->out);
}
