/* The page around the report's sections, and how text and numbers are written into it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verification/report/report_parts.h"

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
    "max-width:84rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem;margin:0 0 .5rem}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .3rem;border-bottom:1px solid var(--line)}\n"
    "h2 small{font-weight:normal;color:var(--soft)}\n"
    "p{margin:.4rem 0;max-width:52rem}a{color:var(--link)}\n"
    ".verdict{font-size:1.4rem;font-weight:600}.good{color:var(--good)}\n"
    ".cite,.why,small,figcaption,.left-out{color:var(--soft)}\n"
    ".cite,.why,figcaption,.left-out{font-size:.87rem}\n"
    "table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums;"
    "margin:.5rem 0;line-height:1.35}\n"
    "th,td{padding:.15rem .45rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top}\n"
    "th{font-weight:600;background:var(--wash)}td.why{min-width:10rem;font-size:.8rem}\n"
    ".num{text-align:right}.num,.word{white-space:nowrap}\n"
    "td.FAIL{background:var(--badwash)}.bad{color:var(--bad)}\n"
    "b{font-weight:600}.wide{overflow-x:auto}\n"
    "details{margin:.3rem 0}summary{cursor:pointer}\n"
    "figure{margin:1.2rem 0;max-width:62rem}figure svg{display:block;width:100%;height:auto;"
    "background:#fff;border-radius:4px}\n"
    "figcaption{margin-top:.4rem;max-width:52rem}\n"
    "pre{background:var(--wash);padding:.6rem;overflow-x:auto;font-size:.8rem;"
    "white-space:pre-wrap}\n"
    /* Bright drawings on a dark page blind; turned round, colours keep their hue. */
    "@media (prefers-color-scheme:dark){figure svg{filter:invert(.91) hue-rotate(180deg)}}\n"
    "@media print{body{max-width:none;margin:0;font-size:10pt}figure,tr{break-inside:avoid}"
    "h2{break-after:avoid}figure svg{filter:none}}\n";

static int verdicts(const struct report *r, const char *verdict)
{
    int n = 0;
    for (int k = 0; k < r->results.rows; k++)
        n += result_is(r, k, RESULT_VERDICT, verdict);
    return n;
}

/* How far a stopped verification came, "" where nothing tells; null: it came to its end. */
static const char *stopped(const struct report *r)
{
    for (int k = 0; k < r->environment.rows; k++) {
        const char *value = table_at(&r->environment, k, 1);
        if (strcmp(table_at(&r->environment, k, 0), "complete") == 0 &&
            strncmp(value, "no", 2) == 0)
            return value + 2 + strspn(value + 2, ": ");
    }
    return NULL;
}

static void write_result(const struct report *r, int failed, int judged)
{
    const char *done = stopped(r);
    if (done) {
        fputs("<p class=\"verdict bad\">Stopped: ", r->out);
        html_text(r->out, *done ? done : "not all jobs");
        fprintf(r->out, " done, %d of %d checks fail.</p>\n", failed, judged);
    } else if (failed) {
        fprintf(r->out, "<p class=\"verdict bad\">%d of %d checks fail.</p>\n", failed, judged);
    } else if (judged) {
        fprintf(r->out, "<p class=\"verdict good\">All %d checks hold.</p>\n", judged);
    } else {
        fputs("<p class=\"verdict bad\">Nothing was judged.</p>\n", r->out);
    }
}

static void write_verdict(const struct report *r)
{
    const int failed = verdicts(r, "FAIL"), fine = verdicts(r, "ok");
    int cases = 0;
    for (int k = 0; k < r->results.rows;) {
        const char *name = table_at(&r->results, k, RESULT_CASE);
        cases += strcmp(name, "-") != 0;
        k = rows_with(&r->results, RESULT_CASE, name).end;
    }
    write_result(r, failed, failed + fine);
    if (r->results.rows == 0)
        return;
    fprintf(r->out, "<p>%d case%s", cases, cases == 1 ? "" : "s");
    for (int k = 0; k < r->schemes; k++) {
        fputs(k ? ", " : "; schemes ", r->out);
        html_text(r->out, r->scheme[k]);
    }
    fprintf(r->out, "; %d more values, not judged.</p>\n", r->results.rows - failed - fine);
}

/* A value that says enough without its key. */
static void write_fact(const struct report *r, const char *key, const char *value)
{
    const int gpu = strcmp(key, "gpu") == 0;
    if (gpu && strcmp(value, "none") == 0)
        value = "no GPU";
    else if (gpu && strncmp(value, "not ", 4) == 0)
        fputs("GPU ", r->out);
    html_text(r->out, value);
}

/* The values in one line, and the table on demand. */
static void write_environment(const struct report *r)
{
    if (r->environment.rows == 0)
        return;
    const char *before = "<details><summary>";
    for (int k = 0; k < r->environment.rows; k++) {
        const char *key = table_at(&r->environment, k, 0), *value = table_at(&r->environment, k, 1);
        if (strcmp(key, "complete") == 0) /* the verdict has told */
            continue;
        fputs(before, r->out);
        before = " &middot; ";
        write_fact(r, key, value);
    }
    fprintf(r->out, "%s</summary>\n<table>\n", *before == '<' ? before : "");
    for (int k = 0; k < r->environment.rows; k++) {
        fputs("<tr><th>", r->out);
        html_text(r->out, table_at(&r->environment, k, 0));
        fputs("</th><td>", r->out);
        html_text(r->out, table_at(&r->environment, k, 1));
        fputs("</td></tr>\n", r->out);
    }
    fputs("</table>\n</details>\n", r->out);
}

void html_head(const struct report *r)
{
    fprintf(r->out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>Shoal: verification</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<h1>Shoal: verification</h1>\n",
            style);
    write_verdict(r);
    write_environment(r);
    if (r->no_gnuplot)
        fputs("<p class=\"bad\">There is no gnuplot on this machine, so the figures are missing: "
              "install it (on Debian or Ubuntu the package gnuplot-nox) and run "
              "<code>shoal verify</code> again.</p>\n",
              r->out);
}

void html_tail(const struct report *r)
{
    fputs("<p class=\"why\">A value is the run's; a limit is what it may be at most (an order: at "
          "least), and stands under the value where schemes have different ones. What is only "
          "<i>noted</i> counts neither as holding nor as failing; its reason says why.",
          r->out);
    if (r->drawings)
        fputs(" The scripts of the figures lie in <code>figures/</code> beside this page: "
              "<code>gnuplot -e \"picture='a.pdf'\" figures/NAME.gp</code> draws one for a paper.",
              r->out);
    fputs("</p>\n</body>\n</html>\n", r->out);
}
