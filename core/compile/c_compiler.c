/* Running the C compiler without a shell; what it says against a kernel becomes the error. */
#include "core/compile/c_compiler.h"

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

#include "core/compile/cache.h"
#include "core/compile/compiler_message.h"
#include "core/compile/language_check.h"
#include "core/base/paths.h"

#ifndef SHOAL_BUILD_CC
#define SHOAL_BUILD_CC "cc"
#endif

enum { MOST_ARGS = 256, MOST_LOG = 8 << 20, SCRATCH_BYTES = 1 << 20 };

struct command {
    char text[MOST_ARGS][PATH_LENGTH / 2];
    char *argv[MOST_ARGS + 1];
    int n, cut; /* some did not fit */
};

static void add(struct command *c, const char *fmt, const char *a, const char *b)
{
    if (c->n == MOST_ARGS) {
        c->cut = 1;
        return;
    }
    c->cut |= snprintf(c->text[c->n], sizeof c->text[0], fmt, a, b) >= (int)sizeof c->text[0];
    c->argv[c->n] = c->text[c->n];
    c->argv[++c->n] = NULL;
}

/* Adds words separated by spaces. */
static void add_words(struct command *c, const char *words)
{
    char copy[1 << 14], *save = NULL;
    c->cut |= snprintf(copy, sizeof copy, "%s", words) >= (int)sizeof copy;
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        add(c, "%s%s", w, "");
}

static const char *chosen; /* by cc_choose */

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

/* What compilers say is read here, so they say it in English; for the caller to free. */
static char **english_environment(void)
{
    static char english[] = "LC_ALL=C";
    int n = 0;
    while (environ[n])
        n++;
    char **list = calloc((size_t)n + 2, sizeof *list);
    if (!list)
        return NULL;
    list[0] = english;
    for (int k = 0, to = 1; k < n; k++)
        if (strncmp(environ[k], "LC_ALL=", 7) != 0 && strncmp(environ[k], "LANGUAGE=", 9) != 0)
            list[to++] = environ[k];
    return list;
}

/* Starts a command whose stdout and stderr go to `end`. */
static enum err start(struct command *c, int end, pid_t *pid)
{
    posix_spawn_file_actions_t io;
    char **environment = english_environment();
    if (!environment)
        FAIL(MEMORY, "no memory to run the compiler");
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&io, end, 1);
    posix_spawn_file_actions_adddup2(&io, end, 2);
    const int rc = posix_spawnp(pid, c->argv[0], &io, NULL, c->argv, environment);
    posix_spawn_file_actions_destroy(&io);
    free(environment);
    if (rc)
        FAIL(ABSENT,
             "kernels are compiled when they are needed, and the C compiler '%s' cannot be started "
             "(%s): install gcc, or name another one in SHOAL_CC",
             c->argv[0], strerror(rc));
    return ERR_OK;
}

/* Room for one more byte and a NUL, up to MOST_LOG; 0 if there is none. */
static int make_room(char **log, size_t got, size_t *room)
{
    if (got + 1 < *room)
        return 1;
    char *more = *room < MOST_LOG ? realloc(*log, 2 * *room) : NULL;
    if (!more)
        return 0;
    *log = more;
    *room *= 2;
    return 1;
}

/* What comes through a pipe, up to MOST_LOG bytes, as text, for the caller to free. Reads on to the
 * end, so that the writer can finish. */
static char *read_all(int end)
{
    size_t got = 0, room = 1 << 14;
    char *log = malloc(room);
    for (;;) {
        char drain[4096];
        const int fits = log && make_room(&log, got, &room);
        const ssize_t k = read(end, fits ? log + got : drain, fits ? room - 1 - got : sizeof drain);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        got += fits ? (size_t)k : 0;
    }
    if (!log)
        return NULL;
    log[got] = '\0';
    for (char *nul = log; (nul = memchr(nul, '\0', (size_t)(log + got - nul)));)
        *nul = ' ';
    return log;
}

/* Runs a command. `log` gets what it prints, for the caller to free, also after an error. */
static enum err run(struct command *c, char **log, int *status)
{
    int ends[2];
    pid_t pid = 0;
    *log = NULL;
    if (c->cut)
        FAIL(USAGE,
             "the command that compiles kernels has more than %d words, or one of more than %d "
             "characters: give fewer options in SHOAL_KERNEL_CFLAGS and SHOAL_CC",
             (int)MOST_ARGS, (int)sizeof c->text[0] - 1);
    if (pipe2(ends, O_CLOEXEC))
        FAIL(MACHINE, "cannot make a pipe: %s", strerror(errno));
    const enum err e = start(c, ends[1], &pid);
    close(ends[1]);
    if (!e) {
        *log = read_all(ends[0]);
        while (waitpid(pid, status, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    TRY(e);
    if (!*log)
        FAIL(MEMORY, "no memory for what the compiler says");
    return ERR_OK;
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
    struct command *c = calloc(1, sizeof *c);
    char *log = NULL;
    int status = 0;
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    add_words(c, compiler());
    add(c, "%s%s", "--version", "");
    enum err e = run(c, &log, &status);
    if (!e)
        e = take_version(log, status, text, n);
    free(log);
    free(c);
    return e;
}

/* A process that opens many devices asks once, unless it means another compiler. */
enum err cc_version(char *text, size_t n)
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
 * ones are named one by one: -ffast-math at a link would switch the process to flush-to-zero, and associative
 * arithmetic would add up large numbers before the small ones that the kernels keep apart. */
static const char *const mode_flags[MODES] = {
    [STRICT] = "-ffp-contract=off -fno-math-errno -fno-trapping-math",
    [FAST_MODE] = "-ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-signed-zeros "
                  "-freciprocal-math",
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

/* What is refused decides nothing about the code of what passes, so it is no part of the key: NVRTC
 * knows no function that is not declared, no header of the system, no array of variable length, and no
 * conversion between pointers. */
static const char refusals[] =
    "-nostdinc -Werror=implicit-function-declaration -Werror=return-type -Werror=vla "
    "-Werror=int-conversion -Werror=incompatible-pointer-types -Wc++-compat";

/* Of "gcc (Debian 12.2.0-14) 12.2.0": 12; 0 where the version stands elsewhere. */
static long major_version(const char *version)
{
    const char *behind = strstr(version, ") ");
    return behind ? strtol(behind + 2, NULL, 10) : 0;
}

/* gcc would turn the inner loops of copying phases into calls. From 13 on it threads jumps before it
 * takes conditions that do not change out of loops, which leaves the fused kernels' main loop with
 * branches that cannot be vectorised: a quarter of the speed. clang does not know the flags. */
static const char *vendor_flags(const char *version)
{
    if (strstr(version, "clang"))
        return "";
    return major_version(version) >= 13 ? "-fno-tree-loop-distribute-patterns -fno-thread-jumps"
                                        : "-fno-tree-loop-distribute-patterns";
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
    paths_home(&home);
    add_words(c, compiler());
    add_words(c, common_flags);
    add_words(c, refusals);
    add_words(c, vendor_flags(version));
    add_words(c, mode_flags[r->mode]);
    add_words(c, extra_flags());
    add(c, "-march=%s%s", march, "");
    add(c, "-I%s%s", home, "/kernels");
    recipe_defines(r, &d);
    for (int k = 0; k < d.count; k++)
        add(c, "-D%s%s", d.text[k], "");
}

/* Is a file system that the compiler writes to full? It does not always say so. */
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

static enum err failure(const struct command *c, const struct recipe *r, const char *path,
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

/* Of what gcc says about C++ that counts which NVRTC refuses; newer ones find fault with more. Makes
 * an error of the first such warning, in place. */
static int refused_by_nvrtc(char *log)
{
    static const char warning[] = ": warning: ", error[] = ": error:   ";
    for (char *line = log, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const size_t n = (size_t)(end - line);
        char *at = memmem(line, n, warning, strlen(warning));
        if (!at || (!memmem(line, n, "not permitted in C++", 20) &&
                    !memmem(line, n, "conflicts with C++ keyword", 26)))
            continue;
        memcpy(at, error, strlen(error));
        return 1;
    }
    return 0;
}

static enum err build(struct command *c, const struct recipe *r, const char *path)
{
    char source[PATH_LENGTH], temporary[PATH_LENGTH], *log = NULL;
    int status = 0;
    TRY(recipe_source(r, source, sizeof source));
    TRY(cache_temporary(path, temporary));
    add(c, "%s%s", source, "");
    add(c, "-o%s%s", temporary, "");
    enum err e = run(c, &log, &status);
    const int refused = !e && (status || refused_by_nvrtc(log));
    if (e || refused)
        cache_discard(temporary);
    if (refused)
        e = failure(c, r, path, log);
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
    TRY(dialect_check(r));
    struct command *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory to run the compiler");
    compose(c, r, march, version);
    enum err e = build(c, r, path);
    free(c);
    return e;
}
