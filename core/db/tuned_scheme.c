/* Asks the tuning database for the fastest scheme: thesis 4.4.1. */
#include "core/db/tuned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/record.h"
#include "core/base/decimal.h"
#include "core/base/log.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"
#include "core/base/sorted.h"

enum { RUNS = 64, SCHEMES = 32 };

/* Timed runs of one scheme. */
struct timed {
    const struct scheme *scheme;
    double wall[RUNS]; /* s */
    size_t runs;
};

/* Where runs were made; the nearest place is used. */
struct origin {
    enum db_match match;
    double distance; /* between the numbers of cells: the logarithm of their ratio */
    int nx, ny;
    char session[DB_SESSION + 1];
    struct db_age age; /* the newest comes first */
};

struct selection {
    const struct tuned_for *run;
    const char *precision;
    struct origin origin;
    struct timed timed[SCHEMES];
    int count;
};

/* The columns that matter. */
enum {
    AT_SCHEME,
    AT_PRECISION,
    AT_MODE,
    AT_NX,
    AT_NY,
    AT_BLOCKS,
    AT_SESSION,
    AT_OUTCOME,
    AT_WALL,
    COLUMNS
};
static const char *const names[COLUMNS] = {"scheme", "precision", "mode",    "nx",    "ny",
                                           "blocks", "session",   "outcome", "wall_s"};

/* Negative if `a` is preferred. */
static int compare(const struct origin *a, const struct origin *b)
{
    if (a->match != b->match)
        return a->match < b->match ? -1 : 1;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    const int order = db_age_compare(&b->age, &a->age);
    return order ? order : strcmp(a->session, b->session);
}

/* The thesis chooses among those of second order. The chosen one may take turns with rk2, which would leave
 * what a midpoint scheme keeps of its last step out of date. */
static int eligible(const struct scheme *s)
{
    return s && s->order_time >= 2 && s->order_space >= 2 && !s->midpoint;
}

static void add_scheme(struct selection *all, const struct scheme *scheme, double wall)
{
    int k = 0;
    while (k < all->count && all->timed[k].scheme != scheme)
        k++;
    if (k == SCHEMES || all->timed[k].runs == RUNS)
        return;
    all->count += k == all->count;
    all->timed[k].scheme = scheme;
    all->timed[k].wall[all->timed[k].runs++] = wall;
}

/* A positive number, or NAN. */
static double number(const char *text)
{
    const double x = decimal_read(text);
    return x > 0 ? x : (double)NAN;
}

static void consider(struct selection *all, enum db_match match, const struct db_manifest *m,
                     const char *const cell[COLUMNS])
{
    const struct tuned_for *run = all->run;
    const struct scheme *scheme = find_scheme(cell[AT_SCHEME]);
    const double nx = number(cell[AT_NX]), ny = number(cell[AT_NY]), wall = number(cell[AT_WALL]);
    if (!eligible(scheme) || strcmp(cell[AT_OUTCOME], "ok") != 0 ||
        strcmp(cell[AT_PRECISION], all->precision) != 0 ||
        strcmp(cell[AT_MODE], mode_names[FAST_MODE]) != 0 ||
        strcmp(cell[AT_BLOCKS], "tuned") != 0 || !db_session_get(m, cell[AT_SESSION], "started") ||
        nx > 1e6 || ny > 1e6)
        return;
    struct origin o = {.match = match, .nx = (int)nx, .ny = (int)ny};
    if (match == DB_OTHER_SIZE && o.nx == run->nx && o.ny == run->ny)
        o.match = DB_SAME_SIZE;
    else
        o.distance = fabs(log(nx * ny / ((double)run->nx * run->ny)));
    snprintf(o.session, sizeof o.session, "%s", cell[AT_SESSION]);
    o.age = db_age_of(m, cell[AT_SESSION]);
    const int order = all->count ? compare(&o, &all->origin) : -1;
    if (order < 0) {
        memset(all->timed, 0, sizeof all->timed);
        all->count = 0;
        all->origin = o;
    }
    if (order <= 0)
        add_scheme(all, scheme, wall);
}

/* An ok row whose numbers are none is malformed. */
static int malformed(const char *const cell[COLUMNS])
{
    return strcmp(cell[AT_OUTCOME], "ok") == 0 &&
           (isnan(number(cell[AT_NX])) || isnan(number(cell[AT_NY])) ||
            isnan(number(cell[AT_WALL])));
}

static enum err read_table(void *context, const char *path, enum db_match match,
                           const struct db_manifest *m)
{
    struct selection *all = context;
    struct db_cells t;
    int column[COLUMNS];
    if (db_cells_read(path, &t)) {
        log_warning("%s; this file is left out", err_message());
        return ERR_OK;
    }
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = db_cells_column(&t, names[k]);
        if (column[k] < 0) {
            log_warning("%s: it has no column '%s'; this file is left out", path, names[k]);
            goto out;
        }
    }
    for (size_t row = 1; row < t.rows; row++) {
        const char *cell[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            cell[k] = db_cells_at(&t, row, column[k]);
        if (malformed(cell))
            log_warning("%s: a row of scheme %s has no size or no time; it is left out", path,
                        cell[AT_SCHEME]);
        else
            consider(all, match, m, cell);
    }
out:
    db_cells_free(&t);
    return ERR_OK;
}

static const struct scheme *fastest(struct selection *all)
{
    const struct scheme *best = NULL;
    double least = (double)INFINITY;
    for (int k = 0; k < all->count; k++) {
        const double median = sorted_median(all->timed[k].wall, all->timed[k].runs);
        if (median < least) {
            least = median;
            best = all->timed[k].scheme;
        }
    }
    return best;
}

enum err tuned_scheme(const struct tuned_for *run, enum precision p, const struct scheme **scheme)
{
    struct db_view *v;
    struct selection all = {.run = run, .precision = precision_names[p]};
    *scheme = find_scheme(CASE_SCHEME);
    TRY(tuned_view(run, &v));
    const enum err e = v ? db_view_experiments(v, "schemes", read_table, &all) : ERR_OK;
    db_view_close(v);
    TRY(e);
    const struct scheme *best = fastest(&all);
    if (best) {
        *scheme = best;
        log_info("scheme %s: the fastest of %d of second order %s at %dx%d", best->name, all.count,
                 all.origin.match == DB_SAME_CAPABILITY ? "on a device of this compute capability"
                                                        : "on this device",
                 all.origin.nx, all.origin.ny);
    } else {
        log_info("scheme %s, the default: none is measured for this device in %s: "
                 "`shoal measure schemes`",
                 (*scheme)->name, all.precision);
    }
    return ERR_OK;
}
