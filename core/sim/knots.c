#include "core/sim/knots.h"

#include <math.h>

void knots_of_series(const struct timeseries *s, double scale, struct knot *to)
{
    double before = 0;
    for (int k = 0; k < s->rows; k++) {
        const int next = k + 1 < s->rows ? k + 1 : k;
        const double value = scale * s->value[k], rise = scale * s->value[next] - value;
        const double run = s->time[next] - s->time[k];
        const int changes = rise > 0 || rise < 0;
        to[k] = (struct knot){.time = s->time[k],
                              .value = value,
                              .slowness = changes ? run / rise : (double)INFINITY,
                              .before = before};
        before += run * (value + 0.5 * rise);
    }
}
