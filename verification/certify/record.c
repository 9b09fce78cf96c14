/* Records: three columns, kind, name and value; environment, questions, runs. */
#include "verification/certify/record.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "core/base/version.h"

enum { KIND, NAME, VALUE, COLUMNS };

static const char folder_name[] = "verification/certified";

/* A field of the environment, by its name. */
static char *fact_of(struct record *r, const char *name, size_t *room)
{
    const struct {
        const char *name;
        char *text;
        size_t room;
    } facts[] = {{"device", r->device, sizeof r->device},
                 {"target", r->target, sizeof r->target},
                 {"compiler", r->compiler, sizeof r->compiler},
                 {"driver", r->driver, sizeof r->driver},
                 {"commit", r->commit, sizeof r->commit}};
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        if (strcmp(facts[k].name, name) == 0) {
            *room = facts[k].room;
            return facts[k].text;
        }
    return NULL;
}

/* "27 of 28" */
static int read_answer(const char *text, struct answer *a)
{
    static const char of[] = " of ";
    char *end;
    const long same = strtol(text, &end, 10);
    if (end == text || strncmp(end, of, strlen(of)) != 0)
        return 0;
    text = end + strlen(of);
    const long compared = strtol(text, &end, 10);
    *a = (struct answer){.asked = 1, .same = (int)same, .compared = (int)compared};
    return end > text && !*end && same >= 0 && same <= compared && compared <= INT_MAX;
}

/* A question that no longer exists is skipped. */
static int take_answer(struct record *r, const char *name, const char *value)
{
    struct answer a;
    if (!read_answer(value, &a))
        return 0;
    for (int k = 0; k < QUESTIONS; k++)
        if (strcmp(questions[k].name, name) == 0)
            r->answer[k] = a;
    return 1;
}

static enum err take_run(struct record *r, const char *name, const char *value, int *good)
{
    struct certified_run run = {.precision = F32};
    char precision[8], end;
    *good = sscanf(name, "%63s %63s %7s %c", run.scheme, run.flow_case, precision, &end) == 3 &&
            strlen(value) == DIGEST;
    if (!*good)
        return ERR_OK;
    run.precision = strcmp(precision, precision_names[F64]) == 0 ? F64 : F32;
    memcpy(run.final, value, DIGEST);
    return certificate_put(&r->runs, &run);
}

static enum err take_row(struct record *r, const struct db_cells *t, size_t row, const char *path)
{
    const char *kind = db_cells_at(t, row, KIND), *name = db_cells_at(t, row, NAME),
               *value = db_cells_at(t, row, VALUE);
    size_t room = 0;
    int good = 0;
    if (strcmp(kind, "environment") == 0) {
        char *text = fact_of(r, name, &room);
        good = text && strlen(value) < room;
        if (good)
            strcpy(text, value);
    } else if (strcmp(kind, "question") == 0) {
        good = take_answer(r, name, value);
    } else if (strcmp(kind, "bits") == 0) {
        TRY(take_run(r, name, value, &good));
    }
    if (!good)
        FAIL(INPUT,
             "%s: '%s %s %s' is not a line of `shoal certify --record`: delete the file, or record "
             "it again on that device",
             path, kind, name, value);
    return ERR_OK;
}

static enum err read_record(struct record *r, const char *path)
{
    struct db_cells t;
    enum err e = ERR_OK;
    TRY(db_cells_read(path, &t));
    if (t.columns != COLUMNS || strcmp(db_cells_at(&t, 0, KIND), "kind") != 0) {
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: the columns must be kind, name and value",
                    path);
        goto out;
    }
    for (size_t row = 1; row < t.rows; row++)
        TRY_OUT(take_row(r, &t, row, path));
    if (!*r->device)
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: no line names the device", path);
out:
    db_cells_free(&t);
    return e;
}

static enum err add_record(struct records *all, const char *folder, const char *file)
{
    char path[PATH_LENGTH + 256];
    struct record *more = realloc(all->at, ((size_t)all->count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for what devices have confirmed");
    all->at = more;
    struct record *r = &more[all->count++];
    *r = (struct record){.driver = "-"};
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return read_record(r, path);
}

static int is_record(const struct dirent *d)
{
    const size_t n = strlen(d->d_name), end = strlen(".tsv");
    return *d->d_name != '.' && n > end && strcmp(d->d_name + n - end, ".tsv") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int confirmed(const struct record *r, const struct certificate *stored)
{
    int n = 0;
    for (int k = 0; k < stored->count; k++) {
        const struct certified_run *run = certificate_find(&r->runs, &stored->run[k]);
        n += run && strcmp(run->final, stored->run[k].final) == 0;
    }
    return n;
}

enum err records_read(struct records *all, const struct certificate *stored)
{
    char folder[PATH_LENGTH];
    struct dirent **list = NULL;
    enum err e = ERR_OK;
    *all = (struct records){0};
    TRY(paths_file(folder_name, folder));
    const int n = scandir(folder, &list, is_record, by_bytes);
    if (n < 0 && errno == ENOENT)
        return ERR_OK;
    if (n < 0)
        FAIL(INPUT, "%s: cannot be read: %s", folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        if (!e)
            e = add_record(all, folder, list[k]->d_name);
        free(list[k]);
    }
    free(list);
    if (e)
        records_free(all);
    for (int k = 0; k < all->count; k++)
        all->at[k].answer[ASK_STORED] = (struct answer){
            .asked = 1, .compared = stored->count, .same = confirmed(&all->at[k], stored)};
    return e;
}

void records_free(struct records *all)
{
    for (int k = 0; k < all->count; k++)
        certificate_free(&all->at[k].runs);
    free(all->at);
    *all = (struct records){0};
}

void record_begin(struct record *r, const struct device_info *device)
{
    *r = (struct record){.driver = "-"};
    strcpy(r->device, device->name);
    strcpy(r->target, device->target);
    strcpy(r->compiler, device->compiler);
    if (*device->driver)
        strcpy(r->driver, device->driver);
    snprintf(r->commit, sizeof r->commit, "%s", shoal_commit);
}

static void print(FILE *f, const void *context)
{
    const struct record *r = context;
    char text[RUN_TEXT];
    fprintf(
        f,
        "# What this device has confirmed of the bits in verification/certificate.tsv; written by "
        "`shoal certify --record`.\n"
        "# question: how many runs came to the same bits; bits: what each came to.\n"
        "kind\tname\tvalue\n"
        "environment\tdevice\t%s\nenvironment\ttarget\t%s\nenvironment\tcompiler\t%s\n"
        "environment\tdriver\t%s\nenvironment\tcommit\t%s\n",
        r->device, r->target, r->compiler, r->driver, r->commit);
    for (int k = 0; k < QUESTIONS; k++)
        if (r->answer[k].compared)
            fprintf(f, "question\t%s\t%d of %d\n", questions[k].name, r->answer[k].same,
                    r->answer[k].compared);
    for (int k = 0; k < r->runs.count; k++)
        fprintf(f, "bits\t%s\t%s\n", certified_text(&r->runs.run[k], text), r->runs.run[k].final);
}

enum err record_write(const struct record *r, char path[PATH_LENGTH])
{
    char folder[PATH_LENGTH], name[DB_NAME + 1];
    TRY(paths_file(folder_name, folder));
    TRY(paths_folder(folder, "--record writes there"));
    db_device_folder(r->device, name);
    snprintf(path, PATH_LENGTH, "%.*s/%s.tsv", PATH_LENGTH - DB_NAME - 6, folder, name);
    return outfile_print(path, print, r);
}
