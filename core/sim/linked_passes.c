/* Passes that judge each other's steps: memory, and where they leave what the next one reads. */
#include "core/sim/linked_passes.h"

#include "core/sim/observer.h"
#include "kernels/linked_passes.h"

enum err linked_passes_create(struct sim *s)
{
    static const struct linked none;
    return s->own_clock ? sim_constant(s, "linked", &none, sizeof none, &s->linked.memory) : ERR_OK;
}

int passes_may_link(const struct sim *s)
{
    return s->linked.memory && !observers_look(s);
}

real *rim_written(const struct sim *s)
{
    return s->linked.place & 1 ? s->linked.odd_rim : s->rim;
}
