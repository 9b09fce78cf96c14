/* Whether a run fits into the memory that is free. */
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/sim/parts.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse.h"

#define GPU_MEMORY "GPU memory"

static enum err check_room(const struct sim *s, size_t need, size_t room, const char *where)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    char more[64] = "";
    if (need <= room)
        return ERR_OK;
    if (strcmp(where, GPU_MEMORY) == 0)
        snprintf(more, sizeof more, ", or %zu such GPUs (--devices)", sim_bytes(s) / room + 1);
    FAIL(MEMORY,
         "%d x %d cells with scheme %s in %s need %.1f GiB of %s, and %.1f GiB are free: use "
         "fewer cells%s%s",
         s->grid.nx, s->grid.ny, s->scheme->name, s->real_size == sizeof(double) ? "f64" : "f32",
         (double)need / gib, where, (double)room / gib, more,
         s->real_size == sizeof(double) ? ", or --precision f32" : "");
}

/* Before anything is allocated: the system would hand out more than there is, and end the process,
 * or another one, when it is written to. All processes of a host sample the whole domain. */
enum err sim_check_memory(const struct sim *s)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    const size_t field = sparse_wanted(s) ? cells * s->real_size : s->field_bytes;
    /* bed, initial state, forcing, roughness; levels in double while they are sampled */
    const size_t host =
        ((s->forced ? 8U : 5U) + (s->rough ? 1U : 0U)) * field + cells * sizeof(double);
    const struct share share = parts_share(s);
    const size_t here = share.neighbours * host, own = sim_bytes(s) / share.parts * share.own;
    if (s->backend == &backend_cpu)
        return check_room(s, here + share.neighbours * own, memory_available(), "main memory");
    TRY(check_room(s, here, memory_available(), "main memory"));
    return check_room(s, sim_bytes(s) / share.parts * share.of_device,
                      s->backend->info(s->device)->memory_free, GPU_MEMORY);
}
