/* The lines that `shoal verify` prints while it runs, and the number format of all reports. */
#ifndef SHOAL_REPORT_LINES_H
#define SHOAL_REPORT_LINES_H

#include "verification/run/verdict.h"

/* Column names, then a line for each verdict. Properties of every run are left out unless they
 * fail: they would be most of the lines. */
void lines_head(void);
void lines_print(const struct line *l);

/* Four significant digits: "0.0123", "1.23e-5"; "-" for a NAN. */
const char *number_text(double x, char text[24]);

#endif
