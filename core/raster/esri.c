/* ESRI ASCII grids: a header of words and numbers, then the values row by row from north to south.
 * Line breaks mean nothing. */
#include "core/raster/readers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/fast_decimal.h"
#include "core/base/input_files.h"
#include "core/base/plane.h"
#include "core/base/whole_file.h"

/* The header's words, and what they set. */
enum word {
    NCOLS,
    NROWS,
    XLLCORNER,
    XLLCENTER,
    YLLCORNER,
    YLLCENTER,
    CELLSIZE,
    DX,
    DY,
    NODATA,
    WORDS
};
static const char *const words[WORDS] = {
    [NCOLS] = "ncols",
    [NROWS] = "nrows",
    [XLLCORNER] = "xllcorner",
    [XLLCENTER] = "xllcenter",
    [YLLCORNER] = "yllcorner",
    [YLLCENTER] = "yllcenter",
    [CELLSIZE] = "cellsize",
    [DX] = "dx",
    [DY] = "dy",
    [NODATA] = "nodata_value",
};

/* The buffer never splits a word of fewer than LONGEST characters. */
enum { ROOM = 1 << 16, LONGEST = 512 };

struct text {
    FILE *file;
    const char *path;
    const char *at, *end; /* the unread part; *end is a NUL */
    int ended;            /* the file has ended */
    size_t line;
    char buffer[ROOM + 1];
};

struct header {
    double value[WORDS];
    int given[WORDS];
};

static enum err refill(struct text *t)
{
    const size_t left = (size_t)(t->end - t->at);
    if (t->ended || left >= LONGEST)
        return ERR_OK;
    memmove(t->buffer, t->at, left);
    const size_t n = fread(t->buffer + left, 1, ROOM - left, t->file);
    if (ferror(t->file))
        FAIL(INPUT, "%s: cannot be read: %s", t->path, strerror(errno));
    t->ended = n < ROOM - left;
    t->at = t->buffer;
    t->end = t->buffer + left + n;
    t->buffer[left + n] = '\0';
    return ERR_OK;
}

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Advances to the next word. */
static enum err skip_blanks(struct text *t)
{
    for (;;) {
        TRY(refill(t));
        while (is_blank(*t->at))
            t->line += *t->at++ == '\n';
        if (t->at < t->end || t->ended)
            return ERR_OK;
    }
}

static size_t word_length(const struct text *t)
{
    size_t n = 0;
    while (t->at + n < t->end && !is_blank(t->at[n]))
        n++;
    return n;
}

static int is_nan(const char *s)
{
    s += *s == '-' || *s == '+';
    return strncasecmp(s, "nan", 3) == 0 && (s[3] == '\0' || is_blank(s[3]));
}

/* Says why the word is not a number. */
static enum err no_number(const struct text *t, const char *wanted)
{
    const size_t n = word_length(t);
    const char *comma = memchr(t->at, ',', n);
    if (n == 0 && t->at == t->end)
        FAIL(INPUT, "%s:%zu: expected %s, got the end of the file", t->path, t->line, wanted);
    if (memchr(t->at, '\0', n))
        FAIL(INPUT, "%s:%zu: this is not a text file", t->path, t->line);
    FAIL(INPUT, "%s:%zu: expected %s, a number, got '%.*s%s'%s", t->path, t->line, wanted,
         (int)(n < 40 ? n : 40), t->at, n < 40 ? "" : "...",
         comma ? "; decimals need a point, such as from `tr , . <FILE >NEW`, and blanks stand "
                 "between values"
               : "");
}

/* The next word as a number, NAN among them. */
static enum err read_number(struct text *t, const char *wanted, double *x)
{
    TRY(skip_blanks(t));
    const char *end = fast_decimal_read(t->at, x);
    if (end == t->end && !t->ended)
        FAIL(INPUT, "%s:%zu: expected a number of at most %d characters", t->path, t->line,
             LONGEST);
    if (end && (is_blank(*end) || end == t->end)) {
        t->at = end;
        return ERR_OK;
    }
    if (!is_nan(t->at))
        return no_number(t, wanted);
    *x = (double)NAN;
    t->at += word_length(t);
    return ERR_OK;
}

/* The header keyword that the text begins with, WORDS if none. */
static enum word find_word(const char *text)
{
    for (int k = 0; k < WORDS; k++) {
        const size_t n = strlen(words[k]);
        if (strncasecmp(text, words[k], n) == 0 && (text[n] == '\0' || is_blank(text[n])))
            return (enum word)k;
    }
    return WORDS;
}

static const char *without_mark(const char *text)
{
    return strncmp(text, "\357\273\277", 3) == 0 ? text + 3
                                                 : text; /* some editors' byte order mark */
}

int raster_is_esri(const char *text)
{
    text = without_mark(text);
    while (is_blank(*text))
        text++;
    return find_word(text) != WORDS;
}

/* Letters begin a keyword of the header, or a value that is not a number. */
static int begins_word(const struct text *t)
{
    const char c = (char)(*t->at | 32);
    return c >= 'a' && c <= 'z' && !is_nan(t->at);
}

static enum err read_header(struct text *t, struct header *h)
{
    *h = (struct header){.value[NODATA] = -9999};
    TRY(refill(t));
    t->at = without_mark(t->at);
    TRY(skip_blanks(t));
    while (begins_word(t)) {
        const enum word w = find_word(t->at);
        if (w == WORDS) {
            const size_t n = word_length(t);
            FAIL(INPUT,
                 "%s:%zu: expected a keyword of an ESRI ASCII grid's header (ncols, nrows, "
                 "xllcorner "
                 "or xllcenter, yllcorner or yllcenter, cellsize or dx and dy, NODATA_value), got "
                 "'%.*s'",
                 t->path, t->line, (int)(n < 40 ? n : 40), t->at);
        }
        if (h->given[w])
            FAIL(INPUT, "%s:%zu: %s is given twice", t->path, t->line, words[w]);
        t->at += strlen(words[w]);
        TRY(read_number(t, words[w], &h->value[w]));
        h->given[w] = 1;
        TRY(skip_blanks(t));
    }
    return ERR_OK;
}

/* Uses the second keyword for the first, if only that is given. */
static void stand_in(struct header *h, enum word w, enum word other, double shift)
{
    if (h->given[w] || !h->given[other])
        return;
    h->value[w] = h->value[other] + shift;
    h->given[w] = 1;
}

/* Normalises everything to ncols, nrows, xllcorner, yllcorner, dx and dy. */
static enum err complete_header(const char *path, struct header *h)
{
    static const enum word needed[] = {NCOLS, NROWS, DX, DY, XLLCORNER, YLLCORNER};
    static const char *const called[] = {"ncols",    "nrows",     "cellsize",
                                         "cellsize", "xllcorner", "yllcorner"};
    stand_in(h, DX, CELLSIZE, 0);
    stand_in(h, DY, CELLSIZE, 0);
    stand_in(h, XLLCORNER, XLLCENTER, -0.5 * h->value[DX]);
    stand_in(h, YLLCORNER, YLLCENTER, -0.5 * h->value[DY]);
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        const double x = h->value[needed[k]];
        if (!h->given[needed[k]])
            FAIL(INPUT, "%s: expected %s in its header", path, called[k]);
        if (!isfinite(x) || (k < 4 && !(x > 0)) || (k < 2 && x != floor(x)))
            FAIL(INPUT, "%s: %s: expected %s, got %.15g", path, words[needed[k]],
                 k < 2   ? "a number of cells"
                 : k < 4 ? "the size of a cell, above 0"
                         : "a position",
                 x);
    }
    return ERR_OK;
}

/* Number of remaining bytes, -1 if unknown. */
static double bytes_left(struct text *t)
{
    const off_t here = ftello(t->file);
    if (here < 0 || fseeko(t->file, 0, SEEK_END) != 0)
        return -1;
    const off_t end = ftello(t->file);
    if (end < here || fseeko(t->file, here, SEEK_SET) != 0)
        return -1;
    return (double)(end - here) + (double)(t->end - t->at);
}

/* A value takes a digit, and a blank except after the last. */
static enum err check_length(struct text *t, const struct header *h)
{
    const double values = h->value[NCOLS] * h->value[NROWS], left = bytes_left(t);
    if (left >= 0 && left < 2 * values - 1)
        FAIL(INPUT,
             "%s: its header promises %.15g x %.15g values, but the %.15g bytes after it are too "
             "few: is it truncated?",
             t->path, h->value[NCOLS], h->value[NROWS], left);
    return ERR_OK;
}

/* Programs that store floats write the largest one with more or fewer digits. */
static int is_missing(double x, double nodata)
{
    const double huge = 1e30;
    return x == nodata || (x > huge && nodata > huge) || (x < -huge && nodata < -huge);
}

static enum err read_values(struct text *t, const struct header *h, struct raster *r)
{
    const size_t nx = (size_t)h->value[NCOLS], ny = (size_t)h->value[NROWS];
    for (size_t j = ny; j-- > 0;)
        for (size_t i = 0; i < nx; i++) {
            double x;
            TRY(skip_blanks(t));
            if (t->at == t->end)
                FAIL(INPUT, "%s: its header promises %zu x %zu values, but there are only %zu",
                     t->path, nx, ny, (ny - 1 - j) * nx + i);
            TRY(read_number(t, "a value", &x));
            if (isinf(x))
                FAIL(INPUT, "%s:%zu: a value exceeds the range of numbers", t->path, t->line);
            r->value[j * nx + i] = is_missing(x, h->value[NODATA]) ? (double)NAN : x;
            plane_passes((ny - 1 - j) * nx + i);
        }
    TRY(skip_blanks(t));
    if (t->at < t->end)
        FAIL(INPUT, "%s:%zu: there are more values than the %zu x %zu of the header", t->path,
             t->line, nx, ny);
    return ERR_OK;
}

/* `path`: of the file, for the .prj beside it; null for a stream. */
static enum err parse(struct text *t, const char *path, struct raster *r)
{
    struct header h;
    TRY(read_header(t, &h));
    TRY(complete_header(t->path, &h));
    if (path)
        TRY(raster_read_projection(path, h.value[XLLCORNER] + 0.5 * h.value[NCOLS] * h.value[DX],
                                   h.value[YLLCORNER] + 0.5 * h.value[NROWS] * h.value[DY], r));
    TRY(check_length(t, &h));
    TRY(raster_allocate(t->path, h.value[NCOLS], h.value[NROWS], r));
    r->grid = (struct grid_info){(int)h.value[NCOLS], (int)h.value[NROWS], h.value[XLLCORNER],
                                 h.value[YLLCORNER],  h.value[DX],         h.value[DY]};
    return read_values(t, &h, r);
}

static enum err parse_stream(FILE *f, const char *name, const char *path, struct raster *r)
{
    struct text *t = malloc(sizeof *t);
    if (!t)
        FAIL(MEMORY, "%s: no memory to read it", name);
    t->file = f;
    t->path = name;
    t->at = t->end = t->buffer;
    t->ended = 0;
    t->line = 1;
    t->buffer[0] = '\0';
    const enum err e = parse(t, path, r);
    free(t);
    return e;
}

enum err raster_parse_esri(FILE *f, const char *path, struct raster *r)
{
    return parse_stream(f, path, NULL, r);
}

enum err raster_read_esri(const char *path, struct raster *r)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    setvbuf(f, NULL, _IONBF, 0); /* the text has a buffer of its own */
    const enum err e = parse_stream(f, path, path, r);
    fclose(f);
    return e;
}
