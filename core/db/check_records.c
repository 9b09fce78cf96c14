/* Checks that every measurement of an environment agrees with its record, and that none is missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/check_parts.h"
#include "core/db/record.h"

enum { SHORT = 12 }; /* digits of a digest that a message shows */

static void check_parents(struct check *c, const char *id)
{
    char parents[DB_VALUE + 1], *next = parents;
    const char *text = db_record_get(&c->manifest, id, "parents");
    if (!text || strcmp(text, "-") == 0)
        return;
    snprintf(parents, sizeof parents, "%s", text);
    for (char *p = strsep(&next, " "); p; p = strsep(&next, " "))
        if (!db_record_get(&c->manifest, p, "kind"))
            check_fault(c, 0,
                        "record %.*s was added after record %.*s, which is missing: restore it "
                        "from git with its rows",
                        SHORT, id, SHORT, p);
}

static int kind_of(const struct db_manifest *m, const char *id)
{
    const char *text = db_record_get(m, id, "kind");
    int kind = 0;
    while (kind < DB_RECORD_KINDS && (!text || strcmp(text, db_record_kinds[kind]) != 0))
        kind++;
    return kind;
}

static void compare_told(struct check *c, const char *id, const struct db_said *now)
{
    const char *told = db_record_get(&c->manifest, id, "told");
    if (!told || strcmp(told, now->told) != 0)
        check_fault(c, 0,
                    "session %s: its members, or the definitions of its rows' flags and sources, "
                    "have changed since it ended: restore them from git",
                    now->session);
}

/* Compares a record's rows with those present. */
static void compare(struct check *c, const char *id, const struct db_said *now)
{
    const char *digest = db_record_get(&c->manifest, id, "digest"),
               *rows = db_record_get(&c->manifest, id, "rows");
    const long recorded = rows ? strtol(rows, NULL, 10) : -1;
    if (recorded != now->rows)
        check_fault(c, 0,
                    "session %s ended with %ld rows, but %d are here: restore them from git, or "
                    "explain it with `shoal db retire %s --why TEXT`",
                    now->session, recorded, now->rows, now->session);
    else if (!digest || strcmp(digest, now->digest) != 0)
        check_fault(c, 0,
                    "session %s: a row differs from the measured one (its digest is %.*s, its "
                    "record has %.*s): restore it from git",
                    now->session, SHORT, now->digest, SHORT, digest ? digest : "none");
    compare_told(c, id, now);
}

/* Does a record agree with its session's rows and members? */
static void check_said(struct check *c, const char *id, int kind, const char *session,
                       const struct db_lines *l)
{
    const struct db_lines none = {0};
    const int retired = db_record_of(&c->manifest, session, DB_RECORD_RETIRED, NULL);
    struct db_said now = {.session = session};
    if (kind == DB_RECORD_RETIRED && !db_said_now(&now, &none, &c->manifest))
        compare_told(c, id, &now);
    if (!retired && (kind == DB_RECORD_MEASURED || kind == DB_RECORD_FOUND) &&
        !db_said_now(&now, l, &c->manifest))
        compare(c, id, &now);
}

static void check_record(struct check *c, const char *id, const struct db_lines *l)
{
    char name[SHA256_DIGITS + 1];
    const int kind = kind_of(&c->manifest, id);
    const char *session = db_record_get(&c->manifest, id, "session"),
               *why = db_record_get(&c->manifest, id, "why");
    db_record_name(&c->manifest, id, name);
    if (strcmp(name, id) != 0)
        check_fault(c, 0,
                    "record %.*s differs from its original content (whose name would be %.*s): "
                    "restore it from git",
                    SHORT, id, SHORT, name);
    if (kind == DB_RECORD_KINDS)
        check_fault(c, 0, "record %.*s has a kind that this Shoal does not know", SHORT, id);
    check_parents(c, id);
    if (!session || !db_session_get(&c->manifest, session, "started")) {
        check_fault(c, 0, "record %.*s is of session %s, which is not in the manifest", SHORT, id,
                    session ? session : "none");
        return;
    }
    if (kind > DB_RECORD_MEASURED && !why)
        check_fault(c, 0, "record %.*s of session %s gives no reason", SHORT, id, session);
    check_said(c, id, kind, session, l);
}

/* What must hold for every session, ended or not. */
static void check_session(struct check *c, const char *session, const struct db_lines *l)
{
    size_t rows;
    db_lines_of(l, session, &rows);
    const int retired = db_record_of(&c->manifest, session, DB_RECORD_RETIRED, NULL);
    const char *started = db_session_get(&c->manifest, session, "started"),
               *committed = db_session_get(&c->manifest, session, "committed");
    if (rows && retired)
        check_fault(c, 0,
                    "session %s is retired, but %zu of its rows are here: `shoal db retire %s "
                    "--why TEXT` removes them",
                    session, rows, session);
    if (!rows && !retired)
        check_fault(c, 0,
                    "session %s has no rows: restore them from git; or measure them with the "
                    "interrupted command; or explain it with `shoal db retire %s --why TEXT`",
                    session, session);
    if (started && committed && strcmp(committed, "unknown") != 0 && strcmp(committed, started) > 0)
        check_fault(c, 0,
                    "session %s: its commit is of %s, later than its start at %s: another program "
                    "continued it, or this machine's clock is slow",
                    session, committed, started);
    const int ended = db_session_ended(&c->manifest, session);
    if (!ended && db_session_get(&c->manifest, session, "ended"))
        check_fault(c, 0, "session %s ended, but its record is missing: restore it from git",
                    session);
    c->sum->open += !ended;
}

void check_records(struct check *c)
{
    char folder[PATH_LENGTH], id[SHA256_DIGITS + 1], session[DB_SESSION + 1] = "";
    struct db_lines l = {0};
    size_t at = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(c->path, '/') - c->path), c->path);
    if (db_lines_read(&l, folder)) {
        check_fault(c, 0, "%s", err_message());
        db_lines_free(&l);
        return;
    }
    while (db_record_next(&c->manifest, &at, id)) {
        check_record(c, id, &l);
        c->sum->records++;
    }
    for (at = 0; db_session_next(&c->manifest, &at, session);)
        check_session(c, session, &l);
    db_lines_free(&l);
}
