/* The cycle in which a run chooses between steps with and without early exit. */
#include "core/sim/cycle.h"

#include <math.h>

#include "core/base/log.h"
#include "core/sim/halo.h"

enum { CYCLE = 100, FIRST_CYCLE = 20 }; /* steps */

/* Where the two times differ by less, which is faster changes to and fro: the log does not tell each change. */
static const double clear = 1.1;

/* Domains below 256 x 256 cells are not worth the timing. */
enum { SMALL = 256 * 256 };

int cycle_pays(const struct sim *s)
{
    const struct grid_info *const domain = s->whole ? &s->whole->grid : &s->grid;
    return (double)domain->nx * (double)domain->ny >= SMALL;
}

/* The phase after this one, in the same cycle. */
static enum phase after(const struct cycle *c)
{
    if (c->now == REST)
        return REST;
    return c->now == TIME_EXIT && !c->settles ? TIME_PLAIN : (enum phase)(c->now + 1);
}

enum err cycle_begin(struct sim *s, struct cycle *c, int *use)
{
    if (c->step < FIRST_CYCLE)
        c->now = BEFORE_CYCLES;
    else
        c->now = c->before == 0 ? REFRESH : after(c);
    *use = c->now == REFRESH || c->now == TIME_EXIT || (c->now == REST && c->faster);
    if (c->now == TIME_EXIT)
        return s->backend->mark(s->device, 0);
    return c->now == TIME_PLAIN ? s->backend->mark(s->device, 2) : ERR_OK;
}

/* Compares the two times, once both have been taken. */
static enum err compare(struct sim *s, struct cycle *c)
{
    double with = 0, without = 0;
    TRY(s->backend->mark(s->device, 3));
    TRY(s->backend->between(s->device, 0, 1, &with));
    TRY(s->backend->between(s->device, 2, 3, &without));
    without /= c->steps;
    int faster = with < without;
    TRY(sim_agree(s, &faster));
    const int clearly = fmax(with, without) > clear * fmin(with, without);
    if ((faster != c->told && clearly) || c->step < FIRST_CYCLE + CYCLE) {
        log_info("early exit%s%s %s from step %ld: %.3g ms with, %.3g ms without",
                 c->who ? " by " : "", c->who ? c->who : "", faster ? "on" : "off", c->step + 1,
                 1e3 * with, 1e3 * without);
        c->told = faster;
    }
    c->faster = faster;
    return ERR_OK;
}

enum err cycle_end(struct sim *s, struct cycle *c)
{
    const int with = c->now == REFRESH || c->now == TIME_EXIT || (c->now == REST && c->faster);
    const long made = with ? 1 : c->steps;
    if (c->now == TIME_EXIT)
        TRY(s->backend->mark(s->device, 1));
    if (c->now == TIME_PLAIN)
        TRY(compare(s, c));
    c->step += made;
    if (c->now != BEFORE_CYCLES)
        c->before = c->before + made < CYCLE ? c->before + made : 0;
    return ERR_OK;
}
