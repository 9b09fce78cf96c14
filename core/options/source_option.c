/* --source NAME,X,Y,Q[,RADIUS][,c=C]: Q is a number or the name of a file with a series. */
#include "core/options/source_option.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/comma_parts.h"
#include "core/options/gauge_option.h"

/* The concentration is a part after the others, "c=1". */
enum { NAME, X, Y, Q, RADIUS, PARTS };

static const char concentration[] = "c=";

static int is_concentration(const char *part, size_t length)
{
    return length >= strlen(concentration) &&
           strncmp(part, concentration, strlen(concentration)) == 0;
}

/* As comma_parts, without the concentration: sets `c` to its number, NAN if invalid; 0 if absent. */
static int split(const char *text, const char *part[PARTS + 1], size_t length[PARTS + 1], double *c)
{
    const size_t skip = strlen(concentration);
    int n = comma_parts(text, PARTS + 1, part, length);
    *c = 0;
    if (n > Q + 1 && n <= PARTS + 1 && is_concentration(part[n - 1], length[n - 1])) {
        n--;
        *c = comma_number(part[n] + skip, length[n] - skip);
    }
    return n;
}

static int file_of(const char *text, int k, size_t *begin, size_t *length)
{
    const char *part[PARTS + 1];
    size_t size[PARTS + 1];
    double c;
    const int n = split(text, part, size, &c);
    if (k > 0 || n < Q + 1 || n > PARTS || !isnan(comma_number(part[Q], size[Q])))
        return 0;
    *begin = (size_t)(part[Q] - text);
    *length = size[Q];
    return 1;
}

static void reset_source(const struct option *o, void *settings)
{
    struct source_choices *all = &((struct config *)settings)->sources;
    (void)o;
    memset(all, 0, sizeof *all);
}

static enum err read_place(struct source_choice *s, const char *const part[PARTS],
                           const size_t length[PARTS], int parts)
{
    s->x = comma_number(part[X], length[X]);
    s->y = comma_number(part[Y], length[Y]);
    if (isnan(s->x) || isnan(s->y))
        FAIL(USAGE, "source '%s': '%.*s' is not a number", s->name,
             (int)(isnan(s->x) ? length[X] : length[Y]), isnan(s->x) ? part[X] : part[Y]);
    s->radius = parts > RADIUS ? comma_number(part[RADIUS], length[RADIUS]) : 0;
    if (!(s->radius >= 0) || (parts > RADIUS && !(s->radius > 0)))
        FAIL(USAGE, "source '%s': '%.*s' is not a radius: expected a number above 0, in metres",
             s->name, (int)length[RADIUS], part[RADIUS]);
    return ERR_OK;
}

static enum err add_file(struct source_choices *all, struct source_choice *s, const char *name,
                         size_t n)
{
    const size_t used = (size_t)all->files_used;
    if (n == 0)
        FAIL(USAGE, "source '%s': expected a discharge: a number, m3/s, or a file with a series",
             s->name);
    TRY(option_check_path(name, n));
    if (used + n + 1 > sizeof all->files)
        FAIL(USAGE, "the names of the sources' files have more than %zu characters in total",
             sizeof all->files - 1);
    s->file = all->files_used;
    memcpy(all->files + used, name, n);
    all->files[used + n] = '\0';
    all->files_used += (int)n + 1;
    return ERR_OK;
}

static enum err parse(struct source_choices *all, const char *text)
{
    const char *part[PARTS + 1];
    size_t length[PARTS + 1];
    struct source_choice *s = &all->of[all->count];
    double c;
    const int n = split(text, part, length, &c);
    *s = (struct source_choice){.file = -1, .c = c};
    if (n < Q + 1 || n > PARTS)
        FAIL(USAGE, "expected a source as NAME,X,Y,Q or NAME,X,Y,Q,RADIUS, got %s%d parts",
             n > PARTS ? "more than " : "", n > PARTS ? PARTS : n);
    snprintf(s->name, sizeof s->name, "%.*s", (int)length[NAME], part[NAME]);
    TRY(gauge_check_name("source", s->name, length[NAME]));
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->of[k].name, s->name) == 0)
            FAIL(USAGE, "two sources have the name '%s': rename one of them", s->name);
    TRY(read_place(s, part, length, n));
    if (!(c >= 0) || isinf(c))
        FAIL(USAGE, "source '%s': after c= expected the inflow's concentration, a number from 0 on",
             s->name);
    s->q = comma_number(part[Q], length[Q]);
    if (isnan(s->q))
        TRY(add_file(all, s, part[Q], length[Q]));
    all->count++;
    return ERR_OK;
}

static enum err set_source(const struct option *o, void *settings, const char *text)
{
    struct source_choices *all = &((struct config *)settings)->sources;
    (void)o;
    if (all->count == SOURCE_CHOICES)
        FAIL(USAGE, "more than %d sources", SOURCE_CHOICES);
    const enum err e = parse(all, text);
    if (e)
        err_context("'%s'", text);
    return e;
}

void source_option_print(const struct config *c, const struct source_choice *s, char *text,
                         size_t n)
{
    char x[32], y[32], q[32], radius[32], c_of[32];
    option_format_real(s->x, x, sizeof x);
    option_format_real(s->y, y, sizeof y);
    option_format_real(s->q, q, sizeof q);
    option_format_real(s->radius, radius, sizeof radius);
    option_format_real(s->c, c_of, sizeof c_of);
    snprintf(text, n, "%s,%s,%s,%s%s%s%s%s", s->name, x, y,
             s->file < 0 ? q : c->sources.files + s->file, s->radius > 0 ? "," : "",
             s->radius > 0 ? radius : "", s->c > 0 ? ",c=" : "", s->c > 0 ? c_of : "");
}

static int format_source(const struct option *o, const void *settings, int k,
                         char text[FILE_LENGTH])
{
    const struct config *c = settings;
    (void)o;
    if (k >= c->sources.count)
        return 0;
    source_option_print(c, &c->sources.of[k], text, FILE_LENGTH);
    return 1;
}

const struct option_type option_source = {.reset = reset_source,
                                          .set = set_source,
                                          .format = format_source,
                                          .file = file_of,
                                          .repeats = 1};
