/* Maps: the state at one time, copied off the device and written while the run goes on. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/mesh/forest.h"
#include "core/run/result_parts.h"

/* Whether a variable of the file comes from the unknown. */
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

static enum err check_memory(const struct result *r)
{
    const double gib = 1024.0 * 1024.0 * 1024.0, room = (double)memory_available();
    double need = 0;
    for (int k = 0; k < UNKNOWNS; k++)
        need += is_wanted(r, k) ? BUFFERS * (double)sim_fetch_bytes(r->sim, &r->window) : 0;
    if (need > room)
        FAIL(MEMORY,
             "the maps of --output need %.1f GiB of main memory, and %.1f GiB are free: choose "
             "fewer "
             "--variables, or a --region",
             need / gib, room / gib);
    return ERR_OK;
}

enum err result_maps_open(struct result *r)
{
    struct sim *s = r->sim;
    TRY(check_memory(r));
    for (int k = 0; k < BUFFERS; k++) {
        r->map[k] = (struct map_buffer){.result = r, .number = k};
        for (int f = 0; f < UNKNOWNS; f++)
            if (is_wanted(r, f))
                TRY(s->backend->host_alloc(s->device, sim_fetch_bytes(r->sim, &r->window),
                                           &r->map[k].field[f]));
        r->map[k].tile_state = result_tiles(s).columns ? malloc((size_t)s->forest->tiles) : NULL;
        if (result_tiles(s).columns && !r->map[k].tile_state)
            FAIL(MEMORY, "no memory for a table of %d tiles", s->forest->tiles);
    }
    return ERR_OK;
}

void result_maps_close(struct result *r)
{
    for (int k = 0; k < BUFFERS; k++) {
        for (int f = 0; f < UNKNOWNS; f++)
            r->sim->backend->host_release(r->sim->device, r->map[k].field[f]);
        free(r->map[k].tile_state);
    }
}

static enum err write_map(void *context)
{
    const struct map_buffer *b = context;
    struct result *r = b->result;
    const struct sim *s = r->sim;
    struct ncwrite_record record = {.t = b->t, .tile_state = b->tile_state};
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

enum err result_maps_record(struct result *r)
{
    struct map_buffer *b = &r->map[r->maps++ % BUFFERS];
    struct sim *s = r->sim;
    TRY(job_queue_wait(r->background, b));
    b->t = s->now.t;
    if (b->tile_state)
        memcpy(b->tile_state, s->forest->state, (size_t)s->forest->tiles);
    for (int f = 0; f < UNKNOWNS; f++)
        if (b->field[f])
            TRY(sim_fetch(s, sim_unknown(s, f), &r->window, b->number, b->field[f]));
    return job_queue_add(r->background, write_map, b);
}
