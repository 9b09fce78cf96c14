/* --section NAME,X0,Y0,X1,Y1: a line, drawn from the left bank to the right one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/options/comma_parts.h"
#include "core/options/gauge_option.h"

enum { NAME, X0, Y0, X1, Y1, PARTS };

static void reset_section(const struct option *o, void *settings)
{
    (void)o;
    ((struct config *)settings)->sections.count = 0;
}

static enum err parse(const struct section_choices *all, const char *text, struct section_line *s)
{
    const char *part[PARTS];
    size_t length[PARTS];
    const int n = comma_parts(text, PARTS, part, length);
    double x[PARTS] = {0};
    if (n != PARTS)
        FAIL(USAGE, "expected a section as NAME,X0,Y0,X1,Y1, got %s%d part%s",
             n > PARTS ? "more than " : "", n > PARTS ? PARTS : n, n == 1 ? "" : "s");
    snprintf(s->name, sizeof s->name, "%.*s", (int)length[NAME], part[NAME]);
    TRY(gauge_check_name("section", s->name, length[NAME]));
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->of[k].name, s->name) == 0)
            FAIL(USAGE, "two sections have the name '%s': rename one of them", s->name);
    for (int k = X0; k < PARTS; k++) {
        x[k] = comma_number(part[k], length[k]);
        if (!isfinite(x[k]))
            FAIL(USAGE, "section '%s': '%.*s' is not a number", s->name, (int)length[k], part[k]);
    }
    *s = (struct section_line){.x = {x[X0], x[X1]}, .y = {x[Y0], x[Y1]}};
    snprintf(s->name, sizeof s->name, "%.*s", (int)length[NAME], part[NAME]);
    if (!(hypot(x[X1] - x[X0], x[Y1] - x[Y0]) > 0))
        FAIL(USAGE, "section '%s' begins and ends at (%.10g, %.10g): expected two different points",
             s->name, x[X0], x[Y0]);
    return ERR_OK;
}

static enum err set_section(const struct option *o, void *settings, const char *text)
{
    struct section_choices *all = &((struct config *)settings)->sections;
    (void)o;
    if (all->count == SECTION_CHOICES)
        FAIL(USAGE, "more than %d sections", SECTION_CHOICES);
    const enum err e = parse(all, text, &all->of[all->count]);
    if (e)
        err_context("'%s'", text);
    else
        all->count++;
    return e;
}

static int format_section(const struct option *o, const void *settings, int k,
                          char text[FILE_LENGTH])
{
    const struct section_choices *all = &((const struct config *)settings)->sections;
    const struct section_line *s = &all->of[k];
    char x[4][32];
    (void)o;
    if (k >= all->count)
        return 0;
    for (int n = 0; n < 4; n++)
        option_format_real(n % 2 ? s->y[n / 2] : s->x[n / 2], x[n], sizeof x[n]);
    snprintf(text, FILE_LENGTH, "%s,%s,%s,%s,%s", s->name, x[0], x[1], x[2], x[3]);
    return 1;
}

const struct option_type option_section = {reset_section, set_section, format_section,
                                           .repeats = 1};
