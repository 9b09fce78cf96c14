/* Checks a tuning database: layout, rows, manifests, hashes, and that it names no machine. */
#include "core/db/check_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/raw_rows.h"
#include "core/db/private_text.h"
#include "core/registry/registry.h"

static const double LARGEST = 30e6; /* bytes, of the whole database */

void check_fault(struct check *c, int line, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    c->sum->faults++;
    c->report(c->context, c->path, line, text);
}

static void row_fault(void *context, const char *path, int line, const char *text)
{
    (void)path;
    check_fault(context, line, "%s", text);
}

/* Reports a failure to read a file, once, with its place. */
static void read_fault(struct check *c, const char *message)
{
    const size_t n = strlen(c->path);
    long line = 0;
    if (strncmp(message, c->path, n) == 0 && message[n] == ':') {
        char *end;
        message += n + 1;
        line = strtol(message, &end, 10);
        message = *end == ':' && end > message ? end + 1 : message;
        message += strspn(message, " ");
    }
    check_fault(c, (int)line, "%s", message);
}

int check_chomp(char *text)
{
    char *end = strchr(text, '\n');
    if (end)
        *end = '\0';
    return end != NULL;
}

void check_lines(struct check *c, check_line *check, void *state)
{
    char *text = NULL;
    size_t room = 0;
    FILE *f = fopen(c->path, "r");
    if (!f) {
        check_fault(c, 0, "cannot be read: %s", strerror(errno));
        return;
    }
    for (int line = 1; getline(&text, &room, f) > 0; line++)
        check(c, line, text, state);
    if (ferror(f))
        check_fault(c, 0, "cannot be read: %s", strerror(errno));
    free(text);
    fclose(f);
}

/* A part needs the table's main file. */
static void check_part(struct check *c)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.*s.tsv", db_table_name(c->path), c->path);
    if (access(path, F_OK) != 0)
        check_fault(c, 0, "a part of a table whose first file, %s, is not there: restore it", path);
}

static void check_private(struct check *c, int line, char *text, void *state)
{
    char what[PRIVATE_ROOM];
    (void)state;
    c->sum->bytes += (double)strlen(text);
    if (!check_chomp(text))
        check_fault(c, line, "the file does not end with a newline: it is truncated; restore it");
    if (db_private(text, what))
        check_fault(c, line, "%s", what);
}

void check_references(struct check *c, int line, const char *flags, const char *session)
{
    if (c->manifest.count == 0)
        return; /* reported for the manifest itself */
    if (flags && !db_manifest_get(&c->manifest, "flags", flags))
        check_fault(c, line, "flags '%s' are not in the manifest; say there what they are", flags);
    if (!db_session_get(&c->manifest, session, "started"))
        check_fault(c, line, "session '%s' is not in the manifest; add it there", session);
}

/* Is a row's kernel text known? */
static void check_source(struct check *c, const struct db_row *row)
{
    if (c->manifest.count && !db_manifest_get(&c->manifest, "sources", row->source))
        check_fault(c, row->line,
                    "source '%s' is not in the manifest, which must say which kernel's text it is",
                    row->source);
}

static void check_order(struct check *c, const struct db_row *a, const struct db_row *b)
{
    const int order = db_row_order(a, b);
    if (order == 0)
        check_fault(c, b->line, "the same block, flags, source and session as line %d; keep one",
                    a->line);
    if (order > 0)
        check_fault(c, b->line,
                    "out of order: it belongs before line %d (flags, source, width, height, "
                    "session)",
                    a->line);
}

static void check_kernel(struct check *c)
{
    struct db_table t;
    const struct kernel *kernel = find_kernel(c->place.kernel);
    if (!kernel || !kernel->tuned)
        check_fault(c, 0,
                    "no kernel '%s' is tuned (see shoal list kernels); rename or delete the folder",
                    c->place.kernel);
    if (!find_case(c->place.flow))
        check_fault(c, 0, "there is no case '%s' (see shoal list cases); rename or delete the file",
                    c->place.flow);
    if (db_read(c->path, row_fault, c, &t)) {
        read_fault(c, err_message());
        return;
    }
    for (size_t k = 0; k < t.count; k++) {
        check_references(c, t.row[k].line, t.row[k].flags, t.row[k].session);
        if (k == 0 || strcmp(t.row[k].source, t.row[k - 1].source) != 0)
            check_source(c, &t.row[k]);
        if (k && t.row[k].line > t.row[k - 1].line) /* else another part begins */
            check_order(c, &t.row[k - 1], &t.row[k]);
    }
    c->sum->rows += (int)t.count;
    db_free(&t);
}

static void need(struct check *c, const char *section, const char *name)
{
    const char *value = db_manifest_get(&c->manifest, section, name);
    if (!value || !*value)
        check_fault(c, 0, "%s/%s is missing; add it", section, name);
}

static void check_environment(struct check *c)
{
    static const char *const of_cuda[] = {"compute_capability", "sm_count", "driver", "nvrtc"};
    static const char *const of_cpu[] = {"compiler", "march", "threads"};
    const char *backend = db_manifest_get(&c->manifest, "environment", "backend");
    const char *device = db_manifest_get(&c->manifest, "environment", "device");
    char folder[DB_NAME + 1], hash[DB_HASH + 1];
    const int cuda = backend && strcmp(backend, "cuda") == 0;
    if (!cuda && (!backend || strcmp(backend, "cpu") != 0))
        check_fault(c, 0, "environment/backend: expected cpu or cuda");
    for (size_t k = 0; cuda && k < sizeof of_cuda / sizeof of_cuda[0]; k++)
        need(c, "environment", of_cuda[k]);
    for (size_t k = 0; !cuda && k < sizeof of_cpu / sizeof of_cpu[0]; k++)
        need(c, "environment", of_cpu[k]);
    need(c, "environment", "device");
    db_device_folder(device ? device : "", folder);
    if (strcmp(folder, c->place.device) != 0)
        check_fault(c, 0, "device '%s' belongs in a folder '%s', not '%s'; move it",
                    device ? device : "", folder, c->place.device);
    db_manifest_hash(&c->manifest, hash);
    if (strcmp(hash, c->place.environment) != 0)
        check_fault(c, 0,
                    "the environment's hash is %s, not %s: it was changed after the measurement; "
                    "restore it, or measure again",
                    hash, c->place.environment);
}

static int is_time(const char *text)
{
    static const char model[] = "dddd-dd-ddTdd:dd:ddZ";
    for (size_t k = 0; k < sizeof model; k++)
        if (model[k] == 'd' ? !isdigit((unsigned char)text[k]) : text[k] != model[k])
            return 0;
    return 1;
}

static void check_session(struct check *c, const char *key)
{
    char section[256];
    const char *id = key + strlen("sessions/");
    const int n = (int)strcspn(id, "/");
    snprintf(section, sizeof section, "sessions/%.*s", n, id);
    if (n != DB_SESSION || strspn(id, "0123456789abcdef") != DB_SESSION)
        check_fault(c, 0, "%s: a session is called by %d hexadecimal digits", section, DB_SESSION);
    const char *started = db_manifest_get(&c->manifest, section, "started");
    const char *dirty = db_manifest_get(&c->manifest, section, "dirty");
    need(c, section, "commit");
    if (!started || !is_time(started))
        check_fault(c, 0, "%s/started: expected a time such as 2014-05-15T12:00:00Z", section);
    if (!dirty ||
        (strcmp(dirty, "no") != 0 && strcmp(dirty, "yes") != 0 && strcmp(dirty, "unknown") != 0))
        check_fault(c, 0, "%s/dirty: expected no, yes or unknown", section);
}

/* A key whose value identifies a machine or a person. */
static int names_machine(const char *key)
{
    static const char *const names[] = {"host", "hostname", "node", "serial", "uuid", "user", "ip"};
    const char *slash = strrchr(key, '/'), *last = slash ? slash + 1 : key;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(last, names[k]) == 0)
            return 1;
    return 0;
}

static void check_manifest(struct check *c)
{
    const char *format = NULL;
    size_t known = strlen("sessions/") + DB_SESSION;
    const char *before = "";
    check_environment(c);
    for (size_t k = 0; k < c->manifest.count; k++) {
        const char *key = c->manifest.entry[k].key;
        if (strcmp(key, "format") == 0)
            format = c->manifest.entry[k].value;
        if (names_machine(key))
            check_fault(c, 0, "%s: no host, user or serial number is recorded; take it out", key);
        if (strncmp(key, "sessions/", strlen("sessions/")) == 0 &&
            strncmp(key, before, known) != 0) {
            check_session(c, key);
            before = key;
        }
    }
    if (!format || strcmp(format, "1") != 0)
        check_fault(c, 0, "format: expected 1, the only one that this Shoal reads");
    check_records(c);
}

/* The manifest of the place's environment, whose files are consecutive. False: it cannot be read. */
static int read_manifest(struct check *c)
{
    char environment[sizeof c->manifest_of];
    snprintf(environment, sizeof environment, "%s/%s", c->place.device, c->place.environment);
    if (strcmp(environment, c->manifest_of) == 0)
        return !*c->why;
    db_manifest_free(&c->manifest);
    strcpy(c->manifest_of, environment);
    *c->why = '\0';
    if (db_manifest_of(c->folder, &c->place, &c->manifest) == ERR_OK)
        return 1;
    snprintf(c->why, sizeof c->why, "%s", err_message());
    return 0;
}

static void check_file(struct check *c)
{
    if (c->place.kind == DB_README)
        return;
    if (c->place.kind == DB_STRANGE) {
        check_fault(c, 0,
                    "does not belong here; README.md describes the layout, move or delete it");
        return;
    }
    const int unread = c->place.kind != DB_PUBLISHED && !read_manifest(c);
    if (c->place.kind == DB_MANIFEST && unread)
        read_fault(c, c->why);
    else if (c->place.kind == DB_MANIFEST)
        check_manifest(c);
    else if (unread)
        check_fault(c, 0, "the manifest of its environment: %s", c->why);
    if (c->place.kind == DB_KERNEL_PART)
        check_part(c);
    if (c->place.kind == DB_KERNEL)
        check_kernel(c);
    if (c->place.kind == DB_EXPERIMENT || c->place.kind == DB_PUBLISHED)
        check_free_table(c);
    check_lines(c, check_private, NULL);
}

enum err db_check(const char *folder, db_report *report, void *context, struct db_checked *sum)
{
    struct db_list list;
    struct check c = {.folder = folder, .report = report, .context = context, .sum = sum};
    enum err e = ERR_OK;
    *sum = (struct db_checked){0};
    TRY(db_list_read(folder, &list));
    for (size_t k = 0; k < list.count; k++) {
        TRY_OUT(db_path(folder, list.path[k], c.path));
        db_place_parse(list.path[k], &c.place);
        check_file(&c);
        sum->files++;
    }
    snprintf(c.path, sizeof c.path, "%s", folder);
    if (sum->bytes > LARGEST)
        check_fault(&c, 0, "%.1f MB, more than the %.0f MB git should carry; thin out the spaces",
                    sum->bytes / 1e6, LARGEST / 1e6);
out:
    db_manifest_free(&c.manifest);
    db_list_free(&list);
    return e;
}
