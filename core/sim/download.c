/* What leaves a simulation: fields and the bed. */
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/sim/sim.h"

/* Copies rows 0..ny-1 of columns 0..nx-1 from the device's layout to a compact array, or to one with
 * x and y exchanged. */
static void gather(const struct sim *s, const char *from, int nx, int ny, int turned, char *to)
{
    const size_t size = s->real_size;
    for (int j = 0; j < ny; j++) {
        const char *row = from + (size_t)((j + GHOSTS) * s->pitch[PLAIN] + MARGIN) * size;
        if (!turned) {
            memcpy(to + (size_t)j * (size_t)nx * size, row, (size_t)nx * size);
            continue;
        }
        for (int i = 0; i < nx; i++)
            memcpy(to + ((size_t)i * (size_t)ny + (size_t)j) * size, row + (size_t)i * size, size);
    }
}

/* The other way round: what lies outside columns 0..nx-1 and rows 0..ny-1 stays. */
static void scatter(const struct sim *s, const char *from, char *to)
{
    const size_t size = s->real_size, nx = (size_t)s->grid.nx, ny = (size_t)s->grid.ny;
    for (size_t j = 0; j < ny; j++) {
        char *row = to + ((j + GHOSTS) * (size_t)s->pitch[PLAIN] + MARGIN) * size;
        if (!s->turned) {
            memcpy(row, from + j * nx * size, nx * size);
            continue;
        }
        for (size_t i = 0; i < nx; i++)
            memcpy(row + i * size, from + (i * ny + j) * size, size);
    }
}

/* Where the solution's eta, hu or hv is stored. */
static int slot_of(const struct sim *s, int field)
{
    static const int exchanged[3] = {0, 2, 1};
    return s->turned ? exchanged[field] : field;
}

enum err sim_upload(struct sim *s, int field, const void *from)
{
    const size_t bytes = s->initial->field_bytes;
    void *to = s->storage[slot_of(s, field)];
    char *all = malloc(bytes);
    if (!all)
        FAIL(MEMORY, "a copy of a field needs %zu bytes of main memory", bytes);
    enum err e = s->backend->download(s->device, all, to, bytes);
    if (!e) {
        scatter(s, from, all);
        e = s->backend->upload(s->device, to, all, bytes);
    }
    free(all);
    return e;
}

enum err sim_stored(struct sim *s, int field, void *to)
{
    return sim_fetch(s, s->storage[slot_of(s, field)], to);
}

/* Number k of a compact array of the run's precision. */
static double get(const struct sim *s, const void *from, size_t k)
{
    return s->real_size == sizeof(double) ? ((const double *)from)[k]
                                          : (double)((const float *)from)[k];
}

static void put(const struct sim *s, void *to, size_t k, double x)
{
    if (s->real_size == sizeof x)
        ((double *)to)[k] = x;
    else
        ((float *)to)[k] = (float)x;
}

/* Columns and rows as the user laid out the domain. */
static size_t columns(const struct sim *s)
{
    return (size_t)(s->turned ? s->grid.ny : s->grid.nx);
}

static size_t cells(const struct sim *s)
{
    return (size_t)s->grid.nx * (size_t)s->grid.ny;
}

/* A number of the ground in cell k of that layout. */
static double of_ground(const struct sim *s, double (*what)(const struct initial *, int, int),
                        size_t k)
{
    const int i = (int)(k % columns(s)), j = (int)(k / columns(s));
    return s->turned ? what(s->initial, j, i) : what(s->initial, i, j);
}

static double level_from(const struct sim *s, double eta, size_t k)
{
    return s->initial->datum + (of_ground(s, initial_rest, k) + eta);
}

enum err sim_download(struct sim *s, int field, void *to)
{
    TRY(sim_stored(s, field, to));
    for (size_t k = 0; field == 0 && k < cells(s); k++)
        put(s, to, k, level_from(s, get(s, to, k), k));
    return ERR_OK;
}

enum err sim_level(struct sim *s, double *to)
{
    TRY(sim_stored(s, 0, to));
    for (size_t k = cells(s); k-- > 0;) /* downwards: nothing is overwritten before it is read */
        to[k] = level_from(s, get(s, to, k), k);
    return ERR_OK;
}

enum err sim_depth(struct sim *s, void *to)
{
    TRY(sim_stored(s, 0, to));
    for (size_t k = 0; k < cells(s); k++)
        put(s, to, k, get(s, to, k) - of_ground(s, initial_floor, k));
    return ERR_OK;
}

enum err sim_fetch(struct sim *s, const void *field, void *to)
{
    char *all = malloc(s->initial->field_bytes);
    if (!all)
        FAIL(MEMORY, "a copy of a field needs %zu bytes of main memory", s->initial->field_bytes);
    enum err e = s->backend->download(s->device, all, field, s->initial->field_bytes);
    if (!e)
        gather(s, all, s->grid.nx, s->grid.ny, s->turned, to);
    free(all);
    return e;
}

void sim_corners(const struct sim *s, double *to)
{
    const size_t n = (size_t)(s->grid.nx + 1) * (size_t)(s->grid.ny + 1);
    gather(s, s->initial->bed, s->grid.nx + 1, s->grid.ny + 1, s->turned, (char *)to);
    for (size_t k = n; k-- > 0;)
        to[k] = get(s, to, k);
}

void sim_bed(const struct sim *s, double *to)
{
    const size_t n = (size_t)(s->grid.nx + 1) * (size_t)(s->grid.ny + 1);
    sim_corners(s, to);
    for (size_t k = 0; k < n; k++)
        to[k] = s->initial->datum + to[k];
}
