/* The keys of an experiment's file. */
#ifndef SHOAL_EXPERIMENT_KEYS_H
#define SHOAL_EXPERIMENT_KEYS_H

#include "experiments/experiment.h"

/* Fails with ERR_INPUT, file and line, for an unknown or repeated section or key, a key without a
 * value, and if a required one is missing. */
enum err experiment_check(const struct experiment *x);

#endif
