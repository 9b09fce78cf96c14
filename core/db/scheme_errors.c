#include "core/db/scheme_errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"

/* One run of one point. */
struct error_row {
    const struct scheme *scheme;
    char point[DB_NAME + 32]; /* "vortex 256 256" */
    double l1;
};

struct scheme_errors {
    const char *precision;
    struct row_origin origin;
    struct error_row *row;
    size_t count;
    enum err failed;
};

enum {
    AT_CASE,
    AT_SCHEME,
    AT_PRECISION,
    AT_NX,
    AT_NY,
    AT_CFL,
    AT_RUN,
    AT_SESSION,
    AT_OUTCOME,
    AT_L1,
    COLUMNS
};
static const char *const names[COLUMNS] = {"case", "scheme", "precision", "nx",      "ny",
                                           "cfl",  "run",    "session",   "outcome", "l1"};

/* Repetitions have the same error. */
static int counts(const struct scheme_errors *e, const struct db_manifest *m,
                  const char *const cell[])
{
    const struct scheme *s = find_scheme(cell[AT_SCHEME]);
    struct config usual;
    if (!s || strcmp(cell[AT_OUTCOME], "ok") != 0 || strcmp(cell[AT_RUN], "1") != 0 ||
        strcmp(cell[AT_PRECISION], e->precision) != 0 || isnan(row_number(cell[AT_L1])) ||
        !db_session_get(m, cell[AT_SESSION], "started"))
        return 0;
    config_defaults(&usual);
    usual.cfl = (double)NAN;
    return fabs(row_number(cell[AT_CFL]) - config_courant(&usual, s)) < 1e-6;
}

static void consider(void *context, enum db_match match, const struct db_manifest *m,
                     const char *path, const char *const cell[])
{
    struct scheme_errors *e = context;
    (void)path;
    if (e->failed || !counts(e, m, cell))
        return;
    const struct row_origin o = row_origin_of(match, m, cell[AT_SESSION]);
    const int order = e->count ? row_origin_compare(&o, &e->origin) : -1;
    if (order > 0)
        return;
    if (order < 0) {
        e->count = 0;
        e->origin = o;
    }
    e->failed = memory_more(&e->row, e->count, sizeof *e->row, "errors of schemes");
    if (e->failed)
        return;
    struct error_row *row = &e->row[e->count++];
    *row =
        (struct error_row){.scheme = find_scheme(cell[AT_SCHEME]), .l1 = row_number(cell[AT_L1])};
    snprintf(row->point, sizeof row->point, "%s %s %s", cell[AT_CASE], cell[AT_NX], cell[AT_NY]);
}

enum err scheme_errors_read(struct db_view *v, const char *precision, struct scheme_errors **out)
{
    struct scheme_errors *e = *out = calloc(1, sizeof *e);
    if (!e)
        FAIL(MEMORY, "no memory for the errors of schemes");
    e->precision = precision;
    TRY(named_rows_read(
        v, "accuracy",
        &(struct named_rows){.names = names, .columns = COLUMNS, .row = consider, .context = e}));
    return e->failed;
}

void scheme_errors_free(struct scheme_errors *e)
{
    if (e)
        free(e->row);
    free(e);
}

static double error_at(const struct scheme_errors *e, const struct scheme *s, const char *point)
{
    for (size_t k = 0; k < e->count; k++)
        if (e->row[k].scheme == s && strcmp(e->row[k].point, point) == 0)
            return e->row[k].l1;
    return (double)NAN;
}

double scheme_errors_ratio(const struct scheme_errors *e, const struct scheme *s)
{
    const struct scheme *standard = find_scheme(CASE_SCHEME);
    double sum = 0;
    int n = 0;
    for (size_t k = 0; k < e->count; k++) {
        const double beside = error_at(e, standard, e->row[k].point);
        if (e->row[k].scheme != s || isnan(beside))
            continue;
        sum += log(e->row[k].l1 / beside);
        n++;
    }
    return n ? exp(sum / n) : (double)NAN;
}
