/* Reports a time step that falls tenfold in a run: where, and a remedy. */
#include "core/run/time_step_drop.h"

#include <math.h>
#include <string.h>

#include "core/sim/breakdown.h"
#include "core/problem/initial_state.h"
#include "core/base/log.h"

static const double FALL = 0.1;
static const double THIN =
    10; /* times the depth below which velocities are damped: shallower water is a film */

/* The limit by the waves of the last step, s; 0 if nothing moves, or only that is known. */
static double allowed(const struct sim *s)
{
    const struct clock *c = &s->now;
    const double dt = c->dt_y > 0 ? fmin(c->dt_x, c->dt_y) : c->dt_x;
    return dt <= 2 * (c->t_end - c->start.t) ? dt : 0;
}

static double thin(const struct sim *s)
{
    return THIN * sqrt(sqrt(s->physics.kappa4));
}

static int has_kp(const struct sim *s)
{
    return strcmp(s->config->reconstruction, "kp") == 0;
}

/* `dt` is the waves' limit. If it is far below the fastest cell's, a film at one of its faces, or
 * at the edge, is faster still. */
static const char *remedy(const struct sim *s, const struct fastest *f, double dt)
{
    const double size = fmin(s->grid.dx, s->grid.dy);
    const int film = f->face < thin(s) || f->face < FALL * f->depth ||
                     dt * (f->speed + f->celerity) < 0.5 * s->now.courant * size;
    if (has_kp(s) && film)
        return "a film, which kp makes fast at shores and on steep ground: --reconstruction "
               "audusse keeps it slow, and so does a larger --kappa";
    if (f->face < thin(s))
        return "a film: a larger --kappa slows it down";
    return "a torrent: look for a cliff or a hole in the terrain there; --manning slows it down";
}

/* The limit, s, by the deepest water if it flows as fast as its waves. The first film on dry ground
 * has a far larger limit, which means nothing. */
static double deepest_allows(const struct sim *s, const struct fastest *f)
{
    const double c = sqrt(s->physics.g * f->deepest);
    return c > 0 ? s->now.courant * fmin(s->grid.dx, s->grid.dy) / (2 * c) : (double)INFINITY;
}

void slowdown_look(struct slowdown *d, struct sim *s)
{
    struct fastest f;
    const double dt = allowed(s);
    if (!(dt > 0) || s->now.fixed_dt > 0)
        return;
    d->most = fmax(d->most, dt);
    if (!(dt < FALL * d->most) || breakdown_fastest(s, has_kp(s), &f))
        return;
    d->most = fmin(d->most, deepest_allows(s, &f));
    if (!(dt < FALL * d->most))
        return;
    log_info("the time step has fallen to %.3g s at t = %.6g s, where the deepest water, %.3g m, "
             "allows %.3g s: waves are fastest in cell (%d, %d) at x = %.6g m, y = %.6g m, where "
             "water %.3g m deep flows at %.3g m/s; %s",
             dt, s->now.t, f.deepest, deepest_allows(s, &f), f.i, f.j, f.x, f.y, f.face, f.speed,
             remedy(s, &f, dt));
    d->most = dt;
}
