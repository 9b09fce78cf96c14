/* Records of the tuning database: digested, named by their content, and chained to earlier ones. */
#include "core/db/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/version.h"

static const char records[] = "records/", sessions[] = "sessions/", experiments[] = "experiments/";
enum { PREFIX = sizeof records - 1, ID_END = PREFIX + SHA256_DIGITS };

#define RECORD_NAME(id, name) [DB_RECORD_##id] = name,
const char *const db_record_kinds[DB_RECORD_KINDS] = {DB_RECORD_TABLE(RECORD_NAME)};

void db_session_section(const char *session, char section[DB_SECTION])
{
    snprintf(section, DB_SECTION, "%s%.*s", sessions, DB_SESSION, session);
}

static void feed_entry(struct sha256 *s, const char *name, const char *value)
{
    sha256_update(s, name, strlen(name));
    sha256_update(s, "=", 1);
    sha256_update(s, value, strlen(value));
    sha256_update(s, "\n", 1);
}

/* The position of section/name in a manifest; its count if missing. */
static size_t entry_of(const struct db_manifest *m, const char *section, const char *name, size_t n)
{
    struct db_entry wanted;
    snprintf(wanted.key, sizeof wanted.key, "%s/%.*s", section, (int)n, name);
    const struct db_entry *found =
        m->count ? bsearch(&wanted, m->entry, m->count, sizeof wanted, db_entry_order) : NULL;
    return found ? (size_t)(found - m->entry) : m->count;
}

/* Marks the entries that define the first two columns of a kernel's rows, flags and source. */
static void mark_words(const struct db_line *line, size_t count, const struct db_manifest *m,
                       char *marked)
{
    const char *before = "";
    for (size_t k = 0; k < count; k++) {
        const char *text = line[k].text, *end = strchr(text, '\t');
        const size_t flags = strcspn(text, "\t"), source = end ? strcspn(end + 1, "\t") : 0;
        if (strncmp(line[k].table, experiments, sizeof experiments - 1) == 0 || !source ||
            strncmp(text, before, flags + 1 + source) == 0)
            continue;
        before = text;
        marked[entry_of(m, "flags", text, flags)] = 1;
        marked[entry_of(m, "sources", end + 1, source)] = 1;
    }
}

enum err db_said_now(struct db_said *said, const struct db_lines *l, const struct db_manifest *m)
{
    size_t count;
    char section[DB_SECTION];
    struct sha256 s;
    const struct db_line *line = db_lines_of(l, said->session, &count);
    char *marked = calloc(m->count + 1, 1);
    if (!marked)
        FAIL(MEMORY, "no memory for a record of the tuning database");
    said->rows = (int)count;
    db_lines_digest(line, count, said->digest);
    mark_words(line, count, m, marked);
    db_session_section(said->session, section);
    sha256_init(&s);
    for (size_t k = 0; k < m->count; k++) {
        const char *key = m->entry[k].key;
        const size_t n = strlen(section);
        if (marked[k] || (strncmp(key, section, n) == 0 && key[n] == '/'))
            feed_entry(&s, key, m->entry[k].value);
    }
    sha256_final(&s, said->told);
    free(marked);
    return ERR_OK;
}

const char *db_record_next(const struct db_manifest *m, size_t *at, char id[SHA256_DIGITS + 1])
{
    for (; *at < m->count; ++*at) {
        const char *key = m->entry[*at].key;
        if (strncmp(key, records, PREFIX) != 0)
            continue;
        const size_t n = strcspn(key + PREFIX, "/");
        snprintf(id, SHA256_DIGITS + 1, "%.*s", (int)n, key + PREFIX);
        while (*at < m->count && strncmp(m->entry[*at].key, key, PREFIX + n) == 0 &&
               (m->entry[*at].key[PREFIX + n] == '/' || !m->entry[*at].key[PREFIX + n]))
            ++*at;
        return id;
    }
    return NULL;
}

const char *db_record_get(const struct db_manifest *m, const char *id, const char *member)
{
    char section[ID_END + 1];
    snprintf(section, sizeof section, "%s%s", records, id);
    return db_manifest_get(m, section, member);
}

void db_record_name(const struct db_manifest *m, const char *id, char name[SHA256_DIGITS + 1])
{
    char section[ID_END + 2];
    struct sha256 s;
    const int n = snprintf(section, sizeof section, "%s%s/", records, id);
    sha256_init(&s);
    for (size_t k = 0; k < m->count; k++)
        if (strncmp(m->entry[k].key, section, (size_t)n) == 0)
            feed_entry(&s, m->entry[k].key + n, m->entry[k].value);
    sha256_final(&s, name);
}

int db_record_of(const struct db_manifest *m, const char *session, enum db_record_kind kind,
                 char id[SHA256_DIGITS + 1])
{
    char each[SHA256_DIGITS + 1];
    size_t at = 0;
    while (db_record_next(m, &at, each)) {
        const char *whose = db_record_get(m, each, "session"),
                   *what = db_record_get(m, each, "kind");
        if (!whose || !what || strcmp(whose, session) != 0 ||
            strcmp(what, db_record_kinds[kind]) != 0)
            continue;
        if (id)
            strcpy(id, each);
        return 1;
    }
    return 0;
}

int db_session_ended(const struct db_manifest *m, const char *session)
{
    return db_record_of(m, session, DB_RECORD_MEASURED, NULL) ||
           db_record_of(m, session, DB_RECORD_FOUND, NULL) ||
           db_record_of(m, session, DB_RECORD_RETIRED, NULL);
}

static int is_parent(const struct db_manifest *m, const char *id)
{
    char each[SHA256_DIGITS + 1];
    size_t at = 0;
    while (db_record_next(m, &at, each)) {
        const char *parents = db_record_get(m, each, "parents");
        if (parents && strstr(parents, id))
            return 1;
    }
    return 0;
}

/* The records without children, separated by blanks; "-" if there are none. */
static void find_heads(const struct db_manifest *m, char text[DB_VALUE + 1])
{
    char each[SHA256_DIGITS + 1];
    size_t at = 0, used = 0;
    int count = 0;
    strcpy(text, "-");
    while (count < DB_PARENTS && db_record_next(m, &at, each))
        if (!is_parent(m, each))
            used += (size_t)snprintf(text + used, DB_VALUE + 1 - used, "%s%s", count++ ? " " : "",
                                     each);
}

enum { MEMBERS = 9 };

/* Adds members, sorted by name, under the digest of their content. */
static enum err enter(struct db_manifest *m, const struct db_entry *member, int count)
{
    char id[SHA256_DIGITS + 1], key[DB_KEY + 1];
    struct sha256 s;
    sha256_init(&s);
    for (int k = 0; k < count; k++)
        feed_entry(&s, member[k].key, member[k].value);
    sha256_final(&s, id);
    for (int k = 0; k < count; k++) {
        snprintf(key, sizeof key, "%s%s/%s", records, id, member[k].key);
        TRY(db_manifest_set(m, key, member[k].value));
    }
    return ERR_OK;
}

static enum err add_member(struct db_entry *member, int *count, const char *name, const char *value)
{
    if (!value || !*value)
        return ERR_OK;
    if (strlen(value) > DB_VALUE)
        FAIL(INPUT, "a record's %s has at most %d characters", name, DB_VALUE);
    strcpy(member[*count].key, name);
    strcpy(member[(*count)++].value, value);
    return ERR_OK;
}

enum err db_record_add(struct db_manifest *m, const struct db_said *said)
{
    char rows[16], now[DB_TIME], parents[DB_VALUE + 1];
    struct db_entry *member = calloc(MEMBERS, sizeof *member);
    enum err e = ERR_OK;
    int n = 0;
    if (!member)
        FAIL(MEMORY, "no memory for a record of the tuning database");
    snprintf(rows, sizeof rows, "%d", said->rows);
    db_time(time(NULL), now);
    find_heads(m, parents);
    TRY_OUT(add_member(member, &n, "digest", said->digest));
    TRY_OUT(add_member(member, &n, "kind", db_record_kinds[said->kind]));
    TRY_OUT(add_member(member, &n, "parents", parents));
    TRY_OUT(add_member(member, &n, "program", shoal_commit));
    TRY_OUT(add_member(member, &n, "rows", *said->digest ? rows : NULL));
    TRY_OUT(add_member(member, &n, "session", said->session));
    TRY_OUT(add_member(member, &n, "taken", now));
    TRY_OUT(add_member(member, &n, "told", said->told));
    TRY_OUT(add_member(member, &n, "why", said->why));
    e = enter(m, member, n);
out:
    free(member);
    return e;
}

enum err db_session_end(struct db_manifest *m, const char *session, const char *when)
{
    char key[DB_SECTION + sizeof "/ended"];
    snprintf(key, sizeof key, "%s%.*s/ended", sessions, DB_SESSION, session);
    return db_session_get(m, session, "ended") ? ERR_OK : db_manifest_set(m, key, when);
}

struct ending {
    const char *folder, *session;
};

static enum err end(struct db_manifest *m, void *context)
{
    const struct ending *w = context;
    struct db_said said = {.kind = DB_RECORD_MEASURED, .session = w->session};
    struct db_lines l = {0};
    char now[DB_TIME];
    if (db_session_ended(m, w->session))
        return ERR_OK;
    db_time(time(NULL), now);
    TRY(db_session_end(m, w->session, now));
    enum err e = db_lines_read(&l, w->folder);
    if (!e)
        e = db_said_now(&said, &l, m);
    if (!e)
        e = db_record_add(m, &said);
    db_lines_free(&l);
    return e;
}

enum err db_record_end(const char *folder, const char *session)
{
    char path[PATH_LENGTH];
    struct ending w = {folder, session};
    TRY(db_path(folder, "manifest.json", path));
    return db_manifest_change(path, end, &w);
}
