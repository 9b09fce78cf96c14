/* The environment of measurements: what must be equal for times to be comparable, as in the
 * manifests of the tuning database. */
#ifndef SHOAL_ENVIRONMENT_H
#define SHOAL_ENVIRONMENT_H

#include "core/compile/recipe.h"
#include "core/device/backend.h"
#include "core/options/run_config.h"
#include "core/db/tuning_db.h"

enum { ENVIRONMENT_ENTRIES = 48 };

/* Of a fixed size, so that a child process can fill it in shared memory. */
struct environment {
    enum backend_kind backend;
    int here;      /* the backend can be used */
    char why[512]; /* why not */
    struct device_info info;
    int count; /* entries "environment/name" = value, sorted; state of the clocks as "state/..." */
    struct db_entry entry[ENVIRONMENT_ENTRIES];
    char hash[DB_HASH + 1];
};

/* Queries the device. For cuda this opens the driver: call it in a child (see pool_ask) if this
 * process forks later. */
void environment_probe(struct environment *e, enum backend_kind backend,
                       const struct device_options *o);

/* Runs are divided like this: they belong to another device, such as "2 x NVIDIA H200, 2 parts". */
void environment_divide(struct environment *e, const struct division *d);

/* The environment's folder, "<database>/<device>/<hash>", created if need be; its manifest gets the
 * environment's members. */
enum err environment_folder(const struct environment *e, const char *database,
                            char folder[PATH_LENGTH]);

/* The manifest's name in `folder` for a text of flags; enters a new one if it has none: "fast",
 * "strict", then "fast-2", ... */
enum err environment_flags(const char *folder, const char *text, char name[DB_FLAGS + 1]);

/* A new session's name: eight random hexadecimal digits. */
enum err environment_new_session(char session[DB_SESSION + 1]);

/* Enters the meaning of a row's digest: a kernel's text, with all it includes, and the digest of its code. */
enum err environment_source(const char *folder, const struct text_digests *d, const char *file);

/* Enters `count` pairs of name and value of a session; for a new one also when it started (now) and
 * the program: commit, committed, dirty, program. */
struct db_pair {
    const char *name, *value;
};
enum err environment_session(const char *folder, const char *session, const struct db_pair *pairs,
                             int count);

#endif
