/* Cells of a line of a table, between its tabs. */
#ifndef SHOAL_TAB_CELLS_H
#define SHOAL_TAB_CELLS_H

#include <string.h>

/* Cuts a line at its tabs, which become NULs. Returns how many cells it has; the first `room` of them are in `cell`. */
static inline int tab_cells(char *line, char **cell, int room)
{
    int n = 0;
    for (char *one = strsep(&line, "\t"); one; one = strsep(&line, "\t"), n++)
        if (n < room)
            cell[n] = one;
    return n;
}

#endif
