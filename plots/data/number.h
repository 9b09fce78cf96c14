/* How numbers are written in texts and tables. */
#ifndef SHOAL_NUMBER_H
#define SHOAL_NUMBER_H

#include <stddef.h>

/* Does a text say how: a printf format without its %, of the form [+][.DIGITS](e|f|g)? */
int number_format_valid(const char *format);

/* The number so written. Zero has no minus. False where the format is not valid. */
int number_write(double x, const char *format, char *text, size_t n);

#endif
