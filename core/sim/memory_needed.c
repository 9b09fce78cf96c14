/* Does a run fit into the free memory? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/mesh/forest.h"
#include "core/sim/parts.h"
#include "core/sim/sim_parts.h"

#define GPU_MEMORY "GPU memory"

/* Tiles of a sparse domain do not fit: those with water at the start, and those beside them. */
static enum err too_many_tiles(const struct sim *s, size_t need, size_t room, const char *where)
{
    const double gib = 1024.0 * 1024.0 * 1024.0, each = (double)need / s->forest->slots;
    FAIL(MEMORY,
         "at the start %d tiles of %d x %d cells are stored, which with scheme %s in %s need %.1f "
         "GiB of %s, and %.1f GiB are free, enough for %.0f: choose smaller tiles (--tile), which "
         "follow the water more closely, or fewer cells%s",
         s->forest->stored, s->tiles.w, s->tiles.h, s->scheme->name,
         s->real_size == sizeof(double) ? "f64" : "f32", (double)need / gib, where,
         (double)room / gib, floor((double)room / each),
         s->real_size == sizeof(double) ? ", or --precision f32" : "");
}

static enum err check_room(const struct sim *s, size_t need, size_t room, const char *where)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const struct share share = parts_share(s);
    char more[64] = "", shared[64] = "";
    if (need <= room)
        return ERR_OK;
    if (s->forest)
        return too_many_tiles(s, need, room, where);
    if (strcmp(where, GPU_MEMORY) == 0 && share.of_device > 1)
        snprintf(shared, sizeof shared, " for the %zu parts that share one GPU", share.of_device);
    else if (strcmp(where, GPU_MEMORY) == 0 && share.parts > 1)
        snprintf(shared, sizeof shared, " on each of %zu GPUs", share.parts);
    if (strcmp(where, GPU_MEMORY) == 0)
        snprintf(more, sizeof more, ", or %zu such GPUs (--devices)", sim_bytes(s) / room + 1);
    FAIL(MEMORY,
         "%d x %d cells with scheme %s in %s need %.1f GiB of %s%s, but %.1f GiB are free: use "
         "fewer cells%s%s",
         s->grid.nx, s->grid.ny, s->scheme->name, s->real_size == sizeof(double) ? "f64" : "f32",
         (double)need / gib, where, shared, (double)room / gib, more,
         s->real_size == sizeof(double) ? ", or --precision f32" : "");
}

/* Checked before any allocation: Linux would grant more than it has, and kill this process or
 * another one on the first write. What a process samples of the domain at once is small. */
enum err sim_check_memory(const struct sim *s)
{
    const struct share share = parts_share(s);
    const size_t part = sim_bytes(s) / share.parts;
    if (s->backend == &backend_cpu)
        return check_room(s, share.neighbours * part * share.own, memory_available(),
                          "main memory");
    return check_room(s, part * share.of_device, s->backend->info(s->device)->memory_free,
                      GPU_MEMORY);
}
