/* The arrays of a simulation: memory, reading and writing. */
#include "core/sim/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/sim/parts.h"
#include "core/sim/sim.h"
#include "core/sim/tiling.h"

struct array *sim_find_array(struct sim *s, const char *name)
{
    for (int k = 0; k < s->array_count; k++)
        if (strcmp(s->array[k].name, name) == 0)
            return &s->array[k];
    return NULL;
}

int sim_exchanged(const struct sim *s)
{
    return s->system->unknowns + (s->scheme->exchanged != NULL);
}

/* What the scheme exchanges belongs to the solution; an array that is like it, to the state that changes places
 * with the solution. */
static struct array *exchanged_with(struct sim *s, int state)
{
    const char *const name = s->scheme->exchanged;
    for (int k = 0; state && k < s->array_count; k++)
        if (s->array[k].like && strcmp(s->array[k].like, name) == 0)
            return &s->array[k];
    return sim_find_array(s, name);
}

void sim_exchanged_first(struct sim *s, int state, enum view v, real *first[])
{
    const int unknowns = s->system->unknowns;
    for (int k = 0; k < unknowns; k++)
        first[k] = array_first(s, s->state[state][k], v);
    if (s->scheme->exchanged)
        first[unknowns] = array_first(s, exchanged_with(s, state), v);
}

/* Kernels that compute several columns a thread read beyond the last row of corners (kernels/fused_wet.h). */
enum { BEHIND_CORNERS = 64 }; /* bytes */

static size_t allocated(const struct array *a)
{
    return a->bytes + (a->layout == ARRAY_CORNERS && !a->most ? BEHIND_CORNERS : 0);
}

/* In a sparse domain a pool of slots may have to grow, to one for each tile. */
static enum err allocate(const struct sim *s, struct array *a)
{
    const struct backend *const b = s->backend;
    a->memory = NULL;
    a->most = s->forest && a->layout != ARRAY_FLAT
                  ? (size_t)tiles_count(&s->tiles) * tiling_slot_bytes(s)
                  : 0;
    if (a->most && b->reserve)
        TRY(b->reserve(s->device, a->bytes, a->most, &a->memory));
    if (a->memory)
        return ERR_OK;
    a->most = 0;
    return b->alloc(s->device, allocated(a), &a->memory);
}

enum err sim_array(struct sim *s, const struct array *wanted, struct array **added)
{
    struct array *a = &s->array[s->array_count];
    const size_t bytes = wanted->layout == ARRAY_FLAT ? wanted->bytes : s->field_bytes;
    if (s->array_count == SIM_ARRAYS || sim_find_array(s, wanted->name))
        FAIL(USAGE, "a simulation has at most %d arrays, with unique names: '%s'", SIM_ARRAYS,
             wanted->name);
    *a = *wanted;
    a->bytes = bytes;
    TRY(allocate(s, a));
    s->array_count++;
    *added = a;
    return s->backend->fill(s->device, a->memory, a->byte, allocated(a));
}

enum err sim_array_grow(struct sim *s, struct array *a, size_t bytes)
{
    const struct backend *b = s->backend;
    void *more;
    if (bytes <= a->bytes)
        return ERR_OK;
    if (bytes <= a->most) {
        TRY(b->grow(s->device, a->memory, bytes));
        TRY(b->fill(s->device, (char *)a->memory + a->bytes, a->byte, bytes - a->bytes));
        a->bytes = bytes;
        return ERR_OK;
    }
    TRY(b->alloc(s->device, bytes, &more));
    enum err e = b->fill(s->device, more, a->byte, bytes);
    if (!e)
        e = b->copy(s->device, more, a->memory, a->bytes);
    if (!e)
        e = b->sync(s->device);
    b->release(s->device, e ? more : a->memory);
    if (e)
        return e;
    a->memory = more;
    a->bytes = bytes;
    s->moves++;
    return ERR_OK;
}

enum err sim_memory(struct sim *s, const struct array *wanted, void **p)
{
    struct array *added;
    TRY(sim_array(s, wanted, &added));
    *p = added->memory;
    return ERR_OK;
}

enum err sim_room(struct sim *s, const char *name, size_t bytes, void **p)
{
    struct array wanted = {.bytes = bytes};
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    return sim_memory(s, &wanted, p);
}

enum err sim_constant(struct sim *s, const char *name, const void *from, size_t bytes, void *to)
{
    void *p;
    TRY(sim_room(s, name, bytes, &p));
    memcpy(to, &p, sizeof p);
    return s->backend->upload(s->device, p, from, bytes);
}

struct array *sim_unknown(const struct sim *s, int k)
{
    return s->state[0][s->turned ? s->system->unknown[k].exchanged : k];
}

size_t sim_first_cell(const struct sim *s, long pitch)
{
    return (size_t)(GHOSTS * pitch + s->margin) * s->real_size;
}

real *array_first(const struct sim *s, const struct array *a, enum view v)
{
    const long x = s->beyond[WEST] + s->from_i, y = s->beyond[SOUTH] + s->from_j;
    const long cells = v == TURNED ? x * s->pitch[v] + y : y * s->pitch[v] + x;
    return (void *)((char *)a->memory + sim_first_cell(s, s->pitch[v]) +
                    (size_t)cells * s->real_size);
}

struct window sim_stored(const struct sim *s)
{
    const int *const b = s->beyond;
    return (struct window){-b[WEST], -b[SOUTH], b[WEST] + s->grid.nx + b[EAST],
                           b[SOUTH] + s->grid.ny + b[NORTH]};
}

/* The rows of an array that hold a window; its columns, if x and y are exchanged. */
static struct window stored(const struct sim *s, const struct window *w)
{
    return s->turned ? (struct window){w->j0, w->i0, w->ny, w->nx} : *w;
}

struct window sim_domain(const struct sim *s)
{
    const int nx = s->grid.nx, ny = s->grid.ny;
    return s->turned ? (struct window){0, 0, ny, nx} : (struct window){0, 0, nx, ny};
}

static size_t row_bytes(const struct sim *s)
{
    return (size_t)s->pitch[PLAIN] * s->real_size;
}

/* It is not contiguous. */
static int is_gathered(const struct sim *s)
{
    return s->parts || s->tiles.columns;
}

size_t sim_fetch_bytes(const struct sim *s, const struct window *w)
{
    if (is_gathered(s))
        return (size_t)w->nx * (size_t)w->ny * s->real_size;
    return (size_t)stored(s, w).ny * row_bytes(s);
}

/* The first byte of the window's rows. */
static char *first_row(const struct sim *s, const struct array *a, const struct window *w)
{
    return (char *)a->memory + (size_t)(GHOSTS + s->beyond[SOUTH] + stored(s, w).j0) * row_bytes(s);
}

enum err sim_fetch(struct sim *s, const struct array *a, const struct window *w, int number,
                   void *room)
{
    if (is_gathered(s))
        return sim_read(s, a, w, room);
    return s->backend->fetch(s->device, number, room, first_row(s, a, w), sim_fetch_bytes(s, w));
}

enum err sim_fetch_wait(struct sim *s, int number)
{
    return is_gathered(s) ? ERR_OK : s->backend->fetched(s->device, number);
}

/* A window of rows copied in device layout. */
static struct array_rows padded_rows(const struct sim *s, const struct window *w, long pitch,
                                     const void *room)
{
    const size_t first = (size_t)(MARGIN + s->beyond[WEST] + stored(s, w).i0) * s->real_size;
    return (struct array_rows){.first = (const char *)room + first,
                               .pitch = s->turned ? 1 : pitch,
                               .column = s->turned ? pitch : 1};
}

struct array_rows sim_fetched(const struct sim *s, const struct window *w, const void *room)
{
    return is_gathered(s) ? (struct array_rows){room, w->nx, 1}
                          : padded_rows(s, w, s->pitch[PLAIN], room);
}

void rows_gather(const struct array_rows *from, int nx, int ny, size_t size, void *to)
{
    char *next = to;
    for (long j = 0; j < ny; j++) {
        const char *row = (const char *)from->first + (size_t)(j * from->pitch) * size;
        for (long i = 0; from->column != 1 && i < nx; i++)
            memcpy(next + (size_t)i * size, row + (size_t)(i * from->column) * size, size);
        if (from->column == 1)
            memcpy(next, row, (size_t)nx * size);
        next += (size_t)nx * size;
    }
}

static enum err allocate_rows(const struct sim *s, const struct window *w, void **room)
{
    *room = malloc(sim_fetch_bytes(s, w));
    if (!*room)
        FAIL(MEMORY, "a copy of a field needs %zu bytes of main memory", sim_fetch_bytes(s, w));
    return ERR_OK;
}

int sim_read_is_shared(const struct sim *s)
{
    return !s->forest && !(s->parts && s->parts->ranks);
}

enum err sim_read(struct sim *s, const struct array *a, const struct window *w, void *to)
{
    const struct window all = sim_domain(s);
    void *room;
    w = w ? w : &all;
    if (is_gathered(s))
        return s->parts ? parts_read(s, a, w, to) : tiles_read(s, a, w, to);
    TRY(allocate_rows(s, w, &room));
    const enum err e =
        s->backend->download(s->device, room, first_row(s, a, w), sim_fetch_bytes(s, w));
    if (!e) {
        const struct array_rows rows = sim_fetched(s, w, room);
        rows_gather(&rows, w->nx, w->ny, s->real_size, to);
    }
    free(room);
    return e;
}

static void scatter(const struct array_rows *to, const struct window *w, size_t size,
                    const char *from)
{
    char *first = (char *)(size_t)to->first; /* into the caller's memory */
    for (long j = 0; j < w->ny; j++)
        for (long i = 0; i < w->nx; i++, from += size)
            memcpy(first + (size_t)(j * to->pitch + i * to->column) * size, from, size);
}

enum err sim_write(struct sim *s, const struct array *a, const struct window *w, const void *from)
{
    const struct window all = sim_domain(s);
    void *room;
    w = w ? w : &all;
    if (is_gathered(s))
        return s->parts ? parts_write(s, a, w, from) : tiles_write(s, a, w, from);
    const size_t bytes = sim_fetch_bytes(s, w);
    TRY(allocate_rows(s, w, &room));
    enum err e = s->backend->download(s->device, room, first_row(s, a, w), bytes);
    if (!e) {
        const struct array_rows rows = sim_fetched(s, w, room);
        scatter(&rows, w, s->real_size, from);
        e = s->backend->upload(s->device, first_row(s, a, w), room, bytes);
    }
    free(room);
    return e;
}

size_t sim_kept_bytes(const struct sim *s, const struct array *a)
{
    return a->layout == ARRAY_CELLS ? (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size
                                    : a->bytes;
}

/* A step's backups are useless after it, and parts have counters of their own there. */
static void forget_start(const struct array *a, void *kept)
{
    struct clock *c = kept;
    if (strcmp(a->name, SIM_CLOCK) == 0)
        memset(c->start.counters, 0, sizeof c->start.counters);
}

enum err sim_keep(struct sim *s, const struct array *a, void *to)
{
    if (a->layout == ARRAY_CELLS)
        return sim_read(s, a, NULL, to);
    TRY(s->parts ? parts_keep(s, a, to) : s->backend->download(s->device, to, a->memory, a->bytes));
    forget_start(a, to);
    return ERR_OK;
}

enum err sim_take(struct sim *s, const struct array *a, const void *from)
{
    if (a->layout == ARRAY_CELLS)
        return sim_write(s, a, NULL, from);
    return s->parts ? parts_take(s, a, from)
                    : s->backend->upload(s->device, a->memory, from, a->bytes);
}

size_t sim_rim_length(const struct sim *s)
{
    return 2 * ((size_t)s->grid.nx + (size_t)s->grid.ny);
}

size_t sim_rim_at(const struct sim *s, enum edge e)
{
    const size_t nx = (size_t)s->grid.nx, ny = (size_t)s->grid.ny;
    const size_t at[EDGES] = {[WEST] = 0, [EAST] = ny, [SOUTH] = 2 * ny, [NORTH] = 2 * ny + nx};
    return at[e];
}

real *rim_part(const struct sim *s, real *rim, enum edge e)
{
    return rim ? (void *)((char *)rim + sim_rim_at(s, e) * s->real_size) : NULL;
}
