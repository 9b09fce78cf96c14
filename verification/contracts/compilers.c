/* One kernel, all compilers. */
#include "verification/contracts/compilers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/c_compiler.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/compiler_message.h"
#include "core/compile/nvrtc.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"

enum { OLDEST = 80 }; /* the architecture that every NVRTC since 11.8 compiles for */

static struct compilation *add_compilation(struct compilations *all, const char *compiler)
{
    struct compilation *c = &all->of[all->count++];
    *c = (struct compilation){.answer = COMPILES};
    snprintf(c->compiler, sizeof c->compiler, "%s", compiler);
    return c;
}

static int is_asked(const struct compilations *all, const char *compiler)
{
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->of[k].compiler, compiler) == 0)
            return 1;
    return 0;
}

/* An error in the kernel is an answer; a failure of the machine is an error. */
static enum err answer(struct compilation *c, enum err e)
{
    if (e == ERR_KERNEL) {
        c->answer = REFUSED;
        snprintf(c->message, sizeof c->message, "%s", err_message());
        return ERR_OK;
    }
    return e;
}

/* With the chosen C compiler; `name` is its name if it is not installed. */
static enum err ask_cc(struct recipe r, const char *name, struct compilations *all)
{
    char version[sizeof all->of[0].compiler], target[8192], path[PATH_LENGTH];
    const enum err e = cc_version(version, sizeof version);
    if (e == ERR_ABSENT) {
        struct compilation *c = add_compilation(all, name);
        c->answer = NOT_HERE;
        snprintf(c->message, sizeof c->message, "%s", err_message());
        return ERR_OK;
    }
    TRY(e);
    if (is_asked(all, version))
        return ERR_OK;
    struct compilation *c = add_compilation(all, version);
    TRY(cc_target("native", target, sizeof target));
    r.block = r.kernel->block[CPU];
    r.on_cpu = 1;
    for (int p = 0; p < PRECISIONS && c->answer == COMPILES; p++) {
        r.precision = (enum precision)p;
        TRY(answer(c, cc_compile(&r, "native", version, target, path)));
    }
    return ERR_OK;
}

/* The number-th file that PTX names: .file 3 "/home/x/kernels/limiters/koren.h" */
static void file_of(const char *ptx, int number, struct diagnosis *d)
{
    char begins[32];
    snprintf(begins, sizeof begins, ".file\t%d \"", number);
    const char *at = strstr(ptx, begins);
    const char *home = "";
    if (!at || paths_home(&home))
        return;
    at += strlen(begins);
    const size_t n = strlen(home);
    at += strncmp(at, home, n) == 0 && at[n] == '/' ? n + 1 : 0;
    snprintf(d->file, sizeof d->file, "%.*s", (int)strcspn(at, "\"\n"), at);
}

/* Before an instruction PTX may name its source position: .loc 3 12 9 */
static void find_double(const char *ptx, const char *instruction, struct diagnosis *d)
{
    const char *loc = NULL;
    for (const char *at = strstr(ptx, ".loc"); at && at < instruction; at = strstr(at + 1, ".loc"))
        loc = at;
    *d = (struct diagnosis){.what = "a GPU would compute this in double precision in an f32 run",
                            .remedy = "write numbers as REAL(0.5) and declare variables as real"};
    if (!loc)
        return;
    char *at = NULL;
    const int number = (int)strtol(loc + strlen(".loc"), &at, 10);
    d->line = (int)strtol(at, &at, 10);
    d->column = (int)strtol(at, &at, 10);
    file_of(ptx, number, d);
}

/* The first instruction in double precision; registers for it are declared before. */
static const char *double_instruction(const char *ptx)
{
    const char *at = strstr(ptx, ".f64");
    for (; at; at = strstr(at + 1, ".f64")) {
        const char *line = at;
        while (line > ptx && line[-1] != '\n')
            line--;
        if (strncmp(line + strspn(line, " \t"), ".reg", 4) != 0)
            return at;
    }
    return NULL;
}

static enum err refuse_double(const struct recipe *r, const char *ptx)
{
    const char *at = r->kernel->plugins && r->precision == F32 ? double_instruction(ptx) : NULL;
    if (!at)
        return ERR_OK;
    char what[256], text[PATH_LENGTH + 2048];
    struct diagnosis *d = malloc(sizeof *d);
    if (!d)
        FAIL(MEMORY, "no memory for what is wrong with a kernel");
    find_double(ptx, at, d);
    diagnosis_text(d, text, sizeof text);
    free(d);
    recipe_describe(r, what, sizeof what);
    FAIL(KERNEL, "%s:\n%s", what, text);
}

static enum err ask_nvrtc(struct recipe r, struct compilations *all)
{
    char why[2 * PATH_LENGTH], arch[16], name[sizeof all->of[0].compiler];
    struct nvrtc_output out;
    if (!nvrtc_api_open(why, sizeof why)) {
        struct compilation *c = add_compilation(all, "nvrtc");
        c->answer = NOT_HERE;
        snprintf(c->message, sizeof c->message, "%s", why);
        return ERR_OK;
    }
    nvrtc_name(name, sizeof name);
    snprintf(arch, sizeof arch, "sm_%d", OLDEST);
    struct compilation *c = add_compilation(all, name);
    const size_t used = strlen(c->compiler);
    snprintf(c->compiler + used, sizeof c->compiler - used, " for %s", arch);
    r.block = r.kernel->block[CUDA];
    for (int p = 0; p < PRECISIONS && c->answer == COMPILES; p++) {
        r.precision = (enum precision)p;
        enum err e = nvrtc_build(&r, arch, 0, &out);
        if (!e)
            e = refuse_double(&r, out.ptx);
        nvrtc_output_free(&out);
        TRY(answer(c, e));
    }
    return ERR_OK;
}

enum err compile_everywhere(const struct kernel *k, const char *limiter, const char *flux,
                            const char *reconstruction, struct compilations *all)
{
    static const char *const others[] = {"gcc", "clang"};
    const struct recipe r = {
        .kernel = k,
        .mode = FAST_MODE,
        .friction = 1,
        .limiter = limiter ? limiter : "minmod",
        .flux = flux ? flux : "central_upwind",
        .reconstruction = reconstruction ? reconstruction : "kp",
    };
    enum err e;
    all->count = 0;
    e = ask_cc(r, "cc", all);
    for (size_t n = 0; n < sizeof others / sizeof *others && !e; n++) {
        cc_choose(others[n]);
        e = ask_cc(r, others[n], all);
        cc_choose(NULL);
    }
    TRY(e);
    return ask_nvrtc(r, all);
}

enum err compile_plugin_everywhere(const char *kind, const char *name, struct compilations *all)
{
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name; k++)
            if (k->plugins)
                return compile_everywhere(k, strcmp(kind, "limiters") == 0 ? name : NULL,
                                          strcmp(kind, "fluxes") == 0 ? name : NULL,
                                          strcmp(kind, "reconstructions") == 0 ? name : NULL, all);
    FAIL(INPUT, "no kernel includes plug-ins: .plugins = 1 in its table says that one does");
}

int compilations_refused(const struct compilations *all)
{
    int n = 0;
    for (int k = 0; k < all->count; k++)
        n += all->of[k].answer == REFUSED;
    return n;
}
