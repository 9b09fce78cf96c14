/* The end of `shoal run`: logs time steps, volumes and the scheme's corrections, then prints the
 * summary line. */
#include "core/command/run_summary.h"

#include <math.h>
#include <stdio.h>

#include "core/base/log.h"
#include "core/sim/alternation.h"
#include "core/sim/breakdown.h"
#include "core/sim/sections.h"
#include "core/sim/sparse.h"
#include "core/sim/springs.h"

static const double MOST_MASS_ERROR = 1e-4; /* without a warning */

static void log_time_step(const struct sim *s)
{
    if (s->now.dt_max > 0) /* else the end shortened the only one */
        log_info("time step %.4g to %.4g s", s->now.dt_min, s->now.dt_max);
    if (s->now.overlong)
        log_warning("--dt %g: %lu of %lu steps were longer than Courant number %g allows",
                    s->now.fixed_dt, s->now.overlong, s->now.steps, s->now.courant);
}

static void log_volume(const struct sim *s, const struct balance *b)
{
    if (s->open_edges)
        log_info("volume %.6g m3; %.6g m3 came in through edges, %.6g m3 went out", b->volume,
                 b->in, b->out);
    else
        log_info("volume %.6g m3", b->volume);
}

/* Logs what came and went otherwise, and the flow through sections. A sink may have found less than
 * it asks for. */
static enum err log_added(struct sim *s, const struct problem *p, const struct balance *b)
{
    double gave, took, passed[SECTION_CHOICES] = {0};
    if (p->setup.rain)
        log_info("%.6g m3 of rain fell", b->rain);
    if (p->setup.soil)
        log_info("%.6g m3 seeped into the ground", b->infiltrated);
    for (int k = 0; k < p->springs.count; k++) {
        TRY(sim_springs_volume(s, &p->springs, k, &gave, &took));
        log_info("source %s added %.6g m3, removed %.6g m3", p->springs.place[k].choice->name, gave,
                 took);
    }
    if (p->setup.sections)
        TRY(sim_sections_volumes(s, p->setup.sections, passed));
    for (int k = 0; k < p->sections.count; k++)
        log_info("section %s: %.6g m3 have passed", p->sections.place[k].choice->name, passed[k]);
    return ERR_OK;
}

/* Changes of the water by rounding, drying or a biased limiter. */
static void warn_of_mass_error(const struct sim *s, const struct balance *b)
{
    const double error = sim_mass_error(s, b);
    if (fabs(error) > MOST_MASS_ERROR)
        log_warning(
            "the volume is off by %.2g of %s plus inflow%s", error,
            s->system->over_bed ? "initial volume" : "what could move at the start",
            s->real_size < sizeof(double) ? "; --precision f64 shows whether rounding did it" : "");
}

/* Conserved quantities other than volume, and an unknown's excess over its bounds. */
static enum err log_others(struct sim *s, double *excess)
{
    struct balance b;
    for (int k = 1; k < s->system->conserveds && !s->system->over_bed; k++) {
        TRY(sim_balance_of(s, k, &b));
        log_info("%s: %+.6g %s (in %.6g, out %.6g, error %.3g)", s->system->conserved[k].title,
                 b.volume, s->system->conserved[k].units, b.in, b.out,
                 b.volume - s->total0[k] - b.inflow);
    }
    TRY(sim_excess(s, excess));
    if (*excess > 0)
        log_warning("scheme %s let an unknown leave its bounds by up to %.3g", s->scheme->name,
                    *excess);
    return *excess > BROKEN_BOUNDS ? breakdown_error(s) : ERR_OK; /* includes the last step's */
}

/* The contract of the last line on stdout: these keys, in this order. */
static enum err print_summary(struct sim *s, const struct problem *p, const struct balance *b,
                              double excess)
{
    const struct config *c = s->config;
    struct sparse_report r;
    TRY(sparse_tell(s, &r));
    const struct sim_division d = sim_divided(s);
    char scheme[2 * NAME_LENGTH];
    alternation_name(s, scheme, sizeof scheme);
    printf("run: case=%s scheme=%s", p->name, scheme);
    if (s->system->over_bed)
        printf(" limiter=%s flux=%s", c->limiter, c->flux);
    printf(" backend=%s precision=%s mode=%s cells=%.0f "
           "steps=%lu redone=%lu t=%.10g wall=%.4f mcells_per_s=%.2f mass_error=%.3e clipped=%.3e "
           "early_exit=%lu volume_in=%.10g volume_out=%.10g parts=%d ranks=%d exchange=%s",
           s->backend->name, precision_names[c->precision], mode_names[c->mode], sim_cells(s),
           s->now.steps, s->now.redone, s->now.t, s->wall,
           s->wall > 0 ? r.share * sim_cells(s) * (double)s->now.steps / s->wall / 1e6 : 0,
           sim_mass_error(s, b), sim_share(s, b, b->clipped_in), s->now.early_exits, sim_came_in(b),
           sim_went_out(b), d.parts, d.ranks, d.exchange);
    if (!s->system->over_bed)
        printf(" excess=%.3e", excess + 0); /* no sign of zero */
    if (s->forest)
        printf(" tiles=%d tiles_most=%d cells_stored=%.0f", r.tiles, r.tiles_most, r.cells);
    putchar('\n');
    if (s->forest)
        log_info(
            "sparse domain: %.3g %% of a full domain's updates, equivalent to %.0f Mcells/s of a "
            "full domain; added %ld tiles in %ld pause%s, which took %.3g s",
            100 * r.share, s->wall > 0 ? sim_cells(s) * (double)s->now.steps / s->wall / 1e6 : 0,
            r.made, r.halts, r.halts == 1 ? "" : "s", r.seconds);
    return ERR_OK;
}

enum err run_summary_print(struct sim *s, const struct problem *p, const struct balance *b)
{
    double excess = 0;
    log_time_step(s);
    log_volume(s, b);
    TRY(log_added(s, p, b));
    warn_of_mass_error(s, b);
    TRY(log_others(s, &excess));
    return print_summary(s, p, b, excess);
}
