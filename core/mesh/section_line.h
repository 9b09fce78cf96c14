/* Sections: named lines across a domain, drawn from the left bank to the right one. */
#ifndef SHOAL_SECTION_LINE_H
#define SHOAL_SECTION_LINE_H

#include "core/mesh/gauge_list.h"

/* From (x[0], y[0]) to (x[1], y[1]), m. */
struct section_line {
    char name[GAUGE_NAME];
    double x[2], y[2];
};

#endif
