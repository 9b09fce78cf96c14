/* Maps: the state at one time, copied off the device and written while the run goes on. */
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/base/memory.h"
#include "core/run/result_parts.h"

/* Rows of the device's layout that hold the window; where x and y are exchanged, its columns. */
static struct window stored(const struct result *r)
{
    const struct window *w = &r->window;
    return r->sim->turned ? (struct window){w->j0, w->i0, w->ny, w->nx} : *w;
}

static size_t buffer_bytes(const struct result *r)
{
    return (size_t)stored(r).ny * (size_t)r->sim->pitch[PLAIN] * r->sim->real_size;
}

/* The field that holds eta, hu or hv. */
static int slot(const struct sim *s, int field)
{
    static const int exchanged[3] = {0, 2, 1};
    return s->turned ? exchanged[field] : field;
}

static int is_wanted(const struct result *r, int field)
{
    static const unsigned needed[3] = {1 << OUTPUT_W | 1 << OUTPUT_H | 1 << OUTPUT_ETA,
                                       1 << OUTPUT_HU, 1 << OUTPUT_HV};
    return (r->variables & needed[field]) != 0;
}

static enum err check_memory(const struct result *r)
{
    const double gib = 1024.0 * 1024.0 * 1024.0, room = (double)memory_available();
    double need = 0;
    for (int k = 0; k < 3; k++)
        need += is_wanted(r, k) ? BUFFERS * (double)buffer_bytes(r) : 0;
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
        for (int f = 0; f < 3; f++)
            if (is_wanted(r, f))
                TRY(s->backend->host_alloc(s->device, buffer_bytes(r), &r->map[k].field[f]));
    }
    return ERR_OK;
}

void result_maps_close(struct result *r)
{
    for (int k = 0; k < BUFFERS; k++)
        for (int f = 0; f < 3; f++)
            r->sim->backend->host_release(r->sim->device, r->map[k].field[f]);
}

/* The window's first cell within a buffer. */
static const void *first_cell(const struct result *r, const void *rows)
{
    return rows ? (const char *)rows + (size_t)(MARGIN + stored(r).i0) * r->sim->real_size : NULL;
}

static enum err write_map(void *context)
{
    const struct map_buffer *b = context;
    struct result *r = b->result;
    const struct sim *s = r->sim;
    const long pitch = s->pitch[PLAIN];
    const struct ncwrite_record record = {
        .t = b->t,
        .eta = first_cell(r, b->field[0]),
        .hu = first_cell(r, b->field[1]),
        .hv = first_cell(r, b->field[2]),
        .pitch = s->turned ? 1 : pitch,
        .column = s->turned ? pitch : 1,
    };
    TRY(s->backend->fetched(s->device, b->number));
    return ncwrite_record(r->writer, &record);
}

enum err result_maps_record(struct result *r)
{
    struct map_buffer *b = &r->map[r->maps++ % BUFFERS];
    struct sim *s = r->sim;
    const size_t first = (size_t)(GHOSTS + stored(r).j0) * (size_t)s->pitch[PLAIN] * s->real_size;
    TRY(job_queue_wait(r->background, b));
    b->t = s->now.t;
    for (int f = 0; f < 3; f++)
        if (b->field[f])
            TRY(s->backend->fetch(s->device, b->number, b->field[f],
                                  (const char *)s->storage[slot(s, f)] + first, buffer_bytes(r)));
    return job_queue_add(r->background, write_map, b);
}
