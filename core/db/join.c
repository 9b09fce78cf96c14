/* Merges one database into another, file by file. */
#include "core/db/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/output_file.h"
#include "core/db/record.h"
#include "core/base/whole_file.h"

/* A manifest that is added. */
struct guest {
    const struct db_manifest *manifest;
    const char *path;
};

static enum err add_entries(struct db_manifest *m, void *context)
{
    const struct guest *g = context;
    for (size_t k = 0; k < g->manifest->count; k++) {
        const struct db_entry *e = &g->manifest->entry[k];
        const struct db_entry *own =
            m->count ? bsearch(e, m->entry, m->count, sizeof *e, db_entry_order) : NULL;
        if (own && strcmp(own->value, e->value) != 0)
            FAIL(INPUT,
                 "%s: %s is '%.200s', and here '%.200s': one of the databases was changed by hand, "
                 "or both began to use a name; see `shoal db check --history` of each",
                 g->path, e->key, e->value, own->value);
        if (!own)
            TRY(db_manifest_set(m, e->key, e->value));
    }
    return ERR_OK;
}

static enum err join_manifest(const char *to, const char *from)
{
    struct db_manifest m;
    struct guest g = {&m, from};
    TRY(db_manifest_read(from, &m));
    const enum err e = db_manifest_change(to, add_entries, &g);
    db_manifest_free(&m);
    return e;
}

static enum err join_kernel(const char *to, const char *from)
{
    struct db_table t;
    TRY(db_read(from, NULL, NULL, &t));
    const enum err e = db_merge(to, &t);
    db_free(&t);
    return e;
}

/* The rows of an experiment's table as they are written. */
static enum err join_experiment(const char *to, const char *from)
{
    struct db_lines l = {0};
    char *text;
    TRY(whole_file_read(from, WHOLE_DATA, &text, NULL));
    TRY(db_lines_add(&l, "", text));
    const char **line = calloc(l.count + 1, sizeof *line);
    enum err e = line ? ERR_OK : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", from);
    for (size_t k = 0; line && k < l.count; k++)
        line[k] = l.at[k].text;
    if (!e && l.count)
        e = db_cells_merge(to, l.at[0].names, line, l.count);
    free(line);
    db_lines_free(&l);
    return e;
}

static void print_text(FILE *f, const void *text)
{
    fputs(text, f);
}

/* A published table never changes: it is either here or missing. */
static enum err join_published(const char *to, const char *from)
{
    char *text;
    if (access(to, F_OK) == 0)
        return ERR_OK;
    TRY(whole_file_read(from, WHOLE_DATA, &text, NULL));
    const enum err e = outfile_print(to, print_text, text);
    free(text);
    return e;
}

/* The folders of a file that may not be there yet. */
static enum err make_folders(const char *database, const char *relative)
{
    char path[PATH_LENGTH];
    TRY(paths_folder(database, "name another folder"));
    for (const char *slash = strchr(relative, '/'); slash; slash = strchr(slash + 1, '/')) {
        char part[DB_FILE + 1];
        snprintf(part, sizeof part, "%.*s", (int)(slash - relative), relative);
        TRY(db_path(database, part, path));
        TRY(paths_folder(path, "name another folder"));
    }
    return ERR_OK;
}

static enum err join_file(const char *folder, const char *other, const char *relative)
{
    char to[PATH_LENGTH], from[PATH_LENGTH];
    char whole[DB_FILE + sizeof ".tsv"];
    struct db_place place;
    db_place_parse(relative, &place);
    const int kernel = place.kind == DB_KERNEL || place.kind == DB_KERNEL_PART;
    const int parts = kernel || place.kind == DB_EXPERIMENT;
    if (!parts && place.kind != DB_MANIFEST && place.kind != DB_PUBLISHED)
        return ERR_OK;
    snprintf(whole, sizeof whole, "%.*s.tsv", db_table_name(relative), relative);
    TRY(db_path(folder, parts ? whole : relative, to));
    TRY(db_path(other, relative, from));
    TRY(make_folders(folder, relative));
    if (place.kind == DB_MANIFEST)
        return join_manifest(to, from);
    if (place.kind == DB_PUBLISHED)
        return join_published(to, from);
    return kernel ? join_kernel(to, from) : join_experiment(to, from);
}

/* Rows that one side retired and the other still has. */
static enum err drop_retired(const char *folder, const char *relative)
{
    char path[PATH_LENGTH], id[SHA256_DIGITS + 1];
    struct db_manifest m;
    size_t at = 0;
    enum err e = ERR_OK;
    TRY(db_path(folder, relative, path));
    TRY(db_manifest_read(path, &m));
    *strrchr(path, '/') = '\0';
    while (!e && db_record_next(&m, &at, id)) {
        const char *kind = db_record_get(&m, id, "kind"),
                   *session = db_record_get(&m, id, "session");
        if (kind && session && strcmp(kind, db_record_kinds[DB_RECORD_RETIRED]) == 0)
            e = db_lines_remove(path, session);
    }
    db_manifest_free(&m);
    return e;
}

enum err db_join(const char *folder, const char *other)
{
    static const char manifest[] = "/manifest.json";
    struct db_list list;
    enum err e = ERR_OK;
    TRY(db_list_read(other, &list));
    for (size_t k = 0; k < list.count && !e; k++)
        e = join_file(folder, other, list.path[k]);
    for (size_t k = 0; k < list.count && !e; k++) {
        const size_t n = strlen(list.path[k]);
        if (n > sizeof manifest && strcmp(list.path[k] + n - (sizeof manifest - 1), manifest) == 0)
            e = drop_retired(folder, list.path[k]);
    }
    db_list_free(&list);
    return e;
}
