/* What `shoal verify` prints. */
#ifndef SHOAL_TERMINAL_TABLE_H
#define SHOAL_TERMINAL_TABLE_H

#include "verification/run/verdict.h"

/* Column names, and a line under them as it is decided. What holds of every run is left out unless
 * it fails: it would be most of the lines. */
void table_head(void);
void table_line(const struct line *l);

/* One row per case: its finest run's first norm and order, and how many checks hold for each scheme;
 * what holds of every run; then all lines that failed. Fits a screen where nothing failed. */
void table_summary(const struct verdicts *v);

/* "0.0123", "1.23e-05"; "-" for a NAN limit. At least 10 bytes. */
const char *number_text(double x, char text[24]);

#endif
