/* Compiles a plug-in's header, with code around it that makes it a function, through the pipeline
 * of the kernels. */
#include "verification/contracts/plugin_loader.h"

#include <dlfcn.h>
#include <string.h>

#include "core/compile/c_compiler.h"
#include "core/options/run_config.h"
#include "core/base/paths.h"
#include "core/compile/recipe.h"

const char *const plugin_kinds[PLUGIN_KINDS] = {"limiter", "flux", "reconstruction", "flux"};

#define ENTRY(kind, what)                                                  \
    {                                                                      \
        .name = kind, .stem = kind, .defines = what, .plugins = 1,         \
        .file = "../verification/contracts/" kind "_entry.inc", .block = { \
            {1, 1}                                                         \
        }                                                                  \
    }
static const struct kernel entries[PLUGIN_KINDS] = {ENTRY("limiter", ""), ENTRY("flux", ""),
                                                    ENTRY("reconstruction", ""),
                                                    ENTRY("flux", "STEPPED_BED=1")};

static int is_flux(enum plugin_kind kind)
{
    return kind == FLUX_PLUGIN || kind == STEP_FLUX_PLUGIN;
}

static enum err compile(enum plugin_kind kind, const char *name, enum precision p, char *path)
{
    char version[256], target[8192];
    struct config c;
    config_case_defaults(&c);
    const struct recipe r = {
        .kernel = &entries[kind],
        .block = {1, 1},
        .precision = p,
        .mode = STRICT,
        .on_cpu = 1,
        .switches = "",
        .limiter = kind == LIMITER_PLUGIN ? name : c.limiter,
        .flux = is_flux(kind) ? name : c.flux,
        .reconstruction = kind == RECONSTRUCTION_PLUGIN ? name : c.reconstruction,
    };
    TRY(cc_version(version, sizeof version));
    TRY(cc_target(c.march, target, sizeof target));
    return cc_compile(&r, c.march, version, target, path);
}

/* A function's address comes from dlsym as a pointer to an object, which C cannot convert. */
enum err plugin_load(struct plugin_library *lib, enum plugin_kind kind, const char *name,
                     enum precision p)
{
    char path[PATH_LENGTH];
    memset(lib, 0, sizeof *lib);
    TRY(compile(kind, name, p, path));
    lib->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *entry = lib->handle ? dlsym(lib->handle, "plugin_entry") : NULL;
    if (!entry) {
        err_keep(ERR_MACHINE, __FILE__, __LINE__, "cannot open the compiled %s %s: %s",
                 plugin_kinds[kind], name, dlerror());
        plugin_unload(lib);
        return ERR_MACHINE;
    }
    if (kind == LIMITER_PLUGIN)
        memcpy(&lib->limiter, &entry, sizeof entry);
    else if (is_flux(kind))
        memcpy(&lib->flux, &entry, sizeof entry);
    else
        memcpy(&lib->rows, &entry, sizeof entry);
    return ERR_OK;
}

void plugin_unload(struct plugin_library *lib)
{
    if (lib->handle)
        dlclose(lib->handle);
    lib->handle = NULL;
}
