/* What --positivity draining works with. */
#ifndef SHOAL_SIM_DRAINING_H
#define SHOAL_SIM_DRAINING_H

#include "core/registry/plugin.h"
#include "core/registry/scheme.h"
#include "core/sim/sim.h"

struct setup;

/* Whether a scheme offers it with that flux and reconstruction. */
int draining_offered(const struct scheme *scheme, const struct plugin *flux,
                     const struct plugin *reconstruction);

/* Fails, and names those that do, if the scheme does not offer it. */
enum err draining_check_scheme(const struct scheme *scheme);

/* Does the scheme offer what the run asks for? */
int draining_is_possible(const struct config *c, const struct scheme *scheme);

/* Refuses a run that draining does not serve. */
enum err draining_check(const struct sim *s, const struct setup *setup);

#endif
