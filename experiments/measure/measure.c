/* What all experiments need: the place in the database, a whole run, a row of it. */
#include "experiments/measure/measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/db_private.h"
#include "core/initial.h"
#include "core/log.h"
#include "core/problem.h"
#include "experiments/measure/environment.h"
#include "verification/verify.h"

const struct experiment *const experiments[] = {&experiment_schemes, &experiment_accuracy,
                                                &experiment_dt_factor, NULL};

static enum err find_folder(struct measure *m)
{
    char database[PATH_LENGTH], path[PATH_LENGTH];
    const struct device_options o = {
        .device = m->setup.device, .threads = m->setup.threads, .march = "native"};
    struct environment *e = calloc(1, sizeof *e);
    enum err failed = ERR_OK;
    if (!e)
        FAIL(MEMORY, "no memory for the environment");
    environment_probe(e, m->setup.backend, &o);
    if (!e->here)
        failed = err_set(ERR_ABSENT, __FILE__, __LINE__, "%s", e->why);
    if (!failed)
        failed = place_database(database);
    if (!failed)
        failed = environment_folder(e, database, m->folder);
    if (!failed)
        log_info("measuring on %s, into %s", e->info.name, m->folder);
    free(e);
    TRY(failed);
    TRY(db_path(m->folder, "experiments", path));
    return place_folder(path, "SHOAL_DB names another database");
}

enum err measure_experiments(const struct measure_setup *setup,
                             const struct experiment *const chosen[], int count)
{
    struct measure m = {.setup = *setup};
    TRY(find_folder(&m));
    TRY(environment_new_session(m.session));
    for (int k = 0; k < count; k++) {
        const struct db_pair pair = {chosen[k]->name, chosen[k]->how};
        TRY(environment_session(m.folder, m.session, &pair, 1));
        TRY(chosen[k]->run(&m));
    }
    return ERR_OK;
}

int measure_precisions(const struct measure *m, enum precision list[PRECISIONS])
{
    int n = 0;
    for (int p = 0; p < PRECISIONS; p++)
        if (m->setup.precision < 0 || m->setup.precision == p)
            list[n++] = (enum precision)p;
    return n;
}

struct flow_case measure_unit_cells(const struct flow_case *c, int n)
{
    struct flow_case unit = *c;
    unit.nx = unit.ny = n;
    unit.lx = unit.ly = n;
    unit.x0 = unit.y0 = -0.5 * n;
    return unit;
}

double measure_rate(const struct whole_run *r)
{
    return r->wall > 0 ? (double)r->nx * r->ny * (double)r->steps / r->wall / 1e6 : 0;
}

static void configure(struct config *c, const struct measure *m, const struct whole_run *r)
{
    config_defaults(c);
    snprintf(c->scheme, sizeof c->scheme, "%s", r->scheme->name);
    snprintf(c->backend, sizeof c->backend, "%s", backends[m->setup.backend]->name);
    c->device = m->setup.device;
    c->threads = m->setup.threads;
    c->precision = (int)r->precision;
    c->mode = FAST_MODE;
    c->nx = r->n;
    c->early_exit = EARLY_EXIT_OFF;
    c->cfl = isnan(r->cfl) ? c->cfl : r->cfl;
    c->dt_factor = isnan(r->dt_factor) ? c->dt_factor : r->dt_factor;
}

static double level(const struct sim *s, const void *field, size_t k)
{
    float single;
    double x;
    if (s->real_size == sizeof x) {
        memcpy(&x, (const double *)field + k, sizeof x);
        return x;
    }
    memcpy(&single, (const float *)field + k, sizeof single);
    return (double)single;
}

static enum err compare(struct sim *s, struct whole_run *r)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    double *h = malloc(cells * sizeof *h);
    void *w = malloc(cells * s->real_size);
    enum err e = ERR_OK;
    if (!h || !w) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory to compare %zu cells", cells);
        goto out;
    }
    TRY_OUT(sim_download(s, 0, w));
    for (size_t k = 0; k < cells; k++) {
        const double depth =
            level(s, w, k) - initial_bed_centre(s->initial, (int)(k % (size_t)s->grid.nx),
                                                (int)(k / (size_t)s->grid.nx));
        h[k] = depth < 0 ? 0 : depth;
    }
    const struct snapshot shot = {
        .flow_case = r->flow_case, .grid = s->grid, .h = h, .rh = r->depth};
    r->l1 = norm_l1_h.of(&shot);
out:
    free(h);
    free(w);
    return e;
}

/* One line that names nothing private. */
static void fail(struct whole_run *r, enum db_outcome outcome, const char *why)
{
    char what[PRIVATE_ROOM];
    r->outcome = outcome;
    snprintf(r->reason, sizeof r->reason, "%s", *why ? why : "no reason was given");
    for (char *c = r->reason; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    if (db_private(r->reason, what))
        snprintf(r->reason, sizeof r->reason, "withheld: the message names a file");
}

/* Errors that say something of the run, not of the measuring. */
static enum err judge(struct whole_run *r, enum err e)
{
    if (e == ERR_BROKEN)
        fail(r, DB_WRONG_ANSWER, err_message());
    else if (e == ERR_KERNEL)
        fail(r, DB_COMPILE, err_message());
    else if (e == ERR_MEMORY || e == ERR_LIMIT)
        fail(r, DB_CONSTRAINT, err_message());
    else
        return e;
    return ERR_OK;
}

enum err measure_run(const struct measure *m, struct whole_run *r)
{
    struct config c;
    struct problem p;
    struct sim *s = NULL;
    enum err e = ERR_OK;
    const int quiet = log_is_quiet();
    configure(&c, m, r);
    r->outcome = DB_OK;
    snprintf(r->reason, sizeof r->reason, "-");
    r->l1 = (double)NAN;
    r->nx = r->ny = r->n;
    log_quiet(1);
    TRY_OUT(problem_open_case(&p, r->flow_case, &c));
    p.setup.t_end = verify_end(r->flow_case);
    r->nx = p.setup.grid.nx;
    r->ny = p.setup.grid.ny;
    TRY_OUT(sim_create(&s, &p.setup));
    r->blocks = sim_blocks_from(s);
    TRY_OUT(sim_run(s, (double)INFINITY, NULL));
    r->steps = s->now.steps;
    r->redone = s->now.redone;
    r->wall = s->wall;
    if (r->depth)
        TRY_OUT(compare(s, r));
    if (r->depth && !isfinite(r->l1))
        fail(r, DB_WRONG_ANSWER, "the depth is not finite everywhere");
out:
    log_quiet(quiet);
    sim_destroy(s);
    problem_close(&p);
    return judge(r, e);
}

enum err measure_row(const struct measure *m, const struct experiment *x, const struct whole_run *r,
                     const char *before, const char *after)
{
    char path[PATH_LENGTH], line[2 * DB_LINE], none[DB_LINE] = "", *end = none;
    for (const char *c = after; *c; c++)
        if (*c == '\t')
            end += snprintf(end, sizeof none - (size_t)(end - none), "-\t");
    snprintf(end, sizeof none - (size_t)(end - none), "-");
    snprintf(line, sizeof line, "%s\t%s\t%s\t%s\t%s", before, m->session, db_outcomes[r->outcome],
             r->reason, r->outcome == DB_OK ? after : none);
    if (snprintf(path, sizeof path, "%s/experiments/%s.tsv", m->folder, x->name) >= PATH_LENGTH)
        FAIL(INPUT, "%s: too long a path for the tuning database", m->folder);
    return db_cells_merge(path, x->columns, (const char *const[]){line}, 1);
}
