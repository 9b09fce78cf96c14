/* Parses, checks, stores and formats the value of an option as its row in the table says. */
#include "core/options/options.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/edge_option.h"
#include "core/options/gauge_option.h"
#include "core/options/map_area_option.h"
#include "core/registry/registry.h"

const struct option *option_find(const char *name)
{
    for (const struct option *o = run_options; o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o;
    }
    return NULL;
}

static void *place_of(const struct option *o, struct config *c)
{
    return (char *)c + o->offset;
}

static enum err store_text(char *to, size_t size, const char *text)
{
    const size_t n = strlen(text);
    if (n >= size)
        FAIL(USAGE, "a value may have at most %zu characters, this one has %zu", size - 1, n);
    memcpy(to, text, n + 1);
    return ERR_OK;
}

/* The words that an option accepts by itself, besides those of its list. */
static void add_choices(struct catalog *c, const struct option *o)
{
    for (const char *const *word = o->choices; word && *word; word++)
        catalog_add(c, *word);
}

static enum err set_name(const struct option *o, struct config *c, const char *text)
{
    struct catalog known;
    char remedy[96];
    catalog_fill(&known, o->list);
    add_choices(&known, o);
    if (!catalog_has(&known, text)) {
        snprintf(remedy, sizeof remedy, "`shoal list %s` lists what there is",
                 catalog_kinds[o->list]);
        return catalog_unknown(&known, o->name, text, remedy);
    }
    return store_text(place_of(o, c), NAME_LENGTH, text);
}

static enum err set_choice(const struct option *o, struct config *c, const char *text)
{
    struct catalog known = {0};
    for (int k = 0; o->choices[k]; k++) {
        if (strcmp(o->choices[k], text) == 0) {
            *(int *)place_of(o, c) = k;
            return ERR_OK;
        }
    }
    add_choices(&known, o);
    return catalog_unknown(&known, "value", text, NULL);
}

static enum err check_range(const struct option *o, double x, const char *text)
{
    if (x >= o->low && x <= o->high && !(o->above && x <= o->low))
        return ERR_OK;
    const char *bound = o->above ? "above" : "at least";
    if (o->high >= DBL_MAX)
        FAIL(USAGE, "'%s' is out of range: it must be %s %.15g", text, bound, o->low);
    FAIL(USAGE, "'%s' is out of range: it must be %s %.15g and at most %.15g", text, bound, o->low,
         o->high);
}

static enum err parse_real(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text))
        FAIL(USAGE, "'%s' is not a number", text);
    if (!isfinite(*x))
        FAIL(USAGE, "'%s' is not a finite number", text);
    return ERR_OK;
}

static enum err set_real(const struct option *o, struct config *c, const char *text)
{
    double x;
    TRY(parse_real(text, &x));
    TRY(check_range(o, x, text));
    *(double *)place_of(o, c) = x;
    return ERR_OK;
}

static enum err set_whole(const struct option *o, struct config *c, const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (end == text || *end || isspace((unsigned char)*text))
        FAIL(USAGE, "'%s' is not a whole number", text);
    TRY(check_range(o, (double)n, text));
    if (o->kind == OPTION_LONG)
        *(long *)place_of(o, c) = n;
    else
        *(int *)place_of(o, c) = (int)n;
    return ERR_OK;
}

/* The text becomes part of a compiler's command line. */
static enum err set_target(const struct option *o, struct config *c, const char *text)
{
    const char *s = text;
    while (isalnum((unsigned char)*s) || (s > text && *s && strchr("-_.+", *s)))
        s++;
    if (s == text || *s)
        FAIL(USAGE, "'%s' is not the name of a processor, such as native or x86-64-v3", text);
    return store_text(place_of(o, c), NAME_LENGTH, text);
}

static enum err check_path(const char *text)
{
    for (const char *s = text; *s; s++) {
        if (iscntrl((unsigned char)*s))
            FAIL(USAGE, "a file name without control characters is needed");
    }
    if (!*text)
        FAIL(USAGE, "the name of a file is missing");
    return ERR_OK;
}

static enum err set_path(const struct option *o, struct config *c, const char *text)
{
    TRY(check_path(text));
    return store_text(place_of(o, c), FILE_LENGTH, text);
}

int option_is_file(const struct option *o, const char *text)
{
    char *end;
    if (o->kind != OPTION_FIELD)
        return o->kind == OPTION_PATH;
    strtod(text, &end);
    return end == text || *end != '\0';
}

static enum err set_field(const struct option *o, struct config *c, const char *text)
{
    struct field_choice f = {.number = (double)NAN};
    if (option_is_file(o, text)) {
        TRY(check_path(text));
        TRY(store_text(f.file, FILE_LENGTH, text));
    } else {
        TRY(parse_real(text, &f.number));
        TRY(check_range(o, f.number, text));
    }
    *(struct field_choice *)place_of(o, c) = f;
    return ERR_OK;
}

/* Copies the next word of a comma separated list, without blanks around it; returns what is left,
 * NULL after the last word. */
static const char *next_word(const char *list, char word[NAME_LENGTH])
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

static enum err set_subset(const struct option *o, struct config *c, const char *text)
{
    struct catalog known = {0}, given = {0};
    char chosen[VARIABLES_LENGTH] = "", word[NAME_LENGTH];
    size_t n = 0;
    add_choices(&known, o);
    for (const char *rest = text; rest;) {
        rest = next_word(rest, word);
        int k = 0;
        while (k < known.count && strcmp(known.name[k], word) != 0)
            k++;
        if (k == known.count)
            return catalog_unknown(&known, "variable", word, NULL);
        if (catalog_has(&given, word))
            FAIL(USAGE, "'%s' is listed twice", word);
        catalog_add(&given, known.name[k]);
        n += (size_t)snprintf(chosen + n, sizeof chosen - n, "%s%s", n ? "," : "", word);
    }
    return store_text(place_of(o, c), VARIABLES_LENGTH, chosen);
}

/* Kernels and their stems. `stem` gets the one that `name` belongs to, if it does. */
static void kernel_names(struct catalog *known, const char *name, const char **stem)
{
    catalog_fill(known, LIST_KERNELS);
    *stem = NULL;
    for (const struct kernel *const *table = kernel_tables; *table; table++) {
        for (const struct kernel *k = *table; k->name; k++) {
            if (!k->stem)
                continue;
            if (!catalog_has(known, k->stem))
                catalog_add(known, k->stem);
            if (strcmp(k->name, name) == 0)
                *stem = k->stem;
        }
    }
}

/* A later choice for a stem replaces the earlier ones for its variants, too. */
static void append_block(struct config *c, const struct block_choice *b)
{
    int kept = 0;
    for (int k = 0; k < c->block_count; k++) {
        struct catalog known;
        const char *stem;
        kernel_names(&known, c->blocks[k].kernel, &stem);
        if (strcmp(c->blocks[k].kernel, b->kernel) != 0 && !(stem && strcmp(stem, b->kernel) == 0))
            c->blocks[kept++] = c->blocks[k];
    }
    c->blocks[kept] = *b;
    c->block_count = kept + 1;
}

/* One side of a block: digits only. Returns what follows them, NULL if the side is impossible. */
static const char *block_side(const char *text, int *side)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || n < 1 || n > LARGEST_SIDE)
        return NULL;
    *side = (int)n;
    return end;
}

static enum err set_block(struct config *c, const char *text)
{
    struct block_choice b = {0};
    struct catalog known;
    const char *stem, *equals = strchr(text, '=');
    if (!equals || equals - text >= NAME_LENGTH)
        FAIL(USAGE, "'%s' is not KERNEL=WxH, such as flux_fgh=32x8", text);
    memcpy(b.kernel, text, (size_t)(equals - text));
    kernel_names(&known, b.kernel, &stem);
    if (!catalog_has(&known, b.kernel))
        return catalog_unknown(&known, "kernel", b.kernel,
                               "`shoal list kernels` lists what there is");
    const char *height = block_side(equals + 1, &b.block.w);
    const char *end = height && *height == 'x' ? block_side(height + 1, &b.block.h) : NULL;
    if (!end || *end)
        FAIL(USAGE, "'%s' is no block: it must be WxH, such as 32x8, each from 1 to %d", equals + 1,
             LARGEST_SIDE);
    if (c->block_count == BLOCK_CHOICES)
        FAIL(USAGE, "more than %d blocks are chosen", BLOCK_CHOICES);
    append_block(c, &b);
    return ERR_OK;
}

/* The length of the NAME=NUMBER that `text` begins with, 0 if it does not; the text becomes options of
 * two compilers: names and numbers only. */
static size_t switch_length(const char *text, size_t *name)
{
    *name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const size_t number = text[*name] == '=' ? strspn(text + *name + 1, "0123456789") : 0;
    return *name == 0 || number == 0 || isdigit((unsigned char)*text) ? 0 : *name + 1 + number;
}

/* Takes the switch of that name out of a list of them. */
static void drop_switch(char *list, const char *wanted, size_t length)
{
    for (char *at = list; *at != '\0';) {
        size_t name, all = switch_length(at, &name);
        all += at[all] == ',';
        if (name == length && strncmp(at, wanted, length) == 0)
            memmove(at, at + all, strlen(at + all) + 1);
        else
            at += all;
    }
}

/* Adds to the switches given before; of two with one name the later counts. */
static enum err set_switch(const struct option *o, struct config *c, const char *text)
{
    char list[2 * NAME_LENGTH];
    snprintf(list, sizeof list, "%s", (const char *)place_of(o, c));
    for (const char *rest = text;; rest++) {
        size_t name;
        const size_t all = switch_length(rest, &name);
        if (all == 0 || (rest[all] != ',' && rest[all] != '\0'))
            FAIL(USAGE, "'%s' is not NAME=NUMBER[,NAME=NUMBER...], with capital letters", text);
        drop_switch(list, rest, name);
        const size_t used = strlen(list), comma = used > 0 && list[used - 1] != ',';
        if (used + comma + all >= NAME_LENGTH)
            FAIL(USAGE, "'%s': more than %d characters of switches", text, NAME_LENGTH - 1);
        snprintf(list + used, sizeof list - used, "%s%.*s", comma ? "," : "", (int)all, rest);
        rest += all;
        if (*rest == '\0')
            break;
    }
    const size_t used = strlen(list);
    if (used > 0 && list[used - 1] == ',')
        list[used - 1] = '\0';
    snprintf(place_of(o, c), NAME_LENGTH, "%s", list);
    return ERR_OK;
}

static enum err set_flag(const struct option *o, struct config *c, const char *text)
{
    const int yes = strcmp(text, "yes") == 0;
    if (!yes && strcmp(text, "no") != 0)
        FAIL(USAGE, "'%s' is neither yes nor no", text);
    *(int *)place_of(o, c) = yes;
    return ERR_OK;
}

static enum err append_gauge(struct config *c, const char *text)
{
    if (c->gauge_count == GAUGE_CHOICES)
        FAIL(USAGE, "more than %d gauges: list them in a file, --gauges FILE", GAUGE_CHOICES);
    TRY(gauge_parse(text, &c->gauges[c->gauge_count]));
    c->gauge_count++;
    return ERR_OK;
}

enum err option_set(const struct option *o, struct config *c, const char *text)
{
    switch (o->kind) {
    case OPTION_NAME:
        return set_name(o, c, text);
    case OPTION_CHOICE:
        return set_choice(o, c, text);
    case OPTION_REAL:
        return set_real(o, c, text);
    case OPTION_COUNT:
    case OPTION_LONG:
        return set_whole(o, c, text);
    case OPTION_TARGET:
        return set_target(o, c, text);
    case OPTION_SWITCH:
        return set_switch(o, c, text);
    case OPTION_PATH:
        return set_path(o, c, text);
    case OPTION_SUBSET:
        return set_subset(o, c, text);
    case OPTION_BLOCK:
        return set_block(c, text);
    case OPTION_EDGE:
        return edge_option_set(o, c, text);
    case OPTION_REGION:
        return map_area_option_read(text, place_of(o, c));
    case OPTION_GAUGE:
        return append_gauge(c, text);
    case OPTION_FIELD:
        return set_field(o, c, text);
    case OPTION_FLAG:
        return set_flag(o, c, text);
    }
    return ERR_OK;
}
