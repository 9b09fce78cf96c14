/* Where measurements are made: what must be equal for times to be comparable, as the manifests of the
 * tuning database have it. */
#ifndef SHOAL_ENVIRONMENT_H
#define SHOAL_ENVIRONMENT_H

#include "core/compile/recipe.h"
#include "core/device/backend.h"
#include "core/options/run_config.h"
#include "core/db/tuning_db.h"

enum { ENVIRONMENT_ENTRIES = 48 };

/* Of a fixed size, so that a child process can find it out in shared memory. */
struct environment {
    enum backend_kind backend;
    int here;      /* the backend can be used */
    char why[512]; /* why not */
    struct device_info info;
    int count; /* entries "environment/name" = value, sorted; state of the clocks as "state/..." */
    struct db_entry entry[ENVIRONMENT_ENTRIES];
    char hash[DB_HASH + 1];
};

/* Asks the device. For cuda it opens the driver: call it in a child (see pool_ask) where this process
 * is to be forked later. */
void environment_probe(struct environment *e, enum backend_kind backend,
                       const struct device_options *o);

/* Runs are divided so: what measures them is another device, such as "2 x NVIDIA H200, 2 parts". */
void environment_divide(struct environment *e, const struct division *d);

/* The environment's folder, "<database>/<device>/<hash>", created if need be; its manifest gets the
 * environment. */
enum err environment_folder(const struct environment *e, const char *database,
                            char folder[PATH_LENGTH]);

/* The name that the manifest in `folder` has for a text of flags; a new one, entered there, where it
 * has none: "fast", "strict", then "fast-2", ... */
enum err environment_flags(const char *folder, const char *text, char name[DB_FLAGS + 1]);

/* A new session's name: eight random hexadecimal digits. */
enum err environment_new_session(char session[DB_SESSION + 1]);

/* Enters what the first digits of a digest stand for that rows have: a kernel's text, with all it includes, and the
 * digest of its code. */
enum err environment_source(const char *folder, const struct text_digests *d, const char *file);

/* Enters `count` pairs of name and value of a session; of one that is not there yet, too, when it started
 * (now) and what measures: commit, committed, dirty, program. */
struct db_pair {
    const char *name, *value;
};
enum err environment_session(const char *folder, const char *session, const struct db_pair *pairs,
                             int count);

#endif
