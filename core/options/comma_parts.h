/* Option values of several comma-separated parts. */
#ifndef SHOAL_COMMA_PARTS_H
#define SHOAL_COMMA_PARTS_H

#include <stddef.h>

/* Finds where the parts of a text begin, without leading blanks, and their lengths in bytes.
 * Returns their number; most + 1 if there are more. */
int comma_parts(const char *text, int most, const char **part, size_t *length);

/* NAN if it is not a number. */
double comma_number(const char *part, size_t length);

#endif
