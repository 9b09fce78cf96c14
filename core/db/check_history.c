/* Proves from git that everything committed to a tuning database is there unchanged, or retired. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/check_parts.h"
#include "core/db/git_history.h"

static const char experiments[] = "experiments/";
enum { SHORT = 12, IDENTITY = 5 /* columns that identify a kernel's row */ };

static int same(const struct db_line *a, const struct db_line *b)
{
    return strcmp(a->text, b->text) == 0 && strcmp(a->table, b->table) == 0 &&
           strcmp(a->names, b->names) == 0;
}

enum err db_history_gone(const struct db_past *past, const struct db_lines *now,
                         const char *session, struct db_lines *gone)
{
    size_t then, here, at = 0; /* both are sorted */
    const struct db_line *was = db_lines_of(&past->lines, session, &then),
                         *is = db_lines_of(now, session, &here);
    *gone = (struct db_lines){.at = calloc(then + 1, sizeof *gone->at)};
    if (!gone->at)
        FAIL(MEMORY, "no memory for the past of session %s", session);
    for (size_t k = 0; k < then; k++) {
        if (k && same(&was[k - 1], &was[k]))
            continue;
        while (at < here && db_line_order(&is[at], &was[k]) < 0)
            at++;
        if (at == here || !same(&was[k], &is[at]))
            gone->at[gone->count++] = was[k];
    }
    return ERR_OK;
}

struct proof {
    struct check *c;
    const struct db_past *past;
    struct db_lines now;
};

/* Does the session have a record with this digest? */
static int is_recorded(const struct proof *p, const char *session, const char *digest)
{
    char id[SHA256_DIGITS + 1];
    size_t at = 0;
    while (db_record_next(&p->c->manifest, &at, id)) {
        const char *whose = db_record_get(&p->c->manifest, id, "session"),
                   *its = db_record_get(&p->c->manifest, id, "digest");
        if (whose && its && strcmp(whose, session) == 0 && strcmp(its, digest) == 0)
            return 1;
    }
    return 0;
}

/* During a tuning a block's row gets more timings: is there a row of the same block? */
static int has_successor(const struct proof *p, const struct db_line *line)
{
    size_t count, n = 0;
    const struct db_line *is = db_lines_of(&p->now, line->session, &count);
    if (strncmp(line->table, experiments, sizeof experiments - 1) == 0)
        return 0;
    for (int tabs = 0; line->text[n] && tabs < IDENTITY; n++)
        tabs += line->text[n] == '\t';
    for (size_t k = 0; k < count; k++)
        if (strcmp(is[k].table, line->table) == 0 && strncmp(is[k].text, line->text, n) == 0)
            return 1;
    return 0;
}

/* Missing rows of a session need a record that explains them. */
static enum err prove_rows(const struct proof *p, const char *session)
{
    const struct db_manifest *m = &p->c->manifest;
    const int found = db_record_of(m, session, DB_RECORD_FOUND, NULL) ||
                      db_record_of(m, session, DB_RECORD_RETIRED, NULL);
    struct db_lines gone;
    char digest[SHA256_DIGITS + 1];
    TRY(db_history_gone(p->past, &p->now, session, &gone));
    for (size_t k = 0; k < gone.count && !found;)
        if (has_successor(p, &gone.at[k]))
            memmove(&gone.at[k], &gone.at[k + 1], (--gone.count - k) * sizeof *gone.at);
        else
            k++;
    db_lines_digest(gone.at, gone.count, digest);
    if (gone.count && !is_recorded(p, session, digest))
        check_fault(p->c, 0,
                    "session %s: %zu rows that were committed are gone or changed, the first from "
                    "%s: restore them from git, or explain it with `shoal db %s %s --why TEXT`",
                    session, gone.count, gone.at[0].table,
                    db_record_of(m, session, DB_RECORD_FOUND, NULL) ? "disown" : "retire", session);
    free(gone.at);
    return ERR_OK;
}

static enum err prove(const struct proof *p)
{
    struct check *c = p->c;
    const struct db_lines *was = &p->past->lines;
    char seen[SHA256_DIGITS + 1] = "";
    for (size_t k = 0; k < p->past->records; k++) {
        const char *id = p->past->record[k];
        if (!db_record_get(&c->manifest, id, "kind") && strcmp(seen, id) != 0)
            check_fault(c, 0,
                        "record %.*s was committed and is missing: records are never removed or "
                        "changed; restore it from git",
                        SHORT, id);
        strcpy(seen, id);
    }
    for (size_t k = 0; k < was->count; k++)
        if (k == 0 || strcmp(was->at[k - 1].session, was->at[k].session) != 0)
            TRY(prove_rows(p, was->at[k].session));
    return ERR_OK;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum err prove_environment(struct check *c, struct db_past *past)
{
    char name[sizeof past->environment + sizeof "/manifest.json"], folder[PATH_LENGTH];
    struct proof p = {.c = c, .past = past};
    enum err e = ERR_OK;
    snprintf(name, sizeof name, "%s/manifest.json", past->environment);
    TRY(db_path(c->folder, name, c->path));
    TRY(db_path(c->folder, past->environment, folder));
    if (past->records)
        qsort(past->record, past->records, sizeof *past->record, by_id);
    if (db_manifest_read(c->path, &c->manifest)) {
        check_fault(c, 0, "it was committed, but cannot be read: restore it from git");
        return ERR_OK;
    }
    e = db_lines_read(&p.now, folder);
    if (!e)
        e = prove(&p);
    db_lines_free(&p.now);
    db_manifest_free(&c->manifest);
    return e;
}

enum err db_history_check(const char *folder, db_report *report, void *context,
                          struct db_checked *sum)
{
    struct check c = {.folder = folder, .report = report, .context = context, .sum = sum};
    struct db_history h;
    enum err e = ERR_OK;
    TRY(db_history_read(folder, &h));
    for (size_t k = 0; k < h.count && !e; k++)
        e = prove_environment(&c, &h.at[k]);
    db_history_free(&h);
    return e;
}
