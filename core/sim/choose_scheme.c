/* The scheme of a run. What --scheme auto means is the first process's choice, by the cores of its host that its
 * processes have together: so it is the same for all, and for any number of them. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "core/base/log.h"
#include "core/base/process_life.h"
#include "core/db/tuned.h"
#include "core/problem/equations.h"
#include "core/registry/registry.h"
#include "core/sim/draining.h"
#include "core/sim/parts.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse.h"

/* Refuses sections to a scheme that does not compute them. */
static enum err check_abilities(const struct sim *s, const struct setup *setup)
{
    if (sim_exchanged(s) > UNKNOWNS)
        FAIL(KERNEL,
             "scheme %s exchanges '%s' and %d unknowns of a cell: kernels have room for %d numbers",
             s->scheme->name, s->scheme->exchanged, s->system->unknowns, UNKNOWNS);
    if (s->scheme->midpoint && setup->sections)
        FAIL(USAGE,
             "--section: a section computes fluxes from the state, and those of scheme %s are of "
             "half a step later: choose another scheme, such as rk2_fused",
             s->scheme->name);
    return ERR_OK;
}

/* What a process has of its host. */
struct cores {
    unsigned long host;
    int threads; /* as --threads says; 0: it does not */
    int allowed;
    cpu_set_t which;
};

static struct cores cores_here(const struct config *c)
{
    struct cores own = {
        .host = process_host(), .threads = c->threads, .allowed = omp_get_num_procs()};
    if (sched_getaffinity(0, sizeof own.which, &own.which))
        CPU_ZERO(&own.which);
    return own;
}

/* Of all on the first one's host: the threads that they ask for, or the cores that some of them may use. */
static int threads_together(const struct cores *c, int n)
{
    int asked = 0, most = 0;
    cpu_set_t any;
    CPU_ZERO(&any);
    for (int k = 0; k < n; k++) {
        if (c[k].host != c->host)
            continue;
        asked += c[k].threads;
        most = c[k].allowed > most ? c[k].allowed : most;
        CPU_OR(&any, &any, &c[k].which);
    }
    const int cores = CPU_COUNT(&any);
    return asked > 0 ? asked : cores > most ? cores : most;
}

static enum err count_threads(const struct config *c, struct ranks *ranks, int *threads)
{
    const struct cores own = cores_here(c);
    struct cores *all = calloc((size_t)ranks_crew(ranks)->ranks, sizeof *all);
    if (!all)
        FAIL(MEMORY, "no memory for the cores of %d processes", ranks_crew(ranks)->ranks);
    const enum err e = ranks_gather(ranks, &own, sizeof own, all);
    *threads = e ? 0 : threads_together(all, ranks_crew(ranks)->ranks);
    free(all);
    return e;
}

static unsigned long number_of(const struct scheme *scheme)
{
    unsigned long n = 0;
    while (schemes[n] && schemes[n] != scheme)
        n++;
    return n;
}

/* What --scheme auto chooses for. */
struct wanted {
    const struct config *config;
    const struct setup *setup;
};

static int has_tiles(const struct config *c)
{
    return c->tile.w || c->domain == DOMAIN_SPARSE;
}

static int suits(const void *context, const struct scheme *scheme)
{
    const struct wanted *w = context;
    const struct system *system = w->setup->system ? w->setup->system : find_system(scheme->system);
    return scheme_solves(scheme, system) && draining_is_possible(w->config, scheme) &&
           !(scheme->midpoint && w->setup->sections) && !(scheme->split && has_tiles(w->config));
}

static enum err choose_tuned(struct sim *s, const struct setup *setup)
{
    struct ranks *ranks = setup->ranks;
    struct tuned_for run = {s->backend->info(s->device), s->grid.nx, s->grid.ny, 0};
    const struct wanted wanted = {s->config, setup};
    const struct tuned_wish wish = {s->config, suits, &wanted};
    unsigned long number = 0;
    if (!ranks)
        return tuned_scheme(&run, &wish, &s->scheme);
    TRY(count_threads(s->config, ranks, &run.threads));
    if (ranks_crew(ranks)->rank == 0) {
        TRY(tuned_scheme(&run, &wish, &s->scheme));
        number = number_of(s->scheme);
    }
    TRY(ranks_largest(ranks, &number));
    s->scheme = schemes[number];
    return ERR_OK;
}

enum err sim_choose_scheme(struct sim *s, const struct setup *setup)
{
    const struct config *c = s->config;
    const int automatic = strcmp(c->scheme, "auto") == 0;
    const int tuned =
        automatic && (!setup->system || scheme_solves(find_scheme(CASE_SCHEME), setup->system));
    if (tuned)
        TRY(choose_tuned(s, setup));
    else
        s->scheme = automatic ? find_scheme(setup->system->scheme) : scheme_of(c, setup->system);
    if (automatic && !tuned)
        log_info(
            "scheme %s, the default of the system %s: auto chooses among schemes of water only",
            s->scheme->name, setup->system->name);
    s->system = setup->system ? setup->system : find_system(s->scheme->system);
    if (tuned && !suits(&(struct wanted){c, setup}, s->scheme))
        s->scheme = find_scheme(s->system->scheme);
    TRY(check_scheme(s->scheme, s->system));
    TRY(check_abilities(s, setup));
    TRY(draining_check(s, setup));
    if (c->early_exit == EARLY_EXIT_ON && !s->scheme->on_demand && !has_tiles(c))
        log_info("note: scheme %s has no early exit", s->scheme->name);
    return ERR_OK;
}
