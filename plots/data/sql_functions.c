/* Median and quantiles for SQLite. */
#include "plots/data/sql_parts.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"

/* The numbers of a group so far. */
struct numbers {
    double *x, share;
    size_t count, room;
};

/* Not known: it does not count. A word is a mistake. */
static int is_number(sqlite3_context *c, sqlite3_value *v)
{
    const int type = sqlite3_value_type(v);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        sqlite3_result_error(c, "median and quantile take numbers, and this is a word", -1);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void add(sqlite3_context *c, int count, sqlite3_value **v)
{
    struct numbers *all = sqlite3_aggregate_context(c, sizeof *all);
    if (!all || !is_number(c, v[0]))
        return;
    all->share = count > 1 ? sqlite3_value_double(v[1]) : 0.5;
    if (!(all->share >= 0 && all->share <= 1)) {
        sqlite3_result_error(c, "quantile(x, share) takes a share from 0 to 1", -1);
        return;
    }
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 16;
        double *more = sqlite3_realloc64(all->x, room * sizeof *more);
        if (!more) {
            sqlite3_result_error_nomem(c);
            return;
        }
        all->x = more;
        all->room = room;
    }
    all->x[all->count++] = sqlite3_value_double(v[0]);
}

/* A row leaves the window. */
static void take_out(sqlite3_context *c, int count, sqlite3_value **v)
{
    struct numbers *all = sqlite3_aggregate_context(c, sizeof *all);
    (void)count;
    if (!all || !is_number(c, v[0]))
        return;
    const double x = sqlite3_value_double(v[0]);
    for (size_t k = 0; k < all->count; k++)
        if (!(all->x[k] < x || all->x[k] > x)) {
            all->x[k] = all->x[--all->count];
            return;
        }
}

/* Interpolated between the two nearest (definition 7 of Hyndman and Fan, Sample quantiles in
 * statistical packages, 1996). */
static double quantile_of(const double *sorted, size_t n, double share)
{
    const double at = share * (double)(n - 1);
    const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static void answer(sqlite3_context *c, int median)
{
    struct numbers *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->count)
        return;
    const double middle = sorted_median(all->x, all->count);
    sqlite3_result_double(c, median ? middle : quantile_of(all->x, all->count, all->share));
}

static void median(sqlite3_context *c)
{
    answer(c, 1);
}

static void quantile(sqlite3_context *c)
{
    answer(c, 0);
}

static void forget(sqlite3_context *c)
{
    struct numbers *all = sqlite3_aggregate_context(c, 0);
    if (all)
        sqlite3_free(all->x);
}

static void last_median(sqlite3_context *c)
{
    median(c);
    forget(c);
}

static void last_quantile(sqlite3_context *c)
{
    quantile(c);
    forget(c);
}

int sql_functions_add(struct sqlite3 *db)
{
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    const int code = sqlite3_create_window_function(db, "median", 1, how, NULL, add, last_median,
                                                    median, take_out, NULL);
    return code ? code
                : sqlite3_create_window_function(db, "quantile", 2, how, NULL, add, last_quantile,
                                                 quantile, take_out, NULL);
}
#endif
