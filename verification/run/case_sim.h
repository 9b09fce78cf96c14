/* A simulation of a case. */
#ifndef SHOAL_CASE_SIM_H
#define SHOAL_CASE_SIM_H

#include "core/problem/problem.h"
#include "core/sim/sim.h"

/* With everything that must outlive it. Large: keep it off the stack. */
struct case_sim {
    struct config config;
    struct problem problem;
    struct sim *sim; /* null: not open */
};

/* Opens a case with the given configuration: compiled, and ready to step. On failure nothing is
 * open. */
enum err case_sim_open(struct case_sim *s, const struct flow_case *c);
/* The fixed time step for verifying a case on n cells from west to east, s; NAN: by the Courant
 * number. */
double case_fixed_dt(const struct flow_case *c, int n);

void case_sim_close(struct case_sim *s); /* accepts a zeroed one, and a closed one */

#endif
