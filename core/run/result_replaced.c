/* What a resumed run may replace: a file of the same run that has nothing the new one will lack. */
#include <math.h>

#include "core/run/result_parts.h"
#include "core/sim/hazard.h"
#include "core/sim/maxima.h"

void result_intervals(const struct result *r, double every[SERIES])
{
    struct sim *s = r->sim;
    const struct config *c = s->config;
    every[SERIES_MAPS] = c->every;
    every[SERIES_GAUGES] = gauges_of(s) ? s->gauge_every : (double)NAN;
    every[SERIES_BALANCE] = isnan(c->balance_every) ? c->every : c->balance_every;
    every[SERIES_SECTIONS] = c->sections.count > 0 ? s->gauge_every : (double)NAN;
}

/* Is each multiple of `old` also one of `now`? */
static int covers(double now, double old)
{
    const double n = round(old / now);
    return isnan(old) || (n >= 1 && fabs(old - n * now) <= 1e-9 * old);
}

/* It writes anew whatever follows the restart. */
static enum err check_intervals(const struct result *r, const char *path,
                                const struct ncwrite_end *end)
{
    static const struct {
        const char *rows, *option;
    } of[SERIES] = {{"maps", "every"},
                    {"gauges", "gauge-every"},
                    {"volumes", "balance-every"},
                    {"sections", "gauge-every"}};
    double every[SERIES];
    result_intervals(r, every);
    for (int s = 0; s < SERIES; s++)
        if (end->last[s] > r->sim->now.t && !covers(every[s], end->every[s]))
            FAIL(USAGE,
                 "--restart: '%s' has %s of this run every %.9g s, some of which would be lost: "
                 "give --%s %.9g, or choose another --output",
                 path, of[s].rows, end->every[s], of[s].option, end->every[s]);
    return ERR_OK;
}

static enum err check_length(const struct result *r, const char *path,
                             const struct ncwrite_end *end)
{
    const struct sim *s = r->sim;
    if (end->t > s->t_end)
        FAIL(USAGE,
             "--restart: '%s' already has this run up to t = %.9g s, but would be replaced by one "
             "that ends at %.9g s: choose a later --t-end, or another --output",
             path, end->t, s->t_end);
    if (end->steps > (double)s->now.step_limit)
        FAIL(USAGE,
             "--restart: '%s' already has %.0f steps of this run, but would be replaced by one of "
             "%lu: choose more --steps, or another --output",
             path, end->steps, s->now.step_limit);
    return ERR_OK;
}

/* Maps of maxima are written only at the end. */
static enum err check_maps(const struct result *r, const char *path, const struct ncwrite_end *end)
{
    const int no_maxima = end->maxima && !maxima_kept(r->sim);
    char tile[64] = "";
    if (end->tile[0] > 0 && end->tile[1] > 0)
        snprintf(tile, sizeof tile, " (its tiles have %dx%d cells)", end->tile[0], end->tile[1]);
    if (!end->same)
        FAIL(USAGE,
             "--restart: '%s' has maps or gauges of this run that would be lost: give the same "
             "--variables, --region, gauges and %s%s, --fill-absent if it was written so or by a "
             "full domain, or choose another --output",
             path, r->sim->forest ? "--tile" : "--domain", tile);
    if (no_maxima || (end->hazard && !hazard_kept(r->sim)))
        FAIL(USAGE,
             "--restart: '%s' has maps of this run that would be lost: give --%s, or choose "
             "another --output",
             path, no_maxima ? "maxima" : "hazard");
    return ERR_OK;
}

enum err result_check_replaced(struct result *r, const char *path)
{
    struct ncwrite_end end;
    double last = (double)NAN;
    TRY(job_queue_wait(r->background, NULL));
    ncwrite_look_at_end(r->writer, path, &end);
    for (int s = 0; s < SERIES; s++)
        last = fmax(last, end.last[s]);
    if (isnan(last))
        return ERR_OK;
    TRY(check_length(r, path, &end));
    TRY(check_maps(r, path, &end));
    TRY(check_intervals(r, path, &end));
    r->covered = last;
    return ERR_OK;
}
