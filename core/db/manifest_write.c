/* Writes the manifest of an environment, and lets several writers change one. */
#include "core/db/tuning_db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/output_file.h"

enum err db_manifest_set(struct db_manifest *m, const char *key, const char *value)
{
    struct db_entry new;
    if (strlen(key) > DB_KEY || strlen(value) > DB_VALUE)
        FAIL(INPUT, "%.80s...: a name may have %d characters, its value %d; shorten it", key,
             DB_KEY, DB_VALUE);
    strcpy(new.key, key);
    strcpy(new.value, value);
    struct db_entry *old =
        m->count ? bsearch(&new, m->entry, m->count, sizeof new, db_entry_order) : NULL;
    if (old && strcmp(old->value, value) == 0)
        return ERR_OK;
    m->changed = 1;
    if (old) {
        *old = new;
        return ERR_OK;
    }
    if (m->count == DB_ENTRIES)
        FAIL(INPUT, "%s: a manifest has room for %d entries; take out sessions without rows", key,
             DB_ENTRIES);
    size_t at = m->count++;
    for (; at > 0 && db_entry_order(&new, &m->entry[at - 1]) < 0; at--)
        m->entry[at] = m->entry[at - 1];
    m->entry[at] = new;
    return ERR_OK;
}

/* The object of that name, created if need be; NULL if the name has a value. */
static json_t *object_in(json_t *outer, const char *name)
{
    json_t *inner = json_object_get(outer, name);
    if (inner)
        return json_is_object(inner) ? inner : NULL;
    inner = json_object();
    return json_object_set_new(outer, name, inner) == 0 ? inner : NULL;
}

/* Fails if a name is both a value and an object, or a text is not UTF-8. */
static enum err put_entry(json_t *root, const struct db_entry *entry)
{
    char key[DB_KEY + 1], *name = key;
    json_t *object = root;
    strcpy(key, entry->key);
    for (char *end = strchr(name, '/'); object && end; end = strchr(name, '/')) {
        *end = '\0';
        object = object_in(object, name);
        name = end + 1;
    }
    if (!object)
        FAIL(INPUT, "%s: it has a value, and cannot have the member %s", key, name);
    json_t *value = strcmp(entry->key, "format") == 0 ? json_integer(strtol(entry->value, NULL, 10))
                                                      : json_string(entry->value);
    if (json_object_set_new(object, name, value) != 0)
        FAIL(INPUT, "%s: '%.200s' is no text in UTF-8", entry->key, entry->value);
    return ERR_OK;
}

/* Members follow one another as entries do: sorted. */
static enum err make_tree(const struct db_manifest *m, json_t **root)
{
    *root = json_object();
    for (size_t k = 0; k < m->count; k++)
        TRY(put_entry(*root, &m->entry[k]));
    return ERR_OK;
}

static int same(const struct db_manifest *a, const struct db_manifest *b)
{
    int equal = a->count == b->count;
    for (size_t k = 0; k < a->count && equal; k++)
        equal = strcmp(a->entry[k].key, b->entry[k].key) == 0 &&
                strcmp(a->entry[k].value, b->entry[k].value) == 0;
    return equal;
}

static enum err check_readable(const struct db_manifest *m, const char *path)
{
    struct db_manifest again;
    TRY(db_manifest_read(path, &again));
    const int good = same(m, &again);
    db_manifest_free(&again);
    if (!good)
        FAIL(INPUT, "%s would not read back as it was meant: is there a control character?", path);
    return ERR_OK;
}

static enum err write_tree(const char *path, const struct db_manifest *m, const json_t *root)
{
    struct outfile out;
    TRY(outfile_create(&out, path));
    FILE *f = fopen(out.temporary, "w");
    const int failed = !f || json_dumpf(root, f, JSON_INDENT(2)) || fputc('\n', f) == EOF,
              closed = f && fclose(f) == 0;
    const enum err e = failed || !closed ? outfile_failed(&out, errno, "writing failed")
                                         : check_readable(m, out.temporary);
    if (!e)
        return outfile_publish(&out);
    outfile_discard(&out);
    return e;
}

static enum err write_manifest(const char *path, const struct db_manifest *m)
{
    json_t *root;
    enum err e = make_tree(m, &root);
    if (!e)
        e = write_tree(path, m, root);
    json_decref(root);
    if (e == ERR_INPUT)
        err_context("a manifest that could not be read back is not written");
    return e;
}

static enum err read_or_begin(const char *path, struct db_manifest *m)
{
    if (access(path, F_OK) == 0)
        return db_manifest_read(path, m);
    m->entry = calloc(DB_ENTRIES, sizeof *m->entry);
    if (!m->entry)
        FAIL(MEMORY, "no memory for %s", path);
    return ERR_OK;
}

enum err db_manifest_change(const char *path,
                            enum err (*change)(struct db_manifest *m, void *context), void *context)
{
    enum err e = ERR_OK;
    struct db_manifest m = {0};
    int lock;
    TRY(db_lock(path, &lock));
    TRY_OUT(read_or_begin(path, &m));
    TRY_OUT(change(&m, context));
    if (m.changed)
        TRY_OUT(write_manifest(path, &m));
out:
    db_manifest_free(&m);
    close(lock);
    return e;
}
