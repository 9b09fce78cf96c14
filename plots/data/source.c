/* Makes a figure's tables: what [data] asks for, of a device or of all. */
#include "plots/data/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/catalog.h"
#include "core/base/key_value.h"
#include "plots/data/frame_group.h"
#include "plots/data/source_parts.h"

static const struct known_source {
    const char *name;
    source_read *read;
    int common;       /* the same for every device */
    const char *keys; /* those that not all sources take, each between blanks */
} known_sources[] = {
    {"measured", source_measured, 0, ""},
    {"blocks", source_blocks, 0, " kernel nx precision flags texts "},
    {"kernels", source_kernels, 0, " kernel nx precision flags texts "},
    {"predicted", source_predicted, 0, " kernel nx precision flags texts "},
    {"replay", source_replay, 0, " kernel nx precision flags texts strategy repeats "},
    {"published", source_published, 1, ""},
    {"case", source_case, 1, " nx "},
    {"certificate", source_certificate, 1, ""},
};
enum { SOURCES = sizeof known_sources / sizeof known_sources[0] };

/* A [data] section on its way to a table. */
struct wanted {
    struct source_request request;
    const struct known_source *source;
    char *from; /* its words, cut apart */
    struct plot_table *table;
};

/* An error of a value in the experiment's file. */
static enum err at_value(const struct source_request *r, const char *value, enum err e)
{
    return e == ERR_USAGE ? experiment_fault(r->experiment, value, "%s", err_message()) : e;
}

static enum err find_source(struct wanted *w)
{
    const struct source_request *r = &w->request;
    const char *value = experiment_value(r->experiment, r->data, "from");
    struct catalog known = {0};
    if (!value)
        FAIL(INPUT, "%s:%d: this section needs 'from = ...'", r->experiment->file.path,
             r->data->line);
    w->from = strdup(value);
    if (!w->from)
        FAIL(MEMORY, "no memory for the tables of a figure");
    char *rest = w->from, *name = strsep(&rest, " \t");
    w->request.argument = rest ? keyvalue_trim(rest) : "";
    for (int k = 0; k < SOURCES; k++) {
        catalog_add(&known, known_sources[k].name);
        if (strcmp(name, known_sources[k].name) == 0)
            w->source = &known_sources[k];
    }
    if (w->source)
        return ERR_OK;
    at_value(r, value, catalog_unknown(&known, "source", name, NULL));
    return ERR_INPUT;
}

/* A key that is not looked at would mislead. */
static enum err check_keys(const struct wanted *w)
{
    static const char of_all[] = " name from beside where column relative sort ";
    const struct experiment *x = w->request.experiment;
    for (int k = 0; k < w->request.data->count; k++) {
        const struct setting *s = &x->file.setting[w->request.data->first + k];
        char key[EXPERIMENT_WORD];
        snprintf(key, sizeof key, " %.*s ", (int)strcspn(s->key, "."), s->key);
        if (!strstr(of_all, key) && !strstr(w->source->keys, key))
            return experiment_fault(x, s->value, "from = %s takes no such key; leave it out",
                                    w->source->name);
    }
    const char *texts = experiment_value(x, w->request.data, "texts");
    if (texts && strcmp(texts, "several") != 0 && strcmp(texts, "complete") != 0)
        return experiment_fault(x, texts,
                                "'%s': 'texts = complete' takes rows of complete spaces, as heat "
                                "maps do, 'texts = several' says that texts may differ",
                                texts);
    return ERR_OK;
}

/* The rows of a device, which a column names. */
static enum err read_device(struct wanted *w, const struct plot_device *d, struct plot_table *t)
{
    w->request.device = d;
    TRY(at_value(&w->request, experiment_value(w->request.experiment, w->request.data, "from"),
                 w->source->read(&w->request, t)));
    if (!d || t->frame.columns == 0)
        return ERR_OK;
    TRY(frame_add_column(&t->frame, "device", d->device, NULL));
    return frame_add_column(&t->frame, "device_title", plot_device_title(d), NULL);
}

static void add_text(char *text, size_t room, const char *more)
{
    const size_t n = strlen(text);
    if (*more)
        snprintf(text + n, room - n, "%s%s", n ? " " : "", more);
}

/* Of each device the environment that was measured last and has rows. */
static enum err read_all(struct wanted *w)
{
    struct plot_devices all;
    const char *done = "";
    enum err e = ERR_OK;
    struct plot_table *one = calloc(1, sizeof *one);
    if (!one)
        FAIL(MEMORY, "no memory for the tables of a figure");
    TRY_OUT(plot_devices_read(&all));
    for (int k = 0; k < all.count && !e; k++) {
        if (strcmp(done, all.at[k].device) == 0)
            continue;
        *one = (struct plot_table){0};
        e = read_device(w, &all.at[k], one);
        if (!e)
            e = frame_append(&w->table->frame, &one->frame);
        if (!e && one->frame.rows) {
            done = all.at[k].device;
            add_text(w->table->file, sizeof w->table->file, one->file);
            add_text(w->table->session, sizeof w->table->session, one->session);
            plot_texts_add(w->table, one);
        }
        frame_free(&one->frame);
    }
    plot_devices_free(&all);
out:
    free(one);
    return e;
}

/* Leaves only the sessions that rows are still from. */
static void drop_sessions(struct plot_table *t)
{
    char kept[sizeof t->session] = "", *next = t->session;
    const int column = frame_column(&t->frame, "session");
    if (column < 0)
        return;
    for (char *name = strsep(&next, " "); name; name = strsep(&next, " ")) {
        size_t r = 0;
        while (r < t->frame.rows && strcmp(frame_at(&t->frame, r, column), name) != 0)
            r++;
        if (r < t->frame.rows)
            add_text(kept, sizeof kept, name);
    }
    strcpy(t->session, kept);
}

static enum err sort(struct frame *f, const char *names)
{
    struct frame_columns by;
    TRY(frame_columns(f, names, &by));
    for (int k = by.count - 1; k >= 0; k--)
        TRY(frame_sort(f, by.at[k]));
    return ERR_OK;
}

/* What the section says of the rows, once they are there. */
static enum err shape(const struct source_request *r, struct plot_table *t)
{
    const struct experiment *x = r->experiment;
    const char *where = experiment_value(x, r->data, "where"),
               *order = experiment_value(x, r->data, "sort");
    const char *beside;
    if (t->frame.columns == 0)
        return ERR_OK;
    for (int k = 0; (beside = experiment_value_at(x, r->data, "beside", k)) != NULL; k++)
        TRY(at_value(r, beside, source_add_published(&t->frame, r->database, beside)));
    if (where)
        TRY(at_value(r, where, frame_keep(&t->frame, where)));
    drop_sessions(t);
    for (int k = 0; k < r->data->count; k++) {
        const struct setting *s = &x->file.setting[r->data->first + k];
        if (strcmp(s->key, "column") == 0)
            TRY(at_value(r, s->value, source_add_computed(&t->frame, s->value)));
        else if (strcmp(s->key, "relative") == 0)
            TRY(at_value(r, s->value, source_add_relative(&t->frame, s->value)));
    }
    return order ? at_value(r, order, sort(&t->frame, order)) : ERR_OK;
}

static enum err name_table(const struct plot_tables *all, const struct wanted *w)
{
    const struct source_request *r = &w->request;
    const char *name = experiment_value(r->experiment, r->data, "name");
    if (!name && w->table != all->at)
        FAIL(INPUT, "%s:%d: only the first [data] can do without 'name = ...'",
             r->experiment->file.path, r->data->line);
    if (!name)
        name = "data";
    if (*name < 'a' || *name > 'z' || strlen(name) >= sizeof w->table->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return experiment_fault(r->experiment, name,
                                "'%s' is no name of a table: a letter, then small letters, digits "
                                "and _, %zu at most",
                                name, sizeof w->table->name - 1);
    for (const struct plot_table *t = all->at; t < w->table; t++)
        if (strcmp(t->name, name) == 0)
            FAIL(INPUT, "%s:%d: there is a table '%s' already", r->experiment->file.path,
                 r->data->line, name);
    snprintf(w->table->name, sizeof w->table->name, "%s", name);
    return ERR_OK;
}

/* Does measuring it bring rows of kernels? */
static int tunes(const struct experiment *x)
{
    const char *kind = experiment_value(x, experiment_section(x, "measure", 0), "kind");
    return kind && strcmp(kind, "tuning") == 0;
}

/* What is not there, and what measures it. */
static void note_missing(struct plot_tables *all, const struct wanted *w,
                         const struct plot_device *d)
{
    const struct experiment *x = w->request.experiment;
    const char *where = experiment_value(x, w->request.data, "where"), *name = x->name,
               *file = d ? w->table->file : "";
    const int measured = w->source->read == source_measured;
    const char *only = experiment_value(x, experiment_section(x, "measure", 0), "backend");
    char command[EXPERIMENT_NAME + 32] = "shoal tune";
    if (measured && *w->request.argument)
        name = w->request.argument;
    if (measured || tunes(x))
        snprintf(command, sizeof command, "shoal measure %s", name);
    all->present = 0;
    if (d && only && strcmp(only, backends[d->backend]->name) != 0) {
        snprintf(all->missing, sizeof all->missing,
                 "%s has no rows: it is measured with --backend %s alone", plot_device_title(d),
                 only);
        return;
    }
    snprintf(all->missing, sizeof all->missing, "%s has %srows %s%s%s%s: `%s` measures them",
             d ? plot_device_title(d) : "no device", d ? "no " : "", *file ? "in " : "from ",
             *file ? file : w->source->name, where ? " where " : "", where ? where : "", command);
}

static enum err read_table(struct plot_tables *all, struct wanted *w, const struct plot_device *d)
{
    const struct source_request *r = &w->request;
    TRY(name_table(all, w));
    TRY(find_source(w));
    TRY(check_keys(w));
    if (!d && !w->source->common)
        TRY(read_all(w));
    else
        TRY(read_device(w, w->source->common ? NULL : d, w->table));
    TRY(shape(r, w->table));
    if (w->table->frame.rows)
        return ERR_OK;
    if (w->source->common)
        FAIL(INPUT, "%s:%d: %s has no rows for this section", r->experiment->file.path,
             r->data->line, w->table->file);
    if (all->present)
        note_missing(all, w, d);
    return ERR_OK;
}

enum err plot_tables_read(struct plot_tables *t, const struct experiment *x,
                          const struct plot_device *d)
{
    char database[PATH_LENGTH];
    const struct section *data;
    int count = 0;
    *t = (struct plot_tables){.present = 1};
    TRY(paths_database(database));
    while (experiment_section(x, "data", count))
        count++;
    t->at = calloc((size_t)count + 1, sizeof *t->at);
    if (!t->at)
        FAIL(MEMORY, "no memory for the tables of a figure");
    for (; (data = experiment_section(x, "data", t->count)) != NULL; t->count++) {
        struct wanted w = {.request = {.experiment = x, .data = data, .database = database},
                           .table = &t->at[t->count]};
        const enum err e = read_table(t, &w, d);
        free(w.from);
        if (e) {
            t->count++;
            plot_tables_free(t);
            return e;
        }
    }
    return ERR_OK;
}

void plot_tables_free(struct plot_tables *t)
{
    for (int k = 0; k < t->count; k++)
        frame_free(&t->at[k].frame);
    free(t->at);
    *t = (struct plot_tables){0};
}
