/* Maps: the state at one time, copied off the device and written while the run continues. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/mesh/forest.h"
#include "core/run/result_parts.h"

/* Does a variable of the file depend on the unknown? */
static int is_wanted(const struct result *r, int unknown)
{
    const struct system *system = r->sim->system;
    int wanted = 0;
    for (int k = 0; k < system->variables; k++)
        wanted |= (r->variables >> k & 1) &&
                  (system->variable[k].of == unknown ||
                   (unknown == 0 && system->variable[k].as == AS_CARRIED)); /* by the depth */
    return wanted;
}

/* Main memory for copies of maps, which are written while the run continues: some hundred MiB, or a
 * share of the run's own memory, a twentieth on a CPU, where both are the same memory, and a
 * fortieth on a GPU. */
double result_most_for_copies(const struct result *r)
{
    const struct sim *s = r->sim;
    const double mib = 1024.0 * 1024.0, all = (double)sim_bytes(s);
    return s->backend == &backend_cpu ? fmax(256 * mib, all / 20) : 1024 * mib + all / 40;
}

int result_maps_are_large(const struct result *r)
{
    double need = 0;
    for (int k = 0; k < UNKNOWNS; k++)
        need += is_wanted(r, k) ? BUFFERS * (double)sim_fetch_bytes(r->sim, &r->window) : 0;
    return need > fmin(result_most_for_copies(r), (double)memory_available());
}

enum err result_maps_open(struct result *r)
{
    struct sim *s = r->sim;
    if (r->by_bands && !s->forest)
        log_info("maps are written a few rows at a time, while the run waits, because copies of "
                 "them would be too large");
    for (int k = 0; k < BUFFERS; k++) {
        r->map[k] = (struct map_buffer){.result = r, .number = k};
        for (int f = 0; f < UNKNOWNS; f++)
            if (is_wanted(r, f) && !r->by_bands)
                TRY(s->backend->host_alloc(s->device, sim_fetch_bytes(r->sim, &r->window),
                                           &r->map[k].field[f]));
    }
    return ERR_OK;
}

void result_maps_close(struct result *r)
{
    for (int k = 0; k < BUFFERS; k++)
        for (int f = 0; f < UNKNOWNS; f++)
            r->sim->backend->host_release(r->sim->device, r->map[k].field[f]);
}

static enum err write_map(void *context)
{
    const struct map_buffer *b = context;
    struct result *r = b->result;
    const struct sim *s = r->sim;
    struct ncwrite_record record = {.t = b->t};
    for (int f = 0; f < UNKNOWNS; f++)
        if (b->field[f]) {
            const struct array_rows rows = sim_fetched(s, &r->window, b->field[f]);
            record.unknown[f] = rows.first;
            record.pitch = rows.pitch;
            record.column = rows.column;
        }
    TRY(sim_fetch_wait(r->sim, b->number));
    return ncwrite_record(r->writer, &record);
}

static enum err read_rows(void *context, int unknown, const struct window *cells, void *to)
{
    struct result *r = context;
    const struct window w = {r->window.i0 + cells->i0, r->window.j0 + cells->j0, cells->nx,
                             cells->ny};
    return sim_read(r->sim, sim_unknown(r->sim, unknown), &w, to);
}

static enum err record_by_bands(struct result *r)
{
    const struct sim *s = r->sim;
    const struct ncwrite_rows rows = {read_rows, r, 0};
    const struct ncwrite_record record = {
        .t = s->now.t,
        .rows = &rows,
        .tile_state = result_tiles(s).columns ? s->forest->state : NULL,
    };
    TRY(job_queue_wait(r->background, NULL));
    return ncwrite_record(r->writer, &record);
}

enum err result_maps_record(struct result *r)
{
    struct map_buffer *b = &r->map[r->maps++ % BUFFERS];
    struct sim *s = r->sim;
    if (r->by_bands)
        return record_by_bands(r);
    TRY(job_queue_wait(r->background, b));
    b->t = s->now.t;
    for (int f = 0; f < UNKNOWNS; f++)
        if (b->field[f])
            TRY(sim_fetch(s, sim_unknown(s, f), &r->window, b->number, b->field[f]));
    return job_queue_add(r->background, write_map, b);
}
