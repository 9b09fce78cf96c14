/* UTF-8 as RFC 3629 has it. */
#include "core/base/printable.h"

int utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const int n = *s < 0x80                 ? 1
                  : *s >= 0xc2 && *s < 0xe0 ? 2
                  : *s >= 0xe0 && *s < 0xf0 ? 3
                  : *s >= 0xf0 && *s < 0xf5 ? 4
                                            : 0;
    if (n > 2 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
                  (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f)))
        return 0;
    for (int k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Control characters are those of ASCII, and U+0080 to U+009F. */
static int is_control(const unsigned char *s)
{
    return (*s < ' ' && *s != '\n') || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);
}

void printable(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        const int n = is_control(s) ? 0 : utf8_length((const char *)s);
        if (!n)
            *s = '?';
        s += n ? n : 1;
    }
}

int is_utf8(const char *text)
{
    int n;
    while (*text && (n = utf8_length(text)) > 0)
        text += n;
    return !*text;
}

int is_printable_line(const char *text)
{
    for (int n; *text; text += n)
        if (*text == '\n' || is_control((const unsigned char *)text) || !(n = utf8_length(text)))
            return 0;
    return 1;
}
