/* Formulas, cell by cell. */
#include "core/problem/field_formula.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/formula.h"
#include "core/base/plane.h"

static enum err fill_field(const char *option, const struct formula *f, const struct grid_info *g,
                           const struct field_bed *bed, double *field)
{
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const double b = bed ? bed->at(bed->context, (size_t)i, (size_t)j) : 0;
            const double at[] = {grid_x(g, i), grid_y(g, j), b};
            double *value = &field[(size_t)j * (size_t)g->nx + (size_t)i];
            *value = isnan(b) ? (double)NAN : formula_value(f, at);
            if (!isfinite(*value) && !isnan(b))
                FAIL(USAGE, "--%s: the formula is %s at x = %.9g, y = %.9g", option,
                     isnan(*value) ? "no number" : "infinite", at[0], at[1]);
            plane_passes((size_t)j * (size_t)g->nx + (size_t)i);
        }
    return ERR_OK;
}

enum err field_formula(const char *option, const char *text, const struct grid_info *g,
                       const struct field_bed *bed, double **field)
{
    static const char *const without_bed[] = {"x", "y", NULL};
    struct formula f;
    *field = NULL;
    enum err e = formula_read(&f, text, bed ? option_field_names : without_bed);
    if (e) {
        err_context("--%s", option);
        return e;
    }
    TRY(plane_new("a formula", (size_t)g->nx, (size_t)g->ny, field));
    e = fill_field(option, &f, g, bed, *field);
    if (e) {
        plane_free(*field);
        *field = NULL;
    }
    return e;
}
