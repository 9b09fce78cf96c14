/* Fields given as formulas of x, y and the bed. */
#ifndef SHOAL_FIELD_FORMULA_H
#define SHOAL_FIELD_FORMULA_H

#include "core/mesh/grid.h"
#include "core/options/run_config.h"

/* The bed in a cell, m; null: unknown, and a formula may not use it. */
struct field_bed {
    const void *context;
    double (*at)(const void *context, size_t i, size_t j);
};

/* The formula's value in each cell; the caller frees it. Fails with ERR_USAGE where that is not
 * finite; messages name `option`. NAN in cells whose bed is NAN. */
enum err field_formula(const char *option, const char *text, const struct grid_info *g,
                       const struct field_bed *bed, double **field);

#endif
