#include "core/sim/draining.h"

#include <stdio.h>
#include <string.h>

#include "core/options/run_config.h"
#include "core/problem/setup.h"
#include "core/registry/registry.h"

static int is_asked(const struct sim *s)
{
    return s->config->positivity == BY_DRAINING;
}

int draining_offered(const struct scheme *scheme, const struct plugin *flux,
                     const struct plugin *reconstruction)
{
    return scheme->drained_cfl > 0 && !(flux->properties & QUARTER) &&
           reconstruction->properties & POSITIVE;
}

int draining_is_possible(const struct config *c, const struct scheme *scheme)
{
    return c->positivity != BY_DRAINING || scheme->drained_cfl > 0;
}

enum { LIST = 512 };

static void add_name(char list[LIST], const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, LIST - used, "%s%s", used ? ", " : "", name);
}

enum err draining_check_scheme(const struct scheme *scheme)
{
    char able[LIST] = "";
    if (scheme->drained_cfl > 0)
        return ERR_OK;
    for (int k = 0; schemes[k]; k++)
        if (schemes[k]->drained_cfl > 0)
            add_name(able, schemes[k]->name);
    FAIL(USAGE, "--positivity draining: scheme %s does not offer it; choose --scheme %s",
         scheme->name, able);
}

/* The plug-ins of `list` whose properties are `wanted` in the bits of `mask`. */
static enum err refuse_plugin(const struct plugin *const *list, const char *option,
                              const char *name, unsigned mask, unsigned wanted, const char *why)
{
    char able[LIST] = "";
    for (int k = 0; list[k]; k++)
        if ((list[k]->properties & mask) == wanted)
            add_name(able, list[k]->name);
    FAIL(USAGE, "--positivity draining: %s %s %s; choose --%s %s", option, name, why, option, able);
}

static enum err check_plugins(const struct config *c)
{
    const struct plugin *flux = find_plugin(fluxes, c->flux);
    const struct plugin *bed = find_plugin(reconstructions, c->reconstruction);
    if (flux && flux->properties & QUARTER)
        return refuse_plugin(fluxes, "flux", c->flux, QUARTER, 0,
                             "is unstable beyond a Courant number of 1/4");
    if (bed && !(bed->properties & POSITIVE))
        return refuse_plugin(reconstructions, "reconstruction", c->reconstruction, POSITIVE,
                             POSITIVE,
                             "does not declare that faces see no more water than there is");
    return ERR_OK;
}

enum err draining_check(const struct sim *s, const struct setup *setup)
{
    if (!is_asked(s))
        return ERR_OK;
    TRY(draining_check_scheme(s->scheme));
    if (s->system->carried)
        FAIL(USAGE,
             "--positivity draining: it bounds depths, and a tracer's concentration stays within "
             "its bounds only by a Courant number of 1/4: omit --tracer, or this option");
    if (setup->sections)
        FAIL(USAGE,
             "--section: a section computes fluxes from the state, and --positivity draining "
             "reduces some of them: choose --positivity courant");
    return check_plugins(s->config);
}
