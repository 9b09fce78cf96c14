/* Which equations a run solves, and with which scheme. */
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
    FAIL(USAGE, "scheme %s solves the system %s, but this run's is %s: choose --scheme %s",
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
    *system = config_system(c, f);
    if (f && !*system)
        FAIL(USAGE, "the case %s has the system %s, which does not exist; see `shoal list systems`",
             f->name, f->system);
    if (!gives_tracer(c) || (*system)->carried)
        return ERR_OK;
    const struct system *wider = system_with_tracer(*system);
    if (!wider)
        FAIL(USAGE, "--tracer: this run's system, %s, carries none: omit it", (*system)->name);
    *system = wider;
    return ERR_OK;
}

/* Unless the user typed them, `early-exit off` and whatever `auto` means demand nothing. */
static int asks(const struct config *c, const char *name)
{
    if (strcmp(name, "early-exit") == 0)
        return c->early_exit == EARLY_EXIT_ON;
    if (strcmp(name, "reconstruction") == 0 && strcmp(c->reconstruction, CASE_RECONSTRUCTION) == 0)
        return 0;
    return config_changes(c, name);
}

enum err equations_check_options(const struct config *c, const struct system *system)
{
    for (const struct option *o = run_options; o->name; o++)
        if (o->system && asks(c, o->name))
            TRY(config_check_row(o, system));
    return ERR_OK;
}
