/* The certificate as a table: a row for each question, a column for each backend here and for each device that was
 * recorded. */
#ifndef SHOAL_CERTIFY_TABLE_H
#define SHOAL_CERTIFY_TABLE_H

#include <stdio.h>

#include "verification/certify/record.h"

struct sheet {
    const struct certifying *c;
    const struct records *records;
    struct record here[BACKENDS]; /* results of this run's backends; the runs belong to `c` */
};

/* Writes certificate.md and certificate.html into a folder, and to `terminal` the same with only
 * the first differences. */
enum err sheet_write(const struct sheet *p, const char *folder, FILE *terminal);

#endif
