/* Which equations a run solves, and by which scheme. */
#include "core/problem/equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct scheme *scheme_of(const struct config *c, const struct system *system)
{
    const struct system *usual = system ? system : find_system("shallow_water");
    return find_scheme(*c->scheme ? c->scheme : usual->scheme);
}

enum err check_scheme(const struct scheme *scheme, const struct system *system)
{
    char able[512] = "";
    size_t used = 0;
    if (scheme_solves(scheme, system))
        return ERR_OK;
    for (int k = 0; schemes[k] && used < sizeof able; k++)
        if (scheme_solves(schemes[k], system))
            used += (size_t)snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "",
                                     schemes[k]->name);
    FAIL(USAGE,
         "scheme %s solves the system %s, and this run is of the system %s: choose --scheme %s",
         scheme->name, scheme->system, system->name, able);
}

const struct system *system_with_tracer(const struct system *system)
{
    for (int k = 0; systems[k]; k++)
        if (systems[k]->carried && systems[k]->extends &&
            strcmp(systems[k]->extends, system->name) == 0)
            return systems[k];
    return NULL;
}

static int gives_tracer(const struct config *c)
{
    return !isnan(c->tracer.number) || *c->tracer.file;
}

enum err system_of(const struct config *c, const struct flow_case *f, const struct system **system)
{
    const struct scheme *scheme = *c->scheme ? find_scheme(c->scheme) : NULL;
    *system = f ? case_system(f) : find_system(scheme ? scheme->system : "shallow_water");
    if (f && !*system)
        FAIL(USAGE,
             "the case %s is of the system %s, which does not exist; see `shoal list systems`",
             f->name, f->system);
    if (!gives_tracer(c) || (*system)->carried)
        return ERR_OK;
    const struct system *wider = system_with_tracer(*system);
    if (!wider)
        FAIL(USAGE, "--tracer: this run is of the system %s, which carries none: leave it out",
             (*system)->name);
    *system = wider;
    return ERR_OK;
}

/* What is said of water only, and of sediment only. */
static const char *const of_water[] = {
    "gravity", "manning", "level",   "depth",  "rain",      "infiltration", "suction",   "deficit",
    "source",  "tracer",  "limiter", "theta",  "flux",      "kappa",        "dt-factor", "sweep",
    "section", "maxima",  "hazard",  "debris", "wet-depth", "live",         "holes",     NULL};

/* The names of those that are not what they are by default: `early-exit off` and what `auto` stands for ask for nothing. */
static const char *chosen_of_water(const struct config *c)
{
    for (const char *const *name = of_water; *name; name++)
        if (config_changes(c, *name))
            return *name;
    if (c->early_exit == EARLY_EXIT_ON)
        return "early-exit";
    if (strcmp(c->reconstruction, "auto") != 0 &&
        strcmp(c->reconstruction, CASE_RECONSTRUCTION) != 0)
        return "reconstruction";
    return NULL;
}

enum err equations_check_options(const struct config *c, const struct system *system)
{
    static const char *const of_sediment[] = {"alpha", "beta", "sand", "compaction", "layer", NULL};
    const char *water = system->over_bed ? NULL : chosen_of_water(c);
    if (water)
        FAIL(USAGE,
             "--%s: this is of the system shallow_water, and the run is of the system %s: leave it "
             "out, or choose a scheme or a case of shallow water",
             water, system->name);
    for (const char *const *name = of_sediment; *name && system->constants == 0; name++)
        if (config_changes(c, *name))
            FAIL(USAGE,
                 "--%s: this is of the system sediment, and the run is of the system %s: leave it "
                 "out, or choose a scheme or a case of sediment, such as --scheme %s",
                 *name, system->name, find_system("sediment")->scheme);
    return ERR_OK;
}
