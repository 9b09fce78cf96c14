/* Writing checkpoints. */
#include "core/run/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/sim/breakdown.h"
#include "core/run/checkpoint_parts.h"
#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/base/reals.h"
#include "core/mesh/forest.h"

struct checkpoint {
    struct checkpoint_setup setup;
    char path[FILE_LENGTH + 32], records[FILE_LENGTH + 32], mark[SHA256_DIGITS + 1];
    char *settings;      /* owned */
    size_t rows[SERIES]; /* of the output so far */
    double kept;         /* the time of the last one, s; NaN: none yet */
};

enum err checkpoint_open(struct checkpoint **out, const struct checkpoint_setup *setup)
{
    const char *output = setup->sim->config->output;
    *out = NULL;
    if (!*output)
        return ERR_OK;
    struct checkpoint *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory for checkpoints");
    c->setup = *setup;
    c->kept = (double)NAN;
    snprintf(c->path, sizeof c->path, "%s" CHECKPOINT_ENDING, output);
    snprintf(c->records, sizeof c->records, "%s" RECORDS_ENDING, output);
    enum err e = checkpoint_settings(setup->sim, setup->problem, &c->settings);
    if (!e) {
        settings_digest(c->settings, c->mark);
        e = result_mark(setup->result, c->mark);
    }
    if (e)
        checkpoint_close(&c);
    *out = c;
    return e;
}

void checkpoint_close(struct checkpoint **c)
{
    if (*c)
        free((*c)->settings);
    free(*c);
    *c = NULL;
}

const char *checkpoint_path(const struct checkpoint *c)
{
    return c->path;
}

double checkpoint_kept(const struct checkpoint *c)
{
    return c ? c->kept : (double)NAN;
}

void checkpoint_drop_records(const struct checkpoint *c)
{
    if (c)
        unlink(c->records);
}

/* Where the output's rows can be: the output of a resumed run may have another name; that of a
 * finished run is complete. */
enum { SOURCES = 4 };
struct source_list {
    char path[SOURCES][FILE_LENGTH + 32];
    int count;
};

static void list_sources(const struct checkpoint *c, const char *path, struct source_list *l)
{
    static const char *const endings[] = {RECORDS_ENDING, ""};
    const char *output = c->setup.sim->config->output;
    const size_t n = strlen(path), m = strlen(CHECKPOINT_ENDING);
    const int named = n > m && strcmp(path + n - m, CHECKPOINT_ENDING) == 0;
    l->count = 0;
    for (int k = 0; k < 2 && named; k++)
        snprintf(l->path[l->count++], sizeof l->path[0], "%.*s%s", (int)(n - m), path, endings[k]);
    for (int k = 0; k < 2; k++)
        snprintf(l->path[l->count++], sizeof l->path[0], "%s%s", output, endings[k]);
}

/* Unavailable rows, for the reason `why`, may be missing in a new file, never in one that replaces
 * another. */
static enum err go_without(const struct checkpoint *c, const char *path, const char *why)
{
    const char *output = c->setup.sim->config->output;
    if (access(output, F_OK) == 0 || access(c->records, F_OK) == 0)
        FAIL(INPUT,
             "--restart %s: the output before t = %.9g s is missing (%s), and without it '%s' is "
             "not replaced: put the FILE.nc" RECORDS_ENDING
             " or FILE.nc that belongs to the checkpoint beside it, or choose another --output",
             path, c->setup.sim->now.t, why, output);
    log_warning("the output begins at t = %.9g s, because earlier output is missing: %s",
                c->setup.sim->now.t, why);
    return ERR_OK;
}

enum err checkpoint_restore_rows(struct result *r, const struct checkpoint *c, const char *path,
                                 const size_t rows[SERIES])
{
    struct source_list from;
    char why[512] = "";
    if (!r || !*path)
        return ERR_OK;
    TRY(result_check_replaced(r, c->setup.sim->config->output));
    TRY(result_check_replaced(r, c->records));
    if (rows[SERIES_MAPS] == 0 && rows[SERIES_GAUGES] == 0 && rows[SERIES_BALANCE] == 0 &&
        rows[SERIES_SECTIONS] == 0)
        return ERR_OK;
    list_sources(c, path, &from);
    for (int k = 0; k < from.count; k++) {
        const enum err e = result_take(r, from.path[k], rows);
        if (e != ERR_INPUT)
            return e;
        if (!*why && access(from.path[k], F_OK) == 0)
            snprintf(why, sizeof why, "%s", err_message());
    }
    return go_without(c, path, *why ? why : err_message());
}

static enum err look_at_cells(const void *cells, size_t size, size_t n)
{
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
    for (size_t k = 0; k < n; k++)
        bad += !isfinite(reals_get(cells, size, k));
    return bad ? ERR_BROKEN : ERR_OK;
}

/* A state that is not finite is useless for a restart. */
static enum err unknown_cells(void *context, int unknown, const struct window *cells, void *to)
{
    struct sim *s = context;
    TRY(sim_read(s, sim_unknown(s, unknown), cells, to));
    return look_at_cells(to, s->real_size, (size_t)cells->nx * (size_t)cells->ny);
}

/* A variable for an array that the checkpoint keeps. */
struct kept {
    struct ncwriter *writer;
    char name[NAME_LENGTH];
};

static enum err write_rows(void *context, const void *rows, size_t first, size_t bytes)
{
    const struct kept *k = context;
    return ncwrite_more_bytes(k->writer, k->name, first, rows, bytes);
}

/* An array of cells of a sparse run. */
struct kept_cells {
    struct sim *sim;
    const struct array *array;
};

static enum err kept_cells(void *context, int which, const struct window *cells, void *to)
{
    const struct kept_cells *k = context;
    (void)which;
    return sim_read(k->sim, k->array, cells, to);
}

static enum err write_kept(struct sim *s, const struct array *a, const unsigned char *held,
                           struct ncwriter *w)
{
    const size_t bytes = sim_kept_bytes(s, a);
    struct kept kept = {.writer = w};
    struct kept_cells cells = {s, a};
    const struct ncwrite_rows rows = {kept_cells, &cells, 0};
    snprintf(kept.name, sizeof kept.name, CHECKPOINT_STATE "%s", a->name);
    if (a->layout == ARRAY_CELLS && held)
        return ncwrite_cells(w, kept.name, &rows);
    if (a->layout == ARRAY_CELLS) {
        TRY(ncwrite_bytes(w, kept.name, NULL, bytes));
        return checkpoint_by_bands(s, a, write_rows, &kept);
    }
    void *all = malloc(bytes + 1);
    if (!all)
        FAIL(MEMORY, "a checkpoint needs %zu bytes of main memory for '%s'", bytes, a->name);
    enum err e = sim_keep(s, a, all);
    if (!e)
        e = ncwrite_bytes(w, kept.name, all, bytes);
    free(all);
    return e;
}

static enum err put_tile_attributes(const struct sim *s, struct ncwriter *w)
{
    char sum[BED_SUM + 1];
    const struct attribute list[] = {
        {CHECKPOINT_BED_SUM, ATTRIBUTE_TEXT, .text = sum},
        {checkpoint_tile[0], ATTRIBUTE_INT, .integer = s->tiles.w},
        {checkpoint_tile[1], ATTRIBUTE_INT, .integer = s->tiles.h},
    };
    checkpoint_bed_sum(s, sum);
    return ncwrite_attributes(w, list, sizeof list / sizeof *list);
}

static enum err put_attributes(const struct checkpoint *c, int tiled, struct ncwriter *w)
{
    char source[BED_SUM + 1];
    const struct attribute list[] = {
        {CHECKPOINT_VERSION, ATTRIBUTE_INT,
         .integer = tiled ? CHECKPOINT_TILED : CHECKPOINT_LAYOUT},
        {CHECKPOINT_SETTINGS, ATTRIBUTE_TEXT, .text = c->settings},
        {CHECKPOINT_SYSTEM, ATTRIBUTE_TEXT, .text = c->setup.sim->system->name},
        {CHECKPOINT_SOURCE, ATTRIBUTE_TEXT, .text = source},
        {CHECKPOINT_WALL, ATTRIBUTE_DOUBLE, .number = c->setup.sim->wall},
        {"steps", ATTRIBUTE_INT, .integer = (long)c->setup.sim->now.steps},
    };
    checkpoint_source_sum(c->setup.sim, source);
    TRY(result_describe(w, c->setup.sim, c->setup.problem, c->setup.command_line));
    for (int k = 0; k < SERIES; k++) {
        const struct attribute rows = {checkpoint_rows[k], ATTRIBUTE_INT,
                                       .integer = (long)c->rows[k]};
        TRY(ncwrite_attributes(w, &rows, 1));
    }
    if (tiled)
        TRY(put_tile_attributes(c->setup.sim, w));
    return ncwrite_attributes(w, list, sizeof list / sizeof *list);
}

static enum err write_state(const struct checkpoint *c, const unsigned char *held,
                            struct ncwriter *w)
{
    struct sim *s = c->setup.sim;
    const struct ncwrite_rows rows = {unknown_cells, s, sim_read_is_shared(s)};
    const struct ncwrite_record record = {.t = s->now.t, .rows = &rows, .tile_state = held};
    TRY(ncwrite_record(w, &record));
    for (int k = 0; k < s->array_count; k++)
        if (s->array[k].kept)
            TRY(write_kept(s, &s->array[k], held, w));
    return held ? checkpoint_put_notes(s, w) : ERR_OK;
}

static void corners(const void *sim, const struct window *cells, double *to)
{
    sim_corners(sim, cells, to);
}

/* All unknowns to the bit, and the level, for viewing the file. */
static unsigned variables_of(const struct system *system)
{
    unsigned set = 0;
    for (int k = 0; k < system->variables; k++)
        set |=
            system->variable[k].as == AS_STORED || system->variable[k].as == AS_LEVEL ? 1u << k : 0;
    return set;
}

/* The rows serve a checkpoint: if the first one failed they are useless, and take room on a disk
 * that may be full. A resumed run's rows may belong to the checkpoint that it resumed from. */
static void give_up_records(const struct checkpoint *c)
{
    if (isnan(c->kept) && !*c->setup.sim->config->restart && access(c->path, F_OK) != 0)
        unlink(c->records);
}

/* The output's rows are safe before the state is. */
static enum err write_all(struct checkpoint *c, const unsigned char *held, struct ncwriter *w)
{
    TRY(write_state(c, held, w));
    if (c->setup.result)
        TRY(result_keep(c->setup.result, c->records, c->rows));
    return put_attributes(c, held != NULL, w);
}

static enum err write_file(struct checkpoint *c, const unsigned char *held)
{
    const struct grid_info *g = &c->setup.problem->setup.grid;
    const struct ncwrite_info info = {
        .path = c->path,
        .grid = *g,
        .precision = (enum precision)c->setup.sim->config->precision,
        .system = c->setup.sim->system,
        .variables = variables_of(c->setup.sim->system),
        .corners = corners,
        .context = c->setup.sim,
        .datum = c->setup.sim->initial->datum,
        .still = c->setup.sim->initial->still,
        .uniform = !held,
        .helpers = checkpoint_helpers(),
        .sealed = 1,
        .tiles = held ? c->setup.sim->tiles : (struct tiles){0},
        .held = held,
    };
    struct ncwriter *w = NULL;
    enum err e = ncwrite_create(&w, &info);
    if (!e)
        e = write_all(c, held, w);
    if (e)
        ncwrite_discard(&w);
    else
        e = ncwrite_finish(&w);
    return e == ERR_BROKEN ? breakdown_error(c->setup.sim) : e;
}

enum err checkpoint_write(struct checkpoint *c)
{
    unsigned char *held;
    if (c->setup.background)
        TRY(job_queue_wait(c->setup.background, NULL));
    TRY(checkpoint_held(c->setup.sim, &held));
    const enum err e = write_file(c, held);
    free(held);
    if (e)
        give_up_records(c);
    else
        c->kept = c->setup.sim->now.t;
    return e;
}
