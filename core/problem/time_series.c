/* Reads and checks series. */
#include "core/problem/time_series.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/input_files.h"
#include "core/base/sha256.h"
#include "core/base/whole_file.h"

struct reader {
    struct timeseries *s;
    const char *name;
    int line, last_line; /* current line, and that of the last row */
    int titles;          /* the header line was read */
    size_t room;
};

enum { LONGEST_WORD = 40, WORDS = 2 };

/* A word of a line. */
struct word {
    const char *at;
    int length;
};

static int is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

/* Finds the words of a line up to a comment; returns how many there are, the first two in `word`. */
static int split(const char *line, const char *end, struct word word[WORDS])
{
    int n = 0;
    for (;;) {
        while (line < end && is_separator(*line))
            line++;
        if (line == end || *line == '#')
            return n;
        const char *begin = line;
        while (line < end && !is_separator(*line) && *line != '#')
            line++;
        if (n < WORDS)
            word[n] = (struct word){begin, (int)(line - begin)};
        n++;
    }
}

static int to_number(const struct word *w, double *x)
{
    char text[LONGEST_WORD + 1], *end;
    if (w->length > LONGEST_WORD)
        return 0;
    memcpy(text, w->at, (size_t)w->length);
    text[w->length] = '\0';
    *x = strtod(text, &end);
    return end != text && *end == '\0';
}

static enum err enlarge(const struct reader *r, double **column, size_t room)
{
    double *more = room > INT_MAX ? NULL : realloc(*column, room * sizeof *more);
    if (!more)
        FAIL(MEMORY, "%s: no memory for %zu rows", r->name, room);
    *column = more;
    return ERR_OK;
}

static enum err make_room(struct reader *r)
{
    const size_t room = r->room ? 2 * r->room : 64;
    if ((size_t)r->s->rows < r->room)
        return ERR_OK;
    TRY(enlarge(r, &r->s->time, room));
    TRY(enlarge(r, &r->s->value, room));
    r->room = room;
    return ERR_OK;
}

static enum err add_row(struct reader *r, double time, double value)
{
    struct timeseries *s = r->s;
    const int last = s->rows - 1;
    if (s->rows > 0 && time <= s->time[last])
        FAIL(INPUT, "%s:%d: time %.15g s %s %.15g s on line %d: expected ascending times", r->name,
             r->line, time, time < s->time[last] ? "comes after" : "repeats", s->time[last],
             r->last_line);
    if (s->rows > 0 && !isfinite((value - s->value[last]) / (time - s->time[last])))
        FAIL(INPUT, "%s:%d: the step from line %d is too steep to be computed with", r->name,
             r->line, r->last_line);
    TRY(make_room(r));
    s->time[s->rows] = time;
    s->value[s->rows++] = value;
    r->last_line = r->line;
    return ERR_OK;
}

static enum err read_line(struct reader *r, const char *line, const char *end)
{
    struct word word[WORDS];
    double x[WORDS];
    const int n = split(line, end, word);
    if (n == 0)
        return ERR_OK;
    if (!r->titles && r->s->rows == 0 && !to_number(&word[0], &x[0])) {
        r->titles = 1;
        return ERR_OK;
    }
    if (n != WORDS)
        FAIL(INPUT, "%s:%d: %d column%s: expected two, time in s and value%s", r->name, r->line, n,
             n == 1 ? "" : "s", n > 2 ? "; decimals begin with a point, not with a comma" : "");
    for (int k = 0; k < WORDS; k++) {
        const int shown = word[k].length < LONGEST_WORD ? word[k].length : LONGEST_WORD;
        if (!to_number(&word[k], &x[k]))
            FAIL(INPUT, "%s:%d: '%.*s' is not a number: expected two columns, time in s and value",
                 r->name, r->line, shown, word[k].at);
        if (!isfinite(x[k]))
            FAIL(INPUT, "%s:%d: '%.*s' is not a finite number", r->name, r->line, shown,
                 word[k].at);
    }
    return add_row(r, x[0], x[1]);
}

static enum err read_lines(struct reader *r, const char *text, size_t n)
{
    const char *const end = text + n;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* the byte order mark of some editors */
        text += 3;
    if (memchr(text, '\0', (size_t)(end - text)))
        FAIL(INPUT, "%s: this is not a text file", r->name);
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        r->line++;
        TRY(read_line(r, text, stop ? stop : end));
        text = stop ? stop + 1 : end;
    }
    if (r->s->rows < 2)
        FAIL(INPUT, "%s: %d row%s: expected two or more of time in s and value", r->name,
             r->s->rows, r->s->rows == 1 ? "" : "s");
    return ERR_OK;
}

enum err timeseries_parse(struct timeseries *s, const char *text, size_t n, const char *name)
{
    struct reader r = {.s = s, .name = name};
    struct sha256 sum;
    char hex[SHA256_DIGITS + 1];
    *s = (struct timeseries){0};
    TRY(read_lines(&r, text, n));
    sha256_init(&sum);
    sha256_update(&sum, text, n);
    sha256_final(&sum, hex);
    memcpy(s->hash, hex, TIMESERIES_HASH);
    return ERR_OK;
}

enum err timeseries_read(struct timeseries *s, const char *path)
{
    char *text = NULL;
    size_t n = 0;
    *s = (struct timeseries){0};
    TRY(whole_file_read(path, WHOLE_TEXT, &text, &n));
    input_files_note(path);
    const enum err e = timeseries_parse(s, text, n, path);
    free(text);
    return e;
}

enum err timeseries_covers(const struct timeseries *s, double from, double to, const char *name)
{
    const double first = s->time[0], last = s->time[s->rows - 1];
    if (first > from)
        FAIL(INPUT,
             "%s: the first row is at %.15g s, but the run starts at %.15g s: add a row for that "
             "time",
             name, first, from);
    if (last < to)
        FAIL(INPUT,
             "%s: the last row is at %.15g s, but the run ends at %.15g s: add a row for that "
             "time, or end the run with --t-end %.15g%s",
             name, last, to, last,
             3600 * last < to || 30 * last > to
                 ? ""
                 : " (times are seconds: are these minutes or hours?)");
    return ERR_OK;
}

/* The value at a time between rows k and k + 1. */
static double between(const struct timeseries *s, int k, double time)
{
    const double share = (time - s->time[k]) / (s->time[k + 1] - s->time[k]);
    return s->value[k] + share * (s->value[k + 1] - s->value[k]);
}

double timeseries_integral(const struct timeseries *s, double from, double to)
{
    double sum = 0;
    for (int k = 0; k + 1 < s->rows; k++) {
        const double begin = fmax(s->time[k], from), end = fmin(s->time[k + 1], to);
        if (begin < end)
            sum += (end - begin) * 0.5 * (between(s, k, begin) + between(s, k, end));
    }
    return sum;
}

/* The mean absolute value of a straight piece from x to y, which may change sign. */
static double mean_size(double x, double y)
{
    const double a = fabs(x), b = fabs(y);
    return x * y < 0 ? 0.5 * (a * a + b * b) / (a + b) : 0.5 * (a + b);
}

double timeseries_size(const struct timeseries *s, double from, double to)
{
    double sum = 0;
    for (int k = 0; k + 1 < s->rows; k++) {
        const double begin = fmax(s->time[k], from), end = fmin(s->time[k + 1], to);
        if (begin < end)
            sum += (end - begin) * mean_size(between(s, k, begin), between(s, k, end));
    }
    return sum;
}

void timeseries_free(struct timeseries *s)
{
    free(s->time);
    free(s->value);
    *s = (struct timeseries){0};
}
