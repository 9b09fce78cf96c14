/* Reads long columns of decimal numbers fast. */
#ifndef SHOAL_FAST_DECIMAL_H
#define SHOAL_FAST_DECIMAL_H

/* Reads the number at the start of the text: [+-] digits, with or without a decimal point, and an
 * optional exponent; no leading blanks, hexadecimals or words. The result equals strtod's, bit for
 * bit. Returns where the number ends, NULL if the text does not begin with one. */
const char *fast_decimal_read(const char *text, double *x);

#endif
