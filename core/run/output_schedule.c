/* The next times of periodic output. */
#include "core/run/output_schedule.h"

#include <math.h>

void schedule_clear(struct schedule *s)
{
    for (int k = 0; k < DUES; k++)
        schedule_set(s, (enum due)k, (double)NAN, 0);
}

void schedule_set(struct schedule *s, enum due what, double every, double first)
{
    s->every[what] = every;
    s->next[what] = isnan(every) ? (double)INFINITY : first;
}

double schedule_next(const struct schedule *s)
{
    double next = (double)INFINITY;
    for (int k = 0; k < DUES; k++)
        next = fmin(next, s->next[k]);
    return next;
}

int schedule_due(struct schedule *s, enum due what, double t)
{
    if (t < s->next[what])
        return 0;
    s->next[what] = schedule_after(s->every[what], t);
    return 1;
}

double schedule_after(double every, double t)
{
    double n = floor(t / every);
    for (int k = 0; k < 2 && n * every <= t; k++)
        n++;
    const double after = nextafter(t, (double)INFINITY);
    return isfinite(n) ? fmax(n * every, after) : after;
}
