#include "core/options/comma_parts.h"

#include <math.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/key_value.h"

int comma_parts(const char *text, int most, const char **part, size_t *length)
{
    int n = 0;
    for (const char *at = text; at; n++) {
        const char *end = strchr(at, ',');
        if (n == most)
            return most + 1;
        part[n] = at + strspn(at, " \t");
        length[n] = end ? (size_t)(end - part[n]) : strlen(part[n]);
        at = end ? end + 1 : NULL;
    }
    return n;
}

double comma_number(const char *part, size_t length)
{
    char copy[64];
    if (length >= sizeof copy)
        return (double)NAN;
    memcpy(copy, part, length);
    copy[length] = '\0';
    return decimal_read(keyvalue_trim(copy));
}
