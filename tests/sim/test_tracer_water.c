/* What rain, soil, sources and sinks do to a tracer: it is diluted, moves with the water, and all of it is accounted
 * for. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/log.h"
#include "core/sim/balance.h"
#include "tests/support/checkpoints.h"

static struct config config_with(const char *scheme, enum precision p)
{
    struct config c = config_of(scheme, p);
    set(&c, "bc-west", "discharge:1,c=0.5");
    set(&c, "tracer", "0.25");
    set(&c, "rain", "7200");
    set(&c, "infiltration", "3600");
    set(&c, "suction", "50");
    set(&c, "deficit", "0.3");
    set(&c, "source", "dye,-8,3,15,3,c=2");
    set(&c, "source", "clean,9,-5,8");
    set(&c, "source", "drain,0,0,-20");
    set(&c, "source", "sponge,14,12,-5,2");
    return c;
}

/* Amount of the tracer: m3 times c. */
static struct balance amount_of(struct run *r)
{
    struct balance b;
    fine(sim_balance_of(r->sim, 1, &b));
    return b;
}

static void expect_closed(const char *scheme, enum precision p)
{
    struct config c = config_with(scheme, p);
    struct run r;
    start(&r, &c);
    step_to(&r, (double)INFINITY);
    const struct balance b = amount_of(&r);
    const double all = r.sim->total0[1] + b.in + b.gave;
    const double lost = b.volume - r.sim->total0[1] - b.inflow - b.clipped_in;
    if (!(fabs(lost) <= (p == F64 ? 1e-10 : 2e-6) * all))
        fail_msg("%s: of %.9g there is %.9g, %.3g is missing", described(&c), all, b.volume, -lost);
    if (!(fabs(b.gave - 2 * 15 * c.t_end) <= 1e-10) || !(b.took > 0.01) || !(b.infiltrated > 0.01))
        fail_msg("%s: %.17g came, %g went to sinks, %g into the ground", described(&c), b.gave,
                 b.took, b.infiltrated);
    end(&r);
}

static void its_amount_closes_with_what_comes_and_goes(void **state)
{
    (void)state;
    for (int p = F32; p <= F64; p++) {
        expect_closed("rk2", (enum precision)p);
        expect_closed("rk2_fused", (enum precision)p);
    }
}

/* c at a point of still water 0.5 m deep, where it was 0.25. */
static double c_after(const char *option, const char *value, double x, double y)
{
    struct config c = config_of("rk2", F32);
    struct run r;
    static float all[CELLS];
    snprintf(c.input, sizeof c.input, "circular-dam");
    set(&c, "bc-west", "wall");
    set(&c, "bc-east", "wall");
    set(&c, "tracer", "0.25");
    set(&c, option, value);
    c.t_end = 0.05;
    start(&r, &c);
    step_to(&r, (double)INFINITY);
    fine(sim_read(r.sim, sim_unknown(r.sim, 3), NULL, all));
    const struct grid_info *g = &r.p.setup.grid;
    const double found = (double)all[(int)((y - g->y0) / g->dy) * NX + (int)((x - g->x0) / g->dx)];
    end(&r);
    return found;
}

static void expect_c(double have, double low, double high, const char *what)
{
    if (!(have >= low && have <= high))
        fail_msg("%s: c is %.9g", what, have);
}

static void what_seeps_away_or_is_pumped_away_leaves_c_alone(void **state)
{
    (void)state;
    expect_c(c_after("infiltration", "90000", -15, -12), 0.25, 0.25, "infiltration");
    expect_c(c_after("source", "pump,-15,-12,-0.5", -15, -12), 0.25, 0.25, "a sink");
}

/* A cell of 1.29 m2 with 0.5 m of water receives 0.01 m3. */
static void what_comes_mixes(void **state)
{
    (void)state;
    expect_c(c_after("source", "spring,-15,-12,0.2", -15, -12), 0.245, 0.2475, "clean water");
    expect_c(c_after("source", "spring,-15,-12,0.2,c=4", -15, -12), 0.29, 0.32, "dye");
    expect_c(c_after("source", "spring,-15,-12,0.2,c=0.25", -15, -12), 0.25 - 1e-6, 0.25 + 1e-6,
             "the same water");
}

static void parts_and_restarts_change_no_bit(void **state)
{
    struct config c = config_with("rk2_fused", F32), cut;
    struct run straight, second;
    (void)state;
    run_straight(&straight, &c);
    cut = c;
    set(&cut, "parts", "2x2");
    set(&cut, "block", "soil=4x3");
    keep_at(&cut, KEPT_AT);
    resume(&second, &cut);
    expect_equal(&straight, &second, "a tracer in rain and soil, in parts and restarted");
    end(&second);
    end(&straight);
}

static void expect_refused(const char *typed, const char *words)
{
    struct config c = config_of("rk2", F32);
    struct problem p = {0};
    enum err e = option_set(option_find(run_options, "source"), &c, typed);
    e = e ? e : problem_open(&p, &c);
    expect_refusal(ERR_USAGE, e, words);
    problem_close(&p);
}

static void a_concentration_needs_a_tracer_and_a_number(void **state)
{
    (void)state;
    expect_refused("a,0,0,1,c=1", "c= gives a tracer's concentration, but this run has no tracer");
    expect_refused("a,0,0,1,c=-1", "after c= expected the inflow's concentration");
    expect_refused("a,0,0,1,2,c=", "after c= expected the inflow's concentration");
    expect_refused("a,0,0,1,2,3,c=1", "more than 5 parts");
}

static void what_comes_in_fits_the_precision(void **state)
{
    struct config c = config_of("rk2", F32);
    struct problem p;
    struct sim *s = NULL;
    (void)state;
    set(&c, "tracer", "0");
    set(&c, "source", "a,-8,3,1,c=1e39");
    fine(problem_open(&p, &c));
    expect_refusal(ERR_INPUT, sim_create(&s, &p.setup), "c = 1e+39, and single precision");
    assert_null(s);
    problem_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(what_comes_in_fits_the_precision),
        IN_SCRATCH(its_amount_closes_with_what_comes_and_goes),
        IN_SCRATCH(what_seeps_away_or_is_pumped_away_leaves_c_alone),
        IN_SCRATCH(what_comes_mixes),
        IN_SCRATCH(parts_and_restarts_change_no_bit),
        IN_SCRATCH(a_concentration_needs_a_tracer_and_a_number),
    };
    log_quiet(2);
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return cmocka_run_group_tests_name("tracer_water", tests, NULL, NULL);
}
