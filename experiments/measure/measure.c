/* Measures experiments point by point. Resumes an interrupted session. */
#include "experiments/measure/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/registry/catalog.h"
#include "core/base/log.h"
#include "core/db/record.h"
#include "core/base/monotonic_time.h"
#include "experiments/measure/measure_parts.h"
#include "verification/run/verify.h"

const struct measure_kind *const measure_kinds[] = {
    &kind_runs,    &kind_speed,       &kind_timeline, &kind_section, &kind_profile,
    &kind_kernels, &kind_counters,    &kind_ceilings, &kind_tuning,  &kind_marks,
    &kind_tiles,   &kind_tiles_start, &kind_tile_map, NULL};

/* An experiment to be measured. */
struct job {
    struct experiment experiment;
    const struct measure_kind *kind;
    struct measure_points all; /* none for a kind with `whole` */
};

const char *const measure_all_take[] = {"kind", "takes", "needs", "backend", NULL};

static int is_of_all(const char *key)
{
    for (int k = 0; measure_all_take[k]; k++)
        if (strcmp(key, measure_all_take[k]) == 0)
            return 1;
    return 0;
}

/* An ignored key would mislead. */
static enum err check_keys(const struct experiment *x, const struct section *wanted,
                           const struct measure_kind *kind)
{
    for (int k = 0; k < wanted->count; k++) {
        const struct setting *s = &x->file.setting[wanted->first + k];
        char key[EXPERIMENT_WORD];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(s->key, "."), s->key);
        if (!is_of_all(key) && !option_find(kind->options, key) &&
            (kind->whole || !option_find(measure_common, key)))
            return experiment_fault(x, s->value, "kind = %s has no such key; remove it",
                                    kind->name);
    }
    return ERR_OK;
}

/* The kind that [measure] names; NULL if an experiment measures nothing itself. */
static enum err find_kind(const struct experiment *x, const struct measure_kind **kind)
{
    const struct section *wanted = experiment_section(x, "measure", 0);
    const char *name = experiment_value(x, wanted, "kind");
    struct catalog known = {0};
    *kind = NULL;
    if (!wanted)
        return ERR_OK;
    if (!name)
        FAIL(INPUT, "%s:%d: [measure] must have 'kind = ...', such as runs", x->file.path,
             wanted->line);
    for (int k = 0; measure_kinds[k]; k++) {
        if (strcmp(name, measure_kinds[k]->name) == 0)
            *kind = measure_kinds[k];
        catalog_add(&known, measure_kinds[k]->name);
    }
    if (*kind)
        return check_keys(x, wanted, *kind);
    catalog_unknown(&known, "kind", name, NULL);
    return experiment_fault(x, name, "%s", err_message());
}

/* "about 3 min left" */
static void tell_time(double left, char text[64])
{
    if (left < 90)
        snprintf(text, 64, ", about %.0f s left", left);
    else if (left < 5400)
        snprintf(text, 64, ", about %.0f min left", left / 60);
    else
        snprintf(text, 64, ", about %.1f h left", left / 3600);
}

/* Its progress: points measured by this process since `began`. */
struct progress {
    struct measure_names names;
    double began;
    int measured;
};

static void tell(const struct measure *m, const struct measure_points *all, int k,
                 const struct progress *p)
{
    char name[POINT_CELLS], left[64] = "";
    measure_name(&p->names, &all->point[k], name);
    if (p->measured)
        tell_time((seconds() - p->began) / p->measured * (all->count - k), left);
    log_info("%s: %d of %d%s: %s", m->experiment->name, k + 1, all->count, left, name);
}

/* Suppresses the simulation's log, which would repeat for every point. */
static enum err measure_quietly(struct measure *m, const struct point *p)
{
    m->quiet = log_is_quiet();
    log_quiet(1);
    const enum err e = measure_point(m, p);
    log_quiet(m->quiet);
    if (e)
        err_context("%s, %s", m->experiment->name, p->flow_case->name);
    return e ? e : measure_store(m);
}

static enum err measure_all(struct measure *m, const struct measure_points *all)
{
    char path[PATH_LENGTH];
    struct stored s = {0};
    struct progress p = {.began = seconds()};
    enum err e = ERR_OK;
    measure_names_of(&p.names, all);
    TRY(measure_table(m->folder, m->experiment, path));
    TRY(stored_read(&s, path, m->kind));
    for (int k = 0; k < all->count; k++) {
        if (!stored_lacks(&s, &all->point[k], m->session, all->enough))
            continue;
        tell(m, all, k, &p);
        TRY_OUT(measure_quietly(m, &all->point[k]));
        p.measured++;
        if (all->enough > 0) {
            stored_free(&s);
            TRY_OUT(stored_read(&s, path, m->kind));
        }
    }
out:
    stored_free(&s);
    return e;
}

static void forget_references(const struct measure_points *all)
{
    for (int k = 0; k < all->count; k++) {
        const struct verification *v = all->point[k].flow_case->verify;
        if (v && v->reference) {
            free(v->reference->table);
            v->reference->table = NULL;
        }
    }
}

static enum err do_points(struct measure *m, const struct measure_points *all)
{
    struct entered entered = {0};
    TRY(measure_place(m));
    TRY(measure_alone(m));
    TRY(measure_session(m, all));
    m->entered = &entered;
    measure_end_on_signals(1);
    enum err e = measure_all(m, all);
    if (!e)
        e = db_record_end(m->folder, m->session);
    measure_end_on_signals(0);
    if (m->kind->end)
        m->kind->end(m);
    forget_references(all);
    measure_forget(&entered);
    m->entered = NULL;
    return e ? e : measure_print(m, all);
}

static void tell_effort(const struct measure *m)
{
    const char *takes = experiment_value(m->experiment, m->wanted, "takes"),
               *needs = experiment_value(m->experiment, m->wanted, "needs");
    if (takes || needs)
        log_info("%s: %s%s%s%s%s", m->experiment->name, takes ? "takes " : "", takes ? takes : "",
                 takes && needs ? "; " : "", needs ? "needs " : "", needs ? needs : "");
}

static enum err do_job(const struct measure_setup *setup, const struct job *j)
{
    struct measure m = {.setup = *setup,
                        .experiment = &j->experiment,
                        .wanted = experiment_section(&j->experiment, "measure", 0),
                        .kind = j->kind,
                        .lock = -1};
    tell_effort(&m);
    const enum err e = j->kind->whole ? j->kind->whole(&m) : do_points(&m, &j->all);
    if (m.lock >= 0)
        close(m.lock);
    return e;
}

/* Names the experiment whose rows it draws (the table measured_NAME of its first query), and the
 * command that measures them. */
static enum err measures_nothing(const struct experiment *x)
{
    static const char measured[] = "measured_";
    const char *query = experiment_value(x, experiment_section(x, "data", 0), "sql"),
               *table = query ? strstr(query, measured) : NULL;
    char other[EXPERIMENT_NAME + 1] = "";
    if (!table)
        FAIL(USAGE,
             "%s has no [measure]: nothing to measure; `shoal tune` measures rows of kernels",
             x->name);
    snprintf(other, sizeof other, "%s", table + strlen(measured));
    other[strspn(other, "abcdefghijklmnopqrstuvwxyz0123456789_")] = '\0';
    for (char *p = other; *p; p++)
        *p = (char)(*p == '_' ? '-' : *p);
    FAIL(USAGE,
         "%s has no [measure]: it draws rows of another experiment; `shoal measure %s` measures "
         "them",
         x->name, other);
}

int measure_divides(const struct experiment *x)
{
    const struct measure_kind *kind = NULL;
    return find_kind(x, &kind) == ERR_OK && kind && kind->divides;
}

/* Reports a faulty file before it measures anything. */
static enum err prepare(const struct measure_setup *setup, const char *name, struct job *j)
{
    struct measure_common common;
    TRY(experiment_read(&j->experiment, name));
    TRY(find_kind(&j->experiment, &j->kind));
    if (!j->kind)
        return measures_nothing(&j->experiment);
    const char *historical = experiment_historical(&j->experiment);
    if (historical)
        FAIL(USAGE, "%s cannot be measured again. %s `shoal plot %s` draws its rows.", name,
             historical, name);
    TRY(measure_backend_check(&j->experiment, setup->backend));
    if (division_divides(&setup->division) && !j->kind->divides)
        FAIL(USAGE,
             "%s (kind = %s) measures runs in one piece: leave out --devices and --parts, or "
             "choose experiments of kinds runs, speed or timeline",
             name, j->kind->name);
    if (j->kind->whole)
        return ERR_OK;
    TRY(measure_options(&j->experiment, setup->backend, measure_common, &common));
    j->all.enough = common.enough;
    TRY(measure_plan(&j->experiment, setup, &j->all.point, &j->all.count));
    return j->kind->ready ? j->kind->ready(&j->experiment, setup->backend, &j->all) : ERR_OK;
}

enum err measure_experiments(const struct measure_setup *setup, const char *const names[],
                             int count)
{
    struct job *job = calloc((size_t)count + 1, sizeof *job);
    enum err e = ERR_OK;
    if (!job)
        FAIL(MEMORY, "no memory for %d experiments", count);
    for (int k = 0; k < count; k++)
        TRY_OUT(prepare(setup, names[k], &job[k]));
    /* Those that may fork come before any that opens the device. */
    for (int whole = 1; whole >= 0; whole--)
        for (int k = 0; k < count; k++)
            if ((job[k].kind->whole != NULL) == whole)
                TRY_OUT(do_job(setup, &job[k]));
out:
    for (int k = 0; k < count; k++) {
        free(job[k].all.point);
        experiment_free(&job[k].experiment);
    }
    free(job);
    return e;
}

/* With `scheme = all` a scheme without any rows is not missing: it was added later. If the table
 * has some of its rows, the others are missing. */
static int is_new(const struct measure *m, const struct stored *s, const struct point *p)
{
    const char *wanted =
        experiment_variant(m->experiment, experiment_section(m->experiment, "measure", 0), "scheme",
                           backends[m->setup.backend]->name);
    const int column = s->count ? db_cells_column(&s->table, "scheme") : -1;
    if (column < 0 || !wanted || (strcmp(wanted, "all") != 0 && strcmp(wanted, "split") != 0))
        return 0;
    for (size_t row = 1; row < s->table.rows; row++)
        if (strcmp(db_cells_at(&s->table, row, column), p->scheme->name) == 0)
            return 0;
    return 1;
}

static enum err count_missing(const struct measure *m, const struct measure_points *all,
                              int *missing, char first[256])
{
    char path[PATH_LENGTH], name[POINT_CELLS];
    struct measure_names names;
    struct stored s;
    measure_names_of(&names, all);
    TRY(measure_table(m->folder, m->experiment, path));
    TRY(stored_read(&s, path, m->kind));
    for (int k = 0; k < all->count; k++) {
        const struct point *p = &all->point[k];
        if (!stored_lacks_everywhere(&s, p, all->enough) || is_new(m, &s, p))
            continue;
        measure_name(&names, p, name);
        if ((*missing)++ == 0)
            snprintf(first, 256, "%s, run %d", name, p->run);
    }
    stored_free(&s);
    return ERR_OK;
}

enum err measure_missing(const struct experiment *x, enum backend_kind backend,
                         const char *environment_folder, int *missing, char first[256])
{
    struct measure m = {.setup = {.backend = backend, .precision = -1}, .experiment = x};
    struct measure_points all = {0};
    struct measure_common common;
    *missing = 0;
    first[0] = '\0';
    TRY(find_kind(x, &m.kind));
    if (!m.kind)
        return ERR_OK;
    const enum err fits = measure_backend_check(x, backend);
    if (fits)
        return fits == ERR_ABSENT ? ERR_OK : fits;
    if (m.kind->missing)
        return m.kind->missing(x, backend, environment_folder, missing, first);
    snprintf(m.folder, sizeof m.folder, "%s", environment_folder);
    TRY(measure_options(x, backend, measure_common, &common));
    all.enough = common.enough;
    TRY(measure_plan(x, &m.setup, &all.point, &all.count));
    const enum err e = count_missing(&m, &all, missing, first);
    free(all.point);
    return e;
}
