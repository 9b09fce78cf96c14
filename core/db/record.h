/* Records of the tuning database: what a measurement's rows were when it ended, and what became of it. Each
 * is called by the digest of what it says, which includes its parents, so that none can change unnoticed. */
#ifndef SHOAL_DB_RECORD_H
#define SHOAL_DB_RECORD_H

#include "core/db/raw_rows.h"

/* id, name in a manifest */
#define DB_RECORD_TABLE(X)                                                           \
    X(MEASURED, "measured") /* its rows, digested by the program that ended it */    \
    X(FOUND, "found")       /* its rows as they were found later; `why` says when */ \
    X(RETIRED, "retired")   /* its rows are gone for the reason in `why` */          \
    X(DISOWNED, "disowned") /* rows under its name that were never its own */        \
    X(REMARK, "remark")     /* what is to be known of it */

enum db_record_kind {
#define DB_RECORD_ENUM(id, name) DB_RECORD_##id,
    DB_RECORD_TABLE(DB_RECORD_ENUM)
#undef DB_RECORD_ENUM
        DB_RECORD_KINDS
};
extern const char *const db_record_kinds[DB_RECORD_KINDS];

/* What a record says of a measurement. */
struct db_said {
    enum db_record_kind kind;
    const char *session;
    int rows;
    char digest[SHA256_DIGITS + 1]; /* of the rows; "" where there is nothing to digest */
    char told[SHA256_DIGITS + 1];   /* of the session's members, and of what its rows' flags and
                                     * sources stand for */
    const char *why;                /* NULL: none */
};

/* The digests of a session's rows as they are now. `l` is sorted. */
enum err db_said_now(struct db_said *said, const struct db_lines *l, const struct db_manifest *m);

/* Adds a record whose parents are all records that are nobody's parent yet (of more than DB_PARENTS the
 * first by name; the others wait for the next). */
enum { DB_PARENTS = 15 };
enum err db_record_add(struct db_manifest *m, const struct db_said *said);

/* What a record is called if it says what the manifest has under `id`. */
void db_record_name(const struct db_manifest *m, const char *id, char name[SHA256_DIGITS + 1]);

/* The next record's id after entry *at (0: the first) of a manifest; NULL: there is none. */
const char *db_record_next(const struct db_manifest *m, size_t *at, char id[SHA256_DIGITS + 1]);

/* A member of a record, such as "kind"; NULL: it has none. */
const char *db_record_get(const struct db_manifest *m, const char *id, const char *member);

/* Is there a record of that kind of a session? Its id, unless the pointer is null. */
int db_record_of(const struct db_manifest *m, const char *session, enum db_record_kind kind,
                 char id[SHA256_DIGITS + 1]);

/* Has the session ended, so that no row comes or goes? */
int db_session_ended(const struct db_manifest *m, const char *session);

/* Enters when a session ended, as its member `ended`, unless it has one. */
enum err db_session_end(struct db_manifest *m, const char *session, const char *when);

/* The record of a measurement that ends now, made from the rows in its environment's folder. */
enum err db_record_end(const char *folder, const char *session);

/* Which of two measurements a view shows: what ended before what did not, then what began later. */
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
