/* Checks a settings file against the table of allowed keys. */
#include "core/options/ini_file.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/catalog.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS        "0123456789"

/* An unknown name, reported like catalog_unknown, but with file and line. */
static enum err unknown_name(const struct ini *f, int line, const struct catalog *known,
                             const char *what, const char *typed, const char *remedy)
{
    catalog_unknown(known, what, typed, remedy);
    err_context("%s:%d", f->path, line);
    return ERR_INPUT;
}

static int is_variant(const struct ini_key *key, const char *variant)
{
    if (key->how & INI_BACKENDS)
        return strcmp(variant, "cpu") == 0 || strcmp(variant, "cuda") == 0;
    return key->how & INI_DEVICES && *variant &&
           strspn(variant, SMALL_LETTERS DIGITS "-") == strlen(variant);
}

/* The entry of a key or its variant; NULL if there is none. */
static const struct ini_key *find_key(const struct ini_section *s, const char *text)
{
    const size_t length = strcspn(text, ".");
    for (const struct ini_key *key = s->keys; key && key->name; key++)
        if (strlen(key->name) == length && memcmp(text, key->name, length) == 0)
            return !text[length] || is_variant(key, text + length + 1) ? key : NULL;
    return NULL;
}

static enum err unknown_key(const struct ini *f, const struct ini_section *s,
                            const struct setting *setting, const char *remedy)
{
    char what[64];
    struct catalog known = {0};
    if (s->letters)
        FAIL(INPUT,
             "%s:%d: '%s' is not a valid name of [%s]: it begins with a letter and has small "
             "letters, digits and '%c'",
             f->path, setting->line, setting->key, s->name, s->letters[strlen(s->letters) - 1]);
    for (const struct ini_key *key = s->keys; key->name; key++)
        catalog_add(&known, key->name);
    snprintf(what, sizeof what, *s->name ? "key in [%s]" : "key%s", s->name);
    return unknown_name(f, setting->line, &known, what, setting->key, remedy);
}

static enum err check_setting(const struct ini *f, const struct ini_section *s,
                              const struct section *section, int k, const char *remedy)
{
    const struct setting *setting = &f->setting[section->first + k];
    const char *key = setting->key;
    const struct ini_key *known = find_key(s, key);
    const int is_word =
        s->letters && *key >= 'a' && *key <= 'z' && strspn(key, s->letters) == strlen(key);
    if (!known && !is_word)
        return unknown_key(f, s, setting, remedy);
    if (!*setting->value)
        FAIL(INPUT, "%s:%d: %s: the value is missing", f->path, setting->line, key);
    for (int i = 0; i < k && !(known && known->how & INI_REPEATS); i++)
        if (strcmp(setting[i - k].key, key) == 0)
            FAIL(INPUT, "%s:%d: %s is given twice, first on line %d", f->path, setting->line, key,
                 setting[i - k].line);
    return ERR_OK;
}

static enum err check_section(const struct ini *f, const struct ini_section *known, int count,
                              int which, const char *remedy)
{
    const struct section *section = &f->section[which];
    struct catalog names = {0};
    const struct ini_section *s = known;
    while (s < known + count && strcmp(section->name, s->name) != 0)
        s++;
    if (s == known + count) {
        for (int k = 1; k < count; k++)
            catalog_add(&names, known[k].name);
        return unknown_name(f, section->line, &names, "section", section->name, NULL);
    }
    for (int k = 0; k < which && !s->repeats; k++)
        if (strcmp(f->section[k].name, section->name) == 0)
            FAIL(INPUT, "%s:%d: there is a section [%s] already, on line %d", f->path,
                 section->line, section->name, f->section[k].line);
    for (int k = 0; k < section->count; k++)
        TRY(check_setting(f, s, section, k, remedy));
    return ERR_OK;
}

enum err ini_check(const struct ini *f, const struct ini_section *known, int count,
                   const char *remedy)
{
    for (int k = 0; k < f->sections; k++)
        TRY(check_section(f, known, count, k, remedy));
    return ERR_OK;
}
