/* What the parts of the judgement's page share. */
#ifndef SHOAL_JUDGE_PAGE_H
#define SHOAL_JUDGE_PAGE_H

#include <stdio.h>

#include "verification/judge/judge.h"

/* Formats with %s (escaped) and %d only; the format itself is HTML. */
void page_print(FILE *f, const char *fmt, ...);

/* Three digits; "&ndash;" for a NAN. */
void page_number(FILE *f, double x);

/* The figures whose names begin so, or what gnuplot says instead. */
void page_figures(FILE *f, const struct pictures *p, const char *name);

/* Sections. */
void page_glance(FILE *f, const struct judging *j);
void page_contract(FILE *f, const struct judging *j);
void page_verification(FILE *f, const struct judging *j);
void page_errors(FILE *f, const struct judging *j);
void page_times(FILE *f, const struct judging *j);
void page_speed(FILE *f, const struct judging *j, enum backend_kind on);

#endif
