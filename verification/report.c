/* The report: reads what the checks left, and puts its sections in order. */
#include "verification/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/outfile.h"
#include "core/registry.h"
#include "verification/report_parts.h"

static const char *const result_columns[] = {
    [RESULT_CASE] = "case",           [RESULT_SCHEME] = "scheme",   [RESULT_LIMITER] = "limiter",
    [RESULT_PRECISION] = "precision", [RESULT_BACKEND] = "backend", [RESULT_N] = "n",
    [RESULT_TIME] = "time",           [RESULT_NORM] = "norm",       [RESULT_VALUE] = "value",
    [RESULT_LIMIT] = "limit",         [RESULT_KIND] = "kind",       [RESULT_VERDICT] = "verdict",
    [RESULT_SECONDS] = "seconds",     [RESULT_WHY] = "why",         NULL,
};
static const char *const run_columns[] = {
    [RUN_CASE] = "case",
    [RUN_SCHEME] = "scheme",
    [RUN_LIMITER] = "limiter",
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

static enum err write_case(struct report *r, const char *name)
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
    checks_of_case(r, name);
    runs_of_case(r, name);
    return figures_of_case(r, name);
}

/* A case's name, if this row is the first that has it; else null. */
static const char *new_case(const struct report *r, int row)
{
    const char *name = table_at(&r->results, row, RESULT_CASE);
    return strcmp(name, "-") != 0 && table_first(&r->results, row, RESULT_CASE) ? name : NULL;
}

static enum err write_page(struct report *r)
{
    html_head(r);
    for (int k = 0; k < r->results.rows; k++)
        if (new_case(r, k))
            TRY(write_case(r, new_case(r, k)));
    fputs("<h2 id=\"case--\">Every scheme</h2>\n<p>What must hold of every scheme, whatever the "
          "flow.</p>\n",
          r->out);
    checks_of_case(r, "-");
    checks_orders(r);
    fputs("<h2 id=\"kappa\">The influence of kappa</h2>\n", r->out);
    TRY(figures_of_kappa(r));
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
        r.no_gnuplot = !gnuplot_present();
        e = write_file(&r);
    }
    table_free(&r.results);
    table_free(&r.runs);
    table_free(&r.environment);
    table_free(&r.kappa);
    return e;
}
