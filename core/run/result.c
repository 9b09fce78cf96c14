/* The output of a run: opened, filled by its parts, put in place. */
#include "core/run/result.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/run/result_parts.h"

void result_discard(struct result **out)
{
    struct result *r = *out;
    *out = NULL;
    if (!r)
        return;
    job_queue_give_up(r->background);
    ncwrite_discard(&r->writer);
    result_maps_close(r);
    result_gauges_close(r);
    free(r->bed);
    free(r);
}

static void corners(const void *context, const struct window *cells, double *to)
{
    const struct result *r = context;
    sim_corners(r->sim, cells, to);
}

/* A copy, if it is not too large and saves sampling the bed for each map. */
static enum err take_bed(struct result *r)
{
    const struct window *w = &r->window;
    const size_t bytes = ((size_t)w->nx + 1) * ((size_t)w->ny + 1) * sizeof *r->bed;
    if (sim_has_corners_here(r->sim) || r->sim->forest ||
        (double)bytes > 0.5 * result_most_for_copies(r))
        return ERR_OK;
    r->bed = malloc(bytes);
    if (!r->bed)
        FAIL(MEMORY, "no memory for the bed of the output");
    sim_corners(r->sim, w, r->bed);
    return ERR_OK;
}

/* Cores that neither compute, nor direct a GPU, nor write. */
static int idle_cores(const struct result *r)
{
    enum { MOST = 32 };
    const struct sim *s = r->sim;
    const int units = s->backend == &backend_cpu ? s->backend->info(s->device)->units : 1;
    const int computing = r->by_bands ? 0 : units; /* the run waits */
    const int idle = omp_get_num_procs() - computing - 1;
    return idle < 0 ? 0 : idle > MOST ? MOST : idle;
}

/* A turned problem's tiles are transposed: its maps are complete. */
struct tiles result_tiles(const struct sim *s)
{
    return s->forest && !s->turned && !s->config->fill_absent ? s->tiles : (struct tiles){0};
}

static enum err open_all(struct result *r, const struct problem *p, const char *command_line)
{
    const struct config *c = r->sim->config;
    const struct grid_info *g = &p->setup.grid;
    double every[SERIES];
    TRY(ncwrite_variables(r->sim->system, c->variables, &r->variables));
    TRY(map_area_cells(c->region, g, &r->window));
    r->by_bands = result_maps_are_large(r) || r->sim->forest; /* which has no whole plane */
    TRY(take_bed(r));
    const struct ncwrite_info info = {
        .path = c->output,
        .grid = *g,
        .wkt = p->input.wkt,
        .precision = (enum precision)c->precision,
        .system = r->sim->system,
        .variables = r->variables,
        .bed = r->bed,
        .bed_pitch = r->window.nx + 1,
        .corners = corners,
        .context = r,
        .datum = r->sim->initial->datum,
        .still = r->sim->initial->still,
        .window = r->window,
        .start = c->start,
        .deflate = c->deflate,
        .helpers = idle_cores(r),
        .maxima_every = c->maxima_every,
        .wet_depth = c->wet_depth,
        .debris = c->debris,
        .tiles = result_tiles(r->sim),
        .kinds = (p->setup.rain ? 1u << VOLUME_RAIN : 0) |
                 (p->setup.soil ? 1u << VOLUME_INFILTRATED : 0) |
                 (p->setup.springs ? 1u << VOLUME_SOURCES | 1u << VOLUME_SINKS : 0),
    };
    TRY(result_maps_open(r));
    TRY(ncwrite_create(&r->writer, &info));
    TRY(result_describe(r->writer, r->sim, p, command_line));
    result_intervals(r, every);
    TRY(ncwrite_intervals(r->writer, every));
    if (p->input.manning_of) {
        const long pitch = p->setup.grid.nx;
        const long first = r->window.j0 * pitch + r->window.i0;
        TRY(ncwrite_manning(r->writer, p->input.manning_of + first, pitch));
    }
    TRY(result_gauges_open(r));
    TRY(result_sections_open(r, p->setup.sections));
    if (c->maxima || c->hazard)
        log_info("maxima every %d steps, wet above %g m", c->maxima_every, c->wet_depth);
    return result_balance(r);
}

enum err result_open(struct result **out, struct sim *s, const struct problem *p,
                     struct job_queue *b, const char *command_line)
{
    if (!s->config->output[0])
        return ERR_OK;
    struct result *r = calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for the output");
    r->sim = s;
    r->background = b;
    r->balance_t = r->section_t = r->covered = (double)NAN;
    const enum err e = open_all(r, p, command_line);
    if (e)
        result_discard(&r);
    else
        *out = r;
    return e;
}

enum err result_record(struct result *r)
{
    return r ? result_maps_record(r) : ERR_OK;
}

static enum err write_balance(void *context)
{
    const struct balance_buffer *b = context;
    return ncwrite_balance(b->result->writer, b->t, b->volumes);
}

static void put_volumes(double to[VOLUMES], const struct balance *b, double began)
{
    to[VOLUME_INSIDE] = b->volume;
    to[VOLUME_IN] = b->in;
    to[VOLUME_OUT] = b->out;
    to[VOLUME_FORCED] = b->forced;
    to[VOLUME_RAIN] = b->rain;
    to[VOLUME_INFILTRATED] = b->infiltrated;
    to[VOLUME_SOURCES] = b->gave;
    to[VOLUME_SINKS] = b->took;
    to[VOLUME_CLIPPED] = b->clipped_in;
    to[VOLUME_ERROR] = b->volume - began - b->inflow;
}

/* `b`: of the water; the sim has the other conserved quantities'. */
static enum err put_balance(struct result *r, const struct balance *b)
{
    struct balance_buffer *to = &r->balance[r->balances++ % BUFFERS];
    struct balance other;
    TRY(job_queue_wait(r->background, to));
    *to = (struct balance_buffer){.result = r, .t = r->sim->now.t};
    put_volumes(to->volumes[0], b, r->sim->total0[0]);
    for (int k = 1; k < r->sim->system->conserveds; k++) {
        TRY(sim_balance_of(r->sim, k, &other));
        put_volumes(to->volumes[k], &other, r->sim->total0[k]);
    }
    r->balance_t = r->sim->now.t;
    return job_queue_add(r->background, write_balance, to);
}

enum err result_balance(struct result *r)
{
    struct balance b;
    if (!r || r->balance_t == r->sim->now.t)
        return ERR_OK;
    TRY(sim_balance(r->sim, &b));
    return put_balance(r, &b);
}

enum err result_mark(struct result *r, const char *mark)
{
    if (!r)
        return ERR_OK;
    TRY(job_queue_wait(r->background, NULL));
    return ncwrite_mark(r->writer, mark);
}

enum err result_keep(struct result *r, const char *path, size_t rows[SERIES])
{
    TRY(result_gauges_take(r));
    TRY(job_queue_wait(r->background, NULL));
    ncwrite_rows(r->writer, rows);
    if (memcmp(rows, r->kept, sizeof r->kept) == 0)
        return ERR_OK;
    /* A resumed run keeps the existing records: the last checkpoint needs them until it is
     * replaced. */
    if (r->sim->now.t <= r->covered && ncwrite_has_rows(r->writer, path, r->sim->now.t, rows))
        return ERR_OK;
    TRY(ncwrite_keep(r->writer, path));
    memcpy(r->kept, rows, sizeof r->kept);
    return ERR_OK;
}

enum err result_take(struct result *r, const char *path, const size_t rows[SERIES])
{
    TRY(job_queue_wait(r->background, NULL));
    return ncwrite_take(r->writer, path, r->sim->now.t, rows);
}

/* Writes itself only when the other thread has nothing left to write. */
enum err result_finish(struct result *r, const struct balance *b)
{
    if (!r)
        return ERR_OK;
    if (r->balance_t != r->sim->now.t)
        TRY(put_balance(r, b));
    TRY(result_gauges_take(r));
    TRY(result_sections(r));
    TRY(job_queue_wait(r->background, NULL));
    TRY(result_maxima_finish(r));
    TRY(result_describe_end(r, b));
    return ncwrite_finish(&r->writer);
}
