/* Series of points in panels: what most figures are made from. */
#ifndef SHOAL_SERIES_H
#define SHOAL_SERIES_H

#include "plots/script.h"

enum { SERIES_NAMES = 256, SERIES_COLUMNS = 8 };

struct series_point {
    int panel, curve, place; /* place: of a name of x, from 1; 0: x is a number */
    double x, y, low, high;  /* low, high: NAN where they are not known */
    const char *label;       /* of the point; "" for none */
    size_t row;              /* where it stands, first of those it is made from */
};

struct series_names {
    char *name[SERIES_NAMES];
    int count;
};

/* Points are in the order of panels, then of curves; within, by x, or as the table has them. */
struct series {
    struct series_point *point;
    size_t count;
    struct series_names panel, curve, x; /* in order of appearance; x: none where it is numbers */
    int intervals, labels;               /* some point has one */
};

/* What the keys of [draw] say. Columns that are not there are -1. */
struct series_plan {
    const struct frame *table;
    int panel, series, x, y[SERIES_COLUMNS], ys, low, high, label;
    int median, ecdf;
};

/* Makes the points. Frees with series_free, also after a failure. */
enum err series_create(struct series *s, const struct figure *f);
void series_free(struct series *s);

/* As text: panel series x y low high [label]; two blank lines before each next curve. */
void series_write(const struct series *s, FILE *to);

/* What the script of lines.gp and its like is told of them: plots/panels.gp lists it. */
enum err series_script(const struct series *s, const struct figure *f,
                       const struct drawing_files *files);

#endif
