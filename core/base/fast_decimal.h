/* Reads long columns of decimal numbers fast, one after the other. */
#ifndef SHOAL_FAST_DECIMAL_H
#define SHOAL_FAST_DECIMAL_H

/* Reads the number that the text begins with: [+-] digits, with a point among them or not, and
 * optionally an exponent; no blanks before it, and neither hexadecimals nor words. The result is that of
 * strtod, bit for bit. Returns where the number ends, NULL if the text does not begin with one. */
const char *fast_decimal_read(const char *text, double *x);

#endif
