/* Everything that users choose by name. Make generates the lists from the folders; each ends with
 * NULL. */
#ifndef SHOAL_REGISTRY_H
#define SHOAL_REGISTRY_H

#include "core/registry/case.h"
#include "kernels/kernel.h"
#include "kernels/system.h"
#include "core/registry/plugin.h"
#include "core/registry/scheme.h"

extern const struct system *const systems[];
extern const struct scheme *const schemes[];
extern const struct flow_case *const cases[];
extern const struct kernel *const kernel_tables[]; /* each table ends with a NULL name */
struct invariant;                                  /* verification/run/invariant.h */
extern const struct invariant *const invariants[];
extern const struct plugin *const limiters[];
extern const struct plugin *const fluxes[];
extern const struct plugin *const reconstructions[];

/* NULL if there is none of that name. */
const struct system *find_system(const char *name);
const struct scheme *find_scheme(const char *name);
const struct flow_case *find_case(const char *name);
const struct kernel *find_kernel(const char *name);
const struct system *case_system(const struct flow_case *c); /* the system that a case belongs to */
const struct plugin *find_plugin(const struct plugin *const *list, const char *name);

/* Does it solve the system's equations: its own, or those that extend them? */
int scheme_solves(const struct scheme *scheme, const struct system *system);

/* Does it move water over a bed? Verification, judge and certificate build their scenes of such
 * schemes. */
int scheme_moves_water(const struct scheme *scheme);

/* The largest Courant number, `cfl` or less, at which a scheme that claims `cfl` is stable with this flux. */
double courant_with(const char *flux, double cfl);

/* Each of those, by its number k in the list. */
#define FOR_SCHEMES_OF_WATER(k)      \
    for (int k = 0; schemes[k]; k++) \
        if (scheme_moves_water(schemes[k]))

/* Each of those that can compute a domain in tiles. */
#define FOR_SCHEMES_IN_TILES(k)      \
    for (int k = 0; schemes[k]; k++) \
        if (scheme_moves_water(schemes[k]) && !schemes[k]->split)

/* The name among `count` that a mistyped one probably means: the shortest that begins with it, else
 * the one with the fewest letters to change, which goes first where it is one letter of more than
 * three; NULL if none is near. Dashes before a name are no letters. */
const char *nearest_name(const char *typed, const char *const *names, int count);

#endif
