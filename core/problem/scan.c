/* How far a scan of all cells is. */
#include "core/problem/scan.h"

#include <omp.h>

#include "core/base/log.h"
#include "core/base/monotonic_time.h"

static double first_line = 5; /* s */

void scan_tells_after(double duration)
{
    first_line = duration;
}

struct scan scan_begin(const char *what, int nx, int ny, long all)
{
    const double now = seconds();
    return (struct scan){
        .what = what, .nx = nx, .ny = ny, .all = all, .began = now, .next = now + first_line};
}

void scan_step(struct scan *s)
{
    long done;
#pragma omp atomic capture
    done = ++s->done;
    if (omp_get_thread_num() != 0 || done == s->all)
        return;
    const double now = seconds(), took = now - s->began;
    if (now < s->next)
        return;
    log_info("looks for %s in %d x %d cells: %.0f %% after %.0f s, about %.0f s left", s->what,
             s->nx, s->ny, 100.0 * (double)done / (double)s->all, took,
             took * (double)(s->all - done) / (double)done);
    s->next = now + took;
}
