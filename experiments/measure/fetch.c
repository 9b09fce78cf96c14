/* Fetches the fields of a simulation. */
#include "core/base/reals.h"
#include "experiments/measure/measure.h"

enum err measure_fetch(struct sim *s, int field, double *to)
{
    if (field == 0)
        return sim_level(s, to);
    if (field == MEASURE_DEPTH)
        TRY(sim_depth(s, to));
    else
        TRY(sim_read(s, sim_unknown(s, field), NULL, to));
    reals_widen(to, s->real_size, (size_t)s->grid.nx * (size_t)s->grid.ny);
    return ERR_OK;
}
