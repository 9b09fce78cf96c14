/* The claims of a scheme: its table, its order, its Courant number. */
#include <math.h>

#include "core/registry/registry.h"
#include "core/registry/table_check.h"
#include "verification/contracts/scheme_runs.h"

static const double PI = 3.14159265358979323846;

/* A smooth wave that crosses a smooth bed on a periodic square of 1 m. */
static enum err wave(struct scene *s, int nx, int ny, double t_end)
{
    TRY(scene_create(s, nx, ny));
    scene_edges(s, PERIODIC, PERIODIC);
    s->dx = 1.0 / nx;
    s->dy = ny > 1 ? 1.0 / ny : s->dx;
    s->t_end = t_end;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            const double x = 2 * PI * i / nx, y = ny > 1 ? 2 * PI * j / ny : 0;
            s->bed[scene_corner(s, i, j)] = -1 + 0.1 * sin(x) * cos(y);
        }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double x = 2 * PI * (i + 0.5) / nx, y = ny > 1 ? 2 * PI * (j + 0.5) / ny : 0;
            const size_t k = scene_cell(s, i, j);
            s->field[0][k] = 0.1 * cos(x + y + 0.3);
            s->field[1][k] = 0.4 + 0.1 * sin(x);
            s->field[2][k] = ny > 1 ? 0.3 * cos(y - x) : 0;
        }
    return ERR_OK;
}

/* Mean difference of level and discharges, the fine state averaged over the coarse cells. */
static double distance(const struct scene *coarse, const struct scene *fine)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < coarse->ny; j++)
            for (int i = 0; i < coarse->nx; i++) {
                const double *f = fine->field[k] + scene_cell(fine, 2 * i, 2 * j);
                const double mean = 0.25 * ((f[0] + f[1]) + (f[fine->nx] + f[fine->nx + 1]));
                sum += fabs(coarse->field[k][scene_cell(coarse, i, j)] - mean);
            }
    return sum / coarse->nx / coarse->ny;
}

/* Three grids, and the order between the differences. */
static enum err falls_short(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum { GRIDS = 3 };
    const struct scheme *scheme = find_scheme(c->scheme);
    const double claim = fmin(scheme->order_space, scheme->order_time);
    struct outcome o[GRIDS] = {0};
    int ok = 1, made = 0;
    enum err e = ERR_OK;
    for (; made < GRIDS && ok && !e; made++) {
        struct scene s;
        TRY_OUT(wave(&s, g->nx << made, g->ny << made, 0.05));
        e = run_steps(c, &s, 0, &o[made], seen, &ok);
        scene_free(&s);
    }
    if (e || !ok)
        goto out;
    const double order =
        log2(distance(&o[0].state, &o[1].state) / distance(&o[1].state, &o[2].state));
    if (!(order >= claim - 0.1))
        saw(seen,
            "a smooth wave on this grid and two finer ones gives order %.3g, but it claims %g",
            order, claim);
out:
    for (int k = 0; k < made; k++)
        outcome_free(&o[k]);
    return e;
}

/* Total variation of the level along the first row of a periodic domain. */
static double variation(const struct scene *s)
{
    double sum = 0;
    for (int i = 0; i < s->nx; i++)
        sum += fabs(s->field[0][(i + 1) % s->nx] - s->field[0][i]);
    return sum;
}

/* Instability at the claimed Courant number shows under refinement, as ripples. */
static enum err ripples(const struct config *c, const struct rung *g, struct seen *seen)
{
    double was = 0;
    for (int n = 100; n <= g->nx && !seen->broken; n *= 4) {
        struct scene s;
        struct outcome o;
        int ok;
        TRY(wave(&s, n, 1, 0.15));
        TRY(run_and_free(c, &s, 0, &o, seen, &ok));
        if (!ok)
            return ERR_OK;
        const double v = variation(&o.state);
        was = n == 100 ? v : was;
        if (!(v <= 1.03 * was))
            saw(seen,
                "at Courant number %g a smooth wave's total variation is %.4g with 100 cells and "
                "%.4g with %d",
                c->cfl, was, v, n);
        outcome_free(&o);
    }
    return ERR_OK;
}

static const struct rung order_rungs[] = {{32, 32, 0}, {0, 0, 0}};
static const struct rung stable_rungs[] = {{1600, 1, 0}, {0, 0, 0}};

const struct run_question scheme_claim_questions[] = {
    {"order", order_rungs, falls_short,
     "has a lower order than it claims on a smooth wave: lower .order_space or .order_time, or "
     "check the weights of its substeps and the state that each rate_of_change takes",
     "a smooth wave converges at the order that it claims", 1},
    {"stable", stable_rungs, ripples,
     "is unstable at the Courant number that it claims: ripples grow when the grid is refined; "
     "lower .cfl",
     "a smooth wave stays smooth at the claimed Courant number", 1},
    {0},
};

int ask_table(const struct scheme *s, struct remarks *r)
{
    const int ok = registry_check_scheme(s, s->name ? s->name : "") == ERR_OK;
    if (ok)
        remark(r, HOLDS, "table", "", "its table is complete");
    else
        remark(r, FAILS, "table", "", "%s has a table that cannot work: %s", s->name,
               err_message());
    return ok;
}
