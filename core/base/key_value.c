/* Takes apart lines of the form "key = value". */
#include "core/base/key_value.h"

#include <ctype.h>
#include <string.h>

void keyvalue_begin(FILE *f)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    int n = 0, c = EOF;
    while (n < 3 && (c = getc(f)) == mark[n])
        n++;
    if (n == 3)
        return;
    if (c != EOF)
        ungetc(c, f);
    while (n-- > 0)
        ungetc(mark[n], f);
}

char *keyvalue_trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

char *keyvalue_uncomment(char *text)
{
    for (char *s = text; *s; s++) {
        if (*s == '#' && (s == text || isspace((unsigned char)s[-1]))) {
            *s = '\0';
            break;
        }
    }
    return keyvalue_trim(text);
}

int keyvalue_split(char *line, char **key, char **value)
{
    char *equals = strchr(line, '=');
    if (!equals)
        return 0;
    *equals = '\0';
    *key = keyvalue_trim(line);
    *value = equals + 1;
    return 1;
}
