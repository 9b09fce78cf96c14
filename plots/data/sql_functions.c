/* Median, its interval, and quantiles for SQLite. */
#include "plots/data/sql_parts.h"

#ifdef HAVE_SQLITE

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"

/* The numbers of a group so far. */
struct numbers {
    double *x, share;
    size_t count, room;
};

/* NULL does not count. A word is an error. */
static int is_number(sqlite3_context *c, sqlite3_value *v)
{
    const int type = sqlite3_value_type(v);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        sqlite3_result_error(c, "median, low, high and quantile expect numbers, got a word", -1);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void add_value(sqlite3_context *c, int count, sqlite3_value **v)
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
    const size_t below = (size_t)at;
    const double part = at - (double)below;
    return part > 0 ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

/* The interval of a median lies between two of the numbers, as many places from the smallest as from
 * the largest: as many as leave the median of their distribution outside with a probability of no
 * more than 2 / 2^6, 3 %. Of n numbers k or fewer are below that median with the probability that n
 * tosses of a coin show k heads or fewer. Six numbers are the fewest with such an interval: their
 * range. For fewer it is extended to Student's interval of the mean for 97 %, assuming normal
 * logarithms (or numbers, if not all are above 0); these are its factors for 2 to 5 numbers. A
 * single number has no interval. */
enum { ENOUGH = 6 };
static const double student[ENOUGH] = {[2] = 21.2, [3] = 5.64, [4] = 3.90, [5] = 3.30};

/* How many of n >= ENOUGH sorted numbers lie outside the interval at each end. Logarithms, as 2^-n
 * of many numbers is too small for a double. */
static size_t left_out(size_t n)
{
    const double most = 2 * exp(-ENOUGH * log(2)) * (1 + 1e-9);
    double log_heads = -(double)n * log(2), tails = 2 * exp(log_heads);
    size_t k = 0;
    for (; tails <= most; k++) {
        log_heads += log((double)(n - k) / (double)(k + 1));
        tails += 2 * exp(log_heads);
    }
    return k - 1;
}

/* The end of the interval towards `side`, -1 or 1; of n sorted numbers, n > 1. */
static double end_of(const double *sorted, size_t n, int side)
{
    const size_t out = n < ENOUGH ? 0 : left_out(n);
    const double there = sorted[side > 0 ? n - 1 - out : out];
    const int logarithms = sorted[0] > 0;
    double x[ENOUGH], mean = 0, squares = 0;
    if (n >= ENOUGH)
        return there;
    for (size_t k = 0; k < n; k++) {
        x[k] = logarithms ? log(sorted[k]) : sorted[k];
        mean += x[k] / (double)n;
    }
    for (size_t k = 0; k < n; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    double end = mean + side * student[n] * sqrt(squares / (double)((n - 1) * n));
    end = logarithms ? exp(end) : end;
    return side > 0 ? fmax(end, there) : fmin(end, there);
}

enum what { MEDIAN, LOW, HIGH, QUANTILE };

static void answer(sqlite3_context *c, enum what what)
{
    struct numbers *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->count || (all->count == 1 && (what == LOW || what == HIGH)))
        return;
    const double middle = sorted_median(all->x, all->count);
    sqlite3_result_double(c, what == MEDIAN     ? middle
                             : what == QUANTILE ? quantile_of(all->x, all->count, all->share)
                                                : end_of(all->x, all->count, what == LOW ? -1 : 1));
}

static void forget(sqlite3_context *c)
{
    struct numbers *all = sqlite3_aggregate_context(c, 0);
    if (all)
        sqlite3_free(all->x);
}

/* The current value, and that at the end of a group. */
#define AGGREGATE(name, what)                   \
    static void name(sqlite3_context *c)        \
    {                                           \
        answer(c, what);                        \
    }                                           \
    static void last_##name(sqlite3_context *c) \
    {                                           \
        answer(c, what);                        \
        forget(c);                              \
    }
AGGREGATE(median, MEDIAN)
AGGREGATE(low, LOW)
AGGREGATE(high, HIGH)
AGGREGATE(quantile, QUANTILE)

int sql_functions_add(struct sqlite3 *db)
{
    static const struct {
        const char *name;
        int arguments;
        void (*last)(sqlite3_context *), (*now)(sqlite3_context *);
    } functions[] = {{"median", 1, last_median, median},
                     {"low", 1, last_low, low},
                     {"high", 1, last_high, high},
                     {"quantile", 2, last_quantile, quantile}};
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = SQLITE_OK;
    for (size_t k = 0; k < sizeof functions / sizeof *functions && code == SQLITE_OK; k++)
        code = sqlite3_create_window_function(db, functions[k].name, functions[k].arguments, how,
                                              NULL, add_value, functions[k].last, functions[k].now,
                                              take_out, NULL);
    return code;
}
#endif
