/* Runs a case, stops at its snapshots, compares each with the reference, stores the data of
 * figures. */
#include "verification/run/measure_parts.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/base/reals.h"
#include "verification/run/means.h"

static void add_norm(const struct norm *norm, const struct norm *list[CASE_NORMS], int *n)
{
    for (int k = 0; k < *n; k++)
        if (list[k] == norm)
            return;
    assert(*n < CASE_NORMS);
    list[(*n)++] = norm;
}

int case_norms(const struct flow_case *c, const struct norm *list[CASE_NORMS])
{
    const struct verification *v = c->verify;
    int n = 0;
    for (const struct check *k = v ? v->checks : NULL; k && k->norm; k++)
        add_norm(k->norm, list, &n);
    for (const struct published *k = v ? v->published : NULL; k && k->norm; k++)
        add_norm(k->norm, list, &n);
    return n;
}

void run_name(const struct run *r, char name[256])
{
    const struct variant *v = &r->variant;
    char kappa[32] = "", plugins[PLUGINS_TEXT];
    if (!isnan(r->kappa))
        snprintf(kappa, sizeof kappa, ".kappa%g", r->kappa);
    variant_plugins(v, plugins);
    for (char *space; (space = strchr(plugins, ' '));)
        *space = '+';
    snprintf(name, 256, "%s.%s.%s.%s.%s.%d%s%s", r->flow_case->name, v->scheme, plugins,
             variant_precision(v), variant_backend(v), r->n, kappa,
             v->mode == FAST_MODE ? ".fast" : "");
}

static int snapshots_of(const struct flow_case *c)
{
    return c->verify && c->verify->snapshots ? c->verify->snapshots : 1;
}

struct system_variable measured_variable(const struct system *system, int unknown)
{
    for (int k = 0; k < system->variables; k++)
        if (system->variable[k].of == unknown && system->variable[k].as != AS_LEVEL)
            return system->variable[k];
    const char *name = system->unknown[unknown].name;
    return (struct system_variable){.name = name, .title = name, .units = ""};
}

/* A field as doubles, its bytes as the run has them into the digest. */
static enum err fetch(struct measuring *me, int field, double *to)
{
    TRY(sim_read(me->of.sim, sim_unknown(me->of.sim, field), NULL, to));
    sha256_update(&me->digest, to, me->cells * me->of.sim->real_size);
    reals_widen(to, me->of.sim->real_size, me->cells);
    return ERR_OK;
}

static enum err digest_bed(struct measuring *me)
{
    const struct grid_info *g = &me->of.sim->grid;
    const size_t bytes = ((size_t)g->nx + 1) * ((size_t)g->ny + 1) * sizeof(double);
    double *bed = malloc(bytes);
    if (!bed)
        FAIL(MEMORY, "no memory for the bed");
    sim_bed(me->of.sim, NULL, bed);
    sha256_update(&me->digest, bed, bytes);
    free(bed);
    return ERR_OK;
}

static enum err create(struct measuring *me)
{
    const struct run *r = me->run;
    if (!find_scheme(r->variant.scheme))
        FAIL(USAGE, "unknown scheme '%s'; `shoal list schemes` names them", r->variant.scheme);
    variant_configure(&me->of.config, &r->variant);
    me->of.config.nx = r->n;
    me->of.config.kappa = r->kappa;
    me->of.config.dt = case_fixed_dt(r->flow_case, r->n);
    if (!log_is_quiet())
        log_quiet(1);
    TRY(case_sim_open(&me->of, r->flow_case));
    const struct grid_info *g = &me->of.sim->grid;
    me->cells = (size_t)g->nx * (size_t)g->ny;
    for (int k = 0; k < ARRAYS; k++) {
        me->array[k] = calloc(me->cells, sizeof *me->array[k]);
        if (!me->array[k])
            FAIL(MEMORY, "no memory to measure %zu cells", me->cells);
    }
    for (size_t k = 0; k < me->cells; k++)
        me->array[BED][k] = initial_bed_centre(me->of.sim->initial, (int)(k % (size_t)g->nx),
                                               (int)(k / (size_t)g->nx));
    sha256_init(&me->digest);
    return digest_bed(me);
}

/* Sum of |a - b|; `b` null: of |a|. */
static double sum(const struct measuring *me, const double *a, const double *b)
{
    double s = 0;
    for (size_t k = 0; k < me->cells; k++)
        s += fabs(b ? a[k] - b[k] : a[k]);
    return s;
}

/* The relative change since the previous snapshot, of the first unknown and of the others together:
 * the larger one, per second. */
static double change(const struct measuring *me, double seconds_between)
{
    double *const *a = me->array;
    double h = sum(me, a[OWN], NULL), q = 0, dh = sum(me, a[OWN], a[OLD]), dq = 0;
    for (int u = 1; u < unknowns(me); u++) {
        q += sum(me, a[OWN + u], NULL);
        dq += sum(me, a[OWN + u], a[OLD + u]);
    }
    const double in_h = dh / (h > 0 ? h : 1), in_q = dq / (q > 0 ? q : 1);
    return (isnan(in_h) || in_h > in_q ? in_h : in_q) / seconds_between;
}

/* A depth that is not a number stays one. */
static void take_depths(struct measuring *me)
{
    double *const *a = me->array;
    double stored = 0, depth = 0;
    for (size_t k = 0; k < me->cells; k++) {
        const double h = a[OWN][k];
        if (!(h >= me->m->least_depth))
            me->m->least_depth = isnan(me->m->least_depth) ? me->m->least_depth : h;
        a[OWN][k] = h < 0 ? 0 : h;
        stored += a[OWN][k] > me->of.sim->initial->dry ? fabs(a[ETA][k]) : 0;
        depth += a[OWN][k];
    }
    me->m->stored_over_depth = stored / depth;
}

/* Of a system without a bed, in the cells' centres. */
static void take_exact_values(struct measuring *me, double t)
{
    const struct flow_case *c = me->run->flow_case;
    const struct grid_info *g = &me->of.sim->grid;
    const int nx = g->nx;
    for (int k = 0; k < unknowns(me); k++)
        for (size_t n = 0; n < me->cells; n++)
            me->array[REFERENCE + k][n] = c->exact_value(grid_x(g, (int)(n % (size_t)nx)),
                                                         grid_y(g, (int)(n / (size_t)nx)), t, k);
}

/* In the cells' centres, like the concentration of the initial state. */
static void take_tracer(struct measuring *me, double t)
{
    const struct flow_case *c = me->run->flow_case;
    const struct grid_info *g = &me->of.sim->grid;
    double *const to = me->array[REFERENCE + me->of.sim->system->carried];
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            to[(size_t)j * (size_t)g->nx + (size_t)i] = c->tracer(grid_x(g, i), grid_y(g, j), t);
}

/* The limit of a flow is the same at all times. */
static void take_reference(struct measuring *me, int number, double t)
{
    const struct flow_case *c = me->run->flow_case;
    if (c->exact_value)
        take_exact_values(me, t);
    else if (me->compared && !(c->tends && number > 0))
        reference_means(c, &me->of.sim->grid, t, me->array[REFERENCE], me->array[REFERENCE + 1],
                        me->array[REFERENCE + 2]);
    if (me->compared && c->tracer)
        take_tracer(me, t);
}

/* The gain of conserved quantities that no inflow explains. */
static enum err take_gains(struct measuring *me, struct snapshot *s)
{
    struct balance b;
    for (int k = 0; k < me->of.sim->system->conserveds; k++) {
        TRY(sim_balance_of(me->of.sim, k, &b));
        s->gained[k] = b.volume - me->of.sim->total0[k] - b.inflow - b.clipped_in;
    }
    return ERR_OK;
}

static enum err evaluate(struct measuring *me, int number, double t)
{
    double *const *a = me->array;
    struct snapshot s = {
        .flow_case = me->run->flow_case,
        .grid = me->of.sim->grid,
        .t = t,
        .kappa = me->of.sim->initial->kappa,
        .dry = me->of.sim->initial->dry,
        .bed = a[BED],
        .w = a[W],
    };
    for (int u = 0; u < unknowns(me); u++) {
        s.of[u] = a[OWN + u];
        s.reference[u] = me->compared ? a[REFERENCE + u] : NULL;
    }
    if (!is_water(me))
        TRY(take_gains(me, &s));
    for (int k = 0; k < me->norms; k++)
        me->m->value[k][number] = me->norm[k]->of(&s);
    measure_write_norms(me, number, t);
    return ERR_OK;
}

static enum err take_unknowns(struct measuring *me)
{
    for (int k = 0; k < unknowns(me); k++)
        TRY(fetch(me, k, me->array[OWN + k]));
    me->m->least_depth = 0;
    me->m->stored_over_depth = 1;
    return sim_excess(me->of.sim, &me->m->excess);
}

static enum err take_water(struct measuring *me)
{
    TRY(fetch(me, 0, me->array[ETA]));
    for (int u = 1; u < unknowns(me); u++)
        TRY(fetch(me, u, me->array[OWN + u]));
    TRY(sim_level(me->of.sim, me->array[W]));
    TRY(sim_depth(me->of.sim, me->array[OWN]));
    reals_widen(me->array[OWN], me->of.sim->real_size, me->cells);
    take_depths(me);
    return ERR_OK;
}

static enum err take_snapshot(struct measuring *me, int number, double t)
{
    for (int u = 0; u < unknowns(me); u++)
        memcpy(me->array[OLD + u], me->array[OWN + u], me->cells * sizeof *me->array[OLD]);
    TRY(is_water(me) ? take_water(me) : take_unknowns(me));
    take_reference(me, number, t);
    TRY(evaluate(me, number, t));
    measure_write_profile(me, t);
    me->m->t[number] = t;
    me->m->snapshots = number + 1;
    return ERR_OK;
}

/* The relative change per second below which the flow counts as steady. Updates are dithered in
 * f32: changes never end of 0.6e-9 to 2.4e-9 a step (26 to 1060 steps a second, on 50 to 800 cells). */
static double steady_below(const struct measuring *me)
{
    const struct flow_case *c = me->run->flow_case;
    const double steady = c->verify ? c->verify->steady : 0;
    const struct clock *now = &me->of.sim->now;
    const double steps = now->t > 0 ? (double)now->steps / now->t : 0; /* a second */
    return steady > 0 && me->of.sim->config->precision == F32
               ? fmax(steady, fmax(1, steps / 32) * (double)FLT_EPSILON)
               : steady;
}

/* Steps from snapshot to snapshot, until the last one or until nothing changes any more. */
static enum err run_through(struct measuring *me)
{
    const struct flow_case *c = me->run->flow_case;
    const int count = snapshots_of(c);
    struct measured *m = me->m;
    for (int k = 0; k < count && isnan(m->steady_at); k++) {
        sim_extend(me->of.sim, k + 1 < count ? verify_end(c) * (k + 1) / count : verify_end(c));
        TRY(sim_run(me->of.sim, (double)INFINITY, NULL));
        TRY(take_snapshot(me, k, me->of.sim->now.t));
        const double steady = steady_below(me);
        if (steady > 0 && k > 0 && change(me, m->t[k] - m->t[k - 1]) < steady)
            m->steady_at = m->t[k];
    }
    for (int k = m->snapshots; k < count; k++) {
        m->t[k] = m->t[m->snapshots - 1];
        for (int n = 0; n < me->norms; n++)
            m->value[n][k] = m->value[n][m->snapshots - 1];
    }
    return ERR_OK;
}

static enum err conclude(struct measuring *me)
{
    const struct sim *s = me->of.sim;
    struct measured *m = me->m;
    struct balance b;
    TRY(sim_balance(me->of.sim, &b));
    m->mass_error = sim_share(s, &b, b.volume - s->total0[0] - b.inflow - b.clipped_in);
    m->clipped = sim_share(s, &b, b.clipped_in);
    m->nx = s->grid.nx;
    m->ny = s->grid.ny;
    m->kappa = s->initial->kappa;
    m->dry = s->initial->dry;
    m->dt_min = s->now.dt_max > 0 ? s->now.dt_min : s->now.dt; /* else every step was cut short */
    m->dt_max = s->now.dt_max > 0 ? s->now.dt_max : s->now.dt;
    m->steps = s->now.steps;
    m->redone = s->now.redone;
    sha256_final(&me->digest, m->digest);
    return ERR_OK;
}

static void release(struct measuring *me)
{
    case_sim_close(&me->of);
    for (int k = 0; k < ARRAYS; k++)
        free(me->array[k]);
    measure_drop_files(me);
    free(me);
}

enum err run_measure(const struct run *r, const char *folder, struct measured *m)
{
    const struct flow_case *c = r->flow_case;
    const struct reference *reference = c->verify ? c->verify->reference : NULL;
    const double start = seconds();
    enum err e = ERR_OK;
    struct measuring *me = calloc(1, sizeof *me);
    if (!me)
        FAIL(MEMORY, "no memory to measure a run");
    assert(snapshots_of(c) <= SNAPSHOTS && !(reference && !reference->table));
    memset(m, 0, sizeof *m);
    m->steady_at = (double)NAN;
    m->least_depth = (double)INFINITY;
    me->run = r;
    me->m = m;
    me->norms = case_norms(c, me->norm);
    me->compared = reference || c->exact || c->exact_value;
    TRY_OUT(create(me));
    TRY_OUT(measure_open_files(me));
    TRY_OUT(run_through(me));
    TRY_OUT(conclude(me));
    if (folder) {
        measure_write_cells(me);
        TRY_OUT(measure_save_files(me, folder));
    }
    m->seconds = seconds() - start;
out:
    release(me);
    return e;
}
