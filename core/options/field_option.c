/* Options that take a number for all cells, or a file or a formula with a value for each cell:
 * --manning, --level, --depth, --alpha; --region, a rectangle; and --compaction, two numbers. */
#include "core/options/run_config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/decimal.h"
#include "core/base/formula.h"

enum { PAIR = 2 };
enum { X_LOW, Y_LOW, X_HIGH, Y_HIGH, NUMBERS };

const char *const option_field_names[] = {"x", "y", "bed", NULL};

static int is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && *end == '\0';
}

/* ".asc", ".tif" */
static int has_ending(const char *text)
{
    const char *dot = strrchr(text, '.');
    const size_t n =
        dot ? strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") : 0;
    return n > 0 && n <= 8 && dot[n + 1] == '\0' && isalpha((unsigned char)dot[1]);
}

/* An existing file is not a formula, whatever its name; nor is what looks like a file name. */
static int is_formula(const char *text)
{
    struct formula f;
    if (access(text, F_OK) == 0)
        return 0;
    return formula_read(&f, text, option_field_names) == ERR_OK ||
           (strpbrk(text, "(<>=*") && !has_ending(text));
}

static int file_of(const char *text, int k, size_t *begin, size_t *length)
{
    *begin = 0;
    *length = strlen(text);
    return k == 0 && !is_number(text) && !is_formula(text);
}

static void reset_field(const struct option *o, void *settings)
{
    struct field_choice *f = (void *)((char *)settings + o->offset);
    f->number = (double)NAN;
}

static enum err set_field(const struct option *o, void *settings, const char *text)
{
    struct field_choice f = {.number = (double)NAN};
    struct formula formula;
    const size_t length = strlen(text);
    f.formula = !is_number(text) && is_formula(text);
    if (is_number(text)) {
        TRY(option_parse_real(o, text, &f.number));
    } else {
        TRY(option_check_path(text, length));
        if (f.formula)
            TRY(formula_read(&formula, text, option_field_names));
        if (length >= sizeof f.file)
            FAIL(USAGE, "expected at most %zu characters, got %zu", sizeof f.file - 1, length);
        strcpy(f.file, text);
    }
    memcpy((char *)settings + o->offset, &f, sizeof f);
    return ERR_OK;
}

static int format_field(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct field_choice *f = (const void *)((const char *)settings + o->offset);
    if (isnan(f->number))
        snprintf(text, FILE_LENGTH, "%s", f->file);
    else
        option_format_real(f->number, text, FILE_LENGTH);
    return k == 0 && *text != '\0';
}

static void reset_area(const struct option *o, void *settings)
{
    double *area = (void *)((char *)settings + o->offset);
    for (int k = 0; k < NUMBERS; k++)
        area[k] = (double)NAN;
}

static enum err set_area(const struct option *o, void *settings, const char *text)
{
    char word[NAME_LENGTH];
    const char *rest = text;
    double area[NUMBERS];
    for (int k = 0; k < NUMBERS; k++) {
        if (!rest)
            FAIL(USAGE, "'%s': expected X0,Y0,X1,Y1, the lower left and the upper right corner",
                 text);
        rest = option_next_word(rest, word);
        area[k] = decimal_read(word);
        if (isnan(area[k]))
            FAIL(USAGE, "'%s': '%s' is not a number", text, word);
    }
    if (rest)
        FAIL(USAGE, "'%s': expected X0,Y0,X1,Y1, the lower left and the upper right corner", text);
    if (!(area[X_LOW] < area[X_HIGH] && area[Y_LOW] < area[Y_HIGH]))
        FAIL(USAGE, "'%s': expected the lower left corner first, then the upper right one", text);
    memcpy((char *)settings + o->offset, area, sizeof area);
    return ERR_OK;
}

static int format_area(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const double *area = (const void *)((const char *)settings + o->offset);
    size_t n = 0;
    if (k > 0 || isnan(area[0]))
        return 0;
    for (int i = 0; i < NUMBERS; i++) {
        n += (size_t)snprintf(text + n, FILE_LENGTH - n, "%s", i ? "," : "");
        option_format_real(area[i], text + n, FILE_LENGTH - n);
        n += strlen(text + n);
    }
    return 1;
}

static void reset_pair(const struct option *o, void *settings)
{
    double *pair = (void *)((char *)settings + o->offset);
    pair[0] = pair[1] = (double)NAN;
}

static enum err set_pair(const struct option *o, void *settings, const char *text)
{
    char word[NAME_LENGTH];
    const char *rest = text;
    double pair[PAIR];
    for (int k = 0; k < PAIR; k++) {
        if (!rest)
            FAIL(USAGE, "'%s': expected two numbers, %s", text, o->value);
        rest = option_next_word(rest, word);
        pair[k] = decimal_read(word);
        if (!(pair[k] > 0) || isinf(pair[k]))
            FAIL(USAGE, "'%s': expected two numbers above 0, %s, got '%s'", text, o->value, word);
    }
    if (rest)
        FAIL(USAGE, "'%s': expected two numbers, %s", text, o->value);
    memcpy((char *)settings + o->offset, pair, sizeof pair);
    return ERR_OK;
}

static int format_pair(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const double *pair = (const void *)((const char *)settings + o->offset);
    char number[PAIR][64];
    if (k > 0 || isnan(pair[0]))
        return 0;
    option_format_real(pair[0], number[0], sizeof number[0]);
    option_format_real(pair[1], number[1], sizeof number[1]);
    snprintf(text, FILE_LENGTH, "%s,%s", number[0], number[1]);
    return 1;
}

const struct option_type option_field = {reset_field, set_field, format_field, .file = file_of},
                         option_area = {.reset = reset_area,
                                        .set = set_area,
                                        .format = format_area},
                         option_pair = {
                             .reset = reset_pair, .set = set_pair, .format = format_pair};
