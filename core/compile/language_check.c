/* Checks the text of a plug-in by patterns, and all of a kernel by g++. */
#include "core/compile/language_check.h"

#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/paths.h"
#include "core/base/whole_file.h"
#include "core/compile/cache.h"
#include "core/compile/compiler_command.h"
#include "core/compile/compiler_message.h"

#define BEFORE "(^|[^A-Za-z0-9_.])"
#define SPACE  "[[:space:]]"

/* What all compilers accept, or what only NVRTC refuses. The second group is the place to point at. */
static const struct hint {
    const char *pattern, *what, *remedy;
} hints[] = {
    {BEFORE "(double|float)\\>", "has a fixed precision, whatever that of the run", "write real"},
    {BEFORE "(restrict)\\>", "is not part of CUDA C++", "remove it"},
    {BEFORE "(static)" SPACE "+(inline|real|bits|int|unsigned|char|long|struct|void)\\>",
     ": NVRTC takes this for host code",
     "begin a function with FN, which means static inline to both compilers; keep nothing from one "
     "call to the next"},
    {BEFORE "(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?[fF])\\>",
     "is in single precision, whatever that of the run",
     "write REAL(...) around it, without the f"},
    {BEFORE "([0-9]+ */ *[0-9]+)([^.eE0-9]|$)", "is an integer division",
     "write each in REAL(...), or one with a point"},
};

/* Signatures of plug-ins. */
static const struct signature {
    const char *kind, *a, *type[6], *text;
} signatures[] = {
    {"limiters",
     "limiter",
     {"real", "real", "real", "real"},
     "FN real %s(real a, real b, real theta)"},
    {"fluxes",
     "flux",
     {"struct flux", "struct side", "struct side", "real"},
     "FN struct flux %s(struct side l, struct side r, real g)"},
    {"reconstructions",
     "reconstruction",
     {"real", "real", "real", "real"},
     "FN real %s(real d, real low, real high)"},
    {"reconstructions",
     "reconstruction",
     {"real", "struct side", "struct side"},
     "FN real %s(struct side l, struct side r)"},
};

/* The length of the comment, quoted text or directive at the start of `s`. Directives may define
 * different things for the two compilers. */
static size_t blank_length(const char *s, int line_begins)
{
    size_t n = 1;
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? (size_t)(end + 2 - s) : strlen(s);
    }
    if (*s == '#' && line_begins) {
        while (s[n] && (s[n] != '\n' || s[n - 1] == '\\'))
            n++;
        return n;
    }
    if (*s != '"')
        return 0;
    while (s[n] && s[n] != '"' && s[n] != '\n')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n + (s[n] == '"');
}

/* Blanks out everything that is not code, so that the rest keeps its line and column. */
static void keep_code(char *text)
{
    int begins = 1; /* nothing but blanks so far on this line */
    for (char *s = text; *s; s++) {
        for (size_t n = blank_length(s, begins); n > 0; n--, s++)
            *s = *s == '\n' ? '\n' : ' ';
        if (!*s)
            return;
        begins = *s == '\n' || (begins && (*s == ' ' || *s == '\t'));
    }
}

/* Where group `group` of a pattern first matches; null if nowhere. `n`: its length. */
static const char *find(const char *text, const char *pattern, int group, int *n)
{
    regex_t compiled;
    regmatch_t match[3];
    if (regcomp(&compiled, pattern, REG_EXTENDED) != 0)
        return NULL;
    const int found = regexec(&compiled, text, 3, match, 0) == 0;
    regfree(&compiled);
    if (!found)
        return NULL;
    *n = (int)(match[group].rm_eo - match[group].rm_so);
    return text + match[group].rm_so;
}

/* Fails with a place in `text`; without one if `at` is null. */
static enum err refuse(const char *what, struct diagnosis *d, const char *text, const char *at)
{
    char message[PATH_LENGTH + 2048];
    d->line = 1;
    for (const char *s = text; at && s < at; s++) {
        d->line += *s == '\n';
        d->column = *s == '\n' ? 0 : d->column + 1;
    }
    d->column += at != NULL;
    diagnosis_text(d, message, sizeof message);
    FAIL(KERNEL, "%s does not compile:\n%s", what, message);
}

/* Appends a pattern for a type, with or without const. */
static void add_type(char *pattern, size_t room, const char *type)
{
    size_t n = strlen(pattern);
    n += (size_t)snprintf(pattern + n, room - n, SPACE "*(const" SPACE "+)?");
    for (; *type && n < room; type++)
        n += *type == ' ' ? (size_t)snprintf(pattern + n, room - n, SPACE "+")
                          : (size_t)snprintf(pattern + n, room - n, "%c", *type);
    if (n < room)
        snprintf(pattern + n, room - n, "(" SPACE "+const)?");
}

/* Where a function of this signature begins; null if nowhere. `n`: the length up to its body. */
static const char *find_signature(const char *text, const struct signature *s, const char *name,
                                  int *n)
{
    char pattern[2048] = BEFORE "FN" SPACE;
    add_type(pattern, sizeof pattern, s->type[0]);
    const size_t used = strlen(pattern);
    snprintf(pattern + used, sizeof pattern - used, SPACE "+%s" SPACE "*\\(", name);
    for (int k = 1; s->type[k]; k++) {
        strcat(pattern, k > 1 ? "," : "");
        add_type(pattern, sizeof pattern, s->type[k]);
        strcat(pattern, "(" SPACE "+[A-Za-z_][A-Za-z0-9_]*)?" SPACE "*");
    }
    strcat(pattern, "\\)");
    return find(text, pattern, 0, n);
}

/* From a brace to behind the one that closes it. */
static size_t body_length(const char *body)
{
    size_t n = 0;
    int depth = 0;
    do {
        depth += (body[n] == '{') - (body[n] == '}');
        n += body[n] != '\0';
    } while (depth > 0 && body[n]);
    return n;
}

/* A plug-in that calls itself: of the compilers, gcc says so only at some levels of optimisation. Other functions
 * of the file may call it. */
static enum err check_recursion(const char *what, struct diagnosis *d, const char *text,
                                const struct signature *s, const char *name)
{
    char pattern[256];
    int n, head;
    snprintf(pattern, sizeof pattern, BEFORE "(%s)" SPACE "*\\(", name);
    for (const char *begins = find_signature(text, s, name, &head); begins;
         begins = find_signature(begins + head, s, name, &head)) {
        const char *const after = begins + head, *const body = after + strspn(after, " \t\r\n");
        const char *const call = *body == '{' ? find(body, pattern, 2, &n) : NULL;
        if (!call || call >= body + body_length(body))
            continue;
        snprintf(d->what, sizeof d->what, "%s() is recursive", name);
        snprintf(d->remedy, sizeof d->remedy, "write a loop");
        return refuse(what, d, text, call);
    }
    return ERR_OK;
}

static enum err check_signature(const char *what, struct diagnosis *d, const char *text,
                                const char *kind, const char *name)
{
    const struct signature *s = NULL;
    char expected[128], pattern[256];
    int n;
    for (size_t k = 0; k < sizeof signatures / sizeof *signatures; k++) {
        if (strcmp(signatures[k].kind, kind) != 0)
            continue;
        if (find_signature(text, &signatures[k], name, &n))
            return check_recursion(what, d, text, &signatures[k], name);
        s = s ? s : &signatures[k];
    }
    if (!s)
        return ERR_OK;
    snprintf(expected, sizeof expected, s->text, name);
    snprintf(pattern, sizeof pattern, BEFORE "(%s)" SPACE "*\\(", name);
    const char *at = find(text, pattern, 2, &n);
    if (!at)
        snprintf(d->what, sizeof d->what,
                 "there is no function %s(), which a %s of that name must have", name, s->a);
    else
        snprintf(d->what, sizeof d->what, "a %s has other arguments or another result, or lacks FN",
                 s->a);
    snprintf(d->remedy, sizeof d->remedy, "write %s%s", expected, at ? "" : ", or rename the file");
    return refuse(what, d, text, at);
}

/* An unclosed '{'. A compiler notices it only in another file. */
static const char *unclosed(const char *text)
{
    const char *outermost = NULL;
    int depth = 0;
    for (; *text; text++) {
        if (*text == '{' && depth++ == 0)
            outermost = text;
        depth -= *text == '}';
    }
    return depth > 0 ? outermost : NULL;
}

static enum err check_text(const char *what, const char *kind, const char *name, char *text)
{
    struct diagnosis d = {.line = 0};
    const int branches = strstr(text, "#el") != NULL; /* there brackets need not be balanced */
    int n;
    snprintf(d.file, sizeof d.file, "kernels/%s/%s.h", kind, name);
    keep_code(text);
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++) {
        const char *at = find(text, hints[k].pattern, 2, &n);
        if (!at)
            continue;
        snprintf(d.what, sizeof d.what, "%.*s%s%s", n, at, *hints[k].what == ':' ? "" : " ",
                 hints[k].what);
        snprintf(d.remedy, sizeof d.remedy, "%s", hints[k].remedy);
        return refuse(what, &d, text, at);
    }
    const char *open = branches ? NULL : unclosed(text);
    if (open) {
        snprintf(d.what, sizeof d.what, "this '{' is not closed");
        snprintf(d.remedy, sizeof d.remedy, "close it");
        return refuse(what, &d, text, open);
    }
    return check_signature(what, &d, text, kind, name);
}

/* The compiler reports a text that cannot be read. */
static enum err check_plugin(const char *what, const char *kind, const char *name)
{
    char file[PATH_LENGTH], path[PATH_LENGTH], *text = NULL;
    snprintf(file, sizeof file, "kernels/%s/%s.h", kind, name);
    if (paths_file(file, path) || whole_file_read(path, WHOLE_TEXT, &text, NULL))
        return ERR_OK;
    const enum err e = check_text(what, kind, name, text);
    free(text);
    return e;
}

enum err language_hints_plugin(const char *kind, const char *name)
{
    return check_plugin(name, kind, name);
}

enum err language_hints(const struct recipe *r)
{
    char what[256];
    if (!r->kernel->plugins)
        return ERR_OK;
    recipe_describe(r, what, sizeof what);
    TRY(check_plugin(what, "limiters", r->limiter));
    TRY(check_plugin(what, "fluxes", r->flux));
    return check_plugin(what, "reconstructions", r->reconstruction);
}

/* Part of the key of what has passed. */
static const char gxx[] = "g++ -x c++ -fsyntax-only -std=c++17 -pedantic-errors -Wdouble-promotion "
                          "-Werror -nostdinc";

/* Once for all kernels of a process. */
static void note_absence(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int noted;
    pthread_mutex_lock(&lock);
    if (!noted)
        log_info("g++ is missing: kernels are not checked against the common subset of C and CUDA "
                 "C++; on Debian or Ubuntu, install the package g++");
    noted = 1;
    pthread_mutex_unlock(&lock);
}

static enum err compose(struct compiler_command *c, const struct recipe *r)
{
    struct defines d;
    const char *home;
    char kernels[PATH_LENGTH], source[PATH_LENGTH];
    TRY(paths_home(&home));
    TRY(recipe_source(r, source, sizeof source));
    snprintf(kernels, sizeof kernels, "%s/kernels", home);
    compiler_add_words(c, gxx);
    compiler_add(c, "-I", kernels);
    recipe_defines(r, &d);
    for (int k = 0; k < d.count; k++)
        compiler_add(c, "-D", d.text[k]);
    compiler_add(c, source, "");
    return ERR_OK;
}

/* `passed`: g++ is there and accepts the text. */
static enum err run_gxx(struct compiler_command *c, const struct recipe *r, const char *keep,
                        int *passed)
{
    char what[256], *log = NULL;
    int status = 0;
    TRY(compose(c, r));
    enum err e = compiler_run(c, &log, &status);
    recipe_describe(r, what, sizeof what);
    *passed = !e && !status;
    if (e == ERR_ABSENT) {
        note_absence();
        e = ERR_OK;
    } else if (!e && status) {
        e = diagnosis_of_log(what, "g++", log, keep);
    }
    free(log);
    return e;
}

static enum err check_recipe(const struct recipe *r, const char *keep)
{
    char key[KEY_LENGTH + 1], mark[PATH_LENGTH];
    int passed = 0;
    TRY(recipe_key(r, gxx, key));
    TRY(cache_lookup(key, ".checked", mark, &passed));
    if (passed)
        return ERR_OK;
    struct compiler_command *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory to run g++");
    const enum err e = run_gxx(c, r, keep, &passed);
    free(c);
    if (passed)
        cache_mark(mark);
    return e;
}

/* Checks plug-ins in single precision, too, where a number in double precision shows. Blocks and
 * modes differ only in numbers. */
enum err language_check(const struct recipe *r, const char *keep)
{
    struct recipe read = *r;
    if (r->kernel->block[CPU].w)
        read.block = r->kernel->block[CPU];
    read.mode = STRICT;
    read.order = 1; /* as threads, which is closest to CUDA */
    read.on_cpu = 0;
    for (int p = r->kernel->plugins ? F32 : (int)r->precision; p <= (int)r->precision; p++) {
        read.precision = (enum precision)p;
        TRY(check_recipe(&read, keep));
    }
    return ERR_OK;
}
