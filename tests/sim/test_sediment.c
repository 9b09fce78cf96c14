/* Two sediments in a basin: what their schemes compute, and that the result does not depend on how it is computed. */
#include "tests/support/test.h"

#include <math.h>

#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/near.h"
#include "tests/support/need_gpu.h"
#include "tests/support/simulate.h"

enum { NX = 23, NY = 17, CELLS = NX * NY };

static const double size = 1.5;  /* of a cell, m */
static const double layer = 0.5; /* m */
#define COMPACTION 0.6, 0.4
static const double compaction[] = {COMPACTION};

static unsigned seed;
static int how; /* the views of the basin */

/* From 0 to 1, by the cell in which a point lies: the same place of the basin in every view. */
static double chance(double x, double y, unsigned what)
{
    int i = (int)floor(x / size), j = (int)floor(y / size);
    if (how & EXCHANGE) {
        const int k = i;
        i = j, j = k;
    }
    if (how & MIRROR_X)
        i = NX - 1 - i;
    if (how & MIRROR_Y)
        j = NY - 1 - j;
    unsigned h = (unsigned)(i + 1) * 0x9e3779b9u ^ (unsigned)(j + 1) * 0x85ebca6bu ^
                 (what + 8 * seed + 1) * 0xc2b2ae35u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)(h ^ h >> 15) / 4294967295.0;
}

/* Some cells have only one sediment. */
static double rough(double x, double y, int k)
{
    const double c = chance(x, y, (unsigned)k);
    return k == 0 ? 3 * c : fmin(fmax(1.2 * c - 0.1, 0), 1);
}

/* An input that the published scheme can stand for a while, too. */
static double smooth(double x, double y, int k)
{
    return k == 0 ? 3 + sin(0.2 * x) + 1e-3 * chance(x, y, 0)
                  : 0.5 + 0.1 * sin(0.3 * x + 0.2 * y) + 1e-3 * chance(x, y, 1);
}

static double coefficient(double x, double y, int k)
{
    return 0.1 + chance(x, y, 2 + (unsigned)k) * (k ? 2 : 1);
}

static double even(double x, double y, int k)
{
    (void)x, (void)y;
    return k ? 0.4 : 0.6;
}

static double added(double x, double y, int k)
{
    return 1e-3 * chance(x, y, 5) * (k ? 0.3 : 1);
}

static const struct flow_case basin = {
    .name = "basin",
    .title = "a basin",
    .cite = "-",
    .system = "sediment",
    .nx = NX,
    .ny = NY,
    .lx = NX * size,
    .ly = NY * size,
    .t_end = 100,
    .value = rough,
    .given = coefficient,
    .constant = {COMPACTION, layer},
};

static struct flow_case with_edges(void)
{
    struct flow_case c = basin;
    c.value = smooth;
    c.given = even;
    c.boundary[WEST] = c.boundary[SOUTH] = SUPPLY;
    c.boundary[EAST] = LOSS;
    c.edge[WEST] = (struct edge_state){.in = {2e-3, 5e-3}};
    c.edge[SOUTH] = (struct edge_state){.in = {0, 3e-3}};
    c.edge[EAST] = (struct edge_state){.in = {-4e-3}};
    c.reach[SOUTH].from = 6, c.reach[SOUTH].to = 12;
    return c;
}

static struct flow_case round_trip(void)
{
    struct flow_case c = basin;
    c.value = smooth;
    c.given = even;
    for (int e = 0; e < EDGES; e++)
        c.boundary[e] = PERIODIC;
    c.rise[0][0] = -3;
    c.rise[1][0] = 1;
    c.added = added;
    return c;
}

/* A run as the command line makes it; the problem must stay where it is. */
struct run {
    struct config c;
    struct problem p;
    struct sim *sim;
};

static struct config usual(const char *scheme)
{
    struct config c;
    configure(&c, scheme, F64);
    c.precision_chosen = 1;
    return c;
}

static void open_run(struct run *r, const struct flow_case *f, const struct config *c)
{
    r->c = *c;
    fine(problem_open_case(&r->p, f, &r->c));
    fine(sim_create(&r->sim, &r->p.setup));
}

static void close_run(struct run *r)
{
    sim_destroy(r->sim);
    problem_close(&r->p);
}

struct state {
    double h[CELLS], s[CELLS], excess;
    struct balance volume, sand;
    struct clock clock;
};

/* `state` may be null. If there is an error, err_message has its text. */
static enum err ran(const struct flow_case *f, const struct config *c, struct state *state)
{
    static struct run r;
    open_run(&r, f, c);
    const enum err e = sim_run(r.sim, (double)INFINITY, NULL);
    if (state && !e) {
        memset(state, 0, sizeof *state);
        fine(sim_read(r.sim, sim_unknown(r.sim, 0), NULL, state->h));
        fine(sim_read(r.sim, sim_unknown(r.sim, 1), NULL, state->s));
        fine(sim_balance_of(r.sim, 0, &state->volume));
        fine(sim_balance_of(r.sim, 1, &state->sand));
        fine(sim_excess(r.sim, &state->excess));
        state->clock = r.sim->now;
    }
    close_run(&r);
    return e;
}

static const char *const schemes_of_it[] = {"basin", "basin_cons"};

/* What the kernels must compute, as plainly as possible: one step of dt, without edges. */
struct plain {
    double h[NY + 2][NX + 2], s[NY + 2][NX + 2], a[NY + 2][NX + 2], b[NY + 2][NX + 2];
};

static void take_start(struct plain *p, const struct flow_case *f)
{
    for (int j = 0; j < NY + 2; j++)
        for (int i = 0; i < NX + 2; i++) {
            const int u = i < 1    ? 0
                          : i > NX ? NX - 1
                                   : i - 1,
                      v = j < 1    ? 0
                          : j > NY ? NY - 1
                                   : j - 1;
            const double x = (u + 0.5) * size, y = (v + 0.5) * size;
            p->h[j][i] = f->value(x, y, 0);
            p->s[j][i] = f->value(x, y, 1);
            p->a[j][i] = f->given(x, y, 0);
            p->b[j][i] = f->given(x, y, 1);
        }
}

static double sand_of(const struct plain *p, int i, int j)
{
    return p->a[j][i] * p->s[j][i];
}

static double mud_of(const struct plain *p, int i, int j)
{
    return p->b[j][i] * (1 - p->s[j][i]);
}

static const int aside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Eqs. (3) and (4) of Su et al. 2013. */
static void step_as_published(const struct plain *p, double dt, double h[CELLS], double s[CELLS])
{
    static double fresh[NY + 2][NX + 2];
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                const int u = i + aside[k][0], v = j + aside[k][1];
                sum += (0.5 * (sand_of(p, i, j) + sand_of(p, u, v)) / compaction[0] +
                        0.5 * (mud_of(p, i, j) + mud_of(p, u, v)) / compaction[1]) *
                       (p->h[v][u] - p->h[j][i]);
            }
            fresh[j][i] = p->h[j][i] + dt * sum / (size * size);
        }
    for (int j = 1; j <= NY; j++)
        fresh[j][0] = fresh[j][1], fresh[j][NX + 1] = fresh[j][NX];
    for (int i = 1; i <= NX; i++)
        fresh[0][i] = fresh[1][i], fresh[NY + 1][i] = fresh[NY][i];
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sum = 0;
            for (int axis = 0; axis < 2; axis++) {
                const int e = axis == 0, n = axis == 1;
                const double low = fresh[j - n][i - e], high = fresh[j + n][i + e];
                const double here = sand_of(p, i, j);
                const double rise = high - low;
                sum += here * (low - 2 * fresh[j][i] + high) +
                       0.5 * rise *
                           (rise > 0 ? sand_of(p, i + e, j + n) - here
                                     : here - sand_of(p, i - e, j - n));
            }
            const int k = (j - 1) * NX + i - 1;
            h[k] = fresh[j][i];
            s[k] = p->s[j][i] + (dt * sum / (compaction[0] * size * size) -
                                 p->s[j][i] * (fresh[j][i] - p->h[j][i])) /
                                    layer;
        }
}

static void step_by_fluxes(const struct plain *p, double dt, double h[CELLS], double s[CELLS])
{
    for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++) {
            double sand = 0, mud = 0;
            for (int k = 0; k < 4; k++) {
                const int u = i + aside[k][0], v = j + aside[k][1];
                const double rise = p->h[v][u] - p->h[j][i];
                sand += rise / compaction[0] * (rise > 0 ? sand_of(p, u, v) : sand_of(p, i, j));
                mud += rise / compaction[1] * (rise > 0 ? mud_of(p, u, v) : mud_of(p, i, j));
            }
            const int k = (j - 1) * NX + i - 1;
            const double own = p->s[j][i], by = dt / (size * size);
            h[k] = p->h[j][i] + by * (sand + mud);
            s[k] = own + by / layer * ((1 - own) * sand - own * mud);
        }
}

/* The unknown, "h" or "s", that one step of a scheme computes wrongly; "" where both are right. */
static const char *wrong_in(const char *scheme)
{
    static struct plain p;
    static struct state got;
    static double h[CELLS], s[CELLS];
    const double dt = 0.002;
    struct config c = usual(scheme);
    double off_h = 0, off_s = 0;
    c.dt = dt;
    c.steps = 1;
    take_start(&p, &basin);
    (strcmp(scheme, "basin") == 0 ? step_as_published : step_by_fluxes)(&p, dt, h, s);
    fine(ran(&basin, &c, &got));
    for (int k = 0; k < CELLS; k++) {
        off_h = fmax(off_h, fabs(got.h[k] - h[k]));
        off_s = fmax(off_s, fabs(got.s[k] - s[k]));
    }
    return off_h > 1e-14 ? "h" : off_s > 1e-14 ? "s" : "";
}

static void a_step_is_that_of_the_equations(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_string_equal(wrong_in(schemes_of_it[k]), "");
}

static void planted_mistakes_are_seen_in_what_they_spoil(void **state)
{
    static const struct {
        const char *what, *scheme, *right, *wrong, *spoils;
    } plants[] = {
        {"downwind", "basin", "rise > REAL(0) ? a_high - a : a - a_low",
         "rise < REAL(0) ? a_high - a : a - a_low", "s"},
        {"old h in the second kernel", "basin", "LOAD(a.to_h[(k)", "LOAD(a.h[(k)", "s"},
        {"a geometric mean", "basin", "REAL(0.5) * (a + b)", "root(a * b)", "h"},
        {"Cs for Cm", "basin", "a.p.PER_MUD)", "a.p.PER_SAND)", "h"},
        {"downhill", "basin_cons", "(rise > REAL(0) ? there : here)",
         "(rise < REAL(0) ? there : here)", "h"},
        {"Cs for Cm", "basin_cons", "a.p.PER_MUD)", "a.p.PER_SAND)", "h"},
        {"sand for mud", "basin_cons", "- share * mud)", "- share * sand)", "s"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        scratch_create();
        kernel_copy(scratch);
        kernel_plant("systems/sediment.cu", plants[k].right, plants[k].wrong);
        const char *spoilt = wrong_in(plants[k].scheme);
        kernel_copy_leave();
        scratch_remove(NULL);
        if (strcmp(spoilt, plants[k].spoils) != 0)
            fail_msg("%s in %s: '%s' is wrong, not '%s'", plants[k].what, plants[k].scheme, spoilt,
                     plants[k].spoils);
    }
}

static void expect_same_state(const struct state *a, const struct state *b, const char *what)
{
    if (memcmp(a->h, b->h, sizeof a->h) != 0 || memcmp(a->s, b->s, sizeof a->s) != 0)
        fail_msg("%s: the state differs", what);
    if (memcmp(&a->volume, &b->volume, sizeof a->volume) != 0 ||
        memcmp(&a->sand, &b->sand, sizeof a->sand) != 0 || a->excess != b->excess)
        fail_msg("%s: volume %.17g and %.17g, sand %.17g and %.17g, excess %g and %g", what,
                 a->volume.volume, b->volume.volume, a->sand.volume, b->sand.volume, a->excess,
                 b->excess);
    if (a->clock.t != b->clock.t || a->clock.steps != b->clock.steps)
        fail_msg("%s: %lu steps to %g s, and %lu to %g s", what, a->clock.steps, a->clock.t,
                 b->clock.steps, b->clock.t);
}

static void check_ways(const struct flow_case *f, const char *scheme)
{
    static struct state plain, other;
    struct config c = usual(scheme);
    c.steps = 12;
    c.dt = f->boundary[WEST] == PERIODIC ? 0.01 : (double)NAN;
    fine(ran(f, &c, &plain));
    assert_int_equal(plain.clock.steps, 12);
    struct config blocks = c, threads = c, parts = c, tiles = c, both = c, shuffled = c;
    configure_block(&blocks, "basin_h", 7, 3);
    configure_block(&blocks, "basin_s", 5, 4);
    configure_block(&blocks, "basin_cons", 3, 17);
    configure_block(&blocks, "basin_limit", 4, 4);
    configure_block(&blocks, "basin_take", 23, 1);
    threads.threads = 2;
    fine(shares_read("3x2", &parts.parts));
    tiles.tile = (struct tile_size){8, 5};
    fine(shares_read("2x1", &both.parts));
    both.tile = (struct tile_size){7, 6};
    shuffled.order = 2;
    const struct {
        const struct config *c;
        const char *what;
    } ways[] = {{&blocks, "other blocks"}, {&threads, "two threads"},
                {&parts, "parts"},         {&tiles, "tiles"},
                {&both, "parts in tiles"}, {&shuffled, "shuffled threads"}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        fine(ran(f, ways[k].c, &other));
        expect_same_state(&plain, &other, ways[k].what);
    }
}

static const char *const rungs[] = {"READS=0,PRODUCTS=1",   "HALO_THREADS=1",
                                    "POINTS=1,READS=2",     "ONE_KERNEL=1",
                                    "ONE_KERNEL=1,PAIRS=0", "PAIRS=0"};

/* The case of a run with steps of fixed length or without. */
static struct flow_case of_rungs(int fixed, struct config *c)
{
    *c = usual("basin");
    c->steps = 7;
    c->cfl = 0.02;
    c->dt = fixed ? 0.01 : (double)NAN;
    return fixed ? round_trip() : with_edges();
}

static void check_rung(const struct flow_case *f, const struct config *c, const char *rung,
                       const struct state *plain)
{
    static struct state other;
    struct config with = *c;
    snprintf(with.define, sizeof with.define, "%s", rung);
    fine(ran(f, &with, &other));
    expect_same_state(plain, &other, rung);
}

/* In a basin whose edges bring sediment, and in a periodic one with a step. In one of them threads are shuffled:
 * fixed steps have kernels of their own, each of which must be compiled. */
static void no_rung_of_the_ladder_changes_a_bit(void **state)
{
    static struct state plain;
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct config c;
        const struct flow_case f = of_rungs(fixed, &c);
        fine(ran(&f, &c, &plain));
        for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++)
            for (c.order = 0; c.order <= (fixed ? 0 : 2); c.order += 2)
                check_rung(&f, &c, rungs[k], &plain);
    }
}

/* Nor on a GPU, with those of a CPU. */
static void no_rung_of_the_ladder_changes_a_bit_on_cuda(void **state)
{
    static struct state plain;
    (void)state;
    need_gpu("backend cuda");
    for (int fixed = 0; fixed < 2; fixed++) {
        struct config c;
        const struct flow_case f = of_rungs(fixed, &c);
        fine(ran(&f, &c, &plain));
        snprintf(c.backend, sizeof c.backend, "cuda");
        check_rung(&f, &c, "READS=1", &plain);
        for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++)
            check_rung(&f, &c, rungs[k], &plain);
    }
}

/* With a fixed step a pass makes two; an odd number of steps, or an end in between, leaves the solution in the other
 * array. */
static void two_steps_of_a_pass_are_two_steps(void **state)
{
    static struct state single, pairs;
    const struct flow_case f = with_edges();
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int steps = 6; steps <= 9; steps++) {
            struct config c = usual(schemes_of_it[k]);
            c.dt = 0.1;
            c.t_end = 0.1 * (steps - 0.5);
            snprintf(c.define, sizeof c.define, "PAIRS=0");
            fine(ran(&f, &c, &single));
            *c.define = '\0';
            fine(ran(&f, &c, &pairs));
            assert_int_equal(pairs.clock.steps, steps);
            expect_same_state(&single, &pairs, schemes_of_it[k]);
            c.t_end = 100;
            c.steps = steps;
            fine(shares_read("2x2", &c.parts));
            fine(ran(&f, &c, &pairs));
            assert_int_equal(pairs.clock.steps, steps);
            c.parts = usual("basin").parts;
            snprintf(c.define, sizeof c.define, "PAIRS=0");
            fine(ran(&f, &c, &single));
            expect_same_state(&single, &pairs, schemes_of_it[k]);
        }
}

static void any_block_thread_part_and_tile_gives_the_same_bits(void **state)
{
    const struct flow_case supplied = with_edges(), round = round_trip();
    (void)state;
    for (int k = 0; k < 2; k++) {
        check_ways(&supplied, schemes_of_it[k]);
        check_ways(&round, schemes_of_it[k]);
    }
}

/* The cell of a view at the place of (i, j) in the plain basin. */
static int seen_at(int i, int j, int view)
{
    const int u = view & MIRROR_X ? NX - 1 - i : i, v = view & MIRROR_Y ? NY - 1 - j : j;
    return view & EXCHANGE ? u * NY + v : v * NX + u;
}

static void mirrored_and_exchanged_basins_have_the_same_bits(void **state)
{
    static struct state plain, other;
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = usual(schemes_of_it[k]);
        struct flow_case f = basin;
        c.steps = 6;
        c.dt = k == 0 ? 1e-3 : (double)NAN;
        fine(ran(&f, &c, &plain));
        for (how = 1; how < 8; how++) {
            f.nx = how & EXCHANGE ? NY : NX;
            f.ny = how & EXCHANGE ? NX : NY;
            f.lx = f.nx * size;
            f.ly = f.ny * size;
            fine(ran(&f, &c, &other));
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    const int n = seen_at(i, j, how);
                    if (plain.h[j * NX + i] != other.h[n] || plain.s[j * NX + i] != other.s[n])
                        fail_msg("%s seen otherwise (%d): cell (%d, %d) differs", schemes_of_it[k],
                                 how, i, j);
                }
        }
        how = 0;
    }
}

/* More than 20,000 cells at the step that the scheme claims, each with values unrelated to its neighbours'. */
static void the_share_of_sand_stays_between_0_and_1_in_the_conservative_scheme(void **state)
{
    static struct state end;
    (void)state;
    for (seed = 1; seed <= 52; seed++) {
        struct config c = usual("basin_cons");
        struct flow_case f = basin;
        if (seed % 2) {
            f = with_edges();
            f.value = rough;
            f.given = coefficient;
        }
        c.steps = seed % 4 ? 3 : 100;
        fine(ran(&f, &c, &end));
        if (end.excess > 0)
            fail_msg("basin %u: the share is beyond its bounds by %g", seed, end.excess);
        const double error = end.sand.volume - end.sand.inflow;
        if (fabs(error) > 1e-12)
            fail_msg("basin %u: %g m3 of sand are gained", seed, error);
    }
    seed = 0;
}

static void the_published_scheme_reports_its_excess_and_gives_up(void **state)
{
    struct config c = usual("basin");
    static struct state end;
    (void)state;
    c.steps = 1;
    c.dt = 1e-3;
    fine(ran(&basin, &c, &end));
    assert_true(end.excess > 0 && end.excess < 0.1);
    c.steps = 1000;
    c.dt = (double)NAN;
    assert_int_equal(ran(&basin, &c, NULL), ERR_BROKEN);
    if (!strstr(err_message(), "the share of sand, s, is ") || !strstr(err_message(), " in cell ("))
        fail_msg("%s", err_message());
}

static double alone;
static double one_sediment(double x, double y, int k)
{
    return k == 0 ? rough(x, y, 0) : alone;
}

static void one_sediment_stays_alone_to_the_bit(void **state)
{
    static struct state end;
    (void)state;
    for (alone = 0; alone <= 1; alone++) {
        struct flow_case f = with_edges();
        struct config c = usual("basin_cons");
        f.value = one_sediment;
        f.given = coefficient;
        f.edge[WEST].in[alone > 0 ? 1 : 0] = 0;
        f.edge[SOUTH].in[0] = alone > 0 ? 3e-3 : 0;
        f.edge[SOUTH].in[1] = alone > 0 ? 0 : 3e-3;
        c.steps = 40;
        fine(ran(&f, &c, &end));
        for (int k = 0; k < CELLS; k++)
            if (end.s[k] != alone)
                fail_msg("cell %d: a share of %.17g, not %g", k, end.s[k], alone);
    }
}

/* What enters is a given number of m2/s along this many metres. */
static void edges_bring_what_they_are_given(void **state)
{
    static struct state end;
    const struct flow_case f = with_edges();
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = usual(schemes_of_it[k]);
        c.t_end = 5;
        fine(ran(&f, &c, &end));
        const double west = NY * size, south = 4 * size, all = 5 * (7e-3 * west + 3e-3 * south);
        ASSERT_NEAR(end.volume.in, all, 1e-12 * all);
        ASSERT_NEAR(end.volume.out, 5 * 4e-3 * west, 1e-12);
        ASSERT_NEAR(end.sand.in, 5 * 2e-3 * west, 1e-12);
        assert_true(end.sand.out > 0.1 * end.volume.out && end.sand.out < 0.9 * end.volume.out);
    }
}

static void f32_loses_what_is_small_beside_h(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct run r;
        struct config c = usual(schemes_of_it[k]);
        const struct flow_case f = with_edges();
        struct balance b;
        double excess;
        c.precision = F32;
        c.steps = 20;
        open_run(&r, &f, &c);
        fine(sim_run(r.sim, (double)INFINITY, NULL));
        fine(sim_balance(r.sim, &b));
        fine(sim_excess(r.sim, &excess));
        assert_true(fabs(sim_mass_error(r.sim, &b)) < 1e-5);
        assert_true(excess == 0);
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_that_of_the_equations),
        cmocka_unit_test(planted_mistakes_are_seen_in_what_they_spoil),
        cmocka_unit_test(any_block_thread_part_and_tile_gives_the_same_bits),
        cmocka_unit_test(two_steps_of_a_pass_are_two_steps),
        cmocka_unit_test(no_rung_of_the_ladder_changes_a_bit),
        cmocka_unit_test(no_rung_of_the_ladder_changes_a_bit_on_cuda),
        cmocka_unit_test(mirrored_and_exchanged_basins_have_the_same_bits),
        cmocka_unit_test(the_share_of_sand_stays_between_0_and_1_in_the_conservative_scheme),
        cmocka_unit_test(the_published_scheme_reports_its_excess_and_gives_up),
        cmocka_unit_test(one_sediment_stays_alone_to_the_bit),
        cmocka_unit_test(edges_bring_what_they_are_given),
        cmocka_unit_test(f32_loses_what_is_small_beside_h),
    };
    return cmocka_run_group_tests_name("sediment", tests, kernel_home_keep, NULL);
}
