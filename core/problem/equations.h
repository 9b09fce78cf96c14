/* Which equations a run solves, and with which scheme. */
#ifndef SHOAL_EQUATIONS_H
#define SHOAL_EQUATIONS_H

#include "core/options/run_config.h"
#include "core/registry/registry.h"

/* The scheme that --scheme names; without it, the default of the system (NULL: shallow water). NULL
 * for "auto", which depends on the device. */
const struct scheme *scheme_of(const struct config *c, const struct system *system);

/* The system of a case, NULL for a file, as the configuration extends it: --tracer. */
enum err system_of(const struct config *c, const struct flow_case *f, const struct system **system);

/* The system that extends this one by something the water carries; NULL: none does. */
const struct system *system_with_tracer(const struct system *system);

/* Fails with ERR_USAGE, naming both, where the scheme does not solve the system's equations. */
enum err check_scheme(const struct scheme *scheme, const struct system *system);

/* Fails with ERR_USAGE if an option that does not apply to the system differs from its default;
 * names both. */
enum err equations_check_options(const struct config *c, const struct system *system);

#endif
