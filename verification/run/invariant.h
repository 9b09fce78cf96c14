/* Properties that every scheme must have, whatever the case: a file each in
 * verification/invariants. NAME.c defines `const struct invariant invariant_NAME` (hyphens become
 * underscores). */
#ifndef SHOAL_INVARIANT_H
#define SHOAL_INVARIANT_H

#include "core/options/run_config.h"
#include "core/base/err.h"
#include "kernels/kernel.h"
#include "verification/run/scene.h"

/* What is verified: a scheme with all its choices. An empty name is the default. */
struct variant {
    char scheme[NAME_LENGTH], limiter[NAME_LENGTH];
    enum precision precision;
    enum backend_kind backend;
    enum mode mode;
    int device;
    const struct division *division; /* for a run in parts; null: one piece */
    char flux[NAME_LENGTH], reconstruction[NAME_LENGTH];
    enum positivity positivity;
};

/* A finding: a number and its limit. */
struct finding {
    char what[64]; /* "mass error", no tabs */
    int n;         /* cells from west to east */
    double value;
    double most; /* NAN: reported, not judged */
    char why[200];
};

enum { FINDINGS = 32 };

struct findings {
    int count;
    struct finding finding[FINDINGS];
};

/* Whether it runs again with a tracer, if the scheme supports one. */
enum carried { NOT_CARRIED, CARRIED, CARRIED_UNLESS_QUICK };

/* Which schemes must have it: those of water, those of systems without a bed, all. */
enum required_of { OF_WATER, OF_BASINS, OF_ALL };

struct invariant {
    const char *name, *title, *why; /* why: one sentence for the report */
    enum required_of of;
    int quick; /* also with --quick */
    enum carried carried;
    /* Null: applies to all. */
    int (*applies)(const struct variant *v);
    /* Measures. `effort` 0 quick, 1 usual, 2 full. Adds to `f`; fails only when it cannot measure. */
    enum err (*measure)(const struct variant *v, int effort, struct findings *f);
};

/* Measures once, or twice if the invariant also covers a tracer. Findings of the second run end in
 * the system's name. */
enum err invariant_measure(const struct invariant *i, const struct variant *v, int effort,
                           struct findings *f);

/* "f64", "cuda": as options and files name them. */
const char *variant_precision(const struct variant *v);
const char *variant_backend(const struct variant *v);

/* The scheme that it names, or a case's; null: there is none of that name. */
const struct scheme *variant_scheme(const struct variant *v);

int invariant_is_of(const struct invariant *i, const struct scheme *s);

/* That of the scheme. */
const struct system *variant_system(const struct variant *v);

/* Whether a variant's scheme, or each of its plug-ins (limiter, flux, reconstruction), is the
 * default of `shoal run`. */
int variant_has_default_scheme(const struct variant *v);
int variant_has_default_limiter(const struct variant *v);
int variant_has_default_flux(const struct variant *v);
int variant_has_default_reconstruction(const struct variant *v);
int variant_has_default_plugins(const struct variant *v);

/* Do its flux and reconstruction declare that they keep depths non-negative? */
int variant_is_positive(const struct variant *v);

/* If its reconstruction leaves steps of the bed to the flux, gives it a flux that handles them,
 * unless its own does. */
int variant_needs_bed_flux(const struct variant *v);
void variant_complete(struct variant *v);

/* Do its flux and reconstruction go together, and does its scheme offer its positivity with them? */
int variant_is_possible(const struct variant *v);

/* Whether all its plug-ins declare SYMMETRIC. A wall mirrors the water in front of it, and only
 * symmetry makes its flux zero: other plug-ins leak, which is noted up to the share LEAK. */
int variant_is_symmetric(const struct variant *v);
#define LEAK 1e-2

/* The same kernels on the same device: all but mode and device number are equal. */
int variant_is(const struct variant *a, const struct variant *b);

/* "minmod", followed by flux, reconstruction and positivity where they are not the default:
 * "minmod hll", "minmod draining". */
enum { PLUGINS_TEXT = 4 * NAME_LENGTH };
const char *variant_plugins(const struct variant *v, char text[PLUGINS_TEXT]);

/* Their names, with defaults for empty ones. */
const char *variant_flux(const struct variant *v);
const char *variant_reconstruction(const struct variant *v);

/* Appends a finding (invariant.c). */
void found(struct findings *f, const char *what, int n, double value, double most, const char *why);

/* Runs a transformed scene and compares it with the transformed result `ran` of the original.
 * Appends in strict mode how many values differ (none may); in fast mode the largest difference of
 * levels over the depth of 1.5 m, which must be rounding after tens of steps. */
enum err found_otherwise(struct findings *f, const struct variant *v, const char *what,
                         const struct config *c, const struct scene *s, const struct scene *ran,
                         const struct aspect *a, const char *why);

/* A configuration for a variant: one CPU thread, the scheme's Courant number, early exit off
 * (invariant.c). */
void variant_configure(struct config *c, const struct variant *v);

#endif
