/* Shared by the shapes of figures: the keys of [draw], and gnuplot's variables. */
#ifndef SHOAL_SCRIPT_H
#define SHOAL_SCRIPT_H

#include "plots/figures/draw.h"

enum { SCRIPT_TEXT = 256 };

/* The shapes that gnuplot draws: the keys of [draw] for each, and the default template. */
struct shape {
    const char *name, *template;
    const char *const *keys; /* NULL at the end */
    shape_write *write;
    /* For a terminal, instead of gnuplot; NULL: gnuplot does it. */
    enum err (*print)(const struct figure *f, FILE *to, int colour);
};
extern const char *const series_keys[], *const heatmap_keys[], *const surface_keys[];
enum err heatmap_text(const struct figure *f, FILE *to, int colour);

/* The shape of an experiment. Fails with ERR_INPUT for an unknown name, or a key that the shape
 * does not have. NULL for a table. */
enum err draw_shape(const struct experiment *x, const struct shape **shape);

/* Fails with ERR_INPUT, file and line, for a key of [draw] that is none of `known` (NULL at the end);
 * the message lists them. */
enum err draw_keys(const struct experiment *x, const char *shape, const char *const *known);

/* A key of [draw]; default `usual`. */
const char *draw_value(const struct figure *f, const char *key, const char *usual);

/* The fault of a key of [draw], with file and line. */
enum err draw_fault(const struct figure *f, const char *key, const char *what);

/* A text with its facts filled in. */
enum err draw_text(const struct figure *f, const char *key, const char *usual,
                   char text[SCRIPT_TEXT]);

/* A number, perhaps from facts; default `usual`. Fails with ERR_INPUT for a text. */
enum err draw_number(const struct figure *f, const char *key, double usual, double *number);

/* Which of `words` (NULL at the end) a key's value is; default words[0]. */
enum err draw_word(const struct figure *f, const char *key, const char *const *words, int *which);

/* "WIDTHxHEIGHT" in pixels; unchanged without the key. */
enum err draw_size(const struct figure *f, int *width, int *height);

/* The figure's table: the first one, or that of the key `table`. */
enum err draw_table(const struct figure *f, const struct plot_table **table);

/* The column of the table that a key names; -1 without the key. */
enum err draw_column(const struct figure *f, const struct rowset *table, const char *key,
                     int *column);

/* The title of a value after a key that maps them, "value: title; value: title"; else the value. */
void draw_title(const struct figure *f, const char *key, const char *value,
                char title[SCRIPT_TEXT]);

/* Gnuplot's variables. An array has `count` entries and a variable NAMEs that counts them;
 * gnuplot's arrays begin at 1, and an empty one has an unused entry. */
void script_array(FILE *script, const char *name, int count);
void script_entry(FILE *script, const char *name, int k, const char *text);
void script_entry_number(FILE *script, const char *name, int k, double number);
void script_text(FILE *script, const char *name, const char *text);

/* width, height, data and foot. */
void script_begin(const struct figure *f, const struct drawing_files *files, int width, int height);

/* An axis of a panel. */
struct axis {
    char name;           /* 'x', 'y' */
    int log, zero;       /* zero: it begins there if nothing is below */
    double low, high;    /* its ends if the file sets them; else NAN */
    double least, most;  /* the range of the data */
    int names;           /* number of names at 1, 2, ... instead of numbers */
    const char *tics;    /* "values", numbers separated by blanks, or "" */
    const double *value; /* for "values": sorted */
    int values, pixels;  /* how long it is */
};

/* Entries [panel] of NAME_range, NAME_tics, NAME_low, NAME_high. */
void script_axis(FILE *script, int panel, const struct axis *axis);

#endif
