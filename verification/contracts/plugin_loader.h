/* Plug-ins as functions that a contract can call: each is compiled at run time from its header, with the
 * CPU's strict-mode options. */
#ifndef SHOAL_PLUGIN_LOADER_H
#define SHOAL_PLUGIN_LOADER_H

#include "core/base/err.h"
#include "kernels/kernel.h"
#include "verification/contracts/plugin_calls.h"

/* The last is a flux where the bed has steps. */
enum plugin_kind {
    LIMITER_PLUGIN,
    FLUX_PLUGIN,
    RECONSTRUCTION_PLUGIN,
    STEP_FLUX_PLUGIN,
    PLUGIN_KINDS
};

extern const char *const plugin_kinds[PLUGIN_KINDS]; /* "limiter" */

struct plugin_library {
    void *handle;
    limiter_call *limiter; /* the one of its kind */
    flux_call *flux;
    rows_call *rows; /* of a reconstruction, with the default limiter */
};

/* Compiles kernels/FOLDER/NAME.h unless the cache has it, and opens it; ERR_KERNEL, with the
 * compiler's message, if it is rejected. */
enum err plugin_load(struct plugin_library *lib, enum plugin_kind kind, const char *name,
                     enum precision p);
void plugin_unload(struct plugin_library *lib); /* accepts a zeroed one that was never loaded */

#endif
