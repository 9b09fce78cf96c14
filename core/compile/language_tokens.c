/* The tokens of a text. */
#include "core/compile/language_tokens.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

struct reader {
    const char *at, *line_begins;
    int line;
};

int dialect_is(const struct token *t, const char *text)
{
    return t->kind != STRING && (int)strlen(text) == t->n &&
           strncmp(t->at, text, (size_t)t->n) == 0;
}

static void skip(struct reader *r, size_t n)
{
    for (; n && *r->at; n--, r->at++) {
        if (*r->at == '\n') {
            r->line++;
            r->line_begins = r->at + 1;
        }
    }
}

static size_t comment_length(const char *s)
{
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] != '/' || s[1] != '*')
        return 0;
    const char *end = strstr(s + 2, "*/");
    return end ? (size_t)(end + 2 - s) : strlen(s);
}

/* Up to the end of a line that no backslash continues. */
static size_t directive_length(const char *s)
{
    size_t n = strcspn(s, "\n");
    while (s[n] && n > 0 && s[n - 1] == '\\')
        n += 1 + strcspn(s + n + 1, "\n");
    return n;
}

static size_t string_length(const char *s)
{
    size_t n = 1;
    while (s[n] && s[n] != *s && s[n] != '\n')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n + (s[n] == *s);
}

static size_t number_length(const char *s)
{
    size_t n = 1;
    while (isalnum((unsigned char)s[n]) || s[n] == '.' || s[n] == '_' ||
           ((s[n] == '+' || s[n] == '-') && strchr("eEpP", s[n - 1]) && s[1] != 'x'))
        n++;
    return n;
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static struct token next(struct reader *r)
{
    const char *s = r->at;
    struct token t = {s, 1, r->line, (int)(s - r->line_begins) + 1, SIGN};
    if (!*s)
        t = (struct token){s, 0, t.line, t.column, END};
    else if (*s == '"' || *s == '\'')
        t.n = (int)string_length(s), t.kind = STRING;
    else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1])))
        t.n = (int)number_length(s), t.kind = NUMBER;
    else if (isalpha((unsigned char)*s) || *s == '_')
        t.n = (int)word_length(s), t.kind = WORD;
    skip(r, (size_t)t.n);
    return t;
}

/* Directives are no tokens: what they define differs between the compilers on purpose. The headers
 * that they include are. Returns how many tokens it wrote, 0 or 1. */
static int directive(struct reader *r, struct token *t)
{
    const char *s = r->at + 1 + strspn(r->at + 1, " \t");
    size_t n = 0;
    if (strncmp(s, "include", 7) == 0) {
        s += 7 + strspn(s + 7, " \t");
        n = *s == '<' ? strcspn(s, ">\n") : 0;
        n += n && s[n] == '>';
    }
    *t = (struct token){s, (int)n, r->line, (int)(s - r->line_begins) + 1, HEADER};
    skip(r, directive_length(r->at));
    return n > 0;
}

int dialect_tokens(const char *text, struct token *list)
{
    struct reader r = {text, text, 1};
    int begins = 1, count = 0; /* begins: nothing but blanks so far on this line */
    while (*r.at) {
        const size_t comment = comment_length(r.at);
        if (comment) {
            skip(&r, comment);
        } else if (*r.at == '#' && begins) {
            count += directive(&r, &list[count]);
        } else if (isspace((unsigned char)*r.at)) {
            begins |= *r.at == '\n';
            skip(&r, 1);
        } else {
            list[count++] = next(&r);
            begins = 0;
        }
    }
    for (int k = 0; k < 3; k++)
        list[count + k] = (struct token){r.at, 0, r.line, 1, END};
    return count;
}
