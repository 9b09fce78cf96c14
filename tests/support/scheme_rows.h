/* Rows of the experiment `schemes`, from which --scheme auto chooses; include after database.h. */
#ifndef SHOAL_TEST_SCHEME_ROWS_H
#define SHOAL_TEST_SCHEME_ROWS_H

#include "experiments/measure/measure.h"

#define COLUMNS   \
    POINT_COLUMNS \
    "\tsession\toutcome\treason\tfrom\tsteps\tredone\tleft_out\tt\twall_s\tmcells_per_s\tl1\n"

#define ROW_WITH(scheme, p, mode, blocks, n, run, session, wall)                                 \
    "sine\t" scheme "\t" p "\t" mode "\t" n "\t" n "\t0.25\t-\tminmod\toff\t" blocks "\t-\t" run \
    "\t" session "\tok\t-\ttuned\t150\t0\t0\t5\t" wall "\t1.00\t-\n"
#define ROW(scheme, p, n, run, session, wall) \
    ROW_WITH(scheme, p, "fast", "tuned", n, run, session, wall)

#endif
