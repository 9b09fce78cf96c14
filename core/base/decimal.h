/* Reads numbers in tables. */
#ifndef SHOAL_DECIMAL_H
#define SHOAL_DECIMAL_H

/* The finite decimal number that the whole text spells; NAN if it spells none. strtod alone would
 * also accept "inf", "nan", "0x10" and leading blanks. */
double decimal_read(const char *text);

#endif
