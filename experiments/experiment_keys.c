/* Checks the sections and keys of an experiment's file. */
#include "experiments/experiment_keys.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/catalog.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS        "0123456789"

enum variants { NO_VARIANT, EACH_BACKEND, EACH_DEVICE };

static const struct known_section {
    const char *name;
    int repeats;
    const char *letters; /* a key is any word of these; NULL: it is one of known_keys */
    enum variants variants;
} known_sections[] = {
    {"", 0, NULL, EACH_DEVICE},
    {"measure", 0, NULL, EACH_BACKEND},
    {"data", 1, NULL, EACH_BACKEND},
    {"draw", 0, SMALL_LETTERS DIGITS "-", NO_VARIANT},
    {"facts", 0, SMALL_LETTERS DIGITS "_", NO_VARIANT},
    {"claim", 1, NULL, NO_VARIANT},
};
enum { SECTIONS = sizeof known_sections / sizeof known_sections[0] };

/* REPEATS: it may stand several times; FIXED: it has no variants. */
enum { REPEATS = 1, FIXED = 2 };

static const struct known_key {
    const char *section, *key;
    int how;
} known_keys[] = {
    {"", "title", 0},
    {"", "chapter", 0},
    {"", "figure", REPEATS},
    {"", "caption", 0},
    {"", "missing", 0},
    {"", "readme", 0},
    {"measure", "kind", FIXED},
    {"measure", "takes", FIXED},
    {"measure", "needs", FIXED},
    {"measure", "backend", FIXED},
    {"measure", "case", 0},
    {"measure", "scheme", 0},
    {"measure", "precision", 0},
    {"measure", "mode", 0},
    {"measure", "nx", 0},
    {"measure", "t-end", 0},
    {"measure", "steps", 0},
    {"measure", "cfl", 0},
    {"measure", "dt-factor", 0},
    {"measure", "limiter", 0},
    {"measure", "early-exit", 0},
    {"measure", "graphs", 0},
    {"measure", "blocks", 0},
    {"measure", "define", 0},
    {"measure", "repeat", 0},
    {"measure", "enough", 0},
    {"measure", "unit-cells", 0},
    {"measure", "error", 0},
    {"measure", "at", 0},
    {"measure", "from-x", 0},
    {"measure", "to-x", 0},
    {"measure", "records", 0},
    {"measure", "after", 0},
    {"measure", "window", 0},
    {"measure", "windows", 0},
    {"measure", "array", 0},
    {"measure", "kernel", 0},
    {"measure", "strategy", 0},
    {"measure", "input", 0},
    {"measure", "marks", 0},
    {"measure", "manning", 0},
    {"measure", "kappa", 0},
    {"measure", "wet-depth", 0},
    {"measure", "maxima-every", 0},
    {"measure", "spacing", 0},
    {"measure", "bed-within", 0},
    {"measure", "volume", 0},
    {"measure", "volume-above", 0},
    {"measure", "volume-within", 0},
    {"data", "name", FIXED},
    {"data", "sql", 0},
    {"data", "texts", FIXED},
    {"draw", "mark", REPEATS},
    {"claim", "id", 0},
    {"claim", "where", 0},
    {"claim", "claim", 0},
    {"claim", "published", 0},
    {"claim", "ours", 0},
    {"claim", "holds", 0},
    {"claim", "partly", 0},
    {"claim", "finding", 0},
};
enum { KEYS = sizeof known_keys / sizeof known_keys[0] };

static enum err fault(const struct experiment *x, int line, const char *what)
{
    FAIL(INPUT, "%s:%d: %s", x->path, line, what);
}

/* A name that is none of the known ones, as catalog_unknown says it, but of a file. */
static enum err unknown(const struct experiment *x, int line, const struct catalog *known,
                        const char *what, const char *typed)
{
    char message[4096];
    catalog_unknown(known, what, typed, NULL);
    snprintf(message, sizeof message, "%s", err_message());
    return fault(x, line, message);
}

static const struct known_section *section_known(const char *name)
{
    for (int k = 0; k < SECTIONS; k++)
        if (strcmp(name, known_sections[k].name) == 0)
            return &known_sections[k];
    return NULL;
}

/* The entry of the first `length` bytes of a key. */
static const struct known_key *key_entry(const char *section, const char *key, size_t length)
{
    for (int k = 0; k < KEYS; k++)
        if (strcmp(section, known_keys[k].section) == 0 && strlen(known_keys[k].key) == length &&
            memcmp(key, known_keys[k].key, length) == 0)
            return &known_keys[k];
    return NULL;
}

static int is_variant(const struct known_section *s, const struct known_key *key,
                      const char *variant)
{
    if (s->variants == EACH_BACKEND && !(key->how & FIXED))
        return strcmp(variant, "cpu") == 0 || strcmp(variant, "cuda") == 0;
    return s->variants == EACH_DEVICE && strcmp(key->key, "missing") == 0 && *variant &&
           strspn(variant, SMALL_LETTERS DIGITS "-") == strlen(variant);
}

static int key_is_known(const struct known_section *s, const char *key)
{
    const char *dot = strchr(key, '.');
    if (s->letters)
        return *key >= 'a' && *key <= 'z' && strspn(key, s->letters) == strlen(key);
    const struct known_key *entry = key_entry(s->name, key, strcspn(key, "."));
    return entry && (!dot || is_variant(s, entry, dot + 1));
}

static enum err unknown_key(const struct experiment *x, const struct known_section *s,
                            const struct setting *setting)
{
    char what[64];
    struct catalog known = {0};
    if (s->letters)
        FAIL(INPUT,
             "%s:%d: '%s' is no name of [%s]: it begins with a letter and has small letters, "
             "digits and '%c'",
             x->path, setting->line, setting->key, s->name, s->letters[strlen(s->letters) - 1]);
    for (int k = 0; k < KEYS; k++)
        if (strcmp(s->name, known_keys[k].section) == 0)
            catalog_add(&known, known_keys[k].key);
    snprintf(what, sizeof what, *s->name ? "key in [%s]" : "key before the first section%s",
             s->name);
    return unknown(x, setting->line, &known, what, setting->key);
}

static enum err check_setting(const struct experiment *x, const struct known_section *s,
                              const struct section *section, int k)
{
    const struct setting *setting = &x->setting[section->first + k];
    char message[256];
    if (!key_is_known(s, setting->key))
        return unknown_key(x, s, setting);
    if (!*setting->value) {
        snprintf(message, sizeof message, "%s: the value is missing", setting->key);
        return fault(x, setting->line, message);
    }
    const struct known_key *entry = key_entry(s->name, setting->key, strlen(setting->key));
    for (int i = 0; i < k && !(entry && entry->how & REPEATS); i++) {
        const struct setting *before = &x->setting[section->first + i];
        if (strcmp(before->key, setting->key) == 0) {
            snprintf(message, sizeof message, "%s is given twice, first on line %d", setting->key,
                     before->line);
            return fault(x, setting->line, message);
        }
    }
    return ERR_OK;
}

static enum err check_section(const struct experiment *x, int which)
{
    const struct section *section = &x->section[which];
    const struct known_section *s = section_known(section->name);
    struct catalog known = {0};
    if (!s) {
        for (int k = 1; k < SECTIONS; k++)
            catalog_add(&known, known_sections[k].name);
        return unknown(x, section->line, &known, "section", section->name);
    }
    for (int k = 0; k < which && !s->repeats; k++)
        if (strcmp(x->section[k].name, section->name) == 0)
            FAIL(INPUT, "%s:%d: there is a section [%s] already, on line %d", x->path,
                 section->line, section->name, x->section[k].line);
    for (int k = 0; k < section->count; k++)
        TRY(check_setting(x, s, section, k));
    return ERR_OK;
}

enum err experiment_check(const struct experiment *x)
{
    const struct section *top = &x->section[0], *draw = experiment_section(x, "draw", 0);
    for (int k = 0; k < x->sections; k++)
        TRY(check_section(x, k));
    for (int k = 0; k < 2; k++) {
        const char *key = k ? "chapter" : "title";
        if (!experiment_value(x, top, key))
            FAIL(INPUT, "%s: add a line '%s = ...' before the first section", x->path, key);
    }
    if (!draw)
        FAIL(INPUT, "%s: add a section [draw] with 'shape = ...'", x->path);
    if (!experiment_value(x, draw, "shape"))
        FAIL(INPUT, "%s:%d: [draw] must have 'shape = ...'", x->path, draw->line);
    return ERR_OK;
}
