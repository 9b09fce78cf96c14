/* Reads a run's gauges, finds their cells, and refuses mistakes. */
#include "core/options/gauge_option.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/mesh/grid_place.h"
#include "core/base/key_value.h"
#include "core/base/whole_file.h"
#include "core/base/printable.h"
#include "core/base/input_files.h"

enum { PARTS = 3 };

/* Splits "NAME,X,Y" or "NAME X Y" in place. Returns the number of parts. */
static int split_gauge(char *text, char *part[PARTS])
{
    const int commas = strchr(text, ',') != NULL;
    int n = 0;
    for (char *rest = text; rest; n++) {
        char *end = rest + strcspn(rest, commas ? "," : " \t"), *next = *end ? end + 1 : NULL;
        *end = '\0';
        while (next && !commas && isspace((unsigned char)*next))
            next++;
        if (n < PARTS)
            part[n] = keyvalue_trim(rest);
        rest = next;
    }
    return n;
}

enum err gauge_check_name(const char *what, const char *name, size_t length)
{
    if (!*name)
        FAIL(USAGE, "the %s has no name", what);
    if (length >= GAUGE_NAME)
        FAIL(USAGE, "the %s's name '%.*s' has more than %d characters", what, (int)length, name,
             GAUGE_NAME - 1);
    for (const char *c = name; *c; c++)
        if (iscntrl((unsigned char)*c))
            FAIL(USAGE, "the %s's name contains a control character", what);
    if (!is_utf8(name))
        FAIL(USAGE,
             "the %s's name '%s' is not UTF-8, which netCDF requires: convert the file, for "
             "example by `iconv -f latin1 -t utf-8`",
             what, name);
    return ERR_OK;
}

/* In place. Text instead of a number may be a heading: `hint` says so. */
static enum err parse_gauge(char *text, const char *hint, struct gauge_choice *g)
{
    char *part[PARTS];
    const int n = split_gauge(text, part);
    if (n != PARTS)
        FAIL(USAGE, "expected a gauge as NAME,X,Y, got %d part%s", n, n == 1 ? "" : "s");
    TRY(gauge_check_name("gauge", part[0], strlen(part[0])));
    g->x = decimal_read(part[1]);
    g->y = decimal_read(part[2]);
    if (isnan(g->x) || isnan(g->y))
        FAIL(USAGE, "gauge '%s': '%s' is not a number%s", part[0], isnan(g->x) ? part[1] : part[2],
             hint);
    snprintf(g->name, GAUGE_NAME, "%s", part[0]);
    return ERR_OK;
}

static void reset_gauges(const struct option *o, void *settings)
{
    (void)o;
    ((struct config *)settings)->gauge_count = 0;
}

static enum err set_gauge(const struct option *o, void *settings, const char *text)
{
    struct config *c = settings;
    char copy[FILE_LENGTH];
    (void)o;
    if (c->gauge_count == GAUGE_CHOICES)
        FAIL(USAGE, "more than %d gauges: put them into a file, --gauges FILE", GAUGE_CHOICES);
    if (strlen(text) >= sizeof copy)
        FAIL(USAGE, "expected a gauge as NAME,X,Y, got %zu characters", strlen(text));
    snprintf(copy, sizeof copy, "%s", text);
    const enum err e = parse_gauge(keyvalue_trim(copy), "", &c->gauges[c->gauge_count]);
    if (e)
        err_context("'%s'", text);
    else
        c->gauge_count++;
    return e;
}

static int format_gauge(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct config *c = settings;
    const struct gauge_choice *g = &c->gauges[k];
    char x[32], y[32];
    (void)o;
    if (k >= c->gauge_count)
        return 0;
    option_format_real(g->x, x, sizeof x);
    option_format_real(g->y, y, sizeof y);
    snprintf(text, FILE_LENGTH, "%s,%s,%s", g->name, x, y);
    return 1;
}

const struct option_type option_gauge = {reset_gauges, set_gauge, format_gauge, .repeats = 1};

static enum err locate_gauge(const struct grid_info *g, struct gauge *p)
{
    p->i = grid_column_of(g, p->x);
    p->j = grid_row_of(g, p->y);
    if (p->i < 0 || p->j < 0)
        FAIL(USAGE,
             "gauge '%s' at (%.10g, %.10g) lies outside the domain, x = %.10g to %.10g, "
             "y = %.10g to %.10g",
             p->name, p->x, p->y, grid_xc(g, 0), grid_xc(g, g->nx), grid_yc(g, 0),
             grid_yc(g, g->ny));
    return ERR_OK;
}

static enum err append_gauge(struct gauge_list *list, const struct grid_info *g,
                             const struct gauge_choice *c)
{
    struct gauge new = {.x = c->x, .y = c->y};
    memcpy(new.name, c->name, sizeof new.name);
    if (list->count == MOST_GAUGES)
        FAIL(USAGE, "more than %d gauges: use fewer, or maps (--every)", MOST_GAUGES);
    TRY(locate_gauge(g, &new));
    if ((list->count & (list->count + 1)) == 0) { /* full: 0, 1, 3, 7, ... */
        const size_t room = 2 * (size_t)list->count + 1;
        struct gauge *larger = realloc(list->gauge, room * sizeof *larger);
        if (!larger)
            FAIL(MEMORY, "no memory for %zu gauges", room);
        list->gauge = larger;
    }
    list->gauge[list->count++] = new;
    return ERR_OK;
}

static enum err read_line(struct gauge_list *list, const struct grid_info *g, char *text)
{
    struct gauge_choice c;
    char *line = keyvalue_uncomment(text);
    if (!*line)
        return ERR_OK;
    TRY(parse_gauge(line, " (a heading begins with #)", &c));
    return append_gauge(list, g, &c);
}

static enum err read_file(struct gauge_list *list, const struct grid_info *g, const char *path)
{
    char *text = NULL;
    size_t size;
    enum err e = whole_file_read(path, WHOLE_TEXT, &text, &size);
    input_files_note(path);
    if (!e && strlen(text) < size)
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: this is not a text file", path);
    if (e)
        err_context("--gauges");
    char *rest = e ? NULL : keyvalue_begin(text);
    for (int line = 1; !e && rest; line++) {
        e = read_line(list, g, strsep(&rest, "\n"));
        if (e)
            err_context("--gauges: %s:%d", path, line);
    }
    free(text);
    return e;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum err check_names(const struct gauge_list *list)
{
    const size_t n = (size_t)list->count;
    const char **name = malloc(n * sizeof *name), *twice = NULL;
    if (!name)
        FAIL(MEMORY, "no memory for the names of %zu gauges", n);
    for (size_t k = 0; k < n; k++)
        name[k] = list->gauge[k].name;
    qsort(name, n, sizeof *name, by_name);
    for (size_t k = 1; k < n; k++)
        if (strcmp(name[k - 1], name[k]) == 0)
            twice = name[k];
    free(name);
    if (twice)
        FAIL(USAGE, "two gauges have the name '%s': rename one of them", twice);
    return ERR_OK;
}

enum err gauges_read(const struct config *c, const struct grid_info *g, struct gauge_list *list)
{
    *list = (struct gauge_list){0};
    for (int k = 0; k < c->gauge_count; k++) {
        const enum err e = append_gauge(list, g, &c->gauges[k]);
        if (e) {
            err_context("--gauge");
            return e;
        }
    }
    if (*c->gauges_file) {
        TRY(read_file(list, g, c->gauges_file));
        if (list->count == c->gauge_count)
            FAIL(INPUT, "--gauges: %s: there is no gauge in this file", c->gauges_file);
    }
    if (list->count > 0)
        return check_names(list);
    if (!isnan(c->gauge_every) && c->sections.count == 0)
        FAIL(
            USAGE,
            "--gauge-every: there are no gauges; add --gauge NAME,X,Y, --gauges FILE or --section");
    return ERR_OK;
}

void gauges_free(struct gauge_list *list)
{
    free(list->gauge);
    *list = (struct gauge_list){0};
}
