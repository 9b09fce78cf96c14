/* What leaves a simulation: fields, the bed, volumes. */
#include <stdlib.h>
#include <string.h>

#include "core/initial.h"
#include "core/sim.h"

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

enum err sim_download(struct sim *s, int field, void *to)
{
    static const int exchanged[3] = {0, 2, 1};
    const int slot = s->turned ? exchanged[field] : field;
    char *all = malloc(s->initial->field_bytes);
    if (!all)
        FAIL(MEMORY, "a copy of a field needs %zu bytes of main memory", s->initial->field_bytes);
    enum err e = s->backend->download(s->device, all, s->storage[slot], s->initial->field_bytes);
    if (!e)
        gather(s, all, s->grid.nx, s->grid.ny, s->turned, to);
    free(all);
    return e;
}

void sim_bed(const struct sim *s, void *to)
{
    gather(s, s->initial->bed, s->grid.nx + 1, s->grid.ny + 1, s->turned, to);
}

static enum err sum_inflow(struct sim *s, double *inflow)
{
    size_t n = 2 * ((size_t)s->grid.nx + (size_t)s->grid.ny);
    double *sum = malloc(n * sizeof *sum);
    if (!sum)
        FAIL(MEMORY, "no memory for the balance");
    enum err e = s->backend->download(s->device, sum, s->rim_sum, n * sizeof *sum);
    for (size_t k = 0; !e && k < n; k++)
        *inflow += sum[k] * (k < 2 * (size_t)s->grid.ny ? s->grid.dy : s->grid.dx);
    free(sum);
    return e;
}

enum err sim_balance(struct sim *s, struct balance *b)
{
    counter counts[COUNTERS];
    double area = s->grid.dx * s->grid.dy;
    void *level = malloc(s->initial->field_bytes);
    if (!level)
        FAIL(MEMORY, "no memory for the balance");
    memset(b, 0, sizeof *b);
    enum err e = s->backend->download(s->device, level, s->storage[0], s->initial->field_bytes);
    if (!e)
        b->volume = initial_volume(s->initial, level, area);
    free(level);
    TRY(e);
    if (s->rim_sum)
        TRY(sum_inflow(s, &b->inflow));
    /* Every step adds the same to every cell; what drying or clipping undoes of it is counted below. */
    b->inflow += s->force_sum * s->now.t * area;
    TRY(s->backend->download(s->device, counts, s->counters, sizeof counts));
    b->clipped_in = (double)counts[CLIPPED_IN] / s->physics.units * area;
    b->dried_out = (double)counts[DRIED_OUT] / s->physics.units * area;
    return ERR_OK;
}
