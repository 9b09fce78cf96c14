#include "tests/support/test.h"

#include "tests/support/basin.h"

#include <math.h>

enum { NX = BASIN_NX, NY = BASIN_NY };

#define SIZE       1.5
#define LAYER      0.5
#define COMPACTION 0.6, 0.4
const double basin_size = SIZE, basin_layer = LAYER, basin_compaction[2] = {COMPACTION};
const char *const basin_schemes[2] = {"basin", "basin_cons"};
unsigned basin_seed;
int basin_view;

/* From 0 to 1, by the cell in which a point lies: the same place of the basin in every view. */
static double chance(double x, double y, unsigned what)
{
    int i = (int)floor(x / SIZE), j = (int)floor(y / SIZE);
    if (basin_view & EXCHANGE) {
        const int k = i;
        i = j, j = k;
    }
    if (basin_view & MIRROR_X)
        i = NX - 1 - i;
    if (basin_view & MIRROR_Y)
        j = NY - 1 - j;
    unsigned h = (unsigned)(i + 1) * 0x9e3779b9u ^ (unsigned)(j + 1) * 0x85ebca6bu ^
                 (what + 8 * basin_seed + 1) * 0xc2b2ae35u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)(h ^ h >> 15) / 4294967295.0;
}

double basin_rough(double x, double y, int k)
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

double basin_coefficient(double x, double y, int k)
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

const struct flow_case basin = {
    .name = "basin",
    .title = "a basin",
    .cite = "-",
    .system = "sediment",
    .nx = NX,
    .ny = NY,
    .lx = NX * SIZE,
    .ly = NY * SIZE,
    .t_end = 100,
    .value = basin_rough,
    .given = basin_coefficient,
    .constant = {COMPACTION, LAYER},
};

struct flow_case basin_with_edges(void)
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

struct flow_case basin_round_trip(void)
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

struct config basin_config(const char *scheme)
{
    struct config c;
    configure(&c, scheme, F64);
    c.precision_chosen = 1;
    return c;
}

void basin_open(struct basin_run *r, const struct flow_case *f, const struct config *c)
{
    r->c = *c;
    fine(problem_open_case(&r->p, f, &r->c));
    fine(sim_create(&r->sim, &r->p.setup));
}

void basin_close(struct basin_run *r)
{
    sim_destroy(r->sim);
    problem_close(&r->p);
}

enum err basin_ran(const struct flow_case *f, const struct config *c, struct basin_state *state)
{
    static struct basin_run r;
    basin_open(&r, f, c);
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
    basin_close(&r);
    return e;
}
