/* The options --bc-west, --bc-east, --bc-south and --bc-north: KIND[:NUMBER|FILE][@FROM..TO]. */
#ifndef SHOAL_EDGE_OPTION_H
#define SHOAL_EDGE_OPTION_H

#include "core/options/options.h"

/* See the functions of core/options/options.h that are called so. A choice for a whole edge replaces what was
 * chosen for it before; one for a segment comes on top. */
void edge_option_reset(const struct option *o, struct config *c);
enum err edge_option_set(const struct option *o, struct config *c, const char *text);
int edge_option_format(const struct option *o, const struct config *c, int k,
                       char text[FILE_LENGTH]);

/* What a choice says, as the option takes it. */
void edge_option_print(const struct config *c, const struct boundary_choice *b, char *text,
                       size_t n);

/* Where in an option's value the name of a file stands, if there is one: for those who move it. */
int edge_option_file(const char *text, size_t *begin, size_t *length);

/* "west", ... */
extern const char *const edge_names[EDGES];

#endif
