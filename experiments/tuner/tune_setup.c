/* The default setup of a tuning. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/catalog.h"
#include "core/registry/registry.h"
#include "experiments/tuner/tune.h"

static const double PATIENCE = 60; /* s */

/* While a GPU measures, its process and this one need a core each. */
static int default_compilers(enum backend_kind backend)
{
    const int cores = omp_get_num_procs();
    const int n = backend == CUDA ? cores - 2 : cores;
    return n < 1 ? 1 : n > MOST_COMPILERS ? MOST_COMPILERS : n;
}

void tune_defaults(struct tune_setup *t, enum backend_kind backend)
{
    static const int standard[BACKENDS] = {[CPU] = 1024, [CUDA] = 4096};
    struct config *c = &t->config;
    memset(t, 0, sizeof *t);
    config_case_defaults(c);
    snprintf(c->input, sizeof c->input, "circular-dam");
    snprintf(c->backend, sizeof c->backend, "%s", backends[backend]->name);
    c->nx = c->ny = standard[backend];
    c->tuned = 0; /* the flow is made with the default blocks */
    t->backend = backend;
    t->strategy = SEARCH_GUIDED;
    t->compilers = default_compilers(backend);
    t->patience = PATIENCE;
}

/* Fails: no kernel that can be tuned has this name. */
static enum err no_such_kernel(const struct catalog *tuned, const char *name)
{
    if (find_kernel(name))
        FAIL(USAGE,
             "kernel %s cannot be tuned: its description in kernels/ has no .tuned; its blocks "
             "are chosen by --block of `shoal run`",
             name);
    return catalog_unknown(tuned, "kernel", name, "`shoal list kernels` lists them");
}

enum err tune_choose(struct tune_setup *t, const char *list)
{
    char name[MOST_SUBJECTS][NAME_LENGTH];
    int used[MOST_SUBJECTS] = {0}, n = 0, count = 0;
    struct catalog known = {0};
    for (const char *rest = *list ? list : NULL; rest; count++) {
        if (count == MOST_SUBJECTS)
            FAIL(USAGE, "--kernel takes at most %d names", MOST_SUBJECTS);
        rest = option_next_word(rest, name[count]);
    }
    for (int table = 0; kernel_tables[table]; table++) {
        for (const struct kernel *k = kernel_tables[table]; k->name; k++) {
            int wanted = count == 0;
            if (!k->tuned)
                continue;
            catalog_add(&known, k->name);
            for (int m = 0; m < count; m++) {
                const int fits = strcmp(name[m], k->name) == 0 || strcmp(name[m], k->stem) == 0;
                used[m] |= fits;
                wanted |= fits;
            }
            if (wanted && n < MOST_SUBJECTS)
                t->kernel[n++] = k;
        }
    }
    t->kernel[n] = NULL;
    for (int m = 0; m < count; m++)
        if (!used[m])
            return no_such_kernel(&known, name[m]);
    return ERR_OK;
}
