/* Reads numbers of tables. */
#ifndef SHOAL_DECIMAL_H
#define SHOAL_DECIMAL_H

/* The finite decimal number that a text is as a whole; NAN where it is none. strtod alone would take
 * "inf", "nan", "0x10" and blanks before it, too. */
double decimal_read(const char *text);

#endif
