/* Strips comments and layout from a kernel's text: they do not change the compiled code. */
#include <string.h>

#include "core/compile/kernel_text.h"

/* Behind a literal in quotes that begins at `p`. */
static const char *behind_literal(const char *p, const char *end)
{
    const char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end && *p == quote ? p + 1 : p;
}

/* Behind blanks and comments; `lines` counts line ends that are not part of a comment. */
static const char *behind_blanks(const char *p, const char *end, int *lines)
{
    for (;;) {
        if (end - p > 1 && p[0] == '/' && p[1] == '*') {
            const char *close = strstr(p + 2, "*/");
            p = close ? close + 2 : end;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (p < end && isspace((unsigned char)*p)) {
            *lines += *p++ == '\n';
        } else {
            return p;
        }
    }
}

size_t text_code(const struct text *t, char *code)
{
    const char *p = t->content, *const end = p + t->size;
    char *to = code;
    while (p < end) {
        int lines = 0;
        const char *next = behind_blanks(p, end, &lines);
        if (next > p && to > code && next < end)
            *to++ = lines ? '\n' : ' ';
        p = next;
        const char *const token = p;
        if (p < end && (*p == '"' || *p == '\''))
            p = behind_literal(p, end);
        else if (p < end && is_word((unsigned char)*p))
            while (p < end && is_word((unsigned char)*p))
                p++;
        else if (p < end)
            p++;
        memcpy(to, token, (size_t)(p - token));
        to += p - token;
    }
    return (size_t)(to - code);
}
