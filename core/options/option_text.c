/* Defaults of options, and their values as text that reads back to the same value. */
#include "core/options/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/edge_option.h"

static size_t size_of(const struct option *o)
{
    switch (o->kind) {
    case OPTION_NAME:
    case OPTION_TARGET:
    case OPTION_SWITCH:
        return NAME_LENGTH;
    case OPTION_PATH:
        return FILE_LENGTH;
    case OPTION_SUBSET:
        return VARIABLES_LENGTH;
    case OPTION_CHOICE:
    case OPTION_COUNT:
    case OPTION_FLAG:
        return sizeof(int);
    case OPTION_LONG:
        return sizeof(long);
    case OPTION_REAL:
        return sizeof(double);
    case OPTION_BLOCK:
        return BLOCK_CHOICES * sizeof(struct block_choice);
    case OPTION_REGION:
        return 4 * sizeof(double);
    case OPTION_GAUGE:
        return GAUGE_CHOICES * sizeof(struct gauge_choice);
    case OPTION_FIELD:
        return sizeof(struct field_choice);
    case OPTION_EDGE: /* shared by the four */
        return 0;
    }
    return 0;
}

static int number_of(const struct option *o, const char *choice)
{
    for (int k = 0; choice && o->choices[k]; k++)
        if (strcmp(o->choices[k], choice) == 0)
            return k;
    return -1;
}

/* Empty text, no number and "no" are zero bytes; what is not named below has no default besides. */
void option_reset(const struct option *o, struct config *c)
{
    void *place = (char *)c + o->offset;
    memset(place, 0, size_of(o));
    switch (o->kind) {
    case OPTION_NAME:
    case OPTION_TARGET:
        snprintf(place, NAME_LENGTH, "%s", o->initial);
        break;
    case OPTION_CHOICE:
        *(int *)place = number_of(o, o->initial);
        break;
    case OPTION_EDGE:
        edge_option_reset(o, c);
        break;
    case OPTION_REAL:
        *(double *)place = o->initial ? strtod(o->initial, NULL) : (double)NAN;
        break;
    case OPTION_COUNT:
        *(int *)place = o->initial ? (int)strtol(o->initial, NULL, 10) : 0;
        break;
    case OPTION_FIELD:
        ((struct field_choice *)place)->number = (double)NAN;
        break;
    case OPTION_BLOCK:
        c->block_count = 0;
        break;
    case OPTION_REGION:
        for (int k = 0; k < 4; k++)
            ((double *)place)[k] = (double)NAN;
        break;
    case OPTION_GAUGE:
        c->gauge_count = 0;
        break;
    case OPTION_LONG:
    case OPTION_SWITCH:
    case OPTION_PATH:
    case OPTION_SUBSET:
    case OPTION_FLAG:
        break;
    }
}

void option_format_real(double x, char *text, size_t n)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, n, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
}

static int format_number(const struct option *o, const void *value, char text[FILE_LENGTH])
{
    if (o->kind == OPTION_REAL) {
        const double x = *(const double *)value;
        if (isnan(x))
            return 0;
        option_format_real(x, text, FILE_LENGTH);
        return 1;
    }
    const long n = o->kind == OPTION_LONG ? *(const long *)value : *(const int *)value;
    if (n == 0 && !o->initial)
        return 0;
    snprintf(text, FILE_LENGTH, "%ld", n);
    return 1;
}

static int format_field(const struct field_choice *f, char text[FILE_LENGTH])
{
    if (isnan(f->number))
        snprintf(text, FILE_LENGTH, "%s", f->file);
    else
        option_format_real(f->number, text, FILE_LENGTH);
    return *text != '\0';
}

static int format_gauge(const struct gauge_choice *g, char text[FILE_LENGTH])
{
    char x[32], y[32];
    option_format_real(g->x, x, sizeof x);
    option_format_real(g->y, y, sizeof y);
    snprintf(text, FILE_LENGTH, "%s,%s,%s", g->name, x, y);
    return 1;
}

static int format_region(const double region[4], char text[FILE_LENGTH])
{
    size_t n = 0;
    if (isnan(region[0]))
        return 0;
    for (int k = 0; k < 4; k++) {
        n += (size_t)snprintf(text + n, FILE_LENGTH - n, "%s", k ? "," : "");
        option_format_real(region[k], text + n, FILE_LENGTH - n);
        n += strlen(text + n);
    }
    return 1;
}

int option_format(const struct option *o, const struct config *c, int k, char text[FILE_LENGTH])
{
    const void *value = (const char *)c + o->offset;
    if (k > 0 && !option_repeats(o))
        return 0;
    switch (o->kind) {
    case OPTION_REAL:
    case OPTION_COUNT:
    case OPTION_LONG:
        return format_number(o, value, text);
    case OPTION_CHOICE:
        if (*(const int *)value < 0)
            return 0;
        snprintf(text, FILE_LENGTH, "%s", o->choices[*(const int *)value]);
        return 1;
    case OPTION_EDGE:
        return edge_option_format(o, c, k, text);
    case OPTION_FIELD:
        return format_field(value, text);
    case OPTION_FLAG:
        snprintf(text, FILE_LENGTH, "%s", *(const int *)value ? "yes" : "no");
        return 1;
    case OPTION_BLOCK:
        if (k >= c->block_count)
            return 0;
        snprintf(text, FILE_LENGTH, "%s=%dx%d", c->blocks[k].kernel, c->blocks[k].block.w,
                 c->blocks[k].block.h);
        return 1;
    case OPTION_REGION:
        return format_region(value, text);
    case OPTION_GAUGE:
        return k < c->gauge_count && format_gauge(&c->gauges[k], text);
    case OPTION_NAME:
    case OPTION_TARGET:
    case OPTION_SWITCH:
    case OPTION_PATH:
    case OPTION_SUBSET:
        snprintf(text, FILE_LENGTH, "%s", (const char *)value);
        return *text != '\0';
    }
    return 0;
}
