/* What edges impose holds at their faces, whatever limiter, flux and reconstruction do with the ghost cells. */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include "core/problem/initial_state.h"
#include "tests/support/simulate.h"
#include "verification/contracts/plugin_loader.h"

enum { NX = 12, NY = 9, RIM = 2 * (NX + NY) };

static int compile_quickly(void **state)
{
    (void)state;
    setenv("SHOAL_KERNEL_CFLAGS", "-O0", 0); /* compiling takes longer than these runs */
    return 0;
}

static double rounding(const struct config *c)
{
    return c->precision == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

/* Rough ground under water that flows everywhere; an edge of `kind` on each side, which imposes about the level or
 * the depth inside, or only a `thin` layer. */
static struct scene stirred(enum boundary kind, int thin)
{
    const double depth = thin ? 0.02 : 0.9, level = thin ? -0.6 : 0.15;
    struct scene s = new_scene(NX, NY);
    scene_random_bed(&s, -1.2, -0.6, 7);
    scene_level(&s, 0.1);
    scene_stir(&s, thin ? 0.7 : 0.2, 5);
    scene_dam(&s, 3, 4, 4, 0.3);
    for (int e = 0; e < EDGES; e++) {
        s.boundary[e] = kind;
        s.edge[e] = (struct edge_state){.h = kind == LEVEL ? level : depth,
                                        .hu = e % 2 ? -0.3 : 0.25,
                                        .hv = e % 2 ? -0.2 : 0.35};
    }
    return s;
}

/* The state with its ghost cells, as doubles, after the ghost cells of the initial state were filled and Euler's
 * scheme has made one step. */
struct filled {
    struct sim *sim;
    double *field[3];
};

static double *fetch(struct sim *sim, int field)
{
    const size_t n = sim->field_bytes / sim->real_size;
    void *raw = malloc(sim->field_bytes);
    double *all = calloc(n, sizeof *all);
    assert_true(raw && all);
    assert_int_equal(
        sim->backend->download(sim->device, raw, sim->state[0][field]->memory, sim->field_bytes),
        ERR_OK);
    for (size_t k = 0; k < n; k++)
        all[k] = sim->real_size == sizeof(double) ? ((double *)raw)[k] : (double)((float *)raw)[k];
    free(raw);
    return all;
}

static struct filled fill(const struct config *c, const struct scene *s)
{
    struct filled f = {.sim = create(c, s)};
    if (sim_step_many(f.sim, 1))
        fail_msg("%s: %s", described(c), err_message());
    for (int k = 0; k < 3; k++)
        f.field[k] = fetch(f.sim, k);
    const double at_rest = f.sim->initial->datum + f.sim->initial->still; /* all ground is lower */
    for (size_t k = 0; k < f.sim->field_bytes / f.sim->real_size; k++)
        f.field[0][k] += at_rest;
    return f;
}

static void filled_free(struct filled *f)
{
    for (int k = 0; k < 3; k++)
        free(f->field[k]);
    sim_destroy(f->sim);
}

/* A field this many cells inside edge e (outside: negative numbers), at position k along it. */
static size_t offset(const struct filled *f, int e, int k, int inwards)
{
    const int n = e <= EAST ? NX : NY, across = e % 2 ? n - 1 - inwards : inwards;
    const int i = e <= EAST ? across : k, j = e <= EAST ? k : across;
    return (size_t)((GHOSTS + j) * f->sim->pitch[PLAIN] + MARGIN + i);
}

/* The initial value of the edge's own cell, which the step has changed since. */
static double inside(const struct scene *s, enum precision p, int field, int e, int k)
{
    const int i = e == WEST ? 0 : e == EAST ? NX - 1 : k;
    const int j = e == SOUTH ? 0 : e == NORTH ? NY - 1 : k;
    const double x = s->field[field][scene_cell(s, i, j)];
    return p == F64 ? x : (double)(float)x;
}

/* The value at the edge's face that a limiter reconstructs in the first ghost cell. */
static double at_face(const struct filled *f, const struct plugin_library *limiter, int field,
                      int e, int k, double own)
{
    const double one = f->field[field][offset(f, e, k, -1)];
    const double two = f->field[field][offset(f, e, k, -2)];
    const double before = e % 2 ? one - own : one - two, after = e % 2 ? two - one : own - one;
    double slope;
    limiter->limiter(&before, &after, 1.3, &slope, 1);
    return e % 2 ? one - 0.5 * slope : one + 0.5 * slope;
}

static double bed_at(const struct scene *s, int e, int k)
{
    const int i = e == WEST ? 0 : e == EAST ? NX : k, j = e == SOUTH ? 0 : e == NORTH ? NY : k;
    return 0.5 * (s->bed[scene_corner(s, i, j)] +
                  s->bed[scene_corner(s, i + (e >= SOUTH), j + (e < SOUTH))]);
}

/* The bed in the middle of the edge's own cell. */
static double centre_beside(const struct scene *s, int e, int k)
{
    const int i = e == WEST ? 0 : e == EAST ? NX - 1 : k;
    const int j = e == SOUTH ? 0 : e == NORTH ? NY - 1 : k;
    return 0.25 * (s->bed[scene_corner(s, i, j)] + s->bed[scene_corner(s, i + 1, j)] +
                   s->bed[scene_corner(s, i, j + 1)] + s->bed[scene_corner(s, i + 1, j + 1)]);
}

static void expect_at_face(const struct config *c, const char *what, int e, int k, double have,
                           double want)
{
    if (!(fabs(have - want) <= 8 * rounding(c)))
        fail_msg("%s: edge %d, position %d: the face has %s %.17g, not %.17g", described(c), e, k,
                 what, have, want);
}

/* The level and the discharges at a face whose cell inside has `own`. Where only the level is imposed the discharges are
 * those inside, but no faster than these, except outwards; and critical at most across the edge. */
static void wanted_at_face(const struct scene *s, int e, int k, const double own[3], double want[3])
{
    const struct edge_state *g = &s->edge[e];
    const double bed = bed_at(s, e, k), level = s->boundary[e] == LEVEL ? g->h : bed + g->h;
    const double depth = fmax(level - bed, 0), critical = depth * sqrt(9.81 * depth);
    const double depth_inside = own[0] - centre_beside(s, e, k);
    const int across = e <= EAST ? 1 : 2, along = 3 - across;
    want[0] = bed + depth;
    want[1] = g->hu;
    want[2] = g->hv;
    if (s->boundary[e] != STATE) {
        const double share = fmin(1, depth / depth_inside);
        const int enters = (own[across] > 0) == (e % 2 == 0);
        want[across] = fmax(-critical, fmin(own[across] * (enters ? share : 1), critical));
        want[along] = own[along] * share;
    }
}

static void check_faces(const struct config *c, const struct scene *s,
                        const struct plugin_library *limiter)
{
    struct filled f = fill(c, s);
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < (e <= EAST ? NY : NX); k++) {
            double own[3], want[3];
            for (int v = 0; v < 3; v++)
                own[v] = inside(s, (enum precision)c->precision, v, e, k);
            wanted_at_face(s, e, k, own, want);
            for (int v = 0; v < 3; v++)
                expect_at_face(c, v ? "discharge" : "level", e, k,
                               at_face(&f, limiter, v, e, k, own[v]), want[v]);
        }
    filled_free(&f);
}

/* What crossed the edge at a position, m2/s in the direction of the axis. */
static double *rim(struct sim *sim)
{
    const size_t n = RIM;
    float single[RIM] = {0};
    double *all = malloc(n * sizeof *all);
    assert_non_null(all);
    void *to = sim->real_size == sizeof(double) ? (void *)all : (void *)single;
    assert_int_equal(sim->backend->download(sim->device, to, sim->rim, n * sim->real_size), ERR_OK);
    for (size_t k = 0; k < n && sim->real_size != sizeof(double); k++)
        all[k] = (double)single[k];
    return all;
}

static void check_discharge(const struct config *c, const struct scene *s)
{
    struct filled f = fill(c, s);
    double *crossed = rim(f.sim), *at = crossed;
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < (e <= EAST ? NY : NX); k++, at++) {
            const double want = e <= EAST ? s->edge[e].hu : s->edge[e].hv;
            if (!(fabs(*at - want) <= 4 * rounding(c)))
                fail_msg("%s %s: edge %d, position %d: %.17g m2/s cross, not %.17g", described(c),
                         c->reconstruction, e, k, *at, want);
        }
    free(crossed);
    filled_free(&f);
}

static void check_limiter(const struct plugin *p, enum precision precision)
{
    static const enum boundary kinds[] = {DEPTH, LEVEL, STATE};
    struct plugin_library limiter = {0};
    struct config c;
    configure(&c, "euler", precision);
    snprintf(c.limiter, sizeof c.limiter, "%s", p->name);
    assert_int_equal(plugin_load(&limiter, LIMITER_PLUGIN, p->name, precision), ERR_OK);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (int thin = 0; thin < 2; thin++) {
            struct scene s = stirred(kinds[k], thin);
            check_faces(&c, &s, &limiter);
            scene_free(&s);
        }
    }
    struct scene s = stirred(DISCHARGE, 0);
    check_discharge(&c, &s);
    scene_free(&s);
    plugin_unload(&limiter);
}

static void every_limiter_has_what_is_imposed_at_the_face(void **state)
{
    (void)state;
    for (int k = 0; limiters[k]; k++)
        for (int p = 0; p < PRECISIONS; p++)
            check_limiter(limiters[k], (enum precision)p);
}

static void expect_critical_depth(int inwards)
{
    const double critical = inwards ? cbrt(0.3 * 0.3 / 9.81) : 0, discharge = inwards ? 0.3 : 0;
    struct config c;
    struct scene s = new_scene(NX, NY);
    configure(&c, "euler", F64);
    for (int e = 0; e < EDGES; e++) {
        s.boundary[e] = DISCHARGE;
        s.edge[e].hu = s.edge[e].hv = (e % 2 == inwards) ? -0.3 : 0.3;
    }
    struct filled f = fill(&c, &s);
    double *crossed = rim(f.sim), *at = crossed;
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < (e <= EAST ? NY : NX); k++, at++) {
            const double depth = f.field[0][offset(&f, e, k, -1)] - bed_at(&s, e, k);
            if (!(fabs(fabs(*at) - discharge) <= 1e-15 && fabs(depth - critical) <= 1e-15))
                fail_msg("edge %d, position %d: %.17g m2/s cross from a depth of %.17g m", e, k,
                         *at, depth);
        }
    free(crossed);
    filled_free(&f);
    scene_free(&s);
}

static void dry_land_gets_the_critical_depth_of_a_discharge_and_gives_nothing(void **state)
{
    (void)state;
    expect_critical_depth(1);
    expect_critical_depth(0);
}

static void every_flux_carries_the_discharge_imposed(void **state)
{
    (void)state;
    for (int k = 0; fluxes[k]; k++) {
        struct config c;
        struct scene s = stirred(DISCHARGE, 0);
        configure(&c, "euler", F64);
        snprintf(c.flux, sizeof c.flux, "%s", fluxes[k]->name);
        check_discharge(&c, &s);
        scene_free(&s);
    }
}

static void every_reconstruction_carries_the_discharge_imposed(void **state)
{
    (void)state;
    for (int k = 0; reconstructions[k]; k++) {
        struct config c;
        struct scene s = stirred(DISCHARGE, 0);
        configure(&c, "euler", F64);
        snprintf(c.reconstruction, sizeof c.reconstruction, "%s", reconstructions[k]->name);
        if (reconstructions[k]->properties & BED_STEP)
            snprintf(c.flux, sizeof c.flux, "fwave");
        check_discharge(&c, &s);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limiter_has_what_is_imposed_at_the_face),
        cmocka_unit_test(dry_land_gets_the_critical_depth_of_a_discharge_and_gives_nothing),
        cmocka_unit_test(every_flux_carries_the_discharge_imposed),
        cmocka_unit_test(every_reconstruction_carries_the_discharge_imposed),
    };
    return cmocka_run_group_tests_name("edge_values", tests, compile_quickly, NULL);
}
