/* The statistics of a trial's timings, and its row of the database. */
#include "experiments/tuner/trial.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/private_text.h"
#include "core/base/sorted.h"

void trial_start(struct trial *t, const struct recipe *recipe, long sequence)
{
    const double unknown = (double)NAN;
    memset(t, 0, sizeof *t);
    t->recipe = *recipe;
    t->sequence = sequence;
    t->outcome = DB_OK;
    strcpy(t->binary, "-");
    strcpy(t->reason, "-");
    strcpy(t->method, "-");
    t->compile_ms = t->load_ms = t->measure_ms = unknown;
    t->registers = t->shared_b = t->spill_b = t->occupancy = unknown;
    t->sentinel_us = t->clock_mhz = t->memory_mhz = t->celsius = t->throttle = unknown;
}

/* Takes the folders out of paths: "in /usr/x/y.h:3" becomes "in y.h:3". */
static void drop_folders(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        const int begins = from == text || strchr(" \t\n\"'=:(,", from[-1]) != NULL ||
                           (unsigned char)from[-1] >= 0x80; /* a quotation mark */
        const size_t n = strcspn(from, " \t\n\"',)");
        if (*from == '/' && begins && n > 1) {
            size_t last = n - 1;
            while (from[last] != '/')
                last--;
            from += last + 1;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* One line of at most `most` bytes, without a partial UTF-8 character at its end. */
static void make_line(char *text, size_t most)
{
    size_t n = strlen(text);
    if (n > most) {
        n = most;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
            n--;
        text[n] = '\0';
    }
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

void trial_fail(struct trial *t, enum db_outcome outcome, const char *fmt, ...)
{
    char text[8192], what[PRIVATE_ROOM];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    drop_folders(text);
    make_line(text, DB_REASON);
    /* "a.bed.nx" in a compiler's message looks like a host name, which the database rejects. */
    for (char *c = text; db_private(text, what) && (c = strpbrk(c, ".@")) != NULL;)
        *c = ' ';
    t->outcome = outcome;
    snprintf(t->reason, sizeof t->reason, "%s", *text ? text : "no reason was given");
}

/* The timings, as far as rows can have them, in ascending order; returns how many. */
static int sorted_timings(const struct trial *t, double us[MOST_TIMINGS])
{
    const int n = t->timings < MOST_TIMINGS ? t->timings : MOST_TIMINGS;
    for (int k = 0; k < n; k++)
        us[k] = fmin(fmax((double)t->us[k], db_columns[DB_MIN].low), db_columns[DB_MIN].high);
    qsort(us, (size_t)n, sizeof *us, sorted_before);
    return n;
}

/* Interpolated between the two nearest (definition 7 of Hyndman and Fan, Sample quantiles in
 * statistical packages, 1996). */
static double quantile(const double *sorted, int n, double share)
{
    const double at = share * (n - 1);
    const int below = (int)at;
    const int above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

double trial_median(const struct trial *t)
{
    double us[MOST_TIMINGS] = {0};
    const int n = sorted_timings(t, us);
    return t->outcome == DB_OK && n > 0 ? quantile(us, n, 0.5) : (double)INFINITY;
}

struct moments {
    double mean, deviation; /* of the sample; NAN for a single one */
};

static struct moments moments_of(const double *x, int n)
{
    struct moments m = {0};
    double squares = 0;
    for (int k = 0; k < n; k++)
        m.mean += x[k] / n;
    for (int k = 0; k < n; k++)
        squares += (x[k] - m.mean) * (x[k] - m.mean);
    m.deviation = n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    return m;
}

/* Writes statistics of all timings, and of those that the thesis's outlier rule keeps: one pass, as
 * in its chapter 4.2.3. */
static void put_statistics(const struct trial *t, double number[DB_NUMBERS])
{
    enum { THESIS_CUT = 3 }; /* standard deviations */
    double us[MOST_TIMINGS] = {0};
    const int n = sorted_timings(t, us);
    if (n < 1)
        return;
    const struct moments all = moments_of(us, n);
    int first = 0, kept = n;
    while (kept > 1 && all.mean - us[first] > THESIS_CUT * all.deviation)
        first++, kept--;
    while (kept > 1 && us[first + kept - 1] - all.mean > THESIS_CUT * all.deviation)
        kept--;
    const struct moments some = moments_of(us + first, kept);
    number[DB_KEPT] = kept;
    number[DB_DROPPED] = n - kept;
    number[DB_MIN] = us[0];
    number[DB_Q1] = quantile(us, n, 0.25);
    number[DB_MEDIAN] = quantile(us, n, 0.5);
    number[DB_Q3] = quantile(us, n, 0.75);
    number[DB_MAX] = us[n - 1];
    /* Rounding must not carry the mean of equal times past them. */
    number[DB_MEAN] = fmin(fmax(some.mean, us[0]), us[n - 1]);
    number[DB_SPREAD] = some.deviation;
}

/* As in the row's text: rounded, within the limits; an implausible value is unknown. */
static double tidy(int k, double x)
{
    char text[64];
    if (isnan(x))
        return x;
    if (db_columns[k].always)
        x = fmin(fmax(x, db_columns[k].low), db_columns[k].high);
    if (!(fabs(x) <= 2 * fabs(db_columns[k].high)))
        return (double)NAN;
    snprintf(text, sizeof text, "%.*f", db_columns[k].decimals, x);
    x = strtod(text, NULL);
    if (x < db_columns[k].low || x > db_columns[k].high)
        return (double)NAN;
    return x == 0 ? 0 : x; /* never -0 */
}

void trial_row(const struct trial *t, const struct trial_names *names, struct db_row *row)
{
    const int timed = t->timings > 0 && (t->outcome == DB_OK || t->outcome == DB_TIME_OUT);
    *row = (struct db_row){.block = t->recipe.block, .outcome = t->outcome};
    snprintf(row->flags, sizeof row->flags, "%s", names->flags);
    snprintf(row->source, sizeof row->source, "%s", names->source);
    snprintf(row->session, sizeof row->session, "%s", names->session);
    snprintf(row->binary, sizeof row->binary, "%s", t->binary);
    snprintf(row->reason, sizeof row->reason, "%s", t->outcome == DB_OK ? "-" : t->reason);
    snprintf(row->method, sizeof row->method, "%s", timed ? t->method : "-");
    for (int k = 0; k < DB_NUMBERS; k++)
        row->number[k] = (double)NAN;
    if (timed)
        put_statistics(t, row->number);
    row->number[DB_SENTINEL] = t->sentinel_us;
    row->number[DB_REGISTERS] = t->registers;
    row->number[DB_SHARED] = t->shared_b;
    row->number[DB_SPILL] = t->spill_b;
    row->number[DB_OCCUPANCY] = t->occupancy;
    row->number[DB_COMPILE_COST] = t->compile_ms;
    row->number[DB_LOAD_COST] = t->load_ms;
    row->number[DB_MEASURE_COST] = t->measure_ms;
    row->number[DB_CLOCK] = t->clock_mhz;
    row->number[DB_MEMORY_CLOCK] = t->memory_mhz;
    row->number[DB_TEMPERATURE] = t->celsius;
    row->number[DB_THROTTLE] = t->throttle;
    row->number[DB_SEQUENCE] = (double)t->sequence;
    for (int k = 0; k < DB_NUMBERS; k++)
        row->number[k] = tidy(k, row->number[k]);
}
