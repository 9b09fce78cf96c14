/* Kinds of values: texts, names, numbers, choices, flags. */
#include "core/options/options.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const backend_words[] = {[CPU] = "cpu", [CUDA] = "cuda", [ANY_BACKEND] = "auto", NULL};

static void *member_of(const struct option *o, void *settings)
{
    return (char *)settings + o->offset;
}

static const void *value_of(const struct option *o, const void *settings)
{
    return (const char *)settings + o->offset;
}

enum err option_store_text(const struct option *o, void *settings, const char *text)
{
    const size_t n = strlen(text);
    if (n >= o->size)
        FAIL(USAGE, "expected at most %zu characters, got %zu", o->size - 1, n);
    memcpy(member_of(o, settings), text, n + 1);
    return ERR_OK;
}

void option_reset_text(const struct option *o, void *settings)
{
    snprintf(member_of(o, settings), o->size, "%s", o->initial ? o->initial : "");
}

int option_format_text(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const char *value = value_of(o, settings);
    snprintf(text, FILE_LENGTH, "%s", value);
    return k == 0 && *value != '\0';
}

enum err option_check_path(const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (iscntrl((unsigned char)text[k]))
            FAIL(USAGE, "expected a file name without control characters");
    return ERR_OK;
}

static enum err set_path(const struct option *o, void *settings, const char *text)
{
    TRY(option_check_path(text, strlen(text)));
    return option_store_text(o, settings, text);
}

static int whole_path(const char *text, int k, size_t *begin, size_t *length)
{
    *begin = 0;
    *length = strlen(text);
    return k == 0;
}

/* A registered name, or one of the words that the option also accepts. */
static enum err check_name(const struct option *o, const char *text)
{
    struct catalog known;
    char remedy[96];
    catalog_fill(&known, o->list);
    for (const char *const *word = o->choices; word && *word; word++)
        catalog_add(&known, *word);
    if (catalog_has(&known, text))
        return ERR_OK;
    snprintf(remedy, sizeof remedy, "`shoal list %s` lists them", catalog_kinds[o->list]);
    return catalog_unknown(&known, o->name, text, remedy);
}

enum err option_find_word(const char *what, const char *text, const char *const words[], int *which)
{
    struct catalog known = {0};
    for (int k = 0; words[k]; k++) {
        catalog_add(&known, words[k]);
        if (strcmp(text, words[k]) == 0)
            *which = k;
    }
    return catalog_has(&known, text) ? ERR_OK : catalog_unknown(&known, what, text, NULL);
}

static enum err check_word(const struct option *o, const char *text)
{
    struct catalog known = {0};
    int which;
    if (o->choices)
        return option_find_word("value", text, o->choices, &which);
    catalog_fill(&known, o->list);
    return catalog_has(&known, text) ? ERR_OK : catalog_unknown(&known, "value", text, NULL);
}

static enum err set_name(const struct option *o, void *settings, const char *text)
{
    TRY(check_name(o, text));
    return option_store_text(o, settings, text);
}

const char *option_next_word(const char *list, char word[NAME_LENGTH])
{
    const char *comma = strchr(list, ',');
    const char *end = comma ? comma : list + strlen(list);
    const char *rest = comma ? comma + 1 : NULL;
    while (list < end && isspace((unsigned char)*list))
        list++;
    while (end > list && isspace((unsigned char)end[-1]))
        end--;
    snprintf(word, NAME_LENGTH, "%.*s", (int)(end - list), list);
    return rest;
}

int option_lists(const char *list, const char *wanted)
{
    char word[NAME_LENGTH];
    for (const char *rest = list; *list && rest;) {
        rest = option_next_word(rest, word);
        if (strcmp(word, wanted) == 0)
            return 1;
    }
    return 0;
}

/* Stores a list without blanks; `check` must know each word of it. */
static enum err store_list(const struct option *o, void *settings, const char *text,
                           enum err (*check)(const struct option *o, const char *text))
{
    char chosen[FILE_LENGTH] = "", word[NAME_LENGTH];
    const char *rest = text;
    size_t n = 0;
    if (strlen(text) >= sizeof chosen)
        FAIL(USAGE, "expected at most %zu characters, got %zu", o->size - 1, strlen(text));
    do {
        rest = option_next_word(rest, word);
        TRY(check(o, word));
        n += (size_t)snprintf(chosen + n, sizeof chosen - n, "%s%s", n ? "," : "", word);
    } while (rest);
    return option_store_text(o, settings, chosen);
}

static enum err set_names(const struct option *o, void *settings, const char *text)
{
    return store_list(o, settings, text, check_name);
}

static enum err set_words(const struct option *o, void *settings, const char *text)
{
    char word[NAME_LENGTH];
    const char *rest = text;
    do {
        rest = option_next_word(rest, word);
        if (rest && option_lists(rest, word))
            FAIL(USAGE, "'%s' is listed twice", word);
    } while (rest);
    return store_list(o, settings, text, check_word);
}

static void reset_choice(const struct option *o, void *settings)
{
    int which = -1;
    for (int k = 0; o->initial && o->choices[k]; k++)
        if (strcmp(o->choices[k], o->initial) == 0)
            which = k;
    *(int *)member_of(o, settings) = which;
}

static enum err set_choice(const struct option *o, void *settings, const char *text)
{
    return option_find_word("value", text, o->choices, member_of(o, settings));
}

static int format_choice(const struct option *o, const void *settings, int k,
                         char text[FILE_LENGTH])
{
    const int which = *(const int *)value_of(o, settings);
    if (k > 0 || which < 0)
        return 0;
    snprintf(text, FILE_LENGTH, "%s", o->choices[which]);
    return 1;
}

static enum err check_range(const struct option *o, double x, const char *text)
{
    if (x >= o->low && x <= o->high && !(o->above && x <= o->low))
        return ERR_OK;
    if (o->high >= DBL_MAX)
        FAIL(USAGE, "expected %s %.15g, got %s", o->above ? "more than" : "at least", o->low, text);
    if (o->above)
        FAIL(USAGE, "expected more than %.15g, at most %.15g, got %s", o->low, o->high, text);
    FAIL(USAGE, "expected %.15g to %.15g, got %s", o->low, o->high, text);
}

enum err option_parse_real(const struct option *o, const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text))
        FAIL(USAGE, "expected a number, got '%s'", text);
    if (!isfinite(*x))
        FAIL(USAGE, "expected a finite number, got '%s'", text);
    return check_range(o, *x, text);
}

static enum err parse_whole(const struct option *o, const char *text, long *n)
{
    char *end;
    *n = strtol(text, &end, 10);
    if (end == text || *end || isspace((unsigned char)*text))
        FAIL(USAGE, "expected a whole number, got '%s'", text);
    return check_range(o, (double)*n, text);
}

static void reset_number(const struct option *o, void *settings)
{
    *(double *)member_of(o, settings) = o->initial ? strtod(o->initial, NULL) : (double)NAN;
}

static enum err set_number(const struct option *o, void *settings, const char *text)
{
    double x;
    TRY(option_parse_real(o, text, &x));
    *(double *)member_of(o, settings) = x;
    return ERR_OK;
}

void option_format_real(double x, char *text, size_t n)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, n, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
}

static int format_number(const struct option *o, const void *settings, int k,
                         char text[FILE_LENGTH])
{
    const double x = *(const double *)value_of(o, settings);
    if (k > 0 || isnan(x))
        return 0;
    option_format_real(x, text, FILE_LENGTH);
    return 1;
}

static void reset_count(const struct option *o, void *settings)
{
    *(int *)member_of(o, settings) = o->initial ? (int)strtol(o->initial, NULL, 10) : 0;
}

static enum err set_count(const struct option *o, void *settings, const char *text)
{
    long n;
    TRY(parse_whole(o, text, &n));
    *(int *)member_of(o, settings) = (int)n;
    return ERR_OK;
}

static int format_whole(const struct option *o, long n, int k, char text[FILE_LENGTH])
{
    if (k > 0 || (n == 0 && !o->initial))
        return 0;
    snprintf(text, FILE_LENGTH, "%ld", n);
    return 1;
}

static int format_count(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    return format_whole(o, *(const int *)value_of(o, settings), k, text);
}

static void reset_long(const struct option *o, void *settings)
{
    *(long *)member_of(o, settings) = o->initial ? strtol(o->initial, NULL, 10) : 0;
}

static enum err set_long(const struct option *o, void *settings, const char *text)
{
    long n;
    TRY(parse_whole(o, text, &n));
    *(long *)member_of(o, settings) = n;
    return ERR_OK;
}

static int format_long(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    return format_whole(o, *(const long *)value_of(o, settings), k, text);
}

static void reset_flag(const struct option *o, void *settings)
{
    *(int *)member_of(o, settings) = 0;
}

static enum err set_flag(const struct option *o, void *settings, const char *text)
{
    const int yes = strcmp(text, "yes") == 0;
    if (!yes && strcmp(text, "no") != 0)
        FAIL(USAGE, "expected yes or no, got '%s'", text);
    *(int *)member_of(o, settings) = yes;
    return ERR_OK;
}

static int format_flag(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    snprintf(text, FILE_LENGTH, "%s", *(const int *)value_of(o, settings) ? "yes" : "no");
    return k == 0;
}

const struct option_type
    option_text = {.reset = option_reset_text,
                   .set = option_store_text,
                   .format = option_format_text},
    option_path = {option_reset_text, set_path, option_format_text, .file = whole_path},
    option_name = {.reset = option_reset_text, .set = set_name, .format = option_format_text},
    option_names = {.reset = option_reset_text, .set = set_names, .format = option_format_text},
    option_words = {.reset = option_reset_text, .set = set_words, .format = option_format_text},
    option_choice = {.reset = reset_choice, .set = set_choice, .format = format_choice},
    option_number = {.reset = reset_number, .set = set_number, .format = format_number},
    option_count = {.reset = reset_count, .set = set_count, .format = format_count},
    option_long = {.reset = reset_long, .set = set_long, .format = format_long},
    option_flag = {.reset = reset_flag, .set = set_flag, .format = format_flag};
