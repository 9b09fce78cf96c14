/* A case with a size, and its points: what case.c and case_exact.c ask of them. */
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

/* Where something is wrong, and what. */
struct case_fault {
    char text[320];
};

/* Fills it; returns 1. */
int case_wrong(struct case_fault *f, const struct case_view *v, double x, double y, const char *fmt,
               ...) __attribute__((format(printf, 5, 6)));

/* A case that is a mirror image of itself to rounding in 95 of 100 cells is meant to be one: then it
 * must be one to the bit in all cells, which mirrored results of a scheme depend on. */
int case_is_blurred(const struct case_view *v, struct case_fault *f);

/* Does the exact solution solve the shallow-water equations? */
void case_ask_exact(const struct flow_case *c, struct remarks *r);

/* Kappa, and whether lengths, times and depths are of one system of units. */
enum err case_ask_scales(const struct flow_case *c, struct remarks *r);

#endif
