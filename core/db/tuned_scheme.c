/* Asks the tuning database for the scheme that reaches a given error first (thesis 4.4.1 asks for the fastest step). */
#include "core/db/tuned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/sorted.h"
#include "core/db/row_origin.h"
#include "core/db/scheme_errors.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"

enum { RUNS = 64, SCHEMES = 32 };

/* Timed runs of one scheme. */
struct timed {
    const struct scheme *scheme;
    double wall[RUNS]; /* s, at the Courant number that this run would have */
    size_t runs;
    double error; /* over the default scheme's; NAN: not measured */
    double time;  /* to a given error, s */
};

/* Runs of a session at one size. */
struct place {
    struct row_origin origin;
    int schemes; /* that were measured there */
    const struct scheme *scheme[SCHEMES];
};

struct selection {
    const struct tuned_for *run;
    const struct tuned_wish *wish;
    struct place *place; /* all that there are */
    size_t places;
    const struct place *chosen; /* NULL: not yet */
    enum err failed;
    struct timed timed[SCHEMES];
    int count;
};

/* The columns that matter. */
enum {
    AT_SCHEME,
    AT_PRECISION,
    AT_MODE,
    AT_NX,
    AT_NY,
    AT_CFL,
    AT_BLOCKS,
    AT_SESSION,
    AT_OUTCOME,
    AT_WALL,
    COLUMNS
};
static const char *const names[COLUMNS] = {"scheme", "precision", "mode",    "nx",      "ny",
                                           "cfl",    "blocks",    "session", "outcome", "wall_s"};

/* The thesis chooses among those of second order. */
static int eligible(const struct selection *all, const struct scheme *s)
{
    const struct tuned_wish *w = all->wish;
    return s && s->order_time >= 2 && s->order_space >= 2 && (!w->suits || w->suits(w->context, s));
}

static void add_time(struct selection *all, const struct scheme *scheme, double wall)
{
    int k = 0;
    while (k < all->count && all->timed[k].scheme != scheme)
        k++;
    if (k == SCHEMES || all->timed[k].runs == RUNS)
        return;
    all->count += k == all->count;
    all->timed[k].scheme = scheme;
    all->timed[k].wall[all->timed[k].runs++] = wall;
}

static enum err add_place(struct selection *all, const struct row_origin *o,
                          const struct scheme *scheme)
{
    size_t at = 0;
    while (at < all->places && row_origin_compare(&all->place[at].origin, o) != 0)
        at++;
    if (at == all->places) {
        TRY(memory_more(&all->place, all->places, sizeof *all->place, "timed schemes"));
        all->place[all->places++] = (struct place){.origin = *o};
    }
    struct place *p = &all->place[at];
    for (int k = 0; k < p->schemes; k++)
        if (p->scheme[k] == scheme)
            return ERR_OK;
    if (p->schemes < SCHEMES)
        p->scheme[p->schemes++] = scheme;
    return ERR_OK;
}

/* Of this device first; then where more schemes were measured, which earlier ones may lack; then the nearest one. */
static int is_better(const struct place *a, const struct place *b)
{
    const int a_other = a->origin.match == DB_SAME_CAPABILITY,
              b_other = b->origin.match == DB_SAME_CAPABILITY;
    if (a_other != b_other)
        return b_other;
    if (a->schemes != b->schemes)
        return a->schemes > b->schemes;
    return row_origin_compare(&a->origin, &b->origin) < 0;
}

static void choose_place(struct selection *all)
{
    for (size_t k = 0; k < all->places; k++)
        if (!all->chosen || is_better(&all->place[k], all->chosen))
            all->chosen = &all->place[k];
}

/* What a run took at a Courant number, by steps as long as this run's. */
static double scaled(const struct config *c, const struct scheme *scheme, double wall, double cfl)
{
    return isnan(c->dt) ? wall * cfl / config_courant(c, scheme)
                        : wall * cfl; /* all have steps dt */
}

static void consider(struct selection *all, enum db_match match, const struct db_manifest *m,
                     const char *const cell[])
{
    const struct tuned_for *run = all->run;
    const struct scheme *scheme = find_scheme(cell[AT_SCHEME]);
    const double nx = row_number(cell[AT_NX]), ny = row_number(cell[AT_NY]),
                 wall = row_number(cell[AT_WALL]), cfl = row_number(cell[AT_CFL]);
    if (strcmp(cell[AT_OUTCOME], "ok") != 0 ||
        strcmp(cell[AT_PRECISION], precision_names[all->wish->config->precision]) != 0 ||
        strcmp(cell[AT_MODE], mode_names[FAST_MODE]) != 0 ||
        strcmp(cell[AT_BLOCKS], "tuned") != 0 || !db_session_get(m, cell[AT_SESSION], "started") ||
        nx > 1e6 || ny > 1e6 || !eligible(all, scheme))
        return;
    struct row_origin o = row_origin_of(match, m, cell[AT_SESSION]);
    o.nx = (int)nx;
    o.ny = (int)ny;
    if (match == DB_OTHER_SIZE && o.nx == run->nx && o.ny == run->ny)
        o.match = DB_SAME_SIZE;
    else
        o.distance = fabs(log(nx * ny / ((double)run->nx * run->ny)));
    if (!all->chosen)
        all->failed = all->failed ? all->failed : add_place(all, &o, scheme);
    else if (row_origin_compare(&o, &all->chosen->origin) == 0)
        add_time(all, scheme, scaled(all->wish->config, scheme, wall, cfl));
}

/* An ok row whose numbers are none is malformed. */
static int malformed(const char *const cell[COLUMNS])
{
    return strcmp(cell[AT_OUTCOME], "ok") == 0 &&
           (isnan(row_number(cell[AT_NX])) || isnan(row_number(cell[AT_NY])) ||
            isnan(row_number(cell[AT_CFL])) || isnan(row_number(cell[AT_WALL])));
}

static void read_row(void *context, enum db_match match, const struct db_manifest *m,
                     const char *path, const char *const cell[])
{
    const struct selection *all = context;
    if (malformed(cell) && !all->chosen)
        log_warning(
            "%s: a row of scheme %s has no size, no Courant number or no time; it is left out",
            path, cell[AT_SCHEME]);
    else if (!malformed(cell))
        consider(context, match, m, cell);
}

/* At second order an error E times as large takes sqrt(E) times as many cells along each side to mend, and as many more
 * steps. */
static double to_given_error(double wall, double error)
{
    return isnan(error) ? wall : wall * pow(error, 1.5);
}

static int sooner(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* The first one is the best then. */
static enum err rank(struct selection *all, struct db_view *v)
{
    struct scheme_errors *errors;
    const enum err e =
        scheme_errors_read(v, precision_names[all->wish->config->precision], &errors);
    for (int k = 0; k < all->count && !e; k++) {
        struct timed *t = &all->timed[k];
        t->error = scheme_errors_ratio(errors, t->scheme);
        t->time = to_given_error(sorted_median(t->wall, t->runs), t->error);
    }
    qsort(all->timed, (size_t)all->count, sizeof *all->timed, sooner);
    scheme_errors_free(errors);
    return e;
}

static int is_timed(const struct selection *all, const struct scheme *s)
{
    for (int k = 0; k < all->count; k++)
        if (all->timed[k].scheme == s)
            return 1;
    return 0;
}

/* Those that might be faster, but have no rows there. */
static void log_not_timed(const struct selection *all)
{
    char missing[256] = "";
    for (int k = 0; schemes[k]; k++) {
        const size_t used = strlen(missing);
        if (eligible(all, schemes[k]) && !is_timed(all, schemes[k]))
            snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                     schemes[k]->name);
    }
    if (*missing)
        log_info("not measured there: %s; `shoal measure schemes --precision %s` measures all",
                 missing, precision_names[all->wish->config->precision]);
}

static void log_choice(const struct selection *all)
{
    const struct timed *best = all->timed;
    const struct config *c = all->wish->config;
    char error[64] = "with errors that are not measured: `shoal measure accuracy`", next[96] = "",
         steps[64] = "by equal steps";
    if (isnan(c->dt))
        snprintf(steps, sizeof steps, "at a Courant number of %g", config_courant(c, best->scheme));
    if (!isnan(best->error))
        snprintf(error, sizeof error, "with %.2f of the errors of %s", best->error, CASE_SCHEME);
    if (all->count > 1)
        snprintf(next, sizeof next, "; %s, the next, takes %.2f times as long",
                 best[1].scheme->name, best[1].time / best->time);
    log_info("scheme %s: the fastest of %d of second order to a given error %s at %dx%d, %s, %s%s",
             best->scheme->name, all->count,
             all->chosen->origin.match == DB_SAME_CAPABILITY
                 ? "on a device of this compute capability"
                 : "on this device",
             all->chosen->origin.nx, all->chosen->origin.ny, steps, error, next);
    log_not_timed(all);
}

/* First the places, then the times at one of them. */
static enum err read_times(struct selection *all, struct db_view *v)
{
    struct named_rows rows = {.names = names, .columns = COLUMNS, .row = read_row, .context = all};
    TRY(named_rows_read(v, "schemes", &rows));
    TRY(all->failed);
    choose_place(all);
    if (!all->chosen)
        return ERR_OK;
    rows.again = 1;
    TRY(named_rows_read(v, "schemes", &rows));
    return rank(all, v);
}

enum err tuned_scheme(const struct tuned_for *run, const struct tuned_wish *wish,
                      const struct scheme **scheme)
{
    struct db_view *v;
    struct selection all = {.run = run, .wish = wish};
    *scheme = find_scheme(CASE_SCHEME);
    TRY(tuned_view(run, &v));
    const enum err e = v ? read_times(&all, v) : ERR_OK;
    db_view_close(v);
    if (!e && all.count) {
        *scheme = all.timed[0].scheme;
        log_choice(&all);
    } else if (!e) {
        log_info("scheme %s, the default: none is measured for this device in %s: "
                 "`shoal measure schemes --precision %s`",
                 (*scheme)->name, precision_names[wish->config->precision],
                 precision_names[wish->config->precision]);
    }
    free(all.place);
    return e;
}
