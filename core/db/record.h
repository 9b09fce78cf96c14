/* Records of the tuning database: a measurement's rows when it ended, and what happened to them. A
 * record's name is the digest of its content, which includes its parents, so that none can change
 * unnoticed. */
#ifndef SHOAL_DB_RECORD_H
#define SHOAL_DB_RECORD_H

#include "core/db/raw_rows.h"

/* id, name in a manifest */
#define DB_RECORD_TABLE(X)                                                        \
    X(MEASURED, "measured") /* its rows, digested by the program that ended it */ \
    X(FOUND, "found")       /* its rows as found later; `why` says when */        \
    X(RETIRED, "retired")   /* its rows were removed for the reason in `why` */   \
    X(DISOWNED, "disowned") /* rows under its name that were never its own */     \
    X(REMARK, "remark")     /* a note */

enum db_record_kind {
#define DB_RECORD_ENUM(id, name) DB_RECORD_##id,
    DB_RECORD_TABLE(DB_RECORD_ENUM)
#undef DB_RECORD_ENUM
        DB_RECORD_KINDS
};
extern const char *const db_record_kinds[DB_RECORD_KINDS];

/* The content of a record about a measurement. */
struct db_said {
    enum db_record_kind kind;
    const char *session;
    int rows;
    char digest[SHA256_DIGITS + 1]; /* of the rows; "" if there are none to digest */
    char told[SHA256_DIGITS + 1];   /* of the session's members, and of what its rows' flags and
                                     * sources stand for */
    const char *why;                /* NULL: none */
};

/* The digests of a session's rows at present. `l` is sorted. */
enum err db_said_now(struct db_said *said, const struct db_lines *l, const struct db_manifest *m);

/* Adds a record whose parents are all records that are nobody's parent yet (of more than DB_PARENTS the
 * first by name; the others wait for the next). */
enum { DB_PARENTS = 15 };
enum err db_record_add(struct db_manifest *m, const struct db_said *said);

/* The name of a record with the content that the manifest has under `id`. */
void db_record_name(const struct db_manifest *m, const char *id, char name[SHA256_DIGITS + 1]);

/* The next record's id after entry *at (0: the first) of a manifest; NULL: there is none. */
const char *db_record_next(const struct db_manifest *m, size_t *at, char id[SHA256_DIGITS + 1]);

/* A member of a record, such as "kind"; NULL: it has none. */
const char *db_record_get(const struct db_manifest *m, const char *id, const char *member);

/* Is there a record of that kind for a session? Sets its id, unless the pointer is null. */
int db_record_of(const struct db_manifest *m, const char *session, enum db_record_kind kind,
                 char id[SHA256_DIGITS + 1]);

/* Has the session ended, so that its rows are fixed? */
int db_session_ended(const struct db_manifest *m, const char *session);

/* Sets the session's member `ended`, unless it has one. */
enum err db_session_end(struct db_manifest *m, const char *session, const char *when);

/* The record of a measurement that ends now, from the rows in its environment's folder. */
enum err db_record_end(const char *folder, const char *session);

/* Which of two measurements a view shows: an ended one before an unfinished one, then the later. */
struct db_age {
    int ended;
    char started[DB_TIME];
};
struct db_age db_age_of(const struct db_manifest *m, const char *session);
int db_age_compare(const struct db_age *a, const struct db_age *b); /* positive: `a` */

/* A session's section in a manifest, without its end. */
enum { DB_SECTION = sizeof "sessions/" + DB_SESSION };
void db_session_section(const char *session, char section[DB_SECTION]);

#endif
