/* Series of points in panels: what most figures are made from. */
#ifndef SHOAL_SERIES_H
#define SHOAL_SERIES_H

#include "plots/figures/script.h"

enum { SERIES_NAMES = 256, SERIES_COLUMNS = 8 };

struct series_point {
    int panel, curve, place; /* place: of a name of x, from 1; 0: x is a number */
    double x, y, low, high;  /* low, high: NAN if unknown */
    const char *label;       /* of the point; "" for none */
    const char *same;        /* rows with the same text here are one point; "" for any */
    size_t row;              /* the first of the rows it is made from */
};

struct series_names {
    char *name[SERIES_NAMES];
    int count;
};

/* Points are in the order of panels, then of curves; within, by x, or by the numbers of `by`. */
struct series {
    struct series_point *point;
    size_t count;
    struct series_names panel, curve, x; /* in order of appearance; x: none if it is numbers */
    int intervals, labels;               /* some point has one */
    int exact, second;                   /* curves, from 1: for comparison; on its own axis */
    int below;   /* number of panels above as many others of another quantity; 0: none */
    int stacked; /* low and high are the ends of a part of a bar */
};

/* The keys of [draw]. Missing columns are -1. */
struct series_plan {
    const struct rowset *table;
    int panel, series, x, y[SERIES_COLUMNS], ys, low, high, label, exact, second, below, by;
    int bars, stack, names; /* names: of x, instead of numbers */
};

/* Makes the points. Frees with series_free, also after a failure. */
enum err series_create(struct series *s, const struct figure *f);
void series_free(struct series *s);

/* As text: panel series x y low high [label]; two blank lines before each next curve. */
void series_write(const struct series *s, FILE *to);

enum { SERIES_MARKS = 64, SERIES_STYLES = 8 };

/* A published value; or a line through the origin, where `slope` is a number. */
struct series_mark {
    char label[SCRIPT_TEXT];
    int panel; /* from 1; 0: all */
    double x, y, slope;
};

/* How the series of a figure are drawn. With a zoom each panel has an enlarged one beside it. */
struct series_picture {
    const struct series *s;
    const struct figure *f;
    const char *template;
    struct axis x, y; /* what is the same for all panels */
    int width, height, panels, across, panel_width, shared;
    int zoom; /* 1: into the front; 2: from zoom_low to zoom_high */
    double zoom_low, zoom_high;
    struct series_mark mark[SERIES_MARKS];
    int marks;
};

/* Which panel of the data a panel of the picture shows, from 0; is it enlarged? */
int series_panel(const struct series_picture *p, int panel);
int series_enlarged(const struct series_picture *p, int panel);
/* Is it one that shows another quantity? */
int series_is_below(const struct series_picture *p, int panel);

enum err series_read_marks(struct series_picture *p);
void series_write_marks(const struct series_picture *p, FILE *script);

/* Letters of the longest of these names' titles, which the key of [draw] gives. */
int series_longest_title(const struct series_picture *p, const char *key,
                         const struct series_names *names);

/* "top", "right", "none", or a place inside. */
const char *series_key_place(const struct series_picture *p);

/* Axes, size and arrangement of the panels. */
enum err series_read_axes(struct series_picture *p);
enum err series_write_axes(const struct series_picture *p, FILE *script);

/* The variables for lines.gp and similar templates: plots/panels.gp lists them. */
enum err series_script(const struct series *s, const struct figure *f,
                       const struct drawing_files *files);

#endif
