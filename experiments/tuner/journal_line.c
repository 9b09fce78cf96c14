/* Writes and reads the lines of a journal. */
#include "experiments/tuner/journal_line.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "core/base/sha256.h"

enum { SUM = 8 };

/* What a line tells of a trial, in this order, beside its texts and timings. */
static const size_t told[] = {
    offsetof(struct trial, compile_ms), offsetof(struct trial, load_ms),
    offsetof(struct trial, measure_ms), offsetof(struct trial, registers),
    offsetof(struct trial, shared_b),   offsetof(struct trial, spill_b),
    offsetof(struct trial, occupancy),  offsetof(struct trial, sentinel_us),
    offsetof(struct trial, clock_mhz),  offsetof(struct trial, memory_mhz),
    offsetof(struct trial, celsius),    offsetof(struct trial, throttle),
};
enum { TOLD = sizeof told / sizeof told[0] };

/* Fields of a trial's line. */
enum {
    KERNEL,
    WIDTH,
    HEIGHT,
    ORDER,
    BINARY,
    OUTCOME,
    REASON,
    METHOD,
    NUMBERS,
    FIRST = NUMBERS + TOLD,
    US,
    FIELDS
};

void journal_line_add(struct journal_line *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(l->text + l->used, JOURNAL_LINE - l->used, fmt, ap);
    va_end(ap);
    l->used = n >= 0 && (size_t)n < JOURNAL_LINE - l->used ? l->used + (size_t)n : JOURNAL_LINE;
}

static void sum_of(const char *text, size_t n, char sum[SUM + 1])
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 s;
    sha256_init(&s);
    sha256_update(&s, text, n);
    sha256_final(&s, hex);
    snprintf(sum, SUM + 1, "%s", hex);
}

int journal_line_end(struct journal_line *l)
{
    char sum[SUM + 1];
    sum_of(l->text, l->used < JOURNAL_LINE ? l->used : 0, sum);
    journal_line_add(l, "\t%s\n", sum);
    return l->used < JOURNAL_LINE;
}

void journal_line_trial(struct journal_line *l, const struct trial *t, int first, int end)
{
    const struct block b = t->recipe.block;
    journal_line_add(l, "%s\t%d\t%d\t%ld\t%s\t%s\t%s\t%s", t->recipe.kernel->name, b.w, b.h,
                     t->sequence, t->binary, db_outcomes[t->outcome], t->reason, t->method);
    for (int k = 0; k < TOLD; k++) {
        double x;
        memcpy(&x, (const char *)t + told[k], sizeof x);
        journal_line_add(l, "\t%.17g", x);
    }
    journal_line_add(l, "\t%d\t", first);
    for (int k = first; k < end; k++)
        journal_line_add(l, "%s%.9g", k > first ? " " : "", (double)t->us[k]);
}

int journal_line_split(char *text, char **field, int count)
{
    int n = 0;
    for (char *p = strsep(&text, "\t"); p; p = strsep(&text, "\t"), n++)
        if (n < count)
            field[n] = p;
    return n == count;
}

int journal_line_verify(char *text, size_t n)
{
    char sum[SUM + 1];
    if (n < SUM + 1 || strlen(text) != n || text[n - SUM - 1] != '\t')
        return 0;
    sum_of(text, n - SUM - 1, sum);
    text[n - SUM - 1] = '\0';
    return strcmp(text + n - SUM, sum) == 0;
}

size_t journal_line_name(const char *text)
{
    const char *end = text;
    for (int k = KERNEL; k <= HEIGHT && end; k++)
        end = strchr(end, '\t') ? strchr(end, '\t') + 1 : NULL;
    return end ? (size_t)(end - text) : 0;
}

static int read_whole(const char *text, long least, long most, long *n)
{
    char *end;
    errno = 0;
    *n = strtol(text, &end, 10);
    return end > text && !*end && !errno && *n >= least && *n <= most;
}

static int read_texts(char *const *field, struct trial *t)
{
    int outcome = 0;
    while (outcome < DB_OUTCOMES && strcmp(field[OUTCOME], db_outcomes[outcome]) != 0)
        outcome++;
    t->outcome = (enum db_outcome)outcome;
    if (outcome == DB_OUTCOMES || strlen(field[BINARY]) >= sizeof t->binary ||
        strlen(field[REASON]) >= sizeof t->reason || strlen(field[METHOD]) >= sizeof t->method)
        return 0;
    strcpy(t->binary, field[BINARY]);
    strcpy(t->reason, field[REASON]);
    strcpy(t->method, field[METHOD]);
    return 1;
}

/* Timings go behind those that are known, where a line between is lost. */
static int read_timings(const char *text, long first, struct trial *t)
{
    char *end;
    if (*text && first < t->timings)
        t->timings = (int)first;
    for (; *text; text = end + (*end == ' ')) {
        const float us = strtof(text, &end);
        if (end == text || (*end && *end != ' ') || !isfinite(us) || t->timings == MOST_TIMINGS)
            return 0;
        t->us[t->timings++] = us;
    }
    return 1;
}

int journal_line_read(char *text, struct trial *t)
{
    char *field[FIELDS], *end;
    struct trial new = *t;
    long w, h, sequence, first;
    if (!journal_line_split(text, field, FIELDS) || !read_whole(field[WIDTH], 1, INT_MAX, &w) ||
        !read_whole(field[HEIGHT], 1, INT_MAX, &h) ||
        !read_whole(field[ORDER], 0, LONG_MAX, &sequence) ||
        !read_whole(field[FIRST], 0, MOST_TIMINGS, &first) || !read_texts(field, &new) ||
        !find_kernel(field[KERNEL]))
        return 0;
    new.recipe = (struct recipe){.kernel = find_kernel(field[KERNEL]), .block = {(int)w, (int)h}};
    new.sequence = sequence;
    for (int k = 0; k < TOLD; k++) {
        const double x = strtod(field[NUMBERS + k], &end);
        if (end == field[NUMBERS + k] || *end)
            return 0;
        memcpy((char *)&new + told[k], &x, sizeof x);
    }
    if (!read_timings(field[US], first, &new))
        return 0;
    *t = new;
    return 1;
}
