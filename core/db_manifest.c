/* The manifest of an environment: what is equal for all its rows, as JSON that people can read. */
#include "core/tuning_db.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sha256.h"

enum { LARGEST_MANIFEST = 1 << 20, DEEPEST = 4, KEY_ROOM = DB_KEY + 1, VALUE_ROOM = DB_VALUE + 1 };

struct reader {
    const char *path, *text, *at;
    struct db_manifest *m;
    char key[KEY_ROOM]; /* a/b/c of where it is */
};

void db_manifest_free(struct db_manifest *m)
{
    free(m->entry);
    *m = (struct db_manifest){0};
}

static enum err wrong(const struct reader *r, const char *wanted)
{
    int line = 1;
    for (const char *c = r->text; c < r->at; c++)
        line += *c == '\n';
    FAIL(INPUT, "%s:%d: %s is wanted here", r->path, line, wanted);
}

static void skip_space(struct reader *r)
{
    r->at += strspn(r->at, " \t\n");
}

static enum err expect(struct reader *r, char c, const char *wanted)
{
    skip_space(r);
    if (*r->at != c)
        return wrong(r, wanted);
    r->at++;
    return ERR_OK;
}

static enum err read_string(struct reader *r, char value[VALUE_ROOM])
{
    int n = 0;
    value[0] = '\0';
    TRY(expect(r, '"', "a text in quotes"));
    for (; *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < ' ' || n == VALUE_ROOM - 1)
            return wrong(r, "a quote that ends the text (at most 1023 characters, on one line)");
        if (*r->at == '\\' && !strchr("\"\\/", *++r->at))
            return wrong(r, "one of \\\" \\\\ \\/ (no other escape is used)");
        if (!*r->at)
            return wrong(r, "a quote that ends the text");
        value[n++] = *r->at;
    }
    value[n] = '\0';
    r->at++;
    return ERR_OK;
}

static enum err read_word(struct reader *r, char value[VALUE_ROOM])
{
    const size_t n = strspn(r->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    if (n == 0 || n >= VALUE_ROOM)
        return wrong(r, "a text, a number, true, false or an object (lists are not used)");
    memcpy(value, r->at, n);
    value[n] = '\0';
    r->at += n;
    return ERR_OK;
}

static enum err add(struct reader *r, const char *value)
{
    struct db_manifest *m = r->m;
    if (m->count == DB_ENTRIES)
        return wrong(r, "the end of the file (it is too long)");
    snprintf(m->entry[m->count].key, sizeof m->entry->key, "%s", r->key);
    snprintf(m->entry[m->count].value, sizeof m->entry->value, "%s", value);
    m->count++;
    return ERR_OK;
}

static enum err read_object(struct reader *r, int depth);

static enum err read_member(struct reader *r, int depth)
{
    char name[VALUE_ROOM], value[VALUE_ROOM];
    const size_t length = strlen(r->key);
    skip_space(r);
    TRY(read_string(r, name));
    if (!*name || strchr(name, '/') || length + strlen(name) + 2 > KEY_ROOM)
        return wrong(r, "a short name without /");
    TRY(expect(r, ':', "a colon after the name"));
    snprintf(r->key + length, KEY_ROOM - length, "%s%s", length ? "/" : "", name);
    skip_space(r);
    if (*r->at == '{') {
        TRY(read_object(r, depth + 1));
    } else {
        TRY(*r->at == '"' ? read_string(r, value) : read_word(r, value));
        TRY(add(r, value));
    }
    r->key[length] = '\0';
    return ERR_OK;
}

static enum err read_object(struct reader *r, int depth)
{
    if (depth > DEEPEST)
        return wrong(r, "no deeper object");
    TRY(expect(r, '{', "{"));
    skip_space(r);
    if (*r->at == '}') {
        r->at++;
        return ERR_OK;
    }
    for (;;) {
        TRY(read_member(r, depth));
        skip_space(r);
        if (*r->at != ',')
            return expect(r, '}', "a comma or }");
        r->at++;
    }
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct db_entry *)a)->key, ((const struct db_entry *)b)->key);
}

static enum err parse(struct reader *r)
{
    r->m->entry = calloc(DB_ENTRIES, sizeof *r->m->entry);
    if (!r->m->entry)
        FAIL(MEMORY, "no memory to read %s", r->path);
    TRY(read_object(r, 1));
    skip_space(r);
    if (*r->at)
        return wrong(r, "the end of the file");
    if (r->m->count)
        qsort(r->m->entry, r->m->count, sizeof *r->m->entry, by_key);
    for (size_t k = 1; k < r->m->count; k++)
        if (strcmp(r->m->entry[k - 1].key, r->m->entry[k].key) == 0)
            FAIL(INPUT, "%s: %s is given twice; delete one", r->path, r->m->entry[k].key);
    return ERR_OK;
}

enum err db_manifest_read(const char *path, struct db_manifest *m)
{
    enum err e = ERR_OK;
    *m = (struct db_manifest){0};
    char *text = malloc(LARGEST_MANIFEST);
    FILE *f = fopen(path, "r");
    if (!text || !f) {
        e = err_set(text ? ERR_INPUT : ERR_MEMORY, __FILE__, __LINE__, "%s: cannot be read: %s",
                    path, text ? strerror(errno) : "no memory");
        goto out;
    }
    const size_t n = fread(text, 1, LARGEST_MANIFEST - 1, f);
    text[n] = '\0';
    struct reader r = {.path = path, .text = text, .at = text, .m = m};
    e = parse(&r);
out:
    if (e)
        db_manifest_free(m);
    if (f)
        fclose(f);
    free(text);
    return e;
}

const char *db_manifest_get(const struct db_manifest *m, const char *section, const char *name)
{
    struct db_entry wanted;
    if (snprintf(wanted.key, sizeof wanted.key, "%s/%s", section, name) > DB_KEY)
        return NULL;
    const struct db_entry *found =
        m->count ? bsearch(&wanted, m->entry, m->count, sizeof wanted, by_key) : NULL;
    return found ? found->value : NULL;
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
