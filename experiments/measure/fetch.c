/* What a simulation has, for those who look at its cells. */
#include <string.h>

#include "experiments/measure/measure.h"

enum err measure_fetch(struct sim *s, int field, double *to)
{
    const char *from = (const char *)to;
    if (field == 0)
        return sim_level(s, to);
    if (field == MEASURE_DEPTH)
        TRY(sim_depth(s, to));
    else
        TRY(sim_read(s, sim_unknown(s, field), NULL, to));
    if (s->real_size == sizeof *to)
        return ERR_OK;
    /* Downwards: nothing is overwritten before it is read. */
    for (size_t k = (size_t)s->grid.nx * (size_t)s->grid.ny; k-- > 0;) {
        float x;
        memcpy(&x, from + k * sizeof x, sizeof x);
        to[k] = (double)x;
    }
    return ERR_OK;
}
