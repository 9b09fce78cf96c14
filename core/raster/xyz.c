/* Tables of x, y and z: the points of an even grid, one a line, in any order. Points absent from
 * the table are missing values. */
#include "core/raster/readers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/fast_decimal.h"
#include "core/base/plane.h"
#include "core/base/sorted.h"

struct point {
    double x, y, z;
};

/* A set of distinct numbers: a hash table with NAN in free places; in the end they are sorted,
 * without gaps. */
struct values {
    double *at, last;
    size_t count, room;
};

/* The file is read twice: the grid must be known before a point can be put in its place, and the
 * points may not all fit into memory. */
struct table {
    const char *path;
    size_t count, line;
    struct values x, y;
    struct raster *r;
};

static int is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

static const char *skip(const char *s)
{
    while (is_separator(*s))
        s++;
    return s;
}

static int is_end(const char *s)
{
    return *s == '\0' || *s == '\n' || *s == '\r' || *s == '#';
}

/* The next number of a line, or "nan"; null: none. */
static const char *read_number(const char *s, double *x)
{
    s = skip(s);
    const char *end = fast_decimal_read(s, x);
    if (!end && strncasecmp(s, "nan", 3) == 0) {
        *x = (double)NAN;
        end = s + 3;
    }
    return end && (is_separator(*end) || is_end(end)) ? end : NULL;
}

/* 0: the line does not hold three numbers. */
static int read_point(const char *line, struct point *p)
{
    const char *s = read_number(line, &p->x);
    s = s ? read_number(s, &p->y) : NULL;
    s = s ? read_number(s, &p->z) : NULL;
    return s && is_end(skip(s)) && isfinite(p->x) && isfinite(p->y) && !isinf(p->z);
}

/* A heading: column names made of letters, in the first line. */
static int is_header(const char *line)
{
    line = skip(line);
    return isalpha((unsigned char)*line) || *line == '"';
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

int raster_is_xyz(const char *text)
{
    struct point p;
    while (is_end(skip(text)) && *text)
        text = next_line(text);
    if (is_header(text))
        text = next_line(text);
    return read_point(text, &p);
}

static enum err no_point(const struct table *t, const char *line)
{
    const size_t n = strcspn(line, "\r\n");
    FAIL(INPUT,
         "%s:%zu: '%.*s%s' is not x, y and z: three numbers with a decimal point, and blanks or "
         "commas between",
         t->path, t->line, (int)(n < 60 ? n : 60), line, n < 60 ? "" : "...");
}

/* The first column is x, whatever its name, but it must not be y. */
static enum err check_header(const struct table *t, const char *line)
{
    static const char *const others[] = {"y", "north", "lat", "row"};
    line = skip(line);
    line += *line == '"';
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncasecmp(line, others[k], strlen(others[k])) == 0)
            FAIL(INPUT, "%s:%zu: the first column is '%.*s': x must come first, then y, then z",
                 t->path, t->line, (int)strcspn(line, " \t,;\"\r\n"), line);
    return ERR_OK;
}

typedef enum err take_point(struct table *t, const struct point *p);

static enum err take_line(struct table *t, const char *line, take_point *take)
{
    struct point p;
    t->line++;
    if (is_end(skip(line)))
        return ERR_OK;
    if (t->count == 0 && is_header(line))
        return check_header(t, line);
    if (!read_point(line, &p))
        return no_point(t, line);
    t->count++;
    return take(t, &p);
}

static enum err read_points(struct table *t, FILE *f, take_point *take)
{
    char *line = NULL;
    size_t room = 0;
    enum err e = ERR_OK;
    t->count = t->line = 0;
    while (!e && getline(&line, &room, f) >= 0)
        e = take_line(t, line, take);
    free(line);
    if (!e && ferror(f))
        FAIL(INPUT, "%s: cannot be read: %s", t->path, strerror(errno));
    return e;
}

/* The place of x in the hash table, or the free place for it. */
static size_t find_value(const struct values *v, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
    size_t k = (size_t)(bits >> 32) & (v->room - 1);
    while (!isnan(v->at[k]) && v->at[k] != x)
        k = (k + 1) & (v->room - 1);
    return k;
}

/* Keeps at most half of the places occupied. */
static enum err make_room(const struct table *t, struct values *v)
{
    struct values more = {.count = v->count, .room = v->room ? 2 * v->room : 1024};
    if (2 * v->count < v->room)
        return ERR_OK;
    more.at = malloc(more.room * sizeof *more.at);
    if (!more.at)
        FAIL(MEMORY, "%s: no memory for %zu coordinates", t->path, v->count);
    for (size_t k = 0; k < more.room; k++)
        more.at[k] = (double)NAN;
    for (size_t k = 0; k < v->room; k++)
        if (!isnan(v->at[k]))
            more.at[find_value(&more, v->at[k])] = v->at[k];
    free(v->at);
    *v = more;
    return ERR_OK;
}

static enum err note_value(const struct table *t, struct values *v, double x)
{
    x += 0.0; /* turns -0 into 0 */
    if (v->count && x == v->last)
        return ERR_OK;
    TRY(make_room(t, v));
    const size_t k = find_value(v, x);
    v->count += isnan(v->at[k]) ? 1 : 0;
    v->at[k] = v->last = x;
    return ERR_OK;
}

static enum err note_point(struct table *t, const struct point *p)
{
    TRY(note_value(t, &t->x, p->x));
    return note_value(t, &t->y, p->y);
}

static void sort_values(struct values *v)
{
    size_t n = 0;
    for (size_t k = 0; k < v->room; k++)
        if (!isnan(v->at[k]))
            v->at[n++] = v->at[k];
    sorted_median(v->at, n);
}

/* An axis: its first value, the spacing, and the number of values. */
struct axis {
    double first, d;
    size_t n;
};

/* The smallest step between sorted values that is more than rounding. */
static double least_step(const double *x, size_t n)
{
    const double rounding = 1e-9 * fmax(fabs(x[0]), fabs(x[n - 1]));
    double least = (double)INFINITY;
    for (size_t k = 1; k < n; k++)
        if (x[k] - x[k - 1] > rounding)
            least = fmin(least, x[k] - x[k - 1]);
    return least;
}

static enum err find_axis(const struct table *t, const struct values *v, struct axis *a)
{
    const char name = v == &t->y ? 'y' : 'x';
    const double range = v->at[v->count - 1] - v->at[0], step = least_step(v->at, v->count);
    const double n = isinf(step) ? 1 : round(range / step) + 1;
    *a = (struct axis){.first = v->at[0], .d = n > 1 ? range / (n - 1) : 0};
    if (n < 2)
        FAIL(INPUT, "%s: all of its %zu points have the same %c: how large are the cells?", t->path,
             t->count, name);
    if (n > GRID_MOST || n > 100 * (double)t->count)
        FAIL(INPUT,
             "%s: its points do not form a regular grid: along %c two of them lie %.6g apart, and "
             "all over "
             "%.9g; make one of them, such as by `gdal_grid`",
             t->path, name, step, range);
    a->n = (size_t)n;
    return ERR_OK;
}

/* A value's index along an axis; up to a tenth of a step counts as rounding. */
static enum err find_number(const struct table *t, double value, const struct axis *a, char name,
                            size_t *number)
{
    const double k = (value - a->first) / a->d;
    if (fabs(k - round(k)) > 0.1)
        FAIL(INPUT,
             "%s:%zu: %c = %.12g does not lie on an even grid of steps of %.9g from %.12g; make "
             "one, such as by `gdal_grid`",
             t->path, t->line, name, value, a->d, a->first);
    if (!(round(k) >= 0 && round(k) < (double)a->n))
        FAIL(INPUT, "%s:%zu: %c = %.12g was not there before: the file changes while it is read",
             t->path, t->line, name, value);
    *number = (size_t)round(k);
    return ERR_OK;
}

static enum err place(struct table *t, const struct point *p)
{
    const struct grid_info *g = &t->r->grid;
    const struct axis x = {g->x0 + 0.5 * g->dx, g->dx, (size_t)g->nx},
                      y = {g->y0 + 0.5 * g->dy, g->dy, (size_t)g->ny};
    size_t i, j;
    TRY(find_number(t, p->x, &x, 'x', &i));
    TRY(find_number(t, p->y, &y, 'y', &j));
    double *value = &t->r->value[j * x.n + i];
    if (!isnan(*value) && *value != p->z)
        FAIL(INPUT, "%s:%zu: x = %.12g, y = %.12g is there twice, as %.9g and as %.9g", t->path,
             t->line, p->x, p->y, *value, p->z);
    *value = p->z;
    plane_passes(t->count);
    return ERR_OK;
}

static enum err make_grid(struct table *t)
{
    struct raster *r = t->r;
    struct axis x, y;
    if (!t->x.at || !t->y.at)
        FAIL(INPUT, "%s: has no points", t->path);
    sort_values(&t->x);
    sort_values(&t->y);
    TRY(find_axis(t, &t->x, &x));
    TRY(find_axis(t, &t->y, &y));
    const double cells = (double)x.n * (double)y.n;
    if (cells > 100 * (double)t->count)
        FAIL(
            INPUT,
            "%s: its %zu points do not form a regular grid: with steps of %.6g and %.6g that would "
            "have %.0f; make one of them, such as by `gdal_grid`",
            t->path, t->count, x.d, y.d, cells);
    TRY(raster_allocate(t->path, (double)x.n, (double)y.n, r));
    r->grid =
        (struct grid_info){(int)x.n, (int)y.n, x.first - 0.5 * x.d, y.first - 0.5 * y.d, x.d, y.d};
    for (size_t k = 0; k < x.n * y.n; k++) {
        r->value[k] = (double)NAN;
        plane_passes(k);
    }
    return raster_read_projection(t->path, x.first + 0.5 * x.d * (double)x.n,
                                  y.first + 0.5 * y.d * (double)y.n, r);
}

enum err raster_parse_xyz(FILE *f, const char *path, struct raster *r)
{
    struct table t = {.path = path, .r = r};
    enum err e = read_points(&t, f, note_point);
    if (!e)
        e = make_grid(&t);
    if (!e) {
        rewind(f);
        e = read_points(&t, f, place);
    }
    free(t.x.at);
    free(t.y.at);
    return e;
}

enum err raster_read_xyz(const char *path, struct raster *r)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    const enum err e = raster_parse_xyz(f, path, r);
    fclose(f);
    return e;
}
