/* Rows that `shoal measure` entered as a source of figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/record.h"
#include "plots/data/frame_group.h"
#include "plots/data/source_parts.h"

int source_point_columns(const struct frame *f, int rows, int *column, int most)
{
    const int run = frame_column(f, "run"), session = frame_column(f, "session"),
              end = run >= 0 && !rows ? run : session;
    int count = 0;
    if (session < 0 || frame_column(f, "outcome") != session + 1)
        return -1;
    for (int k = 0; k < end; k++) {
        if (k == run)
            continue;
        if (count == most)
            return -1;
        column[count++] = k;
    }
    return count;
}

/* What a row's columns must be, and where it is from. */
struct measured {
    const struct source_request *r;
    struct frame *frame;
    const char *path;
    int session, outcome;
};

/* A session; of two, one that ended, then the one that was started later, or else has the later name, counts as
 * the later. */
struct stamp {
    const char *when, *name;
    int ended;
};

static int is_later(const struct stamp *a, const struct stamp *b)
{
    const int order = a->ended != b->ended ? a->ended - b->ended : strcmp(a->when, b->when);
    return order ? order > 0 : strcmp(a->name, b->name) > 0;
}

/* `when` is "" where the manifest does not know the row's session. */
static struct stamp stamp_of(const struct measured *m, size_t row)
{
    char key[DB_SESSION + sizeof "/started"];
    struct stamp s = {"", frame_at(m->frame, row, m->session), 0};
    if (strlen(s.name) != DB_SESSION)
        return s;
    snprintf(key, sizeof key, "%s/started", s.name);
    const char *when = db_manifest_get(&m->r->device->manifest, "sessions", key);
    s.when = when ? when : "";
    s.ended = db_session_ended(&m->r->device->manifest, s.name);
    return s;
}

static enum err check(const struct measured *m)
{
    if (m->session < 0 || m->outcome < 0)
        FAIL(INPUT, "%s: the table of an experiment has columns 'session' and 'outcome'", m->path);
    for (size_t r = 0; r < m->frame->rows; r++) {
        const char *outcome = frame_at(m->frame, r, m->outcome);
        int known = 0;
        for (int k = 0; k < DB_OUTCOMES; k++)
            known |= strcmp(outcome, db_outcomes[k]) == 0;
        if (!known)
            FAIL(INPUT, "%s:%d: '%s' is no outcome", m->path, source_file_line(m->path, r),
                 outcome);
        for (int k = 0; k < m->frame->columns; k++)
            if (!db_cells_fits(m->frame->name[k], frame_at(m->frame, r, k)))
                FAIL(INPUT,
                     "%s:%d: %s '%s': a number, or - for none, is wanted; restore it, or measure "
                     "again",
                     m->path, source_file_line(m->path, r), m->frame->name[k],
                     frame_at(m->frame, r, k));
        if (!*stamp_of(m, r).when)
            FAIL(INPUT, "%s:%d: the manifest of this environment has no session '%s'", m->path,
                 source_file_line(m->path, r), frame_at(m->frame, r, m->session));
    }
    return ERR_OK;
}

/* Of each point the rows of the session that was started last, whatever became of it: what failed when
 * it was measured again is not shown as if it had not. */
static enum err keep_latest(const struct measured *m)
{
    const struct frame_where all = {0};
    struct frame_columns point;
    struct frame_groups g = {0};
    enum err e = ERR_OK;
    point.count = source_point_columns(m->frame, 0, point.at, GROUP_COLUMNS);
    if (point.count < 0)
        FAIL(INPUT, "%s: at most %d columns come before 'session', and then 'outcome'", m->path,
             GROUP_COLUMNS);
    char *wanted = calloc(m->frame->rows + 1, 1);
    if (!wanted)
        FAIL(MEMORY, "no memory to read %s", m->path);
    TRY_OUT(frame_groups_create(m->frame, &point, &all, &g));
    for (size_t n = 0; n < g.count; n++) {
        struct stamp latest = stamp_of(m, g.row[g.first[n]]);
        for (size_t k = g.first[n]; k < g.first[n + 1]; k++) {
            const struct stamp s = stamp_of(m, g.row[k]);
            latest = is_later(&s, &latest) ? s : latest;
        }
        for (size_t k = g.first[n]; k < g.first[n + 1]; k++)
            wanted[g.row[k]] =
                strcmp(frame_at(m->frame, g.row[k], m->session), latest.name) ? 0 : 1;
    }
    frame_keep_rows(m->frame, wanted);
out:
    frame_groups_free(&g);
    free(wanted);
    return e;
}

static int mentions_outcome(const struct measured *m)
{
    const char *text = experiment_value(m->r->experiment, m->r->data, "where");
    struct frame_where where;
    if (!text || frame_where(m->frame, text, &where))
        return 0;
    for (int k = 0; k < where.count; k++)
        if (where.condition[k].column == m->outcome)
            return 1;
    return 0;
}

/* The sessions of the rows, the latest first, as far as there is room. */
static void name_sessions(const struct measured *m, char *text, size_t room)
{
    struct stamp before = {"", "", 0};
    size_t used = 0;
    for (*text = '\0'; used + DB_SESSION + 1 < room;) {
        struct stamp next = {"", "", 0};
        for (size_t r = 0; r < m->frame->rows; r++) {
            const struct stamp s = stamp_of(m, r);
            if ((!*before.when || is_later(&before, &s)) && is_later(&s, &next))
                next = s;
        }
        if (!*next.when)
            return;
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? " " : "", next.name);
        before = next;
    }
}

static enum err select_rows(const struct measured *m, struct plot_table *t)
{
    TRY(check(m));
    TRY(keep_latest(m));
    if (!mentions_outcome(m))
        TRY(frame_keep(m->frame, "outcome=ok"));
    name_sessions(m, t->session, sizeof t->session);
    return ERR_OK;
}

enum err source_measured(const struct source_request *r, struct plot_table *t)
{
    char path[PATH_LENGTH];
    const char *from = experiment_value(r->experiment, r->data, "from"), *name = r->argument;
    if (*name && strcmp(name, r->experiment->name) != 0) {
        struct experiment other;
        if (experiment_read(&other, name))
            return experiment_fault(r->experiment, from, "%s", err_message());
        experiment_free(&other);
    } else {
        name = r->experiment->name;
    }
    if (snprintf(t->file, sizeof t->file, "%s/%s/experiments/%s.tsv", r->device->device,
                 r->device->environment, name) >= (int)sizeof t->file)
        FAIL(INPUT, "%s: a path may have at most %d characters", r->device->folder,
             PATH_LENGTH - 1);
    TRY(db_path(r->database, t->file, path));
    TRY(source_file_read(path, &t->frame));
    if (t->frame.columns == 0)
        return ERR_OK;
    const struct measured m = {r, &t->frame, path, frame_column(&t->frame, "session"),
                               frame_column(&t->frame, "outcome")};
    return select_rows(&m, t);
}
