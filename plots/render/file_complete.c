/* Looks at the ends of pictures and the boxes of films. */
#include "plots/render/file_complete.h"

#include <stdio.h>
#include <string.h>

enum { BOX_HEAD = 8, LONG_HEAD = 16 };

/* Big-endian, of `n` bytes. */
static unsigned long long number(const unsigned char *byte, int n)
{
    unsigned long long x = 0;
    for (int k = 0; k < n; k++)
        x = x << 8 | byte[k];
    return x;
}

static int ends_as_picture(FILE *f)
{
    static const unsigned char end[12] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    unsigned char last[sizeof end];
    return fseek(f, -(long)sizeof end, SEEK_END) == 0 &&
           fread(last, 1, sizeof last, f) == sizeof last && memcmp(last, end, sizeof end) == 0;
}

/* Every box begins with its length, of which 1 says that 8 bytes more have it. */
static int has_boxes(FILE *f)
{
    unsigned char head[LONG_HEAD];
    unsigned long long at = 0, size;
    int told = 0;
    if (fseek(f, 0, SEEK_END) != 0)
        return 0;
    const unsigned long long end = (unsigned long long)ftell(f);
    for (; at + BOX_HEAD <= end; at += size) {
        memset(head, 0, sizeof head);
        if (fseek(f, (long)at, SEEK_SET) != 0 || fread(head, 1, sizeof head, f) < BOX_HEAD)
            return 0;
        size = number(head, 4) == 1 ? number(head + BOX_HEAD, 8) : number(head, 4);
        told |= memcmp(head + 4, "moov", 4) == 0;
        if (size < BOX_HEAD || size > end - at)
            return 0;
    }
    return told && at == end;
}

static int holds(const char *path, int (*holds_of)(FILE *f))
{
    FILE *f = fopen(path, "rb");
    const int good = f && holds_of(f);
    if (f)
        fclose(f);
    return good;
}

int whole_picture(const char *path)
{
    return holds(path, ends_as_picture);
}

int whole_film(const char *path)
{
    return holds(path, has_boxes);
}
