/* Reads numbers in tables. */
#include "core/base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double decimal_read(const char *text)
{
    char *end;
    if (!*text || strspn(text, "0123456789.+-eE") != strlen(text))
        return (double)NAN;
    const double x = strtod(text, &end);
    return end == text || *end || !isfinite(x) ? (double)NAN : x;
}
