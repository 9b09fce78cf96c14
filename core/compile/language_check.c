/* Reads a text as tokens and looks for what the two languages do not share. */
#include "core/compile/language_check.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/compiler_message.h"
#include "core/compile/language_tokens.h"
#include "core/base/paths.h"

struct text {
    const char *file;     /* below the installation */
    int plugin, branches; /* branches: #else and the like; brackets need not come in pairs */
    struct token *token;
    int count;
    struct diagnosis *found; /* the first mistake */
};

enum { MOST_TEXT = 1 << 20 };

__attribute__((format(printf, 4, 5))) static int mistake(struct text *t, const struct token *at,
                                                         const char *remedy, const char *what, ...)
{
    struct diagnosis *d = t->found;
    va_list ap;
    snprintf(d->file, sizeof d->file, "%s", t->file);
    d->line = at->line;
    d->column = at->column;
    va_start(ap, what);
    vsnprintf(d->what, sizeof d->what, what, ap);
    va_end(ap);
    snprintf(d->remedy, sizeof d->remedy, "%s", remedy);
    return 1;
}

static int check_includes(struct text *t)
{
    for (int k = 0; k < t->count; k++)
        if (t->token[k].kind == HEADER)
            return mistake(
                t, &t->token[k],
                "remove it: real.h has the arithmetic, and a GPU has no C library; files "
                "of kernels/ are included in quotes",
                "%.*s is a header of the C library", t->token[k].n, t->token[k].at);
    return 0;
}

/* The bracket that the one at k closes; -1 if there is none. */
static int opening(const struct text *t, int k)
{
    static const char pairs[] = "()[]{}";
    const char *close = strchr(pairs, *t->token[k].at);
    for (int depth = 0; close && k >= 0; k--) {
        if (t->token[k].kind != SIGN)
            continue;
        depth += *t->token[k].at == *close;
        depth -= *t->token[k].at == close[-1];
        if (depth == 0)
            return k;
    }
    return -1;
}

static int check_brackets(struct text *t)
{
    static const char pairs[] = "()[]{}";
    int open[256], depth = 0;
    for (int k = 0; k < t->count; k++) {
        const struct token *c = &t->token[k];
        const char *p = c->kind == SIGN ? strchr(pairs, *c->at) : NULL;
        if (!p)
            continue;
        if ((p - pairs) % 2 == 0) {
            if (depth < (int)(sizeof open / sizeof *open))
                open[depth++] = k;
            continue;
        }
        if (depth > 0 && *t->token[open[depth - 1]].at == p[-1]) {
            depth--;
            continue;
        }
        if (depth == 0)
            return mistake(t, c, "remove it, or add what it should close", "'%c' closes nothing",
                           *c->at);
        return mistake(t, &t->token[open[depth - 1]], "close it",
                       "'%c' is not closed before the '%c' of line %d",
                       *t->token[open[depth - 1]].at, *c->at, c->line);
    }
    return depth > 0 &&
           mistake(t, &t->token[open[0]], "close it", "'%c' is not closed", *t->token[open[0]].at);
}

static int check_initialiser(struct text *t, int k)
{
    const struct token *c = &t->token[k];
    if (k > 0 && dialect_is(c, ".") && c[1].kind == WORD && dialect_is(&c[2], "=") &&
        (dialect_is(&c[-1], "{") || dialect_is(&c[-1], ",")))
        return mistake(t, c, "declare first, then assign the members one by one",
                       ".%.*s = ...: CUDA C++ has no designated initialisers", c[1].n, c[1].at);
    if (!dialect_is(c, "{") || k < 1 || !dialect_is(&c[-1], ")"))
        return 0;
    const int from = opening(t, k - 1);
    const struct token *before = from > 0 ? &t->token[from - 1] : NULL;
    if (!before || (before->kind != SIGN && !dialect_is(before, "return")) ||
        dialect_is(before, ")"))
        return 0;
    return mistake(t, &t->token[from], "declare a variable, assign its members, and use that",
                   "CUDA C++ has no compound literals");
}

static int check_word(struct text *t, int k)
{
    const struct token *c = &t->token[k];
    char remedy[200];
    if (c->kind != WORD)
        return 0;
    if (dialect_is(c, "restrict"))
        return mistake(t, c, "leave it out", "CUDA C++ does not know restrict");
    const int member = k > 0 && (dialect_is(&c[-1], ".") || dialect_is(&c[-1], ">"));
    const char *instead =
        dialect_is(&c[1], "(") && !member ? diagnosis_instead_of(c->at, (size_t)c->n) : NULL;
    if (!instead)
        return 0;
    snprintf(remedy, sizeof remedy, "write %s (kernels/real.h)", instead);
    return mistake(
        t, c, remedy,
        "%.*s() is not of the kernels' language: it would not give the same bits everywhere", c->n,
        c->at);
}

static int is_fraction(const struct token *c)
{
    const int hexadecimal = c->n > 1 && (c->at[1] == 'x' || c->at[1] == 'X');
    for (int k = 0; c->kind == NUMBER && !hexadecimal && k < c->n; k++)
        if (strchr(".eE", c->at[k]))
            return 1;
    return 0;
}

/* Are we in the brackets of REAL(...)? */
static int in_real(const struct text *t, int k)
{
    int depth = 0;
    for (k--; k > 0; k--) {
        depth += dialect_is(&t->token[k], ")");
        depth -= dialect_is(&t->token[k], "(");
        if (dialect_is(&t->token[k], ";") || dialect_is(&t->token[k], "{"))
            return 0;
        if (depth < 0 && dialect_is(&t->token[k - 1], "REAL"))
            return 1;
        depth = depth < 0 ? 0 : depth;
    }
    return 0;
}

static int check_number(struct text *t, int k)
{
    const struct token *c = &t->token[k];
    char remedy[200];
    if (c->kind == NUMBER && dialect_is(&c[1], "/") && c[2].kind == NUMBER && !is_fraction(c) &&
        !is_fraction(&c[2])) {
        snprintf(remedy, sizeof remedy, "write REAL(%.*s) / REAL(%.*s)", c->n, c->at, c[2].n,
                 c[2].at);
        return mistake(t, c, remedy, "%.*s / %.*s is a division of integers", c->n, c->at, c[2].n,
                       c[2].at);
    }
    if (!is_fraction(c))
        return 0;
    const int single = tolower((unsigned char)c->at[c->n - 1]) == 'f', digits = c->n - single;
    if (!single && in_real(t, k))
        return 0;
    snprintf(remedy, sizeof remedy, "write REAL(%.*s)", digits, c->at);
    return mistake(t, c, remedy, "%.*s is a number of %s precision, whatever that of the run", c->n,
                   c->at, single ? "single" : "double");
}

/* What only a plug-in is held to: kernels may sum in double precision. */
static int check_plugin_token(struct text *t, int k)
{
    const struct token *c = &t->token[k];
    if (dialect_is(c, "double") || dialect_is(c, "float"))
        return mistake(t, c, "write real", "%.*s is one precision, whatever that of the run", c->n,
                       c->at);
    if (dialect_is(c, "static") && !dialect_is(&c[1], "const"))
        return mistake(t, c,
                       "begin a function with FN, which says static inline to both compilers; "
                       "keep nothing from one call to the next",
                       "static: NVRTC takes this for something of the host's");
    return check_number(t, k);
}

/* How plug-ins are called; words that are not types stand for any name. */
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

/* Steps over a type, with or without `const`; 0 if the tokens are not that type. */
static int take_type(const struct token **c, const char *type)
{
    char words[32], *save = NULL;
    *c += dialect_is(*c, "const");
    snprintf(words, sizeof words, "%s", type);
    for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save), (*c)++)
        if (!dialect_is(*c, w))
            return 0;
    *c += dialect_is(*c, "const");
    return 1;
}

/* Do the tokens from FN on declare `name` so? */
static int has_signature(const struct token *c, const struct signature *s, const char *name)
{
    if (!dialect_is(c++, "FN") || !take_type(&c, s->type[0]) || !dialect_is(c++, name) ||
        !dialect_is(c++, "("))
        return 0;
    for (int k = 1; s->type[k]; k++) {
        if (k > 1 && !dialect_is(c++, ","))
            return 0;
        if (!take_type(&c, s->type[k]))
            return 0;
        c += c->kind == WORD;
    }
    return dialect_is(c, ")");
}

/* The token from which `name` is defined, or declared; a null one if it is not. */
static const struct token *definition(const struct text *t, const char *name)
{
    for (int k = 0, depth = 0; k < t->count; k++) {
        const struct token *c = &t->token[k];
        depth += dialect_is(c, "{") - dialect_is(c, "}");
        if (depth == 0 && dialect_is(c, name) && dialect_is(&c[1], "("))
            return c;
    }
    return NULL;
}

static int calls_itself(struct text *t, const struct token *from, const char *name)
{
    for (int depth = 0; from->kind != END; from++) {
        depth += dialect_is(from, "{") - dialect_is(from, "}");
        if (depth > 0 && dialect_is(from, name) && dialect_is(&from[1], "("))
            return mistake(t, from, "write a loop: a GPU's registers cannot hold that",
                           "%s() calls itself", name);
    }
    return 0;
}

static int check_function(struct text *t, const char *kind, const char *name)
{
    const struct token *c = definition(t, name), *line = c;
    const struct signature *s = NULL;
    char expected[128], remedy[200];
    for (size_t k = 0; k < sizeof signatures / sizeof *signatures; k++) {
        if (strcmp(signatures[k].kind, kind) != 0)
            continue;
        for (const struct token *f = t->token; f->kind != END; f++)
            if (has_signature(f, &signatures[k], name))
                return calls_itself(t, f, name);
        s = s ? s : &signatures[k];
    }
    if (!s)
        return 0;
    snprintf(expected, sizeof expected, s->text, name);
    if (!c) {
        static const struct token top = {"", 0, 1, 0, END};
        snprintf(remedy, sizeof remedy, "write %s, or rename the file", expected);
        return mistake(t, &top, remedy,
                       "there is no function %s(), which a %s of that name must have", name, s->a);
    }
    while (line > t->token && line[-1].line == c->line)
        line--;
    snprintf(remedy, sizeof remedy, "write %s", expected);
    return mistake(t, line, remedy,
                   "a %s is called with other arguments, has another result, or lacks FN", s->a);
}

/* The first mistake of a text that has been read; 0: none. */
static int look(struct text *t, const char *kind, const char *name)
{
    if (check_includes(t) || (t->plugin && !t->branches && check_brackets(t)))
        return 1;
    for (int k = 0; k < t->count; k++)
        if (check_initialiser(t, k) || check_word(t, k) || (t->plugin && check_plugin_token(t, k)))
            return 1;
    return kind && check_function(t, kind, name);
}

/* The whole file and a NUL, for the caller to free; null if it cannot be read, which the compiler
 * says better, or is no text that somebody wrote. */
static char *read_whole(const char *file)
{
    char path[PATH_LENGTH];
    char *content = NULL;
    FILE *f = paths_file(file, path) ? NULL : fopen(path, "r");
    if (!f)
        return NULL;
    content = malloc(MOST_TEXT);
    const size_t n = content ? fread(content, 1, MOST_TEXT, f) : 0;
    fclose(f);
    if (!content || n == MOST_TEXT) {
        free(content);
        return NULL;
    }
    content[n] = '\0';
    return content;
}

/* `kind` and `name` of a plug-in; null for a kernel. */
static enum err check_file(const char *what, const char *file, const char *kind, const char *name)
{
    enum err e = ERR_OK;
    char message[PATH_LENGTH + 2048];
    char *content = read_whole(file);
    const size_t n = content ? strlen(content) : 0;
    struct text t = {.file = file, .plugin = kind != NULL};
    if (!content)
        return ERR_OK;
    t.token = calloc(n + 3, sizeof *t.token);
    t.found = calloc(1, sizeof *t.found);
    if (!t.token || !t.found) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "%s: no memory to check it", file);
        goto out;
    }
    t.branches = strstr(content, "#el") != NULL;
    t.count = dialect_tokens(content, t.token);
    if (look(&t, kind, name)) {
        diagnosis_text(t.found, message, sizeof message);
        e = err_set(ERR_KERNEL, __FILE__, __LINE__, "%s does not compile:\n%s", what, message);
    }
out:
    free(t.found);
    free(t.token);
    free(content);
    return e;
}

static enum err check_plugin(const char *what, const char *kind, const char *name)
{
    char file[PATH_LENGTH];
    snprintf(file, sizeof file, "kernels/%s/%s.h", kind, name);
    return check_file(what, file, kind, name);
}

enum err dialect_check_plugin(const char *kind, const char *name)
{
    return check_plugin(name, kind, name);
}

enum err dialect_check(const struct recipe *r)
{
    char what[256], file[PATH_LENGTH];
    recipe_describe(r, what, sizeof what);
    snprintf(file, sizeof file, "kernels/%s", r->kernel->file);
    if (r->kernel->plugins) {
        TRY(check_plugin(what, "limiters", r->limiter));
        TRY(check_plugin(what, "fluxes", r->flux));
        TRY(check_plugin(what, "reconstructions", r->reconstruction));
    }
    return check_file(what, file, NULL, NULL);
}
