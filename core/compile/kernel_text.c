/* Finds the files that a kernel includes, as compilers do, and removes the parts it does not
 * compile. */
#include "core/compile/kernel_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/paths.h"
#include "core/base/whole_file.h"

void texts_free(struct texts *t)
{
    for (int k = 0; k < t->count; k++) {
        free(t->list[k].name);
        free(t->list[k].content);
    }
    for (int k = 0; k < t->probed; k++)
        free(t->probe[k].path);
}

void probe_file(struct probe *p)
{
    struct stat s;
    memset(&p->stamp, 0, sizeof p->stamp); /* padding, too: stamps are compared as bytes */
    if (stat(p->path, &s) != 0)
        return;
    p->stamp.device = s.st_dev;
    p->stamp.inode = s.st_ino;
    p->stamp.size = s.st_size;
    p->stamp.written = s.st_mtim;
    p->stamp.changed = s.st_ctim;
}

/* Notes what is at `path` before it is read. */
static enum err note_place(struct texts *t, const char *path)
{
    if (t->probed == PROBES)
        return ERR_OK;
    struct probe *p = &t->probe[t->probed];
    p->path = strdup(path);
    if (!p->path)
        FAIL(MEMORY, "no memory to read %s", path);
    probe_file(p);
    t->probed++;
    return ERR_OK;
}

/* The value of a macro that the recipe defines; NULL if it does not. */
static const char *macro_value(const struct defines *d, const char *name, size_t n)
{
    for (int k = 0; k < d->count; k++)
        if (strncmp(d->text[k], name, n) == 0 && d->text[k][n] == '=')
            return d->text[k] + n + 1;
    return NULL;
}

/* The #endif of the #ifdef at `from`; NULL if that has an #else, or no end. */
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

/* Removes the parts that a recipe without `macro` does not compile: the lines from #ifdef
 * WITH_TRACER, say, to its #endif, and one of two blank lines around them. So kernels without a
 * tracer have the same text, for the database too, however those lines change. Returns the position
 * of an #endif that is not marked with the macro's name; else NULL. */
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
    static const char *const optional[] = {TRACER_MACRO, TILES_MACRO, PARTS_MACRO, MEETING_MACRO,
                                           GHOSTS_MACRO, CPU_MACRO,   DRAIN_MACRO, ROOTS_MACRO};
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++) {
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

/* Adds kernels/<name> unless already present. A missing file is not an error. */
static enum err add_text(struct texts *t, const char *name, int *found)
{
    *found = 1;
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->list[k].name, name) == 0)
            return ERR_OK;
    char below[PATH_LENGTH], path[PATH_LENGTH];
    if (t->count == TEXTS || snprintf(below, sizeof below, "kernels/%s", name) >= PATH_LENGTH)
        FAIL(KERNEL,
             "kernels/%s: more than %d files or too long a name; do the includes of this kernel "
             "form a circle through ..?",
             name, TEXTS);
    TRY(paths_file(below, path));
    TRY(note_place(t, path));
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

/* Adds the file that an #include names. Compilers search the includer's folder (for a name in
 * quotes), then kernels/; a name in angles that is in neither is the compiler's own. */
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
        FAIL(KERNEL, "kernels/%s:%d: expected a name in \"quotes\" after #include", includer, line);
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

/* Is the end of this line inside a block comment, given whether its beginning is? */
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

enum err texts_read(struct texts *t, const char *file)
{
    int found;
    TRY(add_text(t, file, &found));
    if (!found)
        FAIL(KERNEL, "kernels/%s: this kernel's text is missing; correct `file` in its description",
             file);
    for (int k = 0; k < t->count; k++)
        TRY(add_includes_of(t, k));
    return ERR_OK;
}

int texts_mention(const struct texts *t, const char *definition)
{
    char name[sizeof t->defines->text[0]];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(definition, "="), definition);
    for (int k = 0; k < t->count; k++)
        if (strstr(t->list[k].content, name))
            return 1;
    return 0;
}

static int has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        if ((p == text || !is_word((unsigned char)p[-1])) && !is_word((unsigned char)p[n]))
            return 1;
    return 0;
}

int texts_have_word(const struct texts *t, const char *word)
{
    for (int k = 0; k < t->count; k++)
        if (has_word(t->list[k].content, word))
            return 1;
    return 0;
}
