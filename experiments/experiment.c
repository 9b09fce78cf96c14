/* Reads experiments/NAME.ini. */
#include "experiments/experiment.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/base/key_value.h"
#include "core/registry/registry.h"
#include "experiments/experiment_keys.h"

#define FOLDER "experiments"
#define ENDING ".ini"

struct reader {
    struct experiment *x;
    char *to; /* where the next text goes, behind all others */
    int line;
};

static int is_name(const char *text, size_t length)
{
    return length > 0 && length <= EXPERIMENT_NAME && *text >= 'a' && *text <= 'z' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") >= length;
}

static const char *keep(struct reader *r, const char *text)
{
    char *kept = r->to;
    r->to = stpcpy(kept, text) + 1;
    return kept;
}

static enum err begin_section(struct reader *r, char *text)
{
    struct experiment *x = r->x;
    char *end = strchr(text, ']');
    if (!end || end[1])
        FAIL(INPUT, "%s:%d: '%.80s' is no section: it is [name]", x->path, r->line, text);
    *end = '\0';
    x->section[x->sections++] = (struct section){
        .name = keep(r, keyvalue_trim(text + 1)), .line = r->line, .first = x->settings};
    return ERR_OK;
}

/* The last setting's value is the last text kept: it can grow. */
static enum err continue_value(struct reader *r, const char *text)
{
    const struct experiment *x = r->x;
    if (x->section[x->sections - 1].count == 0)
        FAIL(INPUT,
             "%s:%d: a line that begins with a blank goes on with the value above, and there "
             "is none: begin the line with its key",
             x->path, r->line);
    r->to--;
    if (*x->setting[x->settings - 1].value)
        *r->to++ = ' ';
    keep(r, text);
    return ERR_OK;
}

static enum err read_line(struct reader *r, char *line)
{
    struct experiment *x = r->x;
    char *key, *value;
    if (!is_utf8(line)) /* what is drawn of it must be XML */
        FAIL(INPUT, "%s:%d: this line is not UTF-8: save the file in that encoding", x->path,
             r->line);
    const int goes_on = isspace((unsigned char)*line);
    char *text = keyvalue_uncomment(line);
    if (!*text)
        return ERR_OK;
    if (goes_on)
        return continue_value(r, text);
    if (*text == '[')
        return begin_section(r, text);
    if (!keyvalue_split(text, &key, &value))
        FAIL(INPUT,
             "%s:%d: '%.80s' is no setting: a line is 'key = value', [section], a comment that "
             "begins with #, or begins with a blank and goes on with a value",
             x->path, r->line, text);
    struct setting *setting = &x->setting[x->settings++];
    setting->line = r->line;
    setting->key = keep(r, key);
    setting->value = keep(r, keyvalue_trim(value));
    x->section[x->sections - 1].count++;
    return ERR_OK;
}

/* What is kept of a line is no longer than the line with its end. */
static enum err read_lines(struct experiment *x, char *text, size_t size)
{
    struct reader r = {.x = x};
    size_t lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    x->text = calloc(size + 3, 1);
    x->setting = calloc(lines, sizeof *x->setting);
    x->section = calloc(lines + 1, sizeof *x->section);
    if (!x->text || !x->setting || !x->section)
        FAIL(MEMORY, "no memory to read %s", x->path);
    r.to = x->text;
    x->section[x->sections++] = (struct section){.name = keep(&r, ""), .line = 1};
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        r.line++;
        TRY(read_line(&r, line));
    }
    return ERR_OK;
}

static enum err read_file(struct experiment *x, FILE *f)
{
    char *text = NULL;
    size_t room = 0;
    errno = 0;
    const ssize_t n = getdelim(&text, &room, '\0', f);
    enum err e = ERR_OK;
    if (ferror(f))
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: cannot be read: %s", x->path,
                    strerror(errno));
    else if (n > 0 && text[n - 1] == '\0')
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: this is not a text file", x->path);
    else if (n <= 0)
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: the file is empty", x->path);
    else
        e = read_lines(x, text, (size_t)n);
    free(text);
    return e;
}

static enum err no_such(const char *name)
{
    struct experiment_list list;
    const char *near = NULL;
    TRY(experiment_list_read(&list));
    const char **names = calloc((size_t)list.count + 1, sizeof *names);
    if (names) {
        for (int k = 0; k < list.count; k++)
            names[k] = list.name[k];
        near = nearest_name(name, names, list.count);
    }
    err_set(ERR_USAGE, __FILE__, __LINE__,
            "unknown experiment '%s': %s%s%s`shoal list experiments` lists them", name,
            near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
    free(names);
    experiment_list_free(&list);
    return ERR_USAGE;
}

enum err experiment_read(struct experiment *x, const char *name)
{
    char file[sizeof FOLDER + sizeof ENDING + EXPERIMENT_NAME + 1];
    *x = (struct experiment){0};
    if (!is_name(name, strlen(name)))
        return no_such(name);
    snprintf(x->name, sizeof x->name, "%s", name);
    snprintf(file, sizeof file, FOLDER "/%s" ENDING, name);
    TRY(paths_file(file, x->path));
    FILE *f = fopen(x->path, "r");
    if (!f && errno == ENOENT)
        return no_such(name);
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", x->path, strerror(errno));
    keyvalue_begin(f);
    enum err e = read_file(x, f);
    fclose(f);
    if (!e)
        e = experiment_check(x);
    if (e)
        experiment_free(x);
    return e;
}

void experiment_free(struct experiment *x)
{
    free(x->text);
    free(x->setting);
    free(x->section);
    *x = (struct experiment){0};
}

static enum err list_add(struct experiment_list *list, const char *file)
{
    const size_t n = strlen(file), end = strlen(ENDING);
    if (n <= end || *file == '.' || strcmp(file + n - end, ENDING) != 0)
        return ERR_OK;
    if (!is_name(file, n - end))
        FAIL(INPUT,
             FOLDER "/%s: an experiment's file is named with at most %d of a-z 0-9 and -, a "
                    "letter first, and " ENDING ": rename it",
             file, EXPERIMENT_NAME);
    void *larger = realloc(list->name, ((size_t)list->count + 1) * sizeof *list->name);
    if (!larger)
        FAIL(MEMORY, "no memory to list experiments");
    list->name = larger;
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
        e = list_add(list, entry->d_name);
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
    for (int k = 0; k < x->sections; k++)
        if (strcmp(x->section[k].name, name) == 0 && nth-- == 0)
            return &x->section[k];
    return NULL;
}

const char *experiment_value_at(const struct experiment *x, const struct section *s,
                                const char *key, int nth)
{
    for (int k = 0; s && k < s->count; k++) {
        const struct setting *setting = &x->setting[s->first + k];
        if (strcmp(setting->key, key) == 0 && nth-- == 0)
            return setting->value;
    }
    return NULL;
}

const char *experiment_value(const struct experiment *x, const struct section *s, const char *key)
{
    return experiment_value_at(x, s, key, 0);
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
            experiment_fault(x, value, "%d words of %d characters at most can stand here", most,
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
    for (int k = 0; k < x->settings; k++) {
        const struct setting *s = &x->setting[k];
        if (value >= s->value && value <= s->value + strlen(s->value))
            FAIL(INPUT, "%s:%d: %s: %s", x->path, s->line, s->key, what);
    }
    FAIL(INPUT, "%s: %s", x->path, what);
}
