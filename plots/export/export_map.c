/* Maps: what `shoal render` draws, cell by cell, without a value where it is dry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/output_file.h"
#include "core/netcdf/read_table.h"
#include "core/options/options.h"
#include "core/raster/write.h"
#include "plots/export/export.h"
#include "plots/render/planes.h"
#include "plots/render/times.h"

struct mapping {
    struct ncrecords file;
    struct shown shown;
    struct planes planes;
    struct raster_map map;
    float *value, *depth;
    char *wkt, about[1024];
};

/* The record at a time, or the last one. */
static enum err choose_record(const struct mapping *m, const char *time, size_t *record)
{
    struct chosen c;
    *record = 0;
    if (!m->shown.timed && *time)
        FAIL(USAGE, "--time: %s does not change with time", m->shown.name);
    if (strchr(time, ','))
        FAIL(USAGE, "--time: expected a single time, got '%s': a map has one", time);
    if (!m->shown.timed)
        return ERR_OK;
    const enum err e = chosen_find(&c, &m->file, *time ? time : "last", 1);
    if (e == ERR_USAGE)
        err_context("--time");
    TRY(e);
    *record = c.record[0];
    chosen_free(&c);
    return ERR_OK;
}

/* The error for an unknown variable lists the existing ones, and the tables. */
static enum err add_tables(const char *from, enum err e)
{
    char said[2048], tables[1024];
    snprintf(said, sizeof said, "%s", err_message());
    nctable_list(from, tables, sizeof tables);
    if (e == ERR_USAGE && *tables)
        return err_set(e, __FILE__, __LINE__, "%s; and the tables%s", said, tables);
    return e;
}

static void describe(struct mapping *m, size_t record)
{
    char time[32] = "";
    const struct shown *s = &m->shown;
    const char *slash = strrchr(m->file.path, '/');
    if (s->timed)
        snprintf(time, sizeof time, " at t = %.6g s", m->file.time[record]);
    snprintf(m->about, sizeof m->about, "%s%s%s%s%s, from %s", s->label, *s->units ? " (" : "",
             s->units, *s->units ? ")" : "", time, slash ? slash + 1 : m->file.path);
}

static enum err read_map(struct mapping *m, const struct export_settings *s, const char *from)
{
    size_t record;
    TRY(ncrecords_open(&m->file, from));
    const enum err e = shown_choose(&m->shown, &m->file, s->variable);
    if (e)
        return add_tables(from, e);
    TRY(choose_record(m, s->time, &record));
    const struct grid_info *g = &m->file.grid;
    m->planes =
        (struct planes){.file = &m->file, .shown = &m->shown, .window = {0, 0, g->nx, g->ny}};
    TRY(planes_open(&m->planes, g->nx, g->ny));
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    m->value = malloc(cells * sizeof *m->value);
    m->depth = malloc(cells * sizeof *m->depth);
    if (!m->value || !m->depth)
        FAIL(MEMORY, "%s: no memory for a map of %d x %d cells", from, g->nx, g->ny);
    TRY(planes_choose_dry(&m->planes, s->dry, record, m->value, m->depth));
    TRY(planes_read(&m->planes, record, m->value, NULL));
    TRY(ncrecords_system(&m->file, &m->wkt));
    describe(m, record);
    m->map = (struct raster_map){
        .source = from, .about = m->about, .grid = *g, .wkt = m->wkt, .value = m->value};
    return ERR_OK;
}

static void print_cells(FILE *f, const void *context)
{
    const struct mapping *m = context;
    const struct grid_info *g = &m->map.grid;
    char x[32], y[32], value[24];
    fprintf(f, "x,y,%s\n", m->shown.name);
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const float v = m->value[(size_t)j * (size_t)g->nx + (size_t)i];
            if (!isfinite(v))
                continue;
            option_format_real(grid_x(g, i), x, sizeof x);
            option_format_real(grid_y(g, j), y, sizeof y);
            raster_format(v, value);
            fprintf(f, "%s,%s,%s\n", x, y, value);
        }
}

enum err export_map(const struct export_settings *s, const char *from, const char *to)
{
    struct mapping m = {.file = {.id = -1}};
    enum err e = read_map(&m, s, from);
    if (!e)
        e = s->format == EXPORT_GTIFF ? raster_write_gtiff(to, &m.map)
            : s->format == EXPORT_ASC ? raster_write_esri(to, &m.map)
                                      : outfile_print(to, print_cells, &m);
    planes_close(&m.planes);
    ncrecords_close(&m.file);
    free(m.value);
    free(m.depth);
    free(m.wkt);
    return e;
}
