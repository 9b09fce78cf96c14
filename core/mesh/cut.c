/* Splits a domain into parts. */
#include "core/mesh/cut.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y };
static const char *const axis_names[] = {[X] = "columns", [Y] = "rows"};

/* A positive number at the start of a text, and the text after it; 0: no such number. */
static int number(const char *text, const char **rest)
{
    char *end;
    const long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (n < 1 || n > INT_MAX / MOST_CUTS)
        return 0;
    *rest = end;
    return (int)n;
}

/* "3", three equal ones, or "1:2:1". 0: neither. */
static int read_axis(const char *text, size_t length, struct shares *s, int axis)
{
    const char *rest = text;
    int n = number(text, &rest), *count = &s->count[axis];
    *count = 0;
    for (; n > 0 && *count < MOST_CUTS; n = number(rest + 1, &rest)) {
        s->share[axis][(*count)++] = n;
        if (*rest != ':')
            break;
    }
    if (n == 0 || rest != text + length)
        return 0;
    if (*count > 1)
        return 1;
    *count = s->share[axis][0];
    for (int k = 0; k < *count && k < MOST_CUTS; k++)
        s->share[axis][k] = 1;
    return 1;
}

enum err shares_read(const char *text, struct shares *s)
{
    const char *by = strchr(text, 'x');
    struct shares read = {.count = {1, 1}, .share = {{1}, {1}}};
    const char *const rows = by ? by + 1 : text;
    if ((by && !read_axis(text, (size_t)(by - text), &read, X)) ||
        !read_axis(rows, strlen(rows), &read, Y))
        FAIL(USAGE,
             "expected a number of parts such as 4, columns x rows such as 2x2, or shares of the "
             "rows such as 1:2:1, each a whole number from 1 on; got '%s'",
             text);
    if (read.count[X] > MOST_CUTS || read.count[Y] > MOST_CUTS ||
        (long)read.count[X] * read.count[Y] > MOST_PARTS)
        FAIL(USAGE, "'%s': expected at most %d parts along an axis and %d in total", text,
             (int)MOST_CUTS, (int)MOST_PARTS);
    *s = read;
    return ERR_OK;
}

struct shares shares_rows(int n)
{
    struct shares s = {.count = {1, n}, .share = {{1}, {1}}};
    for (int k = 0; k < n; k++)
        s.share[Y][k] = 1;
    return s;
}

static size_t print_axis(const struct shares *s, int axis, char *text, size_t n)
{
    size_t used = 0;
    int equal = 1;
    for (int k = 0; k < s->count[axis]; k++)
        equal &= s->share[axis][k] == 1;
    if (equal)
        return (size_t)snprintf(text, n, "%d", s->count[axis]);
    for (int k = 0; k < s->count[axis] && used < n; k++)
        used += (size_t)snprintf(text + used, n - used, "%s%d", k ? ":" : "", s->share[axis][k]);
    return used;
}

void shares_print(const struct shares *s, char *text, size_t n)
{
    size_t used = 0;
    if (s->count[X] > 1) {
        used = print_axis(s, X, text, n);
        used += used < n ? (size_t)snprintf(text + used, n - used, "x") : 0;
    }
    if (used < n)
        print_axis(s, Y, text + used, n - used);
}

int shares_parts(const struct shares *s)
{
    return s->count[X] * s->count[Y];
}

struct shares shares_turned(const struct shares *s)
{
    struct shares turned = {.count = {s->count[Y], s->count[X]}};
    memcpy(turned.share[X], s->share[Y], sizeof turned.share[X]);
    memcpy(turned.share[Y], s->share[X], sizeof turned.share[Y]);
    return turned;
}

/* at[k]: the first cell of part k along an axis. */
static enum err cut_axis(const struct shares *s, int axis, int n, int least, int at[MOST_CUTS + 1])
{
    const int count = s->count[axis];
    long sum = s->share[axis][0], before = 0;
    for (int k = 1; k < count; k++)
        sum += s->share[axis][k];
    for (int k = 0; k <= count; k++) {
        at[k] = (int)((long)n * before / sum);
        const int most = n / least < 1 ? 1 : n / least;
        if (k > 0 && count > 1 && at[k] - at[k - 1] < least)
            FAIL(USAGE,
                 "--parts: part %d of the %d %s would have %d of the domain's %d cells: expected "
                 "%d or more; choose %s%d %s there, or larger shares",
                 k, count, axis_names[axis], at[k] - at[k - 1], n, least,
                 most > 1 ? "at most " : "", most, most > 1 ? "equal parts" : "part");
        before += k < count ? s->share[axis][k] : 0;
    }
    return ERR_OK;
}

enum err cut_domain(const struct shares *s, int nx, int ny, int least, struct partition *c)
{
    c->columns = s->count[X];
    c->rows = s->count[Y];
    TRY(cut_axis(s, X, nx, least, c->x));
    return cut_axis(s, Y, ny, least, c->y);
}

struct window cut_part(const struct partition *c, int k)
{
    const int i = k % c->columns, j = k / c->columns;
    return (struct window){c->x[i], c->y[j], c->x[i + 1] - c->x[i], c->y[j + 1] - c->y[j]};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

struct window window_overlap(const struct window *a, const struct window *b)
{
    const int i0 = larger(a->i0, b->i0), i1 = smaller(a->i0 + a->nx, b->i0 + b->nx);
    const int j0 = larger(a->j0, b->j0), j1 = smaller(a->j0 + a->ny, b->j0 + b->ny);
    const int some = i1 > i0 && j1 > j0;
    return (struct window){i0, j0, some ? i1 - i0 : 0, some ? j1 - j0 : 0};
}
