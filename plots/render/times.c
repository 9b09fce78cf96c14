/* Chooses records by time or number. */
#include "plots/render/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"

enum { MOST_DECIMALS = 3 };

static size_t nearest(const struct ncrecords *r, double t)
{
    size_t best = 0;
    for (size_t k = 1; k < r->records; k++)
        if (fabs(r->time[k] - t) < fabs(r->time[best] - t))
            best = k;
    return best;
}

/* A record comes at the first step at or after its time: it may be a little late, and so may the last
 * time asked for. */
static enum err find_one(const struct ncrecords *r, const char *word, size_t *record)
{
    const double first = r->time[0], last = r->time[r->records - 1], t = decimal_read(word);
    const double slack =
        r->records > 1 ? 0.5 * (last - first) / (double)(r->records - 1) : 0.01 * fabs(last);
    *record = r->records - 1;
    if (strcmp(word, "last") == 0)
        return ERR_OK;
    if (isnan(t))
        FAIL(USAGE, "expected a time in seconds or 'last', got '%s'", word);
    if ((t < first - slack || t > last + slack) && r->records == 1)
        FAIL(USAGE, "there is no record at %g s: %s has one, at %g s", t, r->path, first);
    if (t < first - slack || t > last + slack)
        FAIL(USAGE, "there is no record at %g s: %s has %zu from %g to %g s", t, r->path,
             r->records, first, last);
    *record = nearest(r, t);
    return ERR_OK;
}

static int ascending(const void *a, const void *b)
{
    const size_t l = *(const size_t *)a, r = *(const size_t *)b;
    return (l > r) - (l < r);
}

static enum err read_list(struct chosen *c, const struct ncrecords *r, char *words)
{
    for (char *word = strsep(&words, ","); word; word = strsep(&words, ","))
        TRY(find_one(r, word, &c->record[c->count++]));
    qsort(c->record, (size_t)c->count, sizeof *c->record, ascending);
    int kept = 1;
    for (int k = 1; k < c->count; k++)
        if (c->record[k] != c->record[kept - 1])
            c->record[kept++] = c->record[k];
    c->count = kept;
    return ERR_OK;
}

/* As many digits as distinguish the times; for a single time, as many as it has. */
static int find_decimals(const struct chosen *c, const struct ncrecords *r)
{
    double gap = fmod(r->time[c->record[0]], 1) == 0 ? 1 : r->time[c->record[0]] / 20;
    for (int k = 1; k < c->count; k++) {
        const double d = r->time[c->record[k]] - r->time[c->record[k - 1]];
        gap = k == 1 || (d < gap && d > 0) ? d : gap;
    }
    /* Times are those of steps, close to round ones: 4.9996 s after the one before is 5 s. */
    const int n = gap > 0 ? (int)ceil(-log10(1.05 * gap)) : 0;
    return n < 0 ? 0 : n < MOST_DECIMALS ? n : MOST_DECIMALS;
}

enum err chosen_find(struct chosen *c, const struct ncrecords *r, const char *list, int every)
{
    enum err e = ERR_OK;
    size_t room = r->records + 1;
    char *words = strdup(list);
    for (const char *p = list; *p; p++)
        room += *p == ',';
    *c = (struct chosen){.record = calloc(room, sizeof *c->record)};
    if (!c->record || !words) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %zu records", room);
    } else if (!r->records) {
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: there is no record in it", r->path);
    } else if (*list) {
        e = read_list(c, r, words);
    } else {
        for (size_t k = 0; k < r->records; k += (size_t)every)
            c->record[c->count++] = k;
        if (c->record[c->count - 1] != r->records - 1)
            c->record[c->count++] = r->records - 1;
    }
    if (!e)
        c->decimals = find_decimals(c, r);
    free(words);
    if (e)
        chosen_free(c);
    return e;
}

void chosen_free(struct chosen *c)
{
    free(c->record);
    *c = (struct chosen){0};
}

void time_text(double t, int decimals, char text[TIME_TEXT])
{
    const double unit = pow(10, decimals), rounded = round(fabs(t) * unit) / unit;
    const double whole = floor(rounded), part = round((rounded - whole) * unit);
    const long long s = whole < 1e15 ? (long long)whole : 0;
    int n = snprintf(text, TIME_TEXT, "%s%lld:%02lld:%02lld", t < 0 ? "-" : "", s / 3600,
                     s / 60 % 60, s % 60);
    if (decimals > 0)
        snprintf(text + n, (size_t)(TIME_TEXT - n), ".%0*.0f", decimals, part);
}
