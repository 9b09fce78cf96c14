/* The manifest of an environment: what all its rows have in common, as readable JSON. */
#include "core/db/tuning_db.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/base/whole_file.h"

enum { DEEPEST = 4 };

/* The parser's position in the tree. */
struct walk {
    const char *path;
    struct db_manifest *m;
    char key[DB_KEY + 1]; /* a/b/c */
};

void db_manifest_free(struct db_manifest *m)
{
    free(m->entry);
    *m = (struct db_manifest){0};
}

int db_entry_order(const void *a, const void *b)
{
    return strcmp(((const struct db_entry *)a)->key, ((const struct db_entry *)b)->key);
}

static enum err wrong(const struct walk *w, const char *expected)
{
    FAIL(INPUT, "%s: %s%sexpected %s", w->path, w->key, *w->key ? ": " : "", expected);
}

static enum err add_entry(struct walk *w, const json_t *v)
{
    char number[32];
    const char *value = json_is_string(v)    ? json_string_value(v)
                        : json_is_true(v)    ? "true"
                        : json_is_false(v)   ? "false"
                        : json_is_null(v)    ? "null"
                        : json_is_integer(v) ? number
                                             : NULL;
    struct db_manifest *m = w->m;
    if (!value)
        return wrong(w,
                     "a text, a whole number, true, false or an object (fractions are written as "
                     "texts, lists are not used)");
    if (m->count == DB_ENTRIES)
        return wrong(w, "the end of the file (it is too long)");
    snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    /* The hash joins entries with line ends, and people read them. */
    if (strlen(value) > DB_VALUE || !is_printable_line(value))
        return wrong(w, "a text of at most 1023 characters, on one line");
    struct db_entry *new = &m->entry[m->count++];
    strcpy(new->key, w->key);
    strcpy(new->value, value);
    return ERR_OK;
}

static enum err flatten(struct walk *w, json_t *object, int depth)
{
    const size_t length = strlen(w->key), room = sizeof w->key - length;
    const char *name;
    json_t *v;
    if (!json_is_object(object))
        return wrong(w, "{");
    if (depth > DEEPEST)
        return wrong(w, "no deeper object");
    json_object_foreach(object, name, v)
    {
        const int n = snprintf(w->key + length, room, "%s%s", length ? "/" : "", name);
        if (!*name || strchr(name, '/') || !is_printable_line(name) || n >= (int)room) {
            w->key[length] = '\0';
            return wrong(w, "a short name without /");
        }
        TRY(json_is_object(v) ? flatten(w, v, depth + 1) : add_entry(w, v));
    }
    w->key[length] = '\0';
    return ERR_OK;
}

static enum err take_tree(const char *path, json_t *root, struct db_manifest *m)
{
    struct walk w = {.path = path, .m = m};
    m->entry = calloc(DB_ENTRIES, sizeof *m->entry);
    if (!m->entry)
        FAIL(MEMORY, "no memory to read %s", path);
    TRY(flatten(&w, root, 1));
    qsort(m->entry, m->count, sizeof *m->entry, db_entry_order);
    return ERR_OK;
}

enum err db_manifest_read(const char *path, struct db_manifest *m)
{
    json_t *root = NULL;
    char *text;
    size_t size;
    enum err e = ERR_OK;
    *m = (struct db_manifest){0};
    TRY(whole_file_read(path, WHOLE_TEXT, &text, &size));
    TRY_OUT(json_read(path, text, size, &root));
    TRY_OUT(take_tree(path, root, m));
out:
    if (e)
        db_manifest_free(m);
    json_decref(root);
    free(text);
    return e;
}

const char *db_manifest_get(const struct db_manifest *m, const char *section, const char *name)
{
    struct db_entry wanted;
    if (snprintf(wanted.key, sizeof wanted.key, "%s/%s", section, name) > DB_KEY)
        return NULL;
    const struct db_entry *found =
        m->count ? bsearch(&wanted, m->entry, m->count, sizeof wanted, db_entry_order) : NULL;
    return found ? found->value : NULL;
}

static const char sessions[] = "sessions/";

int db_same_code(const struct db_manifest *m, const char *source, const char *text,
                 const char *code)
{
    const char *known = db_manifest_get(m, "codes", source);
    return strncmp(source, text, DB_HASH) == 0 || (known && strcmp(known, code) == 0);
}

const char *db_session_get(const struct db_manifest *m, const char *session, const char *member)
{
    char section[DB_KEY + 1];
    snprintf(section, sizeof section, "%s%s", sessions, session);
    return db_manifest_get(m, section, member);
}

int db_session_next(const struct db_manifest *m, size_t *at, char session[DB_SESSION + 1])
{
    enum { ID = sizeof sessions - 1 };
    for (; *at < m->count; ++*at) {
        const char *key = m->entry[*at].key;
        if (strncmp(key, sessions, ID) != 0 || strncmp(key + ID, session, DB_SESSION) == 0)
            continue;
        snprintf(session, DB_SESSION + 1, "%.*s", DB_SESSION, key + ID);
        return 1;
    }
    return 0;
}

void db_time(time_t t, char text[DB_TIME])
{
    struct tm utc;
    strftime(text, DB_TIME, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
}

void db_manifest_latest(const struct db_manifest *m, char latest[DB_TIME])
{
    char session[DB_SESSION + 1] = "";
    *latest = '\0';
    for (size_t at = 0; db_session_next(m, &at, session);) {
        const char *started = db_session_get(m, session, "started");
        if (started && strcmp(started, latest) > 0)
            snprintf(latest, DB_TIME, "%s", started);
    }
}

enum backend_kind db_manifest_backend(const struct db_manifest *m)
{
    const char *name = db_manifest_get(m, "environment", "backend");
    return name && strcmp(name, "cuda") == 0 ? CUDA : CPU;
}

void db_manifest_hash(const struct db_manifest *m, char hash[DB_HASH + 1])
{
    static const char section[] = "environment/";
    char hex[SHA256_DIGITS + 1];
    struct sha256 sum;
    sha256_init(&sum);
    for (size_t k = 0; k < m->count; k++) {
        const struct db_entry *entry = &m->entry[k];
        if (strncmp(entry->key, section, sizeof section - 1) != 0)
            continue;
        const char *name = entry->key + sizeof section - 1;
        sha256_update(&sum, name, strlen(name));
        sha256_update(&sum, "=", 1);
        sha256_update(&sum, entry->value, strlen(entry->value));
        sha256_update(&sum, "\n", 1);
    }
    sha256_final(&sum, hex);
    memcpy(hash, hex, DB_HASH);
    hash[DB_HASH] = '\0';
}

void db_device_folder(const char *device, char folder[DB_NAME + 1])
{
    int n = 0;
    for (const char *c = device; *c && n < DB_NAME; c++) {
        if (isalnum((unsigned char)*c))
            folder[n++] = (char)tolower((unsigned char)*c);
        else if (n && folder[n - 1] != '-')
            folder[n++] = '-';
    }
    while (n && folder[n - 1] == '-')
        n--;
    folder[n] = '\0';
}
