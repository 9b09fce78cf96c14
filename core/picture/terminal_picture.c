/* Escape sequences that every modern terminal knows (ECMA-48, and xterm's alternate screen). */
#include "core/picture/terminal_picture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Enters the alternate screen without a cursor; returns to the normal one. */
static const char enter[] = "\033[?1049h\033[?25l\033[2J", leave[] = "\033[0m\033[?25h\033[?1049l";

enum { CELL_TEXT = 64, FALLBACK_COLUMNS = 80, FALLBACK_ROWS = 24, MOST_SIDE = 1000 };

/* Two colours in the terminal's encoding, or a character of text (without colour). */
struct screen_cell {
    uint32_t upper, lower;
    char letter; /* 0: two pixels */
};

static volatile sig_atomic_t taken, lost; /* the alternate screen is active */

static int has(const char *text, const char *part)
{
    return text && strcasestr(text, part) != NULL;
}

enum screen_kind screen_kind_of(const char *term, const char *colorterm, const char *no_color,
                                const char *locale)
{
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return SCREEN_NONE;
    if ((no_color && *no_color) || !(has(locale, "utf-8") || has(locale, "utf8")))
        return SCREEN_LETTERS;
    return has(colorterm, "truecolor") || has(colorterm, "24bit") || has(term, "-direct")
               ? SCREEN_TRUE
               : SCREEN_256;
}

enum screen_kind screen_find(char *why, size_t n)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL, *term = getenv("TERM");
    for (int k = 0; k < 3 && !(locale && *locale); k++)
        locale = getenv(names[k]);
    if (!isatty(STDERR_FILENO)) {
        snprintf(why, n, "stderr is not a terminal");
        return SCREEN_NONE;
    }
    snprintf(why, n, "a terminal of type '%s' shows no pictures", term ? term : "");
    return screen_kind_of(term, getenv("COLORTERM"), getenv("NO_COLOR"), locale);
}

static void send(const char *text, size_t n)
{
    while (n > 0) {
        const ssize_t k = write(STDERR_FILENO, text, n);
        if (k < 0 && errno != EINTR)
            return; /* a lost terminal needs no picture */
        text += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
}

void screen_restore(void)
{
    if (taken)
        send(leave, sizeof leave - 1);
    taken = 0;
}

static void catch_stop(void);

/* Ctrl-Z: the shell gets its terminal back, and when the run continues the picture returns. */
static void on_stop(int number)
{
    const int error = errno, was = taken;
    screen_restore();
    signal(number, SIG_DFL);
    pthread_kill(pthread_self(), number);
    catch_stop();
    if (was) {
        send(enter, sizeof enter - 1);
        taken = lost = 1;
    }
    errno = error;
}

/* The signal must not be blocked while it is handled: raising it stops the process. */
static void catch_stop(void)
{
    const struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_NODEFER | SA_RESTART};
    struct sigaction old;
    if (sigaction(SIGTSTP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGTSTP, &stop, NULL);
}

static void read_size(struct winsize *size)
{
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, size) == 0 && size->ws_col > 0 && size->ws_row > 0)
        return;
    const char *const columns = getenv("COLUMNS"), *const rows = getenv("LINES");
    const long c = columns ? strtol(columns, NULL, 10) : 0, r = rows ? strtol(rows, NULL, 10) : 0;
    size->ws_col = c > 0 && c <= MOST_SIDE ? (unsigned short)c : FALLBACK_COLUMNS;
    size->ws_row = r > 0 && r <= MOST_SIDE ? (unsigned short)r : FALLBACK_ROWS;
}

static size_t cells(const struct screen *s)
{
    return (size_t)s->columns * (size_t)s->rows;
}

/* The terminal's content is unknown: no cell equals this. */
static void forget(struct screen *s)
{
    memset(s->shown, 0xff, cells(s) * sizeof *s->shown);
}

int screen_measure(struct screen *s)
{
    struct winsize size;
    read_size(&size);
    const int columns = size.ws_col < MOST_SIDE ? size.ws_col : MOST_SIDE,
              rows = size.ws_row < MOST_SIDE ? size.ws_row : MOST_SIDE;
    if (s->now && columns == s->columns && rows == s->rows)
        return 0;
    free(s->now);
    free(s->shown);
    free(s->text);
    s->columns = columns;
    s->rows = rows;
    s->room = (cells(s) + 16) * CELL_TEXT;
    s->now = calloc(cells(s), sizeof *s->now);
    s->shown = calloc(cells(s), sizeof *s->shown);
    s->text = malloc(s->room);
    if (!s->now || !s->shown || !s->text) {
        screen_free(s);
        return 1;
    }
    screen_clear(s);
    forget(s);
    if (s->entered)
        send("\033[0m\033[2J", 8);
    return 1;
}

void screen_free(struct screen *s)
{
    free(s->now);
    free(s->shown);
    free(s->text);
    s->now = s->shown = NULL;
    s->text = NULL;
    s->columns = s->rows = 0;
}

/* The standard palette from number 16 on: a cube of 6 x 6 x 6 colours, and 24 greys. */
static struct colour palette(int number)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    const int n = number - 16, grey = 8 + 10 * (number - 232);
    const int red = n / 36, green = n / 6 % 6;
    if (number >= 232)
        return (struct colour){(float)grey / 255, (float)grey / 255, (float)grey / 255};
    return (struct colour){(float)level[red] / 255, (float)level[green] / 255,
                           (float)level[n % 6] / 255};
}

/* The number of the most similar colour. Searches once for each: there are few, in four bits a
 * component. */
static uint32_t nearest(uint32_t whole)
{
    static unsigned char found[1 << 12]; /* 0: not yet */
    const uint32_t r = whole >> 20, g = whole >> 12 & 15, b = whole >> 4 & 15;
    unsigned char *const known = &found[r << 8 | g << 4 | b];
    const struct colour c = {((float)r + 0.5f) / 16, ((float)g + 0.5f) / 16,
                             ((float)b + 0.5f) / 16};
    float least = 9;
    for (int k = 16; k < 256 && (!*known || least < 9); k++) {
        const float distance = colour_distance(c, palette(k));
        if (distance >= least)
            continue;
        least = distance;
        *known = (unsigned char)k;
    }
    return *known;
}

/* In six bits a component: invisible differences are not sent. */
static uint32_t packed(const struct screen *s, struct colour c)
{
    const uint32_t whole = (uint32_t)colour_byte(c.r) << 16 | (uint32_t)colour_byte(c.g) << 8 |
                           (uint32_t)colour_byte(c.b);
    return s->kind == SCREEN_TRUE ? whole & 0xfcfcfc : nearest(whole);
}

static struct screen_cell *cell(struct screen *s, int column, int row)
{
    const int inside = column >= 0 && column < s->columns && row >= 0 && row < s->rows;
    return inside ? &s->now[(size_t)row * (size_t)s->columns + (size_t)column] : NULL;
}

void screen_put(struct screen *s, int column, int row, struct colour upper, struct colour lower,
                char letter)
{
    struct screen_cell *c = cell(s, column, row);
    if (!c)
        return;
    if (s->kind == SCREEN_LETTERS)
        *c = (struct screen_cell){.letter = letter};
    else
        *c = (struct screen_cell){packed(s, upper), packed(s, lower), 0};
}

void screen_write(struct screen *s, int column, int row, const char *text)
{
    for (; *text; text++, column++) {
        struct screen_cell *c = cell(s, column, row);
        const int plain = *text >= ' ' && *text < 0x7f;
        if (c)
            *c = (struct screen_cell){.letter = '?'};
        if (c && plain)
            c->letter = *text;
    }
}

void screen_clear(struct screen *s)
{
    for (size_t k = 0; k < cells(s); k++)
        s->now[k] = (struct screen_cell){.letter = ' '};
}

__attribute__((format(printf, 2, 3))) static void add_text(struct screen *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (s->used + CELL_TEXT <= s->room)
        s->used += (size_t)vsnprintf(s->text + s->used, CELL_TEXT, fmt, ap);
    va_end(ap);
}

static void add_colour(struct screen *s, int ground, uint32_t c)
{
    if (s->kind == SCREEN_TRUE)
        add_text(s, "\033[%d;2;%u;%u;%um", ground, c >> 16, c >> 8 & 0xff, c & 0xff);
    else
        add_text(s, "\033[%d;5;%um", ground, c);
}

/* A cell, when the terminal's current colours are those of `last` (null: none); UPPER HALF BLOCK is
 * U+2580. */
static void add_cell(struct screen *s, const struct screen_cell *c, const struct screen_cell *last)
{
    const int coloured = last && !last->letter;
    if (c->letter) {
        add_text(s, "%s%c", coloured ? "\033[0m" : "", c->letter);
        return;
    }
    if (!coloured || c->lower != last->lower)
        add_colour(s, 48, c->lower);
    if (!coloured || c->upper != last->upper)
        add_colour(s, 38, c->upper);
    add_text(s, "\xe2\x96\x80");
}

static int differ(const struct screen_cell *a, const struct screen_cell *b)
{
    return a->upper != b->upper || a->lower != b->lower || a->letter != b->letter;
}

/* The changed cells of a row from `first` on; the cursor skips the others. */
static void add_row(struct screen *s, int row)
{
    const size_t start = (size_t)row * (size_t)s->columns;
    const struct screen_cell *last = NULL;
    int at = -1;
    for (int i = 0; i < s->columns; i++) {
        const struct screen_cell *c = &s->now[start + (size_t)i];
        if (!differ(c, &s->shown[start + (size_t)i]))
            continue;
        if (at != i)
            add_text(s, "\033[%d;%dH", row + 1, i + 1);
        add_cell(s, c, last);
        last = c;
        at = i + 1;
    }
    if (last && !last->letter)
        add_text(s, "\033[0m");
}

static void take_terminal(struct screen *s)
{
    catch_stop();
    s->entered = 1;
    taken = 1;
    send(enter, sizeof enter - 1);
}

void screen_show(struct screen *s)
{
    if (!s->now)
        return;
    if (!s->entered)
        take_terminal(s);
    if (lost)
        forget(s);
    lost = 0;
    s->used = 0;
    for (int row = 0; row < s->rows; row++)
        add_row(s, row);
    add_text(s, "\033[H");
    send(s->text, s->used);
    memcpy(s->shown, s->now, cells(s) * sizeof *s->now);
}

void screen_leave(struct screen *s)
{
    if (!s->entered)
        return;
    screen_restore();
    s->entered = 0;
}

void screen_print(struct screen *s, int first, int count)
{
    s->used = 0;
    for (int row = first; s->now && row < first + count && row < s->rows; row++) {
        const struct screen_cell *c = s->now + (size_t)row * (size_t)s->columns, *last = NULL;
        int end = s->columns; /* omits blanks at the end of a line */
        while (end > 0 && c[end - 1].letter == ' ')
            end--;
        for (int i = 0; i < end; last = &c[i], i++)
            add_cell(s, &c[i], last);
        add_text(s, "%s\n", last && !last->letter ? "\033[0m" : "");
    }
    send(s->text, s->used);
}
