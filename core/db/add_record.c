/* Records that people add: they seal, retire, disown or remark upon measurements. */
#include "core/db/add_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/git_history.h"
#include "core/db/private_text.h"
#include "core/base/git.h"

struct settling {
    const char *database, *session, *why;
    enum db_record_kind kind;
    char folder[PATH_LENGTH]; /* of the environment */
    struct db_place place;
};

/* The date of a session's commit, UTC; "unknown" if git does not know it. */
static void find_committed(const char *folder, const char *commit, char when[DB_TIME])
{
    const char *const show[] = {"show", "-s", "--format=%ct", commit, NULL};
    char *text;
    size_t size;
    snprintf(when, DB_TIME, "unknown");
    if (git_ask(folder, show, NULL, &text, &size))
        return;
    if (size)
        db_time((time_t)strtoll(text, NULL, 10), when);
    free(text);
}

static enum err date_commit(const struct settling *s, struct db_manifest *m)
{
    char key[DB_SECTION + sizeof "/committed"], when[DB_TIME];
    const char *commit = db_session_get(m, s->session, "commit"),
               *started = db_session_get(m, s->session, "started");
    if (db_session_get(m, s->session, "committed") || !commit || !started)
        return ERR_OK;
    find_committed(s->database, commit, when);
    if (strcmp(when, "unknown") != 0 && strcmp(when, started) > 0)
        FAIL(CHECK,
             "session %s: its commit %s is of %s, later than its start at %s: that program alone "
             "did not measure it",
             s->session, commit, when, started);
    snprintf(key, sizeof key, "sessions/%.*s/committed", DB_SESSION, s->session);
    return db_manifest_set(m, key, when);
}

/* The digest of the rows that git has of the session and the tables lack. */
static enum err digest_gone(const struct settling *s, const struct db_lines *now,
                            struct db_said *said)
{
    struct db_history h;
    struct db_lines gone = {0};
    char environment[2 * DB_NAME + 2];
    enum err e = ERR_OK;
    TRY(db_history_read(s->database, &h));
    snprintf(environment, sizeof environment, "%s/%s", s->place.device, s->place.environment);
    for (size_t k = 0; k < h.count && !e; k++)
        if (strcmp(h.at[k].environment, environment) == 0)
            e = db_history_gone(&h.at[k], now, s->session, &gone);
    said->rows = (int)gone.count;
    db_lines_digest(gone.at, gone.count, said->digest);
    if (!e && gone.count == 0)
        e = err_set(ERR_USAGE, __FILE__, __LINE__,
                    "session %s: git has no rows of it that are gone", s->session);
    free(gone.at);
    db_history_free(&h);
    return e;
}

/* A measurement that began and has no row yet, nor had one, may be retired, too. `told` of a retired one covers
 * the session's members alone: without the rows nobody can see what their flags stand for. */
static enum err digest(const struct settling *s, struct db_manifest *m, struct db_said *said)
{
    const struct db_lines none = {0};
    struct db_said bare = *said;
    struct db_lines now = {0};
    enum err e = db_lines_read(&now, s->folder);
    if (!e)
        e = db_said_now(said, &now, m);
    const int nothing = said->rows == 0;
    if (!e && (s->kind == DB_RECORD_DISOWNED || (s->kind == DB_RECORD_RETIRED && nothing))) {
        e = digest_gone(s, &now, said);
        if (e && s->kind == DB_RECORD_RETIRED)
            e = ERR_OK;
    }
    if (!e && s->kind == DB_RECORD_FOUND && nothing)
        e = err_set(ERR_USAGE, __FILE__, __LINE__,
                    "session %s has no rows: `shoal db retire` is for those", s->session);
    if (!e && s->kind == DB_RECORD_RETIRED)
        e = db_said_now(&bare, &none, m);
    if (s->kind != DB_RECORD_FOUND)
        strcpy(said->told, bare.told);
    db_lines_free(&now);
    return e;
}

static enum err settle(struct db_manifest *m, void *context)
{
    const struct settling *s = context;
    struct db_said said = {.kind = s->kind, .session = s->session, .why = s->why};
    if (s->kind == DB_RECORD_RETIRED && db_record_of(m, s->session, DB_RECORD_RETIRED, NULL))
        return ERR_OK;
    if (s->kind == DB_RECORD_FOUND && db_session_ended(m, s->session))
        FAIL(USAGE, "session %s has already ended, and has a record", s->session);
    if (s->kind == DB_RECORD_FOUND)
        TRY(date_commit(s, m));
    if (s->kind == DB_RECORD_FOUND || s->kind == DB_RECORD_RETIRED)
        TRY(db_session_end(m, s->session, "unknown"));
    if (s->kind != DB_RECORD_REMARK)
        TRY(digest(s, m, &said));
    return db_record_add(m, &said);
}

static enum err each_manifest(const char *folder,
                              enum err (*each)(void *context, const char *folder,
                                               const struct db_place *place,
                                               const struct db_manifest *m),
                              void *context)
{
    struct db_list list;
    struct db_place place;
    struct db_manifest m = {0};
    char environment[2 * DB_NAME + 2], path[PATH_LENGTH];
    enum err e = ERR_OK;
    TRY(db_list_read(folder, &list));
    for (size_t k = 0; k < list.count && !e; k++) {
        db_place_parse(list.path[k], &place);
        if (place.kind != DB_MANIFEST)
            continue;
        snprintf(environment, sizeof environment, "%s/%s", place.device, place.environment);
        TRY_OUT(db_path(folder, environment, path));
        TRY_OUT(db_manifest_of(folder, &place, &m));
        e = each(context, path, &place, &m);
        db_manifest_free(&m);
    }
out:
    db_list_free(&list);
    return e;
}

static enum err look_at_folder(void *context, const char *folder, const struct db_place *place,
                               const struct db_manifest *m)
{
    struct settling *s = context;
    if (!db_session_get(m, s->session, "started"))
        return ERR_OK;
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    s->place = *place;
    return ERR_OK;
}

enum err db_settle(const char *folder, const char *session, enum db_record_kind kind,
                   const char *why)
{
    struct settling s = {.database = folder, .session = session, .why = why, .kind = kind};
    char path[PATH_LENGTH], what[PRIVATE_ROOM];
    if (strlen(why) > DB_VALUE || why[strcspn(why, "\n\t\r")])
        FAIL(USAGE, "--why: expected one line of at most %d characters", DB_VALUE);
    if (db_private(why, what))
        FAIL(USAGE, "--why: %s", what);
    TRY(each_manifest(folder, look_at_folder, &s));
    if (!*s.folder)
        FAIL(USAGE, "no session '%s' in %s: manifests list them", session, folder);
    TRY(db_path(s.folder, "manifest.json", path));
    TRY(db_manifest_change(path, settle, &s));
    return kind == DB_RECORD_RETIRED ? db_lines_remove(s.folder, session) : ERR_OK;
}

struct unsettled {
    enum err (*each)(void *context, const char *session);
    void *context;
};

static enum err list_unsettled(void *context, const char *folder, const struct db_place *place,
                               const struct db_manifest *m)
{
    const struct unsettled *u = context;
    char session[DB_SESSION + 1] = "";
    (void)folder;
    (void)place;
    for (size_t at = 0; db_session_next(m, &at, session);)
        if (!db_session_ended(m, session))
            TRY(u->each(u->context, session));
    return ERR_OK;
}

enum err db_unsettled(const char *folder, enum err (*each)(void *context, const char *session),
                      void *context)
{
    struct unsettled u = {each, context};
    return each_manifest(folder, list_unsettled, &u);
}
