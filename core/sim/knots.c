#include "core/sim/knots.h"

#include <math.h>

void knots_of_series(const struct timeseries *s, struct knot *to)
{
    double before = 0;
    for (int k = 0; k < s->rows; k++) {
        const int next = k + 1 < s->rows ? k + 1 : k;
        const double rise = s->value[next] - s->value[k], run = s->time[next] - s->time[k];
        const int changes = rise > 0 || rise < 0;
        to[k] = (struct knot){.time = s->time[k],
                              .value = s->value[k],
                              .slowness = changes ? run / rise : (double)INFINITY,
                              .before = before};
        before += run * (s->value[k] + 0.5 * rise);
    }
}
