/* The certificate as a table: a row for each question, a column for each backend here and for each
 * device that was recorded. */
#ifndef SHOAL_CERTIFY_TABLE_H
#define SHOAL_CERTIFY_TABLE_H

#include <stdio.h>

#include "verification/certify/record.h"

struct sheet {
    const struct certifying *c;
    const struct records *records;
    struct device_info info[BACKENDS]; /* of those that are asked */
    struct answer answer[BACKENDS][MOST_QUESTIONS];
};

/* In parts, so that a terminal shows each answer when it is there: column names; a question's row; who
 * has confirmed the bits, what is not here, and the first `most` of what was not the same. */
void sheet_head(const struct sheet *p, FILE *f);
void sheet_row(const struct sheet *p, int question, FILE *f);
void sheet_foot(const struct sheet *p, int most, FILE *f);

/* All of it, certificate.txt and certificate.html, in a folder. */
enum err sheet_write(const struct sheet *p, const char *folder);

#endif
