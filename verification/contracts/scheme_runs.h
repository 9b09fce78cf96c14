/* Questions to a scheme: in scheme_ghosts.c what it reads, in scheme_runs.c what a flow must keep, in
 * scheme_steps.c how it is stepped, in scheme_carried.c what the water carries, in scheme_claims.c what it says of
 * itself. */
#ifndef SHOAL_SCHEME_RUNS_H
#define SHOAL_SCHEME_RUNS_H

#include "core/registry/scheme.h"
#include "verification/contracts/runs.h"

/* Each ends with a null check. */
extern const struct run_question scheme_ghost_questions[], scheme_flow_questions[],
    scheme_step_questions[], scheme_claim_questions[], scheme_carried_questions[];

/* The scheme's table; 0: it cannot be run. */
int ask_table(const struct scheme *scheme, struct remarks *r);

#endif
