/* Running the C compiler without a shell; its messages end up in the error. */
#include "core/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cache.h"
#include "core/place.h"

#ifndef SHOAL_BUILD_CC
#define SHOAL_BUILD_CC "cc"
#endif

enum { MOST_ARGS = 96, LOG_BYTES = 12000, SCRATCH_BYTES = 1 << 20 };

struct command {
    char text[MOST_ARGS][PATH_LENGTH / 2];
    char *argv[MOST_ARGS + 1];
    int n;
};

static void add(struct command *c, const char *fmt, const char *a, const char *b)
{
    if (c->n == MOST_ARGS)
        return;
    snprintf(c->text[c->n], sizeof c->text[0], fmt, a, b);
    c->argv[c->n] = c->text[c->n];
    c->argv[++c->n] = NULL;
}

/* Adds words separated by spaces. */
static void add_words(struct command *c, const char *words)
{
    char copy[2048], *save = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        add(c, "%s%s", w, "");
}

static const char *compiler(void)
{
    const char *cc = getenv("SHOAL_CC");
    return cc && *cc ? cc : SHOAL_BUILD_CC;
}

/* For sanitizers and the like; part of the key. */
static const char *extra_flags(void)
{
    const char *flags = getenv("SHOAL_KERNEL_CFLAGS");
    return flags ? flags : "";
}

/* Runs a command with stdout and stderr going to one pipe; keeps the first `n` bytes of it. */
static enum err run(struct command *c, char *log, size_t n, int *status)
{
    int ends[2], rc;
    pid_t pid;
    size_t got = 0;
    posix_spawn_file_actions_t io;
    if (pipe2(ends, O_CLOEXEC))
        FAIL(MACHINE, "cannot make a pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&io, ends[1], 1);
    posix_spawn_file_actions_adddup2(&io, ends[1], 2);
    rc = posix_spawnp(&pid, c->argv[0], &io, NULL, c->argv, environ);
    posix_spawn_file_actions_destroy(&io);
    close(ends[1]);
    if (rc) {
        close(ends[0]);
        FAIL(ABSENT,
             "kernels are compiled when they are needed, and the C compiler '%s' cannot be started "
             "(%s): install gcc, or name another one in SHOAL_CC",
             c->argv[0], strerror(rc));
    }
    for (;;) {
        char drain[4096];
        int full = got + 1 >= n;
        ssize_t k = read(ends[0], full ? drain : log + got, full ? sizeof drain : n - 1 - got);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        got += full ? 0 : (size_t)k;
    }
    log[got] = '\0';
    close(ends[0]);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return ERR_OK;
}

enum err cc_version(char *text, size_t n)
{
    struct command *c = calloc(1, sizeof *c);
    char log[512] = "";
    int status = 0;
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    add_words(c, compiler());
    add(c, "%s%s", "--version", "");
    enum err e = run(c, log, sizeof log, &status);
    free(c);
    TRY(e);
    log[strcspn(log, "\n")] = '\0';
    if (status)
        FAIL(ABSENT, "'%s --version' failed: %s", compiler(), log);
    snprintf(text, n, "%s", log);
    return ERR_OK;
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

/* Strict flags keep every bit of IEEE arithmetic; the last two only give up errno and traps. Fast
 * ones are named one by one: -ffast-math at a link would switch the process to flush-to-zero. */
static const char *const mode_flags[MODES] = {
    [STRICT] = "-ffp-contract=off -fno-math-errno -fno-trapping-math",
    [FAST_MODE] = "-ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-signed-zeros "
                  "-fassociative-math -freciprocal-math",
};
/* Both compilers stay at half the width of AVX-512 on Intel processors unless told otherwise: for
 * these kernels that costs a fifth. Without AVX-512 the flag does nothing. */
#ifdef __x86_64__
#define WIDEST "-mprefer-vector-width=512 "
#else
#define WIDEST ""
#endif
static const char common_flags[] =
    WIDEST "-x c -std=gnu11 -O3 -fPIC -shared -fno-semantic-interposition "
           "-Wall -Wextra -Wno-unused "
           "-Werror=double-promotion -Werror=float-conversion";

/* gcc would turn the inner loops of copying phases into calls; clang does not know the flag. */
static const char *vendor_flags(const char *version)
{
    return strstr(version, "clang") ? "" : "-fno-tree-loop-distribute-patterns";
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

static void compose(struct command *c, const struct recipe *r, const char *march,
                    const char *version)
{
    struct defines d;
    const char *home = "";
    place_home(&home);
    add_words(c, compiler());
    add_words(c, common_flags);
    add_words(c, vendor_flags(version));
    add_words(c, mode_flags[r->mode]);
    add_words(c, extra_flags());
    add(c, "-march=%s%s", march, "");
    add(c, "-I%s%s", home, "/kernels");
    recipe_defines(r, &d);
    for (int k = 0; k < d.count; k++)
        add(c, "-D%s%s", d.text[k], "");
}

/* Is a file system that the compiler writes to full? Its own message is in the user's language. */
static int is_full(void)
{
    const char *cache = "/tmp", *scratch = getenv("TMPDIR");
    place_cache(&cache);
    const char *const places[] = {cache, scratch && *scratch ? scratch : "/tmp"};
    struct statvfs disk;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (statvfs(places[k], &disk) == 0 && disk.f_blocks &&
            (double)disk.f_bavail * (double)disk.f_frsize < SCRATCH_BYTES)
            return 1;
    return 0;
}

static enum err build(struct command *c, const struct recipe *r, const char *path)
{
    char source[PATH_LENGTH], temporary[PATH_LENGTH], what[256];
    char log[LOG_BYTES] = "";
    int status = 0;
    TRY(recipe_source(r, source, sizeof source));
    TRY(cache_temporary(path, temporary));
    add(c, "%s%s", source, "");
    add(c, "-o%s%s", temporary, "");
    enum err e = run(c, log, sizeof log, &status);
    recipe_describe(r, what, sizeof what);
    if (!e && status) {
        const int full = is_full();
        unlink(temporary);
        if (full)
            FAIL(MACHINE,
                 "%s cannot be compiled: the disk of the cache (%s) or of the compiler's temporary "
                 "files (TMPDIR) is full: free some space, or set SHOAL_CACHE or TMPDIR; the "
                 "compiler says:\n%s",
                 what, path, log);
        char options[3000] = "";
        for (int k = 0; k < c->n && strlen(options) + strlen(c->argv[k]) + 2 < sizeof options; k++)
            strcat(strcat(options, c->argv[k]), " ");
        FAIL(KERNEL, "%s does not compile:\n%s(command: %s)", what, log, options);
    }
    TRY(e);
    return cache_publish(temporary, path);
}

enum err cc_compile(const struct recipe *r, const char *march, const char *version,
                    const char *target, char *path)
{
    char key[KEY_LENGTH + 1], identity[16384];
    int found = 0;
    snprintf(identity, sizeof identity, "%s|%s|%s|%s|%s|%s|%s", compiler(), version, target,
             common_flags, vendor_flags(version), mode_flags[r->mode], extra_flags());
    TRY(recipe_key(r, identity, key));
    TRY(cache_lookup(key, ".so", path, &found));
    if (found)
        return ERR_OK;
    struct command *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    compose(c, r, march, version);
    enum err e = build(c, r, path);
    free(c);
    return e;
}
