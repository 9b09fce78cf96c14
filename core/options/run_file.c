/* Reads run files. */
#include "core/options/run_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/edge_option.h"
#include "core/base/key_value.h"
#include "core/options/options.h"
#include "core/base/input_files.h"
#include "core/registry/registry.h"

struct reader {
    struct config *config;
    const char *path;
    int line;
    int input_line;            /* where case or input was given, 0 if not yet */
    int seen[CATALOG_ENTRIES]; /* the same for each option */
};

/* Inside double quotes, \" and \\ are a quote and a backslash, and # begins no comment. */
static enum err unquote(char *value)
{
    char *to = value;
    const char *from = value + 1;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    if (*from != '"')
        FAIL(USAGE, "the closing quote is missing");
    for (from++; isspace((unsigned char)*from);)
        from++;
    if (*from && *from != '#')
        FAIL(USAGE, "'%s' follows the closing quote", from);
    *to = '\0';
    return ERR_OK;
}

/* Takes quotes, or a comment after a blank, off a value. */
static enum err bare_value(char **value)
{
    *value = keyvalue_trim(*value);
    if (**value == '"')
        return unquote(*value);
    *value = keyvalue_uncomment(*value);
    return ERR_OK;
}

/* A path of the run file as the program's own folder sees it; never a bare name, which could be
 * mistaken for a case. */
static enum err resolve(const char *run_file, const char *value, char path[FILE_LENGTH])
{
    const char *slash = strrchr(run_file, '/');
    int n;
    if (*value == '/')
        n = snprintf(path, FILE_LENGTH, "%s", value);
    else if (slash)
        n = snprintf(path, FILE_LENGTH, "%.*s/%s", (int)(slash - run_file), run_file, value);
    else
        n = snprintf(path, FILE_LENGTH, "./%s", value);
    if (n >= FILE_LENGTH)
        FAIL(USAGE, "a path may have at most %d characters", FILE_LENGTH - 1);
    return ERR_OK;
}

/* The same for the file that an edge's value may name. */
static enum err resolve_edge(const char *run_file, const char *value, char moved[FILE_LENGTH])
{
    char name[FILE_LENGTH], path[FILE_LENGTH] = "";
    size_t begin = strlen(value), length = 0;
    if (edge_option_file(value, &begin, &length)) {
        snprintf(name, sizeof name, "%.*s", (int)length, value + begin);
        TRY(resolve(run_file, name, path));
    }
    if (snprintf(moved, FILE_LENGTH, "%.*s%s%s", (int)begin, value, path, value + begin + length) >=
        FILE_LENGTH)
        FAIL(USAGE, "a value may have at most %d characters", FILE_LENGTH - 1);
    return ERR_OK;
}

static enum err read_input(struct reader *r, const char *key, const char *value)
{
    if (r->input_line)
        FAIL(USAGE, "the run already has an input, on line %d", r->input_line);
    r->input_line = r->line;
    if (strcmp(key, "input") == 0) {
        const size_t n = strlen(value);
        if (n >= 4 && strcmp(value + n - 4, ".ini") == 0)
            FAIL(USAGE, "'%s' is a run file, which cannot be the input of another", value);
        return resolve(r->path, value, r->config->input);
    }
    if (!find_case(value)) {
        struct catalog known;
        catalog_fill(&known, LIST_CASES);
        return catalog_unknown(&known, "case", value,
                               "`shoal list cases` lists what there is; a file is given as "
                               "'input = FILE'");
    }
    snprintf(r->config->input, FILE_LENGTH, "%s", value);
    return ERR_OK;
}

static enum err unknown_key(const char *key)
{
    struct catalog known = {0};
    for (const struct option *o = run_options; o->name; o++) {
        if (!o->only_command_line)
            catalog_add(&known, o->name);
    }
    catalog_add(&known, "case");
    catalog_add(&known, "input");
    return catalog_unknown(&known, "key", key,
                           "keys are the options' names, which `shoal run --help` explains");
}

static enum err read_key(struct reader *r, const char *key, const char *value)
{
    char path[FILE_LENGTH];
    if (!*value)
        FAIL(USAGE, "the value is missing");
    if (strcmp(key, "case") == 0 || strcmp(key, "input") == 0)
        return read_input(r, key, value);
    const struct option *o = option_find(key);
    if (!o || o->only_command_line)
        return unknown_key(key);
    int *seen = &r->seen[o - run_options];
    if (*seen && !option_repeats(o))
        FAIL(USAGE, "it is given twice, first on line %d", *seen);
    *seen = r->line;
    if (option_is_file(o, value)) {
        TRY(resolve(r->path, value, path));
        value = path;
    } else if (o->kind == OPTION_EDGE) {
        TRY(resolve_edge(r->path, value, path));
        value = path;
    }
    return option_set(o, r->config, value);
}

static enum err read_line(struct reader *r, char *text)
{
    char *line = keyvalue_trim(text), *key, *value;
    if (!*line || *line == '#')
        return ERR_OK;
    if (!keyvalue_split(line, &key, &value)) {
        err_set(ERR_USAGE, __FILE__, __LINE__,
                "'%s' is no setting: a line is 'key = value', or a comment that begins with #",
                line);
        err_context("%s:%d", r->path, r->line);
        return ERR_USAGE;
    }
    enum err e = bare_value(&value);
    if (!e)
        e = read_key(r, key, value);
    if (e)
        err_context("%s:%d: %s", r->path, r->line, key);
    return e;
}

static enum err read_lines(struct reader *r, FILE *f)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t n;
    enum err e = ERR_OK;
    errno = 0;
    while (!e && (n = getline(&text, &size, f)) >= 0) {
        r->line++;
        if (strlen(text) != (size_t)n)
            e = err_set(ERR_USAGE, __FILE__, __LINE__, "%s:%d: this is not a text file", r->path,
                        r->line);
        else
            e = read_line(r, text);
    }
    if (!e && ferror(f))
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "run file %s: %s", r->path, strerror(errno));
    free(text);
    return e;
}

enum err runfile_read(struct config *c, const char *path)
{
    struct reader r = {.config = c, .path = path};
    FILE *f = fopen(path, "r");
    if (!f)
        FAIL(INPUT, "run file %s: %s", path, strerror(errno));
    input_files_note(path);
    keyvalue_begin(f);
    const enum err e = read_lines(&r, f);
    fclose(f);
    if (!e && !r.input_line)
        FAIL(USAGE,
             "run file %s says nothing about what to run: add a line 'case = NAME' or "
             "'input = FILE'",
             path);
    return e;
}
