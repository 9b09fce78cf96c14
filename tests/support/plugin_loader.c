/* Compiles one plug-in into a shared object in a temporary folder and opens it. */
#include "tests/support/plugin_loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/place.h"

enum { WORDS = 32, WORD_LENGTH = PATH_LENGTH + 64 };

struct command {
    int count;
    char word[WORDS][WORD_LENGTH];
};

static __attribute__((format(printf, 2, 3))) void add(struct command *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (c->count < WORDS)
        vsnprintf(c->word[c->count++], WORD_LENGTH, fmt, ap);
    va_end(ap);
}

static enum err execute(struct command *c)
{
    char *argv[WORDS + 1] = {c->word[0]};
    for (int k = 0; k < c->count; k++)
        argv[k] = c->word[k];
    pid_t pid;
    int failure = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ), status = 0;
    if (failure)
        FAIL(ABSENT, "%s: %s; the tests need a C compiler of that name", argv[0],
             strerror(failure));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            FAIL(MACHINE, "waiting for %s: %s", argv[0], strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        FAIL(KERNEL, "%s rejects the plug-in; see its messages above", argv[0]);
    return ERR_OK;
}

/* The strict mode's options; the warnings find a bare 0.5 in an f32 kernel. */
static enum err compile(const char *entry, const char *kind, const char *kinds, const char *name,
                        enum precision p, const char *object)
{
    static const char *const options[] = {
        "cc",
        "-x",
        "c",
        "-std=c11",
        "-D_GNU_SOURCE",
        "-O3",
        "-fPIC",
        "-shared",
        "-ffp-contract=off",
        "-fno-math-errno",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wdouble-promotion",
        "-Wconversion",
        "-march=native",
        "-fno-trapping-math",
    };
    const char *home;
    TRY(place_home(&home));
    struct command *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory for the compiler's command line");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        add(c, "%s", options[k]);
    add(c, "-I%s", home);
    add(c, "-I%s/kernels", home);
    add(c, "-DPRECISION=%d", p == F64 ? 64 : 32);
    add(c, "-D%s=%s", kind, name);
    add(c, "-D%s_FILE=\"%s/%s.h\"", kind, kinds, name);
    add(c, "-o");
    add(c, "%s", object);
    add(c, "%s/tests/support/%s", home, entry);
    enum err e = execute(c);
    free(c);
    return e;
}

static enum err open_object(struct plugin_library *lib, const char *object, void **entry)
{
    lib->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!lib->handle)
        FAIL(MACHINE, "%s", dlerror());
    *entry = dlsym(lib->handle, "plugin_entry");
    if (!*entry)
        FAIL(MACHINE, "%s", dlerror());
    return ERR_OK;
}

static enum err load(struct plugin_library *lib, const char *entry_file, const char *kind,
                     const char *kinds, const char *name, enum precision p, void **entry)
{
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_LENGTH], object[PATH_LENGTH + 16];
    memset(lib, 0, sizeof *lib);
    snprintf(folder, sizeof folder, "%s/shoal-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        FAIL(MACHINE, "%s: %s; TMPDIR must name a folder one can write to", folder,
             strerror(errno));
    snprintf(object, sizeof object, "%s/plugin.so", folder);
    enum err e = compile(entry_file, kind, kinds, name, p, object);
    if (!e)
        e = open_object(lib, object, entry);
    unlink(object);
    rmdir(folder);
    if (e)
        err_context("%s %s", kinds, name);
    return e;
}

/* A function's address comes from dlsym as a pointer to an object, which C cannot convert. */
enum err plugin_load_limiter(struct plugin_library *lib, const char *name, enum precision p)
{
    void *entry = NULL;
    TRY(load(lib, "limiter_entry.inc", "LIMITER", "limiters", name, p, &entry));
    memcpy(&lib->limiter, &entry, sizeof entry);
    return ERR_OK;
}

enum err plugin_load_flux(struct plugin_library *lib, const char *name, enum precision p)
{
    void *entry = NULL;
    TRY(load(lib, "flux_entry.inc", "FLUX", "fluxes", name, p, &entry));
    memcpy(&lib->flux, &entry, sizeof entry);
    return ERR_OK;
}

void plugin_unload(struct plugin_library *lib)
{
    if (lib->handle)
        dlclose(lib->handle);
    lib->handle = NULL;
}
