/* Positions at which a run over terrain from a file is compared with observations. */
#ifndef SHOAL_MARKS_H
#define SHOAL_MARKS_H

#include "core/mesh/grid.h"
#include "experiments/measure/measure_parts.h"

enum { MARK_NAME = 31 };

struct mark {
    char name[MARK_NAME + 1];
    double x, y, bed; /* m; bed NAN if unknown */
};
struct marks {
    struct mark *at;
    int count;
};

/* The settings of [measure] for the run and the terrain; NAN: not set. */
struct marks_asked {
    double manning, kappa, wet_depth; /* as `shoal run` takes them */
    int maxima_every;
    double spacing, bed_within; /* m */
    double volume, volume_above,
        volume_within; /* m3, of the water whose level is above so many m; tolerance in % */
};
extern const struct option marks_options[];

/* The marks of the published table that [measure] names, `marks = WORK/TABLE`: its columns mark, x, y and,
 * where it has one, ground_m. Fails with ERR_INPUT. */
enum err marks_read(const struct experiment *x, enum backend_kind backend, struct marks *all);
void marks_free(struct marks *all); /* zeroed is fine */

/* The cell that contains a mark; false if there is none. */
int marks_cell(const struct grid_info *g, const struct mark *mark, int *i, int *j);

/* Checks the terrain file of [measure]. Fails with ERR_ABSENT if it is missing, with ERR_INPUT if
 * it is other terrain. */
enum err marks_ready(const struct experiment *x, enum backend_kind backend,
                     const struct measure_points *all);

#endif
