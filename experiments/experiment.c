/* Reads experiments/NAME.ini. */
#include "experiments/experiment.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/registry/catalog.h"
#include "experiments/experiment_keys.h"
#include "core/base/memory.h"

#define FOLDER "experiments"
#define ENDING ".ini"

static int is_name(const char *text, size_t length)
{
    return length > 0 && length <= EXPERIMENT_NAME && *text >= 'a' && *text <= 'z' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") >= length;
}

static enum err no_such(const char *name)
{
    struct experiment_list list;
    struct catalog known = {0};
    TRY(experiment_list_read(&list));
    for (int k = 0; k < list.count; k++)
        catalog_add(&known, list.name[k]);
    const enum err e =
        catalog_unknown(&known, "experiment", name, "`shoal list experiments` lists them");
    experiment_list_free(&list);
    return e;
}

enum err experiment_read(struct experiment *x, const char *name)
{
    char file[sizeof FOLDER + sizeof ENDING + EXPERIMENT_NAME + 1], path[PATH_LENGTH];
    *x = (struct experiment){0};
    if (!is_name(name, strlen(name)))
        return no_such(name);
    snprintf(x->name, sizeof x->name, "%s", name);
    snprintf(file, sizeof file, FOLDER "/%s" ENDING, name);
    TRY(paths_file(file, path));
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return no_such(name);
    enum err e = ini_read(&x->file, path, INI_SECTIONS);
    if (!e)
        e = experiment_check(x);
    if (e)
        experiment_free(x);
    return e;
}

void experiment_free(struct experiment *x)
{
    ini_free(&x->file);
    *x = (struct experiment){0};
}

static enum err add_to_list(struct experiment_list *list, const char *file)
{
    const size_t n = strlen(file), end = strlen(ENDING);
    if (n <= end || *file == '.' || strcmp(file + n - end, ENDING) != 0)
        return ERR_OK;
    if (!is_name(file, n - end))
        FAIL(INPUT,
             FOLDER "/%s: an experiment's file is named with at most %d of a-z 0-9 and -, a "
                    "letter first, and " ENDING ": rename it",
             file, EXPERIMENT_NAME);
    TRY(memory_more(&list->name, (size_t)list->count, sizeof *list->name, "names of experiments"));
    snprintf(list->name[list->count++], sizeof *list->name, "%.*s", (int)(n - end), file);
    return ERR_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum err experiment_list_read(struct experiment_list *list)
{
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    *list = (struct experiment_list){0};
    TRY(paths_file(FOLDER, path));
    DIR *d = opendir(path);
    if (!d)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    for (const struct dirent *entry = readdir(d); entry && !e; entry = readdir(d))
        e = add_to_list(list, entry->d_name);
    closedir(d);
    if (e)
        experiment_list_free(list);
    else if (list->count)
        qsort(list->name, (size_t)list->count, sizeof *list->name, by_name);
    return e;
}

void experiment_list_free(struct experiment_list *list)
{
    free(list->name);
    *list = (struct experiment_list){0};
}

const struct section *experiment_section(const struct experiment *x, const char *name, int nth)
{
    return ini_section(&x->file, name, nth);
}

const char *experiment_value_at(const struct experiment *x, const struct section *s,
                                const char *key, int nth)
{
    return ini_value(&x->file, s, key, nth);
}

const char *experiment_value(const struct experiment *x, const struct section *s, const char *key)
{
    return experiment_value_at(x, s, key, 0);
}

const char *experiment_historical(const struct experiment *x)
{
    return experiment_value(x, experiment_section(x, "", 0), "historical");
}

const char *experiment_variant(const struct experiment *x, const struct section *s, const char *key,
                               const char *variant)
{
    char whole[EXPERIMENT_WORD + 1];
    snprintf(whole, sizeof whole, "%s.%s", key, variant);
    const char *value = experiment_value(x, s, whole);
    return value ? value : experiment_value(x, s, key);
}

int experiment_words(const struct experiment *x, const char *value,
                     char (*word)[EXPERIMENT_WORD + 1], int most)
{
    int count = 0;
    const char *p = value ? value + strspn(value, " \t") : "";
    while (*p) {
        const int quoted = *p == '"';
        const char *start = p + quoted;
        const size_t n = strcspn(start, quoted ? "\"" : " \t");
        p = start + n;
        if (quoted && (!*p || !strchr(" \t", p[1]))) {
            experiment_fault(x, value, "a blank must follow the closing quote of '%s'", start);
            return -1;
        }
        p += quoted;
        if (count == most || n > EXPERIMENT_WORD) {
            experiment_fault(x, value, "expected at most %d words of %d characters", most,
                             EXPERIMENT_WORD);
            return -1;
        }
        snprintf(word[count++], sizeof *word, "%.*s", (int)n, start);
        p += strspn(p, " \t");
    }
    return count;
}

enum err experiment_fault(const struct experiment *x, const char *value, const char *fmt, ...)
{
    char what[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    for (int k = 0; k < x->file.settings; k++) {
        const struct setting *s = &x->file.setting[k];
        int line = s->line;
        if (value < s->value || value > s->value + strlen(s->value))
            continue;
        for (const char *p = s->value; p < value; p++)
            line += *p == '\n';
        FAIL(INPUT, "%s:%d: %s: %s", x->file.path, line, s->key, what);
    }
    FAIL(INPUT, "%s: %s", x->file.path, what);
}
