/* Exports the database: which tables, to which files. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/registry/catalog.h"
#include "core/base/whole_file.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/input_files.h"
#include "core/registry/registry.h"
#include "experiments/tuner/export_parts.h"
#include "core/base/memory.h"

enum format { KERNEL_TUNER, T4, T1, WISDOM };
static const char *const format_words[] = {
    [KERNEL_TUNER] = "kernel-tuner", [T4] = "t4", [T1] = "t1", [WISDOM] = "wisdom", NULL};
static const struct {
    const char *ending;
    export_writer *write;
} formats[] = {[KERNEL_TUNER] = {".cache.json", export_kernel_tuner},
               [T4] = {".t4.json", export_t4},
               [T1] = {".t1.json", export_t1},
               [WISDOM] = {".wisdom", export_wisdom}};

enum { NAME_ROOM = EXPORT_KEY + 256 };

/* A file to be written. */
struct draft {
    char name[NAME_ROOM], *text;
    size_t size;
};

struct settings {
    char device[DB_NAME + 1], output[PATH_LENGTH];
    int replace;
    int format;    /* enum format; -1: not given */
    int precision; /* -1: both */
};

/* What is exported. */
struct exporting {
    const struct settings *asked;
    const struct kernel *kernel; /* NULL: all */
    char database[PATH_LENGTH];
    struct draft *draft;
    size_t drafts;
};

static const struct option options[] = {
    {"format", "FORMAT", "kernel-tuner, t4, t1 or wisdom",
     CHOICE_IN(struct settings, format, format_words)},
    {"device", "DEVICE", "only this device, a folder of the database",
     TEXT_IN(struct settings, device)},
    {"precision", "P", "f32 or f64 only", CHOICE_IN(struct settings, precision, precision_names),
     .unset = "both"},
    {"output", "FOLDER", "folder for the files", PATH_IN(struct settings, output),
     .initial = "exports"},
    {"replace", NULL, "overwrites existing files that differ", FLAG_IN(struct settings, replace)},
    {.name = NULL},
};

/* The part of a name that every file system and every tool accepts. */
static void make_name(const char *key, const char *ending, char name[NAME_ROOM])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-.";
    int n = 0;
    for (; n < NAME_ROOM - 16 && key[n]; n++)
        name[n] = '_';
    for (int k = 0; k < n; k++)
        if (strchr(letters, key[k]))
            name[k] = key[k];
    snprintf(name + n, (size_t)(NAME_ROOM - n), "%s", ending);
}

static void name_of(const struct exporting *s, const struct exported *x, char name[NAME_ROOM])
{
    const struct db_place *place = x->place;
    const struct db_row *row = x->group->row;
    char key[EXPORT_KEY];
    if (s->asked->format == WISDOM)
        export_wisdom_key(x, key);
    else
        snprintf(key, sizeof key, "%s-%s-%s-%s-%dx%d-%s-%s-%s", place->kernel, place->device,
                 place->environment, place->flow, place->nx, place->ny,
                 precision_names[place->precision], row->flags, row->source);
    make_name(key, formats[s->asked->format].ending, name);
}

/* The draft of that name, a new one if there is none yet. */
static enum err find_draft(struct exporting *s, const char *name, struct draft **found)
{
    for (size_t k = 0; k < s->drafts; k++) {
        *found = &s->draft[k];
        if (strcmp(s->draft[k].name, name) == 0)
            return ERR_OK;
    }
    TRY(memory_more(&s->draft, s->drafts, sizeof *s->draft, "the list of files to export"));
    *found = &s->draft[s->drafts++];
    **found = (struct draft){.size = 0};
    snprintf((*found)->name, sizeof(*found)->name, "%s", name);
    return ERR_OK;
}

/* Appends a group in a format. Only wisdom puts several into one file. */
static enum err draft_group(struct exporting *s, const struct exported *x)
{
    char name[NAME_ROOM], *text = NULL;
    size_t size = 0;
    struct draft *draft;
    enum err e = ERR_OK;
    name_of(s, x, name);
    TRY(find_draft(s, name, &draft));
    FILE *f = open_memstream(&text, &size);
    if (!f)
        FAIL(MEMORY, "no memory to export %s", name);
    if (draft->text)
        fwrite(draft->text, 1, draft->size, f);
    else if (s->asked->format == WISDOM)
        export_wisdom_head(f, x);
    e = formats[s->asked->format].write(f, x);
    const int bad = ferror(f);
    if (fclose(f) != 0 || bad)
        e = e ? e : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory to export %s", name);
    free(draft->text);
    draft->text = text;
    draft->size = size;
    return e;
}

/* Can the format represent it? */
static int is_expressible(const struct exporting *s, const struct exported *x, const char *path)
{
    if (s->asked->format == T1 && x->backend != CUDA) {
        log_info("%s: left out: the T1 format has no kernels of a CPU", path);
        return 0;
    }
    if (s->asked->format == WISDOM && x->group->ok == 0) {
        log_info("%s: left out: every block failed", path);
        return 0;
    }
    return 1;
}

static enum err draft(void *context, const struct db_seen *seen)
{
    struct exporting *s = context;
    const struct db_manifest *m = seen->manifest;
    const char *device = db_manifest_get(m, "environment", "device");
    const struct exported x = {.kernel = find_kernel(seen->place->kernel),
                               .backend = db_manifest_backend(m),
                               .place = seen->place,
                               .manifest = m,
                               .group = seen->group,
                               .device = device ? device : seen->place->device,
                               .flags = db_manifest_get(m, "flags", seen->group->row->flags)};
    if (!x.flags)
        FAIL(INPUT, "%s: flags '%s' are not in its manifest.json; define them there", seen->path,
             seen->group->row->flags);
    return is_expressible(s, &x, seen->path) ? draft_group(s, &x) : ERR_OK;
}

static enum err draft_file(struct exporting *s, const char *path)
{
    struct db_place place;
    db_place_parse(path, &place);
    if (place.kind != DB_KERNEL ||
        (*s->asked->device && strcmp(s->asked->device, place.device) != 0) ||
        (s->kernel && strcmp(s->kernel->name, place.kernel) != 0) ||
        (s->asked->precision >= 0 && s->asked->precision != (int)place.precision))
        return ERR_OK;
    if (find_kernel(place.kernel))
        return db_groups(s->database, path, draft, s);
    log_warning("%s: there is no kernel '%s' (see shoal list kernels); this file is left out", path,
                place.kernel);
    return ERR_OK;
}

enum state { ABSENT, SAME, DIFFERENT };

static enum err compare(const char *path, const struct draft *d, enum state *state)
{
    char *text;
    size_t size;
    struct stat st;
    *state = ABSENT;
    if (lstat(path, &st) != 0)
        return ERR_OK;
    *state = DIFFERENT;
    if (!S_ISREG(st.st_mode) || (size_t)st.st_size != d->size)
        return ERR_OK;
    TRY(whole_file_read(path, d->size, &text, &size));
    if (size == d->size && memcmp(text, d->text, size) == 0)
        *state = SAME;
    free(text);
    return ERR_OK;
}

static void print_draft(FILE *f, const void *context)
{
    const struct draft *d = context;
    fwrite(d->text, 1, d->size, f);
}

/* Checks all destinations before it writes to any. */
static enum err write_drafts(const struct exporting *s)
{
    char path[PATH_LENGTH];
    TRY(paths_folder(s->asked->output, "choose another with --output"));
    for (int really = 0; really < 2; really++) {
        for (size_t k = 0; k < s->drafts; k++) {
            enum state state;
            TRY(db_path(s->asked->output, s->draft[k].name, path));
            TRY(compare(path, &s->draft[k], &state));
            if (state == DIFFERENT && !s->asked->replace)
                FAIL(USAGE,
                     "%s exists and differs; nothing was written: delete it, or use --replace, or "
                     "another --output",
                     path);
            if (really && state != SAME)
                TRY(outfile_print(path, print_draft, &s->draft[k]));
            if (really)
                printf("%s%s\n", path, state == SAME ? " (unchanged)" : "");
        }
    }
    return ERR_OK;
}

static enum err cmd_export(const struct call *call)
{
    struct exporting s = {.asked = call->settings};
    struct db_list list = {0};
    enum err e = ERR_OK;
    if (s.asked->format < 0)
        FAIL(USAGE, "db export needs --format kernel-tuner, t4, t1 or wisdom");
    if (call->words)
        TRY(catalog_kernel(call->word[0], &s.kernel));
    TRY(paths_database(s.database));
    input_files_note(s.database);
    TRY_OUT(db_list_read(s.database, &list));
    for (size_t k = 0; k < list.count; k++)
        TRY_OUT(draft_file(&s, list.path[k]));
    if (s.drafts == 0) {
        e = err_set(ERR_USAGE, __FILE__, __LINE__,
                    "nothing to export: %s has no such measurement%s%s", s.database,
                    s.kernel ? " of " : "", s.kernel ? s.kernel->name : "");
        goto out;
    }
    TRY_OUT(write_drafts(&s));
out:
    for (size_t k = 0; k < s.drafts; k++)
        free(s.draft[k].text);
    free(s.draft);
    db_list_free(&list);
    input_files_forget();
    return e;
}

const struct command db_action_export = {
    .name = "export",
    .arguments = "--format FORMAT [KERNEL]",
    .title = "files for other auto-tuners",
    .place = 9,
    .about =
        "Writes the measurements of a kernel, or of all, for other tools; each block once,\n"
        "with the row that `shoal db show` uses. tuning_db/README.md says what each\n"
        "format cannot represent.\n"
        "\n"
        "  kernel-tuner  cache files of Kernel Tuner, to simulate searches with\n"
        "  t4            results in the T4 format, 1.1.0\n"
        "  t1            the tuning problem in the T1 format: parameters and conditions (GPUs)\n"
        "  wisdom        the winners, for kernel_launcher",
    .examples = "  shoal db export --format kernel-tuner\n"
                "  shoal db export --format t4 flux_fgh0 --device nvidia-h200 --output results",
    .options = options,
    .settings = sizeof(struct settings),
    .most = 1,
    .run = cmd_export,
};
