/* Pictures in a terminal: two pixels per character, an upper and a lower one, in the terminal's
 * colours; or a letter each on a terminal without colours. Sends only changes. */
#ifndef SHOAL_TERMINAL_PICTURE_H
#define SHOAL_TERMINAL_PICTURE_H

#include <stddef.h>

#include "core/picture/colour_map.h"
#include "core/base/err.h"

enum screen_kind {
    SCREEN_NONE,    /* no terminal, or one that cannot move its cursor */
    SCREEN_LETTERS, /* no UTF-8, or colours turned off */
    SCREEN_256,     /* colours of the standard palette */
    SCREEN_TRUE     /* any colour */
};

/* What a terminal can show, by the variables TERM, COLORTERM, NO_COLOR and that of the locale
 * (LC_ALL, LC_CTYPE or LANG, the first that is set); each may be null. */
enum screen_kind screen_kind_of(const char *term, const char *colorterm, const char *no_color,
                                const char *locale);

/* The same for the terminal at stderr; SCREEN_NONE if stderr is not one, and `why` says so. */
enum screen_kind screen_find(char *why, size_t n);

struct screen_cell;

struct screen {
    enum screen_kind kind;
    int columns, rows;               /* of the terminal */
    struct screen_cell *now, *shown; /* [rows][columns]: to be shown; shown now */
    char *text;                      /* being sent to the terminal */
    size_t used, room;
    int entered;
};

/* Asks for the terminal's size; true if it has changed (then all is blank and will be sent). Start
 * with a zeroed struct in which `kind` is set. On a failure the size is 0. */
int screen_measure(struct screen *s);
void screen_free(struct screen *s); /* accepts a zeroed struct */

/* Sets two pixels, or their letter if the kind is SCREEN_LETTERS. Column and row count from 0 at
 * the upper left; ignores positions outside. */
void screen_put(struct screen *s, int column, int row, struct colour upper, struct colour lower,
                char letter);

/* Writes a line of plain ASCII, from a column on; the rest of the row stays. */
void screen_write(struct screen *s, int column, int row, const char *text);

/* Blanks all. */
void screen_clear(struct screen *s);

/* Switches to the alternate screen, as editors do, and sends the changes. */
void screen_show(struct screen *s);

/* Restores the terminal. */
void screen_leave(struct screen *s);

/* Prints the rows from `first` on, `count` of them, at the cursor, permanently. */
void screen_print(struct screen *s, int first, int count);

/* For a signal handler that ends the process: restores the terminal. */
void screen_restore(void);

#endif
