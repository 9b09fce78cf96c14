/* --region: the part of the domain that maps show, as it is typed. */
#ifndef SHOAL_MAP_AREA_OPTION_H
#define SHOAL_MAP_AREA_OPTION_H

#include "core/base/err.h"

/* Reads "X0,Y0,X1,Y1", m. Fails with ERR_USAGE unless the corners are lower left and upper right. */
enum err map_area_option_read(const char *text, double region[4]);

#endif
