/* Small formulas of a few variables, such as iif(x < 20, 1, 0). */
#ifndef SHOAL_FORMULA_H
#define SHOAL_FORMULA_H

#include "core/base/err.h"

enum { FORMULA_STEPS = 256, FORMULA_DEPTH = 32 };

/* A value, or an operation on the values before it. */
struct formula_step {
    int what; /* defined in core/base/formula.c */
    double number;
};

struct formula {
    struct formula_step step[FORMULA_STEPS];
    int steps;
};

/* Reads a formula: numbers; `names` (an array that ends with NULL) and pi; + - * / ^, parentheses;
 * < <= > >= = <>, and, or, not (1 or 0); iif(CONDITION, A, B), min, max, abs, sqrt, exp, log, sin,
 * cos, tan, tanh, atan2, hypot, floor, round. Fails with ERR_USAGE; the message marks the place. */
enum err formula_read(struct formula *f, const char *text, const char *const *names);

/* Its value for these values of the names. Undefined results, such as sqrt(-1), are NAN or
 * infinite. */
double formula_value(const struct formula *f, const double *values);

#endif
