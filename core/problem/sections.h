/* Lines through which the discharge of a run is measured. */
#ifndef SHOAL_PROBLEM_SECTIONS_H
#define SHOAL_PROBLEM_SECTIONS_H

#include "core/mesh/grid.h"
#include "core/options/run_config.h"

/* A face between two cells: the western (axis 0) or southern (axis 1) one of column i and row j,
 * which may be one past the last. `sign`: 1 if positive flow is along the axis, else -1. */
struct section_face {
    int i, j, axis, sign;
};

struct section_place {
    const struct section_line *choice;
    struct section_face *face;
    int faces;
};

struct section_list {
    struct section_place *place;
    int count;
    double dx, dy; /* of the cells */
};

/* The faces that each --section crosses: those whose two cells have their centres on different sides of the line. They
 * make a chain without gaps. Fails where there are none. Free with sections_free, also after a failure. */
enum err sections_choose(struct section_list *l, const struct config *c, const struct grid_info *g);
void sections_free(struct section_list *l); /* accepts a zeroed or freed struct */

/* Of all of them together. */
int sections_faces(const struct section_list *l);

#endif
