/* Parses lines of the form "key = value". */
#include "core/base/key_value.h"

#include <ctype.h>
#include <string.h>

char *keyvalue_begin(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
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
