/* What a run reports at its end. */
#ifndef SHOAL_RUN_SUMMARY_H
#define SHOAL_RUN_SUMMARY_H

#include "core/problem/problem.h"
#include "core/sim/sim.h"

/* Logs steps, volumes and other conserved quantities, then prints the summary line on stdout. Fails
 * with ERR_BROKEN if an unknown left its bounds too far. */
enum err run_summary_print(struct sim *s, const struct problem *p, const struct balance *b);

#endif
