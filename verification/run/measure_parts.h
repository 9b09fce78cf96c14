/* What measure.c and measure_files.c share: a run while it is measured. */
#ifndef SHOAL_MEASURE_PARTS_H
#define SHOAL_MEASURE_PARTS_H

#include <stdio.h>

#include "core/base/sha256.h"
#include "verification/run/case_sim.h"
#include "verification/run/measure.h"

/* From OWN on the unknowns (for water over a bed, the depth first), then their reference, then
 * those of the previous snapshot. */
enum {
    BED,
    W,
    ETA,
    OWN,
    REFERENCE = OWN + UNKNOWNS,
    OLD = REFERENCE + UNKNOWNS,
    ARRAYS = OLD + UNKNOWNS
};

/* Text that becomes a file when the run is complete. */
struct text {
    FILE *stream; /* null: not wanted */
    char *content;
    size_t size;
};

struct measuring {
    const struct run *run;
    struct case_sim of;
    struct measured *m;
    const struct norm *norm[CASE_NORMS];
    int norms;
    int compared; /* there is a reference */
    size_t cells;
    double *array[ARRAYS]; /* each of `cells` */
    struct sha256 digest;
    struct text profile, series, all_cells;
};

static inline int is_water(const struct measuring *me)
{
    return me->of.sim->system->over_bed;
}

static inline int unknowns(const struct measuring *me)
{
    return me->of.sim->system->unknowns;
}

/* What a run leaves for figures. Columns and their names; a row of the middle of the domain, of the norms, of all cells; the
 * files, in `folder`; what is still in memory. */
enum err measure_open_files(struct measuring *me);
void measure_write_profile(struct measuring *me, double t);
void measure_write_norms(struct measuring *me, int number, double t);
void measure_write_cells(struct measuring *me);
enum err measure_save_files(struct measuring *me, const char *folder);
void measure_drop_files(struct measuring *me);

#endif
