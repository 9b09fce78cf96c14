/* What `shoal verify` prints while it computes, and numbers as all reports have them. */
#ifndef SHOAL_REPORT_LINES_H
#define SHOAL_REPORT_LINES_H

#include "verification/run/verdict.h"

/* Column names, and a line under them as it is decided. What holds of every run is left out unless
 * it fails: it would be most of the lines. */
void lines_head(void);
void lines_print(const struct line *l);

/* Four significant digits: "0.0123", "1.23e-5"; "-" for a NAN. */
const char *number_text(double x, char text[24]);

#endif
