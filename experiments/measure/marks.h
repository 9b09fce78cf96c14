/* Places at which a run over terrain from a file is compared with what was observed. */
#ifndef SHOAL_MARKS_H
#define SHOAL_MARKS_H

#include "core/mesh/grid.h"
#include "experiments/measure/measure_parts.h"

enum { MARK_NAME = 31 };

struct mark {
    char name[MARK_NAME + 1];
    double x, y, bed; /* m; bed NAN where nobody says */
};
struct marks {
    struct mark *at;
    int count;
};

/* What [measure] says of the run, and of the terrain; NAN: it says nothing. */
struct marks_asked {
    double manning, kappa, wet_depth; /* as `shoal run` takes them */
    int maxima_every;
    double spacing, bed_within; /* m */
    double volume, volume_above,
        volume_within; /* m3, of the water whose level is above so many m; % */
};
extern const struct option marks_options[];

/* The marks of the published table that [measure] names, `marks = WORK/TABLE`: its columns mark, x, y and,
 * where it has one, ground_m. Fails with ERR_INPUT. */
enum err marks_read(const struct experiment *x, enum backend_kind backend, struct marks *all);
void marks_free(struct marks *all); /* zeroed is fine */

/* The cell that a mark lies in; false where it lies in none. */
int marks_cell(const struct grid_info *g, const struct mark *mark, int *i, int *j);

/* Is the file that [measure] names here, and is it the terrain that the experiment speaks of? Fails with
 * ERR_ABSENT where it is not here, with ERR_INPUT where it is another. */
enum err marks_ready(const struct experiment *x, enum backend_kind backend,
                     const struct measure_points *all);

#endif
