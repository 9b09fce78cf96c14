/* Recipes: the options they turn into, and the key that names what is compiled from them. */
#include "core/compile/recipe.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/base/sha256.h"
#include "core/base/whole_file.h"

#define TRACER   "WITH_TRACER"
#define IN_TILES "TILED"

static void define(struct defines *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void define(struct defines *d, const char *fmt, ...)
{
    assert(d->count < RECIPE_DEFINES);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(d->text[d->count++], sizeof d->text[0], fmt, ap);
    va_end(ap);
    assert(n > 0 && (size_t)n < sizeof d->text[0]);
    (void)n;
}

static void define_plugin(struct defines *d, const char *macro, const char *folder,
                          const char *name)
{
    define(d, "%s=%s", macro, name);
    define(d, "%s_FILE=\"%s/%s.h\"", macro, folder, name);
}

void recipe_defines(const struct recipe *r, struct defines *d)
{
    d->count = 0;
    const char *own = r->kernel->defines;
    while (own && *(own += strspn(own, " "))) {
        int n = (int)strcspn(own, " ");
        define(d, "%.*s", n, own);
        own += n;
    }
    const char *chosen = r->switches;
    while (chosen && *chosen) {
        int n = (int)strcspn(chosen, ",");
        define(d, "%.*s", n, chosen);
        chosen += n + (chosen[n] == ',');
    }
    define(d, "KERNEL_NAME=%s", r->kernel->name);
    define(d, "BW=%d", r->block.w);
    define(d, "BH=%d", r->block.h);
    define(d, "PRECISION=%d", r->precision == F64 ? 64 : 32);
    define(d, "FRICTION=%d", r->friction);
    if (r->tracer)
        define(d, TRACER "=1");
    if (r->tiled)
        define(d, IN_TILES "=%d", (int)r->tiled);
    if (r->mode == FAST_MODE)
        define(d, "FAST=1");
    if (r->order)
        define(d, "EMULATE=%d", r->order);
    if (!r->kernel->plugins)
        return;
    if (r->submerged)
        define(d, "SUBMERGED=1");
    define_plugin(d, "LIMITER", "limiters", r->limiter);
    define_plugin(d, "FLUX", "fluxes", r->flux);
    define_plugin(d, "RECONSTRUCTION", "reconstructions", r->reconstruction);
}

void recipe_describe(const struct recipe *r, char *text, size_t n)
{
    static const char *const orders[] = {"", " reversed", " shuffled"};
    static const char *const frictions[] = {"", " friction", " friction per cell"};
    int plugins = r->kernel->plugins;
    snprintf(text, n, "%s %dx%d %s %s%s%s%s%s%s%s%s%s%s%s", r->kernel->name, r->block.w, r->block.h,
             precision_names[r->precision], mode_names[r->mode], plugins ? " " : "",
             plugins ? r->limiter : "", plugins ? " " : "", plugins ? r->flux : "",
             plugins ? " " : "", plugins ? r->reconstruction : "", frictions[r->friction],
             r->tracer ? " tracer" : "",
             r->tiled == MAPPED ? " in mapped tiles"
             : r->tiled         ? " in tiles"
                                : "",
             orders[r->order]);
}

enum err recipe_source(const struct recipe *r, char *path, size_t n)
{
    const char *home;
    TRY(paths_home(&home));
    if ((size_t)snprintf(path, n, "%s/kernels/%s", home, r->kernel->file) >= n)
        FAIL(INPUT, "%s/kernels/%s: too long a path", home, r->kernel->file);
    return ERR_OK;
}

/* The kernel's text and all that it includes, in the order of discovery. */
struct text {
    char *name; /* below kernels/ */
    char *content;
    size_t size;
};

enum { TEXTS = 256 };

struct texts {
    const struct defines *defines;
    struct text list[TEXTS];
    int count;
};

static void texts_free(struct texts *t)
{
    for (int k = 0; k < t->count; k++) {
        free(t->list[k].name);
        free(t->list[k].content);
    }
}

/* The value of a macro that the recipe defines, NULL if it does not. */
static const char *macro_value(const struct defines *d, const char *name, size_t n)
{
    for (int k = 0; k < d->count; k++)
        if (strncmp(d->text[k], name, n) == 0 && d->text[k][n] == '=')
            return d->text[k] + n + 1;
    return NULL;
}

/* The #endif of the #ifdef at `from`; NULL where that has an #else, or no end. */
static const char *end_of(const char *from)
{
    int depth = 0;
    for (const char *line = from; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "#if", 3) == 0)
            depth++;
        else if (strncmp(line, "#el", 3) == 0 && depth == 1)
            return NULL;
        else if (strncmp(line, "#endif", 6) == 0 && --depth == 0)
            return line;
    }
    return NULL;
}

/* Leaves out what a recipe does not compile that does not define `macro`: the lines from #ifdef WITH_TRACER, say, to its
 * #endif, and one of two blank lines around them. So kernels without a tracer are the same text, to the database as well,
 * whatever becomes of those lines. Returns where in the text an #endif is not marked with the macro's name; else NULL. */
static const char *leave_out(const char *macro, char *text, size_t *size)
{
    char begin[64], end[64];
    char *to = text;
    snprintf(begin, sizeof begin, "#ifdef %s\n", macro);
    snprintf(end, sizeof end, "#endif /* %s */\n", macro);
    for (char *from = text; *from;) {
        const char *last = strncmp(from, begin, strlen(begin)) == 0 ? end_of(from) : NULL;
        if (last && strncmp(last, end, strlen(end)) != 0)
            return last;
        if (last) {
            from = text + (last - text) + strlen(end);
            const int blank_before = to - text >= 2 && to[-1] == '\n' && to[-2] == '\n';
            from += blank_before && *from == '\n';
            continue;
        }
        const size_t line = strcspn(from, "\n"), n = line + (from[line] == '\n');
        memmove(to, from, n);
        to += n;
        from += n;
    }
    *to = '\0';
    *size = (size_t)(to - text);
    return NULL;
}

static enum err leave_out_what_is_not_defined(const struct defines *d, const char *name, char *text,
                                              size_t *size)
{
    static const char *const optional[] = {TRACER, IN_TILES};
    for (int k = 0; k < 2; k++) {
        const char *const macro = optional[k];
        const char *const wrong =
            macro_value(d, macro, strlen(macro)) ? NULL : leave_out(macro, text, size);
        if (wrong)
            FAIL(KERNEL,
                 "kernels/%s: the #endif of an '#ifdef %s' reads '%.*s': write '#endif /* %s */', "
                 "so that kernels without it keep their text",
                 name, macro, (int)strcspn(wrong, "\n"), wrong, macro);
    }
    return ERR_OK;
}

/* Adds kernels/<name> unless it is there already. Not found is no error. */
static enum err add_text(struct texts *t, const char *name, int *found)
{
    *found = 1;
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->list[k].name, name) == 0)
            return ERR_OK;
    char below[PATH_LENGTH], path[PATH_LENGTH];
    if (t->count == TEXTS || snprintf(below, sizeof below, "kernels/%s", name) >= PATH_LENGTH)
        FAIL(KERNEL,
             "kernels/%s: more than %d files or too long a name; do the includes of "
             "this kernel go round in circles through ..?",
             name, TEXTS);
    TRY(paths_file(below, path));
    size_t size = 0;
    char *content, *copy;
    if (whole_file_read(path, WHOLE_TEXT, &content, &size)) {
        *found = 0;
        if (errno == ENOENT || errno == ENOTDIR || errno == EISDIR)
            return ERR_OK;
        FAIL(KERNEL, "%s: cannot be read: %s", path, strerror(errno));
    }
    const enum err e = leave_out_what_is_not_defined(t->defines, name, content, &size);
    if (e) {
        free(content);
        return e;
    }
    copy = strdup(name);
    if (!copy) {
        free(content);
        FAIL(MEMORY, "no memory to read %s", path);
    }
    t->list[t->count++] = (struct text){copy, content, size};
    return ERR_OK;
}

/* Adds what an #include names. The compilers search the includer's folder (for a name in quotes),
 * then kernels/; a name in angles that is in neither is the compiler's own. */
static enum err add_include(struct texts *t, int from, int line, const char *what)
{
    const char *includer = t->list[from].name;
    int found = 0;
    if (isalpha((unsigned char)*what) || *what == '_') {
        size_t n = strspn(what, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        const char *value = macro_value(t->defines, what, n);
        if (!value || *value != '"')
            FAIL(KERNEL,
                 "kernels/%s:%d: #include %.*s: this kernel's recipe does not define it; "
                 "LIMITER_FILE and the like need `plugins` in the kernel's description",
                 includer, line, (int)n, what);
        what = value;
    }
    char close = *what == '<' ? '>' : '"';
    const char *end = *what == '<' || *what == '"' ? strchr(what + 1, close) : NULL;
    if (!end)
        FAIL(KERNEL, "kernels/%s:%d: an #include needs a name in \"quotes\"", includer, line);
    int n = (int)(end - what - 1);
    const char *slash = strrchr(includer, '/');
    char name[PATH_LENGTH];
    if (slash && close == '"') {
        int room = snprintf(name, sizeof name, "%.*s/%.*s", (int)(slash - includer), includer, n,
                            what + 1);
        if (room < PATH_LENGTH)
            TRY(add_text(t, name, &found));
    }
    if (!found && snprintf(name, sizeof name, "%.*s", n, what + 1) < PATH_LENGTH)
        TRY(add_text(t, name, &found));
    if (!found && close == '"')
        FAIL(KERNEL,
             "kernels/%s:%d: there is no \"%.*s\", neither beside this file nor in kernels/; "
             "correct the name or add the file",
             includer, line, n, what + 1);
    return ERR_OK;
}

/* Is the end of this line inside a block comment, when its beginning was (or was not)? */
static int ends_in_comment(const char *p, int inside)
{
    for (; *p && *p != '\n'; p++) {
        if (inside) {
            if (p[0] == '*' && p[1] == '/') {
                inside = 0;
                p++;
            }
        } else if (p[0] == '/' && p[1] == '/') {
            return 0;
        } else if (p[0] == '/' && p[1] == '*') {
            inside = 1;
            p++;
        } else if (*p == '"') {
            size_t n = strcspn(p + 1, "\"\n");
            if (p[1 + n] == '"')
                p += 1 + n;
        }
    }
    return inside;
}

static enum err add_includes_of(struct texts *t, int from)
{
    int line = 1, comment = 0;
    for (const char *p = t->list[from].content; p; line++) {
        const char *q = p + strspn(p, " \t");
        if (!comment && *q == '#') {
            q += 1 + strspn(q + 1, " \t");
            if (strncmp(q, "include", 7) == 0)
                TRY(add_include(t, from, line, q + 7 + strspn(q + 7, " \t")));
        }
        comment = ends_in_comment(p, comment);
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    return ERR_OK;
}

static enum err read_texts(struct texts *t, const char *file)
{
    int found;
    TRY(add_text(t, file, &found));
    if (!found)
        FAIL(KERNEL,
             "kernels/%s: this kernel's text is not there; correct `file` in its description",
             file);
    for (int k = 0; k < t->count; k++)
        TRY(add_includes_of(t, k));
    return ERR_OK;
}

/* Does any of the texts mention the macro? */
static int mentioned(const struct texts *t, const char *definition)
{
    char name[sizeof t->defines->text[0]];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(definition, "="), definition);
    for (int k = 0; k < t->count; k++)
        if (strstr(t->list[k].content, name))
            return 1;
    return 0;
}

static int is_word(int c)
{
    return isalnum(c) || c == '_';
}

static int has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        if ((p == text || !is_word((unsigned char)p[-1])) && !is_word((unsigned char)p[n]))
            return 1;
    return 0;
}

static int any_has_word(const struct texts *t, const char *word)
{
    for (int k = 0; k < t->count; k++)
        if (has_word(t->list[k].content, word))
            return 1;
    return 0;
}

enum err recipe_mentions(const struct recipe *r, const char *name, int *yes)
{
    struct defines defines;
    struct texts texts = {.defines = &defines};
    recipe_defines(r, &defines);
    const enum err e = read_texts(&texts, r->kernel->file);
    *yes = !e && any_has_word(&texts, name);
    texts_free(&texts);
    return e;
}

/* Hashes a piece with its kind and length, so that no two lists of pieces look alike. */
static void feed(struct sha256 *hash, const char *kind, const void *data, size_t n)
{
    char head[64];
    int length = snprintf(head, sizeof head, "%s %zu\n", kind, n);
    sha256_update(hash, head, (size_t)length);
    sha256_update(hash, data, n);
}

static void feed_texts(struct sha256 *hash, const struct texts *t)
{
    for (int k = 0; k < t->count; k++) {
        feed(hash, "name", t->list[k].name, strlen(t->list[k].name));
        feed(hash, "text", t->list[k].content, t->list[k].size);
    }
}

enum err recipe_key(const struct recipe *r, const char *compiler, char key[KEY_LENGTH + 1])
{
    enum err e = ERR_OK;
    struct defines defines;
    struct texts texts = {.defines = &defines};
    struct sha256 hash;
    recipe_defines(r, &defines);
    TRY_OUT(read_texts(&texts, r->kernel->file));
    sha256_init(&hash);
    feed(&hash, "compiler", compiler, strlen(compiler));
    /* A macro that no text mentions changes nothing: recipes that differ in it share an entry. */
    for (int k = 0; k < defines.count; k++)
        if (mentioned(&texts, defines.text[k]))
            feed(&hash, "define", defines.text[k], strlen(defines.text[k]));
    feed_texts(&hash, &texts);
    sha256_final(&hash, key);
out:
    texts_free(&texts);
    return e;
}

enum err recipe_text_digest(const struct recipe *r, char hex[KEY_LENGTH + 1])
{
    struct defines defines;
    struct texts texts = {.defines = &defines};
    struct sha256 sum;
    recipe_defines(r, &defines);
    const enum err e = read_texts(&texts, r->kernel->file);
    sha256_init(&sum);
    feed_texts(&sum, &texts);
    sha256_final(&sum, hex);
    texts_free(&texts);
    return e;
}

enum err recipe_text_hash(const struct recipe *r, char hash[RECIPE_HASH + 1])
{
    char hex[KEY_LENGTH + 1];
    TRY(recipe_text_digest(r, hex));
    snprintf(hash, RECIPE_HASH + 1, "%s", hex);
    return ERR_OK;
}

/* Appends " name=value". */
__attribute__((format(printf, 2, 3))) static enum err add_flag(char text[RECIPE_FLAGS],
                                                               const char *fmt, ...)
{
    const size_t used = strlen(text), room = RECIPE_FLAGS - used;
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(text + used, room, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= room)
        FAIL(INPUT, "the choices of a kernel take more than %d characters: %s; use fewer switches",
             RECIPE_FLAGS - 1, text);
    return ERR_OK;
}

static enum err add_switches(char text[RECIPE_FLAGS], const char *switches, const struct texts *t)
{
    while (switches && *switches) {
        const int n = (int)strcspn(switches, ",");
        char name[sizeof t->defines->text[0]];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(switches, "=,"), switches);
        if (any_has_word(t, name))
            TRY(add_flag(text, " %.*s", n, switches));
        switches += n + (switches[n] == ',');
    }
    return ERR_OK;
}

enum err recipe_flags(const struct recipe *r, char text[RECIPE_FLAGS])
{
    enum err e = ERR_OK;
    struct defines defines;
    struct texts texts = {.defines = &defines};
    recipe_defines(r, &defines);
    TRY_OUT(read_texts(&texts, r->kernel->file));
    *text = '\0';
    TRY_OUT(add_flag(text, "mode=%s", mode_names[r->mode]));
    if (r->kernel->plugins)
        TRY_OUT(add_flag(text, " limiter=%s flux=%s reconstruction=%s", r->limiter, r->flux,
                         r->reconstruction));
    if (any_has_word(&texts, "FRICTION"))
        TRY_OUT(add_flag(text, " friction=%d", r->friction));
    if (r->tracer && any_has_word(&texts, TRACER))
        TRY_OUT(add_flag(text, " tracer=1"));
    if (r->tiled && any_has_word(&texts, IN_TILES))
        TRY_OUT(add_flag(text, " tiled=%d", (int)r->tiled));
    TRY_OUT(add_switches(text, r->switches, &texts));
out:
    texts_free(&texts);
    return e;
}
