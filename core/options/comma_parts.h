/* Values of options that have several parts, with commas between them. */
#ifndef SHOAL_COMMA_PARTS_H
#define SHOAL_COMMA_PARTS_H

#include <stddef.h>

/* Where the parts of a text begin, without leading blanks, and their bytes. Returns how many there are, most + 1 if more. */
int comma_parts(const char *text, int most, const char **part, size_t *length);

/* NAN if it is none. */
double comma_number(const char *part, size_t length);

#endif
