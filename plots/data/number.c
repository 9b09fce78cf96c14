/* Prints numbers by formats from files. */
#include "plots/data/number.h"

#include <stdio.h>
#include <string.h>

struct format {
    char sign, letter;
    int decimals; /* -1: as printf likes */
};

static int read_format(const char *text, struct format *f)
{
    *f = (struct format){.decimals = -1};
    if (*text == '+')
        f->sign = *text++;
    if (*text == '.') {
        const size_t digits = strspn(++text, "0123456789");
        if (digits < 1 || digits > 2)
            return 0;
        f->decimals = digits == 1 ? text[0] - '0' : 10 * (text[0] - '0') + text[1] - '0';
        text += digits;
    }
    f->letter = *text;
    return f->letter && strchr("efg", f->letter) && !text[1];
}

int number_format_valid(const char *format)
{
    struct format f;
    return read_format(format, &f);
}

static int print(double x, const struct format *f, char *text, size_t n)
{
    if (f->letter == 'e')
        return snprintf(text, n, f->sign ? "%+.*e" : "%.*e", f->decimals, x);
    if (f->letter == 'f')
        return snprintf(text, n, f->sign ? "%+.*f" : "%.*f", f->decimals, x);
    return snprintf(text, n, f->sign ? "%+.*g" : "%.*g", f->decimals, x);
}

int number_write(double x, const char *format, char *text, size_t n)
{
    struct format f;
    if (!read_format(format, &f))
        return 0;
    /* A truncated number would be another number. */
    if ((size_t)print(x, &f, text, n) >= n)
        snprintf(text, n, "%.3g", x);
    if (*text == '-' && strcspn(text, "123456789") >= strcspn(text, "e"))
        memmove(text, text + 1, strlen(text));
    return 1;
}
