/* Imports cache files of Kernel Tuner: says what they hold, and enters them as published tables. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/base/json.h"
#include "core/base/output_file.h"
#include "experiments/tuner/export_parts.h"

enum { MOST_PARAMETERS = 64 };
/* What some versions write for the time of a failure. */
static const double NO_TIME = 1e20;

static const struct {
    const char *text;
    enum db_outcome outcome;
} errors[] = {{"InvalidConfig", DB_CONSTRAINT},
              {"CompilationFailedConfig", DB_COMPILE},
              {"RuntimeFailedConfig", DB_LAUNCH},
              {"ErrorConfig", DB_LAUNCH}};

struct cache {
    const char *path, *kernel, *device;
    char size[128]; /* "4096 x 4096" */
    const char *parameter[MOST_PARAMETERS];
    int parameters;
    const struct json *entries;
    struct json_tree tree;
};

struct settings {
    char name[DB_NAME + 1], source[512];
};

static const struct option options[] = {
    {"as", "NAME", "enters it in the database as published/NAME/<kernel>-<device>.tsv",
     TEXT_IN(struct settings, name)},
    {"source", "TEXT", "for --as: who measured what, and when, or where it is from",
     TEXT_IN(struct settings, source)},
    {.name = NULL},
};

/* A cache file stays open for more: the closing brackets may be missing. */
static enum err parse_cache(struct cache *c, char *text, size_t size)
{
    char *closed = NULL, first[1024];
    enum err e = json_parse(c->path, text, size, &c->tree);
    if (e != ERR_INPUT)
        return e;
    snprintf(first, sizeof first, "%s", err_message());
    while (size && isspace((unsigned char)text[size - 1]))
        size--;
    size -= size && text[size - 1] == ',';
    if (asprintf(&closed, "%.*s}\n}", (int)size, text) < 0)
        FAIL(MEMORY, "no memory to read %s", c->path);
    e = json_parse(c->path, closed, strlen(closed), &c->tree);
    free(closed);
    if (e == ERR_INPUT)
        FAIL(INPUT, "%s", first);
    return e;
}

static enum err read_parameters(struct cache *c, const struct json *root)
{
    const struct json *keys = json_get(root, "tune_params_keys");
    if (!keys || keys->kind != JSON_LIST || keys->count == 0 || keys->count > MOST_PARAMETERS)
        FAIL(INPUT, "%s: tune_params_keys: a list of 1 to %d names is wanted", c->path,
             MOST_PARAMETERS);
    for (const struct json *key = keys->first; key; key = key->next) {
        if (key->kind != JSON_STRING)
            FAIL(INPUT, "%s:%d: a parameter's name, in quotes, is wanted", c->path, key->line);
        c->parameter[c->parameters++] = key->text;
    }
    return ERR_OK;
}

static void read_size(struct cache *c, const struct json *size)
{
    size_t n = 0;
    const struct json *at = size && size->kind == JSON_LIST ? size->first : size;
    snprintf(c->size, sizeof c->size, "unknown size");
    for (; at && at->text && n < sizeof c->size; at = size->kind == JSON_LIST ? at->next : NULL)
        n += (size_t)snprintf(c->size + n, sizeof c->size - n, "%s%s", n ? " x " : "", at->text);
}

static enum err read_cache(struct cache *c, char *text, size_t size)
{
    TRY(parse_cache(c, text, size));
    const struct json *root = c->tree.root;
    c->entries = json_get(root, "cache");
    if (!c->entries || c->entries->kind != JSON_OBJECT)
        FAIL(INPUT, "%s: no cache file of Kernel Tuner: it has no object 'cache'%s", c->path,
             json_get(root, "results") ? "; T4 files are not read" : "");
    c->kernel = json_text(root, "kernel_name");
    c->device = json_text(root, "device_name");
    if (!c->kernel || !c->device)
        FAIL(INPUT, "%s: kernel_name and device_name, texts, are wanted", c->path);
    read_size(c, json_get(root, "problem_size"));
    return read_parameters(c, root);
}

/* Kernel Tuner takes any value that is one of these texts for a failure. */
static int find_error(const struct json *entry)
{
    for (const struct json *v = entry->first; v; v = v->next)
        for (int k = 0; k < (int)(sizeof errors / sizeof *errors); k++)
            if (v->kind == JSON_STRING && strcmp(v->text, errors[k].text) == 0)
                return k;
    return -1;
}

/* How an entry ended; its time in *time if it is ok. */
static enum db_outcome outcome_of(const struct json *entry, const char **reason,
                                  const struct json **time)
{
    const char *status = json_text(entry, "shoal_status");
    const int error = find_error(entry);
    *reason = "-";
    *time = json_get(entry, "time");
    if (error < 0 && *time && (*time)->kind == JSON_NUMBER && (*time)->number > 0 &&
        (*time)->number < NO_TIME)
        return DB_OK;
    const char *more = json_text(entry, "shoal_reason");
    *time = NULL;
    *reason = more ? more : error < 0 ? "no time" : errors[error].text;
    for (int k = DB_OK + 1; status && k < DB_OUTCOMES; k++)
        if (strcmp(status, db_outcomes[k]) == 0)
            return (enum db_outcome)k;
    return error < 0 ? DB_LAUNCH : errors[error].outcome;
}

/* In a table: no empty fields, no tabs. */
static void print_field(FILE *f, const struct json *v)
{
    static const char *const words[] = {
        [JSON_NULL] = "-", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
    const char *text = !v ? "-" : v->text ? v->text : v->kind <= JSON_TRUE ? words[v->kind] : "-";
    for (const char *c = *text ? text : "-"; *c; c++)
        fputc((unsigned char)*c < ' ' ? ' ' : *c, f);
}

static void print_summary(const struct cache *c)
{
    size_t counts[DB_OUTCOMES] = {0};
    const struct json *best = NULL, *best_time = NULL, *time;
    const char *reason;
    for (const struct json *entry = c->entries->first; entry; entry = entry->next) {
        const enum db_outcome outcome = outcome_of(entry, &reason, &time);
        counts[outcome]++;
        if (time && (!best_time || time->number < best_time->number)) {
            best = entry;
            best_time = time;
        }
    }
    printf("%s: %s on %s, %s\n  parameters    ", c->path, c->kernel, c->device, c->size);
    for (int k = 0; k < c->parameters; k++)
        printf(" %s", c->parameter[k]);
    printf("\n  configurations %zu:", c->entries->count);
    for (int k = 0, first = 1; k < DB_OUTCOMES; k++) {
        if (!counts[k])
            continue;
        printf("%s %zu %s", first ? "" : ",", counts[k], db_outcomes[k]);
        first = 0;
    }
    printf("\n  best          ");
    for (int k = 0; best && k < c->parameters; k++) {
        printf(" %s=", c->parameter[k]);
        print_field(stdout, json_get(best, c->parameter[k]));
    }
    if (best)
        printf(": %s ms\n", best_time->text);
    else
        puts(" none: every configuration failed");
}

/* A parameter as a column's name. */
static void column_of(const char *parameter, char column[DB_NAME + 1])
{
    snprintf(column, DB_NAME + 1, "%s", parameter);
    for (char *c = column; *c; c++)
        *c = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_');
}

static enum err check_columns(const struct cache *c)
{
    static const char *const taken[] = {"time_ms", "outcome", "reason"};
    char a[DB_NAME + 1], b[DB_NAME + 1];
    for (int j = 0; j < c->parameters; j++) {
        column_of(c->parameter[j], a);
        int twice = !*a;
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            twice |= strcmp(a, taken[k]) == 0;
        for (int k = 0; k < j; k++) {
            column_of(c->parameter[k], b);
            twice |= strcmp(a, b) == 0;
        }
        if (twice)
            FAIL(INPUT, "%s: parameter '%s' cannot be a column: '%s' is one already; rename it",
                 c->path, c->parameter[j], a);
    }
    return ERR_OK;
}

/* What is entered, and as what. */
struct import {
    const struct cache *cache;
    const struct settings *settings;
};

static void print_table(FILE *f, const void *context)
{
    const struct import *all = context;
    const struct cache *c = all->cache;
    const struct settings *s = all->settings;
    char column[DB_NAME + 1];
    fprintf(f,
            "# source: %s\n"
            "# published: imported from a cache file of Kernel Tuner; nothing here was measured by "
            "Shoal\n"
            "# table: %s on %s, %s\n# page: -\n",
            s->source, c->kernel, c->device, c->size);
    for (int k = 0; k < c->parameters; k++) {
        column_of(c->parameter[k], column);
        fprintf(f, "%s\t", column);
    }
    fputs("time_ms\toutcome\treason\n", f);
    for (const struct json *entry = c->entries->first; entry; entry = entry->next) {
        const char *reason;
        const struct json *time;
        const enum db_outcome outcome = outcome_of(entry, &reason, &time);
        for (int k = 0; k < c->parameters; k++) {
            print_field(f, json_get(entry, c->parameter[k]));
            fputc('\t', f);
        }
        print_field(f, time);
        fprintf(f, "\t%s\t", db_outcomes[outcome]);
        print_field(f, &(struct json){.kind = JSON_STRING, .text = reason});
        fputc('\n', f);
    }
}

static enum err choose_place(const struct cache *c, const struct settings *s,
                             char path[PATH_LENGTH])
{
    char database[PATH_LENGTH], kernel[DB_NAME + 1], device[DB_NAME + 1];
    char name[4 * (DB_NAME + 1)];
    struct stat st;
    if (s->name[strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
        FAIL(USAGE, "--as %s: lower-case letters, digits and hyphens are wanted", s->name);
    if (!*s->source || strpbrk(s->source, "\n\r"))
        FAIL(USAGE, "--as needs --source 'who measured what, and when', on one line");
    db_device_folder(c->kernel, kernel);
    db_device_folder(c->device, device);
    TRY(paths_database(database));
    TRY(db_path(database, "published", path));
    TRY(paths_folder(path, "SHOAL_DB names the database"));
    snprintf(name, sizeof name, "published/%s", s->name);
    TRY(db_path(database, name, path));
    TRY(paths_folder(path, "SHOAL_DB names the database"));
    snprintf(name, sizeof name, "published/%s/%s-%s.tsv", s->name, kernel, device);
    TRY(db_path(database, name, path));
    if (lstat(path, &st) == 0)
        FAIL(USAGE, "%s is there already: delete it, or choose another name with --as", path);
    return ERR_OK;
}

static enum err enter(const struct cache *c, const struct settings *s)
{
    const struct import all = {c, s};
    char path[PATH_LENGTH];
    TRY(check_columns(c));
    TRY(choose_place(c, s, path));
    TRY(outfile_print(path, print_table, &all));
    printf("%s\n", path);
    return ERR_OK;
}

static enum err cmd_import(const struct call *call)
{
    struct cache c = {.path = call->word[0]};
    const struct settings *s = call->settings;
    char *text = NULL;
    size_t size;
    enum err e = ERR_OK;
    if (*s->source && !*s->name)
        FAIL(USAGE, "--source is for --as NAME");
    TRY(json_load(c.path, &text, &size));
    TRY_OUT(read_cache(&c, text, size));
    print_summary(&c);
    if (*s->name)
        TRY_OUT(enter(&c, s));
out:
    json_free(&c.tree);
    free(text);
    return e;
}

const struct command db_action_import = {
    .name = "import",
    .arguments = "FILE",
    .title = "cache files of Kernel Tuner",
    .place = 10,
    .about = "Says what a cache file of Kernel Tuner holds. With --as it becomes a table that\n"
             "plots can use. It never becomes a measurement of Shoal's: such a file does not\n"
             "say with which driver, compiler, source and input its times were taken.",
    .examples =
        "  shoal db import convolution_A100.json\n"
        "  shoal db import convolution_A100.json --as some-2024 --source 'Some and Other, 2024'",
    .options = options,
    .settings = sizeof(struct settings),
    .least = 1,
    .most = 1,
    .missing = "db import needs a cache file of Kernel Tuner",
    .run = cmd_import,
};
