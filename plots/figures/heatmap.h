/* Heat maps of blocks: a table's rows in a grid of widths and heights, a panel for each kernel. */
#ifndef SHOAL_PLOTS_HEATMAP_H
#define SHOAL_PLOTS_HEATMAP_H

#include "plots/figures/script.h"

enum { HEATMAP_PANELS = 32, THESIS_CHOICES = 8 };

/* The tried sizes, ascending; row[j * widths + i]: row of the table, -1 for none. */
struct heatmap_panel {
    const char *name;
    int *w, *h, widths, heights;
    long *row;
    struct thesis_choice {
        char letter; /* by which it is marked */
        struct block block;
    } choice[THESIS_CHOICES]; /* what the thesis chose for the kernel (Amundsen 2014, table 4.1) */
    int choices;
};

struct heatmap {
    const struct rowset *table;
    int panel, width, height, outcome, loss; /* columns */
    struct heatmap_panel at[HEATMAP_PANELS];
    int panels;
};

/* Reads the figure's table, which must have the columns of `blocks`. Call heatmap_free also after a
 * failure. */
enum err heatmap_create(struct heatmap *m, const struct figure *f);
void heatmap_free(struct heatmap *m);

/* Does a cell have a 1 in a column? */
int heatmap_flag(const struct heatmap *m, const struct heatmap_panel *p, int i, int j,
                 const char *column);

#endif
