/* Writes the manifest of an environment, and lets several writers change one. */
#include "core/db/tuning_db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    m->entry[m->count++] = new;
    qsort(m->entry, m->count, sizeof new, db_entry_order);
    return ERR_OK;
}

static void print_text(FILE *f, const char *text, size_t n)
{
    putc('"', f);
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '"' || text[k] == '\\')
            putc('\\', f);
        putc(text[k], f);
    }
    putc('"', f);
}

/* How many bytes, up to and with a slash, two keys share. */
static size_t shared(const char *a, const char *b)
{
    size_t n = 0;
    for (size_t k = 0; a[k] && a[k] == b[k]; k++)
        n = a[k] == '/' ? k + 1 : n;
    return n;
}

static int slashes(const char *key, size_t n)
{
    int count = 0;
    for (size_t k = 0; k < n && key[k]; k++)
        count += key[k] == '/';
    return count;
}

static void print_name(FILE *f, int depth, const char *name, size_t n)
{
    fprintf(f, "%*s", 2 * depth, "");
    print_text(f, name, n);
    fputs(": ", f);
}

/* Closes objects until `depth` are open. */
static void print_ends(FILE *f, int from, int depth)
{
    for (int k = from - 1; k >= depth; k--)
        fprintf(f, "\n%*s}", 2 * k, "");
}

/* Sorted keys have the members of an object side by side. */
static void print(FILE *f, const struct db_manifest *m)
{
    const char *before = "";
    int open = 1; /* objects */
    fputs("{\n", f);
    for (size_t k = 0; k < m->count; k++) {
        const char *key = m->entry[k].key, *value = m->entry[k].value;
        const char *name = key + shared(before, key);
        const int depth = 1 + slashes(key, (size_t)(name - key));
        print_ends(f, open, depth);
        fputs(k ? ",\n" : "", f);
        open = depth;
        for (const char *end = strchr(name, '/'); end; end = strchr(name, '/')) {
            print_name(f, open++, name, (size_t)(end - name));
            fputs("{\n", f);
            name = end + 1;
        }
        print_name(f, open, name, strlen(name));
        if (strcmp(key, "format") == 0)
            fputs(value, f);
        else
            print_text(f, value, strlen(value));
        before = key;
    }
    print_ends(f, open, 0);
    fputs("\n", f);
}

/* A name cannot be both a value and an object. */
static enum err check_names(const struct db_manifest *m)
{
    for (size_t k = 0; k < m->count; k++) {
        struct db_entry outer = m->entry[k];
        for (char *end = strrchr(outer.key, '/'); end; end = strrchr(outer.key, '/')) {
            *end = '\0';
            if (bsearch(&outer, m->entry, m->count, sizeof outer, db_entry_order))
                FAIL(INPUT, "%s: it has a value, and cannot have the member %s", outer.key,
                     m->entry[k].key);
        }
    }
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
    enum err e = check_names(m);
    if (!e)
        e = db_manifest_read(path, &again);
    if (e) {
        err_context("a manifest that could not be read back is not written");
        return e;
    }
    const int good = same(m, &again);
    db_manifest_free(&again);
    if (!good)
        FAIL(INPUT, "%s would not read back as it was meant: is there a control character?", path);
    return ERR_OK;
}

static enum err write_manifest(const char *path, const struct db_manifest *m)
{
    struct outfile out;
    enum err e;
    TRY(outfile_create(&out, path));
    FILE *f = fopen(out.temporary, "w");
    if (f)
        print(f, m);
    const int failed = !f || ferror(f), closed = f && fclose(f) == 0;
    e = failed || !closed ? outfile_failed(&out, errno, "writing failed")
                          : check_readable(m, out.temporary);
    if (!e)
        return outfile_publish(&out);
    outfile_discard(&out);
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
