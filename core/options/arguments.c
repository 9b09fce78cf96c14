/* Reads the options of a command from a table. */
#include "core/options/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/catalog.h"

static enum err set_number(const struct argument *a, const char *text, void *to)
{
    char *end;
    errno = 0;
    const double x =
        a->kind == ARGUMENT_NUMBER ? (double)strtol(text, &end, 10) : strtod(text, &end);
    if (!*text || *end || errno || !(x >= a->least && x <= a->most))
        FAIL(USAGE, "--%s: '%s' is no number from %g to %g", a->name, text, a->least, a->most);
    if (a->kind == ARGUMENT_NUMBER)
        *(int *)to = (int)x;
    else
        *(double *)to = x;
    return ERR_OK;
}

static enum err set(const struct argument *a, const char *text, void *to)
{
    char *member = (char *)to + a->offset;
    if (a->kind == ARGUMENT_FLAG) {
        *(int *)(void *)member = 1;
        return ERR_OK;
    }
    if (!text)
        FAIL(USAGE, "--%s needs a value: --%s %s", a->name, a->name, a->value);
    if (a->kind != ARGUMENT_WORD)
        return set_number(a, text, member);
    if (snprintf(member, a->size, "%s", text) >= (int)a->size)
        FAIL(USAGE, "--%s: the value is too long", a->name);
    if (!*text)
        FAIL(USAGE, "--%s: the value is empty", a->name);
    return ERR_OK;
}

static enum err take_word(struct arguments *a, const char *word)
{
    if (word[0] != '-' && a->words < a->most) {
        a->word[a->words++] = word;
        return ERR_OK;
    }
    if (a->most > 0)
        FAIL(USAGE, "%s: '%s' is one word too many, or no option; `shoal %s --help` explains all",
             a->command, word, a->command);
    if (a->instead)
        FAIL(USAGE, "%s takes options only, not '%s'; did you mean %s %s?", a->command, word,
             a->instead, word);
    FAIL(USAGE, "%s takes options only, not '%s'", a->command, word);
}

/* The option that a word of `n` letters names; NULL if none. */
static const struct argument *find(const struct arguments *a, const char *word, size_t n)
{
    for (int k = 0; k < a->count; k++)
        if (strlen(a->table[k].name) == n && strncmp(a->table[k].name, word, n) == 0)
            return &a->table[k];
    return NULL;
}

static enum err unknown(const struct arguments *a, const char *word, size_t n)
{
    struct catalog known = {0};
    char typed[128], remedy[160];
    for (int k = 0; k < a->count; k++)
        catalog_add(&known, a->table[k].name);
    snprintf(typed, sizeof typed, "%.*s", (int)n, word);
    snprintf(remedy, sizeof remedy, "`shoal %s --help` explains all", a->command);
    return catalog_unknown(&known, "option", typed, remedy);
}

enum err arguments_read(struct arguments *a, int argc, char **argv, void *to)
{
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i] + 2;
        const size_t n = strncmp(argv[i], "--", 2) == 0 ? strcspn(word, "=") : 0;
        if (!n) {
            TRY(take_word(a, argv[i]));
            continue;
        }
        const struct argument *found = find(a, word, n);
        if (!found)
            return unknown(a, word, n);
        if (word[n] == '=' && found->kind == ARGUMENT_FLAG)
            FAIL(USAGE, "--%s takes no value", found->name);
        if (word[n] == '=')
            TRY(set(found, word + n + 1, to));
        else if (found->kind == ARGUMENT_FLAG)
            TRY(set(found, NULL, to));
        else
            TRY(set(found, i + 1 < argc ? argv[++i] : NULL, to));
    }
    return ERR_OK;
}

void arguments_help(const struct argument *table, int count)
{
    for (int k = 0; k < count; k++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", table[k].name, table[k].value ? table[k].value : "");
        printf("  %-24s %s\n", left, table[k].help);
    }
}

enum err arguments_one_of(const char *what, const char *text, const char *const words[], int *which)
{
    struct catalog known = {0};
    for (int k = 0; words[k]; k++) {
        catalog_add(&known, words[k]);
        if (strcmp(text, words[k]) == 0)
            *which = k;
    }
    return *text && !catalog_has(&known, text) ? catalog_unknown(&known, what, text, NULL) : ERR_OK;
}

enum err arguments_backend(const char *text, int *which)
{
    static const char *const words[] = {
        [CPU] = "cpu", [CUDA] = "cuda", [ANY_BACKEND] = "auto", NULL};
    *which = ANY_BACKEND;
    return arguments_one_of("backend", text, words, which);
}

int arguments_split(const char *what, char *text, char *parts[], int most)
{
    int n = 0;
    for (char *part = strsep(&text, ","); part; part = strsep(&text, ",")) {
        if (!*part || n == most) {
            err_set(ERR_USAGE, __FILE__, __LINE__,
                    *part ? "--%s takes at most %d names" : "--%s: a name is empty (of at most %d)",
                    what, most);
            return -1;
        }
        parts[n++] = part;
    }
    return n;
}
