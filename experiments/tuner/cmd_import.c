/* Imports cache files of Kernel Tuner: describes them, and stores them as published tables. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/db/own.h"
#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/base/json.h"
#include "core/base/output_file.h"
#include "core/base/printable.h"
#include "core/base/whole_file.h"
#include "experiments/tuner/export_parts.h"

enum { MOST_PARAMETERS = 64 };
/* The time that some versions write for a failure. */
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
    json_t *root, *entries;
};

struct settings {
    char name[DB_NAME + 1], source[512];
};

static const struct option options[] = {
    {"as", "NAME", "stores it in the database as published/NAME/<kernel>-<device>.tsv",
     TEXT_IN(struct settings, name)},
    {"source", "TEXT", "for --as: who measured what, and when, or where it is from",
     TEXT_IN(struct settings, source)},
    {.name = NULL},
};

/* A cache file stays open for more: the closing brackets may be missing. */
static enum err parse_cache(struct cache *c, char *text, size_t size)
{
    char *closed = NULL, first[1024];
    enum err e = json_read(c->path, text, size, &c->root);
    if (e != ERR_INPUT)
        return e;
    snprintf(first, sizeof first, "%s", err_message());
    while (size && isspace((unsigned char)text[size - 1]))
        size--;
    size -= size && text[size - 1] == ',';
    if (asprintf(&closed, "%.*s}\n}", (int)size, text) < 0)
        FAIL(MEMORY, "no memory to read %s", c->path);
    e = json_read(c->path, closed, strlen(closed), &c->root);
    free(closed);
    if (e == ERR_INPUT)
        FAIL(INPUT, "%s", first);
    return e;
}

/* Names go into lines of tables, and to terminals. */
static enum err check_name(const struct cache *c, const char *what, const char *name)
{
    if (is_printable_line(name))
        return ERR_OK;
    FAIL(INPUT, "%s: %s: expected a text on one line, without control characters", c->path, what);
}

static enum err read_parameters(struct cache *c)
{
    const json_t *keys = json_object_get(c->root, "tune_params_keys"), *key;
    const size_t count = json_array_size(keys);
    size_t k;
    if (count == 0 || count > MOST_PARAMETERS)
        FAIL(INPUT, "%s: tune_params_keys: expected a list of 1 to %d names", c->path,
             MOST_PARAMETERS);
    json_array_foreach(keys, k, key)
    {
        if (!json_is_string(key))
            FAIL(INPUT, "%s: tune_params_keys: expected a parameter's name, in quotes", c->path);
        c->parameter[c->parameters++] = json_string_value(key);
        TRY(check_name(c, "tune_params_keys", json_string_value(key)));
    }
    return ERR_OK;
}

/* A value in a table or a sentence; a number with the fewest digits that restore it. */
static const char *value_text(const json_t *v, char number[32])
{
    int digits = 15;
    if (json_is_integer(v))
        snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    if (json_is_integer(v))
        return number;
    if (!json_is_real(v))
        return json_is_string(v)  ? json_string_value(v)
               : json_is_true(v)  ? "true"
               : json_is_false(v) ? "false"
                                  : "-";
    const double x = json_real_value(v);
    do
        snprintf(number, 32, "%.*g", digits++, x);
    while (digits <= 17 && strtod(number, NULL) != x);
    return number;
}

static void read_size(struct cache *c)
{
    json_t *size = json_object_get(c->root, "problem_size");
    const size_t count = json_is_array(size) ? json_array_size(size) : size != NULL;
    char number[32];
    size_t n = 0;
    snprintf(c->size, sizeof c->size, "unknown size");
    for (size_t k = 0; k < count && n < sizeof c->size; k++) {
        const json_t *v = json_is_array(size) ? json_array_get(size, k) : size;
        n += (size_t)snprintf(c->size + n, sizeof c->size - n, "%s%s", n ? " x " : "",
                              value_text(v, number));
    }
}

static enum err read_cache(struct cache *c, char *text, size_t size)
{
    TRY(parse_cache(c, text, size));
    c->entries = json_object_get(c->root, "cache");
    if (!json_is_object(c->entries))
        FAIL(INPUT, "%s: not a cache file of Kernel Tuner: it has no object 'cache'%s", c->path,
             json_object_get(c->root, "results") ? "; T4 files are not supported" : "");
    c->kernel = json_text(c->root, "kernel_name");
    c->device = json_text(c->root, "device_name");
    if (!c->kernel || !c->device)
        FAIL(INPUT, "%s: expected kernel_name and device_name, texts", c->path);
    read_size(c);
    TRY(check_name(c, "kernel_name", c->kernel));
    TRY(check_name(c, "device_name", c->device));
    TRY(check_name(c, "problem_size", c->size));
    return read_parameters(c);
}

/* Kernel Tuner treats any value with one of these texts as a failure. */
static int find_error(json_t *entry)
{
    const char *name;
    json_t *v;
    json_object_foreach(entry, name, v)
    {
        for (int k = 0; k < (int)(sizeof errors / sizeof *errors); k++)
            if (json_is_string(v) && strcmp(json_string_value(v), errors[k].text) == 0)
                return k;
    }
    return -1;
}

/* The outcome of an entry; its time in *time if it is ok. */
static enum db_outcome outcome_of(json_t *entry, const char **reason, const json_t **time)
{
    const char *status = json_text(entry, "shoal_status");
    const int error = find_error(entry);
    *reason = "-";
    *time = json_object_get(entry, "time");
    if (error < 0 && json_number_value(*time) > 0 && json_number_value(*time) < NO_TIME)
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
static void print_field(FILE *f, const char *text)
{
    for (const char *c = *text ? text : "-"; *c; c++)
        fputc((unsigned char)*c < ' ' ? ' ' : *c, f);
}

static void print_summary(const struct cache *c)
{
    size_t counts[DB_OUTCOMES] = {0};
    const json_t *best = NULL, *time;
    double least = (double)INFINITY;
    const char *name, *reason;
    char number[32];
    json_t *entry;
    json_object_foreach(c->entries, name, entry)
    {
        const enum db_outcome outcome = outcome_of(entry, &reason, &time);
        counts[outcome]++;
        if (time && json_number_value(time) < least) {
            least = json_number_value(time);
            best = entry;
        }
    }
    printf("%s: %s on %s, %s\n  parameters    ", c->path, c->kernel, c->device, c->size);
    for (int k = 0; k < c->parameters; k++)
        printf(" %s", c->parameter[k]);
    printf("\n  configurations %zu:", json_object_size(c->entries));
    for (int k = 0, first = 1; k < DB_OUTCOMES; k++) {
        if (!counts[k])
            continue;
        printf("%s %zu %s", first ? "" : ",", counts[k], db_outcomes[k]);
        first = 0;
    }
    printf("\n  best          ");
    for (int k = 0; best && k < c->parameters; k++) {
        printf(" %s=", c->parameter[k]);
        print_field(stdout, value_text(json_object_get(best, c->parameter[k]), number));
    }
    if (best)
        printf(": %s ms\n", value_text(json_object_get(best, "time"), number));
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
            FAIL(INPUT, "%s: parameter '%s' cannot be a column: there is already '%s'; rename it",
                 c->path, c->parameter[j], a);
    }
    return ERR_OK;
}

/* The table to store, and its name. */
struct import {
    const struct cache *cache;
    const struct settings *settings;
};

static void print_table(FILE *f, const void *context)
{
    const struct import *all = context;
    const struct cache *c = all->cache;
    const struct settings *s = all->settings;
    char column[DB_NAME + 1], number[32];
    const char *name;
    json_t *entry;
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
    json_object_foreach(c->entries, name, entry)
    {
        const char *reason;
        const json_t *time;
        const enum db_outcome outcome = outcome_of(entry, &reason, &time);
        for (int k = 0; k < c->parameters; k++) {
            print_field(f, value_text(json_object_get(entry, c->parameter[k]), number));
            fputc('\t', f);
        }
        print_field(f, value_text(time, number));
        fprintf(f, "\t%s\t", db_outcomes[outcome]);
        print_field(f, reason);
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
        FAIL(USAGE, "--as %s: expected lower-case letters, digits and hyphens", s->name);
    if (!*s->source || strpbrk(s->source, "\n\r"))
        FAIL(USAGE, "--as needs --source 'who measured what, and when', on one line");
    db_device_folder(c->kernel, kernel);
    db_device_folder(c->device, device);
    TRY(db_own(database));
    TRY(db_path(database, "published", path));
    TRY(paths_folder(path, "SHOAL_DB names the database"));
    snprintf(name, sizeof name, "published/%s", s->name);
    TRY(db_path(database, name, path));
    TRY(paths_folder(path, "SHOAL_DB names the database"));
    snprintf(name, sizeof name, "published/%s/%s-%s.tsv", s->name, kernel, device);
    TRY(db_path(database, name, path));
    if (lstat(path, &st) == 0)
        FAIL(USAGE, "%s exists: delete it, or choose another name with --as", path);
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
    TRY(whole_file_read(c.path, WHOLE_TEXT, &text, &size));
    TRY_OUT(read_cache(&c, text, size));
    print_summary(&c);
    if (*s->name)
        TRY_OUT(enter(&c, s));
out:
    json_decref(c.root);
    free(text);
    return e;
}

const struct command db_action_import = {
    .name = "import",
    .arguments = "FILE",
    .title = "cache files of Kernel Tuner",
    .place = 10,
    .about = "Describes a cache file of Kernel Tuner. With --as it becomes a table that plots\ncan "
             "use. It never becomes a measurement of Shoal: such a file does not say with\nwhich "
             "driver, compiler, source and input it was measured.",
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
