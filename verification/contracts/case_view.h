/* A case with a size, and its points, for case.c and case_exact.c. */
#ifndef SHOAL_CASE_VIEW_H
#define SHOAL_CASE_VIEW_H

#include "core/registry/case.h"
#include "verification/contracts/contract.h"

/* The points mirror each other exactly if the case lies around the origin. */
struct case_view {
    const struct flow_case *c;
    int nx, ny;
};

double case_corner_x(const struct case_view *v, int i);
double case_corner_y(const struct case_view *v, int j);
double case_centre_x(const struct case_view *v, int i);
double case_centre_y(const struct case_view *v, int j);
struct flow case_water(const struct case_view *v, int i, int j);
double case_bed_mean(const struct case_view *v, int i, int j);
int case_same(struct flow a, struct flow b);

/* The location and description of an error. */
struct case_fault {
    char text[320];
};

/* Fills it; returns 1. */
int case_wrong(struct case_fault *f, const struct case_view *v, double x, double y, const char *fmt,
               ...) __attribute__((format(printf, 5, 6)));

/* A case that is a mirror image of itself to rounding in 95 of 100 cells is meant to be symmetric:
 * then it must be so to the bit in all cells, as tests of schemes rely on that. */
int case_is_blurred(const struct case_view *v, struct case_fault *f);

/* Does the exact solution solve the shallow-water equations? */
void case_ask_exact(const struct flow_case *c, struct remarks *r);

/* Checks kappa, and whether lengths, times and depths have consistent units. */
enum err case_ask_scales(const struct flow_case *c, struct remarks *r);

#endif
