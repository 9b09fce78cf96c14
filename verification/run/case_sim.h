/* A simulation of a case. */
#ifndef SHOAL_CASE_SIM_H
#define SHOAL_CASE_SIM_H

#include "core/problem/problem.h"
#include "core/sim/sim.h"

/* With all that it needs to stay. Large: not for a stack. */
struct case_sim {
    struct config config;
    struct problem problem;
    struct sim *sim; /* null: not open */
};

/* Opens a case as the configuration that is there says: compiled, and ready to step. On failure nothing is open. */
enum err case_sim_open(struct case_sim *s, const struct flow_case *c);
/* The fixed time step that a case is verified with on n cells from west to east, s; NAN: by the Courant number. */
double case_fixed_dt(const struct flow_case *c, int n);

void case_sim_close(struct case_sim *s); /* accepts a zeroed one, and a closed one */

#endif
