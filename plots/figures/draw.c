/* Figures: an experiment on a device, read, evaluated and described. */
#include "plots/figures/draw.h"

#include <string.h>

#include "core/device/backend.h"
#include "core/registry/catalog.h"
#include "plots/figures/script.h"

static const struct shape shapes[] = {
    {"series", "lines", series_keys, shape_series, NULL},
    {"heatmap", "heatmap", heatmap_keys, shape_heatmap, heatmap_text},
    {"surface", "surface", surface_keys, shape_surface, NULL},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

enum err draw_shape(const struct experiment *x, const struct shape **shape)
{
    const char *name = experiment_value(x, experiment_section(x, "draw", 0), "shape");
    struct catalog known = {0};
    *shape = NULL;
    if (figure_is_table(x))
        return ERR_OK;
    for (int k = 0; k < SHAPES; k++) {
        catalog_add(&known, shapes[k].name);
        if (strcmp(name, shapes[k].name) == 0)
            *shape = &shapes[k];
    }
    if (*shape)
        return draw_keys(x, name, (*shape)->keys);
    catalog_add(&known, "table");
    catalog_unknown(&known, "shape", name, NULL);
    char message[1024];
    snprintf(message, sizeof message, "%s", err_message());
    return experiment_fault(x, name, "%s", message);
}

int figure_is_common(const struct experiment *x)
{
    const char *devices = experiment_value(x, experiment_section(x, "draw", 0), "devices"), *query;
    const struct section *data;
    if (devices && strcmp(devices, "all") == 0)
        return 1;
    for (int k = 0; (data = experiment_section(x, "data", k)) != NULL; k++)
        for (int v = 0; v < BACKENDS; v++) {
            query = experiment_variant(x, data, "sql", backends[v]->name);
            if (query && database_measured(query))
                return 0;
        }
    return 1;
}

static void append(char *to, size_t room, const char *separator, const char *more)
{
    const size_t n = strlen(to);
    if (more && *more)
        snprintf(to + n, room - n, "%s%s", n ? separator : "", more);
}

/* "gcc (Debian 12.2.0-14) 12.2.0" without the parentheses. */
static void short_compiler(const char *compiler, char text[SCRIPT_TEXT])
{
    const char *open = strstr(compiler, " ("), *close = open ? strchr(open, ')') : NULL;
    if (close)
        snprintf(text, SCRIPT_TEXT, "%.*s%s", (int)(open - compiler), compiler, close + 1);
    else
        snprintf(text, SCRIPT_TEXT, "%s", compiler);
}

/* The latest of this environment's sessions; past the last row: none. */
static size_t session_of(const struct plot_device *d, const struct rowset *sessions)
{
    size_t row = 0;
    while (row < sessions->rows &&
           (strcmp(rowset_text(sessions, row, "device"), d->device) != 0 ||
            strcmp(rowset_text(sessions, row, "environment"), d->environment) != 0))
        row++;
    return row;
}

/* "NVIDIA H200, driver 580.159.04, NVRTC 13.0, Shoal 3fd6d4899cc8, 2026-11-20" */
static void describe_device(const struct plot_device *d, const struct rowset *sessions, char *foot,
                            size_t room)
{
    static const struct {
        const char *name, *before, *after;
    } facts[] = {{"driver", "driver ", ""}, {"nvrtc", "NVRTC ", ""}, {"threads", "", " threads"}};
    char part[SCRIPT_TEXT], text[SCRIPT_TEXT];
    char all[2 * SCRIPT_TEXT];
    snprintf(all, sizeof all, "%s", plot_device_title(d));
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        const char *value = db_manifest_get(&d->manifest, "environment", facts[k].name);
        snprintf(part, sizeof part, "%s%.100s%s", facts[k].before, value ? value : "",
                 facts[k].after);
        append(all, sizeof all, ", ", value ? part : NULL);
    }
    const char *compiler = db_manifest_get(&d->manifest, "environment", "compiler");
    if (compiler) {
        short_compiler(compiler, text);
        append(all, sizeof all, ", ", text);
    }
    const size_t row = session_of(d, sessions);
    if (row < sessions->rows) {
        snprintf(part, sizeof part, "Shoal %.100s, %.10s", rowset_text(sessions, row, "commit"),
                 rowset_text(sessions, row, "started"));
        append(all, sizeof all, ", ", part);
    }
    append(foot, room, "; ", all);
}

static int shows_device(const struct plot_tables *t, const char *device)
{
    for (int k = 0; k < t->count; k++)
        if (rowset_has(&t->at[k].answer, "device", device))
            return 1;
    return 0;
}

/* The environments of a device that the rows are from, or the first one if no session tells. The
 * figure's is that of its latest rows. */
static void describe_environments(struct figure *f, const struct plot_device *first, int count)
{
    const struct rowset *sessions = &f->tables.sessions;
    const struct plot_device *latest = NULL;
    for (int k = 0; k < count; k++) {
        const size_t row = session_of(&first[k], sessions);
        if (row == sessions->rows)
            continue;
        describe_device(&first[k], sessions, f->foot, sizeof f->foot);
        f->several |= latest != NULL;
        if (!latest || row < session_of(latest, sessions))
            latest = &first[k];
    }
    if (!latest)
        describe_device(first, sessions, f->foot, sizeof f->foot);
    if (f->device && latest)
        f->device = latest;
}

/* A figure for all devices has a line for each that it shows; one without measurements names its
 * file. */
static void write_foot(struct figure *f, const struct plot_devices *all)
{
    for (int k = 0, n; k < all->count; k += n) {
        n = plot_device_environments(all, k);
        if (f->device ? f->device == &all->at[k] : shows_device(&f->tables, all->at[k].device))
            describe_environments(f, &all->at[k], n);
    }
    if (!*f->foot)
        snprintf(f->foot, sizeof f->foot, "experiments/%s.ini", f->experiment.name);
}

/* The source of rows of kernels, whether all blocks were tried, and whether times are
 * comparable. */
static void describe_texts(struct figure *f)
{
    const struct plot_texts *t = &f->tables.texts;
    char text[128] = "";
    const size_t n = strlen(f->caption);
    append(f->foot, sizeof f->foot, ", ", t->names);
    if (t->absent)
        snprintf(text, sizeof text, " Sampled: %d of %d blocks were tried.", t->listed - t->absent,
                 t->listed);
    snprintf(f->caption + n, sizeof f->caption - n, "%s%s%s", text,
             t->stale ? " Stale: the kernels have changed since." : "",
             f->several ? " Of several environments: compare times within one." : "");
}

/* The start of the oldest session of its rows. */
static const char *began(const struct plot_tables *t)
{
    const char *oldest = "";
    for (size_t k = 0; k < t->sessions.rows; k++) {
        const char *started = rowset_text(&t->sessions, k, "started");
        if (k == 0 || strcmp(started, oldest) < 0)
            oldest = started;
    }
    return oldest;
}

enum err figure_open(struct figure *f, const char *experiment, const struct plot_devices *all,
                     const struct plot_device *device)
{
    const struct shape *shape;
    enum err e = ERR_OK;
    *f = (struct figure){0};
    TRY(experiment_read(&f->experiment, experiment));
    const struct experiment *x = &f->experiment;
    const char *caption = experiment_value(x, experiment_section(x, "", 0), "caption");
    f->device = figure_is_common(x) ? NULL : device;
    f->database = f->device ? device->database : all->database;
    snprintf(f->stem, sizeof f->stem, "%s%s%s", x->name, f->device ? "-" : "",
             f->device ? f->device->device : "");
    TRY_OUT(draw_shape(x, &shape));
    TRY_OUT(plot_tables_read(&f->tables, x, all, f->device));
    TRY_OUT(facts_evaluate(&f->facts, x, f->database));
    TRY_OUT(claims_judge(&f->claims, x, &f->facts, f->database, began(&f->tables)));
    TRY_OUT(plot_tables_forget(&f->tables, f->database));
    TRY_OUT(facts_fill(&f->facts, caption ? caption : "", f->caption, sizeof f->caption));
    if (experiment_historical(x)) {
        append(f->caption, sizeof f->caption, " ", "Historical:");
        append(f->caption, sizeof f->caption, " ", experiment_historical(x));
    }
    write_foot(f, all);
    describe_texts(f);
    return ERR_OK;
out:
    figure_close(f);
    return e;
}

void figure_close(struct figure *f)
{
    claims_free(&f->claims);
    facts_free(&f->facts);
    plot_tables_free(&f->tables);
    experiment_free(&f->experiment);
    *f = (struct figure){0};
}
