/* The report: reads what the checks left, and puts its sections in order. */
#include "verification/report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/options/run_config.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/registry/registry.h"
#include "verification/report/report_parts.h"

static const char *const result_columns[] = {
    [RESULT_CASE] = "case",
    [RESULT_SCHEME] = "scheme",
    [RESULT_LIMITER] = "limiter",
    [RESULT_FLUX] = "flux",
    [RESULT_RECONSTRUCTION] = "reconstruction",
    [RESULT_PRECISION] = "precision",
    [RESULT_BACKEND] = "backend",
    [RESULT_N] = "n",
    [RESULT_TIME] = "time",
    [RESULT_NORM] = "norm",
    [RESULT_VALUE] = "value",
    [RESULT_LIMIT] = "limit",
    [RESULT_KIND] = "kind",
    [RESULT_VERDICT] = "verdict",
    [RESULT_SECONDS] = "seconds",
    [RESULT_WHY] = "why",
    NULL,
};
static const char *const run_columns[] = {
    [RUN_CASE] = "case",
    [RUN_SCHEME] = "scheme",
    [RUN_LIMITER] = "limiter",
    [RUN_FLUX] = "flux",
    [RUN_RECONSTRUCTION] = "reconstruction",
    [RUN_PRECISION] = "precision",
    [RUN_BACKEND] = "backend",
    [RUN_NX] = "nx",
    [RUN_NY] = "ny",
    [RUN_KAPPA] = "kappa",
    [RUN_DRY] = "dry",
    [RUN_DT_MIN] = "dt_min",
    [RUN_DT_MAX] = "dt_max",
    [RUN_STEPS] = "steps",
    [RUN_REDONE] = "redone",
    [RUN_MASS_ERROR] = "mass_error",
    [RUN_CLIPPED] = "clipped",
    [RUN_LEAST_DEPTH] = "least_depth",
    [RUN_STEADY_AT] = "steady_at",
    [RUN_SECONDS] = "seconds",
    [RUN_DIGEST] = "digest",
    NULL,
};
static const char *const environment_columns[] = {"key", "value", NULL};
static const char *const kappa_columns[] = {"kappa", "error_h", "error_q", "dt_min", "steps", NULL};

static enum err read_part(const struct report *r, const char *name, const char *const *columns,
                          int optional, struct table *t)
{
    char path[REPORT_PATH];
    if (snprintf(path, sizeof path, "%s/%s", r->folder, name) >= REPORT_PATH)
        FAIL(USAGE, "'%s' is too long a name for a folder", r->folder);
    if (optional && access(path, F_OK) != 0)
        return ERR_OK;
    return table_read(t, path, columns);
}

static enum err read_parts(struct report *r)
{
    TRY(read_part(r, "results.tsv", result_columns, 0, &r->results));
    TRY(read_part(r, "runs.tsv", run_columns, 0, &r->runs));
    TRY(read_part(r, "environment.tsv", environment_columns, 1, &r->environment));
    return read_part(r, "data/kappa.tsv", kappa_columns, 1, &r->kappa);
}

/* The schemes of the results. Where there are more than tables have room for, the rest is in
 * results.tsv. */
static void list_schemes(struct report *r, const char *preferred)
{
    for (int k = 0; k < r->results.rows; k++) {
        const char *name = table_at(&r->results, k, RESULT_SCHEME);
        int m = 0;
        while (m < r->schemes && strcmp(r->scheme[m], name) != 0)
            m++;
        if (m < r->schemes || m == SCHEMES_SHOWN)
            continue;
        r->scheme[r->schemes++] = name;
        for (; m > 0 && strcmp(name, preferred) == 0; m--) {
            r->scheme[m] = r->scheme[m - 1];
            r->scheme[m - 1] = name;
        }
    }
}

/* The preferred text if the column has it, else the first of a case that is one. */
static const char *typical(const struct report *r, int column, const char *preferred)
{
    const char *first = NULL;
    for (int k = 0; k < r->results.rows; k++) {
        const char *text = table_at(&r->results, k, column);
        if (strcmp(table_at(&r->results, k, RESULT_CASE), "-") == 0)
            continue;
        if (strcmp(text, preferred) == 0)
            return text;
        first = first ? first : text;
    }
    return first ? first : "";
}

static void arrange(struct report *r)
{
    struct config defaults;
    config_case_defaults(&defaults);
    const char *const preferred[TYPICAL] = {defaults.limiter, defaults.flux,
                                            defaults.reconstruction, "f64", "cpu"};
    table_sort(&r->results, RESULT_CASE);
    table_sort(&r->runs, RUN_CASE);
    list_schemes(r, defaults.scheme);
    for (int k = 0; k < TYPICAL; k++)
        r->typical[k] = typical(r, RESULT_LIMITER + k, preferred[k]);
}

static enum err write_case(const struct report *r, const char *name)
{
    const struct flow_case *c = find_case(name);
    fputs("<h2 id=\"case-", r->out);
    html_text(r->out, name);
    fputs("\">", r->out);
    html_text(r->out, c ? c->title : name);
    fputs(" <small>", r->out);
    html_text(r->out, name);
    fputs("</small></h2>\n", r->out);
    if (c && c->cite) {
        fputs("<p class=\"cite\">", r->out);
        html_text(r->out, c->cite);
        fputs("</p>\n", r->out);
    }
    TRY(checks_accuracy(r, name));
    figures_of_case(r, name);
    TRY(checks_of_case(r, name));
    runs_of_case(r, name);
    return ERR_OK;
}

static enum err write_page(const struct report *r)
{
    html_head(r);
    TRY(checks_failed(r));
    checks_contents(r);
    TRY(checks_published(r));
    for (int k = 0; k < r->results.rows;) {
        const char *name = table_at(&r->results, k, RESULT_CASE);
        if (strcmp(name, "-") != 0)
            TRY(write_case(r, name));
        k = rows_with(&r->results, RESULT_CASE, name).end;
    }
    fputs("<h2 id=\"case--\">Every scheme</h2>\n<p>What must hold of every scheme, whatever the "
          "flow.</p>\n",
          r->out);
    if (rows_with(&r->results, RESULT_CASE, "-").end)
        TRY(checks_of_case(r, "-"));
    else
        fputs("<p class=\"left-out\">Nothing of this was run.</p>\n", r->out);
    TRY(checks_orders(r));
    fputs("<h2 id=\"kappa\">The influence of kappa</h2>\n", r->out);
    figures_of_kappa(r);
    figures_left_out(r);
    html_tail(r);
    return ERR_OK;
}

static enum err write_file(struct report *r)
{
    char path[REPORT_PATH];
    struct outfile file;
    enum err e = ERR_OK;
    snprintf(path, sizeof path, "%s/report.html", r->folder);
    TRY(outfile_create(&file, path));
    r->out = fopen(file.temporary, "w");
    if (!r->out) {
        e = outfile_failed(&file, errno, "it cannot be opened");
        goto out;
    }
    e = report_figures_draw(r);
    if (!e)
        e = write_page(r);
    const int failed = ferror(r->out);
    if ((fclose(r->out) != 0 || failed) && !e)
        e = outfile_failed(&file, errno, "writing failed");
out:
    if (!e)
        return outfile_publish(&file);
    outfile_discard(&file);
    return e;
}

enum err report_write(const char *folder)
{
    struct report r = {.folder = folder};
    enum err e = read_parts(&r);
    if (!e) {
        arrange(&r);
        r.no_gnuplot = !gnuplot_present();
        if (r.no_gnuplot)
            log_warning("no figures in the report: gnuplot was not found, or does not run; on "
                        "Debian or Ubuntu install gnuplot-nox");
        e = write_file(&r);
    }
    report_figures_free(&r);
    table_free(&r.results);
    table_free(&r.runs);
    table_free(&r.environment);
    table_free(&r.kappa);
    return e;
}
