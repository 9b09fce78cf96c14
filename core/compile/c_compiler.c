/* Runs the C compiler without a shell; its complaint about a kernel becomes the error. */
#include "core/compile/c_compiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "core/compile/cache.h"
#include "core/compile/compiler_command.h"
#include "core/compile/compiler_message.h"
#include "core/compile/language_check.h"
#include "core/base/paths.h"

#ifndef SHOAL_BUILD_CC
#define SHOAL_BUILD_CC "cc"
#endif

enum { SCRATCH_BYTES = 1 << 20 };

static const char *chosen; /* set by cc_choose */

static const char *compiler(void)
{
    const char *cc = chosen ? chosen : getenv("SHOAL_CC");
    return cc && *cc ? cc : SHOAL_BUILD_CC;
}

void cc_choose(const char *name)
{
    chosen = name;
}

/* For sanitizers and the like; part of the key. */
static const char *extra_flags(void)
{
    const char *flags = getenv("SHOAL_KERNEL_CFLAGS");
    return flags ? flags : "";
}

/* The version is the first line of what `--version` prints. */
static enum err take_version(const char *log, int status, char *text, size_t n)
{
    const int length = (int)strcspn(log, "\n");
    if (status)
        FAIL(ABSENT, "'%s --version' failed: %.*s", compiler(), length, log);
    snprintf(text, n, "%.*s", length, log);
    return ERR_OK;
}

/* Asks the compiler itself. */
static enum err ask_version(char *text, size_t n)
{
    struct compiler_command *c = calloc(1, sizeof *c);
    char *log = NULL;
    int status = 0;
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    compiler_add_words(c, compiler());
    compiler_add(c, "--version", "");
    enum err e = compiler_run(c, &log, &status);
    if (!e)
        e = take_version(log, status, text, n);
    free(log);
    free(c);
    return e;
}

/* A process that opens many devices asks once, until it chooses another compiler. With the lock
 * held. */
static enum err known_version(char *text, size_t n)
{
    static char known[PATH_LENGTH], version[256];
    char meant[PATH_LENGTH];
    const char *path = getenv("PATH");
    const int length = snprintf(meant, sizeof meant, "%s:%s", compiler(), path ? path : "");
    if (!*version || length >= (int)sizeof meant || strcmp(meant, known) != 0) {
        *version = '\0';
        TRY(ask_version(version, sizeof version));
        memcpy(known, meant, sizeof known);
    }
    snprintf(text, n, "%s", version);
    return ERR_OK;
}

enum err cc_version(char *text, size_t n)
{
    static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&asking);
    const enum err e = known_version(text, n);
    pthread_mutex_unlock(&asking);
    return e;
}

enum err cc_target(const char *march, char *text, size_t n)
{
    char line[8192];
    size_t used;
    if (strcmp(march, "native") != 0) {
        snprintf(text, n, "%s", march);
        return ERR_OK;
    }
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f)
        FAIL(MACHINE, "cannot read /proc/cpuinfo: name the processor with --march");
    used = (size_t)snprintf(text, n, "native:");
    while (fgets(line, sizeof line, f) && *line != '\n') {
        static const char *const keys[] = {"cpu family", "model\t",         "model name", "flags",
                                           "Features",   "CPU implementer", "CPU part"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys && used < n; k++)
            if (strncmp(line, keys[k], strlen(keys[k])) == 0)
                used += (size_t)snprintf(text + used, n - used, "%s", line);
    }
    fclose(f);
    return ERR_OK;
}

/* Strict flags keep every bit of IEEE arithmetic; the last two only drop errno and traps. Where gcc 12 makes a vector
 * of neighbouring numbers (slp) it fuses products with sums in spite of -ffp-contract=off. Fast flags are listed
 * one by one: -ffast-math in a link would switch the process to flush-to-zero, and
 * associative arithmetic would add large numbers before the small ones that the kernels keep apart. */
static const char *const mode_flags[MODES] = {
    [STRICT] = "-ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -fno-trapping-math",
    [FAST_MODE] = "-ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-signed-zeros "
                  "-freciprocal-math",
};
/* On Intel processors both compilers use half the width of AVX-512 by default, which costs these
 * kernels a fifth. Without AVX-512 the flag does nothing. */
#ifdef __x86_64__
#define WIDEST "-mprefer-vector-width=512 "
#else
#define WIDEST ""
#endif
static const char common_flags[] =
    WIDEST "-x c -std=gnu11 -O3 -fPIC -shared -fno-semantic-interposition "
           "-Wall -Wextra -Wno-unused "
           "-Werror=double-promotion -Werror=float-conversion";

/* These flags only reject text; they do not affect the code of accepted text, so they are not part
 * of the key: NVRTC has no undeclared functions, no system headers, no variable-length arrays, and
 * no conversions between pointers. */
static const char refusals[] =
    "-nostdinc -Werror=implicit-function-declaration -Werror=return-type -Werror=vla "
    "-Werror=int-conversion -Werror=incompatible-pointer-types";

/* Of "gcc (Debian 12.2.0-14) 12.2.0": 12; 0 if the version is not found. */
static long major_version(const char *version)
{
    const char *behind = strstr(version, ") ");
    return behind ? strtol(behind + 2, NULL, 10) : 0;
}

/* gcc would turn the inner loops of copying phases into calls. From 13 on it threads jumps before
 * it moves invariant conditions out of loops, which leaves branches in the fused kernels' main loop
 * and prevents its vectorisation: a quarter of the speed. At -O1, which is used where kernels
 * compute for less time than they compile, it leaves out passes that take a fifth of that and make
 * no kernel faster. There it also chooses itself what it inlines, if it has no loops to vectorise: long
 * functions that are called several times, as in the fused kernels, then compile once, in half of the
 * time. clang does not know the flags. */
#define LOOPS_STAY "-fno-tree-loop-distribute-patterns"
#define QUICK      "-fira-region=one -fno-tree-pta -fno-tree-dominator-opts -fno-tree-ccp"
#define CALLS      "-Dalways_inline=unused"
static const char *vendor_flags(const char *version)
{
    if (strstr(version, "clang"))
        return "";
    if (strstr(extra_flags(), "-O1"))
        return strstr(extra_flags(), "vectorize") ? LOOPS_STAY " " QUICK
                                                  : LOOPS_STAY " " QUICK " " CALLS;
    return major_version(version) >= 13 ? LOOPS_STAY " -fno-thread-jumps" : LOOPS_STAY;
}

void cc_options(enum mode mode, const char *version, char *text, size_t n)
{
    const char *const parts[] = {common_flags, vendor_flags(version), mode_flags[mode],
                                 extra_flags()};
    *text = '\0';
    for (size_t k = 0, used = 0; k < sizeof parts / sizeof *parts && used < n; k++)
        if (*parts[k])
            used += (size_t)snprintf(text + used, n - used, "%s%s", used ? " " : "", parts[k]);
}

static void compose(struct compiler_command *c, const struct recipe *r, const char *march,
                    const char *version)
{
    struct defines d;
    char kernels[PATH_LENGTH];
    const char *home = "";
    paths_home(&home);
    compiler_add_words(c, compiler());
    compiler_add_words(c, common_flags);
    compiler_add_words(c, refusals);
    compiler_add_words(c, vendor_flags(version));
    compiler_add_words(c, mode_flags[r->mode]);
    compiler_add_words(c, extra_flags());
    compiler_add(c, "-march=", march);
    snprintf(kernels, sizeof kernels, "%s/kernels", home);
    compiler_add(c, "-I", kernels);
    recipe_defines(r, &d);
    for (int k = 0; k < d.count; k++)
        compiler_add(c, "-D", d.text[k]);
}

/* Is a file system that the compiler writes to full? The compiler does not always say so. */
static int is_full(void)
{
    const char *cache = "/tmp", *scratch = getenv("TMPDIR");
    paths_cache(&cache);
    const char *const places[] = {cache, scratch && *scratch ? scratch : "/tmp"};
    struct statvfs disk;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (statvfs(places[k], &disk) == 0 && disk.f_blocks &&
            (double)disk.f_bavail * (double)disk.f_frsize < SCRATCH_BYTES)
            return 1;
    return 0;
}

static enum err failure(const struct compiler_command *c, const struct recipe *r, const char *path,
                        const char *log)
{
    char what[256], command[8192] = "";
    recipe_describe(r, what, sizeof what);
    if (is_full())
        FAIL(MACHINE,
             "%s cannot be compiled: the disk of the cache (%s) or of the compiler's temporary "
             "files (TMPDIR) is full: free some space, or set SHOAL_CACHE or TMPDIR; the "
             "compiler says:\n%.4000s",
             what, path, log);
    for (int k = 0; k < c->n && strlen(command) + strlen(c->argv[k]) + 2 < sizeof command; k++)
        strcat(strcat(command, c->argv[k]), " ");
    return diagnosis_of_log(what, command, log, path);
}

/* The process that loads a kernel has libc and libm, from which it takes memset and the like: a linker that does not
 * read them takes a third of the time. clang may have a library of its own in place of libgcc. */
static void add_source(struct compiler_command *c, const char *source, const char *version)
{
    const int is_clang = strstr(version, "clang") != NULL;
    compiler_add_words(c, is_clang ? "" : "-nostdlib");
    compiler_add(c, source, "");
    compiler_add_words(c, is_clang ? "" : "-lgcc");
}

static enum err build(struct compiler_command *c, const struct recipe *r, const char *version,
                      const char *path)
{
    char source[PATH_LENGTH], temporary[PATH_LENGTH], *log = NULL;
    int status = 0;
    TRY(recipe_source(r, source, sizeof source));
    TRY(cache_temporary(path, temporary));
    add_source(c, source, version);
    compiler_add(c, "-o", temporary);
    enum err e = compiler_run(c, &log, &status);
    if (!e && status)
        e = failure(c, r, path, log);
    if (!e)
        e = language_check(r, path);
    if (e)
        cache_discard(temporary);
    free(log);
    TRY(e);
    return cache_publish(temporary, path);
}

enum err cc_compile(const struct recipe *r, const char *march, const char *version,
                    const char *target, char *path)
{
    char key[KEY_LENGTH + 1], identity[16384];
    int found = 0;
    if (snprintf(identity, sizeof identity, "%s|%s|%s|%s|%s|%s|%s", compiler(), version, target,
                 common_flags, vendor_flags(version), mode_flags[r->mode],
                 extra_flags()) >= (int)sizeof identity)
        FAIL(USAGE, "SHOAL_KERNEL_CFLAGS is too long: give fewer options");
    TRY(recipe_key(r, identity, key));
    TRY(cache_lookup(key, ".so", path, &found));
    if (found)
        return ERR_OK;
    TRY(language_hints(r));
    struct compiler_command *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    compose(c, r, march, version);
    enum err e = build(c, r, version, path);
    free(c);
    return e;
}
