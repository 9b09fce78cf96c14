/* Checks of a scheme: what it reads (scheme_ghosts.c), preserves (scheme_runs.c), how it steps
 * (scheme_steps.c), tracers (scheme_carried.c), its claims (scheme_claims.c); of a system without a bed
 * scheme_basins.c. */
#ifndef SHOAL_SCHEME_RUNS_H
#define SHOAL_SCHEME_RUNS_H

#include "core/registry/scheme.h"
#include "verification/contracts/runs.h"

/* Each ends with a null check. */
extern const struct run_question scheme_ghost_questions[], scheme_flow_questions[],
    scheme_step_questions[], scheme_claim_questions[], scheme_carried_questions[],
    scheme_basin_questions[];

/* The scheme's table; 0: it cannot be run. */
int ask_table(const struct scheme *scheme, struct remarks *r);

#endif
