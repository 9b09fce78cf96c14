/* The point sources and sinks of a run. */
#ifndef SHOAL_PROBLEM_SPRINGS_H
#define SHOAL_PROBLEM_SPRINGS_H

#include "core/problem/rain.h"

struct spring_place {
    const struct source_choice *choice;
    struct timeseries series; /* m3/s, into the domain */
    int cells;                /* number of cells that share it */
    int *i, *j;               /* their columns and rows */
};

struct spring_list {
    struct spring_place *place;
    int count;
};

/* Reads what --source names. Fails on sources outside the domain or on a wall, and on series that
 * do not last from start to end. Free with springs_free, also after a failure. */
enum err springs_choose(struct spring_list *l, const struct water_setting *from);
void springs_free(struct spring_list *l); /* accepts a zeroed or freed struct */

/* The largest rate at which it fills a cell, m/s; 0 for a sink. */
double spring_most(const struct spring_place *p, const struct grid_info *g);

/* Each in the syntax of --source, a line each, with a hash of its series; the caller frees it. */
enum err springs_describe(const struct spring_list *l, const struct config *c, char **text);

#endif
