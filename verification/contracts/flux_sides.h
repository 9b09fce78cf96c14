/* The two sides of a face as an input of search.h, and checks of them. */
#ifndef SHOAL_FLUX_SIDES_H
#define SHOAL_FLUX_SIDES_H

#include "verification/contracts/search.h"

/* An input: both sides of a face and gravity. */
enum { HL, UL, VL, HR, UR, VR, GRAVITY, FLUX_NUMBERS };

/* Of an input; the last one is the flux. */
struct plain_side flux_left(const double *x);
struct plain_side flux_right(const double *x);
double flux_gravity(const struct subject *s, const double *x);
struct plain_flux flux_at(const struct subject *s, const double *x);

/* The right side becomes the left one. */
void flux_make_equal(double *x);

struct plain_flux flux_between(const struct subject *s, struct plain_side l, struct plain_side r,
                               double g);
int flux_is_finite(struct plain_flux f);

/* By more than a handful of roundings of the largest term; none where the terms are zero. */
int flux_far_apart(const struct subject *s, double x, double y, double scale);

/* "name(h 1, u 2, v 0 | h 0, u 0, v 0)" and "(2, 4, 0)"; those of the last two calls stay. */
const char *flux_sides_text(const struct subject *s, const double *x);
const char *flux_text(struct plain_flux f);

/* An input and its flux as an example; two whose fluxes show that one is wrong. */
void flux_show(const struct subject *s, const double *x, char example[SENTENCE]);
void flux_show_both(const struct subject *s, const double *x, const double *y,
                    char example[SENTENCE]);

/* flux_consistent.c: equal sides. */
int flux_inconsistent(const struct subject *s, const double *x);
const char *flux_why_inconsistent(const struct subject *s, const double *x);
void flux_show_inconsistent(const struct subject *s, const double *x, char example[SENTENCE]);

/* flux_invariant.c: invariances. */
int flux_loses_tangential(const struct subject *s, const double *x);
void flux_show_tangential(const struct subject *s, const double *x, char example[SENTENCE]);
int flux_has_unit(const struct subject *s, const double *x);
void flux_show_units(const struct subject *s, const double *x, char example[SENTENCE]);
int flux_feels_datum(const struct subject *s, const double *x);
void flux_show_datum(const struct subject *s, const double *x, char example[SENTENCE]);
int flux_stirs_at_step(const struct subject *s, const double *x);
void flux_show_step(const struct subject *s, const double *x, char example[SENTENCE]);

#endif
