/* Limiters and fluxes as functions a test can call: each is compiled at run time from its header,
 * with the CPU's strict-mode options, so that what is added is tested without being mentioned.
 *
 * Arguments and results are doubles whatever the precision; callers pass numbers that the precision
 * holds exactly (tests/support/sample.h), and get its results exactly. */
#ifndef SHOAL_TEST_PLUGIN_LOADER_H
#define SHOAL_TEST_PLUGIN_LOADER_H

#include "core/err.h"
#include "core/kernel.h"

struct test_side {
    double h, un, ut, b;
};

struct test_flux {
    double h, n, t;
};

/* The limited slope of n pairs of differences; the flux through n faces. */
typedef void limiter_call(const double *a, const double *b, double theta, double *slope, long n);
typedef void flux_call(const struct test_side *l, const struct test_side *r, double g,
                       struct test_flux *f, long n);

struct plugin_library {
    void *handle;
    limiter_call *limiter; /* one of the two */
    flux_call *flux;
};

/* Compile kernels/limiters/NAME.h or kernels/fluxes/NAME.h and load it; unload with plugin_unload.
 * What the compiler says goes to stderr. */
enum err plugin_load_limiter(struct plugin_library *lib, const char *name, enum precision p);
enum err plugin_load_flux(struct plugin_library *lib, const char *name, enum precision p);
void plugin_unload(struct plugin_library *lib); /* accepts one that was never loaded, if zeroed */

#endif
