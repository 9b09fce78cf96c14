/* The tab-separated cells of a line. */
#ifndef SHOAL_TAB_CELLS_H
#define SHOAL_TAB_CELLS_H

#include <string.h>

/* Splits a line at its tabs, which become NULs. Returns the number of cells; puts the first `room`
 * of them into `cell`. */
static inline int tab_cells(char *line, char **cell, int room)
{
    int n = 0;
    for (char *one = strsep(&line, "\t"); one; one = strsep(&line, "\t"), n++)
        if (n < room)
            cell[n] = one;
    return n;
}

#endif
