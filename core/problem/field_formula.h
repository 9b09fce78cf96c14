/* Fields of a run that are given as formulas of x, y and the bed. */
#ifndef SHOAL_FIELD_FORMULA_H
#define SHOAL_FIELD_FORMULA_H

#include "core/mesh/grid.h"
#include "core/options/run_config.h"

/* What the bed is in a cell, m; null: not known, and a formula may not ask for it. */
struct field_bed {
    const void *context;
    double (*at)(const void *context, size_t i, size_t j);
};

/* The formula's value in each cell, for the caller to free. Fails with ERR_USAGE where that is no number; `option`
 * is for messages. Cells whose bed is a NAN have a NAN. */
enum err field_formula(const char *option, const char *text, const struct grid_info *g,
                       const struct field_bed *bed, double **field);

#endif
