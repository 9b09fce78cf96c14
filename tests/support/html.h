/* The content of a page, and whether it is well formed. Include after cmocka.h. */
#ifndef SHOAL_TEST_HTML_H
#define SHOAL_TEST_HTML_H

#include "tests/support/scratch.h"

static inline int times_in(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

/* Follows the tags; those of `single` have no end tag, nor have those that close themselves. */
static inline void assert_balanced(const char *text)
{
    static const char *const single[] = {"meta", "!DOCTYPE", "br"};
    char open[64][32];
    int depth = 0;
    for (const char *s = text; (s = strchr(s, '<')); s++) {
        const char *end = s + strcspn(s, ">");
        char name[32] = "";
        const int closes = s[1] == '/';
        int alone;
        if (!*end)
            fail_msg("a tag does not end: %.40s", s);
        sscanf(s + 1 + closes, "%31[A-Za-z0-9!]", name);
        if (!*name)
            fail_msg("a stray < before: %.40s", s);
        alone = end[-1] == '/';
        for (size_t k = 0; k < sizeof single / sizeof *single; k++)
            alone |= strcmp(name, single[k]) == 0;
        if (closes && (depth == 0 || strcmp(open[depth - 1], name) != 0))
            fail_msg("</%s> closes <%s>", name, depth ? open[depth - 1] : "nothing");
        depth -= closes;
        if (!closes && !alone) {
            assert_true(depth < 64);
            memcpy(open[depth++], name, sizeof name);
        }
        s = end;
    }
    assert_int_equal(depth, 0);
}

#endif
