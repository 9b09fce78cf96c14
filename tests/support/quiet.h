/* Scenes for early exit, the schemes that have it, and the results to compare with; include
 * after cmocka.h. */
#ifndef SHOAL_TEST_QUIET_H
#define SHOAL_TEST_QUIET_H

#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

enum { ROUGH, ISLAND, CORNER, SHEAR, SCENES };

enum { NX = 65, NY = 49 };

/* Dry land, a column of water at one end. */
static inline struct scene rough(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    s.kappa = 0.05;
    scene_random_bed(&s, 0, 0.3, 91);
    scene_level(&s, -1);
    scene_dam(&s, 9, 7, 5, 2);
    return s;
}

/* A lake at rest over an uneven bed; a wave from a corner gradually reaches all of it. */
static inline struct scene corner(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    scene_random_bed(&s, -2, -1, 92);
    scene_dam(&s, 0, ny - 1, 3, 0.2);
    return s;
}

/* A stream that is faster farther north, steady to the last bit. A disturbance reaches as far as
 * the stencil does; on a level surface it would not, as every limiter is zero there. */
static inline struct scene shear(int nx, int ny)
{
    struct scene s = new_scene(nx, ny);
    const int i0 = nx / 2, j0 = ny / 2;
    for (int k = 0; k < (nx + 1) * (ny + 1); k++)
        s.bed[k] = -1;
    for (int k = 0; k < nx * ny; k++) {
        const int j = k / nx;
        s.field[1][k] = (j - j0) / 64.0;
    }
    scene_dam(&s, i0, j0, 1, 0.25);
    return s;
}

static inline struct scene scene(int which, int nx, int ny, enum boundary we, enum boundary sn,
                                 double manning)
{
    struct scene s = which == ROUGH    ? rough(nx, ny)
                     : which == ISLAND ? new_of_case("lake", nx, ny)
                     : which == CORNER ? corner(nx, ny)
                                       : shear(nx, ny);
    if (which == ISLAND)
        scene_dam(&s, 3, 3, 3, 1.2);
    scene_edges(&s, we, sn);
    s.manning = manning;
    s.t_end = 3600;
    return s;
}

/* Does the scheme compile kernels for early exit on demand? */
static inline void for_every_scheme_that_has_it(void (*check)(const struct config *c))
{
    int found = 0;
    FOR_SCHEMES_OF_WATER (k)
        for (int p = 0; schemes[k]->on_demand && p < PRECISIONS; p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            c.early_exit = EARLY_EXIT_ON;
            found++;
            check(&c);
        }
    assert_true(found >= 2 * PRECISIONS);
}

/* The same block for all early-exit kernels. */
static inline struct config cut(const struct config *c, int w, int h)
{
    struct config some = *c;
    const struct scheme *scheme = find_scheme(c->scheme);
    for (const char *const *k = scheme->kernels + scheme->on_demand; *k; k++)
        configure_block(&some, *k, w, h);
    return some;
}

static inline void steps(const struct config *c, struct sim *sim, long n)
{
    if (sim_step_many(sim, n))
        fail_msg("%s: %s", described(c), err_message());
}

static inline void expect_equal(const struct config *c, const char *what,
                                const struct outcome *want, const struct outcome *have)
{
    struct clock clock = have->clock;
    clock.early_exits = want->clock.early_exits;
    clock.map_age = want->clock.map_age;
    expect_same(c, what, &want->state, &have->state, 1);
    if (memcmp(&want->clock, &clock, sizeof clock) != 0)
        fail_msg("%s: %s: step %lu to %.17g s, not step %lu to %.17g s", described(c), what,
                 clock.steps, clock.t, want->clock.steps, want->clock.t);
    if (memcmp(&want->balance, &have->balance, sizeof want->balance) != 0)
        fail_msg("%s: %s: clipped %.17g m3, inflow %.17g; not %.17g, %.17g", described(c), what,
                 have->balance.clipped_in, have->balance.inflow, want->balance.clipped_in,
                 want->balance.inflow);
}

/* A stream without slopes, on which only friction acts. */
static inline struct scene new_stream(const struct config *c)
{
    struct scene s = new_scene(NX, NY);
    for (int k = 0; k < (NX + 1) * (NY + 1); k++)
        s.bed[k] = -1;
    for (int k = 0; k < NX * NY; k++)
        s.field[1][k] = c->precision == F64 ? 1e-3 : 0.5;
    s.manning = 0.05;
    return s;
}

/* In a short step it acts too little to change a number, in a longer one enough. */
static inline struct outcome stream(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    for (int n = 0; n < 20; n++) {
        sim->now.fixed_dt = n < 5 ? 1e-9 : 0.02;
        steps(c, sim, 1);
    }
    struct outcome o = outcome_of(c, sim, s);
    sim_destroy(sim);
    return o;
}

/* The full computation, by the kernels without early exit. */
static inline struct outcome full(const struct config *c, const struct scene *s, long n)
{
    struct config off = *c;
    off.early_exit = EARLY_EXIT_OFF;
    off.order = 0;
    snprintf(off.backend, sizeof off.backend, "cpu");
    struct outcome o = simulated_steps(&off, s, n);
    assert_int_equal(o.clock.early_exits, 0);
    return o;
}

#endif
