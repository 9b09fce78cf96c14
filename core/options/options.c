/* Parses a command's arguments by its table of options, and prints their help. */
#include "core/options/options.h"

#include <stdio.h>
#include <string.h>

const struct option *option_find(const struct option *table, const char *name)
{
    for (const struct option *o = table; o && o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

void option_reset(const struct option *o, void *settings)
{
    memset((char *)settings + o->offset, 0, o->size);
    o->type->reset(o, settings);
}

void options_reset(const struct option *table, void *settings)
{
    for (const struct option *o = table; o && o->name; o++)
        option_reset(o, settings);
}

enum err option_set(const struct option *o, void *settings, const char *text)
{
    const enum err e = *text ? o->type->set(o, settings, text)
                             : err_set(ERR_USAGE, __FILE__, __LINE__, "the value is empty");
    if (e)
        err_context("--%s", o->name);
    return e;
}

/* The option that takes the word as a value, if it is the only one. */
static const struct option *option_of_value(const struct option *table, const char *word)
{
    const struct option *found = NULL;
    for (const struct option *o = table; o && o->name; o++)
        for (const char *const *choice = o->choices; choice && *choice; choice++)
            if (strcmp(*choice, word) == 0) {
                if (found)
                    return NULL;
                found = o;
            }
    return found;
}

static enum err unknown_option(const struct arguments *a, const char *name)
{
    if (!a->options)
        FAIL(USAGE, "%s takes no options, such as '--%s'; `shoal %s --help` explains it",
             a->command, name, a->command);
    const struct option *takes = option_of_value(a->options, name);
    if (takes)
        FAIL(USAGE,
             "unknown option '--%s': did you mean '--%s %s'? `shoal %s --help` lists them all",
             name, takes->name, name, a->command);
    struct catalog known = {0};
    char typed[NAME_LENGTH + 2], dashed[CATALOG_ENTRIES][NAME_LENGTH], remedy[NAME_LENGTH + 64];
    for (const struct option *o = a->options; o && o->name && known.count < CATALOG_ENTRIES; o++) {
        snprintf(dashed[known.count], NAME_LENGTH, "--%s", o->name);
        catalog_add(&known, dashed[known.count]);
    }
    snprintf(typed, sizeof typed, "--%s", name);
    snprintf(remedy, sizeof remedy, "`shoal %s --help` lists them all", a->command);
    return catalog_unknown(&known, "option", typed, remedy);
}

/* An option; `next` is the argument after it or NULL. Sets `used` if that was its value. */
static enum err read_option(const struct arguments *a, void *settings, const char *argument,
                            const char *next, int *used)
{
    char name[NAME_LENGTH];
    const char *typed = argument + 2, *equals = strchr(typed, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - typed : (long)strlen(typed)),
             typed);
    const struct option *o = option_find(a->options, name);
    *used = 0;
    if (!o)
        return unknown_option(a, name);
    if (a->typed)
        a->typed[o - a->options] = 1;
    if (equals)
        return option_set(o, settings, equals + 1);
    if (o->type == &option_flag)
        return option_set(o, settings, "yes");
    if (!next || strncmp(next, "--", 2) == 0)
        FAIL(USAGE, "--%s needs a value: --%s %s", name, name, o->value);
    *used = 1;
    return option_set(o, settings, next);
}

static enum err read_word(struct arguments *a, const char *word)
{
    if (word[0] == '-')
        FAIL(USAGE, "unknown option '%s': options begin with --; `shoal %s --help` lists them all",
             word, a->command);
    if (a->words < a->most) {
        a->word[a->words++] = word;
        return ERR_OK;
    }
    if (a->most > 0)
        FAIL(USAGE, "unexpected '%s': %s takes %s; `shoal %s --help` explains it", word, a->command,
             a->takes, a->command);
    if (a->instead)
        FAIL(USAGE, "%s takes options only, not '%s'; did you mean %s %s?", a->command, word,
             a->instead, word);
    FAIL(USAGE, "%s takes %s, not '%s'", a->command, a->options ? "options only" : "no arguments",
         word);
}

enum err options_read(struct arguments *a, int argc, char **argv, void *settings)
{
    a->words = 0;
    for (int k = 0; k < argc; k++) {
        int used = 0;
        if (strncmp(argv[k], "--", 2) == 0)
            TRY(read_option(a, settings, argv[k], k + 1 < argc ? argv[k + 1] : NULL, &used));
        else
            TRY(read_word(a, argv[k]));
        k += used;
    }
    return ERR_OK;
}

enum err option_move_files(const struct option *o, const char *value,
                           enum err (*move)(const char *name, const char *from,
                                            char path[FILE_LENGTH]),
                           const char *from, char moved[FILE_LENGTH])
{
    char name[FILE_LENGTH], path[FILE_LENGTH];
    size_t done = 0, used = 0, begin, length;
    for (int k = 0; k < VALUE_FILES && used < FILE_LENGTH; k++) {
        if (!o->type->file || !o->type->file(value, k, &begin, &length))
            continue;
        if (length >= sizeof name)
            FAIL(USAGE, "a path may have at most %d characters", FILE_LENGTH - 1);
        snprintf(name, sizeof name, "%.*s", (int)length, value + begin);
        TRY(move(name, from, path));
        used += (size_t)snprintf(moved + used, FILE_LENGTH - used, "%.*s%s", (int)(begin - done),
                                 value + done, path);
        done = begin + length;
    }
    if (used < FILE_LENGTH)
        used += (size_t)snprintf(moved + used, FILE_LENGTH - used, "%s", value + done);
    if (used >= FILE_LENGTH)
        FAIL(USAGE, "a value may have at most %d characters", FILE_LENGTH - 1);
    return ERR_OK;
}

void options_help(FILE *f, const struct option *table, int group)
{
    for (const struct option *o = table; o->name; o++) {
        const int flag = o->type == &option_flag;
        const char *standard = o->initial && !flag ? o->initial : o->unset;
        char left[NAME_LENGTH];
        if (group >= 0 && o->group != group)
            continue;
        snprintf(left, sizeof left, "--%s%s%s", o->name, flag ? "" : " ", flag ? "" : o->value);
        fprintf(f, "  %-21s %s%s%s%s\n", left, o->help, standard ? " (" : "",
                standard ? standard : "", standard ? ")" : "");
    }
}
