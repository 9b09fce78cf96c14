/* Tables of kernels in the tuning database, as figures take them from a device. */
#include "plots/data/kernel_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "core/options/run_config.h"
#include "core/db/record.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "experiments/tuner/replay.h"

enum { MOST_WORDS = 64 };

/* What a [data] section asks for. */
struct wanted {
    const struct source_request *request;
    struct config config; /* a run's without options */
    char kernel[MOST_WORDS][EXPERIMENT_WORD + 1], flags[MOST_WORDS][EXPERIMENT_WORD + 1];
    int kernels, flag_names; /* 0: all; those of a run without options */
    int nx[MOST_WORDS], sizes;
    int precision[PRECISIONS];
    enum kernel_rows_wanted better;
    /* Of the kernel at hand: what a run without options compiles. */
    const struct kernel *now;
    char flags_now[RECIPE_FLAGS], source_now[RECIPE_HASH + 1];
};

static const char *value_of(const struct source_request *r, const char *key)
{
    return experiment_variant(r->experiment, r->data, key, backends[r->device->backend]->name);
}

/* The words of a key, none where it is not there. */
static enum err read_words(const struct source_request *r, const char *key,
                           char (*word)[EXPERIMENT_WORD + 1], int *count)
{
    const char *value = value_of(r, key);
    *count = value ? experiment_words(r->experiment, value, word, MOST_WORDS) : 0;
    return *count < 0 ? err_last() : ERR_OK;
}

static int is_named(const struct kernel *k, const char *word)
{
    return k->tuned && (strcmp(k->name, word) == 0 || strcmp(k->stem, word) == 0);
}

static enum err check_kernel(const struct source_request *r, const char *word)
{
    const char *name[2 * MOST_WORDS];
    int count = 0;
    for (int t = 0; kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++) {
            if (is_named(k, word))
                return ERR_OK;
            if (k->tuned && count + 2 <= 2 * MOST_WORDS) {
                name[count++] = k->name;
                name[count++] = k->stem;
            }
        }
    const char *near = nearest_name(word, name, count);
    return experiment_fault(r->experiment, value_of(r, "kernel"),
                            "no tuned kernel or stem of kernels '%s'%s%s%s; `shoal list kernels` "
                            "lists them",
                            word, near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
}

static enum err read_sizes(struct wanted *w)
{
    char word[MOST_WORDS][EXPERIMENT_WORD + 1], *end;
    TRY(read_words(w->request, "nx", word, &w->sizes));
    for (int k = 0; k < w->sizes; k++) {
        const long nx = strtol(word[k], &end, 10);
        if (*end || nx < 1 || nx > 1 << 30)
            return experiment_fault(w->request->experiment, value_of(w->request, "nx"),
                                    "'%s': numbers of cells, 1024 for example, are wanted",
                                    word[k]);
        w->nx[k] = (int)nx;
    }
    return ERR_OK;
}

static enum err read_precisions(struct wanted *w)
{
    char word[MOST_WORDS][EXPERIMENT_WORD + 1];
    int count;
    TRY(read_words(w->request, "precision", word, &count));
    w->precision[F32] = count == 0;
    for (int k = 0; k < count; k++) {
        int p = 0;
        while (p < PRECISIONS && strcmp(word[k], precision_names[p]) != 0)
            p++;
        if (p == PRECISIONS)
            return experiment_fault(w->request->experiment, value_of(w->request, "precision"),
                                    "'%s': f32 or f64, or both, are wanted", word[k]);
        w->precision[p] = 1;
    }
    return ERR_OK;
}

static enum err read_wanted(struct wanted *w, const struct source_request *r,
                            enum kernel_rows_wanted better)
{
    *w = (struct wanted){.request = r, .better = better};
    config_case_defaults(&w->config);
    TRY(read_words(r, "kernel", w->kernel, &w->kernels));
    for (int k = 0; k < w->kernels; k++)
        TRY(check_kernel(r, w->kernel[k]));
    TRY(read_sizes(w));
    TRY(read_precisions(w));
    return read_words(r, "flags", w->flags, &w->flag_names);
}

static int wants_kernel(const struct wanted *w, const struct kernel *k)
{
    for (int n = 0; n < w->kernels; n++)
        if (is_named(k, w->kernel[n]))
            return 1;
    return k->tuned && w->kernels == 0;
}

static int wants_place(const struct wanted *w, const struct db_place *place)
{
    int size = w->sizes == 0;
    for (int k = 0; k < w->sizes; k++)
        size |= place->nx == w->nx[k];
    return place->kind == DB_KERNEL && size && w->precision[place->precision];
}

static int wants_flags(const struct wanted *w, const char *name)
{
    for (int k = 0; k < w->flag_names; k++)
        if (strcmp(name, w->flags[k]) == 0)
            return 1;
    const char *text = db_manifest_get(&w->request->device->manifest, "flags", name);
    return w->flag_names == 0 && text && strcmp(text, w->flags_now) == 0;
}

/* Neighbours in the registry are mostly of one text, which need not be read again. */
static enum err look_at(struct wanted *w, const struct kernel *k)
{
    const struct recipe recipe = {.kernel = k,
                                  .block = k->block[w->request->device->backend],
                                  .mode = FAST_MODE,
                                  .switches = "",
                                  .limiter = w->config.limiter,
                                  .flux = w->config.flux,
                                  .reconstruction = w->config.reconstruction};
    if (!w->now || strcmp(w->now->file, k->file) != 0 || w->now->plugins != k->plugins) {
        TRY(recipe_flags(&recipe, w->flags_now));
        TRY(recipe_text_hash(&recipe, w->source_now));
    }
    w->now = k;
    return ERR_OK;
}

struct fault {
    int line;
    char text[512];
};

static void note_fault(void *context, const char *path, int line, const char *text)
{
    struct fault *first = context;
    (void)path;
    if (first->line)
        return;
    first->line = line;
    snprintf(first->text, sizeof first->text, "%s", text);
}

/* A row that others pass over as not measured would be missing from a figure without a word. */
static enum err read_sound(const char *path, struct db_table *t)
{
    struct fault fault = {0};
    TRY(db_read(path, note_fault, &fault, t));
    if (fault.line) {
        db_free(t);
        FAIL(INPUT, "%s:%d: %s; `shoal db check` lists all faults", path, fault.line, fault.text);
    }
    db_sort(t);
    return ERR_OK;
}

const char *kernel_tables_started(const struct source_request *r, const char *session)
{
    char section[DB_SESSION + sizeof "sessions/"];
    snprintf(section, sizeof section, "sessions/%s", session);
    const char *when = db_manifest_get(&r->device->manifest, section, "started");
    return when ? when : "";
}

/* By size and precision. */
static int order(const struct kernel_rows *a, const struct kernel_rows *b)
{
    if (a->place.nx != b->place.nx)
        return a->place.nx - b->place.nx;
    if (a->place.ny != b->place.ny)
        return a->place.ny - b->place.ny;
    return (int)a->place.precision - (int)b->place.precision;
}

static enum err insert(struct kernel_tables *all, const struct kernel_rows *rows)
{
    struct kernel_rows *more = realloc(all->at, ((size_t)all->count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for %d tables of kernels", all->count + 1);
    all->at = more;
    int k = all->count++;
    for (; k > 0 && more[k - 1].kernel == rows->kernel && order(rows, &more[k - 1]) < 0; k--)
        more[k] = more[k - 1];
    more[k] = *rows;
    return ERR_OK;
}

static int is_better(const struct kernel_rows *rows, const struct kernel_rows *other)
{
    if (rows->complete != other->complete)
        return rows->complete;
    if (rows->present != other->present)
        return rows->present;
    if (rows->complete && rows->alone != other->alone)
        return rows->alone;
    return strcmp(rows->started, other->started) > 0;
}

/* Takes the group over, if it is better than another one of the same kernel, size and precision. */
static enum err offer(struct kernel_tables *all, struct kernel_rows *rows)
{
    for (int k = 0; k < all->count; k++) {
        struct kernel_rows *other = &all->at[k];
        if (other->kernel != rows->kernel || order(other, rows) != 0)
            continue;
        if (is_better(rows, other)) {
            const struct kernel_rows worse = *other;
            *other = *rows;
            *rows = worse;
        }
        db_group_free(&rows->group);
        return ERR_OK;
    }
    const enum err e = insert(all, rows);
    if (e)
        db_group_free(&rows->group);
    return e;
}

static enum err find_complete(const struct wanted *w, struct kernel_rows *rows)
{
    struct replay_space space;
    rows->complete = 0;
    if (w->better != WHOLE_SPACES)
        return ERR_OK;
    TRY(replay_load(&space, rows->kernel, w->request->device->backend, &rows->group));
    rows->complete = replay_complete(&space);
    rows->listed = space.listed;
    rows->absent = space.absent;
    replay_free(&space);
    return ERR_OK;
}

/* Offers the groups of a table. */
static enum err offer_groups(struct kernel_tables *all, const struct wanted *w,
                             const struct db_table *t, struct kernel_rows *rows)
{
    enum err e = ERR_OK;
    for (size_t next = 0; next < t->count && !e;) {
        TRY(db_group_next(t, &next, &rows->group));
        if (!wants_flags(w, rows->group.row[0].flags)) {
            db_group_free(&rows->group);
            continue;
        }
        rows->present = strcmp(rows->group.row[0].source, w->source_now) == 0;
        *rows->started = '\0';
        for (size_t k = 0; k < rows->group.count; k++) {
            const char *when = kernel_tables_started(w->request, rows->group.row[k].session);
            if (strcmp(when, rows->started) > 0)
                snprintf(rows->started, sizeof rows->started, "%s", when);
        }
        e = find_complete(w, rows);
        if (e)
            db_group_free(&rows->group);
        else
            e = offer(all, rows);
    }
    return e;
}

/* A later search for the winner alone replaces some blocks of a space: the measurements that ended are
 * offered one by one, too. */
static enum err offer_sessions(struct kernel_tables *all, const struct wanted *w,
                               const struct db_table *t, const struct kernel_rows *rows)
{
    struct db_table some = {.row = calloc(t->count + 1, sizeof *some.row)};
    enum err e = ERR_OK;
    if (!some.row)
        FAIL(MEMORY, "no memory for the sessions of a table");
    for (size_t k = 0; k < t->count && !e; k++) {
        struct kernel_rows alone = *rows;
        const char *session = t->row[k].session;
        size_t first = 0;
        while (strcmp(t->row[first].session, session) != 0)
            first++;
        if (first < k || !db_session_ended(&w->request->device->manifest, session))
            continue;
        db_only(t, session, &some);
        alone.alone = 1;
        e = offer_groups(all, w, &some, &alone);
    }
    free(some.row);
    return e;
}

static enum err read_table(struct kernel_tables *all, const struct wanted *w, const char *path,
                           struct kernel_rows *rows)
{
    struct db_table t = {0};
    enum err e = ERR_OK;
    TRY(read_sound(path, &t));
    if (w->better == WHOLE_SPACES)
        TRY_OUT(offer_sessions(all, w, &t, rows));
    TRY_OUT(db_newest(&t, &w->request->device->manifest));
    TRY_OUT(offer_groups(all, w, &t, rows));
out:
    db_free(&t);
    return e;
}

static enum err read_kernel(struct kernel_tables *all, struct wanted *w, const struct kernel *k)
{
    const struct plot_device *d = w->request->device;
    char folder[PATH_LENGTH], path[PATH_LENGTH];
    struct db_list list = {0};
    enum err e = ERR_OK;
    TRY(db_path(d->folder, k->name, folder));
    if (access(folder, F_OK) != 0)
        return ERR_OK;
    TRY(look_at(w, k));
    TRY_OUT(db_list_read(folder, &list));
    for (size_t n = 0; n < list.count; n++) {
        struct kernel_rows rows = {.kernel = k};
        snprintf(rows.file, sizeof rows.file, "%s/%s/%s/%s", d->device, d->environment, k->name,
                 list.path[n]);
        db_place_parse(rows.file, &rows.place);
        if (!wants_place(w, &rows.place))
            continue;
        TRY_OUT(db_path(folder, list.path[n], path));
        TRY_OUT(read_table(all, w, path, &rows));
    }
out:
    db_list_free(&list);
    return e;
}

enum err kernel_tables_read(struct kernel_tables *all, const struct source_request *r,
                            enum kernel_rows_wanted wanted)
{
    enum err e = ERR_OK;
    *all = (struct kernel_tables){0};
    struct wanted *w = malloc(sizeof *w);
    if (!w)
        FAIL(MEMORY, "no memory to read tables of kernels");
    TRY_OUT(read_wanted(w, r, wanted));
    for (int t = 0; kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++)
            if (wants_kernel(w, k))
                TRY_OUT(read_kernel(all, w, k));
out:
    free(w);
    if (e)
        kernel_tables_free(all);
    return e;
}

void kernel_tables_free(struct kernel_tables *all)
{
    for (int k = 0; k < all->count; k++)
        db_group_free(&all->at[k].group);
    free(all->at);
    *all = (struct kernel_tables){0};
}

enum err kernel_tables_add(struct frame *f, const char *const *text, const double *number)
{
    TRY(frame_add_row(f));
    for (int c = 0; c < f->columns; c++)
        TRY(text[c] ? frame_set(f, f->rows - 1, c, text[c])
                    : frame_set_number(f, f->rows - 1, c, number[c]));
    return ERR_OK;
}

enum err kernel_tables_frame(const struct source_request *r, struct plot_table *t,
                             enum kernel_rows_wanted wanted, const char *columns,
                             kernel_rows_add *add)
{
    struct kernel_tables all;
    enum err e = ERR_OK;
    TRY(kernel_tables_read(&all, r, wanted));
    TRY_OUT(frame_create(&t->frame, columns));
    for (int k = 0; k < all.count; k++)
        TRY_OUT(add(&t->frame, r, &all.at[k]));
    kernel_tables_describe(&all, r, t);
out:
    kernel_tables_free(&all);
    if (e)
        frame_free(&t->frame);
    return e;
}
