/* The GPU's half of the run-time compiler: from recipe to cubin. */
#include "core/compile/nvrtc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/compile/cache.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/compiler_message.h"
#include "core/compile/language_check.h"
#include "core/base/log.h"
#include "core/base/paths.h"
#include "core/base/whole_file.h"

/* In strict mode every operation rounds as in IEEE 754. */
enum { MODE_OPTIONS = 4 };
static const char *const mode_options[MODES][MODE_OPTIONS] = {
    [STRICT] = {"--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"},
    [FAST_MODE] = {"--fmad=true", "--prec-div=false", "--prec-sqrt=false", "--ftz=true"},
};

enum { KEY_OPTIONS = MODE_OPTIONS + 2, OPTIONS = KEY_OPTIONS + RECIPE_DEFINES + 5 };

static int nvrtc_is_since(int major, int minor)
{
    return nvrtc_api.major > major || (nvrtc_api.major == major && nvrtc_api.minor >= minor);
}

#define LINE_TABLES "-lineinfo"

/* One text for several numbers of columns has loops that some of them do not reach. */
#define NO_UNREACHABLE "--diag-suppress=128"

/* The options in the key: all but the defines, which the recipe adds, and the include path, whose
 * files' contents it adds. Line tables do not change the code; with them profilers and
 * compute-sanitizer show a kernel's lines. NVRTC 11.8 and 12.0 crash on them for sm_90. */
static int key_options(const struct recipe *r, const char *list[KEY_OPTIONS])
{
    int count = 0;
    list[count++] = "--std=c++17";
    if (nvrtc_is_since(12, 1))
        list[count++] = LINE_TABLES;
    for (int k = 0; k < MODE_OPTIONS; k++)
        list[count++] = mode_options[r->mode][k];
    return count;
}

struct options {
    const char *list[OPTIONS];
    int count;
    char arch[48], include[PATH_LENGTH + 16];
    char define[RECIPE_DEFINES][sizeof(((struct defines *)0)->text[0]) + 2];
};

static void drop(struct options *o, const char *option)
{
    int kept = 0;
    for (int k = 0; k < o->count; k++)
        if (strcmp(o->list[k], option) != 0)
            o->list[kept++] = o->list[k];
    o->count = kept;
}

static enum err collect_options(const struct recipe *r, const char *arch, int verbose,
                                struct options *o)
{
    const char *home;
    struct defines d;
    TRY(paths_home(&home));
    snprintf(o->arch, sizeof o->arch, "--gpu-architecture=%s", arch);
    snprintf(o->include, sizeof o->include, "-I%s/kernels", home);
    o->count = key_options(r, o->list);
    if (strpbrk(home, "\"\\")) /* NVRTC writes the path into its assembly unescaped */
        drop(o, LINE_TABLES);
    o->list[o->count++] = o->arch;
    o->list[o->count++] = o->include;
    if (nvrtc_is_since(12, 9)) /* it would fetch code from the driver's cache, which gives no log */
        o->list[o->count++] = "--no-cache";
    if (nvrtc_is_since(11, 8))
        o->list[o->count++] = NO_UNREACHABLE;
    if (verbose)
        o->list[o->count++] = "--ptxas-options=-v";
    recipe_defines(r, &d);
    for (int k = 0; k < d.count; k++) {
        snprintf(o->define[k], sizeof o->define[k], "-D%s", d.text[k]);
        o->list[o->count++] = o->define[k];
    }
    return ERR_OK;
}

/* Appends words separated by spaces. */
static void append(char *text, size_t n, const char *const *words, int count)
{
    for (int k = 0; k < count; k++) {
        size_t used = strlen(text);
        snprintf(text + used, n - used, "%s%s", used ? " " : "", words[k]);
    }
}

void nvrtc_name(char *text, size_t n)
{
    snprintf(text, n, "nvrtc %d.%d", nvrtc_api.major, nvrtc_api.minor);
}

void nvrtc_options(enum mode mode, char *text, size_t n)
{
    const char *options[KEY_OPTIONS];
    const struct recipe r = {.mode = mode};
    const int count = key_options(&r, options);
    *text = 0;
    append(text, n, options, count);
}

static void identity(const struct recipe *r, const char *arch, char *text, size_t n)
{
    const char *options[KEY_OPTIONS];
    nvrtc_name(text, n);
    append(text, n, &arch, 1);
    append(text, n, options, key_options(r, options));
}

/* The newest architecture from `least` to `arch` that NVRTC knows; 0 if there is none. */
static int best_between(int least, int arch)
{
    int archs[256], count = 0, best = 0;
    if (nvrtc_api.nvrtcGetNumSupportedArchs(&count) || count < 1 || count > 256 ||
        nvrtc_api.nvrtcGetSupportedArchs(archs))
        return 0;
    for (int k = 0; k < count; k++)
        if (archs[k] >= least && archs[k] <= arch && archs[k] > best)
            best = archs[k];
    return best;
}

int nvrtc_target(int capability)
{
    return best_between(capability / 10 * 10, capability);
}

int nvrtc_supports(int arch)
{
    return best_between(arch, arch) == arch;
}

/* NVRTC's own failure, unless it says that the text is at fault. */
static enum err compile_error(const struct recipe *r, const char *arch, const struct options *o,
                              nvrtcResult result, const char *log, const char *keep)
{
    char what[256], kernel[300], options[2 * PATH_LENGTH] = "nvrtc ";
    recipe_describe(r, what, sizeof what);
    if (result != NVRTC_ERROR_COMPILATION)
        FAIL(MACHINE, "%s cannot be compiled for %s: %s\n%.4000s", what, arch,
             nvrtc_api.nvrtcGetErrorString(result), log);
    snprintf(kernel, sizeof kernel, "%s for %s", what, arch);
    append(options, sizeof options, o->list, o->count);
    return diagnosis_of_log(kernel, options, log, keep);
}

/* Allocates the size that one of NVRTC's functions returned, at least one byte. */
static enum err room_for(size_t bytes, void **p)
{
    *p = calloc(1, bytes + 1);
    if (!*p)
        FAIL(MEMORY, "no memory for %zu bytes of a compiled kernel", bytes);
    return ERR_OK;
}

static enum err take_log(nvrtcProgram program, struct nvrtc_output *out)
{
    size_t bytes;
    void *p;
    TRY(NVRTC(nvrtcGetProgramLogSize(program, &bytes)));
    TRY(room_for(bytes, &p));
    out->log = p;
    TRY(NVRTC(nvrtcGetProgramLog(program, out->log)));
    size_t n = strlen(out->log);
    while (n > 0 && strchr("\n ", out->log[n - 1]))
        out->log[--n] = 0;
    return ERR_OK;
}

static enum err take_code(nvrtcProgram program, struct nvrtc_output *out)
{
    size_t bytes;
    void *p;
    TRY(NVRTC(nvrtcGetPTXSize(program, &bytes)));
    TRY(room_for(bytes, &p));
    out->ptx = p;
    TRY(NVRTC(nvrtcGetPTX(program, out->ptx)));
    TRY(NVRTC(nvrtcGetCUBINSize(program, &out->cubin_bytes)));
    TRY(room_for(out->cubin_bytes, &out->cubin));
    return NVRTC(nvrtcGetCUBIN(program, out->cubin));
}

/* `keep`: where a failure's log is saved, see diagnosis_of_log. */
static enum err build(const struct recipe *r, const char *arch, int verbose, const char *keep,
                      struct nvrtc_output *out)
{
    enum err e;
    char source[PATH_LENGTH], *text = NULL;
    nvrtcProgram program = NULL;
    struct options o;
    *out = (struct nvrtc_output){0};
    TRY_OUT(language_hints(r));
    TRY_OUT(recipe_source(r, source, sizeof source));
    TRY_OUT(whole_file_read(source, WHOLE_TEXT, &text, NULL));
    TRY_OUT(collect_options(r, arch, verbose, &o));
    TRY_OUT(NVRTC(nvrtcCreateProgram(&program, text, source, 0, NULL, NULL)));
    nvrtcResult compiled = nvrtc_api.nvrtcCompileProgram(program, o.count, o.list);
    TRY_OUT(take_log(program, out));
    if (compiled != NVRTC_SUCCESS)
        TRY_OUT(compile_error(r, arch, &o, compiled, out->log, keep));
    TRY_OUT(language_check(r, keep));
    TRY_OUT(take_code(program, out));
out:
    if (program)
        nvrtc_api.nvrtcDestroyProgram(&program);
    free(text);
    return e;
}

enum err nvrtc_build(const struct recipe *r, const char *arch, int verbose,
                     struct nvrtc_output *out)
{
    return build(r, arch, verbose, NULL, out);
}

void nvrtc_output_free(struct nvrtc_output *out)
{
    free(out->log);
    free(out->ptx);
    free(out->cubin);
    *out = (struct nvrtc_output){0};
}

static enum err write_file(const char *path, const void *data, size_t bytes)
{
    FILE *f = fopen(path, "wb");
    size_t written = f ? fwrite(data, 1, bytes, f) : 0;
    if (!f || fclose(f) != 0 || written != bytes)
        return cache_failed(path, errno, "writing failed");
    return ERR_OK;
}

enum err nvrtc_compile(const struct recipe *r, const char *arch, char *path)
{
    enum err e;
    int found;
    char compiler[512], key[KEY_LENGTH + 1], temporary[PATH_LENGTH] = "";
    struct nvrtc_output out = {0};
    identity(r, arch, compiler, sizeof compiler);
    TRY_OUT(recipe_key(r, compiler, key));
    TRY_OUT(cache_lookup(key, ".cubin", path, &found));
    if (found)
        return ERR_OK;
    TRY_OUT(build(r, arch, 0, path, &out));
    if (*out.log)
        log_warning("the kernel compiler says:\n%s", out.log);
    TRY_OUT(cache_temporary(path, temporary));
    TRY_OUT(write_file(temporary, out.cubin, out.cubin_bytes));
    TRY_OUT(cache_publish(temporary, path));
    *temporary = 0;
out:
    if (*temporary)
        cache_discard(temporary);
    nvrtc_output_free(&out);
    return e;
}
