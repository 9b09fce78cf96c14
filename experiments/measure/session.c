/* Where rows of this device are stored, and their session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/db/record.h"
#include "core/db/own.h"
#include "core/base/log.h"
#include "core/base/provenance.h"
#include "core/base/sha256.h"
#include "experiments/measure/environment.h"
#include "experiments/measure/measure_parts.h"

enum { PLAN_DIGITS = 12 };

enum err measure_place(struct measure *m)
{
    char database[PATH_LENGTH], path[PATH_LENGTH];
    const struct device_options o = {
        .device = m->setup.device, .threads = m->setup.threads, .march = "native"};
    struct environment *e = calloc(1, sizeof *e);
    enum err failed = ERR_OK;
    if (!e)
        FAIL(MEMORY, "no memory for the environment");
    environment_probe(e, m->setup.backend, &o);
    if (e->here)
        environment_divide(e, &m->setup.division);
    if (!e->here)
        failed = err_set(ERR_ABSENT, __FILE__, __LINE__, "%s", e->why);
    if (!failed)
        failed = db_own(database);
    if (!failed)
        failed = environment_folder(e, database, m->folder);
    if (!failed)
        log_info("measuring on %s, into %s", e->info.name, m->folder);
    free(e);
    TRY(failed);
    TRY(db_path(m->folder, "experiments", path));
    return paths_folder(path, "SHOAL_DB names another database");
}

static void add_text(struct sha256 *s, const char *text)
{
    sha256_update(s, text, strlen(text) + 1);
}

/* Everything that determines what is measured: a session with another plan cannot be resumed. */
static void hash_plan(struct measure *m, const struct measure_points *all)
{
    struct sha256 s;
    char cells[POINT_CELLS], hex[SHA256_DIGITS + 1];
    sha256_init(&s);
    for (int k = 0; k < m->wanted->count; k++) {
        const struct setting *setting = &m->experiment->file.setting[m->wanted->first + k];
        if (strcmp(setting->key, "takes") == 0 || strcmp(setting->key, "needs") == 0)
            continue;
        add_text(&s, setting->key);
        add_text(&s, setting->value);
    }
    for (int k = 0; k < all->count; k++) {
        measure_cells(&all->point[k], 0, cells);
        add_text(&s, cells);
    }
    sha256_final(&s, hex);
    snprintf(m->hash, sizeof m->hash, "%.*s", PLAN_DIGITS, hex);
    snprintf(m->plan, sizeof m->plan, "plan %s", m->experiment->name);
}

/* Can this program resume a session? Not a finished one, nor one begun by another program or with
 * other kernel sources. */
static int goes_on(const struct db_manifest *manifest, const char *session, const char *program)
{
    const char *its = db_session_get(manifest, session, "program");
    if (db_session_ended(manifest, session))
        return 0;
    if (its && strcmp(its, program) == 0)
        return 1;
    log_info("session %s of this plan is unfinished, but of another program or other kernels: a "
             "new session begins; `shoal db seal %s --why TEXT` ends the other and keeps its rows",
             session, session);
    return 0;
}

/* The latest session of that plan that can be resumed; "" if there is none. */
static enum err latest(const struct measure *m, char session[DB_SESSION + 1])
{
    struct db_manifest manifest;
    char path[PATH_LENGTH], other[DB_SESSION + 1] = "", last[DB_VALUE + 1] = "";
    struct provenance p;
    session[0] = '\0';
    TRY(provenance_find(&p));
    TRY(db_path(m->folder, "manifest.json", path));
    TRY(db_manifest_read(path, &manifest));
    for (size_t at = 0; db_session_next(&manifest, &at, other);) {
        const char *plan = db_session_get(&manifest, other, m->plan),
                   *started = db_session_get(&manifest, other, "started");
        if (!plan || strcmp(plan, m->hash) != 0 || !started || strcmp(started, last) < 0 ||
            !goes_on(&manifest, other, p.program))
            continue;
        snprintf(last, sizeof last, "%s", started);
        strcpy(session, other);
    }
    db_manifest_free(&manifest);
    return ERR_OK;
}

/* How many points a session still lacks. */
static enum err count_lacking(const struct measure *m, const struct measure_points *all,
                              int *lacking)
{
    char path[PATH_LENGTH];
    struct stored s;
    *lacking = 0;
    TRY(measure_table(m->folder, m->experiment, path));
    TRY(stored_read(&s, path, m->kind));
    for (int k = 0; k < all->count; k++)
        *lacking += stored_lacks(&s, &all->point[k], m->session, all->enough);
    stored_free(&s);
    return ERR_OK;
}

enum err measure_session(struct measure *m, const struct measure_points *all)
{
    int lacking = 0;
    hash_plan(m, all);
    m->session[0] = m->started[0] = '\0';
    if (!m->setup.again)
        TRY(latest(m, m->session));
    if (*m->session) {
        TRY(count_lacking(m, all, &lacking));
        log_info("%s: resuming session %s, %d of %d points are missing", m->experiment->name,
                 m->session, lacking, all->count);
        return ERR_OK;
    }
    db_time(time(NULL), m->started);
    return environment_new_session(m->session);
}

enum err measure_begin(const struct measure *m)
{
    const struct db_pair pairs[] = {
        {m->experiment->name, m->kind->how}, {m->plan, m->hash}, {"started", m->started}};
    return environment_session(m->folder, m->session, pairs, *m->started ? 3 : 2);
}
