/* The options --bc-west, --bc-east, --bc-south and --bc-north: KIND[:NUMBER|FILE][@FROM..TO]. A
 * choice for a whole edge replaces earlier ones for it; one for a segment adds to them. */
#ifndef SHOAL_EDGE_OPTION_H
#define SHOAL_EDGE_OPTION_H

#include "core/options/run_config.h"

/* A choice in the option's syntax. */
void edge_option_print(const struct config *c, const struct boundary_choice *b, char *text,
                       size_t n);

/* "west", ... */
extern const char *const edge_names[EDGES];

#endif
