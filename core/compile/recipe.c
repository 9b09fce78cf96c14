/* Recipes: their compiler options, and their key in the cache. */
#include "core/compile/recipe.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/base/sha256.h"
#include "core/compile/kernel_text.h"
#include "core/compile/known_keys.h"

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
        define(d, TRACER_MACRO "=1");
    if (r->tiled)
        define(d, TILES_MACRO "=%d", (int)r->tiled);
    if (r->beside_parts)
        define(d, PARTS_MACRO "=1");
    if (r->meets)
        define(d, MEETING_MACRO "=1");
    if (r->fills_ghosts)
        define(d, GHOSTS_MACRO "=1");
    if (r->on_cpu)
        define(d, CPU_MACRO "=1");
    if (r->mode == FAST_MODE)
        define(d, "FAST=1");
    else if (!r->on_cpu)
        define(d, ROOTS_MACRO "=1");
    if (r->order)
        define(d, "EMULATE=%d", r->order);
    if (!r->kernel->plugins)
        return;
    if (r->submerged)
        define(d, "SUBMERGED=1");
    if (r->draining)
        define(d, DRAIN_MACRO "=1");
    define_plugin(d, "LIMITER", "limiters", r->limiter);
    define_plugin(d, "FLUX", "fluxes", r->flux);
    define_plugin(d, "RECONSTRUCTION", "reconstructions", r->reconstruction);
}

void recipe_describe(const struct recipe *r, char *text, size_t n)
{
    static const char *const orders[] = {"", " reversed", " shuffled"};
    static const char *const frictions[] = {"", " friction", " friction per cell"};
    int plugins = r->kernel->plugins;
    snprintf(text, n, "%s %dx%d %s %s%s%s%s%s%s%s%s%s%s%s%s%s", r->kernel->name, r->block.w,
             r->block.h, precision_names[r->precision], mode_names[r->mode], plugins ? " " : "",
             plugins ? r->limiter : "", plugins ? " " : "", plugins ? r->flux : "",
             plugins ? " " : "", plugins ? r->reconstruction : "", frictions[r->friction],
             r->tracer ? " tracer" : "", plugins && r->draining ? " draining" : "",
             r->tiled == MAPPED ? " in mapped tiles"
             : r->tiled         ? " in tiles"
                                : "",
             r->meets ? " meeting" : "", orders[r->order]);
}

enum err recipe_source(const struct recipe *r, char *path, size_t n)
{
    const char *home;
    TRY(paths_home(&home));
    if ((size_t)snprintf(path, n, "%s/kernels/%s", home, r->kernel->file) >= n)
        FAIL(INPUT, "%s/kernels/%s: the path is too long", home, r->kernel->file);
    return ERR_OK;
}

enum err recipe_mentions(const struct recipe *r, const char *name, int *yes)
{
    struct defines defines;
    struct texts texts = {.defines = &defines};
    recipe_defines(r, &defines);
    const enum err e = texts_read(&texts, r->kernel->file);
    *yes = !e && texts_have_word(&texts, name);
    texts_free(&texts);
    return e;
}

/* Hashes a piece with its kind and length, so that no two lists of pieces coincide. */
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

/* Digests all that goes into the key but the files. */
static enum err digest_recipe(const struct recipe *r, const struct defines *d, const char *compiler,
                              char digest[KEY_LENGTH + 1])
{
    struct sha256 hash;
    char source[PATH_LENGTH];
    TRY(recipe_source(r, source, sizeof source));
    sha256_init(&hash);
    feed(&hash, "compiler", compiler, strlen(compiler));
    feed(&hash, "source", source, strlen(source));
    for (int k = 0; k < d->count; k++)
        feed(&hash, "define", d->text[k], strlen(d->text[k]));
    sha256_final(&hash, digest);
    return ERR_OK;
}

static enum err find_key(const struct recipe *r, const struct defines *defines,
                         const char *compiler, const char *digest, char key[KEY_LENGTH + 1])
{
    enum err e = ERR_OK;
    struct texts texts = {.defines = defines};
    struct sha256 hash;
    TRY_OUT(texts_read(&texts, r->kernel->file));
    sha256_init(&hash);
    feed(&hash, "compiler", compiler, strlen(compiler));
    /* A macro that no text mentions has no effect: recipes that differ only in it share an entry. */
    for (int k = 0; k < defines->count; k++)
        if (texts_mention(&texts, defines->text[k]))
            feed(&hash, "define", defines->text[k], strlen(defines->text[k]));
    feed_texts(&hash, &texts);
    sha256_final(&hash, key);
    known_key_keep(digest, &texts, key);
out:
    texts_free(&texts);
    return e;
}

enum err recipe_key(const struct recipe *r, const char *compiler, char key[KEY_LENGTH + 1])
{
    struct defines defines;
    char digest[KEY_LENGTH + 1];
    recipe_defines(r, &defines);
    TRY(digest_recipe(r, &defines, compiler, digest));
    return known_key(digest, key) ? ERR_OK : find_key(r, &defines, compiler, digest, key);
}

static enum err feed_code(struct sha256 *hash, const struct texts *t)
{
    for (int k = 0; k < t->count; k++) {
        char *code = malloc(t->list[k].size + 1);
        if (!code)
            FAIL(MEMORY, "no memory for the code of kernels/%s", t->list[k].name);
        feed(hash, "name", t->list[k].name, strlen(t->list[k].name));
        feed(hash, "code", code, text_code(&t->list[k], code));
        free(code);
    }
    return ERR_OK;
}

enum err recipe_digests(const struct recipe *r, struct text_digests *d)
{
    enum err e = ERR_OK;
    struct defines defines;
    struct texts texts = {.defines = &defines};
    struct sha256 text, code;
    struct recipe undivided = *r;
    undivided.beside_parts = undivided.meets = undivided.fills_ghosts = 0;
    recipe_defines(&undivided, &defines);
    TRY_OUT(texts_read(&texts, r->kernel->file));
    sha256_init(&text);
    feed_texts(&text, &texts);
    sha256_final(&text, d->text);
    sha256_init(&code);
    TRY_OUT(feed_code(&code, &texts));
    sha256_final(&code, d->code);
out:
    texts_free(&texts);
    return e;
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
        FAIL(INPUT, "the choices of a kernel exceed %d characters: %s; use fewer switches",
             RECIPE_FLAGS - 1, text);
    return ERR_OK;
}

static enum err add_switches(char text[RECIPE_FLAGS], const char *switches, const struct texts *t)
{
    while (switches && *switches) {
        const int n = (int)strcspn(switches, ",");
        char name[sizeof t->defines->text[0]];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(switches, "=,"), switches);
        if (texts_have_word(t, name))
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
    TRY_OUT(texts_read(&texts, r->kernel->file));
    *text = '\0';
    TRY_OUT(add_flag(text, "mode=%s", mode_names[r->mode]));
    if (r->kernel->plugins)
        TRY_OUT(add_flag(text, " limiter=%s flux=%s reconstruction=%s", r->limiter, r->flux,
                         r->reconstruction));
    if (texts_have_word(&texts, "FRICTION"))
        TRY_OUT(add_flag(text, " friction=%d", r->friction));
    if (r->tracer && texts_have_word(&texts, TRACER_MACRO))
        TRY_OUT(add_flag(text, " tracer=1"));
    if (r->draining && texts_have_word(&texts, DRAIN_MACRO))
        TRY_OUT(add_flag(text, " draining=1"));
    if (r->tiled && texts_have_word(&texts, TILES_MACRO))
        TRY_OUT(add_flag(text, " tiled=%d", (int)r->tiled));
    TRY_OUT(add_switches(text, r->switches, &texts));
out:
    texts_free(&texts);
    return e;
}
