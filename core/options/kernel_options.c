/* Options for compiling kernels: --block, --define and --march. */
#include "core/options/run_config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"

/* Kernels and their stems. Sets `stem` to the one that `name` belongs to, if any. */
static void list_kernels(struct catalog *known, const char *name, const char **stem)
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
        list_kernels(&known, c->blocks[k].kernel, &stem);
        if (strcmp(c->blocks[k].kernel, b->kernel) != 0 && !(stem && strcmp(stem, b->kernel) == 0))
            c->blocks[kept++] = c->blocks[k];
    }
    c->blocks[kept] = *b;
    c->block_count = kept + 1;
}

/* One side of a block: digits only. Returns the text after them, NULL if the side is impossible. */
static const char *block_side(const char *text, int *side)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || n < 1 || n > LARGEST_SIDE)
        return NULL;
    *side = (int)n;
    return end;
}

static void reset_blocks(const struct option *o, void *settings)
{
    (void)o;
    ((struct config *)settings)->block_count = 0;
}

static enum err set_block(const struct option *o, void *settings, const char *text)
{
    struct config *c = settings;
    struct block_choice b = {0};
    struct catalog known;
    const char *stem, *equals = strchr(text, '=');
    if (!equals || equals - text >= NAME_LENGTH)
        FAIL(USAGE, "'%s': expected KERNEL=WxH, such as flux_fgh=32x8", text);
    memcpy(b.kernel, text, (size_t)(equals - text));
    list_kernels(&known, b.kernel, &stem);
    if (!catalog_has(&known, b.kernel))
        return catalog_unknown(&known, "kernel", b.kernel, "`shoal list kernels` lists them");
    const char *height = block_side(equals + 1, &b.block.w);
    const char *end = height && *height == 'x' ? block_side(height + 1, &b.block.h) : NULL;
    if (!end || *end)
        FAIL(USAGE, "'%s' is not a block: expected WxH, such as 32x8, each from 1 to %d",
             equals + 1, LARGEST_SIDE);
    if (c->block_count == BLOCK_CHOICES)
        FAIL(USAGE, "expected at most %d blocks", BLOCK_CHOICES);
    append_block(c, &b);
    (void)o;
    return ERR_OK;
}

static int format_block(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct config *c = settings;
    const struct block_choice *b = &c->blocks[k];
    (void)o;
    if (k >= c->block_count)
        return 0;
    snprintf(text, FILE_LENGTH, "%s=%dx%d", b->kernel, b->block.w, b->block.h);
    return 1;
}

/* The length of the NAME=NUMBER at the start of `text`, 0 if there is none. The text goes into two
 * compilers' options: names and numbers only. */
static size_t switch_length(const char *text, size_t *name)
{
    *name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const size_t number = text[*name] == '=' ? strspn(text + *name + 1, "0123456789") : 0;
    return *name == 0 || number == 0 || isdigit((unsigned char)*text) ? 0 : *name + 1 + number;
}

/* Removes the switch of that name from a list. */
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

/* Adds to the switches given before; a later one replaces one of the same name. */
static enum err set_switches(const struct option *o, void *settings, const char *text)
{
    char list[2 * NAME_LENGTH];
    snprintf(list, sizeof list, "%s", (const char *)settings + o->offset);
    for (const char *rest = text;; rest++) {
        size_t name;
        const size_t all = switch_length(rest, &name);
        if (all == 0 || (rest[all] != ',' && rest[all] != '\0'))
            FAIL(USAGE, "'%s': expected NAME=NUMBER[,NAME=NUMBER...], with capital letters", text);
        drop_switch(list, rest, name);
        const size_t used = strlen(list), comma = used > 0 && list[used - 1] != ',';
        if (used + comma + all >= o->size)
            FAIL(USAGE, "'%s': more than %zu characters of switches", text, o->size - 1);
        snprintf(list + used, sizeof list - used, "%s%.*s", comma ? "," : "", (int)all, rest);
        rest += all;
        if (*rest == '\0')
            break;
    }
    const size_t used = strlen(list);
    if (used > 0 && list[used - 1] == ',')
        list[used - 1] = '\0';
    return option_store_text(o, settings, list);
}

/* The text becomes part of a compiler's command line. */
static enum err set_processor(const struct option *o, void *settings, const char *text)
{
    const char *s = text;
    while (isalnum((unsigned char)*s) || (s > text && *s && strchr("-_.+", *s)))
        s++;
    if (s == text || *s)
        FAIL(USAGE, "'%s': expected the name of a processor, such as native or x86-64-v3", text);
    return option_store_text(o, settings, text);
}

/* Shallow water's default, until problem_open knows the system. */
static void reset_precision(const struct option *o, void *settings)
{
    int *precision = (void *)((char *)settings + o->offset);
    precision[0] = F32;
    precision[1] = 0;
}

static enum err set_precision(const struct option *o, void *settings, const char *text)
{
    int *precision = (void *)((char *)settings + o->offset);
    precision[1] = 1;
    return option_find_word("value", text, o->choices, precision);
}

static int format_precision(const struct option *o, const void *settings, int k,
                            char text[FILE_LENGTH])
{
    const int *precision = (const void *)((const char *)settings + o->offset);
    snprintf(text, FILE_LENGTH, "%s", o->choices[precision[0]]);
    return k == 0 && precision[1];
}

_Static_assert(offsetof(struct config, precision_chosen) ==
                   offsetof(struct config, precision) + sizeof(int),
               "the precision and whether it was chosen lie side by side");

const struct option_type option_precision = {reset_precision, set_precision, format_precision,
                                             .file = NULL};

const struct option_type option_block = {reset_blocks, set_block, format_block, .repeats = 1},
                         option_switches = {.reset = option_reset_text,
                                            .set = set_switches,
                                            .format = option_format_text},
                         option_processor = {.reset = option_reset_text,
                                             .set = set_processor,
                                             .format = option_format_text};
