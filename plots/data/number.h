/* How numbers are written in texts and tables. */
#ifndef SHOAL_NUMBER_H
#define SHOAL_NUMBER_H

#include <stddef.h>

/* Is a text a format: printf's without %, of the form [+][.DIGITS](e|f|g)? */
int number_format_valid(const char *format);

/* Prints the number by it. Zero has no minus sign. False if the format is invalid. */
int number_write(double x, const char *format, char *text, size_t n);

#endif
