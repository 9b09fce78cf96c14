/* Gauges: named points of the domain, and the cells that contain them. */
#ifndef SHOAL_GAUGE_LIST_H
#define SHOAL_GAUGE_LIST_H

enum { GAUGE_NAME = 64, MOST_GAUGES = 1000000 };

/* x and y in m; i and j: the cell that contains the point. */
struct gauge {
    char name[GAUGE_NAME];
    double x, y;
    int i, j;
};

struct gauge_list {
    struct gauge *gauge;
    int count;
};

#endif
